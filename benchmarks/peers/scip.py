"""SCIP, with its handling of symmetries."""

from __future__ import annotations

from importlib.metadata import version as installed
from typing import Any

from benchmarks.instances import answer, weights_of

OPTIONS = "one thread, default options"


def version() -> str:
    return f"pyscipopt {installed('pyscipopt')}"


def prepare(path: str) -> Any:
    return weights_of(path)


def solve(problem: Any) -> Any:
    from pyscipopt import Model, quicksum

    units, costs, num_rays, seconds = problem
    model = Model()
    model.hideOutput()
    model.setParam("limits/time", seconds)
    taken = [model.addVar(vtype="B", obj=cost) for cost in costs]
    shown: list[list[Any]] = [[] for _ in range(num_rays)]
    for unit, rays in zip(taken, units, strict=True):
        for ray in rays:
            shown[ray].append(unit)
    for some in shown:
        model.addCons(quicksum(some) >= 1)
    model.optimize()
    chosen = [place for place, unit in enumerate(taken) if model.getVal(unit) > 0.5]
    return answer(problem, chosen, model.getDualbound())
