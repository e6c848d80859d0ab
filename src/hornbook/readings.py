"""Reading a problem again: where its differences stand among some that are known.

Every step after the first asks this: who shows a ray, who shows it first, who shows it at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers
from hornbook.differences import difference_places, directions_of, is_large, same_rows, stored_keys, thread_count
from hornbook.problem import Batch, TeachingProblem
from hornbook.tables import DirectionTable, RowTable
from hornbook.threads import Crew, in_turn

__all__ = ["Places", "find_again"]


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

    def without(self, rows: npt.NDArray[np.intp]) -> Places:
        """The same as if these rows (sorted) had no differences."""
        first, last = np.searchsorted(rows, [self.start, self.stop]).tolist()
        if first == last:
            return self
        which = self.which.copy()
        which[rows[first:last] - self.start] = -1
        return Places(self.start, which)


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
