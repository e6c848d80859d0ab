"""Sets of rays that need more units than the linear relaxation pays for.

If no unit shows more than q rays of a set U, at least `ceil(b(U)/q)` units touch U, b(U) being what its rays demand
together.  With q = 2 and |U| odd
these are the sets that make edge covers by matching exact (Edmonds 1965): on an odd cycle the relaxation
takes every unit half, n/2 in all, and the set of all its rays says (n+1)/2.

Found here by two searches on the fractional units: connected pieces of their graph at several thresholds
(Groetschel and Holland 1987), and a shortest odd cycle through each ray.  A search may miss a violated set;
that costs branches.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.cover._incidence import IntArray, Table, components
from hornbook.proposals import FINE, FloatArray

__all__ = ["most_shown", "violated_sets"]

_THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4)
_EDGES = 2_000_000  # rays times edges up to which odd cycles are searched


def violated_sets(table: Table, fractions: FloatArray) -> list[tuple[int, ...]]:
    """Sets of rays, each touched by fewer units (in fractions) than it needs, the most violated first."""
    found: dict[tuple[int, ...], float] = {}
    for rays in _candidates(table, fractions):
        if rays not in found:
            members = np.array(rays, dtype=np.int64)
            count = _count(table, members)
            need = -(-int(table.demands[members].sum()) // int(count.max()))
            found[rays] = need - float(fractions[count > 0].sum())
    return sorted((rays for rays, gap in found.items() if gap > FINE), key=lambda rays: (-round(found[rays], 6), rays))


def most_shown(table: Table, rays: IntArray) -> int:
    """The largest number of these rays that one unit shows."""
    return int(_count(table, rays).max())


def _count(table: Table, rays: IntArray) -> IntArray:
    inside = np.zeros(table.num_rays, dtype=np.int64)
    inside[rays] = 1
    return np.add.reduceat(inside[table.unit_rays], table.unit_start[:-1])


def _candidates(table: Table, fractions: FloatArray) -> Iterator[tuple[int, ...]]:
    owners = table.owners()
    for threshold in _THRESHOLDS:
        used = fractions[owners] > threshold + FINE
        label = components(owners[used], table.unit_rays[used], num_rays=table.num_rays) if used.any() else None
        if label is not None:
            for root in np.unique(label).tolist():
                rays = np.flatnonzero(label == root)
                if len(rays) > 2:
                    yield tuple(rays.tolist())
    yield from _odd_cycles(_neighbours(table, fractions))


def _neighbours(table: Table, fractions: FloatArray) -> list[list[int]]:
    """For each ray, the rays that share a fractional unit with it."""
    near: list[set[int]] = [set() for _ in range(table.num_rays)]
    for unit in np.flatnonzero((fractions > FINE) & (fractions < 1 - FINE)).tolist():
        rays = table.rays_of(unit).tolist()
        for ray in rays:
            near[ray].update(rays)
    return [sorted(rays - {ray}) for ray, rays in enumerate(near)]


def _odd_cycles(near: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """The rays of a shortest odd closed walk through each ray: breadth first over (ray, parity of the
    distance)."""
    if sum(map(len, near)) * len(near) > _EDGES:
        return
    for start, first in enumerate(near):
        if first:
            walk = _odd_walk(near, start)
            if len(set(walk)) == len(walk) > 3:
                yield tuple(sorted(walk))


def _odd_walk(near: list[list[int]], start: int) -> list[int]:
    came_from: dict[tuple[int, int], tuple[int, int]] = {(start, 0): (start, 0)}
    queue = [(start, 0)]
    for ray, parity in queue:
        for other in near[ray]:
            step = (other, 1 - parity)
            if step not in came_from:
                came_from[step] = (ray, parity)
                queue.append(step)
    walk, place = [], (start, 1)
    while place in came_from and place != (start, 0):
        place = came_from[place]
        walk.append(place[0])
    return walk
