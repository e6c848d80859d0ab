"""Qhull through scipy: the vertices of the cross-section, in floats; it merges facets and decides nothing exactly."""

from __future__ import annotations

from typing import Any

from benchmarks.sections import centred

OPTIONS = "ConvexHull of the centred and scaled cross-section, default options"


def version() -> str:
    import scipy

    return f"scipy {scipy.__version__}"


def prepare(path: str) -> Any:
    return centred(path)


def solve(section: Any) -> Any:
    from scipy.spatial import ConvexHull

    return sorted(ConvexHull(section).vertices.tolist())
