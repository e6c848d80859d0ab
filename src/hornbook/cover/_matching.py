"""Units of at most two rays at equal cost: a minimum edge cover, by matching, proved by sets of rays.

Rays are the vertices of a graph, a unit of two rays is an edge.  A largest matching plus one edge for each ray it
misses is a smallest cover (Gallai 1959).  When no alternating path from a missed ray ends at another one, the rays
reached split into *inner* ones and odd *blossoms* (single outer rays or shrunk odd circles) such that all edges out of
a blossom lead to inner rays.  Weight 1 on each blossom, which needs (size + 1)/2 units, and on the set of all rays
that were not reached, which needs half its size, overloads no unit, and adds up to the cover (Edmonds 1965, Berge
1958).  So one leaf proves every such problem.

Cost: linear in practice, a second for a million units; n searches of the whole graph at worst.
"""

from __future__ import annotations

import numpy as np

from hornbook.compiling import compiled, is_compiling
from hornbook.cover._budget import Budget
from hornbook.cover._incidence import IntArray, Table
from hornbook.cover._lists import order_by, starts_of
from hornbook.cover._matching_kernel import INNER, NEW, grow_matching, start_matching

__all__ = ["is_matching", "match_rays"]

_WORTH = 200_000  # edge ends from which on machine code pays for being loaded
_WORK = 5_000_000  # edges looked at between two looks at the clock


def is_matching(table: Table) -> bool:
    """Whether every unit shows one or two rays, all cost the same, and each ray needs one."""
    sizes = np.diff(table.unit_start)
    return bool(
        len(sizes)
        and sizes.max() <= 2
        and table.costs.min() == table.costs.max() > 0
        and (table.demands == 1).all()
    )  # fmt: skip


def match_rays(table: Table, budget: Budget) -> tuple[list[int], list[list[int]]]:
    """A cheapest cover, and disjoint sets of rays that prove it; when out of time, some cover and the set of all."""
    start, ends, edges = _graph(table)
    mate, label, parent = _matched(start, ends, budget)
    chosen = _chosen(table, edges, mate)
    if budget.is_spent():
        label[:] = NEW
    return chosen, _witness(label, parent)


def _graph(table: Table) -> tuple[IntArray, IntArray, IntArray]:
    """Neighbours of each ray, and the units of two rays."""
    edges = np.flatnonzero(np.diff(table.unit_start) == 2)
    first = table.unit_start[edges]
    low, high = table.unit_rays[first], table.unit_rays[first + 1]
    at, ends = np.concatenate((low, high)), np.concatenate((high, low))
    order = order_by(at, below=table.num_rays)
    return starts_of(np.bincount(at, minlength=table.num_rays)), ends[order], edges


def _matched(start: IntArray, ends: IntArray, budget: Budget) -> tuple[IntArray, IntArray, IntArray]:
    """Partners, labels and blossoms; what a search did not come to is labelled new."""
    count = len(start) - 1
    begin, grow = start_matching, grow_matching
    if len(ends) > _WORTH and is_compiling():
        begin, grow = compiled(start_matching), compiled(grow_matching)
    mate, before = np.full(count, -1), np.full(count, -1)
    label, parent = np.zeros(count, dtype=np.int64), np.arange(count)
    seen, queue = np.zeros(count + 1, dtype=np.int64), np.zeros(count + 1, dtype=np.int64)
    begin(start, ends, mate)
    root = 0
    while root < count and not budget.is_spent():
        root = int(grow(start, ends, mate, label, parent, before, seen, queue, root, _WORK))
    return mate, label, parent


def _chosen(table: Table, edges: IntArray, mate: IntArray) -> list[int]:
    """The matched units, and for each other ray the first unit that shows it."""
    first = table.unit_start[edges]
    low, high = table.unit_rays[first], table.unit_rays[first + 1]
    matched = mate[low] == high
    _, place = np.unique(low[matched], return_index=True)
    alone = np.flatnonzero(mate < 0)
    return [int(unit) for unit in np.union1d(edges[matched][place], table.ray_units[table.ray_start[alone]])]


def _witness(label: IntArray, parent: IntArray) -> list[list[int]]:
    """The blossoms, and all rays that were not reached."""
    base = parent
    while not np.array_equal(base, parent[base]):
        base = parent[base]
    sets = [np.flatnonzero(label == NEW)]
    outer = np.flatnonzero((label != NEW) & (label != INNER))
    outer = outer[np.argsort(base[outer], kind="stable")]
    sets += np.split(outer, np.flatnonzero(np.diff(base[outer])) + 1)
    return [rays.tolist() for rays in sets if len(rays)]
