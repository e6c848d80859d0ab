"""Which unit shows which ray, both ways, in flat arrays; costs as integers.

All solvers work on this table: a million incidences are two integer arrays, and a part of a problem (what
reductions leave, one component of it) is a table again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._lists import IntArray, Mask, expand, order_by, starts_of
from hornbook.cover.problem import CoverProblem

__all__ = ["IntArray", "Mask", "Table", "components", "expand", "table_of"]


@dataclass(frozen=True, eq=False)
class Table:
    """Units and rays numbered from 0.

    Unit u shows `unit_rays[unit_start[u]:unit_start[u+1]]` (increasing), ray r is shown by
    `ray_units[ray_start[r]:ray_start[r+1]]` (increasing) and demands `demands[r]` of them.  Cost u is `costs[u]` times
    the problem's step; costs are Python's integers where machine words are too short.
    """

    unit_start: IntArray
    unit_rays: IntArray
    ray_start: IntArray
    ray_units: IntArray
    costs: NDArray[Any]
    demands: IntArray

    @classmethod
    def from_pairs(cls, units: IntArray, rays: IntArray, *, costs: NDArray[Any], demands: IntArray) -> Table:
        """Build from incidences sorted by unit, then ray."""
        order = order_by(rays, below=len(demands))
        return cls(
            unit_start=starts_of(np.bincount(units, minlength=len(costs))),
            unit_rays=rays,
            ray_start=starts_of(np.bincount(rays, minlength=len(demands))),
            ray_units=units[order],
            costs=costs,
            demands=demands,
        )

    @property
    def num_units(self) -> int:
        """How many units."""
        return len(self.unit_start) - 1

    @property
    def num_rays(self) -> int:
        """How many rays."""
        return len(self.ray_start) - 1

    def rays_of(self, unit: int) -> IntArray:
        """The rays that `unit` shows."""
        return self.unit_rays[self.unit_start[unit] : self.unit_start[unit + 1]]

    def units_of(self, ray: int) -> IntArray:
        """The units that show `ray`."""
        return self.ray_units[self.ray_start[ray] : self.ray_start[ray + 1]]

    def cost_of(self, units: list[int]) -> int:
        """What these units cost together."""
        return int(self.costs[units].sum()) if units else 0

    def cost_ranks(self) -> IntArray:
        """Small integers in the order of the costs, which may be too large for int64 themselves."""
        return np.unique(self.costs, return_inverse=True)[1].reshape(-1).astype(np.int64)

    def owners(self) -> IntArray:
        """For each entry of `unit_rays`, its unit."""
        return np.repeat(np.arange(self.num_units), np.diff(self.unit_start))


def table_of(problem: CoverProblem) -> Table:
    """The problem as a table."""
    units = problem.units
    return Table.from_pairs(units.owners(), units.rays, costs=problem.costs.counts, demands=problem.demands)


def components(units: IntArray, rays: IntArray, *, num_rays: int) -> IntArray:
    """Label each ray by the lowest ray that is connected to it through common units.

    `units`, `rays` are incidences sorted by unit.  Labels sink along units, then each ray jumps to the label
    of its label, so that a chain of n units takes about log n rounds of array work.
    """
    label = np.arange(num_rays)
    first = np.flatnonzero(np.diff(units, prepend=-1))
    lengths = np.diff(first, append=len(units))
    while True:
        lowest = np.repeat(np.minimum.reduceat(label[rays], first), lengths)
        sunk = label.copy()
        np.minimum.at(sunk, label[rays], lowest)
        np.minimum.at(sunk, rays, lowest)
        sunk = sunk[sunk]
        if np.array_equal(sunk, label):
            return label
        label = sunk
