"""The linear relaxation of one piece of a cover problem: guesses go in, exact leaves come out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from hornbook.cover._incidence import IntArray, Table
from hornbook.cover._odd_sets import most_shown, violated_sets
from hornbook.cover._packing import EXACT_ENTRIES, exact_relaxation
from hornbook.cover._tree import Names, Place
from hornbook.cover._weights import SCALES, Rows, ceilings, denominator, feasible_weights, scale_for
from hornbook.cover.problem import Leaf, SetBound
from hornbook.proposals import FloatArray, Guess, LinearProgram, Relaxation, RelaxationMaker, Row, highs_relaxation

__all__ = ["Enough", "Relaxed"]

Enough = Callable[[Fraction], bool]
"""Whether a bound (in units of cost, not rounded) closes a node."""

_SETS_AT_ONCE = 20
_CLEAR = 1e-6  # only saves work: rounding is tried when the solver's own bound would do, within its tolerance
_COST_BITS = 40


class Relaxed:
    """Rows for rays and for sets found so far, a solver behind them, and the way from its numbers to leaves."""

    def __init__(self, table: Table, names: Names, *, maker: RelaxationMaker | None) -> None:
        self._table, self._names, self._maker = table, names, maker
        self._solver: Relaxation | None = None
        self._sets: list[tuple[int, ...]] = []
        self._rows = Rows.of(table.ray_start, table.ray_units, num_units=table.num_units)
        largest = max(table.costs)
        self._finest = scale_for(largest)
        self._shift = max(0, largest.bit_length() - _COST_BITS)

    def guess(self, place: Place, *, seconds: float | None) -> Guess | None:
        """Ask the solver for weights and fractions where `place` is."""
        if self._solver is None:
            self._solver = self._open()
        lower, upper = np.zeros(self._table.num_units), place.free.astype(np.float64)
        lower[list(place.taken)] = upper[list(place.taken)] = 1.0
        guess = self._solver.guess(lower, upper, seconds=seconds)
        if guess is None:
            return None
        fractions = np.clip(np.nan_to_num(guess.variables, nan=0.0), 0.0, 1.0)
        return Guess(fractions, guess.duals * 2.0**self._shift)

    def _open(self) -> Relaxation:
        table = self._table
        # Costs beyond the solver's reach lose their last bits here, and here only.
        cost = np.array([cost >> self._shift for cost in table.costs], dtype=np.float64)
        rows = tuple(_row(table.units_of(ray), 1) for ray in range(table.num_rays))
        program = LinearProgram(cost, np.zeros(len(cost)), np.ones(len(cost)), rows)
        small = table.num_units * table.num_rays <= EXACT_ENTRIES
        maker = self._maker or (exact_relaxation if small else highs_relaxation)
        return maker(program)

    def add_sets(self, fractions: FloatArray) -> bool:
        """Add rows for sets of rays that these fractions touch too little, if any are found."""
        known = set(self._sets)
        sets = [rays for rays in violated_sets(self._table, fractions) if rays not in known][:_SETS_AT_ONCE]
        if not sets or self._solver is None:
            return False
        touching = [self._touching(rays) for rays in sets]
        needs = [self._need(np.array(rays, dtype=np.int64)) for rays in sets]
        self._solver.add([_row(units, need) for units, need in zip(touching, needs, strict=True)])
        lengths = np.array([len(units) for units in touching], dtype=np.int64)
        start = np.concatenate((self._rows.row_start, self._rows.row_start[-1] + np.cumsum(lengths)))
        units = np.concatenate((self._rows.row_units, *touching))
        self._rows = Rows.of(start, units, num_units=self._table.num_units)
        self._sets += sets
        return True

    def _touching(self, rays: tuple[int, ...]) -> IntArray:
        return np.unique(np.concatenate([self._table.units_of(ray) for ray in rays]))

    def _need(self, rays: IntArray) -> int:
        return -(-len(rays) // most_shown(self._table, rays))

    def demands(self, place: Place) -> IntArray:
        """What each row asks for once the rays already shown are taken out of it."""
        missing = [np.array([ray for ray in rays if place.missing[ray]], dtype=np.int64) for rays in self._sets]
        sets = [self._need(rays) if len(rays) else 0 for rays in missing]
        return np.concatenate((place.missing.astype(np.int64), np.array(sets, dtype=np.int64)))

    def prove(self, place: Place, duals: FloatArray | None, *, enough: Enough) -> tuple[Leaf, Fraction]:
        """The simplest leaf that is `enough`, else the best one: coarse weights before fine ones.

        Coarse weights are rounded far beyond the solver's noise, so they usually are the same on every machine.
        """
        demand = self.demands(place)
        guess = np.zeros(len(demand)) if duals is None else np.where(np.isfinite(duals), duals, 0.0)
        hope = place.cost + float(guess @ demand) + _CLEAR
        best: tuple[Fraction, int, IntArray] | None = None
        for scale in self._scales(guess, hopeful=duals is None or enough(Fraction(min(hope, 2.0**1000)))):
            weights = self._weigh(place, guess, demand=demand, scale=scale)
            bound = place.cost + Fraction(int(weights @ demand), scale)
            if best is None or bound > best[0]:
                best = (bound, scale, weights)
            if enough(bound):
                break
        if best is None:
            raise RuntimeError("no scale was tried")
        return self._leaf(place, best[2], scale=best[1]), best[0]

    def _scales(self, guess: FloatArray, *, hopeful: bool) -> list[int]:
        if not guess.any():
            return [1]
        common = denominator(guess)
        coarse = (*SCALES, common) if hopeful else ()
        return [*coarse, self._finest]

    def _weigh(self, place: Place, guess: FloatArray, *, demand: IntArray, scale: int) -> IntArray:
        ceiling = ceilings(self._table.costs, scale=scale)
        ceiling[~place.free] = max(int(ceiling.max()), 1) * (self._rows.count + 1)
        return feasible_weights(self._rows, guess * scale, ceiling=ceiling, active=demand > 0)

    def _leaf(self, place: Place, weights: IntArray, *, scale: int) -> Leaf:
        one = self._names.unit_of_cost / scale
        rays = np.flatnonzero(weights[: self._table.num_rays]).tolist()
        on_rays = tuple((self._names.rays[ray], int(weights[ray]) * one) for ray in rays)
        sets = []
        for members, weight in zip(self._sets, weights[self._table.num_rays :].tolist(), strict=True):
            if weight:
                missing = np.array([ray for ray in members if place.missing[ray]], dtype=np.int64)
                of = tuple(self._names.rays[ray] for ray in missing.tolist())
                sets.append(SetBound(of, most_shown(self._table, missing), int(weight) * one))
        return Leaf(on_rays, tuple(sets))


def _row(units: IntArray, need: int) -> Row:
    return Row(units, np.ones(len(units)), float(need))
