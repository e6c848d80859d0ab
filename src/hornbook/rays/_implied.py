"""Vectors that the rays imply up to the noise: some point of the box around them is in the cone of the rays.

x is within rho of the cone exactly when (x, rho) is in the cone of all (ray, 0) and (corner, 1), where the corners are
the 2^d sign vectors.  Corners are made only when separating weights ask for them.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from hornbook.arithmetic import Vectors, narrowed
from hornbook.rays._certain import Boxes
from hornbook.rays._cone import Cone, Inside

__all__ = ["Approximation", "approximations"]

Approximation = dict[int, Fraction]
"""Ray number -> multiplier: the combination that is within the radius of a vector."""


def approximations(rays: Vectors, boxes: Boxes, *, rows: list[int]) -> dict[int, Approximation | None]:
    """For each row a positive combination of the rays within its radius, or None where there is none.

    Exact either way.  Cost: as `outside` in one more dimension.
    """
    zeros = np.zeros((len(rays), 1), dtype=rays.exact.dtype)
    cone = Cone(Vectors(np.hstack([rays.exact, zeros])))
    first = [*([1] * boxes.dimension), 1]
    cone.extend(Vectors.of([first], boxes.dimension + 1))
    return {row: _approximate(cone, boxes, row, len(rays)) for row in rows}


def _approximate(cone: Cone, boxes: Boxes, row: int, num_rays: int) -> Approximation | None:
    *centre, size = boxes.measured.row(row)
    scale = boxes.noise.denominator
    asked = [*(v * scale for v in centre), size * boxes.noise.numerator]
    while True:
        answer = cone.locate(asked)
        if isinstance(answer, Inside):
            shares = zip(answer.support, answer.multipliers, strict=True)
            return {j: Fraction(m, answer.denominator * scale) for j, m in shares if j < num_rays}
        *weights, height = answer.weights
        if height >= sum(abs(w) for w in weights):
            return None  # even the corner that helps most is separated
        corner = [-1 if w > 0 else 1 for w in weights]
        cone.extend(Vectors(narrowed(np.array([[*corner, 1]], dtype=object))))
