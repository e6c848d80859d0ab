"""The search tree of one piece: what is decided at a node, what an end has proved, and the proof as a
whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from hornbook.cover._incidence import IntArray, Mask, Table, expand
from hornbook.cover.problem import Branch, Leaf, Proof, Unreachable

__all__ = ["Names", "Node", "Place", "as_proof", "ends", "gains", "place_of", "split", "stranded"]


@dataclass(frozen=True)
class Names:
    """What the piece's units and rays are called outside, and its unit of cost.

    A ray is `partial` if a unit outside shows it too and is chosen.  Such rays stay out of sets: the proof counts that
    unit against the whole set, however little of it the unit shows.
    """

    units: tuple[int, ...]
    rays: tuple[int, ...]
    unit_of_cost: Fraction
    partial: Mask


@dataclass(frozen=True)
class Place:
    """What is decided at a node: units taken, and their cost; units still free; how many more units each ray needs."""

    taken: tuple[int, ...]
    cost: int
    free: Mask
    need: IntArray

    @property
    def missing(self) -> Mask:
        """The rays that need more units."""
        return self.need > 0


@dataclass(eq=False)
class Node:
    """A choice below its parent, the best leaf known there, and its bound (in units of cost, not rounded)."""

    leaf: Leaf | Unreachable
    bound: Fraction
    parent: Node | None = None
    unit: int = -1
    refused: IntArray | None = None  # the units refused here; None when `unit` is taken
    children: tuple[Node, Node] | None = None  # set in one go, so that an interrupt leaves a whole tree
    depth: int = 0


def ends(root: Node, *, closed: Callable[[Node], bool]) -> list[Node]:
    """Where the tree ends; what was grown below a node that is closed by now does not count."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        if node.children is None or closed(node):
            found.append(node)
        else:
            stack += reversed(node.children)
    return found


def as_proof(root: Node, names: Names, *, closed: Callable[[Node], bool]) -> Proof:
    """The tree down to its ends, in outside names."""
    finished: list[Proof] = []
    stack: list[Node | int] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, int):
            refused, taken = finished.pop(), finished.pop()
            finished.append(Branch(names.units[node], taken, refused))
        elif node.children is None or closed(node):
            finished.append(node.leaf)
        else:
            taken_side, refused_side = node.children
            stack += (taken_side.unit, refused_side, taken_side)
    return finished.pop()


def place_of(node: Node, table: Table) -> Place:
    """Collect the decisions from `node` up to the root."""
    taken: list[int] = []
    free = np.ones(table.num_units, dtype=np.bool_)
    need = table.demands.copy()
    step: Node | None = node
    while step is not None and step.parent is not None:
        if step.refused is None:
            taken.append(step.unit)
            free[step.unit] = False
            need[table.rays_of(step.unit)] -= 1
        else:
            free[step.refused] = False
        step = step.parent
    return Place(tuple(sorted(taken)), table.cost_of(taken), free, need)


def gains(table: Table, missing: Mask) -> IntArray:
    """How many missing rays each unit shows."""
    return np.add.reduceat(missing[table.unit_rays].astype(np.int64), table.unit_start[:-1])


def stranded(table: Table, place: Place) -> int | None:
    """The first ray that needs more units than there are free ones, if there is one."""
    shown = np.add.reduceat(place.free[table.ray_units].astype(np.int64), table.ray_start[:-1])
    lost = np.flatnonzero(place.need > shown)
    return int(lost[0]) if len(lost) else None


def split(node: Node, unit: int, *, table: Table, place: Place, rank: IntArray) -> tuple[Node, Node]:
    """Two children: `unit` taken, or refused with all that it could replace at no greater cost (by `rank`).

    The parent's leaf stays valid below: its weights sit on missing rays and overload no free unit.
    """
    rays = table.rays_of(unit)
    positions, _ = expand(table.ray_start, rays[place.missing[rays]])
    inside = np.bincount(table.ray_units[positions], minlength=table.num_units)
    replaceable = place.free & (inside == gains(table, place.missing)) & (rank >= rank[unit])
    deeper = node.depth + 1
    taken = Node(node.leaf, node.bound, parent=node, unit=unit, depth=deeper)
    gone = np.flatnonzero(replaceable)
    refused = Node(node.leaf, node.bound, parent=node, unit=unit, refused=gone, depth=deeper)
    node.children = (taken, refused)
    return node.children
