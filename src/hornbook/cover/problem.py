"""What a cover problem is, what a proof of a bound is, and what a solver returns.

Rays are numbered 0, 1, ...; a unit is a sorted list of the rays it shows, with a cost.  Chosen units must show every
ray as often as it demands.  Nothing here knows states or vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from hornbook.cover._lists import Costs, IntArray, RaySets, cost_unit

__all__ = [
    "Branch",
    "Costs",
    "Cover",
    "CoverProblem",
    "Leaf",
    "Limits",
    "Progress",
    "Proof",
    "RaySets",
    "SetBound",
    "Stop",
    "Unreachable",
    "cost_unit",
]


@dataclass(frozen=True, init=False, eq=False)
class CoverProblem:
    """Rays `0 .. num_rays-1`, and for each unit the rays it shows and what it costs.

    Each ray must be shown by as many different units as it demands (1 unless `demands` are given).  Units are
    nonempty, sorted and free of repetition; two may show the same rays.  Costs are nonnegative.  Every ray is shown
    by as many units as it demands.  Anything else is a ValueError that names the unit or the ray.

    Made from any sequences, or without copying from `RaySets` and `Costs`; kept in flat arrays, so that a million
    units are no burden.

    >>> problem = CoverProblem(3, [(0, 1), (1, 2), (0, 2)], [1, 1, Fraction(1, 2)])
    >>> problem.units[1], problem.costs[2], problem.step
    ((1, 2), Fraction(1, 2), Fraction(1, 2))
    """

    num_rays: int
    units: RaySets
    costs: Costs
    step: Fraction
    """A rational of which every cost is an integer multiple, to which bounds are rounded up.

    By default the largest.  Give it when the checker sees more costs than these: of units left out here.
    """
    demands: IntArray

    def __init__(
        self,
        num_rays: int,
        units: Sequence[Sequence[int]],
        costs: Sequence[Fraction | int],
        step: Fraction | None = None,
        demands: Sequence[int] | IntArray | None = None,
    ) -> None:
        if len(costs) != len(units):
            raise ValueError(f"{len(units)} units have {len(costs)} costs; give one cost for each unit")
        priced = Costs.of(costs, step)
        if (priced.counts < 0).any():
            unit = int(np.argmax(priced.counts < 0))
            raise ValueError(f"unit {unit} has the negative cost {priced[unit]}")
        sets = RaySets.of(units)
        wanted = np.ones(num_rays, dtype=np.int64) if demands is None else np.array(demands, dtype=np.int64)
        _check_units(sets, num_rays)
        _check_demands(sets, wanted, num_rays=num_rays)
        values = {"num_rays": num_rays, "units": sets, "costs": priced, "step": priced.step, "demands": wanted}
        for name, value in values.items():
            object.__setattr__(self, name, value)


def _check_units(units: RaySets, num_rays: int) -> None:
    if not units.sizes.all():
        raise ValueError(f"unit {int(np.argmin(units.sizes))} shows no ray; leave such units out")
    members, owners = units.rays, units.owners()
    wrong = (members < 0) | (members >= num_rays)
    wrong[1:] |= (owners[1:] == owners[:-1]) & (members[1:] <= members[:-1])
    if wrong.any():
        unit = int(owners[np.argmax(wrong)])
        raise ValueError(f"unit {unit} must list rays below {num_rays}, each once and in order: {units[unit]}")


def _check_demands(units: RaySets, demands: IntArray, *, num_rays: int) -> None:
    if demands.shape != (num_rays,):
        raise ValueError(f"{num_rays} rays have {demands.size} demands; give one demand for each ray")
    if (demands < 1).any():
        ray = int(np.argmax(demands < 1))
        raise ValueError(f"ray {ray} demands {demands[ray]} units; leave rays out that demand none")
    shown = np.bincount(units.rays, minlength=num_rays)
    if (shown < demands).any():
        ray = int(np.argmax(shown < demands))
        if not shown[ray]:
            raise ValueError(f"no unit shows ray {ray}, so nothing covers every ray")
        raise ValueError(f"ray {ray} demands {demands[ray]} units, but only {shown[ray]} show it")


@dataclass(frozen=True)
class SetBound:
    """A weight on a set of rays: no unit shows more than `at_most` of them, so at least `ceil(demand/at_most)` units
    do, where `demand` is that of its rays together."""

    of: tuple[int, ...]
    at_most: int
    weight: Fraction


@dataclass(frozen=True)
class Leaf:
    """Weights on rays (increasing) and on sets of rays, from which a bound is read off."""

    weights: tuple[tuple[int, Fraction], ...] = ()
    sets: tuple[SetBound, ...] = ()


@dataclass(frozen=True)
class Unreachable:
    """No cover is left here: fewer units that show `ray` are not refused than it demands."""

    ray: int


@dataclass(frozen=True)
class Branch:
    """Either `unit` is taken, or it is refused along with every unit it could replace at no greater cost."""

    unit: int
    taken: Proof
    refused: Proof


Proof: TypeAlias = Leaf | Unreachable | Branch


@dataclass(frozen=True)
class Cover:
    """Units that show every ray, what they cost, and a proved bound on what any such units cost.

    `complete` is False when a limit or an interrupt (`interrupted`) stopped the solver before it was through.
    """

    chosen: tuple[int, ...]
    cost: Fraction
    lower_bound: Fraction
    proof: Proof
    complete: bool = True
    interrupted: bool = False
    guarantee: Fraction | None = None
    """How many times the minimum the cost is at most, by the nature of the solver; None where it promises nothing."""

    @property
    def is_minimum(self) -> bool:
        """Whether the bound proves that nothing is cheaper."""
        return self.lower_bound == self.cost


@dataclass(frozen=True)
class Limits:
    """When to stop early: after so many nodes of the search (the same answer everywhere), after so many seconds, or
    once the bound is proved to miss the cost by no more than the share `gap` of it."""

    nodes: int | None = None
    seconds: float | None = None
    gap: Fraction = Fraction(0)


Progress: TypeAlias = Callable[[int, str], None]
"""Called with the number of nodes done and a line of text."""

Stop: TypeAlias = Callable[[], bool]
"""Asked between nodes; True ends the search as a limit would."""
