"""Find a cheaper cover by exchanging units, without any claim.

Gao, Weise and Li 2015 ("RWLS"): drop a unit whenever everything is shown; then again and again drop the unit
that is missed least and add one that shows some missing ray, where rays count more the longer they stayed
missing.  Made deterministic: missing rays are drawn by a fixed sequence of numbers, ties go to the unit that
has rested longest, then to the lowest index.
"""

from __future__ import annotations

from collections.abc import Callable

from hornbook.cover._greedy import without_redundant
from hornbook.cover._incidence import Table

__all__ = ["exchange_units"]

_LOOK = 32  # steps between two looks at the clock


def exchange_units(table: Table, chosen: list[int], *, target: int, steps: int, stop: Callable[[], bool]) -> list[int]:
    """A cover at most as expensive as `chosen`; ends at cost `target`, after `steps` exchanges, or when told
    to.

    Cost: an exchange looks at the chosen units and at all units on the rays it touches, some 50 us on small
    problems.
    """
    search = _Exchange(table, chosen)
    best, best_cost = sorted(chosen), search.cost
    for step in range(steps):
        if best_cost <= target or (step % _LOOK == 0 and stop()):
            break
        if not search.missing:
            best = without_redundant(table, search.chosen())
            best_cost = table.cost_of(best)
            search.drop_cheapest_loss(step, avoid=-1)
            continue
        search.exchange(step, budget=best_cost)
    return best


class _Exchange:
    """A set of units on its way, with what each would lose or win."""

    def __init__(self, table: Table, chosen: list[int]) -> None:
        self._costs = table.costs.tolist()
        self._demands = table.demands.tolist()
        self._rays = [table.rays_of(unit).tolist() for unit in range(table.num_units)]
        self._units = [table.units_of(ray).tolist() for ray in range(table.num_rays)]
        self._weight = [1] * table.num_rays
        self._count = [0] * table.num_rays
        self._inside = [False] * table.num_units
        self._moved = [-1] * table.num_units
        self._last = -1
        self._drawn = 1
        self.missing = dict.fromkeys(range(table.num_rays))  # a dictionary for its fixed order
        # Weight newly shown if the unit were added, or lost if it were dropped.
        self._score = [len(rays) for rays in self._rays]
        self.cost = 0
        for unit in chosen:
            self._flip(unit, step=-1)

    def chosen(self) -> list[int]:
        return [unit for unit, inside in enumerate(self._inside) if inside]

    def drop_cheapest_loss(self, step: int, *, avoid: int) -> None:
        inside = [unit for unit in self.chosen() if unit != avoid] or self.chosen()
        self._flip(min(inside, key=self._loss), step=step)

    def _loss(self, unit: int) -> tuple[float, int, int]:
        return (self._score[unit] / self._costs[unit], self._moved[unit], unit)

    def exchange(self, step: int, *, budget: int) -> None:
        if any(self._inside):
            self.drop_cheapest_loss(step, avoid=self._last)
        while self.missing and self._add(step, budget):
            pass
        self._complain()

    def _add(self, step: int, budget: int) -> bool:
        """Show some missing ray, if a unit that shows it keeps the cost below the budget."""
        # Taking always the longest missing ray runs in circles: 41 instead of 38 on unicost scp41.
        self._drawn = (self._drawn * 1103515245 + 12345) % (1 << 31)
        missing = list(self.missing)
        ray = missing[(self._drawn >> 8) % len(missing)]
        fitting = [
            unit for unit in self._units[ray] if not self._inside[unit] and self.cost + self._costs[unit] < budget
        ]
        if fitting:
            self._last = min(fitting, key=self._win)
            self._flip(self._last, step=step)
        return bool(fitting)

    def _win(self, unit: int) -> tuple[float, int, int]:
        return (-self._score[unit] / self._costs[unit], self._moved[unit], unit)

    def _complain(self) -> None:
        for ray in self.missing:
            self._weight[ray] += 1
            for unit in self._units[ray]:
                self._score[unit] += 1

    def _flip(self, unit: int, *, step: int) -> None:
        inside = self._inside[unit]
        self._inside[unit] = not inside
        self._moved[unit] = step
        self.cost += -self._costs[unit] if inside else self._costs[unit]
        for ray in self._rays[unit]:
            self._change(ray, unit, -1 if inside else 1)

    def _change(self, ray: int, unit: int, by: int) -> None:
        """One more or less of the chosen units shows `ray`: tell the units whose scores that changes."""
        before, weight, demand = self._count[ray], self._weight[ray], self._demands[ray]
        after = self._count[ray] = before + by
        if before == demand and by < 0:
            self.missing[ray] = None
        elif after == demand and by > 0:
            del self.missing[ray]
        low = min(before, after)
        # Units outside win a ray that is shown too little, units inside would lose one that has none to spare.
        if low in (demand - 1, demand):
            for other in self._units[ray]:
                if other != unit and self._inside[other] == (low == demand):
                    self._score[other] -= weight * by
