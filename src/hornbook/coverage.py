"""Step 4 of 8: rays -> which states show them (the sets V_s of the paper).

States that show the same set of rays are interchangeable up to their cost, so one of each kind is kept: the cheapest,
and among those the first in id order, with a count.  All members are found again by reading the problem on request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import overload

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Number
from hornbook.differences import is_large, unique_rows
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.readings import Places, find_again
from hornbook.tables import grouped_sets

__all__ = [
    "Coverage",
    "Kind",
    "Kinds",
    "Marks",
    "first_shown",
    "see_who_shows",
    "shown_by",
    "states_of_kinds",
    "states_showing",
]

RaySet = tuple[int, ...]
Rows = npt.NDArray[np.intp]

_PENDING = 1 << 16  # kinds of single batches that wait to be merged, at least


@dataclass(frozen=True)
class Kind:
    """The states that show exactly these rays: how many, and the cheapest of them (the first in id order)."""

    rays: RaySet
    row: int
    cost: Number
    count: int


@dataclass(frozen=True, eq=False)
class Kinds(Sequence[Kind]):
    """Kinds in flat arrays: kind i shows `rays[start[i]:start[i+1]]` and is told of by the state in `rows[i]`."""

    start: Rows
    rays: Rows
    rows: Rows
    counts: npt.NDArray[np.int64]
    costs: tuple[Number, ...] | None = None
    """None where all cost 1."""

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kinds) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    @overload
    def __getitem__(self, place: int) -> Kind: ...

    @overload
    def __getitem__(self, place: slice) -> list[Kind]: ...

    def __getitem__(self, place: int | slice) -> Kind | list[Kind]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        place = range(len(self))[place]  # from the end too; an IndexError past it
        row, count = int(self.rows[place]), int(self.counts[place])
        rays = tuple(self.rays[self.start[place] : self.start[place + 1]].tolist())
        return Kind(rays, row, 1 if self.costs is None else self.costs[place], count)


@dataclass(frozen=True)
class Coverage:
    """The kinds of states that show at least one ray, in id order of their representatives."""

    num_rays: int
    kinds: Kinds


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


def see_who_shows(
    problem: TeachingProblem, marks: Marks, *, skipped: Rows | None = None, progress: Progress = silent
) -> Coverage:
    """The second reading: group the states by the rays they show, except the rows `skipped` (sorted).

    Cost: array work; memory follows the number of kinds, which are merged whenever as many new ones have come in.
    """
    order = _preference(problem)
    none = np.zeros(0, dtype=np.intp)
    found = Kinds(np.zeros(1, dtype=np.intp), none, none, none.astype(np.int64))
    pending: list[Kinds] = []
    for every in find_again(problem, marks.keys):
        places = every if skipped is None else every.without(skipped)
        pending.append(_kinds_of(places, marks, order) if is_large(problem) else _states_of(places, marks))
        if sum(map(len, pending)) > max(len(found), _PENDING):
            found, pending = _merged([found, *pending], order), []
        progress("seeing who shows the rays", places.stop, problem.num_states)
    found = _merged([found, *pending], order)
    in_order = np.argsort(found.rows if problem.id_ranks is None else problem.id_ranks[found.rows], kind="stable")
    kinds = _taken(found, in_order)
    costs = tuple(map(problem.cost_of, kinds.rows.tolist())) if problem.has_costs else None
    return Coverage(marks.num_rays, Kinds(kinds.start, kinds.rays, kinds.rows, kinds.counts, costs))


def _preference(problem: TeachingProblem) -> Rows | None:
    """Small numbers by which one state is preferred to another of its kind: by cost, then id; None for the row."""
    if not problem.has_costs:
        return problem.id_ranks
    place = {cost: i for i, cost in enumerate(sorted(set(problem.costs)))}
    by_cost = np.array([place[cost] for cost in problem.costs], dtype=np.intp)
    by_id = np.arange(problem.num_states) if problem.id_ranks is None else problem.id_ranks
    preference = np.empty(problem.num_states, dtype=np.intp)
    preference[np.lexsort((by_id, by_cost))] = np.arange(problem.num_states)
    return preference


def _kinds_of(places: Places, marks: Marks, preference: Rows | None) -> Kinds:
    """The kinds of a large batch, grouped in machine code."""
    start, rays, kind_of = grouped_sets(places.which, marks.ray)
    members = np.flatnonzero(kind_of >= 0)
    if preference is not None:
        members = members[np.argsort(preference[members + places.start], kind="stable")]
    rows = np.empty(len(start) - 1, dtype=np.intp)
    # of several values given to one place the last one stays
    rows[kind_of[members[::-1]]] = members[::-1] + places.start
    return Kinds(start, rays, rows, np.bincount(kind_of[members], minlength=len(rows)))


def _states_of(places: Places, marks: Marks) -> Kinds:
    """Each state of a batch that shows a ray as a kind of its own."""
    states, _, place = places.hits
    which = marks.ray[place]
    order = np.lexsort((which, states))
    states, which = states[order], which[order]
    fresh = np.ones(len(states), dtype=np.bool_)
    fresh[1:] = (np.diff(states) != 0) | (np.diff(which) != 0)
    states, which = states[fresh], which[fresh]
    rows, first = np.unique(states, return_index=True)
    return Kinds(np.append(first, len(states)), which, rows, np.ones(len(rows), dtype=np.int64))


def _merged(parts: Sequence[Kinds], preference: Rows | None) -> Kinds:
    """One kind for each set of rays: counts add up, the preferred state tells of it."""
    sizes = np.concatenate([np.diff(part.start) for part in parts])
    every = Kinds(
        start=np.concatenate([[0], np.cumsum(sizes)]),
        rays=np.concatenate([part.rays for part in parts]),
        rows=np.concatenate([part.rows for part in parts]),
        counts=np.concatenate([part.counts for part in parts]),
    )
    rank = every.rows if preference is None else preference[every.rows]
    best: list[Rows] = []
    counts: list[npt.NDArray[np.int64]] = []
    for size in np.unique(sizes).tolist():
        members = np.flatnonzero(sizes == size)
        sets, kind = unique_rows(every.rays[every.start[members][:, None] + np.arange(size)])
        order = np.lexsort((rank[members], kind))
        best.append(members[order[np.searchsorted(kind[order], np.arange(len(sets)))]])
        counts.append(np.bincount(kind, weights=every.counts[members]).astype(np.int64))
    if not best:
        return every
    kinds = _taken(every, np.concatenate(best))
    return Kinds(kinds.start, kinds.rays, kinds.rows, np.concatenate(counts))


def _taken(kinds: Kinds, which: Rows) -> Kinds:
    """These kinds, in this order."""
    sizes = np.diff(kinds.start)[which]
    start = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(start[-1]) + np.repeat(kinds.start[which] - start[:-1], sizes)
    return Kinds(start, kinds.rays[places], kinds.rows[which], kinds.counts[which])


def states_of_kinds(problem: TeachingProblem, marks: Marks, *, sets: Sequence[RaySet]) -> list[Rows]:
    """For each of these sets of rays the rows of all states that show exactly these, by reading the problem again."""
    place = {rays: i for i, rays in enumerate(sets)}
    found: list[list[Rows]] = [[] for _ in sets]
    for places in find_again(problem, marks.keys):
        start, rays, kind_of = _grouped(problem, places, marks)
        which = [place.get(tuple(rays[low:high].tolist()), -1) for low, high in pairwise(start.tolist())]
        mine = np.array([*which, -1], dtype=np.intp)[kind_of]  # states that show nothing have the kind -1, the last
        for i in np.unique(mine[mine >= 0]).tolist():
            found[i].append(np.flatnonzero(mine == i) + places.start)
    return [np.concatenate([np.zeros(0, dtype=np.intp), *rows]) for rows in found]


def _grouped(problem: TeachingProblem, places: Places, marks: Marks) -> tuple[Rows, Rows, Rows]:
    """Some sets of rays, and for each state of a batch which of them it shows (-1: none)."""
    if is_large(problem):
        return grouped_sets(places.which, marks.ray)
    alone = _states_of(places, marks)
    kind_of = np.full(len(places.which), -1, dtype=np.intp)
    kind_of[alone.rows - places.start] = np.arange(len(alone))
    return alone.start, alone.rays, kind_of


def shown_by(problem: TeachingProblem, marks: Marks, *, owners: Rows, rows: Rows) -> tuple[Rows, Rows]:
    """What groups of states show together: state `rows[i]` (increasing) is a member of group `owners[i]`.

    Groups are numbered from 0, have members, and may share some.  Group g shows `rays[start[g]:start[g+1]]`; returns
    `start` and `rays`.  One more reading; memory follows what the groups show.
    """
    pairs = [np.zeros(0, dtype=np.intp)]
    for places in find_again(problem, marks.keys):
        states, _, place = places.hits
        first, last = np.searchsorted(rows, states), np.searchsorted(rows, states, side="right")
        length = last - first
        ends = np.cumsum(length)
        member = np.arange(int(length.sum())) + np.repeat(first - ends + length, length)
        pairs.append(np.unique(owners[member] * marks.num_rays + np.repeat(marks.ray[place], length)))
    groups, rays = np.divmod(np.unique(np.concatenate(pairs)), max(1, marks.num_rays))
    sizes = np.bincount(groups, minlength=int(owners.max(initial=-1)) + 1)
    return np.concatenate([[0], np.cumsum(sizes)]), rays


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
