"""Branch and bound on one connected piece of a cover problem, as a tree that is a proof at any moment.

Best bound first, the newest first among equals (so it dives).  At each node the relaxation's guess is made
exact; the node is closed when its exact bound says that nothing cheaper than the best cover known is below.
"""

from __future__ import annotations

import heapq
from fractions import Fraction
from math import ceil

import numpy as np

from hornbook.compiling import is_compiling
from hornbook.cover._budget import Budget
from hornbook.cover._greedy import cover_greedily, without_redundant
from hornbook.cover._incidence import Table
from hornbook.cover._local_search import Exchange
from hornbook.cover._matching import is_matching, match_rays
from hornbook.cover._odd_sets import most_shown
from hornbook.cover._prices import exchange_core, first_core, part_of, pick, price_rays
from hornbook.cover._relaxed import Relaxed
from hornbook.cover._tree import Names, Node, Place, as_proof, ends, gains, place_of, split, stranded
from hornbook.cover.problem import Leaf, Proof, SetBound, Unreachable
from hornbook.proposals import FloatArray, Guess, RelaxationMaker

__all__ = ["Search"]

_ROUNDS = 30  # of sets added at the root
_EXCHANGES = 100  # per ray
_DOUBLINGS = 6  # of the exchanges while they still gain
_AGAIN = 64  # nodes after which exchanges go on, then twice as many, and so on
_LARGE = 20_000  # incidences from which on prices come before the solver
_DEEPEST = 390  # branchings above a node: a certificate has at most 400
_DIGITS = 6  # of the solver's fractions that are taken seriously


class Search:
    """A best cover and a proof tree for one piece, better the longer `run` goes on; whole whenever
    interrupted."""

    def __init__(
        self, table: Table, names: Names, *, budget: Budget, maker: RelaxationMaker | None = None, gap: Fraction
    ) -> None:
        self._table, self._names, self._gap = table, names, gap
        self._rank = table.cost_ranks()
        self._relaxed = Relaxed(table, names, maker=maker)
        self._exact = False
        self._exchange: Exchange | None = None
        self._prices = np.zeros(table.num_rays)
        self._units = np.arange(table.num_units)  # where exchanges look
        self._large = len(table.unit_rays) > _LARGE and is_compiling()
        self.best: list[int] = []
        self.best_cost = int(table.costs.sum()) + 1
        if is_matching(table) and not names.partial.any():
            self._root = self._matched_node(budget)
        else:
            self._offer(self._greedy())
            self._root = self._first_node()

    def _greedy(self) -> list[int]:
        if not self._large:
            return cover_greedily(self._table)[0]
        part, units = part_of(self._table, first_core(self._table))
        return [int(unit) for unit in units[pick(part, np.zeros(self._table.num_rays))]]

    def _matched_node(self, budget: Budget) -> Node:
        """Units of at most two rays at equal cost: a matching says it all."""
        chosen, sets = match_rays(self._table, budget)
        self._offer(chosen)
        cost, outside = int(self._table.costs[0]), self._names.rays
        weight = cost * self._names.unit_of_cost
        # a set that needs one unit is told by one of its rays
        alone = sorted(outside[each[0]] for each in sets if len(each) <= 2)
        others = sorted(tuple(outside[ray] for ray in each) for each in sets if len(each) > 2)
        leaf = Leaf(tuple((ray, weight) for ray in alone), tuple(SetBound(each, 2, weight) for each in others))
        return Node(leaf, Fraction(cost * sum((len(each) + 1) // 2 for each in sets)))

    def _first_node(self) -> Node:
        """Bounds that need no solver: raised weights, and counting how many units all rays need."""
        node = Node(Leaf(), Fraction(0))
        leaf, bound = self._relaxed.prove(place_of(node, self._table), None, enough=self._enough)
        if self._names.partial.any():
            return Node(leaf, bound)
        most = most_shown(self._table, np.arange(self._table.num_rays))
        least = int(self._table.costs.min())
        counted = Fraction(-(-int(self._table.demands.sum()) // most) * least)
        if counted > bound:
            return Node(Leaf((), (SetBound(self._names.rays, most, least * self._names.unit_of_cost),)), counted)
        return Node(leaf, bound)

    def _enough(self, bound: Fraction) -> bool:
        """Whether nothing cheaper than the best is left, or nothing cheap enough to matter: costs are integers, so
        less than one below will do."""
        if self._gap and bound >= self.best_cost * (1 - self._gap):
            return True
        return bound >= self.best_cost if self._exact else bound > self.best_cost - 1

    def _closed(self, node: Node) -> bool:
        return self._enough(node.bound)

    def is_closed(self) -> bool:
        """Whether the best cover is proved cheapest (up to rounding, unless exactness was asked for)."""
        return all(map(self._closed, ends(self._root, closed=self._closed)))

    def shortfall(self) -> Fraction:
        """By how much the proved bound, not rounded, misses the cost of the best cover."""
        least = min(node.bound for node in ends(self._root, closed=self._closed))
        return max(Fraction(0), self.best_cost - least)

    def chosen(self) -> list[int]:
        """The best cover, in outside names."""
        return [self._names.units[unit] for unit in self.best]

    def proof(self) -> Proof:
        """The tree as it is now, in outside names."""
        return as_proof(self._root, self._names, closed=self._closed)

    def root_leaf(self) -> Leaf | Unreachable:
        """The bound before any branching."""
        return self._root.leaf

    def run(self, budget: Budget, *, exact: bool = False) -> None:
        """Search until closed or the budget is spent; `exact` asks for bounds that need no rounding up."""
        self._exact = exact
        serial = 0
        heap: list[tuple[int, int, Node]] = []

        def push(node: Node) -> None:
            nonlocal serial
            serial -= 1
            if not self._closed(node):
                heapq.heappush(heap, (ceil(node.bound), serial, node))

        for node in reversed(ends(self._root, closed=self._closed)):
            push(node)
        done, again = 0, _AGAIN
        while heap and budget.next_node():
            done += 1
            if done == again:
                again *= 2
                self._improve(heap[0][0], budget)
            node = heapq.heappop(heap)[2]
            for child in self._expand(node, budget):
                push(child)
            budget.tell(f"one part costs at most {self.best_cost} units, {len(heap)} nodes open")
            while heap and self._closed(heap[0][2]):
                heapq.heappop(heap)

    def _expand(self, node: Node, budget: Budget) -> tuple[Node, ...]:
        """Bound a node; return its children, refused side first, if it stays open."""
        place = place_of(node, self._table)
        if not place.missing.any():
            self._offer(list(place.taken))
            node.leaf, node.bound = Leaf(), Fraction(place.cost)
            return ()
        lost = stranded(self._table, place)
        if lost is not None:
            # No cover is below: more than any cover costs.
            node.leaf, node.bound = Unreachable(self._names.rays[lost]), Fraction(int(self._table.costs.sum()) + 1)
            return ()
        guess = self._relax(node, place, budget) if node.parent else self._relax_root(node, place, budget)
        if self._closed(node) or budget.is_spent() or node.depth >= _DEEPEST:
            return ()
        fractions = np.zeros(self._table.num_units) if guess is None else guess.variables
        unit = self._choose(place, fractions)
        taken, refused = split(node, unit, table=self._table, place=place, rank=self._rank)
        return refused, taken

    def _relax(self, node: Node, place: Place, budget: Budget) -> Guess | None:
        guess = self._relaxed.guess(place, seconds=budget.seconds_left())
        while guess is not None and not budget.is_spent() and self._relaxed.widen(guess, place):
            guess = self._relaxed.guess(place, seconds=budget.seconds_left())
        if guess is not None:
            self._offer(self._rounded(place, guess.variables))
        self._tighten(node, place, guess)
        return guess

    def _relax_root(self, node: Node, place: Place, budget: Budget) -> Guess | None:
        """Look for a better cover, relax, and add violated sets while that helps."""
        if self._large:
            self._price(node, place, budget)
        guess = None if self._closed(node) or budget.is_spent() else self._relax(node, place, budget)
        if not self._closed(node) and not budget.is_spent() and not self._large:
            self._improve(ceil(node.bound), budget)
            self._tighten(node, place, guess)
        for _ in range(_ROUNDS):
            if self._closed(node) or budget.is_spent() or guess is None:
                break
            if not self._relaxed.add_sets(guess.variables):
                break
            guess = self._relax(node, place, budget)
        return guess

    def _price(self, node: Node, place: Place, budget: Budget) -> None:
        """Prices on the rays, the units that matter then, and exchanges among those."""
        self._improve(ceil(node.bound), budget)
        if self._closed(node) or budget.is_spent():
            return
        found = price_rays(self._table, upper=float(self.best_cost), budget=budget)
        self._tighten(node, place, Guess(np.zeros(self._table.num_units), found.prices))
        self._relaxed.restrict(found.core)
        part, units = part_of(self._table, found.core)
        self._offer([int(unit) for unit in units[pick(part, found.prices)]])
        self._prices = found.prices
        self._exchange = None
        self._improve(ceil(node.bound), budget)

    def _tighten(self, node: Node, place: Place, guess: Guess | None) -> None:
        leaf, bound = self._relaxed.prove(place, guess, enough=self._enough)
        if bound > node.bound or self._enough(bound):
            node.leaf, node.bound = leaf, bound

    def _offer(self, units: list[int]) -> None:
        """Keep these units, without the superfluous, if they are cheaper than the best."""
        units = without_redundant(self._table, units)
        cost = self._table.cost_of(units)
        if cost < self.best_cost:
            # In this order: an interrupt in between leaves a cost that is too high, never too low.
            self.best, self.best_cost = units, cost

    def _improve(self, target: int, budget: Budget) -> None:
        """Exchange units, for longer as long as that gains."""
        if self._exchange is None:
            part = self._table
            if self._large:
                core = np.union1d(exchange_core(part, self._prices), self.best)
                part, self._units = part_of(part, core)
            self._exchange = Exchange(part, np.searchsorted(self._units, self.best).tolist())
        steps = _EXCHANGES * self._table.num_rays
        for _ in range(_DOUBLINGS):
            found = self._exchange.run(steps, target=target, stop=budget.is_spent)
            self._offer(self._units[found].tolist())
            if self.best_cost <= target or budget.is_spent() or not self._exchange.recent_gain:
                break
            steps *= 2

    def _rounded(self, place: Place, fractions: FloatArray) -> list[int]:
        """A cover from fractions: the largest first, where they show something new."""
        chosen = list(place.taken)
        need = place.need.copy()
        order = iter(np.argsort(-np.round(np.where(place.free, fractions, -1), _DIGITS), kind="stable").tolist())
        while (need > 0).any():
            unit = next(order)
            rays = self._table.rays_of(unit)
            if (need[rays] > 0).any():
                chosen.append(unit)
                need[rays] -= 1
        return chosen

    def _choose(self, place: Place, fractions: FloatArray) -> int:
        """The most undecided fraction, then the most missing rays shown, then the lowest index.

        Without fractions the unit comes from the ray that the fewest free units show.
        """
        gain = gains(self._table, place.missing)
        score = np.round(np.minimum(fractions, 1.0 - fractions), _DIGITS)
        candidates = np.flatnonzero(place.free & (gain > 0) & (score > 0))
        if not len(candidates):
            count = np.add.reduceat(place.free[self._table.ray_units].astype(np.int64), self._table.ray_start[:-1])
            ray = int(np.argmin(np.where(place.missing, count - place.need, self._table.num_units + 1)))
            units = self._table.units_of(ray)
            candidates = units[place.free[units]]
        order = np.lexsort((-gain[candidates], -score[candidates]))
        return int(candidates[order[0]])
