"""Realizing and contradicting with a floating solver's help: it points, exact arithmetic decides.

Each function returns only what it has checked in integers, and None where the solver was no help.  Vectors are scaled
for the solver, rows and columns to largest entries near 1, and what it says is scaled back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, primitive_vector
from hornbook.proposals import LinearProgram, Row, highs_relaxation
from hornbook.rays._realize import Conflict, realize

__all__ = ["Compromise", "guessed_compromise", "guessed_conflict"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Compromise:
    """Weights that are wrong about few groups: `wrong` lists exactly those with a vector that the weights do not
    make positive."""

    weights: tuple[int, ...]
    wrong: tuple[int, ...]


def guessed_conflict(vectors: Vectors, *, seconds: float | None = None) -> Conflict | None:
    """An irreducible conflict among the vectors, or None if the solver shows none.

    Cost: a linear program with a column per vector, and an exact one over the d + 1 or fewer vectors that it points at.
    """
    table, _ = _scaled(vectors)
    count, dimension = table.shape
    everywhere = np.arange(count)
    rows = [Row(*_entries(table[:, axis]), 0.0, 0.0) for axis in range(dimension)]
    rows.append(Row(everywhere, np.ones(count), 1.0, 1.0))
    zeros, ones = np.zeros(count), np.ones(count)
    relaxation = highs_relaxation(LinearProgram(zeros, zeros, ones, tuple(rows)))
    guess = relaxation.guess(zeros, ones, seconds=seconds)
    if guess is None:
        return None
    few = np.flatnonzero(guess.variables > 0)
    found = realize(vectors.take(few)) if few.size else None
    if not isinstance(found, Conflict):
        return None
    return Conflict(tuple(int(few[row]) for row in found.rows), found.multipliers)


def _scaled(vectors: Vectors) -> tuple[Floats, Floats]:
    """The vectors with entries up to 1, and what their columns were divided by."""
    table = vectors.shapes / 2
    columns = np.abs(table).max(axis=0, initial=0.0)
    columns[columns == 0] = 1.0
    return table / columns, columns


def _entries(values: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    places = np.flatnonzero(values)
    return places, values[places]


def guessed_compromise(
    vectors: Vectors, groups: Sequence[int], *, costs: Sequence[float], rounds: int, seconds: float | None = None
) -> Compromise | None:
    """Weights that are wrong about groups of small cost: vector i belongs to group `groups[i]`.

    The first round charges each group in proportion to its worst vector; later rounds charge less for what is wrong
    anyway, which makes the wrong groups fewer.  The cheapest round counts.  Cost: a linear program per round.
    """
    table, columns = _scaled(vectors)
    owners = np.asarray(groups, dtype=np.intp)
    prices = np.asarray(costs, dtype=np.float64)
    best: Compromise | None = None
    for _ in range(rounds):
        found = _charged(table, owners, prices, seconds=seconds)
        if found is None:
            return best
        weights, slack = found
        candidate = _exactly(vectors, owners, weights / columns)
        if candidate is not None and (best is None or _cost(candidate, costs) < _cost(best, costs)):
            best = candidate
        if best is not None and not best.wrong:
            return best
        prices = np.asarray(costs) / (slack + 1e-2)
    return best


def _charged(
    table: Floats, owners: npt.NDArray[np.intp], prices: Floats, *, seconds: float | None
) -> tuple[Floats, Floats] | None:
    """Minimise what groups fall short of 1 by, at these prices."""
    dimension, count = table.shape[1], len(prices)
    rows = []
    for i, owner in enumerate(owners.tolist()):
        places, values = _entries(table[i])
        rows.append(Row(np.append(places, dimension + owner), np.append(values, 1.0), 1.0))
    lower = np.concatenate([np.full(dimension, -np.inf), np.zeros(count)])
    upper = np.full(dimension + count, np.inf)
    cost = np.concatenate([np.zeros(dimension), prices])
    guess = highs_relaxation(LinearProgram(cost, lower, upper, tuple(rows))).guess(lower, upper, seconds=seconds)
    if guess is None or not bool(np.all(np.isfinite(guess.variables))):
        return None
    return guess.variables[:dimension], guess.variables[dimension:]


def _exactly(vectors: Vectors, owners: npt.NDArray[np.intp], weights: Floats) -> Compromise | None:
    """Which groups the weights are wrong about, in integers."""
    exact = primitive_vector([Fraction(float(v)) for v in weights])
    wrong = np.unique(owners[vectors.signs([exact])[:, 0] <= 0])
    return Compromise(exact, tuple(wrong.tolist()))


def _cost(compromise: Compromise, costs: Sequence[float]) -> float:
    return sum(costs[group] for group in compromise.wrong)
