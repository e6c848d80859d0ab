"""Turn guessed weights into weights that are exactly feasible: no free unit carries more than it costs.

Weights are integers, counting `1/scale` of the unit of cost.  A guess is rounded to the nearest integers,
weights on overloaded units are cut in proportion, and then each weight is raised as far as its units
allow.  Whatever the guess was, the result is feasible and cannot be raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._incidence import IntArray, Mask
from hornbook.cover._lists import order_by
from hornbook.proposals import FloatArray

__all__ = ["FINEST", "SCALES", "Rows", "ceilings", "denominator", "feasible_weights", "rounded", "scale_for"]

SCALES = (1, 2, 3, 4, 6, 12, 60)
FINEST = 1 << 20
_MANY = 1 << 20  # a common denominator beyond this is no simpler than the finest scale
_SAFE_BITS = 30  # products of two numbers below 2^31 fit int64


@dataclass(frozen=True)
class Rows:
    """What can carry weight: rows (rays, then sets of rays) and the units that touch them, both ways."""

    row_start: IntArray
    row_units: IntArray
    unit_start: IntArray
    unit_rows: IntArray

    @classmethod
    def of(cls, row_start: IntArray, row_units: IntArray, *, num_units: int) -> Rows:
        """Transpose the lists of units per row."""
        order = order_by(row_units, below=num_units)
        rows = np.repeat(np.arange(len(row_start) - 1), np.diff(row_start))
        unit_start = np.concatenate(([0], np.cumsum(np.bincount(row_units, minlength=num_units)))).astype(np.int64)
        return cls(row_start, row_units, unit_start, rows[order])

    @property
    def count(self) -> int:
        """How many rows."""
        return len(self.row_start) - 1


def scale_for(largest_cost: int) -> int:
    """The finest useful scale: less than `FINEST` where that keeps integers in machine words, but at least
    2^10."""
    return max(1 << 10, min(FINEST, (1 << _SAFE_BITS) // largest_cost))


def ceilings(costs: Sequence[int], *, scale: int) -> IntArray:
    """The costs in this scale, as machine words when products of two of them fit, else as Python integers."""
    scaled = [cost * scale for cost in costs]
    fits = max(scaled) < 1 << _SAFE_BITS + 1
    return np.array(scaled, dtype=np.int64 if fits else object)


def denominator(guess: FloatArray) -> int:
    """A common denominator of the guessed numbers, taken as the simple fractions they are near; 1 if there is
    none."""
    common = 1
    for value in np.unique(guess).tolist():
        common = lcm(common, Fraction(value).limit_denominator(64).denominator)
        if common > _MANY:
            return 1
    return common


def feasible_weights(rows: Rows, guess: NDArray[Any], *, ceiling: IntArray, active: Mask) -> IntArray:
    """Integer weights on the `active` rows such that no unit carries more than its `ceiling`.

    `guess` is in the same scale: floats, or Python integers in an object array.  Each active row must touch
    a unit; ceilings of units that may carry anything are large.  Large integers (object arrays) are welcome
    as ceilings too, and slow.
    """
    room = np.minimum.reduceat(ceiling[rows.row_units], rows.row_start[:-1])
    weights = np.where(active, np.maximum(np.minimum(rounded(guess, room), room), 0), 0)
    load = np.add.reduceat(weights[rows.unit_rows], rows.unit_start[:-1])
    if (load > ceiling).any():
        weights = _cut(rows, weights, load, ceiling)
        load = np.add.reduceat(weights[rows.unit_rows], rows.unit_start[:-1])
    return _raise(rows, weights, ceiling - load, active)


def rounded(guess: NDArray[Any], room: IntArray) -> IntArray:
    """The nearest integers up to `room`, of its type."""
    if guess.dtype == object or room.dtype == object:
        whole = np.array([round(value) for value in guess.tolist()], dtype=object)
        return np.asarray(np.minimum(whole, room), dtype=room.dtype)
    return np.asarray(np.rint(np.minimum(guess, room)), dtype=np.int64)


def _cut(rows: Rows, weights: IntArray, load: IntArray, ceiling: IntArray) -> IntArray:
    """Scale each weight down by the worst overload it is part of, so each load shrinks at least by its
    own."""
    over = (load > ceiling)[rows.row_units]
    owner = np.repeat(np.arange(rows.count), np.diff(rows.row_start))[over]
    unit = rows.row_units[over]
    cut = weights.copy()
    np.minimum.at(cut, owner, weights[owner] * ceiling[unit] // load[unit])
    return cut


def _raise(rows: Rows, weights: IntArray, slack: IntArray, active: Mask) -> IntArray:
    """Raise weights one after the other, rows with few units first, as far as the slack of their units
    allows."""
    room = np.minimum.reduceat(slack[rows.row_units], rows.row_start[:-1])
    candidates = np.flatnonzero(active & (room > 0))
    degree = np.diff(rows.row_start)[candidates]
    for row in candidates[np.argsort(degree, kind="stable")].tolist():
        units = rows.row_units[rows.row_start[row] : rows.row_start[row + 1]]
        step = slack[units].min()
        if step > 0:
            slack[units] -= step
            weights[row] += step
    return weights
