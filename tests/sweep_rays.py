"""Look for wrong rays: `python -m tests.sweep_rays --rounds 3 --state FILE`, or `make sweep-rays`.

A round is 100,000 cones from all families.  Each is put to PPL and Normaliz, and to every ray finder that works on its
rank.  Every other cone is asked with all thresholds lowered, so that what is made for large problems meets small ones.
The state file makes it resumable.  The first cone on which a finder is wrong is printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hornbook.arithmetic import Vectors
from hornbook.rays import RAY_FINDERS, Conflict, Rays, find_rays, spanning_columns
from tests.families import instance_number
from tests.oracles import NOTREAL, Vector
from tests.referee import Referee, cone_of

ROUND = 100_000
BATCH = 400
LOWERED = {
    "hornbook.rays._choice._FEW": 1,
    "hornbook.rays._hull._FEW": 1,
    "hornbook.rays._hull._MANY": 3,
    "hornbook.rays._hull._WORTH": 0.0,
    "hornbook.rays._proofs._SEVERAL": 0,
}

Counts = Counter[str]


@contextmanager
def lowered(yes: bool) -> Iterator[None]:
    """All thresholds as if problems were large."""
    patches = [patch(name, value) for name, value in LOWERED.items()] if yes else []
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


def wrong_finders(cone: Sequence[Vector], truth: Any, counts: Counts) -> list[str]:
    """The finders whose answer is another one than that of the oracles."""
    vectors = Vectors.of(sorted(cone), len(cone[0]))
    rank = len(spanning_columns(vectors))
    wrong = []
    for name, regime in RAY_FINDERS.items():
        if rank in regime.dimensions:
            found = find_rays(vectors, finder=name)
            told = NOTREAL if isinstance(found, Conflict) else tuple(sorted(found.vectors.rows()))
            counts[name] += 1
            if told != truth:
                wrong.append(name)
            if isinstance(found, Rays) and not bool((vectors.products(found.weights) > 0).all()):
                wrong.append(f"{name}: weights")
    return wrong


def sweep(referee: Referee, counts: Counts, *, numbers: range, seed: int) -> Iterator[int]:
    """Batch by batch, yielding how far it is; raises `ValueError` with the first wrong cone."""
    for start in range(numbers.start, numbers.stop, BATCH):
        batch = range(start, min(start + BATCH, numbers.stop))
        cones = [cone_of(instance_number(number, seed=seed)) for number in batch]
        referee.start(cones)
        for number, cone, verdict in zip(batch, cones, referee.finish(cones), strict=True):
            counts["cones"] += 1
            if cone:
                truth = verdict.truth.rays
                with lowered(number % 2 == 1):
                    wrong = wrong_finders(cone, truth if truth == NOTREAL else tuple(sorted(truth)), counts)
                if wrong or verdict.complaint:
                    raise ValueError(f"number {number}, seed {seed}: {wrong} {verdict.complaint}\n{cone}")
        yield batch.stop


def table(counts: Counts) -> str:
    """How many cones each finder was asked about."""
    return "\n".join(f"{name:12} {counts[name]:>12,}" for name in ("cones", *RAY_FINDERS))


def main(arguments: list[str] | None = None) -> int:
    """Sweep as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.sweep_rays", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="how many more rounds to do (default 1)")
    parser.add_argument("--round-size", type=int, default=ROUND, help="cones in a round (default 100,000)")
    parser.add_argument("--seed", type=int, default=1, help="of a fresh sweep; a state file keeps its own")
    parser.add_argument("--state", type=Path, help="file to resume from and to keep up to date")
    options = parser.parse_args(arguments)
    state: dict[str, Any] = {"seed": options.seed, "done": 0, "counts": {}}
    if options.state is not None and options.state.exists():
        state = json.loads(options.state.read_text())
    counts = Counter(state["counts"])
    goal = (state["done"] // options.round_size + options.rounds) * options.round_size
    started, first, shown = time.monotonic(), state["done"], time.monotonic()
    with Referee() as referee:
        if referee.missing():
            print("cannot sweep: " + "; ".join(referee.missing()), file=sys.stderr)
            return 2
        try:
            for done in sweep(referee, counts, numbers=range(first, goal), seed=state["seed"]):
                if time.monotonic() - shown > 5 or done == goal:
                    shown = time.monotonic()
                    if options.state is not None:
                        options.state.write_text(json.dumps({"seed": state["seed"], "done": done, "counts": counts}))
                    speed = (done - first) / (shown - started)
                    print(f"{done:,} of {goal:,} cones, 0 wrong, {speed:,.0f}/s", flush=True)
        except ValueError as found:
            print(f"WRONG: {found}", flush=True)
            return 1
    print(table(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
