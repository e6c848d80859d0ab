"""Inner loops of the matching: plain Python on arrays, which `hornbook.compiling` turns into machine code.

Vertex v has the edges `start[v] .. start[v+1]`, whose other ends are in `ends`; `mate[v]` is its partner or -1.

Edmonds' search as Gabow 1976 wrote it: vertices reached by alternating paths from a free vertex are *outer* (at even
distance) or *inner*; an edge between two outer ones closes an odd circle, a *blossom*, all of which becomes outer.  A
search that ends without a free vertex leaves its labels for good: no later search can gain anything there, and at the
end these labels are the proof.
"""

from __future__ import annotations

from typing import Any

__all__ = ["INNER", "NEW", "OUTER", "grow_matching", "start_matching"]

Array = Any  # numba finds the types by itself
NEW, OUTER, INNER = 0, 1, 2


def start_matching(start: Array, ends: Array, mate: Array, /) -> None:
    """Karp and Sipser 1981: match a vertex that has one free neighbour as long as there is one, else the next vertex
    with its neighbour of fewest free neighbours."""
    count = len(mate)
    degree = start[1:] - start[:-1]
    alone = start[:-1] * 0
    waiting = 0
    for v in range(count):
        if degree[v] == 1:
            alone[waiting] = v
            waiting += 1
    following = 0
    while True:
        if waiting > 0:
            waiting -= 1
            v = alone[waiting]
        elif following < count:
            v = following
            following += 1
        else:
            return
        if mate[v] >= 0 or degree[v] == 0:
            continue
        best = -1
        for place in range(start[v], start[v + 1]):
            u = ends[place]
            if mate[u] < 0 and u != v and (best < 0 or degree[u] < degree[best]):
                best = u
        mate[v], mate[best] = best, v
        for side in (v, best):
            for place in range(start[side], start[side + 1]):
                u = ends[place]
                degree[u] -= 1
                if degree[u] == 1 and mate[u] < 0:
                    # each vertex comes down to one only once
                    alone[waiting] = u
                    waiting += 1


def _root_of(parent: Array, v: Any, /) -> Any:
    """The vertex that stands for the blossom of `v`; paths are halved on the way."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = parent[v]
    return v


def _meeting(parent: Array, mate: Array, before: Array, seen: Array, stamp: Any, u: Any, v: Any, /) -> Any:
    """The base where the ways of two outer vertices back to the root meet."""
    u, v = _root_of(parent, u), _root_of(parent, v)
    while True:
        if u >= 0:
            if seen[u] == stamp:
                return u
            seen[u] = stamp
            u = _root_of(parent, before[mate[u]]) if mate[u] >= 0 else -1
        u, v = v, u


def _shrink(
    parent: Array, mate: Array, before: Array, label: Array, queue: Array, filled: Any, u: Any, v: Any, top: Any, /
) -> Any:
    """One side of a blossom, from `u` up to its base `top`; `v` is the other end of the edge that closed it.

    Inner vertices become outer and join the queue.  Returns how many are in the queue."""
    while _root_of(parent, u) != top:
        before[u] = v
        v = mate[u]
        if label[v] == 2:
            label[v] = 1
            queue[filled] = v
            filled += 1
        if parent[u] == u:
            parent[u] = top
        if parent[v] == v:
            parent[v] = top
        u = before[v]
    return filled


def _flip(mate: Array, before: Array, v: Any, /) -> None:
    """Exchange matched and unmatched edges on the way from the free vertex `v` back to the root."""
    while v >= 0:
        u = before[v]
        following = mate[u]
        mate[v], mate[u] = u, v
        v = following


def _search(
    start: Array, ends: Array, mate: Array, label: Array, parent: Array, before: Array, seen: Array, queue: Array, /
) -> Any:
    """From the free vertex in `queue[0]`: the free vertex found or -1, the outer vertices, the edges looked at."""
    count = len(mate)
    head, filled, looked = 0, 1, 0
    while head < filled:
        u = queue[head]
        head += 1
        looked += start[u + 1] - start[u]
        for place in range(start[u], start[u + 1]):
            v = ends[place]
            if label[v] == 0:
                before[v] = u
                label[v] = 2
                if mate[v] < 0:
                    return v, filled, looked
                label[mate[v]] = 1
                queue[filled] = mate[v]
                filled += 1
            elif label[v] == 1 and _root_of(parent, u) != _root_of(parent, v):
                seen[count] += 1
                top = _meeting(parent, mate, before, seen, seen[count], u, v)
                filled = _shrink(parent, mate, before, label, queue, filled, u, v, top)
                filled = _shrink(parent, mate, before, label, queue, filled, v, u, top)
    return -1, filled, looked


def grow_matching(
    start: Array, ends: Array, mate: Array, label: Array, parent: Array, before: Array, seen: Array, queue: Array,
    root: Any, work: Any, /
) -> Any:  # fmt: skip
    """Search from the free vertices from `root` on, until done or about `work` edges were looked at.

    Returns the vertex to go on from.  Labels of searches that failed stay; `parent` names their blossoms.  `seen` has
    one entry more than there are vertices.
    """
    while root < len(mate) and work > 0:
        if mate[root] < 0 and label[root] == 0:
            label[root] = 1
            queue[0] = root
            found, filled, looked = _search(start, ends, mate, label, parent, before, seen, queue)
            work -= looked + 1
            if found >= 0:
                # what this search reached is new again: outer vertices, and the partners before which they were reached
                for place in range(filled):
                    u = queue[place]
                    w = mate[u] if mate[u] >= 0 else u
                    label[u], parent[u], label[w], parent[w] = 0, u, 0, w
                label[found] = 0
                _flip(mate, before, found)
        root += 1
    return root
