"""Step 4 of 8: rays -> which states show them (the sets V_s of the paper).

States that show the same set of rays are interchangeable up to their cost, so one of each kind is kept: the cheapest,
and among those the first in id order, with a count.  All members are found again by reading the problem on request.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Number
from hornbook.differences import Shown, same_rows, shown_directions, unique_rows
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent

__all__ = ["Coverage", "Kind", "Marks", "first_shown", "see_who_shows", "states_showing"]

RaySet = tuple[int, ...]


@dataclass(frozen=True)
class Kind:
    """The states that show exactly these rays: how many, and the cheapest of them (the first in id order)."""

    rays: RaySet
    row: int
    cost: Number
    count: int


@dataclass(frozen=True)
class Coverage:
    """The kinds of states that show at least one ray, in id order of their representatives."""

    num_rays: int
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, eq=False)
class Marks:
    """Which differences show which ray: those with key `keys[i]` show ray `ray[i]`."""

    keys: Integers
    ray: npt.NDArray[np.intp]
    num_rays: int

    @classmethod
    def each(cls, keys: Integers) -> Marks:
        """Every key is a ray of its own."""
        return cls(keys, np.arange(len(keys)), len(keys))


def see_who_shows(problem: TeachingProblem, marks: Marks, *, progress: Progress = silent) -> Coverage:
    """The second reading: group the states by the rays they show."""
    found: dict[RaySet, Kind] = {}
    for shown in shown_directions(problem):
        for kind in _kinds_of(problem, shown, marks):
            old = found.get(kind.rays)
            found[kind.rays] = kind if old is None else _merged(problem, old, kind)
        progress("seeing who shows the rays", shown.stop, problem.num_states)
    kinds = sorted(found.values(), key=lambda kind: problem.rank_of(kind.row))
    return Coverage(marks.num_rays, tuple(kinds))


def _merged(problem: TeachingProblem, old: Kind, new: Kind) -> Kind:
    best = min(old, new, key=lambda kind: (kind.cost, problem.rank_of(kind.row)))
    return Kind(best.rays, best.row, best.cost, old.count + new.count)


def _kinds_of(problem: TeachingProblem, shown: Shown, marks: Marks) -> list[Kind]:
    states, which = _incidences(shown, marks)
    return _kinds(problem, states, which) if states.size else []


def _incidences(shown: Shown, marks: Marks) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """All pairs (row, ray it shows) of a batch, rows increasing."""
    place = same_rows(shown.keys, marks.keys)[shown.which]
    hits = place >= 0
    return shown.rows[hits], marks.ray[place[hits]]


def _kinds(problem: TeachingProblem, states: npt.NDArray[np.intp], which: npt.NDArray[np.intp]) -> list[Kind]:
    """Group the states of one batch by their set of rays."""
    order = np.lexsort((which, states))
    states, which = states[order], which[order]
    fresh = np.concatenate([[True], (np.diff(states) != 0) | (np.diff(which) != 0)])
    states, which = states[fresh], which[fresh]
    owners, starts, sizes = np.unique(states, return_index=True, return_counts=True)
    table = np.full((len(owners), int(sizes.max())), -1, dtype=np.int64)
    column = np.arange(len(states)) - np.repeat(starts, sizes)
    table[np.repeat(np.arange(len(owners)), sizes), column] = which
    sets, kind_of = unique_rows(table)
    by_kind = np.argsort(kind_of, kind="stable")
    members = np.split(owners[by_kind], np.searchsorted(kind_of[by_kind], np.arange(1, len(sets))))
    return [_kind(problem, padded, same) for padded, same in zip(sets, members, strict=True)]


def _kind(problem: TeachingProblem, padded: Integers, members: npt.NDArray[np.intp]) -> Kind:
    rays = tuple(int(r) for r in padded if r >= 0)
    if not problem.has_costs and problem.id_ranks is None:
        return Kind(rays, int(members[0]), 1, len(members))
    best = min(members.tolist(), key=lambda row: (problem.cost_of(row), problem.rank_of(row)))
    return Kind(rays, best, problem.cost_of(best), len(members))


def states_showing(problem: TeachingProblem, keys: Integers) -> Iterator[int]:
    """The rows of all states with a difference on any of these keys, in row order, by reading the problem again."""
    marks = Marks.each(keys)
    for shown in shown_directions(problem):
        yield from np.unique(_incidences(shown, marks)[0]).tolist()


def first_shown(problem: TeachingProblem, keys: Integers) -> list[tuple[int, int]]:
    """For each key the first (row, action) in id order with such a difference."""
    best: dict[int, tuple[int, int]] = {}
    for shown in shown_directions(problem):
        for which, pair in _firsts(problem, shown, keys):
            best[which] = min(best.get(which, pair), pair, key=lambda p: (problem.rank_of(p[0]), p[1]))
    return [best[i] for i in range(len(keys))]


def _firsts(problem: TeachingProblem, shown: Shown, keys: Integers) -> list[tuple[int, tuple[int, int]]]:
    """Within one batch: each wanted key that occurs, with its first (row, action)."""
    place = same_rows(shown.keys, keys)[shown.which]
    hits = np.flatnonzero(place >= 0)
    rows = shown.rows[hits]
    ranks = rows if problem.id_ranks is None else problem.id_ranks[rows]
    hits = hits[np.lexsort((shown.actions[hits], ranks))]
    which, first = np.unique(place[hits], return_index=True)
    return [(int(w), (int(shown.rows[i]), int(shown.actions[i]))) for w, i in zip(which, hits[first], strict=True)]
