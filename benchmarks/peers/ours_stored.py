"""Our lesson for a case of the family `floats`: the floats as the binary fractions they are."""

from __future__ import annotations

from typing import Any

from benchmarks.lessons import prepared, solved, version, warm_up

__all__ = ["OPTIONS", "prepare", "solve", "version", "warm_up"]

OPTIONS = "exact=True"


def prepare(path: str) -> Any:
    """The problem."""
    return prepared(path, "stored")


solve = solved
