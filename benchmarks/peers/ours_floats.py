"""Our lesson for a case of the family `floats`: float data, told by (b), (c) and tau of docs/floats.md."""

from __future__ import annotations

from typing import Any

from benchmarks.lessons import prepared, solved, version, warm_up

__all__ = ["OPTIONS", "prepare", "solve", "version", "warm_up"]

OPTIONS = "float64, default noise and merge"


def prepare(path: str) -> Any:
    """The problem."""
    return prepared(path, "floats")


solve = solved
