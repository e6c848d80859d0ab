"""Make a cover problem smaller without losing a cheapest cover, or the proof.

Four steps, until none applies:

* units that cost nothing are chosen;
* an *essential* ray is shown by one unit only: that unit is chosen, its rays are done;
* a *dominated* unit shows a subset of what another shows, and costs no less: it goes;
* a *dominated* ray is shown by every unit that shows some other ray: it comes for free with that ray, and goes.

With demands, a ray is essential when exactly as many units show it as it still needs, a unit goes when at least as many
others dominate it as any of its rays still needs, and a ray only in favour of one that needs as much.

**Why a bound for what is left is a bound for everything.**  Give each essential ray as weight the cost of its dearest
unit, the rays of what is left their weights, and all others none.  A unit chosen for an essential ray carries at least
what it costs, so the bound subtracts all that it carries of other rays, which leaves those rays with what they still
need.  Any other unit present when an essential ray was found does not show it, so units that are left carry only rays
that are left.  Let a unit u be removed as dominated, and follow its dominators.  As long as its rays need up to n more
units, at least n dominators are there (dominators of dominators are dominators).  When one is chosen, each ray of u
needs one unit less.  If u shows the essential ray that chose it, then that ray's units are all its dominators: u costs
no less than the dearest of them, and its rays are done.  Otherwise u does not carry that ray.  So u never carries more
than it costs.  The same chain shows that refusing a unit that is left refuses (by the branch rule) all units below it,
on the rays that a proof uses.

Equal units are found by sorting, and the largest units lie inside no other.  What else may lie inside what takes array
work in the number of (unit, unit that shares its rarest ray) pairs; beyond some ten million pairs only the units with
the fewest are asked about, so that a million units of 4 to 20 rays take seconds.  A unit that could have gone and
stays costs time later, never truth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._incidence import IntArray, Mask, Table, expand
from hornbook.cover._lists import RaySets, first_of_equal, order_by

__all__ = ["Reduced", "needed_rays", "reduce_cover", "unreduced"]

_PAIRS = 1 << 22  # candidate pairs looked at in one piece of array work
_MOST = 1 << 26  # candidate pairs worth a look at all; where there are more, few are dominated


@dataclass(frozen=True)
class Reduced:
    """What is chosen already, the weights that pay for it, and the incidences that are left (sorted by
    unit)."""

    chosen: tuple[int, ...]
    weights: tuple[tuple[int, int], ...]
    units: IntArray
    rays: IntArray
    need: IntArray  # what each ray demands beyond what is chosen


def reduce_cover(table: Table) -> Reduced:
    """Apply all reductions until none applies."""
    work = _Work(table)
    work.choose_free()
    while work.choose_essential() or work.drop_units() or work.drop_rays():
        pass
    return Reduced(tuple(work.chosen), tuple(work.weights), work.units, work.rays, work.need)


def unreduced(table: Table) -> Reduced:
    """Everything is left."""
    return Reduced((), (), table.owners(), table.unit_rays, table.demands.copy())


def needed_rays(table: Table) -> Mask:
    """The rays without the dominated ones: whatever shows these shows all.  For demands of 1.

    Rays that only one unit shows come first: of each such unit one stays, and nothing else that the unit shows.
    """
    owners = table.owners()
    alone = np.flatnonzero(np.diff(table.ray_start)[table.unit_rays] == 1)
    must, first = np.unique(owners[alone], return_index=True)
    needed = np.ones(table.num_rays, dtype=np.bool_)
    needed[table.unit_rays[np.isin(owners, must)]] = False
    rays = np.flatnonzero(needed)
    keep = needed[table.unit_rays]
    members = np.searchsorted(rays, table.unit_rays[keep])
    rest = Table.from_pairs(owners[keep], members, costs=table.costs, demands=table.demands[rays])
    work = _Work(rest)
    while work.drop_rays():
        pass
    needed[rays[np.bincount(work.rays, minlength=len(rays)) == 0]] = False
    needed[table.unit_rays[alone[first]]] = True
    return needed


class _Work:
    """The incidences that are left while they shrink."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rank = table.cost_ranks()
        self.need = table.demands.copy()
        self.units = table.owners()
        self.rays = table.unit_rays
        self.chosen: list[int] = []
        self.weights: list[tuple[int, int]] = []
        # Only a list that lost members can have come to lie inside another one since the last look.
        self.shrunk_units = np.ones(table.num_units, dtype=np.bool_)
        self.shrunk_rays = np.ones(table.num_rays, dtype=np.bool_)

    def choose_free(self) -> None:
        self._choose(np.flatnonzero(self.table.costs == 0))

    def choose_essential(self) -> bool:
        """Choose all units of rays that have no more than they need; of rays that share a unit only one."""
        count = np.bincount(self.rays, minlength=self.table.num_rays)
        tight = np.flatnonzero(count[self.rays] == self.need[self.rays])
        if not len(tight):
            return False
        lowest = np.full(self.table.num_units, self.table.num_rays)
        np.minimum.at(lowest, self.units[tight], self.rays[tight])
        unshared = count * (count == self.need)
        np.subtract.at(unshared, self.rays[tight], lowest[self.units[tight]] == self.rays[tight])
        chosen = tight[unshared[self.rays[tight]] == 0]
        chosen = chosen[np.argsort(self.rays[chosen], kind="stable")]
        rays, units = self.rays[chosen], self.units[chosen]
        first = np.flatnonzero(np.diff(rays, prepend=-1))
        dearest = np.maximum.reduceat(self.table.costs[units], first)
        self.weights += zip(rays[first].tolist(), dearest.tolist(), strict=True)
        self._choose(units)
        return True

    def _choose(self, units: IntArray) -> None:
        self.chosen.extend(units.tolist())
        gone = np.zeros(self.table.num_units, dtype=np.bool_)
        gone[units] = True
        theirs = gone[self.units]
        self.need -= np.bincount(self.rays[theirs], minlength=self.table.num_rays)
        self._keep(~theirs & (self.need[self.rays] > 0))
        if len(units) and (self.table.demands > 1).any():
            # Fewer dominators are enough now, so everything is looked at again.
            self.shrunk_units[:] = self.shrunk_rays[:] = True

    def drop_units(self) -> bool:
        if not self.shrunk_units[self.units].any():
            return False
        simple = bool((self.need <= 1).all())
        dropped = simple and self._drop_equal()
        lists = _Lists(self.units, self.rays, self.table.num_units, self.table.num_rays)
        # Once no two are equal, the largest lie inside no other one.
        asked = self.shrunk_units & (lists.size < lists.size.max()) if simple else self.shrunk_units
        inside, outside = lists.inclusions(asked, self.rank)
        self.shrunk_units[:] = False
        # Of equal units (same rays left, same cost) the one with the lowest index stays.
        equal = (lists.size[inside] == lists.size[outside]) & (self.rank[inside] == self.rank[outside])
        better = np.bincount(inside[~equal | (outside < inside)], minlength=self.table.num_units)
        most = np.zeros(self.table.num_units, dtype=np.int64)
        np.maximum.at(most, self.units, self.need[self.rays])
        return self._drop(np.flatnonzero((better > 0) & (better >= most)), self.units) or dropped

    def _drop_equal(self) -> bool:
        """Of units that show the same, keep the cheapest, then the lowest."""
        starts = np.flatnonzero(np.diff(self.units, prepend=-1))
        present = self.units[starts]
        kind = first_of_equal(RaySets(np.append(starts, len(self.units)), self.rays))
        order = np.lexsort((self.rank[present], kind))
        again = order[1:][kind[order][1:] == kind[order][:-1]]
        return self._drop(present[again], self.units)

    def drop_rays(self) -> bool:
        order = order_by(self.rays, below=self.table.num_rays)
        lists = _Lists(self.rays[order], self.units[order], self.table.num_rays, self.table.num_units)
        inside, outside = lists.inclusions(self.shrunk_rays, self.need)
        self.shrunk_rays[:] = False
        equal = (lists.size[inside] == lists.size[outside]) & (self.need[inside] == self.need[outside])
        return self._drop(outside[~equal | (inside < outside)], self.rays)

    def _drop(self, members: IntArray, column: IntArray) -> bool:
        gone = np.zeros(max(self.table.num_units, self.table.num_rays), dtype=np.bool_)
        gone[members] = True
        self._keep(~gone[column])
        return len(members) > 0

    def _keep(self, keep: Mask) -> None:
        self.shrunk_units[self.units[~keep]] = True
        self.shrunk_rays[self.rays[~keep]] = True
        self.units, self.rays = self.units[keep], self.rays[keep]


def _cheapest(lists: IntArray, work: IntArray) -> IntArray:
    """Those lists, at least one, that take the least work to ask about, up to a limit."""
    if work.sum() <= _MOST:
        return lists
    order = np.argsort(work, kind="stable")
    few = max(1, int(np.searchsorted(np.cumsum(work[order]), _MOST)))
    return np.sort(lists[order[:few]])


class _Lists:
    """Sorted lists of members as flat incidences, asked which lie inside which."""

    def __init__(self, owners: IntArray, members: IntArray, num_owners: int, num_members: int) -> None:
        self.num_members = max(num_members, 1)
        self.size = np.bincount(owners, minlength=num_owners)
        self._owners, self._members = owners, members
        self._start = np.concatenate(([0], np.cumsum(self.size)))
        self._keys = owners * self.num_members + members
        self._present = np.flatnonzero(self.size)

    def inclusions(self, asked: Mask, rank: IntArray) -> tuple[IntArray, IntArray]:
        """All pairs (a, b), a asked for, such that list a lies inside list b and `rank[b] <= rank[a]`."""
        insiders = self._present[asked[self._present]]
        if not len(insiders):
            return insiders, insiders
        rarest, count, by_member, start = self._rarest()
        insiders = _cheapest(insiders, count[rarest[insiders]])
        signature = self._signatures()
        ends = np.cumsum(count[rarest[insiders]])
        pieces = np.searchsorted(ends, np.arange(_PAIRS, int(ends[-1]) + _PAIRS, _PAIRS))
        found = []
        for chunk in np.split(insiders, np.unique(pieces)):
            positions, lengths = expand(start, rarest[chunk])
            a, b = np.repeat(chunk, lengths), by_member[positions]
            likely = (signature[a] & ~signature[b]) == 0
            a, b = a[likely], b[likely]
            likely = (a != b) & (self.size[a] <= self.size[b]) & (rank[b] <= rank[a])
            found.append(self._confirm(a[likely], b[likely]))
        return np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found])

    def _rarest(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Per list its member that the fewest lists have; then for each member how many, and which, lists
        have it."""
        count = np.bincount(self._members, minlength=self.num_members)
        key = count[self._members] * self.num_members + self._members
        rarest = np.zeros(len(self.size), dtype=np.int64)
        rarest[self._present] = np.minimum.reduceat(key, self._start[self._present]) % self.num_members
        by_member = self._owners[order_by(self._members, below=self.num_members)]
        return rarest, count, by_member, np.concatenate(([0], np.cumsum(count)))

    def _signatures(self) -> NDArray[np.uint64]:
        """64 bits per list: a list inside another one has a subset of its bits (and exactly so up to 64
        members)."""
        bits = np.left_shift(np.uint64(1), (self._members % 64).astype(np.uint64))
        signature = np.zeros(len(self.size), dtype=np.uint64)
        signature[self._present] = np.bitwise_or.reduceat(bits, self._start[self._present])
        return signature

    def _confirm(self, a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
        """Keep the pairs where each member of a is in b; most strangers leave at the first members looked
        at."""
        for position in range(3):
            sound = self.size[a] > position
            probe = self._members[self._start[a] + np.where(sound, position, 0)]
            keep = self._has(b, probe)
            a, b = a[keep], b[keep]
        positions, lengths = expand(self._start, a)
        missing = ~self._has(np.repeat(b, lengths), self._members[positions])
        wrong = np.bincount(np.repeat(np.arange(len(a)), lengths)[missing], minlength=len(a)) > 0
        return a[~wrong], b[~wrong]

    def _has(self, owners: IntArray, members: IntArray) -> Mask:
        keys = owners * self.num_members + members
        positions = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.asarray(self._keys[positions] == keys)
