"""Find a cheaper cover by exchanging units, without any claim.

Gao, Weise and Li 2015 ("RWLS"): drop a unit whenever everything is shown; then again and again drop the unit
that is missed least and add one that shows some missing ray, where rays count more the longer they stayed
missing.  Made deterministic: missing rays are drawn by a fixed sequence of numbers, ties go to the unit that
has rested longest, then to the lowest index.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hornbook.compiling import compiled, is_compiling
from hornbook.cover._incidence import Table
from hornbook.cover._kernel import exchange

__all__ = ["Exchange", "float_costs"]

_WORTH = 2_000_000  # elementary steps, a microsecond each without it, from which on machine code pays for being loaded
_BATCH = 2_000_000  # elementary steps between two looks at the clock
_COST_BITS = 50
_NONE = 1e300


def float_costs(table: Table) -> tuple[Any, int]:
    """The costs as floats, none of them zero, and by how many bits they are shifted to fit."""
    shift = max(0, int(table.costs.max(initial=1)).bit_length() - _COST_BITS)
    if not shift:
        return np.maximum(table.costs.astype(np.float64), 1.0), 0
    return np.array([max(1, cost >> shift) for cost in table.costs.tolist()], dtype=np.float64), shift


class Exchange:
    """A set of units on its way; may be run again and again.

    Cost: an exchange looks at the chosen units and at all units on the rays it touches, 1 us for some hundred of them
    as machine code, 50 us for some ten of them without.
    """

    def __init__(self, table: Table, start: list[int]) -> None:
        units, rays = table.num_units, table.num_rays
        costs, self._shift = float_costs(table)
        memory = np.array([rays, 0, len(start), -1, 1, 0, 0])
        best = np.zeros(units, dtype=np.int64)
        best[: len(start)] = start
        self._arrays: list[Any] = [
            *(table.unit_start, table.unit_rays, table.ray_start, table.ray_units, costs, table.demands),
            *(np.full(units, -1), np.zeros(units, dtype=np.int64)),  # where a unit is among the chosen, and these
            *(np.arange(rays), np.arange(rays)),  # the missing rays, and where each is among them
            *(np.diff(table.unit_start), np.zeros(rays, dtype=np.int64), np.ones(rays, dtype=np.int64)),
            *(np.full(units, -1), best, memory, np.array([0.0, _NONE])),
        ]
        # what one exchange looks at: two units, all units on their rays, and the chosen ones
        share = len(table.unit_rays) // max(1, units) * (len(table.unit_rays) // max(1, rays))
        self._work, self._done = 2 * share + len(start) + 10, 0
        self._kernel: Callable[..., None] = exchange
        self._in_lists = False

    def run(self, steps: int, *, target: int, stop: Callable[[], bool]) -> list[int]:
        """The cheapest cover after so many exchanges; ends early at the target cost, or when told to."""
        self._done += steps
        self._load()
        batch = max(1, _BATCH // self._work)
        goal = float(target >> self._shift)
        while steps > 0 and self._arrays[16][1] > goal and not stop():
            self._kernel(*self._arrays, min(steps, batch), goal)
            steps -= batch
        return sorted(map(int, self._arrays[14][: self._arrays[15][2]]))

    def _load(self) -> None:
        """Machine code on arrays once the work pays for it, else plain Python, which is faster on lists."""
        if self._kernel is exchange and self._done * self._work >= _WORTH and is_compiling():
            self._kernel = compiled(exchange)
            self._arrays = [np.array(array) for array in self._arrays]
        elif self._kernel is exchange and not self._in_lists:
            self._arrays = [array.tolist() for array in self._arrays]
            self._in_lists = True

    @property
    def recent_gain(self) -> bool:
        """Whether the last gain came in the second half of all steps."""
        return bool(2 * self._arrays[15][6] > self._arrays[15][5])
