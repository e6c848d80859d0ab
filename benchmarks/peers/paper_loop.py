"""The paper's MinimalExtreme as it would be written: scipy's linprog on every vector against all that are left."""

from __future__ import annotations

from typing import Any

import numpy as np

OPTIONS = "scipy.optimize.linprog(method='highs') per vector on unit directions, defaults; redundant when infeasible"


def version() -> str:
    import scipy

    return f"scipy {scipy.__version__}"


def prepare(path: str) -> Any:
    with np.load(path) as data:
        vectors = data["vectors"].astype(float)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def solve(units: Any) -> Any:
    from scipy.optimize import linprog

    left = list(range(len(units)))
    for j in range(len(units)):
        others = [i for i in left if i != j]
        answer = linprog(
            units[j], A_ub=-units[others], b_ub=np.zeros(len(others)), bounds=[(-1, 1)] * units.shape[1], method="highs"
        )
        if answer.fun is not None and answer.fun >= -1e-9:
            left = others
    return left
