"""Rays where nearly everything is one: each vector set apart from all others at once, by cutting planes in bulk.

On a rounded section most rays are furthest out in their own direction, which one matrix product shows for all of them.
Each of the others keeps a small working set, whatever was further out: either it is inside the cone of its set, or
weights that set it apart from the set are tried on everything by the next product.  After a few rounds the rest is left
to the simplex.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import NEARLY, Vectors
from hornbook.progress import Progress, silent
from hornbook.rays._compiled import kernels
from hornbook.rays._incremental import grow_frame
from hornbook.rays._kernel import FRAME, INSIDE, OPEN
from hornbook.rays._proofs import proved_rows
from hornbook.rays._simplex import leave_out
from hornbook.rays._view import Floats, Guesses, Places, View

__all__ = ["cut", "cut_apart", "share_in_own_direction"]

_BLOCK = 1 << 22  # products held at once
_ROUNDS = 6
_NEW = 8  # members that join a working set in a round
_SAMPLE = 256


def cut_apart(vectors: Vectors, weights: Sequence[int], progress: Progress = silent, /) -> list[int]:
    """The rows on extreme rays.

    Cost: one product of all points with all points, and less for every round; the simplex for what is left.  Good
    when many of the vectors are rays: in d >= 16, on spheres, cubes and the like.
    """
    view = View.of(vectors, weights)
    return (
        grow_frame(vectors, weights, progress)
        if view is None
        else proved_rows(view, cut(view, progress), progress=progress)
    )


def share_in_own_direction(points: Floats) -> float:
    """Of a sample of the points, how many are furthest out in their own direction."""
    sample = np.random.Generator(np.random.PCG64(0)).permutation(len(points))[:_SAMPLE]
    left = sample
    for start in range(0, len(points), _BLOCK // _SAMPLE):
        part = points[start : start + _BLOCK // _SAMPLE, 1:]
        values = points[left, 1:] @ part.T
        own = np.einsum("ij,ij->i", points[left, 1:], points[left, 1:])
        inside = np.flatnonzero((left >= start) & (left < start + len(part)))
        values[inside, left[inside] - start] = -np.inf
        left = left[own > values.max(axis=1)]
    return len(left) / len(sample)


def cut(view: View, progress: Progress) -> Guesses:
    """Rounds of one product each, then the simplex for what is still open."""
    work = _Cuts.over(view.points, view.spanning)
    for number in range(_ROUNDS):
        if work.open.size:
            work.look(2 * view.points.shape[1] if number == 0 else _NEW, progress)
            work.decide()
    return work.guesses(progress)


@dataclass(eq=False)
class _Cuts:
    points: Floats
    open: Places
    places: npt.NDArray[np.int32]  # the working set of each point
    taken: npt.NDArray[np.int64]
    weights: Floats  # under trial: high on the point, low on others
    shares: Floats
    known: npt.NDArray[np.int8]  # OPEN, INSIDE or FRAME
    found: npt.NDArray[np.int32]
    witness: Floats
    home: Places

    @classmethod
    def over(cls, points: Floats, spanning: Places) -> _Cuts:
        count, d = points.shape
        own = points.copy()
        own[:, 0] = 0.0
        room = 2 * d + _NEW * _ROUNDS
        return cls(
            points=points,
            open=np.arange(count),
            places=np.zeros((count, room), dtype=np.int32),
            taken=np.zeros(count, dtype=np.int64),
            weights=own,
            shares=np.zeros((count, room)),
            known=np.zeros(count, dtype=np.int8),
            found=np.zeros((count, d), dtype=np.int32),
            witness=np.zeros((count, d)),
            home=spanning,
        )

    def look(self, room: int, progress: Progress) -> None:
        """Try the weights of all open points on everything that is not inside; `room` new members for each set."""
        others = np.flatnonzero(self.known != INSIDE)
        across = np.ascontiguousarray(self.points[others].T)
        place = np.full(len(self.points), -1, dtype=np.int32)
        place[others] = np.arange(len(others))
        step, loops = max(1, _BLOCK // len(others)), kernels(self.open.size * others.size)
        for start in range(0, self.open.size, step):
            rows = self.open[start : start + step]
            values, own = self.weights[rows] @ across, place[rows]
            mine = values[np.arange(len(rows)), own]
            near = NEARLY * np.linalg.norm(self.weights[rows], axis=1)
            least = mine - near if self.taken.any() else np.full(len(rows), -np.inf)
            places, taken, top = place[self.places[rows]], self.taken[rows], np.empty(len(rows))
            loops.judged(values, own, least, room, places, taken, top)
            self._settle(rows[mine > top + near], np.maximum(top, least)[mine > top + near])
            fresh = np.arange(places.shape[1]) >= self.taken[rows][:, None]
            self.places[rows] = np.where(fresh, others[places], self.places[rows])
            self.taken[rows] = taken
            progress("finding extreme rays", len(self.points) - self.open.size + start, len(self.points))
        self.open = self.open[self.known[self.open] == OPEN]

    def _settle(self, rays: Places, top: Floats) -> None:
        self.known[rays] = FRAME
        self.witness[rays] = -self.weights[rays]
        self.witness[rays, 0] += top

    def decide(self) -> None:
        """Look at each open point's working set alone: is it inside, or which weights are to be tried next?"""
        rows, d = self.open, self.points.shape[1]
        known, found = np.zeros(len(rows), dtype=np.int8), np.zeros((len(rows), d), dtype=np.int32)
        weights, shares = self.weights[rows], self.shares[rows]
        weights[~shares.any(axis=1)] = 0.0
        kernels(rows.size * d**4).worked(
            *(self.points, rows, self.places[rows], self.taken[rows], self.home),
            *(known, found, weights, shares, NEARLY),
        )
        self.weights[rows], self.shares[rows] = weights, shares
        self.known[rows], self.found[rows] = known, found
        self.open = rows[known != INSIDE]

    def guesses(self, progress: Progress) -> Guesses:
        """What is known, and the simplex asked about the rest."""
        kept = np.flatnonzero(self.known != INSIDE)
        rest = leave_out(self.points[kept], asked=np.searchsorted(kept, self.open), progress=progress)
        inside, rays = np.flatnonzero(self.known == INSIDE), np.flatnonzero(self.known == FRAME)
        return Guesses(
            inside=np.concatenate([inside, kept[rest.inside]]),
            bases=np.concatenate([self.found[inside], kept[rest.bases].astype(np.int32)]),
            rays=np.concatenate([rays, kept[rest.rays]]),
            witness=np.concatenate([self.witness[rays], rest.witness]),
            stuck=kept[rest.stuck],
        )
