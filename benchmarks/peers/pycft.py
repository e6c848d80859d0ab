"""The Lagrangian heuristic of Caprara, Fischetti and Toth; it bounds from below, but stops without a proof."""

from __future__ import annotations

from importlib.metadata import version as installed
from typing import Any

from benchmarks.instances import answer, weights_of

OPTIONS = "default options"


def version() -> str:
    return f"pycft {installed('pycft')}"


def prepare(path: str) -> Any:
    return weights_of(path)


def solve(problem: Any) -> Any:
    from importlib import import_module

    units, costs, _, seconds = problem
    solver = import_module("pycft").SetCoverSolver()
    for unit, cost in zip(units, costs, strict=True):
        solver.add_set(unit, cost=cost)
    solver.solve(time_limit=seconds, verbose=0)
    return answer(problem, solver.get_solution(), solver.get_lower_bound())
