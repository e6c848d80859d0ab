"""A cautious learner: the centre of the largest ball inside the version space."""

from __future__ import annotations

import numpy as np

from hornbook.classroom import Weights
from hornbook.learners._declaration import Learner, Seen
from hornbook.proposals import LinearProgram, Row, highs_relaxation

__all__ = ["CHEBYSHEV"]


def chebyshev(seen: Seen) -> list[Weights]:
    """The Chebyshev centre of the version space cut to weights between -1 and 1, by linear programming.

    Cost: one linear program with a row for each extreme ray shown.  Without an answer of the solver, weights from the
    inside are taken.
    """
    rays = seen.rays.vectors
    units = rays.shapes / np.linalg.norm(rays.shapes, axis=1, keepdims=True)
    width = rays.dimension + 1  # the last variable is the radius
    places = np.arange(width)
    inside = [Row(places, np.append(unit, -1.0), 0.0) for unit in units]
    walls = [Row(places[[i, -1]], np.array([s, -1.0]), -1.0) for i in range(width - 1) for s in (1.0, -1.0)]
    cost = np.zeros(width)
    cost[-1] = -1.0
    lower, upper = np.append(np.full(width - 1, -1.0), 0.0), np.ones(width)
    guess = highs_relaxation(LinearProgram(cost, lower, upper, (*inside, *walls))).guess(lower, upper)
    return [seen.rays.weights if guess is None else guess.variables[:-1]]


CHEBYSHEV = Learner("chebyshev centre", chebyshev)
