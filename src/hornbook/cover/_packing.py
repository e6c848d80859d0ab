"""Small linear programs solved exactly, so that small covers need no floating-point solver and no luck.

The dual of a cover relaxation, "the most weight on rows such that no unit carries more than it costs", has a
feasible start at zero, so plain primal simplex on a dictionary of integers with one common denominator does
(Edmonds 1967, Bareiss 1968).  Ties in the ratio test, which are the rule when costs are equal, are broken by
a second column of distinct costs: a symbolic perturbation.  The basis changes are decided in exact numbers:
the answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hornbook.proposals import FloatArray, Guess, Row

__all__ = ["EXACT_ENTRIES", "ExactRelaxation", "most_weight"]

EXACT_ENTRIES = 6000  # rows times units up to which exact pivots cost less than a solver's start
_PIVOTS = 1000
_RANGE = 1000  # bits of a float's exponent that are safe
_WORD = 1 << 31  # products of two numbers below this fit int64


class ExactRelaxation:
    """The relaxation of a cover, dense: rows of ones with integer needs, and integer costs of any size.

    Cost: about rows x units x pivots, 1 to 50 ms at 6,000 entries.  A lower bound of 1 means that the unit is
    taken, an upper bound of 0 that it is refused; other bounds are not understood.
    """

    def __init__(self, costs: Sequence[int], rows: Sequence[Row]) -> None:
        self._costs = np.array(costs, dtype=object)
        self._touches = np.zeros((len(costs), 0), dtype=np.int64)
        self._demand = np.zeros(0, dtype=np.int64)
        self.add(rows)

    def add(self, rows: Sequence[Row]) -> None:
        more = np.zeros((len(self._costs), len(rows)), dtype=np.int64)
        for index, row in enumerate(rows):
            more[row.variables, index] = 1
        self._touches = np.hstack((self._touches, more))
        self._demand = np.append(self._demand, [int(row.at_least) for row in rows])

    def guess(self, lower: FloatArray, upper: FloatArray, *, seconds: float | None = None) -> Guess:
        taken, free = lower > 0, (lower <= 0) & (upper > 0)
        demand = self._demand - self._touches[taken].sum(axis=0)
        rows = np.flatnonzero((demand > 0) & self._touches[free].any(axis=0))
        fractions, duals = taken.astype(np.float64), np.zeros(len(demand), dtype=object)
        table, worth = self._touches[np.ix_(free, rows)], demand[rows]
        if (worth > 1).any():  # overloads, at a loss: without them units would be taken more than once
            table = np.hstack((table, -np.eye(len(table), dtype=np.int64)))
            worth = np.append(worth, np.full(len(table), -1))
        weights, scale, fractions[free] = most_weight(table, demand=worth, costs=self._costs[free])
        duals[rows] = weights[: len(rows)]
        rough = np.array([_ratio(dual, scale) for dual in duals.tolist()])
        return Guess(fractions, rough, (duals, scale))


def _ratio(dual: int, scale: int) -> float:
    """As a float, or a large one where that is out of range."""
    return dual / scale if dual.bit_length() - scale.bit_length() < _RANGE else 2.0**_RANGE


def most_weight(
    touches: NDArray[np.int64], *, demand: NDArray[np.int64], costs: NDArray[np.object_]
) -> tuple[NDArray[np.object_], int, FloatArray]:
    """Maximise `demand @ y` over `touches @ y <= costs`, `y >= 0`.

    Returns y as integers, their denominator, and the optimal fractions of the units (the dual solution).
    `touches` has a row for each unit; each column that pays has a one.  Stops after 1,000 pivots,
    with feasible weights that need not be the best.
    """
    units, rows = touches.shape
    table = np.zeros((units + 1, rows + 2), dtype=object)
    table[:units, :rows] = touches
    table[units, :rows] = -demand
    table[:units, rows] = costs
    table[:units, rows + 1] = [1 + (7 * unit * unit + 131 * unit) % 101 for unit in range(units)]
    basic, cobasic = np.arange(rows, rows + units), np.arange(rows)
    table, scale = _pivot_to_optimum(table, basic, cobasic)
    weights, fractions = np.zeros(rows + units, dtype=object), np.zeros(rows + units)
    weights[basic] = table[:units, rows].tolist()
    fractions[cobasic] = [_ratio(entry, scale) for entry in table[units, :rows].tolist()]
    return weights[:rows], scale, fractions[rows:]


def _pivot_to_optimum(
    table: NDArray[np.object_], basic: NDArray[np.int64], cobasic: NDArray[np.int64]
) -> tuple[NDArray[np.object_], int]:
    scale = 1
    current = _in_words(table)
    for _ in range(_PIVOTS):
        if (current[-1, :-2] >= 0).all():
            break
        enter = int(np.argmin(current[-1, :-2]))
        leave = _ratio_test(current, enter)
        current, scale = _pivot(current, leave, enter, scale=scale)
        basic[leave], cobasic[enter] = cobasic[enter], basic[leave]
    return current, scale


def _in_words(table: NDArray[np.object_]) -> NDArray[np.object_]:
    """Machine words while the numbers are small enough to be multiplied in them."""
    small = np.abs(table).max() < _WORD
    return table.astype(np.int64) if small else table.astype(object)


def _ratio_test(table: NDArray[np.object_], enter: int) -> int:
    """The row that limits the entering variable: least cost per entry, ties by the second column, then the
    first."""
    best = -1
    for row in np.flatnonzero(table[:-1, enter] > 0).tolist():
        if best < 0:
            best = row
            continue
        mine, its = int(table[row, enter]), int(table[best, enter])
        for column in (-2, -1):
            difference = int(table[row, column]) * its - int(table[best, column]) * mine
            if difference:
                break
        if difference < 0:
            best = row
    return best


def _pivot(table: NDArray[np.object_], leave: int, enter: int, *, scale: int) -> tuple[NDArray[np.object_], int]:
    """One exchange; every entry stays an integer over the common denominator, which becomes the pivot."""
    table = _in_words(table)
    pivot = table[leave, enter]
    row, column = table[leave].copy(), table[:, enter].copy()
    table = (table * pivot - np.outer(column, row)) // scale
    table[leave] = row
    table[:, enter] = -column
    table[leave, enter] = scale
    return table, int(pivot)
