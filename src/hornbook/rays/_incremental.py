"""Rays in any dimension, one new ray at a time (Clarkson 1994; Dula and Helgason 1996).

Each vector is asked of the cone of the rays found so far, not of all vectors.  If it is outside, the separating weights
lead to a ray that was missing: the vector furthest out in their direction.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np

from hornbook.arithmetic import Vectors
from hornbook.progress import Progress, silent
from hornbook.rays._cone import Cone, Inside

__all__ = ["grow_frame", "grown_within"]

_NEIGHBOURS = 256  # how many following vectors are tried on the basis that held the last one


def grow_frame(vectors: Vectors, weights: Sequence[int], progress: Progress = silent, /) -> list[int]:
    """The rows on extreme rays.

    Cost: m questions to a cone of at most h generators, h passes over all m vectors: about m h d operations in filtered
    floats plus d^2 exact ones per pivot.  Good while h is well below m.
    """
    found = grown_within(math.inf, vectors, weights=weights, progress=progress)
    return [] if found is None else found


def grown_within(
    seconds: float, vectors: Vectors, *, weights: Sequence[int], progress: Progress = silent
) -> list[int] | None:
    """The same, or None when it takes longer."""
    stop = time.thread_time() + seconds
    rows = _first_rays(vectors, weights)
    cone = Cone(vectors.take(rows))
    undecided = np.ones(len(vectors), dtype=np.bool_)
    undecided[rows] = False
    while True:
        waiting = np.flatnonzero(undecided)
        if waiting.size == 0:
            return sorted(rows)
        if time.thread_time() > stop:
            return None
        answer = cone.locate(vectors.row(int(waiting[0])))
        if isinstance(answer, Inside):
            near = waiting[:_NEIGHBOURS]
            undecided[near[cone.certify(vectors.take(near))]] = False
        else:
            new = vectors.extreme(answer.weights, weights)
            rows.append(new)
            cone.extend(vectors.take([new]))
            undecided[new] = False
        progress("finding extreme rays", len(vectors) - waiting.size, len(vectors))


def _first_rays(vectors: Vectors, weights: Sequence[int]) -> list[int]:
    """The ends of every axis on the cross-section: rays found without any question."""
    axes = np.eye(vectors.dimension, dtype=int).tolist()
    found = {vectors.extreme([sign * v for v in axis], weights) for axis in axes for sign in (1, -1)}
    return sorted(found)
