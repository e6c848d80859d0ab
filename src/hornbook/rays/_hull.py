"""Rays in three dimensions: the corners of a convex polygon, by sorting and an exact orientation test.

The plane `<w, x> = 1` cuts the cone in a polygon whose corners are the extreme rays.  A few corners far apart show most
of what is inside (Akl and Toussaint 1978); the rest is sorted along a line and split into those below and above its
ends.  On either side a vector goes when it does not stick out between its neighbours; as many as there are go at once,
until each one left sticks out: the corners of the monotone chain (Andrew 1979), by arrays alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Turns, Vectors, narrowed, runs_in_order
from hornbook.progress import Progress, silent
from hornbook.rays._central import central_weights

__all__ = ["polygon_corners", "polygon_walk"]

Places = npt.NDArray[np.intp]

_MANY = 5_000  # vectors from which on it pays to drop the inside first
_SIDES = 16  # of the polygon inside which vectors are dropped
_SAMPLE = 1_000  # of them are tried first,
_WORTH = 0.2  # and if no more than this share is inside, the rest is not asked
_FEW = 200  # doubtful places below which one after the other is faster than all at once
_BLOCK = 1 << 16  # vectors compared with the sides of the polygon at once
_ALONG = (1_000_003, 786_433)  # a line on which lattice points, and mirrored ones, do not fall on each other


def polygon_corners(vectors: Vectors, weights: Sequence[int], progress: Progress = silent, /) -> list[int]:
    """The rows that are corners of the cross-section.  Only for three dimensions, vectors that span them.

    Cost: sorting what is not obviously inside, and some hundred float operations for each of that.
    """
    if len(vectors) < _MANY:
        return sorted(polygon_walk(vectors, weights))
    weights = central_weights(vectors, weights)
    rows = _not_inside(vectors, weights)
    progress("finding extreme rays", len(vectors) - len(rows), len(vectors))
    return sorted(rows[polygon_walk(vectors.take(rows), weights)].tolist())


def polygon_walk(vectors: Vectors, weights: Sequence[int]) -> list[int]:
    """The corners in the order in which they stand around the polygon, with the first on the left of the others."""
    points = _on_plane(vectors, weights)
    order = _by_position(points)
    turns = Turns(points.take(order))
    last = len(order) - 1
    if last < 2:
        return [int(row) for row in order]
    inner = np.arange(1, last)
    side = turns.signs(np.zeros_like(inner), np.full_like(inner, last), inner)
    below = _sticking_out(turns, np.concatenate([[0], inner[side < 0], [last]]))
    above = _sticking_out(turns, np.concatenate([[last], inner[side > 0][::-1], [0]]))
    return [int(row) for row in order[np.concatenate([below[:-1], above[:-1]])]]


def _on_plane(vectors: Vectors, weights: Sequence[int]) -> Vectors:
    """Two coordinates that, with the height <w, x>, still tell all vectors apart; and the height."""
    dropped = next(axis for axis in range(2, -1, -1) if weights[axis] != 0)
    first, second = (axis for axis in range(3) if axis != dropped)
    sides = (vectors.exact[:, first], vectors.exact[:, second])
    return Vectors(narrowed(np.stack([*sides, vectors.products(weights)], axis=1)))


def _by_position(points: Vectors) -> Places:
    """Rows sorted along a line on the plane, exactly: floats sort what they can tell apart, fractions the rest.

    Of vectors on one ray the first stays.
    """
    along = _line(points)
    order, runs = runs_in_order(points, (*along, 0), below=(0, 0, 1))
    fresh = np.ones(len(order), dtype=np.bool_)
    for start, stop in runs:
        part = sorted((_position(points.row(i), along), i) for i in order[start:stop].tolist())
        order[start:stop] = [i for _, i in part]
        fresh[start + 1 : stop] = [this[0] != last[0] for this, last in zip(part[1:], part, strict=False)]
    return order[fresh]


def _line(points: Vectors) -> tuple[int, int]:
    """A direction in which both coordinates count."""
    with np.errstate(invalid="ignore"):
        spread = np.ptp(_section(points), axis=0)
    if not (np.isfinite(spread) & (spread > 0)).all():
        return _ALONG
    shift = int(np.clip(np.rint(np.log2(spread[0]) - np.log2(spread[1])), -400, 400))
    return _ALONG[0] << max(0, -shift), _ALONG[1] << max(0, shift)


def _section(points: Vectors) -> npt.NDArray[np.float64]:
    """The points of the plane in floats, to guess on."""
    shapes = points.shapes
    with np.errstate(all="ignore"):
        return np.asarray(shapes[:, :2] / shapes[:, 2:])


def _position(point: tuple[int, ...], along: tuple[int, int]) -> tuple[Fraction, Fraction]:
    u, v, t = point
    return Fraction(along[0] * u + along[1] * v, t), Fraction(v, t)


def _sticking_out(turns: Turns, walk: Places) -> Places:
    """The corners met walking along one side, always turning left.

    Whatever does not turn left between two others on the same side is on their segment or inside, so it is no corner
    and all like it can go at once.  The neighbours of what went are looked at again.
    """
    places = np.arange(1, len(walk) - 1)
    while places.size > _FEW:
        out = turns.signs(walk[places - 1], walk[places], walk[places + 1]) <= 0
        gone = np.zeros(len(walk), dtype=np.bool_)
        gone[places[out]] = True
        stays = np.flatnonzero(~gone)
        gaps = np.diff(stays) > 1
        walk, doubtful = walk[stays], np.append(gaps, False)
        doubtful[1:] |= gaps
        places = np.flatnonzero(doubtful[1:-1]) + 1
    return _one_by_one(turns, walk, places.tolist())


def _one_by_one(turns: Turns, walk: Places, doubtful: list[int]) -> Places:
    """The same for a few doubtful places, in a chain of neighbours."""
    if not doubtful:
        return walk
    rows = walk.tolist()
    before, after = [i - 1 for i in range(len(rows))], [i + 1 for i in range(len(rows))]
    there = [True] * len(rows)
    while doubtful:
        i = doubtful.pop()
        if there[i] and not turns.left(rows[before[i]], rows[i], rows[after[i]]):
            there[i] = False
            after[before[i]], before[after[i]] = after[i], before[i]
            doubtful += [j for j in (before[i], after[i]) if 0 < j < len(rows) - 1]
    return np.asarray(walk[there])


def _not_inside(vectors: Vectors, weights: Sequence[int]) -> Places:
    """The rows that are not inside a polygon whose corners are far out in a few directions."""
    section, angles = _section(_on_plane(vectors, weights)), np.arange(_SIDES) * (2 * np.pi / _SIDES)
    with np.errstate(all="ignore"):
        section -= section.mean(axis=0)
        spread, axes = np.linalg.eigh(np.nan_to_num(section.T @ section))
        round_about = np.stack([np.cos(angles), np.sin(angles)], axis=1) / np.sqrt(spread)
        far = round_about @ axes.T @ section.T
    few = np.unique(far.argmax(axis=1))
    corners = few[polygon_walk(vectors.take(few), weights)].tolist()
    if len(corners) < 3:
        return np.arange(len(vectors))
    around = [vectors.row(corner) for corner in corners]
    normals = [_across(around[i - 1], around[i]) for i in range(len(around))]
    side = 1 if sum(a * b for a, b in zip(normals[0], around[1], strict=True)) > 0 else -1
    sides = [[side * n for n in normal] for normal in normals]
    if _inside(vectors.take(np.arange(0, len(vectors), -(-len(vectors) // _SAMPLE))), sides).mean() < _WORTH:
        return np.arange(len(vectors))
    parts = range(0, len(vectors), _BLOCK)
    return np.flatnonzero(~np.concatenate([_inside(Vectors(vectors.exact[i : i + _BLOCK]), sides) for i in parts]))


def _inside(vectors: Vectors, sides: Sequence[Sequence[int]]) -> npt.NDArray[np.bool_]:
    return np.asarray(np.logical_and.reduce(vectors.signs(sides).T > 0))


def _across(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The normal of the plane through two vectors."""
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
