"""Our cover, proved: its certificate's bound is read off in exact numbers before it is told."""

from __future__ import annotations

from typing import Any

import numpy as np

OPTIONS = "minimum_cover with the case's time limit"


def version() -> str:
    import hornbook

    return f"hornbook {hornbook.__version__}"


def warm_up() -> None:
    from hornbook.cover import Limits, minimum_cover

    for width in (2, 3):  # compiles the loops of matching, exchanges and prices
        draw = np.random.default_rng(width)
        units = sorted({tuple(sorted(set(row))) for row in draw.integers(0, 3000, (120_000, width)).tolist()})
        minimum_cover(_problem(3000, units, [1] * len(units)), limits=Limits(seconds=2.0))


def _problem(num_rays: int, units: Any, costs: Any) -> Any:
    from hornbook.cover import CoverProblem

    names, rays = np.unique([ray for unit in units for ray in unit], return_inverse=True)
    del num_rays
    ends = np.cumsum([len(unit) for unit in units])
    return CoverProblem(len(names), [part.tolist() for part in np.split(rays, ends[:-1])], costs)


def prepare(path: str) -> Any:
    from hornbook.cover import Costs, CoverProblem, RaySets

    with np.load(path) as data:
        costs = Costs.of(data["costs"].tolist())
        return CoverProblem(int(data["num_rays"]), RaySets(data["start"], data["rays"]), costs), float(data["seconds"])


def solve(prepared: Any) -> Any:
    from hornbook.cover import Limits, minimum_cover

    problem, seconds = prepared
    cover = minimum_cover(problem, limits=Limits(seconds=seconds))
    lower, upper = int(cover.lower_bound), int(cover.cost)
    return {"lower": lower, "upper": upper}, [lower, upper]
