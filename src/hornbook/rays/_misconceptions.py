"""The proof that a ray cannot be spared: weights that are right everywhere but on that ray."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from hornbook.arithmetic import Vectors, primitive_vector
from hornbook.rays._cone import Cone, Inside
from hornbook.rays._realize import rounded

__all__ = ["misconception", "separating_weights", "tilted"]


def misconception(vectors: Vectors, row: int, *, rays: Sequence[int], weights: Sequence[int]) -> tuple[int, ...]:
    """Weights negative on `vectors[row]`, an extreme ray, and positive on every other vector.

    `rays` are the rows of all rays.  Separate the ray from the others first, then from whichever vectors the separating
    weights still offend.  `weights` realizes all vectors; a little of it turns "not negative" into "positive".  Cost: a
    few passes over the vectors per ray.
    """
    separating = separating_weights(vectors, row, rays=rays)
    return rounded(tilted(separating, weights, ray=vectors.row(row)), vectors, negative=[row])


def separating_weights(vectors: Vectors, row: int, *, rays: Sequence[int]) -> tuple[int, ...]:
    """Weights negative on an extreme ray and not negative on any other vector; ValueError if it is no extreme ray."""
    ray = vectors.row(row)
    cone = Cone(vectors.take([i for i in rays if i != row]))
    while True:
        answer = cone.locate(ray)
        if isinstance(answer, Inside):
            raise ValueError(f"vector {row} is not on an extreme ray: {answer.support} of the others span it")
        products = vectors.products(answer.weights)
        products[row] = 0
        offended = np.flatnonzero(products < 0)
        if offended.size == 0:
            return answer.weights
        worst = offended[np.argsort(products[offended], kind="stable")[: vectors.dimension]]
        cone.extend(vectors.take(worst))


def tilted(
    separating: Sequence[int], weights: Sequence[int], *, ray: Sequence[int], left: Fraction = Fraction(1, 2)
) -> tuple[int, ...]:
    """Separating weights lifted by realizing ones until only this part of the depth below the ray is left."""
    below = -_product(separating, ray)
    above = _product(weights, ray)
    lift = below * (1 - left)
    return primitive_vector([above * s + lift * w for s, w in zip(separating, weights, strict=True)])


def _product(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))
