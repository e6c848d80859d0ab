"""The linear relaxation of one piece of a cover problem: guesses go in, exact leaves come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._incidence import IntArray, Table
from hornbook.cover._odd_sets import most_shown, violated_sets
from hornbook.cover._packing import EXACT_ENTRIES, ExactRelaxation
from hornbook.cover._prices import part_of
from hornbook.cover._tree import Names, Place
from hornbook.cover._weights import SCALES, Rows, ceilings, denominator, feasible_weights, rounded, scale_for
from hornbook.cover.problem import Leaf, SetBound
from hornbook.proposals import (
    FINE,
    FloatArray,
    Guess,
    LinearProgram,
    Relaxation,
    RelaxationMaker,
    Row,
    highs_relaxation,
)

__all__ = ["Enough", "Relaxed"]

Enough = Callable[[Fraction], bool]
"""Whether a bound (in units of cost, not rounded) closes a node."""

_SETS_AT_ONCE = 20
_NEW_UNITS = 1000  # that join the core at once, at least half of what it has
_COST_BITS = 40
_FLOAT_BITS = 900


class Relaxed:
    """Rows for rays and for sets found so far, a solver behind them, and the way from its numbers to
    leaves."""

    def __init__(self, table: Table, names: Names, *, maker: RelaxationMaker | None) -> None:
        self._table, self._names, self._maker = table, names, maker
        self._solver: Relaxation | None = None
        self._core: IntArray | None = None
        self._sets: list[tuple[int, ...]] = []
        self._rows = Rows.of(table.ray_start, table.ray_units, num_units=table.num_units)
        largest = int(table.costs.max())
        self._finest = scale_for(largest)
        self._shift = max(0, largest.bit_length() - _COST_BITS)
        # Beyond the range of floats the solver's duals are of no use; exact ones still are.
        self._factor = 2.0**self._shift if self._shift < _FLOAT_BITS else 0.0

    def guess(self, place: Place, *, seconds: float | None) -> Guess | None:
        """Ask the solver for weights and fractions where `place` is; what comes back is finite and in range."""
        if self._solver is None:
            self._solver = self._open()
        lower, upper = np.zeros(self._table.num_units), place.free.astype(np.float64)
        lower[list(place.taken)] = upper[list(place.taken)] = 1.0
        asked = slice(None) if self._core is None else self._core
        guess = self._solver.guess(lower[asked], upper[asked], seconds=seconds)
        if guess is None and self._core is not None and (seconds is None or seconds > 0):
            # Perhaps what is free of the core covers nothing any more: from here on all units are asked about.
            self._core = self._solver = None
            return self.guess(place, seconds=seconds)
        if guess is None:
            return None
        fractions = np.zeros(self._table.num_units)
        fractions[asked] = np.clip(np.nan_to_num(guess.variables), 0.0, 1.0)
        duals = np.clip(np.nan_to_num(guess.duals), 0.0, 2.0 ** (_COST_BITS + 1)) * self._factor
        return Guess(fractions, duals, guess.exact)

    def restrict(self, core: IntArray) -> None:
        """Ask the solver about these units only; what it says is made feasible for all."""
        self._core, self._solver = (None if len(core) == self._table.num_units else core), None

    def widen(self, guess: Guess, place: Place) -> bool:
        """Ask about more units if there are free ones that these weights overload."""
        if self._core is None:
            return False
        load = np.add.reduceat(guess.duals[self._rows.unit_rows], self._rows.unit_start[:-1])
        slack = (self._table.costs - load).astype(np.float64)
        slack[self._core] = 0.0
        slack[~place.free] = 0.0
        over = np.flatnonzero(slack < -FINE * self._factor)
        most = max(_NEW_UNITS, len(self._core) // 2)
        over = over[np.argsort(slack[over], kind="stable")[:most]]
        if len(over):
            self.restrict(np.union1d(self._core, over))
        return len(over) > 0

    def _open(self) -> Relaxation:
        table, core = self._table, self._core
        if core is not None:
            table, _ = part_of(table, core)
        rows = tuple(_row(table.units_of(ray), int(table.demands[ray])) for ray in range(table.num_rays))
        rows += tuple(map(self._set_row, self._sets))
        if self._maker is None and table.num_units * table.num_rays <= EXACT_ENTRIES:
            return ExactRelaxation(table.costs.tolist(), rows)
        # Costs beyond the solver's reach lose their last bits here, and here only.
        cost = np.array([cost >> self._shift for cost in table.costs.tolist()], dtype=np.float64)
        program = LinearProgram(cost, np.zeros(len(cost)), np.ones(len(cost)), rows)
        return (self._maker or highs_relaxation)(program)

    def _set_row(self, rays: tuple[int, ...]) -> Row:
        members = np.array(rays, dtype=np.int64)
        units = self._touching(members)
        if self._core is not None:
            units = np.flatnonzero(np.isin(self._core, units))
        return _row(units, self._need(members))

    def add_sets(self, fractions: FloatArray) -> bool:
        """Add rows for sets of rays that these fractions touch too little, if any are found."""
        known = set(self._sets)
        violated = (rays for rays in violated_sets(self._table, fractions) if rays not in known)
        sets = [rays for rays in violated if not self._names.partial[list(rays)].any()][:_SETS_AT_ONCE]
        if not sets or self._solver is None:
            return False
        touching = [self._touching(np.array(rays, dtype=np.int64)) for rays in sets]
        self._solver.add([self._set_row(rays) for rays in sets])
        lengths = np.array([len(units) for units in touching], dtype=np.int64)
        start = np.concatenate((self._rows.row_start, self._rows.row_start[-1] + np.cumsum(lengths)))
        units = np.concatenate((self._rows.row_units, *touching))
        self._rows = Rows.of(start, units, num_units=self._table.num_units)
        self._sets += sets
        return True

    def _touching(self, rays: IntArray) -> IntArray:
        return np.unique(np.concatenate([self._table.units_of(ray) for ray in rays.tolist()]))

    def demands(self, place: Place) -> IntArray:
        """What each row asks for beyond what is taken."""
        sets = [self._still_needed(rays, place) for rays in self._sets]
        return np.concatenate((np.maximum(place.need, 0), np.array(sets, dtype=np.int64)))

    def _need(self, rays: IntArray) -> int:
        return -(-int(self._table.demands[rays].sum()) // most_shown(self._table, rays))

    def _still_needed(self, rays: tuple[int, ...], place: Place) -> int:
        """What a proof counts for the missing rays of a set: what they need, less the units taken that touch them."""
        missing = self._missing(rays, place)
        if not len(missing):
            return 0
        return max(0, self._need(missing) - int(np.isin(place.taken, self._touching(missing)).sum()))

    def _missing(self, rays: tuple[int, ...], place: Place) -> IntArray:
        return np.array([ray for ray in rays if place.need[ray] > 0], dtype=np.int64)

    def prove(self, place: Place, guess: Guess | None, *, enough: Enough) -> tuple[Leaf, Fraction]:
        """The simplest leaf that is `enough`, else the best one: coarse weights before fine ones.

        Coarse weights are rounded far beyond the solver's noise, so they usually are the same on every
        machine.
        """
        demand = self.demands(place)
        tried: list[tuple[Fraction, int, IntArray]] = []
        for scale in self._scales(place, guess, demand=demand, enough=enough):
            for weights in self._weigh(place, guess, demand=demand, scale=scale):
                worth = int(weights @ demand) - self._overload(place, weights, scale=scale)
                tried.append((place.cost + Fraction(worth, scale), scale, weights))
            if enough(tried[-1][0]):
                break
        bound, scale, weights = max(tried, key=lambda each: each[0])
        return self._leaf(place, weights, scale=scale), bound

    def _scales(self, place: Place, guess: Guess | None, *, demand: IntArray, enough: Enough) -> list[int]:
        """Denominators to try: all where the solver's own bound would do, else the one that gives most."""
        if guess is None or not guess.duals.any():
            return [1]
        hope = place.cost + Fraction(float(guess.duals @ demand) + FINE)
        if guess.exact is None:
            common, finest = denominator(guess.duals), self._finest
        else:
            common = finest = guess.exact[1]
        return [*SCALES, common, finest] if enough(hope) else [finest]

    def _weigh(self, place: Place, guess: Guess | None, *, demand: IntArray, scale: int) -> Iterator[IntArray]:
        """Weights that overload no free unit; before them, where demands are larger, weights that may."""
        costs = ceilings(self._table.costs.tolist(), scale=scale)
        ceiling = costs.copy()
        ceiling[~place.free] = int(ceiling.max()) * (self._rows.count + 1)
        if guess is None:
            proposal: NDArray[Any] = np.zeros(len(demand))
        elif guess.exact is not None and scale % guess.exact[1] == 0:
            proposal = guess.exact[0] * (scale // guess.exact[1])
        else:
            proposal = guess.duals * scale
        if (demand[: self._table.num_rays] > 1).any():
            # With demand 1 no unit is worth more than its cost; with more, the cheap ones of a ray are.
            most = np.full(len(demand), costs.max(), dtype=costs.dtype)
            yield np.where(demand > 0, rounded(np.maximum(proposal, 0), most), 0)
        yield feasible_weights(self._rows, proposal, ceiling=ceiling, active=demand > 0)

    def _overload(self, place: Place, weights: IntArray, *, scale: int) -> int:
        """By how much free units carry more than they cost, all together."""
        load = np.add.reduceat(weights[self._rows.unit_rows], self._rows.unit_start[:-1])
        costs = ceilings(self._table.costs.tolist(), scale=scale)
        return int(np.maximum(load - costs, 0)[place.free].sum())

    def _leaf(self, place: Place, weights: IntArray, *, scale: int) -> Leaf:
        one = self._names.unit_of_cost / scale
        rays = np.flatnonzero(weights[: self._table.num_rays]).tolist()
        on_rays = tuple((self._names.rays[ray], int(weights[ray]) * one) for ray in rays)
        sets = []
        for members, weight in zip(self._sets, weights[self._table.num_rays :].tolist(), strict=True):
            if weight:
                missing = self._missing(members, place)
                of = tuple(self._names.rays[ray] for ray in missing.tolist())
                sets.append(SetBound(of, most_shown(self._table, missing), int(weight) * one))
        return Leaf(on_rays, tuple(sets))


def _row(units: IntArray, need: int) -> Row:
    return Row(units, np.ones(len(units)), float(need))
