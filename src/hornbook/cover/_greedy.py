"""The greedy cover, with the guarantee it really has.

Chvatal 1979: charge each ray the price `cost / newly shown` at which it was shown, the last time that was needed (the
dearest).  A unit of q rays is charged at most `H(q) = 1 + 1/2 + ... + 1/q` times its cost by rays that others showed,
so the prices divided by `H(largest unit)` are feasible weights, and greedy pays at most `H(largest unit)` times the
minimum.  With demands a chosen unit may carry more, by what its rays were charged later beyond its own price; that is
what a bound subtracts, and what makes prices and costs add up (Rajagopalan and Vazirani 1998).  Dividing by the worst
overload that really occurs instead gives a better bound for the instance at hand; that is the proof returned.
"""

from __future__ import annotations

import heapq
from fractions import Fraction
from math import lcm

import numpy as np

from hornbook.cover._bounds import proof_bound
from hornbook.cover._incidence import Table, table_of
from hornbook.cover._linear import linear_leaf
from hornbook.cover.problem import Cover, CoverProblem, Leaf, Limits, Progress, Stop

__all__ = ["cover_greedily", "greedy_cover", "greedy_guarantee", "without_redundant"]


def greedy_guarantee(problem: CoverProblem) -> Fraction:
    """`H(max |V_s|)`: greedy costs at most this times the minimum (0 when there is nothing to cover)."""
    largest = int(problem.units.sizes.max(initial=0))
    return sum((Fraction(1, size) for size in range(1, largest + 1)), Fraction(0))


def greedy_cover(
    problem: CoverProblem,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Cover:
    """Take the unit that shows the most new rays for its cost, again and again, then leave out what is not
    needed.

    Units that cost nothing come first; ties go to the lowest index.  The proved bound is at least the cost divided by
    `greedy_guarantee(problem)`, and at least what the linear relaxation proves.  It runs to the end whatever the limits
    are; the relaxation is given the seconds that they allow.

    Cost: a second for a million incidences, and the relaxation where the prices do not prove a minimum.  Use it when
    the minimum is out of reach, or to compare.
    """
    table = table_of(problem)
    order, prices = cover_greedily(table)
    chosen = without_redundant(table, order)
    fitted = _dual_fitting(table, order, prices)
    cost = problem.costs.total(chosen)
    proof = Leaf(tuple((ray, price * problem.step) for ray, price in enumerate(fitted) if price))
    bound = proof_bound(problem, proof)
    seconds = limits.seconds if limits else None
    better = None if bound == cost or seconds == 0 else linear_leaf(problem, seconds=seconds)
    if better is not None and (more := proof_bound(problem, better)) > bound:
        bound, proof = more, better
    return Cover(tuple(chosen), cost, bound, proof, guarantee=greedy_guarantee(problem))


def cover_greedily(table: Table) -> tuple[list[int], list[Fraction]]:
    """Units in the order taken, and the price of each ray."""
    gain = np.diff(table.unit_start)
    prices = [Fraction(0)] * table.num_rays
    order: list[int] = []
    rate: dict[tuple[int, int], Fraction] = {}  # few different (cost, gain) occur: fractions are made once
    costs = table.costs.tolist()

    def rated(unit: int, new: int) -> Fraction:
        key = (costs[unit], new)
        if key not in rate:
            rate[key] = Fraction(*key)
        return rate[key]

    heap = [(rated(unit, new), unit) for unit, new in enumerate(gain.tolist())]
    heapq.heapify(heap)
    need = table.demands.copy()
    missing = int(need.sum())
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
            need[ray] -= 1
            if not need[ray]:
                prices[ray] = claimed
                gain[table.units_of(ray)] -= 1
    return order, prices


def without_redundant(table: Table, chosen: list[int]) -> list[int]:
    """Leave out units whose rays the others show often enough: the most expensive first, of equal cost the highest
    index first."""
    spare = -table.demands
    for unit in chosen:
        spare[table.rays_of(unit)] += 1
    kept = []
    costs = table.costs[chosen].tolist() if chosen else []
    for _, unit in sorted(zip(costs, chosen, strict=True), reverse=True):
        rays = table.rays_of(unit)
        if (spare[rays] > 0).all():
            spare[rays] -= 1
        else:
            kept.append(unit)
    return sorted(kept)


def _dual_fitting(table: Table, order: list[int], prices: list[Fraction]) -> list[Fraction]:
    """The prices over the worst overload: of a chosen unit counts what rays pay that others showed, and its cost."""
    scale = lcm(*{price.denominator for price in prices})
    amount = np.array([int(price * scale) for price in prices], dtype=object)
    carried = np.add.reduceat(amount[table.unit_rays], table.unit_start[:-1]) if table.num_units else amount
    need = table.demands.copy()
    for unit in order:
        rays = table.rays_of(unit)
        new = rays[need[rays] > 0]
        carried[unit] += int(table.costs[unit]) * scale - int(amount[new].sum())
        need[rays] -= 1
    costs = table.costs.astype(object) * scale
    over = np.flatnonzero(carried > costs).tolist()
    worst = max((Fraction(carried[unit], costs[unit]) for unit in over), default=Fraction(1))
    return [price / worst for price in prices]
