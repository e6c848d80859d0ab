"""The paper's MinimalExtreme as it is written: one linear program for each vector against all that are left.

It is slow and meant to be: this is what growth is compared with.  A vector is eliminated where scipy's HiGHS, with its
defaults, gives a positive optimum, and kept otherwise, as the paper says.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import hornbook

__all__ = ["all_differences", "minimal_extreme"]


def all_differences(problem: hornbook.TeachingProblem) -> npt.NDArray[np.float64]:
    """Psi(D_S) of a problem whose actions are all available, in the order of states and actions."""
    parts = []
    for batch in problem.batches():
        rows = np.arange(len(batch))
        target = batch.features[rows, batch.target]
        others = np.ones(batch.available.shape, dtype=bool)
        others[rows, batch.target] = False
        parts.append((target[:, None] - batch.features)[others])
    return np.concatenate(parts).astype(np.float64)


def minimal_extreme(vectors: npt.NDArray[np.float64]) -> list[int]:
    """The rows that survive the elimination."""
    from scipy.optimize import linprog

    left = list(range(len(vectors)))
    for j in range(len(vectors)):
        others = [i for i in left if i != j]
        answer = linprog(
            vectors[j], A_ub=-vectors[others], b_ub=-np.ones(len(others)), bounds=(None, None), method="highs"
        )
        if answer.status == 0 and answer.fun > 0:
            left = others
    return left
