"""Our lesson for a case of the family `floats`: the integers that the floats come from."""

from __future__ import annotations

from typing import Any

from benchmarks.lessons import prepared, solved, version, warm_up

__all__ = ["OPTIONS", "prepare", "solve", "version", "warm_up"]

OPTIONS = "exact integers"


def prepare(path: str) -> Any:
    """The problem."""
    return prepared(path, "whole")


solve = solved
