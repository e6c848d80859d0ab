"""HiGHS as a MIP solver."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.instances import answer, weights_of

OPTIONS = "MIP, one thread, no relative gap, all else default"


def version() -> str:
    import highspy

    return f"highspy {highspy.Highs().version()}"


def prepare(path: str) -> Any:
    return weights_of(path)


def solve(problem: Any) -> Any:
    import highspy

    units, costs, num_rays, seconds = problem
    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("time_limit", seconds)):
        solver.setOptionValue(option, value)
    for _ in range(num_rays):
        solver.addRow(1.0, highspy.kHighsInf, 0, np.zeros(0, dtype=np.int32), np.zeros(0))
    starts = np.cumsum([0, *map(len, units)])
    flat = np.array([ray for unit in units for ray in unit], dtype=np.int32)
    ones, count = np.ones(len(units)), len(units)
    solver.addCols(
        count, np.array(costs, dtype=float), ones * 0, ones, len(flat), starts[:-1], flat, np.ones(len(flat))
    )
    kinds = np.full(count, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
    solver.changeColsIntegrality(count, np.arange(count, dtype=np.int32), kinds)
    solver.run()
    chosen = np.flatnonzero(np.array(solver.getSolution().col_value) > 0.5).tolist()
    return answer(problem, chosen, solver.getInfo().mip_dual_bound)
