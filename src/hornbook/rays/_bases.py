"""Around each of many vectors, rays of whose cone it is in: guessed for all at once, and proved.

The same rays and vectors in the same order have the same bases, whatever found the rays: guesses are made from a framed
section with plain operations in a fixed order.  What is not proved is not told.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import NEARLY, Vectors, balanced, framed, surely_combined
from hornbook.rays._compiled import kernels
from hornbook.rays._kernel import INSIDE
from hornbook.rays._simplex import local_order
from hornbook.rays._view import Floats, Places, independent

__all__ = ["bases_around", "own_directions"]

Bases = npt.NDArray[np.int32]
_FEW = 64  # vectors: up to here the exact simplex needs no help
_BLOCK = 1 << 22  # products held at once
_PART = 4096  # vectors in local order that are looked at together


def bases_around(rays: Vectors, vectors: Vectors, *, weights: Sequence[int]) -> Bases:
    """For each vector d rays with positive multipliers that add up to it; a row of -1 where none are proved.

    `weights` are positive on all of them.  Cost: in two and three dimensions sorting; else a few pivots per vector,
    each a product with all rays, in compiled code.
    """
    count, d = rays.exact.shape
    bases = np.full((len(vectors), d), -1, dtype=np.int32)
    if len(vectors) <= _FEW or count < d or d < 2:
        return bases
    both = Vectors(np.concatenate([rays.exact, vectors.exact]))
    table = balanced(both)
    seen = None if table is None else framed(*table, count=count, weights=weights)
    if table is None or seen is None:
        return bases
    guess, known = _guessed(seen.points[:count], seen.points[count:])
    asked = np.flatnonzero(known)
    proved = surely_combined(table[0], guess[asked], vectors=table[0][count:][asked])
    bases[asked[proved]] = guess[asked[proved]]
    return bases


def own_directions(points: Floats, asked: Places) -> dict[int, Floats]:
    """Weights that set points of a section apart from all others, for those of some that their own direction does."""
    found: dict[int, Floats] = {}
    step = max(1, _BLOCK // len(points))
    for start in range(0, len(asked), step):
        some = asked[start : start + step]
        values = np.zeros((len(some), len(points)))
        for axis in range(1, points.shape[1]):
            values += np.outer(points[some, axis], points[:, axis])
        place = np.arange(len(some))
        own = values[place, some].copy()
        values[place, some] = -np.inf
        top = values.max(axis=1)
        for i in np.flatnonzero(own > top + NEARLY).tolist():
            found[int(some[i])] = np.concatenate([[top[i]], -points[some[i], 1:]])
    return found


def _guessed(frame: Floats, points: Floats) -> tuple[Bases, npt.NDArray[np.bool_]]:
    """A basis for each point, and whether it is worth a proof."""
    d = points.shape[1]
    if d == 2:
        ends = [int(frame[:, 1].argmin()), int(frame[:, 1].argmax())]
        return np.tile(np.array(ends, dtype=np.int32), (len(points), 1)), np.ones(len(points), dtype=np.bool_)
    return _fan(frame[:, 1:], points[:, 1:]) if d == 3 else _swept(frame, points)


def _fan(frame: Floats, points: Floats) -> tuple[Bases, npt.NDArray[np.bool_]]:
    """Triangles of one corner of a polygon with each of the sides that it is not on."""
    towards = frame[1:].mean(axis=0) - frame[0]
    turned = np.array([-towards[1], towards[0]])

    def angles(some: Floats) -> Floats:
        arms = some - frame[0]
        return np.asarray(np.arctan2(arms @ turned, arms @ towards))

    others = angles(frame[1:])
    order = np.argsort(others, kind="stable")
    after = np.clip(np.searchsorted(others[order], angles(points)), 1, len(order) - 1)
    sides = np.stack([np.zeros_like(after), order[after - 1] + 1, order[after] + 1], axis=1)
    return sides.astype(np.int32), np.ones(len(points), dtype=np.bool_)


def _swept(frame: Floats, points: Floats) -> tuple[Bases, npt.NDArray[np.bool_]]:
    """The float simplex, asked about one point after the other, neighbours together."""
    count, d = frame.shape
    order: Places = local_order(points[:, 1:])
    asked = np.ascontiguousarray(points[order])
    columns = np.zeros((d, count + 1))
    columns[:, :count] = frame.T
    basis = np.stack([independent(frame)] * 2)
    inverse = np.linalg.inv(columns[:, basis[0]])
    known, found = np.zeros(len(points), dtype=np.int8), np.zeros((len(points), d), dtype=np.int32)
    loops, names, ties = kernels(4 * points.size * count), np.arange(count + 1), np.zeros(len(points))
    for start in range(0, len(points), _PART):
        part, at = slice(start, start + _PART), 0
        while at < len(asked[part]):
            # whatever is outside would join the rays; there is room for one, which is forgotten again
            at, _ = loops.sweep(
                *(columns, names, count),
                *(asked[part], order[part], ties[part], at, len(asked[part])),
                *(basis, inverse, known[part], found[part], NEARLY),
            )
            columns[:, count] = 0.0
    bases, inside = np.zeros_like(found), np.zeros(len(points), dtype=np.bool_)
    bases[order], inside[order] = found, known == INSIDE
    return bases, inside
