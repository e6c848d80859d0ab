"""Walk, rebuild and join proof trees.  No recursion: a tree may be deeper than Python's stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from hornbook.cover.problem import Branch, Leaf, Proof, Unreachable

__all__ = ["count_leaves", "depth", "graft", "join_leaves", "leaves", "rebuild", "rename", "used_rays"]


def leaves(proof: Proof) -> Iterator[Leaf | Unreachable]:
    """The ends of the tree, the sides with units taken first."""
    stack = [proof]
    while stack:
        node = stack.pop()
        if isinstance(node, Branch):
            stack += (node.refused, node.taken)
        else:
            yield node


def count_leaves(proof: Proof) -> int:
    """How many ends the tree has."""
    return sum(1 for _ in leaves(proof))


def depth(proof: Proof) -> int:
    """The most branchings one below the other."""
    most, stack = 0, [(proof, 0)]
    while stack:
        node, above = stack.pop()
        most = max(most, above)
        if isinstance(node, Branch):
            stack += ((node.refused, above + 1), (node.taken, above + 1))
    return most


def used_rays(proof: Proof) -> list[int]:
    """The rays that the proof mentions, increasing."""
    used: set[int] = set()
    for leaf in leaves(proof):
        if isinstance(leaf, Unreachable):
            used.add(leaf.ray)
        else:
            used.update(ray for ray, _ in leaf.weights)
            for bound in leaf.sets:
                used.update(bound.of)
    return sorted(used)


def rebuild(proof: Proof, change: Callable[[Leaf | Unreachable], Proof], *, unit: Callable[[int], int] = int) -> Proof:
    """The same tree with `change` applied to its ends, and `unit` to the units branched on."""
    finished: list[Proof] = []
    stack: list[Proof | int] = [proof]
    while stack:
        node = stack.pop()
        if isinstance(node, int):
            refused, taken = finished.pop(), finished.pop()
            finished.append(Branch(unit(node), taken, refused))
        elif isinstance(node, Branch):
            stack += (node.unit, node.refused, node.taken)
        else:
            finished.append(change(node))
    return finished.pop()


def rename(proof: Proof, *, units: Sequence[int], rays: Sequence[int]) -> Proof:
    """The proof of a part of a problem in the names of the whole: unit i is `units[i]`, ray i is `rays[i]`."""

    def renamed(leaf: Leaf | Unreachable) -> Proof:
        if isinstance(leaf, Unreachable):
            return Unreachable(rays[leaf.ray])
        sets = (replace(bound, of=tuple(rays[ray] for ray in bound.of)) for bound in leaf.sets)
        return Leaf(tuple((rays[ray], weight) for ray, weight in leaf.weights), tuple(sets))

    return rebuild(proof, renamed, unit=units.__getitem__)


def join_leaves(*parts: Leaf) -> Leaf:
    """One leaf with the weights of several that share no ray: their bounds add up."""
    weights = sorted(weight for part in parts for weight in part.weights)
    sets = sorted((bound for part in parts for bound in part.sets), key=lambda bound: bound.of)
    return Leaf(tuple(weights), tuple(sets))


def graft(first: Proof, second: Proof) -> Proof:
    """Prove the sum for two parts that share no unit: below each leaf of the first stands the second."""

    def below(leaf: Leaf | Unreachable) -> Proof:
        if isinstance(leaf, Unreachable):
            return leaf
        return rebuild(second, lambda end: join_leaves(leaf, end) if isinstance(end, Leaf) else end)

    return rebuild(first, below)
