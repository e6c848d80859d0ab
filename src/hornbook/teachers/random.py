"""The teacher who draws states at random, with replacement, until every ray has been shown."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.classroom import Classroom
from hornbook.teachers._declaration import Asked, Taught, Teacher
from hornbook.teachers._draws import expected_draws

__all__ = ["RANDOM", "draw_until_taught", "ray_kinds"]

_TRIALS = 400
_BLOCK = 4096  # draws at a time

Kinds = list[tuple[frozenset[int], int]]


def ray_kinds(classroom: Classroom) -> Kinds:
    """The states grouped by the rays that they show, those that show none left out, with their numbers."""
    start, rays = classroom.kinds.start, classroom.ray_of[classroom.kinds.rays]
    counts: dict[frozenset[int], int] = {}
    for place, count in enumerate(classroom.kinds.counts.tolist()):
        shown = frozenset(rays[start[place] : start[place + 1]].tolist()) - {-1}
        if shown:
            counts[shown] = counts.get(shown, 0) + count
    return list(counts.items())


def draw_until_taught(classroom: Classroom, generator: np.random.Generator) -> list[int]:
    """The rows drawn, one for each draw; states without any difference are drawn too, and shown as row -1."""
    kinds = classroom.kinds
    rays = [
        frozenset(classroom.ray_of[kinds.rays[kinds.start[i] : kinds.start[i + 1]]].tolist()) - {-1}
        for i in range(len(kinds))
    ]
    missing, drawn = set(range(len(classroom.frame.rays))), list[int]()
    for place in _draws(np.cumsum(kinds.counts), classroom.problem.num_states, generator) if missing else ():
        if place == len(kinds):
            drawn.append(-1)
            continue
        drawn.append(int(kinds.rows[place]))
        missing -= rays[place]
        if not missing:
            break
    return drawn


def _draws(bounds: npt.NDArray[np.int64], total: int, generator: np.random.Generator) -> Iterator[int]:
    while True:
        yield from np.searchsorted(bounds, generator.integers(total, size=_BLOCK), side="right").tolist()


def random(asked: Asked) -> Taught:
    """Expected number of draws, exact where the sums allow it, else the mean of 400 trials; one trial is shown.

    Cost: inclusion and exclusion over the groups of rays that states link; it is exact up to some sixteen in a group.
    """
    room = asked.classroom
    generator = np.random.Generator(np.random.PCG64(asked.seed))
    drawn = draw_until_taught(room, generator)
    rows = sorted(set(drawn) - {-1})
    exact = expected_draws(ray_kinds(room), room.problem.num_states)
    if exact is not None:
        return Taught(rows, exact.mean, math.sqrt(exact.variance), note="exact expectation of draws")
    return _from_trials(rows, [len(draw_until_taught(room, generator)) for _ in range(_TRIALS)])


def _from_trials(rows: Sequence[int], sizes: Sequence[int]) -> Taught:
    spread = statistics.stdev(sizes)
    half = 1.96 * spread / math.sqrt(len(sizes))
    note = f"mean of {len(sizes)} trials, within {half:.2g} with 95% confidence"
    return Taught(rows, Fraction(sum(sizes), len(sizes)), spread, note)


RANDOM = Teacher("random", random)
