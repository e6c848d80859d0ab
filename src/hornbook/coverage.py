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
from hornbook.differences import is_large, unique_rows
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.readings import Places, find_again
from hornbook.tables import grouped_sets

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
    for places in find_again(problem, marks.keys):
        for rays, members in _groups(places, marks, compiled=is_large(problem)):
            kind, old = _kind(problem, rays, members), found.get(rays)
            found[rays] = kind if old is None else _merged(problem, old, kind)
        progress("seeing who shows the rays", places.stop, problem.num_states)
    kinds = sorted(found.values(), key=lambda kind: problem.rank_of(kind.row))
    return Coverage(marks.num_rays, tuple(kinds))


def _merged(problem: TeachingProblem, old: Kind, new: Kind) -> Kind:
    best = min(old, new, key=lambda kind: (kind.cost, problem.rank_of(kind.row)))
    return Kind(best.rays, best.row, best.cost, old.count + new.count)


def _groups(places: Places, marks: Marks, *, compiled: bool) -> Iterator[tuple[RaySet, npt.NDArray[np.intp]]]:
    """The states of one batch by the set of rays they show: each set that is not empty, and its rows, increasing."""
    if compiled:
        sets, kind_of = grouped_sets(places.which, marks.ray)
    else:
        sets, kind_of = _grouped(places, marks)
    by_kind = np.argsort(kind_of, kind="stable")
    members = np.split(by_kind + places.start, np.searchsorted(kind_of[by_kind], np.arange(len(sets))))[1:]
    return zip(sets, members, strict=True)


def _grouped(places: Places, marks: Marks) -> tuple[list[RaySet], npt.NDArray[np.intp]]:
    """The distinct sets, and the place of each state's own among them (-1: it shows nothing)."""
    kind_of = np.full(len(places.which), -1, dtype=np.intp)
    states, _, place = places.hits
    if states.size == 0:
        return [], kind_of
    pairs, _ = unique_rows(np.stack([states, marks.ray[place]], axis=1))
    owners, starts, sizes = np.unique(pairs[:, 0], return_index=True, return_counts=True)
    table = np.full((len(owners), int(sizes.max())), -1, dtype=np.int64)
    column = np.arange(len(pairs)) - np.repeat(starts, sizes)
    table[np.repeat(np.arange(len(owners)), sizes), column] = pairs[:, 1]
    sets, kind_of[owners - places.start] = unique_rows(table)
    return [tuple(ray for ray in row if ray >= 0) for row in sets.tolist()], kind_of


def _kind(problem: TeachingProblem, rays: RaySet, members: npt.NDArray[np.intp]) -> Kind:
    if not problem.has_costs and problem.id_ranks is None:
        return Kind(rays, int(members[0]), 1, len(members))
    best = min(members.tolist(), key=lambda row: (problem.cost_of(row), problem.rank_of(row)))
    return Kind(rays, best, problem.cost_of(best), len(members))


def states_showing(problem: TeachingProblem, keys: Integers) -> Iterator[int]:
    """The rows of all states with a difference on any of these keys, in row order, by reading the problem again."""
    for places in find_again(problem, keys):
        yield from (np.flatnonzero((places.which >= 0).any(axis=1)) + places.start).tolist()


def first_shown(problem: TeachingProblem, keys: Integers) -> list[tuple[int, int]]:
    """For each key the first (row, action) in id order with such a difference; every key has one."""
    best: dict[int, tuple[int, int]] = {}
    for places in find_again(problem, keys):
        for which, pair in _firsts(problem, places):
            best[which] = min(best.get(which, pair), pair, key=lambda p: (problem.rank_of(p[0]), p[1]))
        if problem.id_ranks is None and len(best) == len(keys):
            break  # rows stand in id order: nothing earlier can come
    return [best[i] for i in range(len(keys))]


def _firsts(problem: TeachingProblem, places: Places) -> Iterator[tuple[int, tuple[int, int]]]:
    """Within one batch: each key that occurs, with its first (row, action)."""
    rows, actions, which = places.hits
    if problem.id_ranks is not None:
        order = np.lexsort((actions, problem.id_ranks[rows]))
        rows, actions, which = rows[order], actions[order], which[order]
    first = np.full(int(which.max(initial=-1)) + 1, -1, dtype=np.intp)
    first[which[::-1]] = np.arange(len(which))[::-1]  # of several values given to one place the last one stays
    found = np.flatnonzero(first >= 0)
    pairs = zip(rows[first[found]].tolist(), actions[first[found]].tolist(), strict=True)
    return zip(found.tolist(), pairs, strict=True)
