"""Step 1 of 8: the teaching problem `(S, A, phi, pi)`: states, available actions, features and one target action each.

States come from a `Source` in batches, so a problem need not fit in memory; `TeachingProblem` gives them names, costs
and an identity.  Everything here is exact: features are integers or fractions, checked when the problem is made.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Number, exact_number
from hornbook.errors import BadProblem
from hornbook.sources import ArraySource, Batch, KeslerSource, Source, padded

__all__ = ["Batch", "Names", "Row", "Source", "TeachingProblem", "id_order", "row_line"]

Row = tuple[str, str, bool, bool, Number, tuple[Number, ...]]
"""What a checker reads: state id, action id, available, target, cost of the state, features (none if unavailable)."""

_BATCH_NUMBERS = 1 << 22  # how many feature values one batch holds: 32 MB as int64
_DECIMAL = re.compile(r"[0-9]+")


class Names(Protocol):
    """State ids that need not exist all at once.  `ordered` says that rows already stand in id order."""

    @property
    def ordered(self) -> bool: ...
    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> str: ...
    def index(self, name: str) -> int: ...


@dataclass(frozen=True)
class RowNumbers:
    """The ids of states without names: "0", "1", ..."""

    count: int
    ordered: bool = True

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, row: int) -> str:
        return str(row)

    def index(self, name: str) -> int:
        row = int(name) if _DECIMAL.fullmatch(name) and len(name) < 20 else -1
        if not 0 <= row < self.count or str(row) != name:
            raise ValueError(name)
        return row


class NameList:
    """Ids that the user gave, as a list."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._rows = {name: row for row, name in enumerate(names)}
        self.ordered = id_order(names) == list(range(len(names)))

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, row: int) -> str:
        return self._names[row]

    def index(self, name: str) -> int:
        if name not in self._rows:
            raise ValueError(name)
        return self._rows[name]


def id_order(ids: Sequence[str]) -> list[int]:
    """Positions in id order: by number when all ids are decimal numbers, else by code point.

    >>> id_order(["10", "9", "1"]), id_order(["b10", "b9"])
    ([2, 1, 0], [0, 1])
    """
    if all(_DECIMAL.fullmatch(name) for name in ids):
        return sorted(range(len(ids)), key=lambda i: (int(ids[i]), ids[i]))
    return sorted(range(len(ids)), key=lambda i: ids[i])


class TeachingProblem:
    """A policy to teach: features `phi(s, a)`, the available actions and the target action of every state.

    `features` is an array `[states, actions, d]` of integers, Fractions, number texts or integral floats; `target`
    the index of each state's target action; `available` says which actions exist where (all by default).  Stored
    floats that are not integers need `exact=True`, which takes them as the binary fractions they are.

    >>> problem = TeachingProblem(features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]]], target=[0, 0])
    >>> problem.num_states, problem.num_features, problem.state_id(1)
    (2, 2, '1')
    """

    def __init__(
        self,
        *,
        features: npt.ArrayLike,
        target: npt.ArrayLike,
        available: npt.ArrayLike | None = None,
        cost: Sequence[object] | npt.NDArray[Any] | None = None,
        state_names: Sequence[str] | None = None,
        action_names: Sequence[str] | Sequence[Sequence[str]] | None = None,
        feature_names: Sequence[str] | None = None,
        exact: bool = False,
    ) -> None:
        source = ArraySource.of(features, target, available=available, exact=exact)
        self._set(source, _Labels(cost, state_names, action_names, feature_names))

    def _set(self, source: Source, labels: _Labels, identity: str | None = None, name: str | None = None) -> None:
        self.source = source
        self.num_states, self.num_actions = source.num_states, source.num_actions
        self.num_features, self.arithmetic = source.num_features, source.arithmetic
        self.identity, self.name = identity, name
        self.names = _state_names(labels.states, source.num_states)
        self.action_names = _action_names(labels.actions, source)
        self.feature_names = _checked_list("feature", labels.features, source.num_features)
        self._costs = _costs(labels.cost, self.names)

    @classmethod
    def from_source(
        cls,
        source: Source,
        *,
        identity: str | None = None,
        name: str | None = None,
        cost: Sequence[object] | None = None,
        state_names: Names | Sequence[str] | None = None,
        action_names: Sequence[str] | Sequence[Sequence[str]] | None = None,
        feature_names: Sequence[str] | None = None,
    ) -> TeachingProblem:
        """A problem whose states are read in batches; `identity` and `name` are for built-in environments: what the
        hash is taken of, and how the command line spells it."""
        problem = cls.__new__(cls)
        problem._set(source, _Labels(cost, state_names, action_names, feature_names), identity, name)
        return problem

    @classmethod
    def from_ragged(
        cls,
        features: Sequence[Sequence[Sequence[object]]],
        target: Sequence[int],
        *,
        cost: Sequence[object] | None = None,
        state_names: Sequence[str] | None = None,
        action_names: Sequence[str] | Sequence[Sequence[str]] | None = None,
        feature_names: Sequence[str] | None = None,
        exact: bool = False,
    ) -> TeachingProblem:
        """States with different numbers of actions: `features[s][a]` is a vector.

        >>> TeachingProblem.from_ragged([[[1], [0]], [[2], [1], [0]]], [0, 0]).num_actions
        3
        """
        table, available = padded(features)
        source = ArraySource.of(table, np.asarray(target), available=available, exact=exact)
        return cls.from_source(
            source, cost=cost, state_names=state_names, action_names=action_names, feature_names=feature_names
        )

    @classmethod
    def from_classification(
        cls,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        *,
        cost: Sequence[object] | None = None,
        state_names: Sequence[str] | None = None,
        exact: bool = False,
    ) -> TeachingProblem:
        """Teach a linear classifier: rows of `X` are states, the classes in `y` are actions (Kesler's construction).

        `phi(x, a)` is `[x, 1]` in the block of class `a` and zero elsewhere; it is made batch by batch, never whole.

        >>> problem = TeachingProblem.from_classification([[0], [1], [5]], ["low", "low", "high"])
        >>> problem.num_features, problem.action_id(0, 0)
        (4, 'high')
        """
        source = KeslerSource.of(X, y, exact=exact)
        names = [str(c) for c in source.classes.tolist()]
        return cls.from_source(source, cost=cost, state_names=state_names, action_names=names)

    def batches(self, size: int | None = None) -> Iterator[Batch]:
        """All states in row order, `size` at a time (by default, as many as fit in a few tens of megabytes)."""
        step = size or max(1, _BATCH_NUMBERS // max(1, self.num_actions * self.num_features))
        for start in range(0, self.num_states, step):
            yield self.source.read(start, min(start + step, self.num_states))

    def state_id(self, row: int) -> str:
        """The id of a row."""
        return self.names[row]

    def row_of(self, state: str | int) -> int:
        """The row of a state given by id (text) or row number (int)."""
        if not isinstance(state, str):
            if not 0 <= state < self.num_states:
                raise BadProblem(f"there is no state at row {state}: rows run from 0 to {self.num_states - 1}")
            return int(state)
        try:
            return self.names.index(state)
        except ValueError:
            raise BadProblem(f"there is no state {state!r} in this problem; {self._some_ids()}") from None

    def _some_ids(self) -> str:
        some = ", ".join(self.names[row] for row in range(min(3, self.num_states)))
        return f"its states are {some}{', ...' if self.num_states > 3 else ''}" if some else "it has no states"

    def action_id(self, row: int, action: int) -> str:
        """The id of an action of a row."""
        if self.action_names is None:
            return str(action)
        names = self.action_names[row] if self._own_actions else self.action_names
        return str(names[action])

    @property
    def _own_actions(self) -> bool:
        return bool(self.action_names) and not isinstance(self.action_names[0], str)  # type: ignore[index]

    def cost_of(self, row: int) -> Number:
        """What demonstrating this state costs: 1 unless costs were given."""
        return 1 if self._costs is None else self._costs[row]

    @property
    def costs(self) -> Sequence[Number]:
        """The costs of all states, or just the 1 that they all cost."""
        return (1,) if self._costs is None else self._costs

    @property
    def has_costs(self) -> bool:
        return self._costs is not None

    @cached_property
    def id_ranks(self) -> npt.NDArray[np.intp] | None:
        """Each row's place in id order, or None when rows stand in that order already."""
        if self.names.ordered:
            return None
        ranks = np.empty(self.num_states, dtype=np.intp)
        ranks[id_order([self.names[row] for row in range(self.num_states)])] = np.arange(self.num_states)
        return ranks

    def rank_of(self, row: int) -> int:
        """The place of a row in id order."""
        return row if self.id_ranks is None else int(self.id_ranks[row])

    def rows(self) -> Iterator[Row]:
        """One row per state and action, states in id order: what the hash and the checker read."""
        for batch in self._ordered_batches():
            for i in range(len(batch)):
                yield from self._rows_of(batch, i)

    def _ordered_batches(self) -> Iterator[Batch]:
        if self.id_ranks is None:
            yield from self.batches()
            return
        for row in np.argsort(self.id_ranks).tolist():
            yield self.source.read(row, row + 1)

    def _rows_of(self, batch: Batch, i: int) -> Iterator[Row]:
        row = batch.start + i
        state, cost, target = self.names[row], self.cost_of(row), int(batch.target[i])
        vectors, available = batch.features[i].tolist(), batch.available[i].tolist()
        for action in range(self._num_actions_of(row)):
            features = tuple(vectors[action]) if available[action] else ()
            yield state, self.action_id(row, action), available[action], action == target, cost, features

    def _num_actions_of(self, row: int) -> int:
        return len(self.action_names[row]) if self._own_actions else self.num_actions  # type: ignore[index]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the problem: of its rows in id order, or of the identity of a built-in environment."""
        if self.identity is not None:
            return hashlib.sha256(self.identity.encode()).hexdigest()
        total = hashlib.sha256()
        for row in self.rows():
            total.update(row_line(row).encode())
        return total.hexdigest()

    def __repr__(self) -> str:
        what = f"{self.num_states:,} states, {self.num_actions:,} actions, {self.num_features:,} features"
        return f"TeachingProblem({what}, {self.arithmetic})"


def row_line(row: Row) -> str:
    """The canonical text of one row, as the certificate's hash reads it."""
    import json

    state, action, available, target, cost, features = row
    cells = [json.dumps(state), json.dumps(action), str(int(available)), str(int(target)), str(cost)]
    return "\t".join([*cells, *map(str, features)]) + "\n"


@dataclass(frozen=True)
class _Labels:
    cost: Sequence[object] | npt.NDArray[Any] | None
    states: Names | Sequence[str] | None
    actions: Sequence[str] | Sequence[Sequence[str]] | None
    features: Sequence[str] | None


def _state_names(names: Names | Sequence[str] | None, count: int) -> Names:
    if names is None:
        return RowNumbers(count)
    if hasattr(names, "ordered"):
        return names
    return NameList(_checked_list("state", names, count) or [])


def _checked_list(kind: str, names: Iterable[object] | None, count: int) -> list[str] | None:
    """Names as distinct texts, as many as there are things to name."""
    if names is None:
        return None
    result = [str(name) for name in names]
    if len(result) != count:
        raise BadProblem(f"{kind}_names: there are {len(result)} names for {count} {kind}s")
    seen: dict[str, int] = {}
    for i, name in enumerate(result):
        if name in seen:
            raise BadProblem(f"{kind}_names: {name!r} names both {kind} {seen[name]} and {kind} {i}; names must differ")
        seen[name] = i
    return result


def _action_names(
    names: Sequence[str] | Sequence[Sequence[str]] | None, source: Source
) -> list[str] | list[list[str]] | None:
    if names is None or all(isinstance(name, str) for name in names):
        return _checked_list("action", names, source.num_actions)
    if len(names) != source.num_states:
        raise BadProblem(f"action_names: there are {len(names)} lists for {source.num_states} states")
    counts = source.counts
    return [_checked_list("action", own, counts[row]) or [] for row, own in enumerate(names)]


def _costs(costs: Sequence[object] | npt.NDArray[Any] | None, names: Names) -> list[Number] | None:
    if costs is None:
        return None
    if len(costs) != len(names):
        raise BadProblem(f"cost: there are {len(costs)} costs for {len(names)} states")
    result: list[Number] = []
    for row, value in enumerate(costs):
        try:
            number = exact_number(value, stored=True)
        except ValueError as error:
            raise BadProblem(f"cost of state {names[row]}: {error}") from None
        if number < 0:
            raise BadProblem(f"cost of state {names[row]}: {number} is negative; costs are at least 0")
        result.append(number)
    return result
