"""What a cover problem is, what a proof of a bound is, and what a solver returns.

Rays are numbered 0, 1, ...; a unit is the sorted tuple of the rays it shows, with a cost.  Chosen units must
show every ray.  Nothing here knows states or vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import gcd, lcm
from typing import TypeAlias

import numpy as np

__all__ = [
    "Branch",
    "Cover",
    "CoverProblem",
    "Leaf",
    "Limits",
    "Progress",
    "Proof",
    "SetBound",
    "Stop",
    "Unreachable",
    "cost_unit",
]


@dataclass(frozen=True)
class CoverProblem:
    """Rays `0 .. num_rays-1`, and for each unit the rays it shows and what it costs.

    Units are nonempty, sorted, free of repetition and all different; costs are nonnegative.  Every ray is
    shown by some unit.  Anything else is a ValueError that names the unit or the ray.
    """

    num_rays: int
    units: tuple[tuple[int, ...], ...]
    costs: tuple[Fraction, ...]
    step: Fraction | None = None
    """A rational of which every cost is an integer multiple, to which bounds are rounded up.

    None stands for the largest.  Give it when the checker sees more costs than these: of units left out here.
    """

    def __post_init__(self) -> None:
        if len(self.costs) != len(self.units):
            raise ValueError(f"{len(self.units)} units have {len(self.costs)} costs; give one cost for each unit")
        for unit, cost in enumerate(self.costs):
            if cost < 0:
                raise ValueError(f"unit {unit} has the negative cost {cost}")
            if self.step is not None and (self.step <= 0 or (cost / self.step).denominator > 1):
                raise ValueError(f"the cost {cost} of unit {unit} is not a multiple of the step {self.step}")
        _check_units(self.units, self.num_rays)

    def cost_step(self) -> Fraction:
        """The step given, or the largest one possible."""
        return cost_unit(self.costs) if self.step is None else self.step


def _check_units(units: Sequence[tuple[int, ...]], num_rays: int) -> None:
    lengths = np.fromiter(map(len, units), dtype=np.int64, count=len(units))
    if not lengths.all():
        raise ValueError(f"unit {int(np.argmin(lengths))} shows no ray; leave such units out")
    if len(set(units)) < len(units):
        raise ValueError("two units show the same rays; keep the cheapest of them")
    members = np.fromiter(chain.from_iterable(units), dtype=np.int64, count=int(lengths.sum()))
    owners = np.repeat(np.arange(len(units)), lengths)
    wrong = (members < 0) | (members >= num_rays)
    wrong[1:] |= (owners[1:] == owners[:-1]) & (members[1:] <= members[:-1])
    if wrong.any():
        unit = int(owners[np.argmax(wrong)])
        raise ValueError(f"unit {unit} must list rays below {num_rays}, each once and in order: {units[unit]}")
    shown = np.bincount(members, minlength=num_rays)
    if not shown.all():
        raise ValueError(f"no unit shows ray {int(np.argmin(shown))}, so nothing covers every ray")


@dataclass(frozen=True)
class SetBound:
    """A weight on a set of rays: no unit shows more than `at_most` of them, so `ceil(len(of)/at_most)` units
    do."""

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
    """No cover is left here: every unit that shows `ray` is refused."""

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

    @property
    def is_minimum(self) -> bool:
        """Whether the bound proves that nothing is cheaper."""
        return self.lower_bound == self.cost


@dataclass(frozen=True)
class Limits:
    """When to stop early: after so many nodes of the search (the same answer everywhere), or after so many
    seconds."""

    nodes: int | None = None
    seconds: float | None = None


Progress: TypeAlias = Callable[[int, str], None]
"""Called with the number of nodes done and a line of text."""

Stop: TypeAlias = Callable[[], bool]
"""Asked between nodes; True ends the search as a limit would."""


def cost_unit(costs: Sequence[Fraction]) -> Fraction:
    """The largest rational of which every cost is an integer multiple (1 when every cost is zero).

    For fractions in lowest terms that is the gcd of the numerators over the lcm of the denominators.
    """
    numerator = gcd(*(cost.numerator for cost in costs))
    return Fraction(numerator, lcm(*(cost.denominator for cost in costs))) if numerator else Fraction(1)
