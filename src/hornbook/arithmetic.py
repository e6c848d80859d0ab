"""Number rules, all of them: reading numbers, primitive directions, exact signs and exact minima.

Everything is an integer in the end.  A difference with rational entries is scaled to the primitive integer vector of
its ray, so two differences are on one ray exactly when their directions are equal.  Floats appear only as *filters*:
a float64 dot product decides a sign when it exceeds a proved bound on its own error, and integers decide otherwise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "Integers",
    "NotExact",
    "Number",
    "Vectors",
    "exact_array",
    "exact_number",
    "narrowed",
    "number_text",
    "parse_number",
    "primitive",
    "primitive_vector",
    "quotients",
    "ratio_runs",
]

Number = int | Fraction
Integers = npt.NDArray[Any]
"""An array of integers: int64 with entries below 2^61, or Python ints in an object array."""

_SMALL = 2**61  # a difference of two such numbers, and its negative, are int64
_DOUBLE = 2**53  # sums of integers that stay below this are exact in float64, in any order of summation
_FILTER = 2**450  # products and sums of such numbers do not overflow float64
_UNIT = 2.0**-53
_MAX_DIGITS = 4000  # longest number text: int(text) is quadratic, and no honest feature needs more
_MAX_EXPONENT = 4000
_NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?|([+-]?[0-9]+)/([0-9]+)")


class NotExact(ValueError):
    """A float that is not an integer, where exact numbers were asked for."""


def parse_number(text: str) -> Number:
    """Read an integer, a decimal or `p/q` exactly; anything else is a `ValueError` with the reason.

    >>> parse_number("-6/4"), parse_number("0.1"), parse_number("2e3")
    (Fraction(-3, 2), Fraction(1, 10), 2000)
    """
    stripped = text.strip(" \t")
    if len(stripped) > _MAX_DIGITS:
        raise ValueError(f"a number of {len(stripped)} characters is above the limit of {_MAX_DIGITS}")
    match = _NUMBER.fullmatch(stripped)
    if match is None or not (match[5] or match[2] or match[3]):
        raise ValueError(f"{stripped[:40]!r} is not a number (write 3, -1/3, 0.25 or 2e-5)")
    if match[5]:
        return _quotient(int(match[5]), int(match[6]))
    return _decimal(match[1], match[2], match[3] or "", match[4] or "0")


def _quotient(numerator: int, denominator: int) -> Number:
    if denominator == 0:
        raise ValueError("division by zero")
    return _plain(Fraction(numerator, denominator))


def _decimal(sign: str, whole: str, part: str, exponent: str) -> Number:
    if len(exponent) > 6 or abs(int(exponent)) > _MAX_EXPONENT:
        raise ValueError(f"the exponent {exponent[:12]} is outside +-{_MAX_EXPONENT}")
    shift = int(exponent) - len(part)
    digits = int(sign + (whole + part or "0"))
    return digits * 10**shift if shift >= 0 else _plain(Fraction(digits, 10**-shift))


def _plain(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else value


def number_text(value: Number) -> str:
    """The number in lowest terms, `p` or `p/q`."""
    return str(value)


def exact_number(value: object, *, stored: bool = False) -> Number:
    """One exact number: ints, Fractions, Decimals and texts; floats if integral, or any float with `stored`.

    >>> exact_number("1/3"), exact_number(2.0), exact_number(0.5, stored=True)
    (Fraction(1, 3), 2, Fraction(1, 2))
    """
    if isinstance(value, (bool, np.bool_)):
        raise ValueError("a truth value is not a number")
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, Fraction):
        return _plain(value)
    if isinstance(value, str):
        return parse_number(value)
    if isinstance(value, Decimal):
        return parse_number(str(value))
    if isinstance(value, (float, np.floating)):
        return _from_float(value, stored=stored)
    raise ValueError(f"{type(value).__name__} is not a number")


def _from_float(value: float | np.floating[Any], *, stored: bool) -> Number:
    if not math.isfinite(value):
        raise ValueError(f"{value} is not finite")
    exact = Fraction(*value.as_integer_ratio())
    if not stored and (exact.denominator != 1 or abs(exact) >= _DOUBLE):
        raise NotExact(f"{value!r} is a float, not an exact number")
    return _plain(exact)


def exact_array(values: npt.NDArray[Any], *, stored: bool = False) -> Integers:
    """The array in exact numbers: int64 where that is safe, else Python ints and Fractions.

    Raises `ValueError` with an `index` attribute that says where the first bad entry stands.
    """
    if values.dtype.kind in "iu":
        return narrowed(values)
    if values.dtype.kind == "f" and values.dtype.itemsize <= 8:
        wide = values.astype(np.float64)  # every narrower float is a float64
        if bool(np.all(np.abs(wide) < _DOUBLE)) and bool(np.all(wide == np.floor(wide))):
            return wide.astype(np.int64)
    result = np.empty(values.shape, dtype=object)
    for index in np.ndindex(values.shape):
        try:
            result[index] = exact_number(values[index], stored=stored)
        except ValueError as error:
            error.index = index  # type: ignore[attr-defined]
            raise
    return narrowed(result)


def narrowed(values: Integers) -> Integers:
    """The same numbers as int64 if all are integers below 2^61, else as Python objects (never a wrap)."""
    if values.dtype == np.int64 or values.dtype.kind in "iu":
        # compared without abs(): abs of the most negative integer wraps
        if values.size == 0 or (int(values.max()) < _SMALL and int(values.min()) > -_SMALL):
            return values.astype(np.int64)
        return values.astype(object)
    if all(isinstance(v, int) and -_SMALL < v < _SMALL for v in values.flat):
        return values.astype(np.int64)
    return values


def primitive_vector(vector: Iterable[Number]) -> tuple[int, ...]:
    """The shortest integer vector on the ray of a nonzero rational vector.

    >>> primitive_vector([Fraction(1, 2), Fraction(-1, 3)])
    (3, -2)
    """
    entries = list(vector)
    scale = math.lcm(*(v.denominator for v in entries))
    integers = [int(v * scale) for v in entries]
    divisor = math.gcd(*integers) or 1
    return tuple(v // divisor for v in integers)


def primitive(vectors: Integers) -> Integers:
    """Each row's primitive integer vector; zero rows stay zero."""
    if vectors.dtype == np.int64:
        if vectors.size == 0:
            return vectors
        divisor = np.abs(np.gcd.reduce(vectors, axis=1))  # of a single column, the column itself
        return np.asarray(vectors // np.maximum(divisor, 1)[:, None])
    rows = np.empty(vectors.shape, dtype=object)
    for i, row in enumerate(vectors):
        rows[i] = primitive_vector(row)
    return narrowed(rows)


@dataclass(frozen=True, eq=False)
class Vectors:
    """Rows of integers with exact signs, products and minima at (nearly) the speed of float64.

    Cost: one BLAS product per question when the filter decides, which it does for all but (near-)zero values.
    """

    exact: Integers

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], dimension: int) -> Vectors:
        table = np.empty((len(rows), dimension), dtype=object)
        for i, row in enumerate(rows):
            table[i] = list(row)
        return cls(narrowed(table))

    def __len__(self) -> int:
        return int(self.exact.shape[0])

    @property
    def dimension(self) -> int:
        return int(self.exact.shape[1])

    @cached_property
    def largest(self) -> int:
        """The largest absolute value of any entry."""
        return _largest(self.exact)

    @cached_property
    def floats(self) -> npt.NDArray[np.float64]:
        """Every entry rounded to the nearest float64 (relative error at most 2^-53); only below 2^450."""
        return self.exact.astype(np.float64)

    @cached_property
    def _objects(self) -> Integers:
        return self.exact.astype(object)

    def row(self, index: int) -> tuple[int, ...]:
        return tuple(int(v) for v in self.exact[index])

    def rows(self) -> list[tuple[int, ...]]:
        return [tuple(row) for row in self.exact.tolist()]

    def take(self, indices: npt.ArrayLike) -> Vectors:
        return Vectors(self.exact[np.asarray(indices, dtype=np.intp)])

    def columns(self, indices: Sequence[int]) -> Vectors:
        return Vectors(narrowed(self.exact[:, list(indices)]))

    def products(self, weights: Sequence[int]) -> Integers:
        """The exact inner product of every row with `weights`."""
        # a zero weight must not make room for entries that float64 or int64 cannot hold
        size = max(self.largest, 1) * max((abs(v) for v in weights), default=1) * self.dimension
        if self.exact.dtype == np.int64 and size < _DOUBLE:
            return (self.floats @ np.array(weights, dtype=np.float64)).astype(np.int64)
        if self.exact.dtype == np.int64 and size < 2**63:
            return np.asarray(self.exact @ np.array(weights, dtype=np.int64))
        # an empty sum of Python ints is the plain 0, so an empty dimension needs no case of its own
        return np.asarray(self._objects @ np.array(weights, dtype=object))

    def signs(self, weights: Sequence[Sequence[int]]) -> npt.NDArray[np.int8]:
        """The exact sign of `<row, w>` for every row and every w: an array of -1, 0, 1, one column per w."""
        table = Vectors.of(weights, self.dimension)
        if max(self.largest, table.largest) >= _FILTER:
            return np.stack([np.sign(self._objects @ w) for w in table.exact.astype(object)], 1).astype(np.int8)
        if self.largest * table.largest * self.dimension < _DOUBLE:
            return np.sign(self.floats @ table.floats.T).astype(np.int8)
        value, error = self._filtered(table)
        result = np.sign(value).astype(np.int8)
        for column in range(len(table)):
            unsure = np.flatnonzero(np.abs(value[:, column]) <= error[:, column])
            if unsure.size:
                products = self._objects[unsure] @ table.exact[column].astype(object)
                result[unsure, column] = np.sign(products).astype(np.int8)
        return result

    def _filtered(self, table: Vectors) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Float products and a bound on their error.

        Each of the d terms carries at most d + 2 roundings (two conversions, one product, d - 1 sums), so with
        u = 2^-53 and g = (d+2)u / (1 - (d+2)u) the value is within g * sum |x_i w_i| of the truth, and the computed sum
        of absolute values is at least (1 - g) times the true one.  g / (1 - g) < (d+8)u for d < 2^25, with room for the
        rounding of the bound itself.  Entries are integers below 2^450, so nothing underflows or overflows.
        """
        value = self.floats @ table.floats.T
        size = np.abs(self.floats) @ np.abs(table.floats).T
        return value, (self.dimension + 8) * _UNIT * size

    def least(self, weights: Sequence[int], scale: Sequence[int]) -> npt.NDArray[np.intp]:
        """All rows where `<row, weights> / <row, scale>` is exactly least; `scale` is positive on every row."""
        if not weights or max(self.largest, *(abs(v) for v in (*weights, *scale))) >= _FILTER:
            return self._least_of(np.arange(len(self)), weights, scale)
        value, error = self._filtered(Vectors.of([weights, scale], self.dimension))
        above, below = value[:, 0], value[:, 1] - error[:, 1]
        if bool(np.any(below <= error[:, 1])):
            return self._least_of(np.arange(len(self)), weights, scale)
        ratio = above / value[:, 1]
        # |n/d - ratio| <= (E_n + |ratio| E_d) / (d - E_d), and a little more for the roundings of this very line
        slack = (error[:, 0] + np.abs(ratio) * error[:, 1]) / below * 1.25 + np.abs(ratio) * (8 * _UNIT)
        candidates = np.flatnonzero(ratio - slack <= np.min(ratio + slack))
        return self._least_of(candidates, weights, scale)

    def _least_of(
        self, rows: npt.NDArray[np.intp], weights: Sequence[int], scale: Sequence[int]
    ) -> npt.NDArray[np.intp]:
        if rows.size == 1:
            return rows
        some = self.take(rows)
        above, below = some.products(weights).tolist(), some.products(scale).tolist()
        best = 0
        for i in range(1, len(above)):
            if above[i] * below[best] < above[best] * below[i]:
                best = i
        ties = [i for i in range(len(above)) if above[i] * below[best] == above[best] * below[i]]
        return rows[ties]

    def extreme(self, weights: Sequence[int], scale: Sequence[int]) -> int:
        """The row that is least in direction `weights` on the cross-section `<x, scale> = 1`, ties broken exactly.

        Rows on a common face tie; among them the lexicographically least point of the cross-section is a vertex of
        that face, so the answer is always on an extreme ray of the cone of all rows (the first such row, if several).
        """
        rows = self.least(weights, scale)
        for axis in range(self.dimension):
            if rows.size == 1:
                break
            unit = [int(i == axis) for i in range(self.dimension)]
            rows = rows[self.take(rows).least(unit, scale)]
        return int(rows[0])


def quotients(above: Sequence[int], below: Sequence[int]) -> list[float]:
    """`above[i] / below[i]` up to one common factor: one rounding of a division of integers, the same everywhere."""
    shift = max(0, max(v.bit_length() for v in above) - 900)
    return [(a >> shift) / b for a, b in zip(above, below, strict=True)]


def ratio_runs(above: Integers, below: Integers) -> tuple[npt.NDArray[np.intp], list[tuple[int, int]]]:
    """Rows sorted by the float of `above / below` (below > 0), and the runs [start, stop) that floats cannot order.

    A quotient of two int64 carries three roundings, so two quotients further apart than 8 * 2^-53 of the larger one are
    in the right order; rows of different runs are.
    """
    if above.dtype != np.int64 or below.dtype != np.int64:
        return np.arange(len(above)), [(0, len(above))]
    ratio = above / below
    order = np.argsort(ratio, kind="stable")
    size = np.abs(ratio[order])
    near = np.diff(ratio[order]) <= 8 * _UNIT * np.maximum(size[1:], size[:-1])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], near, [False]]).astype(np.int8)))
    return order, [(int(a), int(b) + 1) for a, b in edges.reshape(-1, 2)]


def _largest(values: Integers) -> int:
    return max(int(values.max()), -int(values.min())) if values.size else 0
