"""A warm HiGHS in a frame loop: rays found so far as columns, each vector a right-hand side, new rays by argmin.

The strongest loop around an LP solver that we know how to write: h columns instead of m, the basis stays, only the
right-hand side changes, and the dual ray of an infeasible one leads to a ray that was missing.  In floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.sections import centred

OPTIONS = "dual simplex without presolve, warm; frame grown by dual rays; tolerance 1e-9 on violations"


def version() -> str:
    import highspy

    return f"highspy {highspy.Highs().version()}"


def prepare(path: str) -> Any:
    section = centred(path)
    return np.hstack([section, np.ones((len(section), 1))])


def solve(lifted: Any) -> Any:
    import highspy

    m, d = lifted.shape
    frame = sorted({int(i) for j in range(d - 1) for i in (lifted[:, j].argmin(), lifted[:, j].argmax())})
    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("presolve", "off"), ("threads", 1), ("simplex_strategy", 1)):
        solver.setOptionValue(option, value)
    # phase one by hand: slack columns that cost one, so that every question is feasible and its duals separate
    rows = np.arange(d, dtype=np.int32)
    for _ in range(d):
        solver.addRow(0.0, 0.0, 0, np.zeros(0, dtype=np.int32), np.zeros(0))
    for i in range(d):
        for sign in (1.0, -1.0):
            solver.addCol(1.0, 0.0, highspy.kHighsInf, 1, rows[i : i + 1], np.array([sign]))
    for j in frame:
        solver.addCol(0.0, 0.0, highspy.kHighsInf, d, rows, lifted[j])
    inside = np.zeros(m, dtype=bool)
    inside[frame] = True
    members = set(frame)
    for i in range(m):
        while not inside[i]:
            for r in range(d):
                solver.changeRowBounds(r, lifted[i, r], lifted[i, r])
            solver.run()
            weights = np.array(solver.getSolution().row_dual)
            if solver.getInfo().objective_function_value <= 1e-9:
                inside[i] = True
                break
            new = int((lifted @ weights).argmax())
            new = i if new in members else new
            members.add(new)
            inside[new] = True
            solver.addCol(0.0, 0.0, highspy.kHighsInf, d, rows, lifted[new])
    return sorted(members)
