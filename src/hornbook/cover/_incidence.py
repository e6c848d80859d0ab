"""Which unit shows which ray, both ways, in flat arrays; costs as integers.

All solvers work on this table: a million incidences are two integer arrays, and a part of a problem (what
reductions leave, one component of it) is a table again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from hornbook.cover.problem import CoverProblem

__all__ = ["IntArray", "Mask", "Table", "components", "expand", "table_of"]

IntArray = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Table:
    """Units and rays numbered from 0.

    Unit u shows `unit_rays[unit_start[u]:unit_start[u+1]]` (increasing), ray r is shown by
    `ray_units[ray_start[r]:ray_start[r+1]]` (increasing).  Cost u is `costs[u]` times the problem's unit of
    cost.
    """

    unit_start: IntArray
    unit_rays: IntArray
    ray_start: IntArray
    ray_units: IntArray
    costs: tuple[int, ...]

    @classmethod
    def from_pairs(cls, units: IntArray, rays: IntArray, *, num_rays: int, costs: Sequence[int]) -> Table:
        """Build from incidences sorted by unit, then ray."""
        order = np.argsort(rays, kind="stable")
        return cls(
            unit_start=_starts(units, len(costs)),
            unit_rays=rays,
            ray_start=_starts(rays, num_rays),
            ray_units=units[order],
            costs=tuple(costs),
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

    def cost_ranks(self) -> IntArray:
        """Small integers in the order of the costs, which may be too large for int64 themselves."""
        rank = {cost: position for position, cost in enumerate(sorted(set(self.costs)))}
        return np.array([rank[cost] for cost in self.costs], dtype=np.int64)

    def owners(self) -> IntArray:
        """For each entry of `unit_rays`, its unit."""
        return np.repeat(np.arange(self.num_units), np.diff(self.unit_start))


def _starts(sorted_by: IntArray, count: int) -> IntArray:
    return np.concatenate(([0], np.cumsum(np.bincount(sorted_by, minlength=count)))).astype(np.int64)


def table_of(problem: CoverProblem) -> Table:
    """The problem as a table."""
    unit = problem.cost_step()
    lengths = np.fromiter(map(len, problem.units), dtype=np.int64, count=len(problem.units))
    rays = np.fromiter(chain.from_iterable(problem.units), dtype=np.int64, count=int(lengths.sum()))
    owners = np.repeat(np.arange(len(lengths)), lengths)
    costs = [int(cost / unit) for cost in problem.costs]
    return Table.from_pairs(owners, rays, num_rays=problem.num_rays, costs=costs)


def expand(starts: IntArray, which: IntArray) -> tuple[IntArray, IntArray]:
    """Positions of the flat entries of the lists `which`, one list after the other, and their lengths."""
    lengths = starts[which + 1] - starts[which]
    ends = np.cumsum(lengths)
    offsets = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
    return np.repeat(starts[which], lengths) + offsets, lengths


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
