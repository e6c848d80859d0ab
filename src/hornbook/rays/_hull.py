"""Rays in three dimensions: the corners of a convex polygon, by sorting and an exact orientation test.

The plane `<w, x> = 1` cuts the cone in a polygon whose corners are the extreme rays.  Points are sorted on that plane
and a monotone chain (Andrew 1979) keeps the corners: three vectors turn left exactly when their determinant is
positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Vectors, ratio_runs
from hornbook.progress import Progress, silent

__all__ = ["polygon_corners"]

Point = tuple[int, int, int]


def polygon_corners(vectors: Vectors, weights: Sequence[int], progress: Progress = silent, /) -> list[int]:
    """The rows that are corners of the cross-section.  Only for three dimensions, vectors that span them.

    Cost: sorting, then a few exact determinants per vector in Python (about a microsecond each).
    """
    return sorted(polygon_walk(vectors, weights))


def polygon_walk(vectors: Vectors, weights: Sequence[int]) -> list[int]:
    """The corners in the order in which they stand around the polygon."""
    first, second = _plane_axes(weights)
    height = vectors.products(weights)
    points = np.stack([vectors.exact[:, first], vectors.exact[:, second], height], axis=1)
    order = _by_position(points)
    table: list[Point] = [(u, v, t) for u, v, t in points[order].tolist()]
    lower = _chain(table, range(len(table)))
    upper = _chain(table, range(len(table) - 1, -1, -1))
    return [int(order[i]) for i in (*lower[:-1], *upper[:-1])]


def _plane_axes(weights: Sequence[int]) -> tuple[int, int]:
    """Two coordinates that, with the height <w, x>, still tell all vectors apart."""
    dropped = next(axis for axis in range(2, -1, -1) if weights[axis] != 0)
    first, second = (axis for axis in range(3) if axis != dropped)
    return first, second


def _by_position(points: Integers) -> npt.NDArray[np.intp]:
    """Rows sorted by (u/t, v/t), exactly: floats sort what they can tell apart, fractions the rest."""
    order, runs = ratio_runs(points[:, 0], points[:, 2])
    for start, stop in runs:
        part = order[start:stop].tolist()
        part.sort(key=lambda i: _position(*points[i].tolist()))
        order[start:stop] = part
    return order


def _position(u: int, v: int, t: int) -> tuple[Fraction, Fraction]:
    return Fraction(u, t), Fraction(v, t)


def _chain(points: Sequence[Point], walk: range) -> list[int]:
    """The corners met walking along one side, always turning left."""
    kept: list[int] = []
    for i in walk:
        while len(kept) >= 2 and not _left_turn(points[kept[-2]], points[kept[-1]], points[i]):
            kept.pop()
        kept.append(i)
    return kept


def _left_turn(a: Point, b: Point, c: Point) -> bool:
    """Whether a, b, c (homogeneous, positive heights) turn strictly left: their determinant is positive."""
    minor1 = b[1] * c[2] - b[2] * c[1]
    minor2 = b[0] * c[2] - b[2] * c[0]
    minor3 = b[0] * c[1] - b[1] * c[0]
    return a[0] * minor1 - a[1] * minor2 + a[2] * minor3 > 0
