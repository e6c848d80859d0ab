"""The bound of the linear relaxation, made exact: weights on rays under which no unit carries more than it costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

import numpy as np

from hornbook.cover._incidence import IntArray, Table, table_of
from hornbook.cover._reductions import reduce_cover
from hornbook.cover._weights import FINEST, SCALES, Rows, ceilings, feasible_weights
from hornbook.cover.problem import CoverProblem, Leaf
from hornbook.proposals import FloatArray, LinearProgram, RelaxationMaker, Row, highs_relaxation

__all__ = ["linear_leaf", "linear_weights"]

_LARGEST = 1 << 21  # entries of a linear program that is still worth its time
_BITS = 40  # of a cost that the solver sees


def linear_leaf(
    problem: CoverProblem, *, relaxation: RelaxationMaker | None = None, seconds: float | None = None
) -> Leaf | None:
    """Weights that prove nearly the value of the relaxation; None where it is too large, or the solver shows nothing.

    Cost: the reductions, and one linear program for what they leave.
    """
    table = table_of(problem)
    reduced = reduce_cover(table)
    weights = {ray: cost * problem.step for ray, cost in reduced.weights if cost}
    if len(reduced.units) > _LARGEST:
        return None
    if len(reduced.units):
        units, local_units = np.unique(reduced.units, return_inverse=True)
        rays, local_rays = np.unique(reduced.rays, return_inverse=True)
        rest = Table.from_pairs(local_units, local_rays, costs=table.costs[units], demands=reduced.need[rays])
        found = linear_weights(rest, relaxation=relaxation, seconds=seconds)
        if found is None:
            return None
        amounts, scale = found
        weights |= {int(rays[i]): int(amounts[i]) * problem.step / scale for i in np.flatnonzero(amounts)}
    return Leaf(tuple(sorted(weights.items())))


def linear_weights(
    table: Table, *, relaxation: RelaxationMaker | None = None, seconds: float | None = None
) -> tuple[IntArray, int] | None:
    """Weights and their scale: they count `1/scale` of a step of cost, and no unit carries more than it costs.

    Of several scales the coarsest is taken whose bound, rounded up, is the best.
    """
    duals = _duals(table, relaxation or highs_relaxation, seconds)
    if duals is None:
        return None
    tried = list(_rounded(table, duals))
    most = max(bound for bound, _, _ in tried)
    return next((weights, scale) for bound, weights, scale in tried if bound == most)


def _rounded(table: Table, duals: FloatArray) -> Iterator[tuple[int, IntArray, int]]:
    """At each scale: the bound, rounded up, the weights, and the scale."""
    rows = Rows.of(table.ray_start, table.ray_units, num_units=table.num_units)
    active = np.ones(table.num_rays, dtype=np.bool_)
    for scale in (*SCALES, FINEST):
        ceiling = ceilings(table.costs.tolist(), scale=scale)
        weights = feasible_weights(rows, duals * scale, ceiling=ceiling, active=active)
        worth = sum(map(int, weights * table.demands))
        yield ceil(Fraction(worth, scale)), weights, scale


def _duals(table: Table, maker: RelaxationMaker, seconds: float | None) -> FloatArray | None:
    """What the solver believes to be the weights; costs beyond its reach lose their last bits."""
    shift = max(0, int(table.costs.max()).bit_length() - _BITS)
    costs = np.array([cost >> shift for cost in table.costs.tolist()], dtype=np.float64)
    members = [table.units_of(ray) for ray in range(table.num_rays)]
    rows = [Row(units, np.ones(len(units)), float(b)) for units, b in zip(members, table.demands, strict=True)]
    lower, upper = np.zeros(table.num_units), np.ones(table.num_units)
    guess = maker(LinearProgram(costs, lower, upper, tuple(rows))).guess(lower, upper, seconds=seconds)
    if guess is None:
        return None
    most = 2.0 ** (_BITS + 1)
    return np.clip(np.nan_to_num(guess.duals, nan=0.0, posinf=0.0, neginf=0.0), 0.0, most) * 2.0**shift
