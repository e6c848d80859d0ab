"""Cover as much as a budget allows: the problem, its answer, and what a proof of "no more" proves.

Rays have values, units have costs, and all chosen units together may cost no more than the budget; each ray that one
of them shows counts its value once.  A `Ceiling` gives each ray a weight y between 0 and its value v, and each unit of
cost a price theta.  Under choices, C taken and R refused, with the budget K, no choice is worth more than

    sum (v - y) + theta * (K - cost of C) + sum over C of load_s + sum over free of max(0, load_s - theta * c_s),

where load_s sums the weights of the rays that s shows, and *free* are the units in neither set that cost no more than
C leaves over.  For whatever is chosen is worth at most `sum (v - y)` plus the loads of its units, and pays at most
theta for each unit of cost.  The bound is rounded down to a multiple of the values' step.  A `Split` proves the larger
of its two sides: either `unit` is taken, or it is refused, along with every free unit that shows nothing else that is
not shown yet and costs no less (in a best choice the one could stand for the other).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._lists import Costs, Mask, RaySets, first_of_equal, starts_of

__all__ = [
    "Ceiling",
    "CeilingProof",
    "PartialCover",
    "PartialCoverProblem",
    "Split",
    "View",
    "bound_of",
    "ceiling_bound",
    "distinct_units",
]

_WORD = 1 << 61  # sums below this are added up in machine words


@dataclass(frozen=True, init=False, eq=False)
class PartialCoverProblem:
    """Units with the rays they show and their costs, a positive value for each ray, and a budget.

    Units are nonempty, sorted, free of repetition, and no two show the same rays.  The budget is rounded down to a
    multiple of the costs' step: the same choices can be paid.  A ray may be shown by no unit.

    >>> problem = PartialCoverProblem([(0, 1), (1, 2), (2,)], [1, 1, 1], [1, 1, 1], Fraction(3, 2))
    >>> problem.budget
    Fraction(1, 1)
    """

    units: RaySets
    costs: Costs
    values: Costs
    budget: Fraction

    def __init__(
        self,
        units: Sequence[Sequence[int]],
        costs: Sequence[Fraction | int],
        values: Sequence[Fraction | int],
        budget: Fraction | int,
    ) -> None:
        sets, prices, worth = RaySets.of(units), Costs.of(costs), Costs.of(values)
        if len(prices) != len(sets):
            raise ValueError(f"{len(sets)} units have {len(prices)} costs; give one cost for each unit")
        if (prices.counts < 0).any() or budget < 0:
            raise ValueError("costs and the budget cannot be negative")
        if (worth.counts <= 0).any():
            raise ValueError(f"ray {int(np.argmax(worth.counts <= 0))} has no positive value; leave such rays out")
        if len(sets) and (not sets.sizes.all() or not 0 <= sets.rays.min() <= sets.rays.max() < len(worth)):
            raise ValueError(f"each unit must show some of the {len(worth)} rays, and no others")
        paid = floor(Fraction(budget) / prices.step) * prices.step
        for name, value in {"units": sets, "costs": prices, "values": worth, "budget": paid}.items():
            object.__setattr__(self, name, value)

    @property
    def num_rays(self) -> int:
        """How many rays there are."""
        return len(self.values)

    def worth(self, chosen: Sequence[int]) -> Fraction:
        """The value of the rays that these units show."""
        shown = np.zeros(self.num_rays, dtype=np.bool_)
        for unit in chosen:
            shown[list(self.units[unit])] = True
        return self.values.total(np.flatnonzero(shown))


def distinct_units(
    sets: RaySets, costs: Costs, *, rays: Sequence[int], num_rays: int
) -> tuple[RaySets, Costs, list[int]]:
    """What units show of these rays (numbered anew): each set once, at the least cost, and the first unit with both."""
    place = np.full(num_rays, -1, dtype=np.int64)
    place[list(rays)] = np.arange(len(rays))
    places = place[sets.rays]
    count = np.bincount(sets.owners()[places >= 0], minlength=len(sets))
    units = np.flatnonzero(count)
    shown = RaySets(starts_of(count[units]), places[places >= 0])
    rank = np.unique(costs.counts[units], return_inverse=True)[1].reshape(-1)
    kind = first_of_equal(shown)
    order = np.lexsort((rank, kind))
    kept = np.sort(order[np.flatnonzero(np.diff(kind[order], prepend=-1))])
    return shown.take(kept), Costs(costs.counts[units[kept]], costs.step), units[kept].tolist()


@dataclass(frozen=True)
class Ceiling:
    """Weights on rays (increasing), positive and at most their values, and the price theta of a unit of cost."""

    weights: tuple[tuple[int, Fraction], ...]
    theta: Fraction


@dataclass(frozen=True)
class Split:
    """Either `unit` is taken, or it is refused with all that it can stand for."""

    unit: int
    taken: CeilingProof
    refused: CeilingProof


CeilingProof: TypeAlias = Ceiling | Split


@dataclass(frozen=True)
class PartialCover:
    """Units within the budget, what the rays they show are worth, and a proved bound on what any such units are worth.

    `complete` is False when a limit or an interrupt (`interrupted`) stopped the search before it was through.
    """

    chosen: tuple[int, ...]
    cost: Fraction
    value: Fraction
    upper_bound: Fraction
    proof: CeilingProof
    complete: bool = True
    interrupted: bool = False

    @property
    def is_most(self) -> bool:
        """Whether the bound proves that nothing is worth more."""
        return self.value == self.upper_bound


@dataclass(frozen=True, eq=False)
class View:
    """A state of choices: what is taken and refused, which rays nobody taken shows, and what is left to spend."""

    taken: Mask
    refused: Mask
    missing: Mask
    left: int  # in steps of the costs

    @classmethod
    def of(cls, problem: PartialCoverProblem) -> View:
        """Nothing is decided."""
        nobody = np.zeros(len(problem.units), dtype=np.bool_)
        whole = np.ones(problem.num_rays, dtype=np.bool_)
        return cls(nobody, nobody, whole, int(problem.budget / problem.costs.step))

    def take(self, unit: int, problem: PartialCoverProblem) -> View:
        """With `unit` taken."""
        taken, missing = self.taken.copy(), self.missing.copy()
        taken[unit] = True
        missing[list(problem.units[unit])] = False
        return View(taken, self.refused, missing, self.left - int(problem.costs.counts[unit]))

    def refuse(self, unit: int, problem: PartialCoverProblem) -> View:
        """With `unit` refused, and whoever it can stand for."""
        beyond, sets, costs = self.missing.copy(), problem.units, problem.costs.counts
        beyond[list(sets[unit])] = False
        stranger = np.logical_or.reduceat(beyond[sets.rays], sets.start[:-1])
        worse = ~stranger & ~self.taken & (costs >= costs[unit])
        return View(self.taken, self.refused | worse, self.missing, self.left)

    def free(self, problem: PartialCoverProblem) -> Mask:
        """The units that can still be taken."""
        return np.asarray(~self.taken & ~self.refused & (problem.costs.counts <= self.left))


def ceiling_bound(problem: PartialCoverProblem, proof: CeilingProof) -> Fraction:
    """What no choice within the budget exceeds, by this proof; ValueError when it breaks a rule.

    Cost: each split and each ceiling looks at every unit.
    """
    bounds: list[Fraction] = []
    stack: list[tuple[CeilingProof, View]] = [(proof, View.of(problem))]
    while stack:
        node, view = stack.pop()
        if isinstance(node, Ceiling):
            bounds.append(_value(problem, node, view))
            continue
        if not 0 <= node.unit < len(problem.units) or view.taken[node.unit] or view.refused[node.unit]:
            raise ValueError(f"the proof splits on unit {node.unit}, which is not free there")
        stack.append((node.taken, view.take(node.unit, problem)))
        stack.append((node.refused, view.refuse(node.unit, problem)))
    return floor(max(bounds) / problem.values.step) * problem.values.step


def _value(problem: PartialCoverProblem, ceiling: Ceiling, view: View) -> Fraction:
    rays, weights = [ray for ray, _ in ceiling.weights], [weight for _, weight in ceiling.weights]
    in_range = all(0 <= ray < problem.num_rays for ray in rays) and rays == sorted(set(rays))
    if not in_range or any(not 0 < y <= problem.values[ray] for ray, y in ceiling.weights) or ceiling.theta < 0:
        raise ValueError("a ceiling needs weights on increasing rays, positive and at most their values, and a price")
    step = problem.values.step
    price = ceiling.theta * problem.costs.step / step
    scale = lcm(price.denominator, *{(weight / step).denominator for weight in weights})
    amounts = np.zeros(problem.num_rays, dtype=object)
    amounts[rays] = [int(weight / step * scale) for weight in weights]
    return bound_of(problem, view, amounts=amounts, price=int(price * scale), scale=scale) * step


def bound_of(problem: PartialCoverProblem, view: View, *, amounts: NDArray[Any], price: int, scale: int) -> Fraction:
    """The bound in steps, not rounded, of one weight for each ray and a price, all counting `1/scale` of a step."""
    costs, values = problem.costs.counts, problem.values.counts
    largest = max(int(values.sum()) * scale, max(price, 1) * max(int(costs.sum()), abs(view.left), 1))
    words: type = np.int64 if largest * (len(costs) + 2) < _WORD else object
    on_rays: NDArray[Any] = amounts.astype(words)
    total = int(values.sum()) * scale - int(on_rays.sum()) + price * view.left
    if len(costs):
        load = np.add.reduceat(on_rays[problem.units.rays], problem.units.start[:-1])
        over = load - costs.astype(words) * price
        total += int(load[view.taken].sum()) + int(np.maximum(over[view.free(problem)], 0).sum())
    return Fraction(total, scale)
