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

__all__ = ["Approximation", "approximations", "shortfall"]

Approximation = dict[int, Fraction]
"""Ray number -> multiplier: the combination that is within the radius of a vector."""


def approximations(rays: Vectors, boxes: Boxes, *, rows: list[int]) -> dict[int, Approximation | None]:
    """For each row a positive combination of the rays within its radius, or None where there is none.

    Exact either way.  Cost: as `outside` in one more dimension.
    """
    cone = _with_one_corner(rays, boxes)
    answers = {row: _located(cone, boxes, row) for row in rows}
    return {row: answer if isinstance(answer, dict) else None for row, answer in answers.items()}


def shortfall(rays: Vectors, boxes: Boxes, *, row: int) -> Fraction:
    """For a row without an approximation: less noise than this will not give it one (it is more than there is)."""
    answer = _located(_with_one_corner(rays, boxes), boxes, row)
    if isinstance(answer, dict):
        return boxes.noise
    *centre, size = boxes.measured.row(row)
    below = -sum(w * x for w, x in zip(answer, centre, strict=True))
    return Fraction(below, size * sum(map(abs, answer)))


def _with_one_corner(rays: Vectors, boxes: Boxes) -> Cone:
    zeros = np.zeros((len(rays), 1), dtype=rays.exact.dtype)
    cone = Cone(Vectors(np.hstack([rays.exact, zeros])))
    cone.extend(Vectors.of([[1] * boxes.dimension + [1]], boxes.dimension + 1))
    return cone


def _located(cone: Cone, boxes: Boxes, row: int) -> Approximation | tuple[int, ...]:
    """The combination, or weights that are not negative on the rays and negative on the whole box."""
    num_rays = next(i for i, flag in enumerate(cone.generators.exact[:, -1].tolist()) if flag)
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
            return tuple(weights)  # even the corner that helps most is separated
        corner = [-1 if w > 0 else 1 for w in weights]
        cone.extend(Vectors(narrowed(np.array([[*corner, 1]], dtype=object))))
