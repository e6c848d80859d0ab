"""Rows of integers with exact signs, products and minima, at nearly the speed of floats.

A float64 dot product decides a sign when it exceeds a proved bound on its own error; integers decide otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic.numbers import Integers, narrowed

__all__ = ["SeenAngles", "Vectors", "quotients", "runs_in_order", "seen_from_middle"]

_DOUBLE = 2**53  # sums of integers that stay below this are exact in float64, in any order of summation
_FILTER = 2**450  # products and sums of such numbers do not overflow float64
_UNIT = 2.0**-53
_FEW = 64  # rows that exact arithmetic compares as fast as floats do
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
        return max(self._widths, default=0) if self.exact.any() else 0

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
        _, exponents = np.frexp(reduce(np.maximum, map(np.abs, table.T), np.zeros(len(table))))
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

    def reach(self, weights: Sequence[int]) -> int:
        """No sum of some `weights[i] * row[i]` is larger, and neither is any weight."""
        return sum(abs(w) * size for w, size in zip(weights, self._widths, strict=True))

    @cached_property
    def _widths(self) -> list[int]:
        """The largest absolute value of each column, at least 1."""
        if not len(self):
            return [1] * self.dimension
        return [
            max(1, int(high), -int(low))
            for high, low in zip(self.exact.max(axis=0), self.exact.min(axis=0), strict=True)
        ]

    def products(self, weights: Sequence[int]) -> Integers:
        """The exact inner product of every row with `weights`."""
        size = self.reach(weights)
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
        if max(map(self.reach, weights), default=0) < _DOUBLE:
            return np.sign(self.floats @ table.floats.T).astype(np.int8)
        value = self.floats @ table.floats.T
        result = np.sign(value).astype(np.int8)
        # the bound of `_filtered` with the largest number of a row in place of each: quick, and mostly enough
        bounds = (self.dimension + 16) * _UNIT * np.abs(table.floats).sum(axis=1)
        for column in range(len(table)):
            near = np.flatnonzero(np.abs(value[:, column]) <= self._sizes * bounds[column])
            if near.size:
                result[near, column] = self._close_signs(near, table.take([column]))
        return result

    @cached_property
    def _sizes(self) -> npt.NDArray[np.float64]:
        """The largest absolute value of each row."""
        # column by column: numpy is slow along short rows
        return np.asarray(reduce(np.maximum, map(np.abs, self.floats.T), np.zeros(len(self))))

    def _close_signs(self, near: npt.NDArray[np.intp], weights: Vectors) -> npt.NDArray[np.int8]:
        some = self.take(near)
        value, error = some._filtered(weights)
        signs = np.sign(value[:, 0]).astype(np.int8)
        unsure = np.flatnonzero(np.abs(value) <= error)
        signs[unsure] = np.sign(some._objects[unsure] @ weights.exact[0].astype(object)).astype(np.int8)
        return signs

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
        rows = np.arange(len(self))
        for closely in (False, True):
            bounds = self.take(rows).ratios(weights, scale, closely=True) if closely else self.ratios(weights, scale)
            if bounds is not None:
                ratio, slack = bounds
                rows = rows[ratio - slack <= np.min(ratio + slack)]
            if rows.size <= _FEW:
                break
        return self._least_of(rows, weights, scale)

    def ratios(
        self, above: Sequence[int], below: Sequence[int], *, closely: bool = False
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
        """`<row, above> / <row, below>` in floats, and how far off each may be; None where floats are no help.

        How far is said quickly, from the largest number of each row, or `closely`, from all of them.
        """
        if not above or max(self.largest, *(abs(v) for v in (*above, *below))) >= _FILTER:
            return None
        table = Vectors.of([above, below], self.dimension)
        up, down = self.floats @ table.floats[0], self.floats @ table.floats[1]
        off_up, off_down = self._errors(table, closely=closely)
        surely = down - off_down
        if bool(np.any(surely <= off_down)):
            return None
        ratio = up / down
        # |n/d - ratio| <= (E_n + |ratio| E_d) / (d - E_d), and a little more for the roundings of this very line
        size = np.abs(ratio)
        return ratio, (off_up + size * off_down) / surely * 1.25 + size * (8 * _UNIT)

    def _errors(self, table: Vectors, *, closely: bool) -> list[npt.NDArray[np.float64]]:
        """For each row of a table, how far off the float products with it may be."""
        if closely:
            return [*self._filtered(table)[1].T]
        return [self._sizes * (bound * _UNIT * (self.dimension + 16)) for bound in np.abs(table.floats).sum(axis=1)]

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


def runs_in_order(
    vectors: Vectors, above: Sequence[int], *, below: Sequence[int]
) -> tuple[npt.NDArray[np.intp], list[tuple[int, int]]]:
    """Rows sorted by the float of `<row, above> / <row, below>`, and the runs [start, stop) that floats cannot order.

    `<row, below>` is positive on every row.  Rows of different runs are in the right order.
    """
    quickly = _runs(vectors.ratios(above, below))
    if quickly is not None and sum(stop - start for start, stop in quickly[1]) <= len(vectors) // 16:
        return quickly
    everything = np.arange(len(vectors)), [(0, len(vectors))] if len(vectors) else []
    return _runs(vectors.ratios(above, below, closely=True)) or everything


def _runs(
    bounds: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None,
) -> tuple[npt.NDArray[np.intp], list[tuple[int, int]]] | None:
    if bounds is None:
        return None
    ratio, slack = bounds
    order = np.argsort(ratio, kind="stable")
    highest = np.maximum.accumulate((ratio + slack)[order])
    lowest = np.minimum.accumulate((ratio - slack)[order][::-1])[::-1]
    near = highest[:-1] >= lowest[1:]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], near, [False]]).astype(np.int8)))
    return order, [(int(a), int(b) + 1) for a, b in edges.reshape(-1, 2)]
