"""The cheapest cover, with a proof that the checker can follow.

Reduce; split what is left into connected pieces; search each; join the proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from hornbook.cover._bounds import proof_bound, settle
from hornbook.cover._budget import Budget
from hornbook.cover._greedy import greedy_cover, without_redundant
from hornbook.cover._incidence import Table, components, table_of
from hornbook.cover._lists import IntArray, RaySets, starts_of
from hornbook.cover._matching import is_matching
from hornbook.cover._proofs import count_leaves, depth, graft, join_leaves, rename, used_rays
from hornbook.cover._reductions import Reduced, reduce_cover, unreduced
from hornbook.cover._search import Search
from hornbook.cover._tree import Names
from hornbook.cover.problem import (
    Costs,
    Cover,
    CoverProblem,
    Leaf,
    Limits,
    Progress,
    Proof,
    Stop,
)
from hornbook.proposals import RelaxationMaker

__all__ = ["minimum_cover"]

_MOST_LEAVES = 100_000  # of a joint proof: pieces that branch multiply
_DEEPEST = 400  # branchings one below the other that a certificate may have


def minimum_cover(
    problem: CoverProblem,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    relaxation: RelaxationMaker | None = None,
) -> Cover:
    """A cheapest cover and its proof; or, stopped by a limit or Ctrl-C, the best cover so far and a proved
    interval.

    Without time limit the answer depends on the problem alone.  `relaxation` replaces the solver that guesses
    weights (exact pivoting for small pieces, HiGHS beyond); the guesses change the time, never the truth of
    the answer.

    Cost and limits: covering is NP-hard.  What reductions leave is searched node by node, some milliseconds
    each up to 2,000 units; expect seconds where the relaxation is nearly tight, and an interval for unicost
    problems of some hundred rays where it is not.
    """
    budget = Budget(limits or Limits(), progress=progress, stop=stop)
    work = _Work(problem, relaxation, gap=budget.gap)
    interrupted = False
    try:
        work.run(budget)
    except KeyboardInterrupt:
        interrupted = True
    return replace(work.cover(), interrupted=interrupted)


class _Work:
    """The pieces of one problem, searched in turn."""

    def __init__(self, problem: CoverProblem, maker: RelaxationMaker | None, *, gap: Fraction) -> None:
        self._problem, self._maker, self._gap = problem, maker, gap
        self._start: tuple[Table, Reduced, list[Search]] | None = None
        self._closed = False
        self._valued: tuple[Proof, Fraction] | None = None
        self._proof: Proof | None = None

    def run(self, budget: Budget) -> None:
        """Go through all steps; an exception in between leaves a state that `cover` can tell."""
        table = table_of(self._problem)
        # Where every unit shows a pair, a matching needs no reductions, which would go round after round on a path.
        reduced = unreduced(table) if is_matching(table) else reduce_cover(table)
        searches = [
            Search(part, names, budget=budget, maker=self._maker, gap=self._gap)
            for part, names in _pieces(table, reduced, self._problem.step)
        ]
        self._start = (table, reduced, searches)
        for search in searches:
            search.run(budget)
        if not self._gap:
            _close_gaps(searches, budget)
        if all(search.is_closed() for search in searches):
            self._proof = self._prove_on_fewer_rays(self._joint_proof(reduced, searches), budget)
            self._closed = True

    def cover(self) -> Cover:
        """What is known now: the greedy cover if the reductions were not over."""
        if self._start is None:
            return replace(greedy_cover(self._problem, limits=Limits(seconds=0)), complete=False, guarantee=None)
        table, reduced, searches = self._start
        parts = [unit for search in searches for unit in search.chosen()]
        chosen = without_redundant(table, [*reduced.chosen, *parts])
        cost = self._problem.costs.total(chosen)
        proof = self._proof or settle(self._problem, self._joint_proof(reduced, searches))
        if self._valued is None or self._valued[0] is not proof:
            self._valued = (proof, proof_bound(self._problem, proof))
        # With demands above 1 a proof may lose what it said: units that reductions left out may be overloaded.
        proof, bound = self._valued if self._valued[1] >= 0 else (Leaf(), Fraction(0))
        return Cover(tuple(chosen), cost, bound, proof, complete=self._closed and bound == cost)

    def _joint_proof(self, reduced: Reduced, searches: list[Search]) -> Proof:
        step = self._problem.step
        weights = sorted((ray, cost * step) for ray, cost in reduced.weights if cost)
        return _join(Leaf(tuple(weights)), searches)

    def _prove_on_fewer_rays(self, proof: Proof, budget: Budget) -> Proof:
        """Redo a proof that relied on rays it does not mention.

        The checker merges units that differ only on such rays.  On the rays mentioned the minimum is the same
        (the branches stay valid with fewer rays), so the problem restricted to them has a proof; it mentions
        fewer still.
        """
        self._proof = settle(self._problem, proof)
        known, rays = self.cover(), used_rays(proof)
        if known.lower_bound >= known.cost * (1 - self._gap) or len(rays) == self._problem.num_rays:
            return self._proof
        part, units = _restricted(self._problem, rays)
        inner = _Work(part, self._maker, gap=self._gap)
        inner.run(budget)
        again = rename(inner.cover().proof, units=units, rays=rays)
        return again if proof_bound(self._problem, again) > known.lower_bound else self._proof


def _pieces(table: Table, reduced: Reduced, unit: Fraction) -> Iterator[tuple[Table, Names]]:
    """The connected pieces of what is left, by their lowest ray."""
    if not len(reduced.units):
        return
    if is_matching(table):
        nothing = np.zeros(table.num_rays, dtype=np.bool_)
        yield table, Names(tuple(range(table.num_units)), tuple(range(table.num_rays)), unit, nothing)
        return
    label = _labels(table, reduced)
    order = np.argsort(label, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(label[order])) + 1):
        units, local_units = np.unique(reduced.units[part], return_inverse=True)
        rays, local_rays = np.unique(reduced.rays[part], return_inverse=True)
        partial = reduced.need[rays] < table.demands[rays]
        names = Names(tuple(units.tolist()), tuple(rays.tolist()), unit, partial)
        piece = Table.from_pairs(local_units, local_rays, costs=table.costs[units], demands=reduced.need[rays])
        yield piece, names


def _labels(table: Table, reduced: Reduced) -> IntArray:
    """For each incidence its connected piece; all pieces that one matching solves are one."""
    label = components(reduced.units, reduced.rays, num_rays=table.num_rays)[reduced.rays]
    _, piece = np.unique(label, return_inverse=True)
    ranks = table.cost_ranks()[reduced.units]
    sizes = np.bincount(reduced.units)[reduced.units]
    plain = (sizes <= 2) & (table.demands[reduced.rays] == 1)
    hard = np.bincount(piece, weights=~plain) > 0
    low, high = np.full(len(hard), len(table.costs)), np.zeros(len(hard), dtype=np.int64)
    np.minimum.at(low, piece, ranks)
    np.maximum.at(high, piece, ranks)
    easy = ~hard & (low == high)
    first = np.full(len(table.costs), table.num_rays)
    np.minimum.at(first, low[piece], np.where(easy[piece], label, table.num_rays))
    return np.where(easy[piece], first[low[piece]], label)


def _close_gaps(searches: list[Search], budget: Budget) -> None:
    """Each piece may have relied on rounding up, but the sum is rounded up only once: redo some without."""
    short = sorted((s for s in searches if s.shortfall()), key=lambda search: count_leaves(search.proof()))
    for search in short:
        if sum(search.shortfall() for search in short) < 1:
            break
        search.run(budget, exact=True)


def _join(base: Leaf, searches: list[Search]) -> Proof:
    """One tree from the trees of the pieces; where it would grow too large, pieces fall back to their first
    bound."""
    pairs = sorted(((search.proof(), search.root_leaf()) for search in searches), key=lambda p: count_leaves(p[0]))
    single: list[Leaf] = [base]
    trees: list[Proof] = []
    product, total = 1, 0
    for tree, root in pairs:
        product *= count_leaves(tree)
        total += depth(tree)
        proof = tree if product <= _MOST_LEAVES and total <= _DEEPEST else root
        if isinstance(proof, Leaf):
            single.append(proof)
        else:
            trees.append(proof)
    joint: Proof = join_leaves(*single)
    for tree in trees:
        joint = graft(joint, tree)
    return joint


def _restricted(problem: CoverProblem, rays: list[int]) -> tuple[CoverProblem, list[int]]:
    """The problem on these rays, with the units that show any."""
    place = np.full(problem.num_rays, -1, dtype=np.int64)
    place[rays] = np.arange(len(rays))
    places = place[problem.units.rays]
    count = np.bincount(problem.units.owners()[places >= 0], minlength=len(problem.units))
    units = np.flatnonzero(count)
    sets = RaySets(starts_of(count[units]), places[places >= 0])
    costs = Costs(problem.costs.counts[units], problem.step)
    return CoverProblem(len(rays), sets, costs, demands=problem.demands[rays]), units.tolist()
