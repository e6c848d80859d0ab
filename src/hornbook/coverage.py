"""Step 4 of 8: rays -> which states show them (the sets V_s of the paper).

States that show the same set of rays are interchangeable up to their cost, so one of each kind is kept: the cheapest,
and among those the first in id order, with a count.  All members are found again by reading the problem on request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import chain
from typing import overload

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Number
from hornbook.differences import (
    difference_places,
    directions_of,
    is_large,
    same_rows,
    stored_keys,
    thread_count,
    unique_rows,
)
from hornbook.problem import Batch, TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.tables import DirectionTable, RowTable, grouped_sets
from hornbook.threads import Crew, in_turn

__all__ = ["Coverage", "Kind", "Kinds", "Marks", "first_shown", "see_who_shows", "states_showing"]

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

    @overload
    def __getitem__(self, place: int) -> Kind: ...

    @overload
    def __getitem__(self, place: slice) -> list[Kind]: ...

    def __getitem__(self, place: int | slice) -> Kind | list[Kind]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        row, count = int(self.rows[place]), int(self.counts[place])  # an IndexError past the end
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


def see_who_shows(problem: TeachingProblem, marks: Marks, *, progress: Progress = silent) -> Coverage:
    """The second reading: group the states by the rays they show.

    Cost: array work; memory follows the number of kinds, which are merged whenever as many new ones have come in.
    """
    order = _preference(problem)
    none = np.zeros(0, dtype=np.intp)
    found = Kinds(np.zeros(1, dtype=np.intp), none, none, none.astype(np.int64))
    pending: list[Kinds] = []
    for places in find_again(problem, marks.keys):
        pending.append(_kinds_of(places, marks, order, compiled=is_large(problem)))
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


@dataclass(frozen=True, eq=False)
class Places:
    """For the states of a batch: `which[s, a]` is the place of the difference over action a among some keys, or -1."""

    start: int
    which: npt.NDArray[np.intp]

    @property
    def stop(self) -> int:
        return self.start + len(self.which)

    @property
    def hits(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Row, action and place of every difference that is on a key, in this order."""
        flat = np.flatnonzero(self.which >= 0)
        states, actions = np.divmod(flat, max(1, self.which.shape[1]))
        return states + self.start, actions, self.which.reshape(-1)[flat]


def find_again(problem: TeachingProblem, keys: Integers) -> Iterator[Places]:
    """Another reading: where the differences of all states stand among some distinct keys."""
    finders = Crew(_Finder(problem, keys).copy)
    yield from in_turn(finders.each(_Finder.places), problem.batches(), threads=thread_count(problem))


class _Finder:
    """Looks up differences among keys, in a table if there are many differences to look up."""

    def __init__(self, problem: TeachingProblem, keys: Integers) -> None:
        self._problem, self._keys = problem, keys
        kind = RowTable if problem.is_float else DirectionTable
        small = not is_large(problem) or keys.dtype != np.int64 or len(keys) == 0
        self._table = None if small else kind.of(keys)

    def copy(self) -> _Finder:
        """One to be used at the same time: tables are shared, what they remember is not."""
        twin = copy(self)
        if isinstance(self._table, DirectionTable):
            twin._table = self._table.twin()
        return twin

    def places(self, batch: Batch) -> Places:
        table = self._table
        if isinstance(table, DirectionTable) and batch.features.dtype == np.int64:
            found = table.places(batch.features, batch.target, available=batch.available, adding=False)
            return Places(batch.start, found)
        which = np.full(batch.available.shape, -1, dtype=np.intp)
        states, actions = difference_places(batch)
        if isinstance(table, RowTable) and self._problem.is_float:
            which[states, actions] = table.find(stored_keys(self._problem, batch))
        else:
            shown = directions_of(self._problem, batch)
            which[states, actions] = same_rows(shown.keys, self._keys)[shown.which]
        return Places(batch.start, which)


def _kinds_of(places: Places, marks: Marks, preference: Rows | None, *, compiled: bool) -> Kinds:
    """The kinds of one batch."""
    sets, kind_of = grouped_sets(places.which, marks.ray) if compiled else _grouped(places, marks)
    rows = np.flatnonzero(kind_of >= 0) + places.start
    if preference is not None:
        rows = rows[np.argsort(preference[rows], kind="stable")]
    kind = kind_of[rows - places.start]
    best = np.empty(len(sets), dtype=np.intp)
    best[kind[::-1]] = rows[::-1]  # of several values given to one place the last one stays
    start = np.concatenate([[0], np.cumsum([len(rays) for rays in sets], dtype=np.intp)])
    rays = np.fromiter(chain.from_iterable(sets), dtype=np.intp, count=int(start[-1]))
    return Kinds(start, rays, best, np.bincount(kind, minlength=len(sets)))


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
