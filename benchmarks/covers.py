"""Covers from teaching problems: rays private to one state, and rays at random."""

from __future__ import annotations

from functools import partial

from benchmarks.cases import Case, Family
from benchmarks.instances import agree, random_cover

__all__ = ["FAMILY"]

PEERS = ("ours_cover", "highs_mip", "cp_sat", "scip", "pycft")


def _case(kind: str, states: int, actions: int, rays: int, *, full: bool, seconds: float = 5.0) -> Case:
    private = 0.9 if kind == "planted" else 0.0
    made = partial(
        random_cover, states=states, actions=actions, rays=rays, private=private, weighted=kind == "weighted",
        seconds=60.0 if full else seconds,
    )  # fmt: skip
    return Case(
        name=f"{kind} S={states:,} A={actions} k={rays:,}",
        sizes={"S": states, "A": actions, "k": rays},
        make=made,
        peers=PEERS,
        full=full,
        seconds=240.0 if full else 60.0,
        repeats=1,
        compare=agree,
    )


SMALL = [
    ("planted", 100_000, 4, 1_000),
    ("planted", 100_000, 20, 5_000),
    ("uniform", 10_000, 3, 1_000),
    ("uniform", 1_000, 4, 100),
    ("uniform", 1_000, 8, 100),
    ("uniform", 10_000, 4, 1_000),
    ("uniform", 10_000, 8, 500),
    ("weighted", 10_000, 4, 500),
]
LARGE = [
    *(
        ("planted", states, actions, rays)
        for states in (1_000, 1_000_000)
        for actions, rays in ((4, 5_000), (20, 5_000))
    ),
    *(("uniform", 1_000_000, actions, rays) for actions, rays in ((3, 5_000), (4, 1_000), (8, 5_000), (20, 1_000))),
    *(("uniform", 100_000, actions, rays) for actions, rays in ((3, 5_000), (4, 1_000), (8, 5_000), (20, 1_000))),
    *(("weighted", 100_000, actions, rays) for actions, rays in ((3, 1_000), (4, 1_000), (8, 1_000))),
]

FAMILY = Family(
    "covers",
    "Covers from teaching problems, one thread, the same time limit for all. A cell is how many times as long as ours, "
    "then the interval that the solver says it proved (its covers are counted by us, its bounds are believed).",
    [_case(*sizes, full=False) for sizes in SMALL] + [_case(*sizes, full=True) for sizes in LARGE],
)
