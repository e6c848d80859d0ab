"""The paper's MinimalExtreme as it is written: one linear program for each vector against all that are left.

It is slow and meant to be: this is what growth is compared with.  A vector is eliminated where scipy's HiGHS, with its
defaults, gives a positive optimum, and kept otherwise, as the paper says.
"""

from __future__ import annotations

from math import gcd, pi

import numpy as np
import numpy.typing as npt

import hornbook

__all__ = ["all_differences", "flat_rays_lost", "minimal_extreme"]


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


def flat_rays_lost(n: int, *, most: int = 12) -> int:
    """How many of the flattest true rays of a polygon tower the same program calls redundant, at length one.

    All rays of the tower are given, nothing else, so each is extreme and none should be lost.
    """
    from scipy.optimize import linprog

    turns = np.array(sorted({a // gcd(a, s) * 2 * pi / (s // gcd(a, s)) for s in range(1, n + 1) for a in range(s)}))
    rays = np.column_stack([np.cos(turns), np.sin(turns), np.ones(len(turns))]) / np.sqrt(2)
    ahead = np.diff(np.append(turns, turns[0] + 2 * pi))
    flattest = np.argsort(ahead * np.roll(ahead, 1), kind="stable")[:most]
    lost = 0
    for j in flattest.tolist():
        others = np.delete(rays, j, axis=0)
        answer = linprog(rays[j], A_ub=-others, b_ub=-np.ones(len(others)), bounds=(None, None), method="highs")
        lost += int(answer.status == 0 and answer.fun > 0)
    return lost
