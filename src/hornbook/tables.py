"""Tables of distinct rows that grow as a stream goes by: memory follows what is distinct, time what is read.

They are for large problems: `worth_compiling` says when; below that, sorting with numpy is faster than importing numba.
"""

from __future__ import annotations

from copy import copy
from itertools import pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from hornbook.compiling import compiled, is_compiling
from hornbook.hashing import add_rows, directions_in, find_rows, fresh_slots, group_sets

__all__ = ["DirectionTable", "RowTable", "grouped_sets", "worth_compiling"]

Whole = npt.NDArray[np.int64]
_MANY = 1 << 20  # numbers to look at, from which on compiled kernels win back the time it takes to load them
_SEEN = 1 << 12  # differences remembered as they are


def worth_compiling(count: int) -> bool:
    """Whether so many numbers are worth a compiled kernel, and there is a compiler."""
    return count >= _MANY and is_compiling()


class RowTable:
    """Distinct rows of int64 in the order in which they came, and how often each was met."""

    def __init__(self, width: int, *, capacity: int = 1 << 10) -> None:
        self._rows = np.zeros((capacity, width), dtype=np.int64)
        self._counts = np.zeros(capacity, dtype=np.int64)
        self._slots = fresh_slots(capacity)
        self._used = 0

    @classmethod
    def of(cls, rows: Whole) -> Self:
        """A table that holds some distinct rows, row i at place i."""
        table = cls(rows.shape[1], capacity=max(1, len(rows)))
        table.add(rows)
        table._counts[:] = 0
        return table

    def __len__(self) -> int:
        return self._used

    @property
    def rows(self) -> Whole:
        return self._rows[: self._used]

    @property
    def counts(self) -> Whole:
        return self._counts[: self._used]

    def add(self, rows: Whole) -> npt.NDArray[np.intp]:
        """The places of some rows, new ones at the end."""
        self._make_room(len(rows))
        which = np.empty(len(rows), dtype=np.int64)
        self._used = compiled(add_rows)(rows, self._rows, slots=self._slots, used=self._used, which=which)
        self._counts += np.bincount(which, minlength=len(self._counts))
        return which

    def find(self, rows: Whole) -> npt.NDArray[np.intp]:
        """The places of some rows, -1 for what is not here."""
        which = np.empty(len(rows), dtype=np.int64)
        compiled(find_rows)(rows, self._rows, slots=self._slots, which=which)
        return which

    def _make_room(self, count: int) -> None:
        needed = self._used + count
        if needed <= len(self._rows):
            return
        capacity = max(needed, 2 * len(self._rows))
        old = self.rows
        self._rows = np.zeros((capacity, old.shape[1]), dtype=np.int64)
        self._counts = np.concatenate([self._counts, np.zeros(capacity - len(self._counts), dtype=np.int64)])
        self._slots = fresh_slots(capacity)
        which = np.empty(len(old), dtype=np.int64)
        compiled(add_rows)(old, self._rows, slots=self._slots, used=0, which=which)


class DirectionTable(RowTable):
    """The directions of the differences of states, met batch by batch."""

    def __init__(self, width: int, *, capacity: int = 1 << 10) -> None:
        super().__init__(width, capacity=capacity)
        self._seen = np.zeros((_SEEN, width), dtype=np.int64)
        self._place_of = np.full(_SEEN, -2, dtype=np.int64)

    def twin(self) -> DirectionTable:
        """The same table for another thread that only looks up."""
        twin = copy(self)
        twin._counts = np.zeros_like(self._counts)
        twin._seen, twin._place_of = np.zeros_like(self._seen), np.full_like(self._place_of, -2)
        return twin

    def places(
        self,
        features: Whole,
        target: npt.NDArray[np.intp],
        *,
        available: npt.NDArray[np.bool_],
        adding: bool,
    ) -> Whole:
        """For each state and action the place of the direction of their difference, -1 for none.

        New directions come to the end if `adding`, else they are none.  Features are below 2^61, so that nothing wraps.
        """
        which = np.empty(features.shape[:2], dtype=np.int64)
        first = 0
        while first < len(features):
            first, self._used = compiled(directions_in)(
                features,
                available,
                target=target,
                rows=self._rows,
                slots=self._slots,
                seen=self._seen,
                place_of=self._place_of,
                counts=self._counts,
                which=which,
                first=first,
                used=self._used,
                adding=adding,
            )
            if first < len(features):
                self._make_room(features.shape[1])
        return which


def grouped_sets(which: Whole, ray_of: Whole) -> tuple[list[tuple[int, ...]], Whole]:
    """The distinct sets of rays at the places of each state, and for each state which set is its own (-1: empty)."""
    states, actions = which.shape
    kind_of = np.empty(states, dtype=np.int64)
    starts, items = np.zeros(states + 1, dtype=np.int64), np.empty(states * actions, dtype=np.int64)
    count = compiled(group_sets)(which, ray_of, kind_of=kind_of, starts=starts, items=items, slots=fresh_slots(states))
    bounds, members = starts[: count + 1].tolist(), items[: starts[count]].tolist()
    return [tuple(members[a:b]) for a, b in pairwise(bounds)], kind_of
