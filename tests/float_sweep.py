"""Look for wrong answers on float data: `python -m tests.float_sweep --rounds 3 --state FILE`.

A round is 100,000 instances over all float families, whose truth is known by construction.  The state file makes it
resumable: a stopped sweep goes on where it was.  The first silent mistake (accepted classes that are not the true
rays, a lesson that is not the smallest, a conflict that is none, an exception, a hang) is printed as JSON that
`python -m tests.float_sweep --replay FILE` reads, and the exit status is 1.  So it is when more than 0.1% of the
instances that are clear were refused as ambiguous.
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

from tests.float_families import FAMILIES, instance_number
from tests.float_families.asking import Answer, ask, judge, needless
from tests.float_families.cases import AMBIG, LIMIT, OK, FloatCase, from_json, to_json
from tests.instances import BAD
from tests.oracles import NOTREAL

ROUND = 100_000
BATCH = 100
PATIENCE = 60  # seconds of work for one small instance: more is a hang
MOST_NEEDLESS = 1e-3
COLUMNS = ("instances", OK, "merged", "assumed", AMBIG, NOTREAL, BAD, LIMIT, "clear", "needless")


@dataclass
class Tally:
    """What has been tried, per family; plain numbers that survive in a JSON file."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in FAMILIES})

    def add(self, case: FloatCase, answer: Answer) -> None:
        counts = self.counts.setdefault(case.family, Counter())
        counts.update({"instances": 1, answer.outcome: 1, "clear": int(case.clear)})
        counts.update({"merged": int(answer.merged > 0), "assumed": int(answer.assumed > 0)})
        counts.update({"needless": int(needless(case, answer))})

    def total(self, column: str) -> int:
        return sum(counts[column] for counts in self.counts.values())

    def needless_share(self) -> float:
        """How many of the clear instances were refused."""
        return self.total("needless") / max(1, self.total("clear"))

    def table(self) -> str:
        """Family x outcome; of the answers, how many merged and how many assumed something."""
        rows = [["family", *COLUMNS]]
        rows += [[name, *(str(counts[c]) for c in COLUMNS)] for name, counts in self.counts.items()]
        rows.append(["all", *(str(self.total(c)) for c in COLUMNS)])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join("  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in rows)


@dataclass(eq=False)
class Mismatch(Exception):
    """An instance and what is wrong with the answer."""

    case: FloatCase
    complaint: str

    def __str__(self) -> str:
        return f"{self.case.name} ({self.case.argument}): {self.complaint}\n{to_json(self.case)}"


def sweep(tally: Tally, *, numbers: range, seed: int) -> Iterator[int]:
    """Try instances one by one, yielding how far it is now and then; raises `Mismatch`."""
    for start in range(numbers.start, numbers.stop, BATCH):
        batch = range(start, min(start + BATCH, numbers.stop))
        for number in batch:
            compare(tally, instance_number(number, seed=seed))
        yield batch.stop


def compare(tally: Tally, case: FloatCase) -> None:
    """Ask hornbook and judge; any exception that is no documented answer is a finding."""
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        answer = ask(case)
    except Exception as error:
        raise Mismatch(case, f"hornbook raised {type(error).__name__}: {error}") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    complaint = judge(case, answer)
    if complaint:
        raise Mismatch(case, complaint)
    tally.add(case, answer)


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
        return cls(record["seed"], record["done"], Tally({k: Counter(v) for k, v in record["counts"].items()}))

    def save(self, path: Path | None) -> None:
        if path is not None:
            fresh = path.with_suffix(".new")
            fresh.write_text(json.dumps({"seed": self.seed, "done": self.done, "counts": self.tally.counts}))
            fresh.replace(path)


def run(options: argparse.Namespace) -> int:
    progress = Progress.load(options.state, options.seed)
    goal = (progress.done // options.round_size + options.rounds) * options.round_size
    started, first, shown = time.monotonic(), progress.done, time.monotonic()
    steps = sweep(progress.tally, numbers=range(first, goal), seed=progress.seed)
    try:
        for progress.done in steps:
            if time.monotonic() - shown > 5 or progress.done == goal:
                shown = time.monotonic()
                progress.save(options.state)
                speed = (progress.done - first) / (shown - started)
                print(f"{progress.done:,} of {goal:,} float instances, 0 wrong, {speed:,.0f}/s", flush=True)
    except Mismatch as found:
        print(f"WRONG after {progress.done:,} right ones: {found}", flush=True)
        return 1
    print(progress.tally.table())
    share = progress.tally.needless_share()
    print(f"refused although clear: {share:.3%} (at most {MOST_NEEDLESS:.1%})")
    return int(share > MOST_NEEDLESS)


def replay(path: Path) -> int:
    tally = Tally()
    try:
        compare(tally, from_json(path.read_text()))
    except Mismatch as found:
        print(f"WRONG: {found}")
        return 1
    print("needlessly ambiguous" if tally.total("needless") else "right")
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.float_sweep", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="how many more rounds to do (default 1)")
    parser.add_argument("--round-size", type=int, default=ROUND, help="instances in a round (default 100,000)")
    parser.add_argument("--seed", type=int, default=0, help="of a fresh sweep; a state file keeps its own")
    parser.add_argument("--state", type=Path, help="file to resume from and to keep up to date")
    parser.add_argument("--replay", type=Path, help="try the one instance in this JSON file")
    options = parser.parse_args(arguments)
    return replay(options.replay) if options.replay else run(options)


if __name__ == "__main__":
    sys.exit(main())
