"""Look for wrong answers: `python -m tests.sweep --rounds 3 --state FILE`.

A round is 100,000 instances over all families, each compared with PPL, Normaliz, closed forms and brute-force
covers. The state file makes it resumable: a stopped sweep goes on where it was.  The first mismatch is
printed as JSON that `python -m tests.sweep --replay FILE` reads, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.families import FAMILIES, instance_number
from tests.instances import BAD, Instance, from_json, to_json
from tests.oracles import NOTREAL, Vector
from tests.referee import (
    OK,
    Answer,
    Referee,
    Verdict,
    ask_hornbook,
    cone_of,
    expected_outcome,
    judge,
    judge_truth,
)

ROUND = 100_000
BATCH = 400
OTHER_RANK = "does not work on vectors of rank"  # what a finder for other dimensions is refused with
PATIENCE = 60  # seconds for one small instance: more is a hang
FINDERS = ("auto", "simplex", "cuts", "incremental", "auto", "elimination")
LEAST_PER_FAMILY = 20
LEAST_ON_A_FACET = 0.30
LEAST_NOT_REALIZABLE = 0.10
COLUMNS = ("instances", OK, NOTREAL, BAD, "facet", "ppl", "normaliz", "slow")


@dataclass
class Tally:
    """What has been tried, per family; plain numbers that survive in a JSON file."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in FAMILIES})
    dimensions: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in FAMILIES})

    def add(self, instance: Instance, verdict: Verdict) -> None:
        outcome = expected_outcome(instance, verdict.truth)
        asked = int(outcome != BAD)
        counts = self.counts.setdefault(instance.family, Counter())
        counts.update({"instances": 1, outcome: 1, "facet": int(bool(verdict.truth.facet))})
        counts.update({"ppl": asked, "normaliz": asked, "slow": int(verdict.slow)})
        self.dimensions.setdefault(instance.family, Counter())[str(instance.width)] += 1

    def total(self, column: str) -> int:
        return sum(counts[column] for counts in self.counts.values())

    def facet_share(self) -> float:
        """How many instances have a vector that lies exactly on a facet and is no ray."""
        return self.total("facet") / self.total("instances")

    def notreal_share(self) -> float:
        return self.total(NOTREAL) / self.total("instances")

    def table(self) -> str:
        """Family x count x d x outcome x oracle calls."""
        rows = [["family", *COLUMNS, "d: instances"]]
        for name, counts in self.counts.items():
            by_d = sorted(self.dimensions[name].items(), key=lambda item: int(item[0]))
            rows.append([name, *(str(counts[c]) for c in COLUMNS), " ".join(f"{d}:{n}" for d, n in by_d)])
        rows.append(["all", *(str(self.total(c)) for c in COLUMNS), ""])
        widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in rows), strict=True)]
        lines = ["  ".join((*(c.rjust(w) for c, w in zip(row, widths, strict=False)), row[-1])) for row in rows]
        fewest = min(self.counts, key=lambda name: self.counts[name]["instances"])
        limits = (
            f"at least {LEAST_PER_FAMILY} of each family (fewest: {fewest} {self.counts[fewest]['instances']}), "
            f"{LEAST_ON_A_FACET:.0%} with a vector on a facet ({self.facet_share():.1%}), "
            f"{LEAST_NOT_REALIZABLE:.0%} not realizable ({self.notreal_share():.1%})"
        )
        return "\n".join((*lines, limits))

    def shortfalls(self) -> list[str]:
        """Which of the limits are missed: too few instances say nothing."""
        few = [name for name, counts in self.counts.items() if counts["instances"] < LEAST_PER_FAMILY]
        shares = {
            "instances with a vector on a facet": (self.facet_share(), LEAST_ON_A_FACET),
            "instances that are not realizable": (self.notreal_share(), LEAST_NOT_REALIZABLE),
        }
        return [f"too few of family {name}" for name in few] + [
            f"only {share:.1%} {what}" for what, (share, least) in shares.items() if share < least
        ]


@dataclass(eq=False)  # not frozen: on its way up Python writes to an exception
class Mismatch(Exception):
    """An instance and what is wrong with it."""

    instance: Instance
    complaint: str

    def __str__(self) -> str:
        return f"{self.instance.name}: {self.complaint}\n{to_json(self.instance)}"


def sweep(referee: Referee, tally: Tally, *, numbers: range, seed: int, product: bool = True) -> Iterator[int]:
    """Compare instances batch by batch, yielding how far it is; raises `Mismatch`."""
    for start in range(numbers.start, numbers.stop, BATCH):
        batch = range(start, min(start + BATCH, numbers.stop))
        instances = [instance_number(number, seed=seed) for number in batch]
        compare(referee, tally, instances=instances, product=product)
        yield batch.stop


def compare(referee: Referee, tally: Tally, *, instances: list[Instance], product: bool = True) -> None:
    """Ask hornbook while the libraries work in their own processes, then judge."""
    cones: list[list[Vector]] = [cone_of(instance) for instance in instances]
    referee.start(cones)
    answers = [_ask(instance, FINDERS[i % len(FINDERS)]) if product else None for i, instance in enumerate(instances)]
    for instance, answer, verdict in zip(instances, answers, referee.finish(cones), strict=True):
        complaint = verdict.complaint or judge_truth(instance, verdict.truth)
        if not complaint and answer is not None:
            complaint = answer if isinstance(answer, str) else judge(instance, answer, truth=verdict.truth)
        if complaint:
            raise Mismatch(instance, complaint)
        tally.add(instance, verdict)


def _ask(instance: Instance, finder: str) -> Answer | str:
    """The answer, or what came in its place: any exception that is not a documented answer is a finding."""
    # of computing, not of the clock: a machine that is busy or asleep is no hang
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        answer = ask_hornbook(instance, finder=finder)
        if OTHER_RANK in answer.message:
            answer = ask_hornbook(instance)
        return answer
    except Exception as error:
        return f"hornbook raised {type(error).__name__}: {error} (finder {finder})"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _too_long(*_: object) -> None:
    raise TimeoutError(f"no answer in {PATIENCE} s")


@dataclass
class Progress:
    """Where a sweep stands, kept in a file."""

    seed: int
    done: int = 0
    tally: Tally = field(default_factory=Tally)

    @classmethod
    def load(cls, path: Path | None, seed: int) -> Progress:
        if path is None or not path.exists():
            return cls(seed)
        record = json.loads(path.read_text())
        tally = Tally(*({k: Counter(v) for k, v in record[key].items()} for key in ("counts", "dimensions")))
        return cls(record["seed"], record["done"], tally)

    def save(self, path: Path | None) -> None:
        if path is not None:
            record = {"seed": self.seed, "done": self.done, "counts": self.tally.counts}
            fresh = path.with_suffix(".new")
            fresh.write_text(json.dumps({**record, "dimensions": self.tally.dimensions}))
            fresh.replace(path)


def run(options: argparse.Namespace) -> int:
    progress = Progress.load(options.state, options.seed)
    goal = (progress.done // options.round_size + options.rounds) * options.round_size
    started, first, shown = time.monotonic(), progress.done, time.monotonic()
    with Referee() as referee:
        if referee.missing():
            print("cannot sweep: " + "; ".join(referee.missing()), file=sys.stderr)
            return 2
        steps = sweep(
            referee,
            progress.tally,
            numbers=range(first, goal),
            seed=progress.seed,
            product=not options.oracles_only,
        )
        try:
            for progress.done in steps:
                if time.monotonic() - shown > 5 or progress.done == goal:
                    shown = time.monotonic()
                    progress.save(options.state)
                    speed = (progress.done - first) / (shown - started)
                    print(f"{progress.done:,} of {goal:,} instances, 0 wrong, {speed:,.0f}/s", flush=True)
        except Mismatch as found:
            print(f"WRONG after {progress.done:,} right ones: {found}", flush=True)
            return 1
    print(progress.tally.table())
    return 0


def replay(path: Path, *, product: bool) -> int:
    with Referee() as referee:
        try:
            compare(referee, Tally(), instances=[from_json(path.read_text())], product=product)
        except Mismatch as found:
            print(f"WRONG: {found}")
            return 1
    print("right")
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sweep", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="how many more rounds to do (default 1)")
    parser.add_argument("--round-size", type=int, default=ROUND, help="instances in a round (default 100,000)")
    parser.add_argument("--seed", type=int, default=0, help="of a fresh sweep; a state file keeps its own")
    parser.add_argument("--state", type=Path, help="file to resume from and to keep up to date")
    parser.add_argument("--oracles-only", action="store_true", help="compare the oracles and closed forms only")
    parser.add_argument("--replay", type=Path, help="compare the one instance in this JSON file")
    options = parser.parse_args(arguments)
    return replay(options.replay, product=not options.oracles_only) if options.replay else run(options)


if __name__ == "__main__":
    sys.exit(main())
