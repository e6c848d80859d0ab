"""Rays in four dimensions and more, guessed by a warm float simplex and proved in bulk (Clarkson 1994; Dula 2011).

Each vector is asked of the cone of the candidates found so far, neighbours after each other, so that the basis around
one is nearly the basis around the next.  What is outside leads to a new candidate: the vector furthest out.  In the
end each candidate is asked of the others.  `_proofs` proves the guesses, and the exact simplex decides the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import NEARLY, Vectors
from hornbook.progress import Progress, silent
from hornbook.rays._compiled import kernels
from hornbook.rays._incremental import grow_frame
from hornbook.rays._kernel import FRAME, INSIDE, OPEN
from hornbook.rays._proofs import proved_rows
from hornbook.rays._view import Floats, Guesses, Places, View, independent

__all__ = ["leave_out", "local_order", "walk", "walk_frame"]

_DIRECTIONS = 32  # first candidates are furthest out in this many random directions, and as many opposite ones
_FINE = 18  # bits of a place in local order
_SEED = 20
_PATIENCE = 20_000_000  # elementary steps between two words to whoever waits


def walk_frame(vectors: Vectors, weights: Sequence[int], progress: Progress = silent, /) -> list[int]:
    """The rows on extreme rays.

    Cost: about d pivots per vector, one or two where local order helps (d < 10), each a product with h candidates.
    Good while h is well below m, or at most some thousands.
    """
    view = View.of(vectors, weights)
    return (
        grow_frame(vectors, weights, progress)
        if view is None
        else proved_rows(view, walk(view, progress), progress=progress)
    )


def walk(view: View, progress: Progress) -> Guesses:
    """Ask every point, then every candidate."""
    state = _Walk.over(view.points, view.spanning)
    state.ask_all(progress)
    names, count = state.names[: state.count], state.count
    rays = leave_out(view.points[np.sort(names)], asked=np.arange(count), progress=progress)
    inside, names = state.known == INSIDE, np.sort(names)
    return Guesses(
        inside=np.concatenate([state.rows[inside], names[rays.inside]]),
        bases=np.concatenate([state.found[inside], names[rays.bases].astype(np.int32)]),
        rays=names[rays.rays],
        witness=rays.witness,
        stuck=np.concatenate([state.rows[state.known > FRAME], names[rays.stuck]]),
    )


@dataclass(eq=False)
class _Walk:
    """Points in local order, and the candidates so far as columns."""

    points: Floats
    rows: Places  # of the points
    ties: Floats  # places along a generic direction
    known: npt.NDArray[np.int8]
    found: npt.NDArray[np.int32]  # the basis around each point that is inside
    columns: Floats
    names: Places  # rows of the columns
    count: int
    basis: Places
    inverse: npt.NDArray[Any]

    @classmethod
    def over(cls, points: Floats, spanning: Places) -> _Walk:
        count, d = points.shape
        directions = np.random.Generator(np.random.PCG64(_SEED)).standard_normal((d - 1, _DIRECTIONS))
        along = points[:, 1:] @ directions
        first = np.unique(np.concatenate([along.argmin(axis=0), along.argmax(axis=0), spanning]))
        order = local_order(points[:, 1:])
        known = np.zeros(count, dtype=np.int8)
        known[first] = FRAME
        columns = np.zeros((d, 2 * len(first) + 256))
        columns[:, : len(first)] = points[first].T
        names = np.zeros(columns.shape[1], dtype=np.intp)
        names[: len(first)] = first
        basis = np.searchsorted(first, spanning)
        return cls(
            points=np.ascontiguousarray(points[order]),
            rows=order,
            ties=along[order, 0].copy(),
            known=known[order],
            found=np.zeros((count, d), dtype=np.int32),
            columns=columns,
            names=names,
            count=len(first),
            basis=np.stack([basis, basis]),
            inverse=np.linalg.inv(columns[:, basis]),
        )

    def ask_all(self, progress: Progress) -> None:
        """Part by part: new candidates are looked for in the part alone, so it is large where they are costly."""
        total, d = self.points.shape
        start = 0
        while start < total:
            stop = min(total, start + max(4 * d * self.count, 2 ** min(d + 7, 40)))
            self._ask(slice(start, stop), progress)
            start = stop

    def _ask(self, part: slice, progress: Progress) -> None:
        at, size = 0, part.stop - part.start
        loops = kernels(4 * self.points.size * self.count)
        while at < size:
            pause = at + 8 + _PATIENCE // (self.points.shape[1] ** 2 * self.count)
            at, self.count = loops.sweep(
                *(self.columns, self.names, self.count),
                *(self.points[part], self.rows[part], self.ties[part], at, min(pause, size)),
                *(self.basis, self.inverse, self.known[part], self.found[part], NEARLY),
            )
            if self.count == self.columns.shape[1]:
                self.columns = np.concatenate([self.columns, np.zeros_like(self.columns)], axis=1)
                self.names = np.concatenate([self.names, np.zeros_like(self.names)])
            progress("finding extreme rays", part.start + at, len(self.points))


def leave_out(points: Floats, *, asked: Places, progress: Progress) -> Guesses:
    """Is each of the points asked about in the cone of the others?  Rows are places among the points.

    Points that floats cannot tell from a flat are no place to start from: then the answer to all is "stuck".
    """
    count, d = points.shape
    order = np.concatenate([asked, np.setdiff1d(np.arange(count), asked)])
    columns = np.ascontiguousarray(points[order].T)
    basis = independent(points[order])
    if len(basis) < d:
        nothing = asked[:0]
        return Guesses(nothing, np.zeros((0, d), dtype=np.int32), nothing, np.zeros((0, d)), stuck=asked)
    inverse = np.linalg.inv(columns[:, basis])
    known, witness = np.zeros(len(asked), dtype=np.int8), np.zeros((len(asked), d))
    around, both = np.zeros((len(asked), d), dtype=np.int32), np.stack([basis, basis])
    loops, step = kernels(len(asked) * d * d * (count + d)), 8 + _PATIENCE // (count * d * d)
    for start in range(0, len(asked), step):
        stop = min(len(asked), start + step)
        loops.left_out(columns, count, start, stop, both, inverse, known, around, witness, NEARLY)
        progress("making sure of extreme rays", stop, len(asked))
    inside, open_rows = known == INSIDE, known == OPEN
    return Guesses(
        inside=asked[inside],
        bases=order[around[inside]].astype(np.int32),
        rays=asked[open_rows],
        witness=witness[open_rows],
        stuck=asked[known > FRAME],
    )


def local_order(points: Floats) -> Places:
    """Points along a Z-curve through their ranks, so that neighbours in the order are neighbours in space."""
    count, d = points.shape
    axes = min(d, _FINE)
    bits = _FINE // axes
    code = np.zeros(count, dtype=np.int64)
    places = np.empty((axes, count), dtype=np.int64)
    for axis in range(axes):
        places[axis, np.argsort(points[:, axis], kind="stable")] = np.arange(count)
    for bit in range(bits):
        for rank in places:
            code = 2 * code + ((rank * 2 ** (bit + 1)) // count) % 2
    return np.argsort(code, kind="stable").astype(np.intp)
