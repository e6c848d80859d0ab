"""Signs of 3 x 3 determinants, many at once: floats decide most, pairs of floats nearly all others, integers the rest.

A pair is a sum of two floats that do not overlap, good for 106 bits (Dekker 1971).  So a determinant of which half the
digits cancel, as on a polygon with a million corners, is still decided at the speed of arrays.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic.numbers import Integers
from hornbook.arithmetic.vectors import Vectors

__all__ = ["Turns"]

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Pair = tuple[Floats, Floats]

_LIMIT = 2**300  # products of three such numbers, and what splitting multiplies them by, do not overflow
_BLOCK = 1 << 14  # determinants at once: their intermediate results stay in the cache
_FLOAT_ERROR = 2.0**-49  # of the sum of all products; each has 3 conversions, 2 products and 3 sums, of 2^-53 each
_PAIR_ERROR = 2.0**-98  # the same in pairs, where an operation is off by less than 2^-103


class Turns:
    """Points of a plane as rows of three integers; do they turn left?"""

    def __init__(self, points: Vectors) -> None:
        self.points = points

    def signs(self, first: Places, second: Places, third: Places, /) -> npt.NDArray[np.int8]:
        """The exact sign of the determinant of the rows `first[i]`, `second[i]`, `third[i]`, for every i."""
        result = np.zeros(len(first), dtype=np.int8)
        for start in range(0, len(first), _BLOCK):
            part = slice(start, start + _BLOCK)
            result[part] = self._signs_of(first[part], second[part], third[part])
        return result

    def _signs_of(self, *rows: Places) -> npt.NDArray[np.int8]:
        if self.points.largest >= _LIMIT:
            return self._exactly(*rows)
        high, low = self._pairs
        value, size = _determinant(*(high[:, row] for row in rows))
        signs = np.sign(value).astype(np.int8)
        unsure = np.flatnonzero(np.abs(value) <= size * _FLOAT_ERROR)
        if unsure.size:
            some = [row[unsure] for row in rows]
            sums = _paired_determinant(*([*zip(high[:, row], low[:, row], strict=True)] for row in some))
            signs[unsure] = np.sign(sums)
            left = unsure[np.abs(sums) <= size[unsure] * _PAIR_ERROR]
            signs[left] = self._exactly(*(row[left] for row in rows))
        return signs

    @cached_property
    def _pairs(self) -> Pair:
        """Every entry as a pair, coordinate by coordinate."""
        exact = self.points.exact.T
        high = exact.astype(np.float64)
        back = high.astype(np.int64) if exact.dtype == np.int64 else _whole(high)
        return high, (exact - back).astype(np.float64)

    def _exactly(self, *rows: Places) -> npt.NDArray[np.int8]:
        table = self.points.exact
        triples = zip(*(table[row].tolist() for row in rows), strict=True)
        return np.array([_sign(*triple) for triple in triples], dtype=np.int8)

    def left(self, first: int, second: int, third: int, /) -> bool:
        """Whether these three rows turn strictly left."""
        row = self.points.row
        return _sign(row(first), row(second), row(third)) > 0


def _whole(floats: Floats) -> Integers:
    """Floats that are whole numbers, as Python's integers."""
    result = np.empty(floats.shape, dtype=object)
    result.reshape(-1)[:] = [int(v) for v in floats.reshape(-1).tolist()]
    return result


def _sign(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...]) -> int:
    minor1 = b[1] * c[2] - b[2] * c[1]
    minor2 = b[0] * c[2] - b[2] * c[0]
    minor3 = b[0] * c[1] - b[1] * c[0]
    value = a[0] * minor1 - a[1] * minor2 + a[2] * minor3
    return (value > 0) - (value < 0)


def _determinant(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats]:
    """Determinants, and the sums of the absolute values of all their products."""
    value, size = np.zeros(a.shape[1]), np.zeros(a.shape[1])
    for i in range(3):
        one, other = b[i - 2] * c[i - 1], b[i - 1] * c[i - 2]
        value += a[i] * (one - other)
        size += np.abs(a[i]) * (np.abs(one) + np.abs(other))
    return value, size


def _paired_determinant(a: list[Pair], b: list[Pair], c: list[Pair]) -> Floats:
    """The same in pairs; of the result the leading float is kept."""
    total: Pair | None = None
    for i in range(3):
        minor = _plus(_times(b[i - 2], c[i - 1]), _negative(_times(b[i - 1], c[i - 2])))
        term = _times(a[i], minor)
        total = term if total is None else _plus(total, term)
    return np.zeros(0) if total is None else total[0]


def _negative(x: Pair) -> Pair:
    return -x[0], -x[1]


def _plus(x: Pair, y: Pair) -> Pair:
    """Off by at most 3 u^2 of the sum (u = 2^-53), and a little (Joldes, Muller, Popescu 2017, algorithm 6)."""
    high, rest = _exact_sum(x[0], y[0])
    low, last = _exact_sum(x[1], y[1])
    high, rest = _renewed(high, rest + low)
    return _renewed(high, rest + last)


def _times(x: Pair, y: Pair) -> Pair:
    """Off by at most 7 u^2 of the product."""
    high = x[0] * y[0]
    (a, b), (c, d) = _halves(x[0]), _halves(y[0])
    rest = ((a * c - high) + a * d + b * c) + b * d  # what `high` lost to rounding, exactly
    return _renewed(high, rest + (x[0] * y[1] + x[1] * y[0]))


def _exact_sum(x: Floats, y: Floats) -> Pair:
    """A rounded sum and what it lost (Knuth)."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _renewed(high: Floats, low: Floats) -> Pair:
    """The same sum in parts that do not overlap, when the first part is the larger one (Dekker)."""
    total = high + low
    return total, low - (total - high)


def _halves(x: Floats) -> Pair:
    """Two parts of 26 bits, whose products are exact (Veltkamp)."""
    spread = x * 134217729.0  # 2^27 + 1
    top = spread - (spread - x)
    return top, x - top
