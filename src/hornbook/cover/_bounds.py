"""What a proof proves: the rule of the independent checker, in exact numbers.

Only rays that the proof mentions count, P below.  Units that show the same rays of P are interchangeable but for their
cost, and more of them than these rays demand are of no use: of each kind the cheapest stay, as many as the largest
demand among its rays (a cover can swap the others for these).  Units that show no ray of P do not take part.  A
`Leaf` under choices, C taken and R refused, proves, by weak duality with x_s = 1 on C, 0 on R, and 0 <= x_s <= 1 on
the free units,

    sum y_r * b_r + sum y_U * ceil(b(U) / q_U) + sum over C of (c_s - load_s)
    + sum over free of min(0, c_s - load_s),

where b are the demands and load_s sums the weights of the rays that s shows and of the sets it touches, rounded up to a
multiple of the step: every cover costs such a multiple.  A `Branch` proves the least of its two sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._lists import IntArray, Mask, RaySets, expand, first_of_equal, order_by, starts_of
from hornbook.cover._proofs import used_rays
from hornbook.cover.problem import Branch, CoverProblem, Leaf, Proof, SetBound, Unreachable

__all__ = ["proof_bound", "settle"]

_WORD = 1 << 61  # sums below this are added up in machine words


@dataclass(frozen=True, eq=False)
class _State:
    """Choices made on the way to a node."""

    taken: Mask
    refused: Mask
    need: IntArray  # what the rays demand beyond what is taken


class _View:
    """The problem as a proof sees it: its units restricted to P, as many of each kind as can be of use."""

    def __init__(self, problem: CoverProblem, proof: Proof) -> None:
        self.rays = used_rays(proof)
        if self.rays and not 0 <= self.rays[0] <= self.rays[-1] < problem.num_rays:
            raise ValueError(f"the proof mentions a ray outside 0..{problem.num_rays - 1}")
        chosen = np.array(self.rays, dtype=np.int64)
        self.place = np.full(problem.num_rays, -1, dtype=np.int64)
        self.place[chosen] = np.arange(len(chosen))
        self.demands = problem.demands[chosen]
        self.step = problem.step
        self.units, self.sets = self._kept(problem)
        self.costs = problem.costs.counts[self.units]
        self.owners = self.sets.owners()
        by_ray = order_by(self.sets.rays, below=len(chosen))
        self.ray_units = self.owners[by_ray]
        self.ray_start = starts_of(np.bincount(self.sets.rays, minlength=len(chosen)))

    def _kept(self, problem: CoverProblem) -> tuple[IntArray, RaySets]:
        """Which units take part, and their rays by place in P; `self.stand_in` tells who acts for each unit."""
        places = self.place[problem.units.rays]
        kept = places >= 0
        count = np.bincount(problem.units.owners()[kept], minlength=len(problem.units))
        taking_part = np.flatnonzero(count)
        sets = RaySets(starts_of(count[taking_part]), places[kept])
        kind = first_of_equal(sets)
        rank = np.unique(problem.costs.counts[taking_part], return_inverse=True)[1].reshape(-1)
        order = np.lexsort((rank, kind))
        first = np.flatnonzero(np.diff(kind[order], prepend=-1))
        within = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
        most = np.maximum.reduceat(self.demands[sets.rays], sets.start[:-1]) if len(sets) else within
        useful = np.sort(order[within < most[order]])
        cheapest = np.repeat(order[first], np.diff(first, append=len(order)))
        stand_in = np.empty_like(order)
        stand_in[order] = cheapest
        stand_in[useful] = useful
        number = np.full(len(sets), -1, dtype=np.int64)
        number[useful] = np.arange(len(useful))
        self.stand_in = np.full(len(problem.units), -1, dtype=np.int64)
        self.stand_in[taking_part] = number[stand_in]
        return taking_part[useful], sets.take(useful)

    def start(self) -> _State:
        nobody = np.zeros(len(self.units), dtype=np.bool_)
        return _State(nobody, nobody, self.demands)

    def splits(self, branch: Branch, state: _State) -> int | None:
        """The unit that `branch` decides, or None when that is decided already or shows nothing that is needed."""
        unit = int(self.stand_in[branch.unit]) if 0 <= branch.unit < len(self.stand_in) else -1
        if unit < 0 or state.taken[unit] or state.refused[unit]:
            return None
        return unit if (state.need[self._rays_of(unit)] > 0).any() else None

    def _rays_of(self, unit: int) -> IntArray:
        return self.sets.rays[self.sets.start[unit] : self.sets.start[unit + 1]]

    def take(self, unit: int, state: _State) -> _State:
        taken, need = state.taken.copy(), state.need.copy()
        taken[unit] = True
        need[self._rays_of(unit)] -= 1
        return _State(taken, state.refused, need)

    def refuse(self, unit: int, state: _State) -> _State:
        """Refuse the unit and all it could replace: what they show that is needed it shows too, at no greater
        cost."""
        beyond = state.need > 0
        beyond[self._rays_of(unit)] = False
        stranger = np.logical_or.reduceat(beyond[self.sets.rays], self.sets.start[:-1])
        worse = ~stranger & ~state.taken & (self.costs >= self.costs[unit])
        return _State(state.taken, state.refused | worse, state.need)

    def is_unreachable(self, ray: int, state: _State) -> bool:
        place = int(self.place[ray])
        units = self.ray_units[self.ray_start[place] : self.ray_start[place + 1]]
        return int((~state.refused[units]).sum()) < int(self.demands[place])

    def leaf_bound(self, leaf: Leaf, state: _State) -> Fraction:
        """The bound of the leaf in steps, before rounding."""
        weights = [weight for _, weight in leaf.weights] + [bound.weight for bound in leaf.sets]
        steps = {weight: weight / self.step for weight in set(weights)}
        scale = lcm(*{value.denominator for value in steps.values()})
        scaled = {weight: int(value * scale) for weight, value in steps.items()}
        amounts = [scaled[weight] for weight in weights]
        total, load = self._loads(leaf, amounts, state=state)
        if max(sum(amounts), int(max(self.costs, default=0)) * scale) * (len(self.costs) + 1) >= _WORD:
            load, costs = load.astype(object), self.costs.astype(object)
        else:
            load, costs = load.astype(np.int64), self.costs
        slack = costs * scale - load
        total += int(slack[state.taken].sum())
        total += int(np.minimum(slack[~state.taken & ~state.refused], 0).sum())
        return Fraction(total, scale)

    def _loads(self, leaf: Leaf, amounts: list[int], *, state: _State) -> tuple[int, NDArray[Any]]:
        """What the weights are worth together, and what each unit carries of them."""
        words = np.int64 if sum(amounts) * (len(self.costs) + 1) < _WORD else object
        on_rays = np.zeros(len(self.demands), dtype=words)
        on_rays[self.place[[ray for ray, _ in leaf.weights]]] = amounts[: len(leaf.weights)]
        total = int((on_rays * self.demands).sum())
        load = np.zeros(len(self.costs), dtype=words)
        if len(self.costs):
            load += np.add.reduceat(on_rays[self.sets.rays], self.sets.start[:-1])
        if leaf.sets:
            on_sets = np.array(amounts[len(leaf.weights) :], dtype=words)
            touched, by, needed = self._touching(leaf.sets, state)
            np.add.at(load, by, on_sets[touched])
            total += int((on_sets * needed).sum())
        return total, load

    def _touching(self, bounds: tuple[SetBound, ...], state: _State) -> tuple[IntArray, IntArray, IntArray]:
        """All pairs of a set and a unit that shows some of it, and how many units each set needs."""
        lists = RaySets.of([bound.of for bound in bounds])
        members = self.place[lists.rays]
        positions, lengths = expand(self.ray_start, members)
        keys = np.repeat(lists.owners(), lengths) * len(self.costs) + self.ray_units[positions]
        pairs, count = np.unique(keys, return_counts=True)
        touched, by = np.divmod(pairs, len(self.costs))
        at_most = np.array([bound.at_most for bound in bounds], dtype=np.int64)
        wrong = (count > at_most[touched]) & ~state.refused[by]
        if wrong.any():
            bound = bounds[int(touched[np.argmax(wrong)])]
            raise ValueError(f"a unit shows more than {bound.at_most} rays of the set {bound.of}")
        demand = np.add.reduceat(self.demands[members], lists.start[:-1])
        return touched, by, -(-demand // at_most)


def proof_bound(problem: CoverProblem, proof: Proof) -> Fraction:
    """The bound that `proof` proves for `problem`, or ValueError when it breaks a rule.

    Cost: each branch looks at every unit, each leaf at every incidence of the rays mentioned.
    """
    view = _View(problem, proof)
    bounds: list[Fraction] = []
    stack: list[tuple[Proof, _State]] = [(proof, view.start())]
    while stack:
        node, state = stack.pop()
        if isinstance(node, Leaf):
            _require_sound(node)
            bounds.append(view.leaf_bound(node, state))
        elif isinstance(node, Unreachable):
            if not view.is_unreachable(node.ray, state):
                raise ValueError(f"ray {node.ray} is called unreachable, but units that show it are not refused")
        else:
            unit = view.splits(node, state)
            if unit is None:
                raise ValueError(f"the proof branches on unit {node.unit}, which is not free there")
            stack.append((node.taken, view.take(unit, state)))
            stack.append((node.refused, view.refuse(unit, state)))
    return ceil(min(bounds)) * view.step


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
    fewer rays still, so this repeats until nothing changes.  With demands above 1 a dropped branch may have refused
    units that are free in the eyes of the checker; where they show a ray that was called unreachable, nothing is
    claimed.
    """
    while isinstance(proof, Branch):
        view = _View(problem, proof)
        settled = _settle_once(view, proof)
        if used_rays(settled) == view.rays:
            return settled
        proof = settled
    return proof


def _settle_once(view: _View, proof: Proof) -> Proof:
    finished: list[Proof] = []
    stack: list[tuple[Proof | int, _State]] = [(proof, view.start())]
    while stack:
        node, state = stack.pop()
        if isinstance(node, int):
            refused, taken = finished.pop(), finished.pop()
            finished.append(Branch(node, taken, refused))
        elif isinstance(node, Unreachable) and not view.is_unreachable(node.ray, state):
            finished.append(Leaf())
        elif not isinstance(node, Branch):
            finished.append(node)
        elif (unit := view.splits(node, state)) is None:
            stack.append((node.refused, state))
        else:
            stack.append((int(view.units[unit]), state))
            stack.append((node.refused, view.refuse(unit, state)))
            stack.append((node.taken, view.take(unit, state)))
    return finished.pop()
