"""Which states contradict which: states that show the same directions are one kind, left out together or not at all.

A conflict hit in one member of a kind is whole again with another member in its place, so a smallest set of states to
leave out takes all of a kind or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Vectors, from_keys, measured_integers, primitive
from hornbook.differences import same_rows, shown_directions, unique_rows
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress
from hornbook.rays import spanning_columns

__all__ = ["Kinds", "kinds_of", "primitive_rows"]


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds of states: `rows[k]` are their rows in id order, `shown[k]` the places of the directions they show."""

    rows: list[list[int]]
    shown: list[tuple[int, ...]]
    directions: Vectors

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def vectors(self) -> Vectors:
        """The directions without dependent columns."""
        return self.directions.columns(spanning_columns(self.directions))

    @cached_property
    def showing(self) -> list[list[int]]:
        """For each direction the kinds that show it."""
        found: list[list[int]] = [[] for _ in range(len(self.directions))]
        for kind, shown in enumerate(self.shown):
            for direction in shown:
                found[direction].append(kind)
        return found

    @cached_property
    def opposites(self) -> list[tuple[int, int]]:
        """Pairs of directions that are each other's negative."""
        exact = self.directions.exact
        place = same_rows(-exact, exact) if len(exact) else np.zeros(0, dtype=np.intp)
        return [(i, j) for i, j in enumerate(place.tolist()) if i < j]

    def members(self, kinds: Iterable[int]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """All pairs (direction, kind) of some kinds."""
        pairs = [(direction, kind) for kind in kinds for direction in self.shown[kind]]
        table = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    def count(self, kinds: Iterable[int]) -> int:
        """How many states these kinds are."""
        return sum(len(self.rows[kind]) for kind in kinds)

    def counts(self, kinds: Sequence[int]) -> list[int]:
        return [len(self.rows[kind]) for kind in kinds]


def kinds_of(problem: TeachingProblem, *, progress: Progress) -> Kinds:
    """Read the problem once.  Memory: every difference as one number, and every distinct direction."""
    tables: list[Integers] = []
    owners: list[npt.NDArray[np.intp]] = []
    for shown in shown_directions(problem):
        tables.append(shown.keys[shown.which])
        owners.append(shown.rows)
        progress("seeing who shows what", shown.stop, problem.num_states)
    full = [table for table in tables if len(table)]
    if not full:
        return Kinds([], [], Vectors.of([], problem.num_features))
    keys, first = unique_rows(np.concatenate(full))
    directions, second = unique_rows(primitive_rows(problem, keys))
    rows, shown_by = _grouped(problem, np.concatenate(owners), second[first])
    return Kinds(rows, shown_by, Vectors(directions))


def primitive_rows(problem: TeachingProblem, keys: Integers) -> Integers:
    """For each key its primitive direction, floats taken as the numbers they are (in scaled columns)."""
    if not problem.is_float:
        return keys
    rows = from_keys(keys)
    place = same_rows(keys, rows.keys())
    return primitive(measured_integers(rows)[place, :-1])


def _grouped(
    problem: TeachingProblem, owners: npt.NDArray[np.intp], which: npt.NDArray[np.intp]
) -> tuple[list[list[int]], list[tuple[int, ...]]]:
    """The rows of each kind in id order, kinds in the order of their first rows."""
    order = np.lexsort((which, owners))
    states, starts = np.unique(owners[order], return_index=True)
    found: dict[tuple[int, ...], list[int]] = {}
    for row, part in zip(states.tolist(), np.split(which[order], starts[1:]), strict=True):
        found.setdefault(tuple(np.unique(part).tolist()), []).append(row)
    kinds = [(sorted(rows, key=problem.rank_of), shown) for shown, rows in found.items()]
    kinds.sort(key=lambda kind: problem.rank_of(kind[0][0]))
    return [rows for rows, _ in kinds], [shown for _, shown in kinds]
