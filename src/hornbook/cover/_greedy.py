"""The greedy cover, with the guarantee it really has.

Chvatal 1979: charge each ray the price `cost / newly shown` at which it was first shown.  A unit of q rays is
charged at most `H(q) = 1 + 1/2 + ... + 1/q` times its cost, so the prices divided by `H(largest unit)` are
feasible weights, and greedy pays at most `H(largest unit)` times the minimum.  Dividing by the worst overload
that really occurs instead gives a better bound for the instance at hand; that is the proof returned.
"""

from __future__ import annotations

import heapq
from fractions import Fraction
from math import lcm

import numpy as np

from hornbook.cover._bounds import proof_bound
from hornbook.cover._incidence import Table, table_of
from hornbook.cover.problem import Cover, CoverProblem, Leaf, Limits, Progress, Stop

__all__ = ["cover_greedily", "greedy_cover", "greedy_guarantee", "without_redundant"]


def greedy_guarantee(problem: CoverProblem) -> Fraction:
    """`H(max |V_s|)`: greedy costs at most this times the minimum (0 when there is nothing to cover)."""
    return sum((Fraction(1, size) for size in range(1, max(map(len, problem.units), default=0) + 1)), Fraction(0))


def greedy_cover(
    problem: CoverProblem,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Cover:
    """Take the unit that shows the most new rays for its cost, again and again, then leave out what is not
    needed.

    Units that cost nothing come first; ties go to the lowest index.  The proved bound is at least the cost
    divided by `greedy_guarantee(problem)`.  It runs to the end whatever the limits are.

    Cost: a second for a million incidences.  Use it when the minimum is out of reach, or to compare.
    """
    table = table_of(problem)
    order, prices = cover_greedily(table)
    chosen = without_redundant(table, order)
    proof = _dual_fitting(table, prices, problem.cost_step())
    cost = sum((problem.costs[index] for index in chosen), Fraction(0))
    return Cover(tuple(chosen), cost, proof_bound(problem, proof), proof)


def cover_greedily(table: Table) -> tuple[list[int], list[Fraction]]:
    """Units in the order taken, and the price of each ray."""
    gain = np.diff(table.unit_start)
    prices: list[Fraction | None] = [None] * table.num_rays
    order: list[int] = []
    rate: dict[tuple[int, int], Fraction] = {}  # few different (cost, gain) occur: fractions are made once

    def rated(unit: int, new: int) -> Fraction:
        key = (table.costs[unit], new)
        if key not in rate:
            rate[key] = Fraction(*key)
        return rate[key]

    heap = [(rated(unit, new), unit) for unit, new in enumerate(gain.tolist())]
    heapq.heapify(heap)
    missing = table.num_rays
    while missing:
        claimed, unit = heapq.heappop(heap)
        new = int(gain[unit])
        if not new:
            continue
        if rated(unit, new) != claimed:
            heapq.heappush(heap, (rated(unit, new), unit))
            continue
        order.append(unit)
        missing -= new
        for ray in table.rays_of(unit).tolist():
            if prices[ray] is None:
                prices[ray] = claimed
                gain[table.units_of(ray)] -= 1
    return order, [price for price in prices if price is not None]


def without_redundant(table: Table, chosen: list[int]) -> list[int]:
    """Leave out units whose rays the others show: the most expensive first, of equal cost the highest index
    first."""
    count = np.zeros(table.num_rays, dtype=np.int64)
    for unit in chosen:
        count[table.rays_of(unit)] += 1
    kept = []
    for unit in sorted(chosen, key=lambda unit: (-table.costs[unit], -unit)):
        rays = table.rays_of(unit)
        if (count[rays] > 1).all():
            count[rays] -= 1
        else:
            kept.append(unit)
    return sorted(kept)


def _dual_fitting(table: Table, prices: list[Fraction], unit_of_cost: Fraction) -> Leaf:
    scale = lcm(*(price.denominator for price in prices))
    amount = [int(price * scale) for price in prices]
    starts, rays = table.unit_start.tolist(), table.unit_rays.tolist()
    worst = Fraction(1)
    for unit, cost in enumerate(table.costs):
        carried = sum(amount[ray] for ray in rays[starts[unit] : starts[unit + 1]])
        if carried > worst * cost * scale:
            worst = Fraction(carried, cost * scale)
    factor = unit_of_cost / worst
    return Leaf(tuple((ray, price * factor) for ray, price in enumerate(prices) if price))
