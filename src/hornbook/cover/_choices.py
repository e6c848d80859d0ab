"""Good choices within a budget, quickly: greedy, exchanges, and what a relaxation's fractions suggest."""

from __future__ import annotations

import heapq
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._lists import IntArray, Mask, starts_of
from hornbook.cover.partial import PartialCoverProblem, View
from hornbook.proposals import FloatArray

__all__ = ["Choices"]

_EXCHANGES = 200  # units taken out and replaced, at most


class Choices:
    """The problem with both ways from units to rays; values and costs in steps."""

    def __init__(self, problem: PartialCoverProblem) -> None:
        self._problem = problem
        self._values, self._costs = problem.values.counts, problem.costs.counts
        self._budget = View.of(problem).left
        self._rates: dict[tuple[int, int], Fraction] = {}
        order = np.argsort(problem.units.rays, kind="stable")
        self._ray_units = problem.units.owners()[order]
        self._ray_start = starts_of(np.bincount(problem.units.rays, minlength=problem.num_rays))

    def _rays_of(self, unit: int) -> IntArray:
        sets = self._problem.units
        return sets.rays[sets.start[unit] : sets.start[unit + 1]]

    def _cost_of(self, chosen: list[int]) -> int:
        return int(self._costs[chosen].sum()) if chosen else 0

    def worth(self, chosen: list[int]) -> int:
        """The value of the rays that these units show."""
        return int(self._values[self._times(chosen) > 0].sum())

    def _times(self, chosen: list[int]) -> IntArray:
        times = np.zeros(self._problem.num_rays, dtype=np.int64)
        for unit in chosen:
            times[self._rays_of(unit)] += 1
        return times

    def gains(self, missing: Mask) -> NDArray[Any]:
        """What each unit would add."""
        if not len(self._problem.units):
            return self._costs
        worth = np.where(missing, self._values, 0)
        return np.asarray(np.add.reduceat(worth[self._problem.units.rays], self._problem.units.start[:-1]))

    def best_single(self) -> int | None:
        """The unit within the budget that is worth most, the first among equals."""
        affordable = np.flatnonzero(self._costs <= self._budget)
        if not len(affordable):
            return None
        return int(affordable[np.argmax(self.gains(np.ones(self._problem.num_rays, dtype=np.bool_))[affordable])])

    def filled(self, chosen: list[int]) -> list[int]:
        """Add what adds most for its cost, again and again, as long as it can be paid; ties go to the lowest index."""
        missing = self._times(chosen) == 0
        left = self._budget - self._cost_of(chosen)
        gain = self.gains(missing)
        chosen = list(chosen)
        candidates = np.flatnonzero((gain > 0) & (self._costs <= left)).tolist()
        heap = [(self._rate(unit, int(gain[unit])), unit) for unit in candidates]
        heapq.heapify(heap)
        while heap:
            claimed, unit = heapq.heappop(heap)
            new = int(self._values[(rays := self._rays_of(unit))[missing[rays]]].sum())
            if not new or self._costs[unit] > left:
                continue
            if self._rate(unit, new) != claimed:
                heapq.heappush(heap, (self._rate(unit, new), unit))
                continue
            chosen.append(unit)
            missing[rays] = False
            left -= int(self._costs[unit])
        return chosen

    def _rate(self, unit: int, gain: int) -> Fraction:
        """The cost of a unit of value; few different ones occur, so fractions are made once."""
        key = (int(self._costs[unit]), gain)
        if key not in self._rates:
            self._rates[key] = Fraction(*key)
        return self._rates[key]

    def improved(self, chosen: list[int]) -> list[int]:
        """Take one unit out and fill up with the best that can be paid, as long as that adds something."""
        value = self.worth(chosen)
        for _ in range(_EXCHANGES):
            better = self._exchange(chosen, value)
            if better is None:
                break
            chosen, value = better, self.worth(better)
        return chosen

    def _exchange(self, chosen: list[int], value: int) -> list[int] | None:
        """The first exchange of one for another that is worth more, or None."""
        times = self._times(chosen)
        for place, unit in enumerate(chosen):
            rest = [*chosen[:place], *chosen[place + 1 :]]
            rays = self._rays_of(unit)
            missing = times == 0
            missing[rays[times[rays] == 1]] = True
            lost = int(self._values[rays[times[rays] == 1]].sum())
            gain = np.where(self._costs <= self._budget - self._cost_of(rest), self.gains(missing), 0)
            if gain.max() > lost:
                return self.filled([*rest, int(np.argmax(gain))])
        return None

    def rounded(self, view: View, fractions: FloatArray) -> list[int]:
        """What is taken, the units with the largest fractions as long as they add something, then greedily."""
        chosen = np.flatnonzero(view.taken).tolist()
        missing, left = view.missing.copy(), view.left
        count = len(self._problem.units)
        score = np.where(view.free(self._problem), fractions[:count], 0.0)
        for unit in np.argsort(-np.round(score, 6), kind="stable").tolist():
            rays = self._rays_of(unit)
            if score[unit] <= 0 or left <= 0:
                break
            if missing[rays].any() and self._costs[unit] <= left:
                chosen.append(unit)
                missing[rays] = False
                left -= int(self._costs[unit])
        return self.filled(chosen)

    def going_rate(self, view: View) -> Fraction:
        """The value per cost of the last unit that the budget buys if rays counted once for each unit."""
        gain = self.gains(view.missing)
        free = np.flatnonzero(view.free(self._problem) & (gain > 0)).tolist()
        left = view.left
        rates = sorted((self._rate(unit, int(gain[unit])), unit) for unit in free)
        for rate, unit in rates:
            left -= int(self._costs[unit])
            if left <= 0:
                return 1 / rate if rate else Fraction(0)
        return Fraction(0)
