"""What the peers of the family `floats` share: one state for each vector, and how many rays and demonstrations."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["prepared", "solved", "version", "warm_up"]


def version() -> str:
    """Ours."""
    import hornbook

    return f"hornbook {hornbook.__version__}"


def warm_up() -> None:
    """Load the compiled loops."""
    import hornbook

    hornbook.teach(hornbook.environment("random_cone:d=5,m=3000,h=100"))


def prepared(path: str, kind: str) -> Any:
    """The arrays of a case as a problem: as floats, as whole numbers, or as floats taken exactly."""
    import hornbook

    data = np.load(path)
    if "tower" in data:
        features = data["tower"]
        return hornbook.TeachingProblem(features=features, target=[features.shape[1] - 1] * len(features))
    vectors = data["whole" if kind == "whole" else "floats"]
    features = np.stack([vectors, np.zeros_like(vectors)], axis=1)
    return hornbook.TeachingProblem(features=features, target=[0] * len(vectors), exact=kind == "stored")


def solved(problem: Any) -> list[int]:
    """The number of rays and of demonstrations, once the lesson is proved."""
    import hornbook

    lesson = hornbook.teach(problem)
    return [len(lesson.rays), lesson.size] if lesson.is_minimum else []
