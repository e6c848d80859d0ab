"""All cheapest covers, piece by piece.

A cover is *lean* if no unit of it can be left out; with positive costs every cheapest cover is.  Three facts keep the
search small and lose no lean cheapest cover.  A ray that is shown by every unit that shows some other ray comes for
free with that one, so it is left out.  Units that show the same of the remaining rays are exchangeable: the cheapest of
them form a *choice*, of which a cover takes at most one unit.  And pieces that no unit links can be combined freely,
each at its own least cost.  Within a piece, take the ray that the fewest choices show and try each of them, refusing
those tried before; weights from the linear relaxation tell what the rest costs at least, and what is too dear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._budget import Budget
from hornbook.cover._incidence import IntArray, Table, components, table_of
from hornbook.cover._linear import linear_weights
from hornbook.cover._lists import Costs, RaySets, first_of_equal, starts_of
from hornbook.cover._reductions import needed_rays
from hornbook.cover.problem import CoverProblem, Limits

__all__ = ["Piece", "cheapest_covers"]

_SMALL = 40  # incidences up to which the search is faster than a linear program


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a cover problem that no unit links to the others, and its lean cheapest covers.

    `choices[i]` are the units that can play part i, and unit i of `table` is what they show and cost; `covers` are
    tuples of choices, all of them if `complete`.  `cost` is what each costs.
    """

    choices: tuple[tuple[int, ...], ...]
    table: Table
    cost: int
    covers: tuple[tuple[int, ...], ...]
    complete: bool


def cheapest_covers(
    problem: CoverProblem, chosen: Sequence[int], *, limit: int, limits: Limits | None = None
) -> tuple[Piece, ...]:
    """The lean covers as cheap as `chosen`, which must be a cheapest cover; at most `limit` for each piece.

    Demands are taken to be 1.  Cost: one linear program for each piece, then some microseconds for each node of the
    search times the number of its rays; covers may be exponentially many, which `limit` and `limits` are for.
    """
    budget = Budget(limits or Limits())
    table = table_of(problem)
    rays = np.flatnonzero(needed_rays(table))
    keep = np.isin(table.unit_rays, rays)
    units, owners = np.unique(table.owners()[keep], return_inverse=True)
    members = np.searchsorted(rays, table.unit_rays[keep])
    if not len(rays):
        return ()
    label = components(owners, members, num_rays=len(rays))
    sets = RaySets(starts_of(np.bincount(owners, minlength=len(units))), members)
    parts: dict[int, list[_Choice]] = {}
    for choice in _choices(sets, units, table.costs):
        parts.setdefault(int(label[choice.rays[0]]), []).append(choice)
    cheap = frozenset(chosen)
    return tuple(_Part(parts[root], cheap).piece(limit=limit, budget=budget) for root in sorted(parts))


@dataclass(frozen=True)
class _Choice:
    """Units that show the same rays at the same least cost."""

    rays: tuple[int, ...]
    cost: int
    units: tuple[int, ...]


def _choices(sets: RaySets, units: IntArray, costs: NDArray[Any]) -> Iterator[_Choice]:
    kind = first_of_equal(sets)
    order = np.argsort(kind, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(kind[order])) + 1):
        mine = units[group]
        least = min(costs[mine].tolist())
        yield _Choice(sets[int(group[0])], least, tuple(u for u in mine.tolist() if costs[u] == least))


class _Part:
    """One piece while its covers are looked for; sets of rays and of choices are the bits of integers."""

    def __init__(self, choices: list[_Choice], cheap: frozenset[int]) -> None:
        self.choices, self.cheap = choices, cheap
        rays = sorted({ray for choice in choices for ray in choice.rays})
        place = {ray: i for i, ray in enumerate(rays)}
        shown = [[place[ray] for ray in choice.rays] for choice in choices]
        owners = np.repeat(np.arange(len(choices)), [len(each) for each in shown])
        members = np.array([ray for each in shown for ray in each], dtype=np.int64)
        costs = Costs.of([choice.cost for choice in choices], Fraction(1)).counts
        self.table = Table.from_pairs(owners, members, costs=costs, demands=np.ones(len(rays), dtype=np.int64))
        self.cost = sum(choice.cost for choice in choices if cheap.intersection(choice.units))
        self.masks = [sum(1 << ray for ray in each) for each in shown]

    def piece(self, *, limit: int, budget: Budget) -> Piece:
        """All its lean cheapest covers, unless there are too many, or the budget runs out."""
        found: list[tuple[int, ...]] = []
        complete = True
        for cover in self._covers(budget):
            if len(found) == limit:
                complete = False
                break
            if cover is None:
                complete = False
            else:
                found.append(cover)
        known = tuple(i for i, choice in enumerate(self.choices) if self.cheap.intersection(choice.units))
        if not complete and known not in found and self._is_lean(known):
            found.append(known)
        units = tuple(choice.units for choice in self.choices)
        return Piece(units, self.table, self.cost, tuple(sorted(found)), complete)

    def _covers(self, budget: Budget) -> Iterator[tuple[int, ...] | None]:
        """One after the other; None, and then no more, when the budget is spent."""
        weights, scale = self._weights()
        prices = [choice.cost * scale for choice in self.choices]
        worth = _Worth(weights)
        whole, most = (1 << self.table.num_rays) - 1, self.cost * scale
        slack = most - sum(weights)
        fitting = [i for i, mask in enumerate(self.masks) if prices[i] - worth.of(mask) <= slack]
        shows = [sum(1 << i for i in fitting if self.masks[i] >> ray & 1) for ray in range(self.table.num_rays)]
        stack: list[tuple[int, int, int, tuple[int, ...]]] = [
            (whole, sum(1 << i for i in fitting), most - sum(weights), ())
        ]
        while stack:
            missing, free, slack, taken = stack.pop()
            if not missing:
                if self._is_lean(taken):
                    yield tuple(sorted(taken))
                continue
            if not budget.next_node():
                yield None
                return
            rarest = min(_bits(missing), key=lambda ray: (shows[ray] & free).bit_count())
            below = []
            for i in _bits(shows[rarest] & free):
                left = slack - prices[i] + worth.of(self.masks[i] & missing)
                if left >= 0:
                    below.append((missing & ~self.masks[i], free, left, (*taken, i)))
                free &= ~(1 << i)
            stack += reversed(below)

    def _weights(self) -> tuple[list[int], int]:
        """What each ray costs at least, however it is shown, in fractions `1/scale` of a step."""
        found = linear_weights(self.table) if len(self.table.unit_rays) > _SMALL else None
        return ([0] * self.table.num_rays, 1) if found is None else ([int(w) for w in found[0]], found[1])

    def _is_lean(self, taken: tuple[int, ...]) -> bool:
        once = twice = 0
        for i in taken:
            twice |= once & self.masks[i]
            once |= self.masks[i]
        return all(self.masks[i] & ~twice for i in taken)


class _Worth:
    """Sums of weights over sets of rays, eight rays at a time."""

    def __init__(self, weights: list[int]) -> None:
        parts = [weights[start : start + 8] for start in range(0, len(weights), 8)]
        self._sums = [
            [sum(w for bit, w in enumerate(part) if byte >> bit & 1) for byte in range(256)] for part in parts
        ]

    def of(self, mask: int) -> int:
        """The weights of the rays in this set."""
        data = mask.to_bytes(len(self._sums), "little")
        return sum(sums[byte] for sums, byte in zip(self._sums, data, strict=True) if byte)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
