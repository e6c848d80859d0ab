"""Step 1 of 8: the teaching problem `(S, A, phi, pi)`: states, available actions, features and one target action each.

States come from a `Source` in batches, so a problem need not fit in memory; `TeachingProblem` gives them names, costs
and an identity.  Everything here is exact: features are integers or fractions, checked when the problem is made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import FLOAT_TOLERANCES, Number, Tolerances, column_exponents, exact_number
from hornbook.costs import checked_costs
from hornbook.drawing import Draw, Drawing, svg
from hornbook.errors import BadProblem
from hornbook.names import Names, check_list, distinct_names, id_order, names_of
from hornbook.sources import ArraySource, Batch, KeslerSource, Source, StoredSource, block_size, padded
from hornbook.streams import Ask, StreamSource

__all__ = ["Batch", "Names", "Row", "Source", "TeachingProblem", "id_order", "row_line"]

Row = tuple[str, str, bool, bool, Number, tuple[Number | float, ...]]
"""What a checker reads: state id, action id, available, target, cost of the state, features (none if unavailable)."""

_NO_NOISE = "{} data has no default noise; say how far its numbers may be off (noise=...)"


class TeachingProblem:
    """A policy to teach: features `phi(s, a)`, the available actions and the target action of every state.

    `features` is an array `[states, actions, d]`; `target` the index of each state's target action; `available` says
    which actions exist where (all by default).  Integers, Fractions, number texts and integral floats are exact data.
    Other floats are float data, up to `noise` and `merge` (docs/floats.md), unless `exact=True` takes them as the
    binary fractions they are.

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
        noise: object = None,
        merge: object = None,
    ) -> None:
        source = ArraySource.of(features, target, available=available, exact=exact)
        self._set(source, _Labels(cost, state_names, action_names, feature_names))
        self._tolerances = _tolerances(self, noise=noise, merge=merge)

    def _set(self, source: Source, labels: _Labels, identity: str | None = None, name: str | None = None) -> None:
        self.source = source
        self.num_states, self.num_actions = source.num_states, source.num_actions
        self.num_features, self.arithmetic = source.num_features, source.arithmetic
        self.identity, self.name = identity, name
        self._draw: Draw | None = None
        self.names = names_of(labels.states, source.num_states)
        self.action_names = _action_names(labels.actions, source)
        self.feature_names = distinct_names("feature", labels.features, count=source.num_features)
        self._costs = checked_costs(labels.cost, self.names)
        self._tolerances = FLOAT_TOLERANCES.get(self.arithmetic)

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
        draw: Draw | None = None,
    ) -> TeachingProblem:
        """A problem whose states are read in batches; `identity` and `name` are for built-in environments: what the
        hash is taken of, and how the command line spells it.  `draw` makes pictures of states, for `draw_state`."""
        problem = cls.__new__(cls)
        problem._set(source, _Labels(cost, state_names, action_names, feature_names), identity, name)
        problem._draw = draw
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
        names = [str(c) for c in source.classes.tolist()] or None  # no row, no class: one action without a name
        return cls.from_source(source, cost=cost, state_names=state_names, action_names=names)

    @classmethod
    def from_batches(
        cls,
        function: Ask,
        num_states: int,
        *,
        cost: Sequence[object] | None = None,
        state_names: Names | Sequence[str] | None = None,
        action_names: Sequence[str] | None = None,
        feature_names: Sequence[str] | None = None,
        exact: bool = False,
        noise: object = None,
        merge: object = None,
        batch_size: int | None = None,
    ) -> TeachingProblem:
        """States that a function makes when they are needed, so that they need not fit in memory.

        `function(start, stop)` returns `(features, target)` or `(features, target, available)` of the states from row
        `start` to before row `stop`: features `[stop - start, actions, d]`, the same every time it is asked.  Names, if
        given, stand in id order.  More in docs/bring-your-data/batches.md.

        >>> def boxes(start, stop):
        ...     size = np.arange(start + 1, stop + 1)
        ...     return np.stack([np.stack([size, size**2], 1), np.stack([0 * size, size], 1)], 1), 0 * size
        >>> TeachingProblem.from_batches(boxes, 1000)
        TeachingProblem(1,000 states, 2 actions, 2 features, exact)
        """
        stream = StreamSource.of(function, num_states, exact=exact, batch_size=batch_size)
        problem = cls.from_source(
            stream, cost=cost, state_names=state_names, action_names=action_names, feature_names=feature_names
        )
        if not problem.names.ordered:
            raise BadProblem("state_names: the states of a stream must come in id order; sort them, or give arrays")
        problem._tolerances = _tolerances(problem, noise=noise, merge=merge)
        return problem

    @property
    def is_float(self) -> bool:
        """Whether features are floats with noise, rather than exact numbers."""
        return self.arithmetic.startswith("float")

    @property
    def tolerances(self) -> Tolerances:
        """The noise and merge angle of float data."""
        if self._tolerances is None:
            raise BadProblem(_NO_NOISE.format(self.arithmetic))
        return self._tolerances

    def with_tolerances(self, *, noise: object = None, merge: object = None) -> TeachingProblem:
        """The same float data with another noise or merge angle (numbers or texts; None leaves one as it is)."""
        problem = copy(self)
        problem._tolerances = _tolerances(self, noise=noise, merge=merge)
        return problem

    def taken_exactly(self) -> TeachingProblem:
        """The same problem with its floats taken as the binary fractions they are."""
        problem = copy(self)
        problem.source, problem.arithmetic, problem._tolerances = StoredSource(self.source), "stored", None
        problem.__dict__.pop("digest", None)
        return problem

    @cached_property
    def column_exponents(self) -> npt.NDArray[np.int64]:
        """The powers of two that bring the largest entry of each column of float data into [1, 2)."""
        if isinstance(self.source, StreamSource) and self.source.largest is not None:
            return column_exponents(self.source.largest)
        largest = np.zeros(self.num_features)
        for batch in self.batches():
            rows = np.abs(batch.features[batch.available])
            largest = np.maximum(largest, rows.max(axis=0, initial=0.0))
        return column_exponents(largest)

    def batches(self, size: int | None = None) -> Iterator[Batch]:
        """All states in row order, `size` at a time (by default, as many as fit in a few megabytes)."""
        step = size or getattr(self.source, "batch_size", None) or block_size(self.num_actions, self.num_features)
        for start in range(0, self.num_states, step):
            yield self.source.read(start, min(start + step, self.num_states))

    def state_id(self, row: int) -> str:
        """The id of a row."""
        return self.names[row]

    def row_of(self, state: str | int) -> int:
        """The row of a state given by id (text) or row number (int)."""
        if not isinstance(state, str):
            return self._checked_row(state)
        try:
            return self.names.index(state)
        except ValueError:
            raise BadProblem(f"there is no state {state!r} in this problem; {self._some_ids()}") from None

    def _checked_row(self, row: object) -> int:
        if not isinstance(row, (int, np.integer)) or isinstance(row, bool):
            raise BadProblem(f"{str(row)[:40]!r} is no state: name it by its id (a text) or its row number")
        if not 0 <= row < self.num_states:
            raise BadProblem(f"there is no state at row {row}: rows run from 0 to {self.num_states - 1}")
        return int(row)

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

    def drawing(self, state: str | int, action: str | None = None) -> Drawing | None:
        """The picture of a state, with the action of this id marked; None if this problem has no pictures."""
        row = self.row_of(state)
        known = [self.action_id(row, a) for a in range(self.num_actions_of(row))]
        if action is not None and action not in known:
            raise BadProblem(f"there is no action {action!r} in state {self.names[row]!r}")
        return None if self._draw is None else self._draw(self.names[row], action)

    def draw_state(self, state: str | int, action: str | None = None) -> str | None:
        """The picture of a state as an `<svg>` element, with the action of this id marked; None if there is none.

        >>> from hornbook.environments import environment
        >>> environment("diamond:3").draw_state("0-3-4", "3")[:44]
        '<svg xmlns="http://www.w3.org/2000/svg" role'
        """
        drawing = self.drawing(state, action)
        return None if drawing is None else svg(drawing)

    def cost_of(self, row: int) -> Number:
        """What demonstrating this state costs: 1 unless costs were given."""
        return 1 if self._costs is None else self._costs[row]

    @property
    def costs(self) -> Sequence[Number]:
        """The costs of all states, or just the 1 that they all cost."""
        return (1,) if self._costs is None else self._costs

    @property
    def has_costs(self) -> bool:
        """Whether costs were given (otherwise every state costs 1)."""
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
        for action in range(self.num_actions_of(row)):
            features = tuple(vectors[action]) if available[action] else ()
            yield state, self.action_id(row, action), available[action], action == target, cost, features

    def num_actions_of(self, row: int) -> int:
        """How many actions a row tells of, available or not."""
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
    numbers = [v.hex() if isinstance(v, float) else str(v) for v in features]
    return "\t".join([*cells, *numbers]) + "\n"


@dataclass(frozen=True)
class _Labels:
    cost: Sequence[object] | npt.NDArray[Any] | None
    states: Names | Sequence[str] | None
    actions: Sequence[str] | Sequence[Sequence[str]] | None
    features: Sequence[str] | None


def _action_names(
    names: Sequence[str] | Sequence[Sequence[str]] | None, source: Source
) -> list[str] | list[list[str]] | None:
    if names is not None:
        check_list("action_names", names)
    if names is None or all(isinstance(name, str) for name in names):
        return distinct_names("action", names, count=source.num_actions)
    if len(names) != source.num_states:
        raise BadProblem(f"action_names: there are {len(names)} lists for {source.num_states} states")
    counts = source.counts
    return [distinct_names("action", own, count=counts[row]) or [] for row, own in enumerate(names)]


def _tolerances(problem: TeachingProblem, *, noise: object, merge: object) -> Tolerances | None:
    """The problem's tolerances with what the user said instead."""
    usual = problem._tolerances
    if (noise is None and merge is None) or problem.arithmetic == "stored":
        return usual
    if not problem.is_float:
        raise BadProblem("noise and merge are for float data; these features are exact")
    if problem._tolerances is None and noise is None:
        raise BadProblem(_NO_NOISE.format(problem.arithmetic))
    try:
        given = [None if v is None else Fraction(exact_number(v, stored=True)) for v in (noise, merge)]
        return (usual or Tolerances.around(given[0] or Fraction(0))).with_changes(noise=given[0], merge=given[1])
    except ValueError as error:
        raise BadProblem(f"noise or merge: {error}") from None
