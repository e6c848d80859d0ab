"""Tables in long form, one row per state and action: from columns to a problem, whatever file they came from.

Columns `state`, `action` and `target`, optionally `available` and `cost`, and a column for each feature.  The rows of a
state stand together.  docs/formats.md says what each cell may be.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Number
from hornbook.errors import BadProblem
from hornbook.problem import TeachingProblem

__all__ = ["OPTIONAL_COLUMNS", "REQUIRED_COLUMNS", "Layout", "LongForm", "LongRow", "layout", "long_rows"]

REQUIRED_COLUMNS = ("state", "action", "target")
OPTIONAL_COLUMNS = ("available", "cost")
_FLAGS, _IDS = "flags", "ids"


@dataclass(frozen=True)
class Layout:
    """Where the columns stand: `special` by name, features by place with their names."""

    special: dict[str, int]
    features: list[int]
    feature_names: list[str]


def layout(header: Sequence[str]) -> Layout:
    """The first column of each special name is special; every other one, even of the same name, is a feature."""
    special = {name: header.index(name) for name in REQUIRED_COLUMNS + OPTIONAL_COLUMNS if name in header}
    missing = [name for name in REQUIRED_COLUMNS if name not in special]
    if missing:
        raise BadProblem(
            f"there is no column {missing[0]!r}; a table in long form has the columns "
            f"{', '.join(REQUIRED_COLUMNS)} and one for each feature (and {' and '.join(OPTIONAL_COLUMNS)} if wanted)"
        )
    features = [place for place in range(len(header)) if place not in special.values()]
    if not features:
        raise BadProblem("there is no feature: every column beside state, action and target is one")
    return Layout(special, features, [header[place] for place in features])


@dataclass(frozen=True, eq=False)
class LongForm:
    """The columns of a table in long form; `first` is the number by which people call its first row."""

    states: Sequence[str]
    actions: Sequence[str]
    targets: Sequence[str]
    features: npt.NDArray[Any]  # [rows, d]: int64, float64, or Python numbers
    feature_names: Sequence[str]
    available: npt.NDArray[np.bool_] | None = None
    costs: Sequence[Number] | None = None
    first: int = 0

    def problem(self, *, exact: bool) -> TeachingProblem:
        """The problem that these rows tell; `BadProblem` names the row and the state."""
        there = np.ones(len(self.states), dtype=np.bool_) if self.available is None else self.available
        plain = list(self.feature_names) == _numbers(len(self.feature_names))
        return TeachingProblem(
            state_names=self._ids(),
            action_names=self._action_names(),
            features=self._spread(self.features),
            target=self._places_of_targets(),
            available=self._spread(there),
            cost=self._state_costs(),
            feature_names=None if plain else self.feature_names,
            exact=exact,
        )

    @cached_property
    def _starts(self) -> npt.NDArray[np.intp]:
        """The rows at which a state begins."""
        if not self.states:
            return np.zeros(0, dtype=np.intp)
        differs = map(operator.ne, islice(self.states, 1, None), self.states)
        changes = np.fromiter(differs, dtype=np.bool_, count=len(self.states) - 1)
        return np.concatenate([[0], np.flatnonzero(changes) + 1]).astype(np.intp)

    @cached_property
    def _sizes(self) -> npt.NDArray[np.intp]:
        return np.diff(np.append(self._starts, len(self.states)))

    @cached_property
    def _owner(self) -> npt.NDArray[np.intp]:
        """For each row the number of its state."""
        return np.repeat(np.arange(len(self._starts)), self._sizes)

    @cached_property
    def _place(self) -> npt.NDArray[np.intp]:
        """For each row its place among the rows of its state."""
        return np.arange(len(self.states)) - np.repeat(self._starts, self._sizes)

    def _spread(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Rows as [states, actions, ...], zero where a state has fewer actions than others."""
        width = int(self._sizes.max(initial=1))
        shape = (len(self._starts), width, *column.shape[1:])
        if len(column) == len(self._starts) * width:
            return column.reshape(shape)
        table: npt.NDArray[Any] = np.zeros(shape, dtype=column.dtype)
        table[self._owner, self._place] = column
        return table

    def _ids(self) -> list[str] | None:
        """The states in order of appearance; None if they are numbered."""
        ids = [self.states[start] for start in self._starts.tolist()]
        if len(set(ids)) < len(ids):
            _, first = np.unique(np.array(ids, dtype=object), return_index=True)
            again = int(np.setdiff1d(np.arange(len(ids)), first)[0])
            row = int(self._starts[again]) + self.first
            raise BadProblem(f"row {row}: the rows of state {ids[again][:60]!r} do not stand together")
        return None if ids == _numbers(len(ids)) else ids

    @cached_property
    def _numbered(self) -> dict[str, int]:
        """The actions by name, in order of first appearance."""
        return {action: i for i, action in enumerate(dict.fromkeys(self.actions))}

    def _codes(self, texts: Sequence[str]) -> npt.NDArray[np.intp]:
        """Each text as the number of the action that it names, or -1."""
        numbers = self._numbered
        return np.fromiter((numbers.get(text, -1) for text in texts), dtype=np.intp, count=len(texts))

    def _action_names(self) -> list[str] | list[list[str]] | None:
        """One list if every state has the same actions in the same order, else one per state."""
        codes, width = self._codes(self.actions), int(self._sizes.max(initial=1))
        self._check_actions(codes)
        if not self.states:
            return None
        even = len(codes) == len(self._starts) * width
        if even and bool(np.all(codes.reshape(-1, width) == codes[:width])):
            shared = list(self.actions[:width])
            return None if shared == _numbers(width) else shared
        ends = (self._starts + self._sizes).tolist()
        self._check_last(ends)
        return [list(self.actions[start:end]) for start, end in zip(self._starts.tolist(), ends, strict=True)]

    def _check_actions(self, codes: npt.NDArray[np.intp]) -> None:
        pairs = self._owner * max(1, len(self._numbered)) + codes
        _, first = np.unique(pairs, return_index=True)
        if len(first) < len(pairs):
            row = int(np.setdiff1d(np.arange(len(pairs)), first)[0])
            raise BadProblem(f"{self._at(row)} has the action {self.actions[row][:60]!r} twice")

    def _check_last(self, ends: Sequence[int]) -> None:
        """States with actions of their own end with one that is available."""
        idle = [end for end in ends if self.available is not None and not self.available[end - 1]]
        if idle:
            raise BadProblem(f"{self._at(idle[0] - 1)} ends with an action that is not available; leave it out")

    def _at(self, row: int) -> str:
        return f"row {row + self.first}: state {self.states[row][:60]!r}"

    def _places_of_targets(self) -> npt.NDArray[np.intp]:
        """For each state the place of its target among its rows: flagged there, or named in every row."""
        flags = np.fromiter(map("1".__eq__, self.targets), dtype=np.bool_, count=len(self.targets))
        flagged, ones = all(map(("0", "1").__contains__, self.targets)), self._count(flags)
        if flagged and bool(np.all(ones == 1)):
            return np.asarray(self._place[flags])
        first, named = self._starts[self._owner], self._codes(self.targets)
        uneven = named != named[first]
        own = named == self._codes(self.actions)
        meant = flagged and bool(np.any(flags != flags[first]))
        wrong = np.flatnonzero(ones != 1 if meant else (self._count(own) != 1) | (self._count(uneven) > 0))
        if wrong.size:
            raise self._bad_target(int(self._starts[wrong[0]]), int(self._sizes[wrong[0]]))
        return np.asarray(self._place[own])

    def _count(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """How many of these rows each state has."""
        counts: npt.NDArray[np.intp] = np.bincount(self._owner[rows], minlength=len(self._starts))
        return counts

    def _bad_target(self, row: int, count: int) -> BadProblem:
        cells = ", ".join(repr(cell[:20]) for cell in self.targets[row : row + min(3, count)])
        return BadProblem(
            f"{self._at(row)} has the targets {cells}; write 1 in the row of the target action and 0 in the others, "
            "or the id of the target action in all of them (the same way for all states)"
        )

    def _state_costs(self) -> list[Number] | None:
        """One cost per state, which all of its rows repeat."""
        if self.costs is None:
            return None
        for row, start in enumerate(self._starts[self._owner].tolist()):
            if self.costs[row] != self.costs[start]:
                raise BadProblem(f"{self._at(row)} costs {self.costs[row]} here and {self.costs[start]} before")
        return [self.costs[start] for start in self._starts.tolist()]


def _numbers(count: int) -> list[str]:
    return [str(i) for i in range(count)]


@dataclass(frozen=True)
class LongRow:
    """One row to write: features are empty where the action is not available."""

    state: str
    action: str
    target: bool
    available: bool
    cost: Number
    features: tuple[Any, ...]


def long_rows(problem: TeachingProblem) -> Iterator[LongRow]:
    """Every (state, action) in the order of rows."""
    for batch in problem.batches():
        vectors, available = batch.features.tolist(), batch.available.tolist()
        for i, target in enumerate(batch.target.tolist()):
            row = batch.start + i
            state, cost = problem.state_id(row), problem.cost_of(row)
            for action in range(problem.num_actions_of(row)):
                there = available[i][action]
                features = tuple(vectors[i][action]) if there else ()
                yield LongRow(state, problem.action_id(row, action), action == target, there, cost, features)
