"""Prices on the rays of a large problem without a linear program: Lagrangian relaxation.

A price on each ray is a bound whatever the prices are; an ascent along "shown too little" and "shown too often" finds
good ones (Held and Karp 1971), and the units that cost little beyond their rays' prices, some for each ray, are all
that matters for a while: the *core* (Caprara, Fischetti and Toth 1999).  The ascent looks at the core only, and now
and then at all units to choose another core.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.compiling import compiled
from hornbook.cover._budget import Budget
from hornbook.cover._incidence import IntArray, Table
from hornbook.cover._kernel import ascend, cheapest_of_rays, pick_by_price
from hornbook.cover._lists import expand
from hornbook.cover._local_search import float_costs
from hornbook.proposals import FloatArray

__all__ = ["Prices", "exchange_core", "first_core", "part_of", "pick", "price_rays"]

_PHASES = 12  # cores one after the other
_ROUNDS = 100  # of the ascent on one core
_PER_RAY = 12
_WHOLE = 20_000  # units up to which the core is all of them
_LOOKED_AT = 20_000  # units by one exchange
_WORSE = 0.001  # a phase that gains less than this is the last


@dataclass(frozen=True)
class Prices:
    """A price for each ray in the table's costs, what they prove about, and the units that matter."""

    prices: FloatArray
    value: float
    core: IntArray


def price_rays(table: Table, *, upper: float, budget: Budget) -> Prices:
    """Prices for which the bound is high; `upper` is what some cover costs.

    Cost: some hundred passes over the incidences of the core and a dozen over all of them.
    """
    costs, shift = float_costs(table)
    upper /= 2.0**shift
    sizes = np.diff(table.unit_start)
    start = np.minimum.reduceat((costs / sizes)[table.ray_units], table.ray_start[:-1])
    best = Prices(start, *_look(table, costs, start))
    factor = 0.1
    for _ in range(_PHASES):
        if budget.is_spent():
            break
        part, units = part_of(table, best.core)
        memory = np.array([factor, -np.inf, np.inf, -np.inf])
        found, shown = best.prices.copy(), np.zeros(table.num_rays, dtype=np.int64)
        compiled(ascend)(
            *(part.unit_start, part.unit_rays, costs[units], part.demands),
            *(best.prices.copy(), found, shown, memory, upper, _ROUNDS),
        )
        factor = float(memory[0])
        value, core = _look(table, costs, found)
        gain = value - best.value
        best = Prices(found, value, core) if gain > 0 else Prices(best.prices, best.value, np.union1d(best.core, core))
        if gain < _WORSE * abs(upper) and len(core) == table.num_units:
            break
    return Prices(best.prices * 2.0**shift, best.value * 2.0**shift, best.core)


def _look(table: Table, costs: NDArray[np.float64], prices: FloatArray) -> tuple[float, IntArray]:
    """What prices prove when all units are looked at, and the core they suggest."""
    slack = _slacks(table, costs, prices)
    value = float(prices @ table.demands) + float(np.minimum(slack, 0.0).sum())
    return value, core_of(table, slack, least=_WHOLE)


def _slacks(table: Table, costs: NDArray[np.float64], prices: FloatArray) -> FloatArray:
    """What each unit costs beyond the prices of its rays."""
    return np.asarray(costs - np.add.reduceat(prices[table.unit_rays], table.unit_start[:-1]))


def core_of(table: Table, slack: FloatArray, *, least: int) -> IntArray:
    """The `least` units of least slack, and some for each ray; all units of a small table."""
    if table.num_units <= least:
        return np.arange(table.num_units)
    kept = np.zeros(table.num_units, dtype=np.int64)
    kept[np.argsort(slack, kind="stable")[:least]] = 1
    most = max(_PER_RAY, int(table.demands.max()) + 1)
    compiled(cheapest_of_rays)(table.ray_start, table.ray_units, slack, kept, np.zeros(most, dtype=np.int64))
    return np.flatnonzero(kept)


def first_core(table: Table) -> IntArray:
    """The units that show most for their cost."""
    return core_of(table, float_costs(table)[0] / np.diff(table.unit_start), least=_WHOLE)


def exchange_core(table: Table, prices: FloatArray) -> IntArray:
    """As many units as exchanges can look at in good time: they look at all units on the rays of each unit moved."""
    costs, shift = float_costs(table)
    size = max(1, len(table.unit_rays) // table.num_units)
    return core_of(table, _slacks(table, costs, prices / 2.0**shift), least=_LOOKED_AT * table.num_rays // size**2)


def part_of(table: Table, units: IntArray) -> tuple[Table, IntArray]:
    """The table of some units, which are returned along with it: unit i there is `units[i]` here."""
    if len(units) == table.num_units:
        return table, units
    places, lengths = expand(table.unit_start, units)
    owners = np.repeat(np.arange(len(units)), lengths)
    part = Table.from_pairs(owners, table.unit_rays[places], costs=table.costs[units], demands=table.demands)
    return part, units


def pick(table: Table, prices: FloatArray) -> list[int]:
    """A cover by price; with prices of zero, the greedy one."""
    costs, shift = float_costs(table)
    picked = np.zeros(table.num_units, dtype=np.int64)
    count = compiled(pick_by_price)(
        *(table.unit_start, table.unit_rays, table.ray_start, table.ray_units, costs, table.demands.copy()),
        *(prices / 2.0**shift, np.zeros(table.num_units), np.zeros(table.num_units, dtype=np.int64), picked),
    )
    return [int(unit) for unit in picked[:count]]
