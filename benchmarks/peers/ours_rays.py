"""hornbook's own ray finder, decided exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

OPTIONS = "find_rays, finder chosen by itself"


def version() -> str:
    import hornbook

    return f"hornbook {hornbook.__version__}"


def warm_up() -> None:
    """Load compiled kernels."""
    from hornbook.arithmetic import Vectors
    from hornbook.rays import find_rays

    generator = np.random.Generator(np.random.PCG64(0))
    for d in (2, 3, 5):
        rows = np.unique(generator.integers(-99, 99, (3000, d)), axis=0)
        rows[:, -1] = 300
        find_rays(Vectors(np.unique(rows, axis=0)))


def prepare(path: str) -> Any:
    with np.load(path) as data:
        return data["vectors"]


def solve(vectors: Any) -> Any:
    from hornbook.arithmetic import Vectors
    from hornbook.rays import find_rays

    return list(find_rays(Vectors(vectors)).rows)
