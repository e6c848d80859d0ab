"""Why a direction needs no demonstration of its own: a few rays whose positive combination it is."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors
from hornbook.rays._bases import bases_around
from hornbook.rays._cone import Cone, Outside
from hornbook.rays._rank import spanning_columns
from hornbook.rays._realize import Conflict, realize

__all__ = ["combinations", "outside"]

_NEIGHBOURS = 1024


def combinations(rays: Vectors, vectors: Vectors) -> list[tuple[int, ...]]:
    """For each vector, the rays (linearly independent, so at most d) of which it is a strictly positive combination.

    One canonical pass in the order given: the same rays and vectors yield the same index sets on any machine.
    A vector outside the cone of the rays is a `ValueError`.  Cost: some microseconds for a vector that needs as many
    rays as there are dimensions; for the others, on faces, as `grow_frame` without its passes for new rays.
    """
    bases = np.sort(_guessed(rays, vectors), axis=1)
    undecided = np.asarray((bases < 0).any(axis=1))
    found = [tuple(basis) for basis in bases.tolist()]
    cone = Cone(rays)
    while True:
        waiting = np.flatnonzero(undecided)
        if waiting.size == 0:
            return found
        first = int(waiting[0])
        if isinstance(cone.locate(vectors.row(first)), Outside):
            raise ValueError(f"vector {first} is not a combination of the rays")
        near = waiting[:_NEIGHBOURS]
        for i, support in zip(near.tolist(), cone.supports(vectors.take(near)), strict=True):
            if support is not None:
                found[i], undecided[i] = support, False


def _guessed(rays: Vectors, vectors: Vectors) -> npt.NDArray[np.int32]:
    """Bases around the vectors where floats can prove them, in the span of the rays; -1 elsewhere."""
    nothing = np.full((len(vectors), 1), -1, dtype=np.int32)
    columns = spanning_columns(rays) if len(vectors) else []
    if not columns or spanning_columns(Vectors(np.concatenate([rays.exact, vectors.exact]))) != columns:
        return nothing
    few = rays.columns(columns)
    weights = realize(few)
    if isinstance(weights, Conflict):
        return nothing
    return bases_around(few, vectors.columns(columns), weights=weights)


def outside(generators: Vectors, vectors: Vectors) -> dict[int, tuple[int, ...]]:
    """The vectors that are not in the cone of the generators, each with weights that separate it.

    The weights are nonnegative on all generators and negative on the vector.  Cost: as `combinations`; weights found
    for one vector are tried on all that are left.
    """
    cone = Cone(generators)
    found: dict[int, tuple[int, ...]] = {}
    undecided = np.ones(len(vectors), dtype=np.bool_)
    while True:
        waiting = np.flatnonzero(undecided)
        if waiting.size == 0:
            return dict(sorted(found.items()))
        answer = cone.locate(vectors.row(int(waiting[0])))
        if isinstance(answer, Outside):
            settled = waiting[vectors.take(waiting).products(answer.weights) < 0]
            found.update((int(i), answer.weights) for i in settled)
        else:
            near = waiting[:_NEIGHBOURS]
            settled = near[cone.certify(vectors.take(near))]
        undecided[settled] = False
