"""OR-tools' CP-SAT."""

from __future__ import annotations

from importlib.metadata import version as installed
from typing import Any

from benchmarks.instances import answer, weights_of

OPTIONS = "one worker, linearization_level 2, all else default"


def version() -> str:
    return f"ortools {installed('ortools')}"


def prepare(path: str) -> Any:
    return weights_of(path)


def solve(problem: Any) -> Any:
    from ortools.sat.python import cp_model

    units, costs, num_rays, seconds = problem
    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in units]
    shown: list[list[Any]] = [[] for _ in range(num_rays)]
    for unit, rays in zip(taken, units, strict=True):
        for ray in rays:
            shown[ray].append(unit)
    for some in shown:
        model.add_bool_or(some)
    model.minimize(cp_model.LinearExpr.weighted_sum(taken, costs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.linearization_level = 1, 2
    solver.parameters.max_time_in_seconds = seconds
    solver.solve(model)
    chosen = [place for place, unit in enumerate(taken) if solver.value(unit)]
    return answer(problem, chosen, solver.best_objective_bound)
