"""What a proof proves: the rule of the independent checker, in exact numbers.

Only rays that the proof mentions count, P below.  Units that show the same rays of P are one unit, the
cheapest of them (a cover can swap the others for it), and units that show no ray of P do not take part.  A
`Leaf` under choices, C taken and R refused, proves, by weak duality with x_s = 1 on C, 0 on R, and 0 <= x_s
<= 1 on the free units,

    sum y_r + sum y_U * ceil(|U| / q_U) + sum over C of (c_s - load_s) + sum over free of min(0, c_s -
    load_s),

where load_s sums the weights of the rays that s shows and of the sets it touches, rounded up to a multiple of
the unit of cost: every cover costs such a multiple.  A `Branch` proves the least of its two sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

from hornbook.cover._proofs import used_rays
from hornbook.cover.problem import Branch, CoverProblem, Leaf, Proof, SetBound, Unreachable

__all__ = ["proof_bound", "settle"]


@dataclass(frozen=True)
class _State:
    """Choices made on the way to a node: bit sets of rays shown and of groups refused, and the groups
    taken."""

    shown: int = 0
    taken: tuple[int, ...] = ()
    refused: int = 0


class _View:
    """The problem as a proof sees it: its units restricted to P and merged into groups."""

    def __init__(self, problem: CoverProblem, proof: Proof) -> None:
        self.rays = used_rays(proof)
        if self.rays and not 0 <= self.rays[0] <= self.rays[-1] < problem.num_rays:
            raise ValueError(f"the proof mentions a ray outside 0..{problem.num_rays - 1}")
        position = {ray: place for place, ray in enumerate(self.rays)}
        cheapest: dict[tuple[int, ...], int] = {}
        self.group_of: list[int | None] = []
        shown: list[tuple[int, ...]] = []
        for unit, rays in enumerate(problem.units):
            key = tuple(position[ray] for ray in rays if ray in position)
            shown.append(key)
            if key and (key not in cheapest or problem.costs[unit] < problem.costs[cheapest[key]]):
                cheapest[key] = unit
        number = {key: group for group, key in enumerate(cheapest)}
        self.group_of = [number.get(key) for key in shown]
        self.units = tuple(cheapest.values())
        self.unit_of_cost = problem.cost_step()
        self.costs = [int(problem.costs[unit] / self.unit_of_cost) for unit in self.units]
        self.members = list(cheapest)
        self.position = position
        self.groups_of: list[list[int]] = [[] for _ in self.rays]
        for group, key in enumerate(self.members):
            for place in key:
                self.groups_of[place].append(group)
        # Bit sets serve branches only; a lone leaf on many rays does without them.
        self.masks = [_bits(key) for key in self.members] if isinstance(proof, Branch) else []

    def splits(self, branch: Branch, state: _State) -> int | None:
        """The group that `branch` decides, or None when that is decided already or shows nothing new."""
        group = self.group_of[branch.unit] if 0 <= branch.unit < len(self.group_of) else None
        if group is None or group in state.taken or state.refused >> group & 1:
            return None
        return group if self.masks[group] & ~state.shown else None

    def take(self, group: int, state: _State) -> _State:
        return _State(state.shown | self.masks[group], (*state.taken, group), state.refused)

    def refuse(self, group: int, state: _State) -> _State:
        """Refuse the group and all it could replace: what they show beyond C it shows too, at no greater
        cost."""
        beyond = self.masks[group] | state.shown
        refused = state.refused
        for other, mask in enumerate(self.masks):
            if not mask & ~beyond and self.costs[other] >= self.costs[group] and other not in state.taken:
                refused |= 1 << other
        return _State(state.shown, state.taken, refused)

    def is_unreachable(self, ray: int, state: _State) -> bool:
        return all(state.refused >> group & 1 for group in self.groups_of[self.position[ray]])

    def leaf_bound(self, leaf: Leaf, state: _State) -> Fraction:
        """The bound of the leaf in units of cost, before rounding."""
        weights = [weight for _, weight in leaf.weights] + [bound.weight for bound in leaf.sets]
        scale = lcm(*((weight / self.unit_of_cost).denominator for weight in weights))
        load: dict[int, int] = {}
        total = 0
        for ray, weight in leaf.weights:
            amount = int(weight / self.unit_of_cost * scale)
            total += amount
            for group in self.groups_of[self.position[ray]]:
                load[group] = load.get(group, 0) + amount
        for bound in leaf.sets:
            amount = int(bound.weight / self.unit_of_cost * scale)
            total += amount * -(-len(bound.of) // bound.at_most)
            for group in self._touching(bound):
                load[group] = load.get(group, 0) + amount
        for group in state.taken:
            total += self.costs[group] * scale - load.pop(group, 0)
        for group, carried in load.items():
            if not state.refused >> group & 1:
                total += min(0, self.costs[group] * scale - carried)
        return Fraction(total, scale)

    def _touching(self, bound: SetBound) -> dict[int, int]:
        """How many rays of the set each group shows."""
        count: dict[int, int] = {}
        for ray in bound.of:
            for group in self.groups_of[self.position[ray]]:
                count[group] = count.get(group, 0) + 1
        if max(count.values(), default=0) > bound.at_most:
            raise ValueError(f"a unit shows more than {bound.at_most} rays of the set {bound.of}")
        return count


def _bits(places: tuple[int, ...]) -> int:
    return sum(1 << place for place in places)


def proof_bound(problem: CoverProblem, proof: Proof) -> Fraction:
    """The bound that `proof` proves for `problem`, or ValueError when it breaks a rule.

    Cost: each branch looks at every unit, each leaf at every incidence of its weighted rays.
    """
    view = _View(problem, proof)
    bounds: list[Fraction] = []
    stack: list[tuple[Proof, _State]] = [(proof, _State())]
    while stack:
        node, state = stack.pop()
        if isinstance(node, Leaf):
            _require_sound(node)
            bounds.append(view.leaf_bound(node, state))
        elif isinstance(node, Unreachable):
            if not view.is_unreachable(node.ray, state):
                raise ValueError(f"ray {node.ray} is called unreachable, but a unit that shows it is not refused")
        else:
            group = view.splits(node, state)
            if group is None:
                raise ValueError(f"the proof branches on unit {node.unit}, which is not free there")
            stack.append((node.taken, view.take(group, state)))
            stack.append((node.refused, view.refuse(group, state)))
    return ceil(min(bounds)) * view.unit_of_cost


def _require_sound(leaf: Leaf) -> None:
    """Weights are positive, on increasing rays, and set bounds make sense on their own."""
    lists = [[ray for ray, _ in leaf.weights], *(list(bound.of) for bound in leaf.sets)]
    sound = (
        all(weight > 0 for _, weight in leaf.weights)
        and all(bound.weight > 0 and bound.at_most > 0 and bound.of for bound in leaf.sets)
        and all(rays == sorted(set(rays)) for rays in lists)
    )
    if not sound:
        raise ValueError("a leaf needs positive weights on increasing rays, and sets of at least one ray")


def settle(problem: CoverProblem, proof: Proof) -> Proof:
    """Drop branches on units that are not free in the eyes of the checker, keeping their refused side.

    A search that saw more rays than its proof mentions may have branched on a unit that, on those rays, was
    refused together with an earlier one, or shows nothing new.  Dropping branches can make the proof mention
    fewer rays still, so this repeats until nothing changes.
    """
    while True:
        view = _View(problem, proof)
        settled = _settle_once(view, proof)
        if used_rays(settled) == view.rays:
            return settled
        proof = settled


def _settle_once(view: _View, proof: Proof) -> Proof:
    finished: list[Proof] = []
    stack: list[tuple[Proof | int, _State]] = [(proof, _State())]
    while stack:
        node, state = stack.pop()
        if isinstance(node, int):
            refused, taken = finished.pop(), finished.pop()
            finished.append(Branch(node, taken, refused))
        elif not isinstance(node, Branch):
            finished.append(node)
        elif (group := view.splits(node, state)) is None:
            stack.append((node.refused, state))
        else:
            stack.append((view.units[group], state))
            stack.append((node.refused, view.refuse(group, state)))
            stack.append((node.taken, view.take(group, state)))
    return finished.pop()
