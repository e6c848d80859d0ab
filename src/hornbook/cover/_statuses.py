"""Units that must, may not or need not be chosen: reduced to a plain cover problem, and its answer told in their terms.

A unit that must be chosen is taken before the search: its rays need one unit less, its cost is paid.  One that may not
be chosen takes no part.  What a given unit shows is shown for good, so its rays demand nothing: given units cannot be
lost, however often the others must show a ray.  What is left has free units only.

**Why the bound carries over.**  Every allowed choice contains all units that must be chosen, and its free units cover
what these leave; so it costs what they cost and at least the bound of the rest.  Their cost is a multiple of the step,
so rounding the rest up rounds the sum up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from hornbook.cover._lists import IntArray, RaySets, starts_of
from hornbook.cover._proofs import rename
from hornbook.cover.problem import Costs, Cover, CoverProblem

__all__ = ["FREE", "GIVEN", "MAY_NOT", "MUST", "AskedCover", "OutOfReach", "cover_as_asked"]

FREE, MUST, MAY_NOT, GIVEN = range(4)


@dataclass(frozen=True, eq=False)
class AskedCover:
    """Rays `0 .. num_rays-1`, each to be shown `folds` times; units (which may show nothing) with costs and statuses.

    `status[u]` is one of `FREE`, `MUST`, `MAY_NOT`, `GIVEN`.
    """

    num_rays: int
    units: RaySets
    costs: Costs
    status: IntArray
    folds: int = 1

    def shown(self, status: int) -> IntArray:
        """How many units of this status show each ray."""
        mine = self.status[self.units.owners()] == status
        return np.bincount(self.units.rays[mine], minlength=self.num_rays)

    @property
    def demands(self) -> IntArray:
        """How many free units must show each ray."""
        wanted = np.maximum(0, self.folds - self.shown(MUST))
        return np.where(self.shown(GIVEN) > 0, 0, wanted)


@dataclass(frozen=True)
class OutOfReach:
    """No choice does what is asked: of the units that may be chosen only so many show `ray`."""

    ray: int
    shown: int


def cover_as_asked(asked: AskedCover, solve: Callable[[CoverProblem], Cover]) -> Cover | OutOfReach:
    """Choose free units for what is left to show; `chosen` has them and those that must be, the cost is of all.

    >>> units = RaySets.of([(0, 1), (0,), (1,)])
    >>> asked = AskedCover(2, units, Costs.equal(3), np.array([MAY_NOT, FREE, FREE]))
    >>> from hornbook.cover import minimum_cover
    >>> cover_as_asked(asked, minimum_cover).chosen
    (1, 2)
    """
    demands, free = asked.demands, asked.shown(FREE)
    short = np.flatnonzero(free < demands)
    if len(short):
        ray = int(short[0])
        return OutOfReach(ray, int(free[ray] + asked.shown(MUST)[ray]))
    problem, units, rays = _rest(asked, demands)
    cover = solve(problem)
    must = np.flatnonzero(asked.status == MUST).tolist()
    paid = asked.costs.total(must)
    return replace(
        cover,
        chosen=tuple(sorted([*must, *(units[unit] for unit in cover.chosen)])),
        cost=paid + cover.cost,
        lower_bound=paid + cover.lower_bound,
        proof=rename(cover.proof, units=units, rays=rays),
    )


def _rest(asked: AskedCover, demands: IntArray) -> tuple[CoverProblem, list[int], list[int]]:
    """What free units must still show; which units and which rays these are."""
    rays = np.flatnonzero(demands)
    place = np.full(asked.num_rays, -1, dtype=np.int64)
    place[rays] = np.arange(len(rays))
    owners, places = asked.units.owners(), place[asked.units.rays]
    kept = (places >= 0) & (asked.status[owners] == FREE)
    count = np.bincount(owners[kept], minlength=len(asked.units))
    units = np.flatnonzero(count)
    sets = RaySets(starts_of(count[units]), places[kept])
    costs = Costs(asked.costs.counts[units], asked.costs.step)
    return CoverProblem(len(rays), sets, costs, demands=demands[rays]), units.tolist(), rays.tolist()
