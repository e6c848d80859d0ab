"""Rows of integers with exact signs, products and minima, at nearly the speed of floats.

A float64 dot product decides a sign when it exceeds a proved bound on its own error; integers decide otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic.numbers import Integers, narrowed

__all__ = ["SeenAngles", "Vectors", "quotients", "ratio_runs", "seen_from_middle"]

_DOUBLE = 2**53  # sums of integers that stay below this are exact in float64, in any order of summation
_FILTER = 2**450  # products and sums of such numbers do not overflow float64
_UNIT = 2.0**-53
_SAFE = 2.0**-12  # how far heights may cancel, and how close to the middle a point may be, for angles to be trusted


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
    def shapes(self) -> npt.NDArray[np.float64]:
        """Each row scaled by a power of two to a largest entry between 1 and 2, rounded: for guesses and for angles.

        An entry is off by at most 2^-53 of the largest one.
        """
        if self.largest < _FILTER:
            table = self.floats
        else:  # keep the 64 leading bits of each row
            bits = [max(abs(v).bit_length() for v in row) for row in self.exact.tolist()]
            rows = zip(self.exact.tolist(), bits, strict=True)
            table = np.array([[float(v >> max(0, b - 64)) for v in row] for row, b in rows])
        _, exponents = np.frexp(np.abs(table).max(axis=1, initial=0.0))
        return np.asarray(np.ldexp(table, 1 - exponents[:, None]))

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

    def paired_signs(self, weights: Vectors) -> npt.NDArray[np.int8]:
        """The exact sign of `<row i, weights i>` for every i."""
        if max(self.largest, weights.largest) >= _FILTER:
            return np.asarray(np.sign((self._objects * weights._objects).sum(axis=1)), dtype=np.int8)
        terms = self.floats * weights.floats
        value = terms.sum(axis=1)
        error = (self.dimension + 8) * _UNIT * np.abs(terms).sum(axis=1)  # as in `_filtered`
        result: npt.NDArray[np.int8] = np.sign(value).astype(np.int8)
        for i in np.flatnonzero(np.abs(value) <= error).tolist():
            product = sum(a * b for a, b in zip(self.row(i), weights.row(i), strict=True))
            result[i] = (product > 0) - (product < 0)
        return result

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


@dataclass(frozen=True, eq=False)
class SeenAngles:
    """Angles at which points of a plane are seen from its middle, each off by less than `allowance`."""

    angle: npt.NDArray[np.float64]
    allowance: float


def seen_from_middle(vectors: Vectors, weights: Sequence[int]) -> SeenAngles | None:
    """The points of three-dimensional vectors on the plane `<weights, x> = 1`, as seen from their mean.

    None when floats cannot tell the angle of every point to within the allowance: when heights cancel, or when a point
    is too close to the middle.  Heights are off by 2^-51 of sizes that are at most 2^12 times larger, so points are by
    2^-38 of the largest, and arms, at least 2^-12 of it, turn by less than 2^-25.
    """
    axes = [axis for axis in range(3) if axis != max(range(3), key=lambda c: abs(weights[c]))]
    direction = Vectors.of([weights], 3).shapes[0]
    heights = vectors.shapes @ direction
    if bool((heights <= np.abs(vectors.shapes) @ np.abs(direction) * _SAFE).any()):
        return None
    points = vectors.shapes[:, axes] / heights[:, None]
    arms = points - points.mean(axis=0)
    if bool((np.abs(arms).max(axis=1) <= np.abs(points).max() * _SAFE).any()):
        return None
    return SeenAngles(np.arctan2(arms[:, 1], arms[:, 0]), 2.0**-24)


def quotients(above: Sequence[int], below: Sequence[int]) -> list[float]:
    """`above[i] / below[i]` up to one common factor: one rounding of a division of integers, the same everywhere."""
    shift = max(0, max(v.bit_length() for v in above) - 900)
    return [(a >> shift) / b for a, b in zip(above, below, strict=True)]


def ratio_runs(above: Integers, below: Integers) -> tuple[npt.NDArray[np.intp], list[tuple[int, int]]]:
    """Rows sorted by the float of `above / below` (below > 0), and the runs [start, stop) that floats cannot order.

    A quotient of two int64 carries three roundings, one of Python ints a single one, so two quotients further apart
    than 8 * 2^-53 of the larger one are in the right order; rows of different runs are.
    """
    if len(above) == 0:
        return np.arange(0), []
    try:
        ratio = np.asarray(above / below, dtype=np.float64)
    except OverflowError:
        return np.arange(len(above)), [(0, len(above))]
    order = np.argsort(ratio, kind="stable")
    size = np.abs(ratio[order])
    near = np.diff(ratio[order]) <= 8 * _UNIT * np.maximum(size[1:], size[:-1])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], near, [False]]).astype(np.int8)))
    return order, [(int(a), int(b) + 1) for a, b in edges.reshape(-1, 2)]


def _largest(values: Integers) -> int:
    return max(int(values.max()), -int(values.min())) if values.size else 0
