"""Stored floats as what they are: exact binary fractions, each difference with a radius of noise around it.

A difference of two floats is exact as a sum of two floats (Knuth's TwoSum), so nothing is rounded on the way from the
file to the integers on which decisions are made.  A *measured vector* is a difference followed by its size
`max|phi(s, target)| + max|phi(s, b)|`; the radius is the noise times that size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic.numbers import Integers, narrowed, primitive_vector
from hornbook.arithmetic.vectors import Vectors

__all__ = [
    "FLOAT_TOLERANCES",
    "StoredRows",
    "Tolerances",
    "column_exponents",
    "from_keys",
    "measured_integers",
    "measured_rows",
    "on_features",
    "parallel_pairs",
    "sine_squared",
]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Tolerances:
    """What a float problem may be off by.  All are ratios; angles are compared by their sines.

    `noise`: how far a stored feature may be from the meant one, relative to the largest feature of its action.
    `merge`: differences within this angle of a ray are taken as parallel to it.  `gap`: and none may be within `gap`
    times that angle without being within it.
    """

    noise: Fraction
    merge: Fraction
    gap: int = 2**10

    def __post_init__(self) -> None:
        if not 0 <= self.noise < 1:
            raise ValueError(f"noise is {float(self.noise):.3g}; it must be at least 0 and below 1")
        if not 0 <= self.merge * self.gap < 1:
            raise ValueError(f"merge is {float(self.merge):.3g}; it must be at least 0 and below 1/{self.gap}")

    @classmethod
    def around(cls, noise: Fraction) -> Tolerances:
        """For numbers so coarse that there is no room for more: merge at eight times the noise, with a gap of eight."""
        return cls(noise, 8 * noise, 8)

    def with_changes(self, *, noise: Fraction | None, merge: Fraction | None) -> Tolerances:
        """The same with another noise or merge; None leaves one as it is."""
        return Tolerances(self.noise if noise is None else noise, self.merge if merge is None else merge, self.gap)


FLOAT_TOLERANCES = {
    "float64": Tolerances(Fraction(1, 2**48), Fraction(1, 2**36)),
    "float32": Tolerances(Fraction(1, 2**19), Fraction(1, 2**14), gap=2**6),
}
"""The defaults of each kind of float: docs/design/0007-floats.md says why.  Half floats have none: give the noise."""


@dataclass(frozen=True, eq=False)
class StoredRows:
    """Measured vectors as exact sums `high + low`, scaled by a power of two each, for sorting and finding again."""

    high: Floats
    low: Floats

    def __len__(self) -> int:
        return len(self.high)

    def take(self, rows: npt.ArrayLike) -> StoredRows:
        where = np.asarray(rows)
        return StoredRows(self.high[where], self.low[where])

    def keys(self) -> npt.NDArray[np.int64]:
        """One row of int64 per vector, equal exactly when the vectors are equal."""
        both = np.concatenate([self.high, self.low], axis=1) + 0.0  # the sum turns -0.0 into 0.0
        return both.view(np.int64)


def column_exponents(largest: Floats) -> npt.NDArray[np.int64]:
    """For each column the exponent e such that its largest absolute value, times 2^-e, is in [1, 2)."""
    _, exponents = np.frexp(largest)
    return np.where(largest > 0, exponents.astype(np.int64) - 1, 0)


def measured_rows(target: Floats, other: Floats) -> StoredRows:
    """The differences `target - other` of scaled features, each followed by its size, exactly.

    Entries are below 2 in size, so sums stay below 4; rows are scaled *up* by a power of two until their largest entry
    is in [2, 4), which is exact even for subnormal numbers.
    """
    reach = [np.abs(part).max(axis=1, initial=0.0)[:, None] for part in (target, other)]
    first = np.concatenate([target, reach[0]], axis=1)
    second = np.concatenate([-other, reach[1]], axis=1)
    high = first + second
    shadow = high - first
    low = (first - (high - shadow)) + (second - shadow)
    _, exponents = np.frexp(np.abs(high).max(axis=1))
    lift = np.maximum(2 - exponents, 0)[:, None]
    return StoredRows(np.ldexp(high, lift), np.ldexp(low, lift))


def from_keys(keys: npt.NDArray[np.int64]) -> StoredRows:
    """The vectors that belong to some keys, in the order of their values."""
    both = keys.view(np.float64)
    half = both.shape[1] // 2
    columns = [both[:, c + part] for c in range(half) for part in (0, half)]
    ordered = both[np.lexsort(columns[::-1])]
    return StoredRows(ordered[:, :half], ordered[:, half:])


def measured_integers(rows: StoredRows) -> Integers:
    """The same vectors as integers, each scaled by its own power of two."""
    parts = [_mantissas(rows.high), _mantissas(rows.low)]
    lowest = np.minimum(*(_least_exponent(*part) for part in parts))
    total = sum(_shifted(*part, lowest) for part in parts)
    return narrowed(np.asarray(total))


def _mantissas(values: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    fractions, exponents = np.frexp(values)
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    # drop trailing zeros, so that round numbers stay small integers: the lowest bit set is a power of two
    _, places = np.frexp((mantissas & -mantissas).astype(np.float64))
    zeros = np.maximum(places.astype(np.int64) - 1, 0)
    return mantissas >> zeros, exponents.astype(np.int64) - 53 + zeros


def _least_exponent(mantissas: npt.NDArray[np.int64], exponents: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.asarray(np.where(mantissas == 0, 1 << 20, exponents).min(axis=1))


def _shifted(
    mantissas: npt.NDArray[np.int64], exponents: npt.NDArray[np.int64], lowest: npt.NDArray[np.int64]
) -> npt.NDArray[Any]:
    shift = np.where(mantissas == 0, 0, exponents - lowest[:, None])
    return np.asarray(mantissas.astype(object) << shift.astype(object))


def on_features(weights: Sequence[int], exponents: npt.NDArray[np.int64]) -> tuple[int, ...]:
    """Weights on scaled columns as weights on the features themselves."""
    return primitive_vector([w * Fraction(2) ** -e for w, e in zip(weights, exponents.tolist(), strict=True)])


def sine_squared(first: Sequence[int], second: Sequence[int]) -> Fraction:
    """The squared sine of the angle between two vectors, exactly; 2 for an angle of 90 degrees or more."""
    dot = sum(a * b for a, b in zip(first, second, strict=True))
    lengths = sum(a * a for a in first) * sum(b * b for b in second)
    return Fraction(2) if dot <= 0 else 1 - Fraction(dot * dot, lengths)


def parallel_pairs(
    vectors: Vectors, rows: Sequence[int], *, tolerances: Tolerances
) -> tuple[list[npt.NDArray[np.intp]], dict[int, int]]:
    """For each of `rows` all vectors within the merge angle; and the first vector in the annulus around it, if any.

    Unit vectors are sorted along one direction; only those within the annulus on it are compared.  A chord computed in
    floats decides where it is clearly on one side of both limits, rational sines where it is not.
    """
    if len(rows) == 0:
        return [], {}
    asked = np.asarray(rows, dtype=np.intp)
    units = vectors.shapes / np.linalg.norm(vectors.shapes, axis=1, keepdims=True)
    owner, other = _close_pairs(units, asked, float(tolerances.merge * tolerances.gap))
    place = _places(vectors, units, (asked[owner], other), tolerances)
    order = np.lexsort((other, owner))
    owner, other, place = owner[order], other[order], place[order]
    inner = place == 0
    near = np.split(other[inner], np.searchsorted(owner[inner], np.arange(1, len(asked))))
    annulus = np.flatnonzero(place == 1)[::-1]  # later assignments win, so the first vector of each comes last
    return near, {int(asked[i]): int(j) for i, j in zip(owner[annulus], other[annulus], strict=True)}


def _close_pairs(units: Floats, asked: npt.NDArray[np.intp], reach: float) -> tuple[npt.NDArray[np.intp], ...]:
    """Pairs (place in asked, vector) whose heights along a generic direction are within reach, with an allowance."""
    spread = np.sqrt(np.arange(2.0, units.shape[1] + 2.0))
    heights = units @ (spread / np.linalg.norm(spread))
    order = np.argsort(heights, kind="stable")
    allowed = reach * (1 + 2.0**-10) + units.shape[1] * 2.0**-48
    low = np.searchsorted(heights[order], heights[asked] - allowed, side="left")
    count = np.searchsorted(heights[order], heights[asked] + allowed, side="right") - low
    owner = np.repeat(np.arange(len(asked)), count)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + low[owner]
    return owner, order[place]


def _places(
    vectors: Vectors, units: Floats, pairs: tuple[npt.NDArray[np.intp], ...], tolerances: Tolerances
) -> npt.NDArray[np.intp]:
    """For each pair 0 within the merge angle, 1 in the annulus, 2 beyond."""
    first, second = pairs
    chord = np.linalg.norm(units[first] - units[second], axis=1)
    inner, outer = float(tolerances.merge), float(tolerances.merge * tolerances.gap)
    place = np.where(chord > outer, 2, np.where(chord > inner, 1, 0))
    # a chord and a sine differ by a relative square, and floats by a few units in the last place
    error = units.shape[1] * 2.0**-50
    unsure = (np.abs(chord - inner) <= error + inner**2) | (np.abs(chord - outer) <= error + outer**2)
    for i in np.flatnonzero(unsure).tolist():
        squared = sine_squared(vectors.row(int(first[i])), vectors.row(int(second[i])))
        place[i] = sum(squared > limit**2 for limit in (tolerances.merge, tolerances.merge * tolerances.gap))
    return place
