"""Where states come from: arrays, ragged lists, classification data, or a stream of an environment's own.

A source reads consecutive states as a `Batch` of exact features.  It knows nothing of names, costs or files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import NotExact, exact_array, float_array
from hornbook.errors import BadProblem

__all__ = [
    "ArraySource",
    "Batch",
    "KeslerSource",
    "Source",
    "StoredSource",
    "block_size",
    "checked_mask",
    "checked_targets",
    "numbers_of",
    "padded",
    "tight_array",
]

_BLOCK_NUMBERS = 1 << 18  # feature values that are read at once: 2 MB, which stay in a processor's cache
_UNEVEN = (
    "features: the lists have different lengths; use TeachingProblem.from_ragged for states with different actions"
)


@dataclass(frozen=True, eq=False)
class Batch:
    """Consecutive states from row `start` on: `features[i, a]` is phi of state `start + i` and action `a`.

    Features of unavailable actions are padding and mean nothing.
    """

    start: int
    features: npt.NDArray[Any]  # (states, actions, d): int64, Python ints and Fractions, or float64 for float data
    available: npt.NDArray[np.bool_]
    target: npt.NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.target)


def block_size(actions: int, width: int) -> int:
    """How many states are read at once."""
    return max(1, _BLOCK_NUMBERS // max(1, actions * width))


class Source(Protocol):
    """States by number.

    `arithmetic` is "exact", "stored" for floats taken as the binary fractions they are, or the kind of float
    ("float64", "float32", "float16") when features are float64 arrays that hold numbers of that precision.
    """

    @property
    def num_states(self) -> int: ...
    @property
    def num_actions(self) -> int: ...
    @property
    def num_features(self) -> int: ...
    @property
    def arithmetic(self) -> str: ...

    def read(self, start: int, stop: int) -> Batch:
        """The states from row `start` to before row `stop`."""
        ...

    @property
    def counts(self) -> Sequence[int]:
        """How many actions each state has room for (only needed for names per state)."""
        ...


@dataclass(frozen=True, eq=False)
class ArraySource:
    """A problem held in arrays."""

    features: npt.NDArray[Any]
    target: npt.NDArray[np.intp]
    available: npt.NDArray[np.bool_]
    arithmetic: str

    @classmethod
    def of(
        cls, features: npt.ArrayLike, target: npt.ArrayLike, *, available: npt.ArrayLike | None, exact: bool
    ) -> ArraySource:
        """Check and convert what the user gave; every message says which state, action and feature."""
        raw = _feature_array(features)
        table, arithmetic = read_features(raw, exact=exact)
        mask = checked_mask(available, raw.shape[:2])
        return cls(table, checked_targets(target, mask), mask, arithmetic)

    @property
    def num_states(self) -> int:
        return int(self.features.shape[0])

    @property
    def num_actions(self) -> int:
        return int(self.features.shape[1])

    @property
    def num_features(self) -> int:
        return int(self.features.shape[2])

    @property
    def counts(self) -> Sequence[int]:
        return [max(np.flatnonzero(row).tolist(), default=-1) + 1 for row in self.available]

    def read(self, start: int, stop: int) -> Batch:
        part = slice(start, stop)
        return Batch(start, self.features[part], self.available[part], self.target[part])


def _feature_array(features: npt.ArrayLike) -> npt.NDArray[Any]:
    raw = tight_array(features)
    if raw.size == 0 and raw.ndim < 3:
        raw = raw.reshape((0, 1, 1))
    if raw.ndim != 3:
        raise BadProblem(f"features: the shape is {raw.shape}; it must be [states, actions, features]")
    if raw.shape[2] == 0 or (raw.shape[0] and raw.shape[1] == 0):
        raise BadProblem(f"features: the shape is {raw.shape}; there must be at least one action and one feature")
    return raw


def tight_array(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """An array that lost nothing: lists of big ints, Fractions and texts stay objects instead of turning to floats."""
    if isinstance(values, np.ndarray):
        if np.ma.is_masked(values):
            raise BadProblem("features: the array is masked; say with available= which actions there are")
        # dates and durations would pass for numbers, entry by entry
        return values.astype(object) if values.dtype.kind in "USmM" else values
    try:
        objects = np.array(values, dtype=object)
    except ValueError:  # arrays of different shapes in a list
        raise BadProblem(_UNEVEN) from None
    if any(isinstance(v, (list, tuple, np.ndarray)) for v in objects.flat):
        raise BadProblem(_UNEVEN)
    if objects.size and all(type(v) is float for v in objects.flat):
        return objects.astype(np.float64)
    return objects


def read_features(raw: npt.NDArray[Any], *, exact: bool) -> tuple[npt.NDArray[Any], str]:
    """The features and their arithmetic: exact where all are, else floats, or what they store if `exact` is asked for.

    Errors name state, action and feature.
    """
    try:
        return numbers_of(raw, "exact"), "exact"
    except NotExact:
        kind = raw.dtype.name if raw.dtype.kind == "f" else "float64"
    arithmetic = "stored" if exact else kind
    return numbers_of(raw, arithmetic), arithmetic


def numbers_of(raw: npt.NDArray[Any], arithmetic: str, *, first: int = 0) -> npt.NDArray[Any]:
    """A copy of features in some arithmetic.  `NotExact` if floats are not exact numbers.

    Other errors name state, action and feature; `first` is the row of the first state.
    """
    try:
        if arithmetic in ("exact", "stored"):
            return exact_array(raw, stored=arithmetic == "stored")
        if raw.dtype.kind == "f" and not np.isfinite(raw).all():
            exact_array(raw)  # which says where
        return float_array(raw)
    except NotExact:
        raise
    except ValueError as error:
        state, action, feature = error.index  # type: ignore[attr-defined]
        raise BadProblem(f"features: row {first + state}, action {action}, feature {feature}: {error}") from None


def checked_mask(available: npt.ArrayLike | None, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Which actions there are: all, or as was given, as a copy."""
    if available is None:
        return np.ones(shape, dtype=np.bool_)
    mask = _even(available, "available")
    if mask.shape != shape:
        raise BadProblem(f"available: the shape is {mask.shape}; the features ask for {shape}")
    if mask.dtype.kind not in "biu" or (mask.size and not np.isin(mask, (0, 1)).all()):
        raise BadProblem("available: entries must be true or false")
    return mask.astype(np.bool_)


def _even(values: npt.ArrayLike, what: str) -> npt.NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError:  # lists of different lengths
        raise BadProblem(f"{what}: the lists have different lengths") from None


def checked_targets(target: npt.ArrayLike, available: npt.NDArray[np.bool_], *, first: int = 0) -> npt.NDArray[np.intp]:
    """The targets of the states from row `first` on, if each is an available action."""
    values = _even(target, "target")
    values = values if values.size else np.zeros(0, dtype=np.intp)
    states, actions = available.shape
    if values.shape != (states,):
        raise BadProblem(f"target: the shape is {values.shape}; there must be one target for each of {states} states")
    if values.dtype.kind not in "iu":
        raise BadProblem(f"target: entries must be action indices (whole numbers), not {values.dtype}")
    wrong = np.flatnonzero((values < 0) | (values >= actions))
    if wrong.size:
        row = int(wrong[0])
        raise BadProblem(f"target: row {first + row} names action {values[row]}; actions run from 0 to {actions - 1}")
    result = values.astype(np.intp)
    missing = np.flatnonzero(~available[np.arange(states), result])
    if missing.size:
        row = int(missing[0])
        raise BadProblem(f"target: row {first + row} names action {result[row]}, which is not available there")
    return result


@dataclass(frozen=True)
class StoredSource:
    """Another source's floats, taken as the binary fractions they are."""

    floats: Source
    arithmetic: str = "stored"

    @property
    def num_states(self) -> int:
        return self.floats.num_states

    @property
    def num_actions(self) -> int:
        return self.floats.num_actions

    @property
    def num_features(self) -> int:
        return self.floats.num_features

    @property
    def counts(self) -> Sequence[int]:
        return self.floats.counts

    def read(self, start: int, stop: int) -> Batch:
        batch = self.floats.read(start, stop)
        return replace(batch, features=exact_array(batch.features, stored=True))


def padded(features: Sequence[Sequence[Sequence[object]]]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Ragged lists as one object array, with a mask of what is really there."""
    _check_nested(features)
    widths = [len(actions) for actions in features]
    lengths = {len(vector) for actions in features for vector in actions}
    if len(lengths) > 1:
        state, action = _odd_vector(features)
        raise BadProblem(f"features: state {state}, action {action} has another number of features than the first")
    shape = (len(features), max(widths, default=1), max(lengths, default=1))
    table = np.zeros(shape, dtype=object)
    for state, actions in enumerate(features):
        for action, vector in enumerate(actions):
            table[state, action] = list(vector)
    available = np.arange(shape[1])[None, :] < np.array(widths, dtype=np.intp)[:, None]
    return table, available.reshape(shape[:2])


def _check_nested(features: object) -> None:
    """Refuse what is not a list of states, each a list of actions, each a list of numbers; a text is no list."""
    if not _is_list(features):
        raise BadProblem("features: they must be a list with one entry per state")
    for state, actions in enumerate(features):  # type: ignore[var-annotated, arg-type]
        if not _is_list(actions):
            raise BadProblem(f"features: state {state} must be a list with one vector per action")
        for action, vector in enumerate(actions):
            if not _is_list(vector):
                raise BadProblem(f"features: state {state}, action {action} must be a list of numbers")


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _odd_vector(features: Sequence[Sequence[Sequence[object]]]) -> tuple[int, int]:
    places = [(s, a, len(v)) for s, actions in enumerate(features) for a, v in enumerate(actions)]
    return next((s, a) for s, a, length in places if length != places[0][2])


def _classes(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
    """The distinct labels, sorted, and the place of each row's own."""
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise BadProblem(f"y: the label of row {int(np.flatnonzero(np.isnan(labels))[0])} is nan")
    try:
        classes, which = np.unique(labels, return_inverse=True)
    except TypeError:
        raise BadProblem("y: the labels are of different kinds, which cannot be sorted; make them all texts") from None
    return classes, which.astype(np.intp)


@dataclass(frozen=True, eq=False)
class KeslerSource:
    """Multiclass linear classification as a policy: phi(x, a) has [x, 1] in block a."""

    inputs: npt.NDArray[Any]  # (rows, n + 1), the last column all ones
    target: npt.NDArray[np.intp]
    classes: npt.NDArray[Any]
    arithmetic: str

    @classmethod
    def of(cls, X: npt.ArrayLike, y: npt.ArrayLike, *, exact: bool) -> KeslerSource:
        raw = tight_array(X)
        if raw.ndim != 2:
            raise BadProblem(f"X: the shape is {raw.shape}; it must be [rows, columns]")
        labels = _even(y, "y")
        if labels.shape != (len(raw),):
            raise BadProblem(f"y: the shape is {labels.shape}; there must be one label for each of {len(raw)} rows")
        classes, target = _classes(labels)
        table, arithmetic = read_features(raw[:, None, :], exact=exact)
        ones = np.ones((len(raw), 1), dtype=table.dtype)
        return cls(np.hstack([table[:, 0, :], ones]), target, classes, arithmetic)

    @property
    def num_states(self) -> int:
        return len(self.target)

    @property
    def num_actions(self) -> int:
        return max(1, len(self.classes))

    @property
    def num_features(self) -> int:
        return int(self.inputs.shape[1]) * self.num_actions

    @property
    def counts(self) -> Sequence[int]:
        return [self.num_actions] * self.num_states

    def read(self, start: int, stop: int) -> Batch:
        inputs, count = self.inputs[start:stop], stop - start
        features = np.zeros((count, self.num_actions, self.num_actions, inputs.shape[1]), dtype=inputs.dtype)
        for action in range(self.num_actions):
            features[:, action, action] = inputs
        flat = features.reshape(count, self.num_actions, self.num_features)
        return Batch(start, flat, np.ones((count, self.num_actions), dtype=np.bool_), self.target[start:stop])
