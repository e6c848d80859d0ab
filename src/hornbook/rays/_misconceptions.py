"""The proof that a ray cannot be spared: weights that are right everywhere but on that ray."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbook.arithmetic import Vectors, primitive_vector
from hornbook.rays._cone import Cone, Inside
from hornbook.rays._realize import rounded

__all__ = ["misconception"]


def misconception(vectors: Vectors, row: int, *, rays: Sequence[int], weights: Sequence[int]) -> tuple[int, ...]:
    """Weights negative on `vectors[row]`, an extreme ray, and positive on every other vector.

    `rays` are the rows of all rays.  Separate the ray from the others first, then from whichever vectors the separating
    weights still offend.  `weights` realizes all vectors; a little of it turns "not negative" into "positive".  Cost: a
    few passes over the vectors per ray.
    """
    ray = vectors.row(row)
    others = [i for i in rays if i != row]
    cone = Cone(vectors.take(others))
    while True:
        answer = cone.locate(ray)
        if isinstance(answer, Inside):
            raise ValueError(f"vector {row} is not on an extreme ray: {answer.support} of the others span it")
        products = vectors.products(answer.weights)
        products[row] = 0
        offended = np.flatnonzero(products < 0)
        if offended.size == 0:
            return _tilted(answer.weights, vectors, row=row, weights=weights)
        worst = offended[np.argsort(products[offended], kind="stable")[: vectors.dimension]]
        cone.extend(vectors.take(worst))


def _tilted(separating: Sequence[int], vectors: Vectors, *, row: int, weights: Sequence[int]) -> tuple[int, ...]:
    """separating + e * weights, with e half of what would lift the ray to zero."""
    ray = vectors.row(row)
    below = -_product(separating, ray)
    above = _product(weights, ray)
    tilted = primitive_vector([2 * above * s + below * w for s, w in zip(separating, weights, strict=True)])
    return rounded(tilted, vectors, negative=[row])


def _product(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))
