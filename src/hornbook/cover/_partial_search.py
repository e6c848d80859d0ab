"""As much as a budget allows: greedy choices made better by exchanges, then branch and bound with exact bounds.

Best bound first, the newest first among equals.  At each node a linear relaxation proposes weights and a price;
rounded to fractions they are a `Ceiling`, whose bound is exact whatever was proposed.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cover._budget import Budget
from hornbook.cover._choices import Choices
from hornbook.cover._lists import Costs
from hornbook.cover.partial import (
    Ceiling,
    CeilingProof,
    PartialCover,
    PartialCoverProblem,
    Split,
    View,
    bound_of,
    ceiling_bound,
)
from hornbook.cover.problem import Limits, Progress, Stop
from hornbook.proposals import FloatArray, Guess, LinearProgram, Relaxation, RelaxationMaker, Row, highs_relaxation

__all__ = ["cover_within"]

_SCALES = (1, 2, 3, 4, 6, 12, 60, 1 << 20)
_DIGITS = 6  # of the solver's fractions that are taken seriously
_BITS = 40  # of a cost or a value that the solver sees

_Proposal = tuple[NDArray[Any], int, int]
"""A weight for each ray and a price, counting `1/scale` of a step of value; and the scale."""


def cover_within(
    problem: PartialCoverProblem,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    relaxation: RelaxationMaker | None = None,
    known: tuple[int, ...] = (),
) -> PartialCover:
    """Units within the budget that show as much as possible, and a proof; or, stopped early, a proved interval.

    Without time limit the answer depends on the problem alone, and on `known`, units within the budget to begin with.
    `relaxation` replaces the solver that guesses weights; guesses change the time, never the truth of the answer.

    Cost and limits: NP-hard (maximum coverage).  The first bound takes a linear program with a column for each unit and
    each ray; expect seconds at some hundred rays, and an interval where the relaxation is not nearly tight.
    """
    budget = Budget(limits or Limits(), progress=progress, stop=stop)
    search = _Search(problem, relaxation or highs_relaxation)
    interrupted = False
    try:
        search.begin(known)
        search.run(budget)
    except KeyboardInterrupt:
        interrupted = True
    return replace(search.answer(), interrupted=interrupted)


@dataclass(eq=False)
class _Node:
    """A choice below its parent, the best ceiling known there, and its bound (in steps of value, rounded down)."""

    ceiling: Ceiling
    bound: int
    view: View
    children: tuple[int, _Node, _Node] | None = None  # set in one go, so that an interrupt leaves a whole tree


class _Search:
    """The best choice and a tree that is a proof at any moment."""

    def __init__(self, problem: PartialCoverProblem, maker: RelaxationMaker) -> None:
        self._problem, self._maker = problem, maker
        self._choices = Choices(problem)
        self._solver: Relaxation | None = None
        # Numbers beyond the solver's reach lose their last bits there, and there only.
        self._value_shift, self._cost_shift = _excess(problem.values), _excess(problem.costs)
        self.best: list[int] = []
        self.best_value = 0
        everything = Ceiling((), Fraction(0))
        self._root = _Node(everything, int(problem.values.counts.sum()), View.of(problem))

    def begin(self, known: tuple[int, ...]) -> None:
        """A good choice, and a first bound, without any solver."""
        for start in ([], list(known)):
            self._offer(self._choices.improved(self._choices.filled(start)))
        single = self._choices.best_single()
        if single is not None:
            self._offer(self._choices.filled([single]))
        self._tighten(self._root, self._simple(self._root.view))

    def _offer(self, chosen: list[int]) -> None:
        value = self._choices.worth(chosen)
        if value > self.best_value:
            # In this order: an interrupt in between leaves a value that is too low, never too high.
            self.best, self.best_value = sorted(chosen), value

    def _closed(self, node: _Node) -> bool:
        return node.bound <= self.best_value

    def run(self, budget: Budget) -> None:
        """Search until closed or the budget is spent."""
        serial = 0
        heap = [(-self._root.bound, serial, self._root)]
        while heap and not self._closed(heap[0][2]) and budget.next_node():
            node = heapq.heappop(heap)[2]
            for child in self._expand(node, budget):
                serial -= 1
                heapq.heappush(heap, (-child.bound, serial, child))
            budget.tell(f"{self.best_value} so far, {len(heap)} nodes open")

    def _expand(self, node: _Node, budget: Budget) -> tuple[_Node, ...]:
        """Bound a node; return its children, refused side first, if it stays open."""
        self._offer(self._choices.filled(np.flatnonzero(node.view.taken).tolist()))
        self._tighten(node, self._simple(node.view))
        if self._closed(node):
            return ()
        guess = self._guess(node.view, budget.seconds_left())
        if guess is not None:
            self._tighten(node, self._proposed(node.view, guess))
            self._offer(self._choices.rounded(node.view, guess.variables))
        if self._closed(node) or budget.is_spent():
            return ()
        unit = self._choose(node.view, guess)
        taken = _Node(node.ceiling, node.bound, node.view.take(unit, self._problem))
        refused = _Node(node.ceiling, node.bound, node.view.refuse(unit, self._problem))
        node.children = (unit, taken, refused)
        return refused, taken

    def _tighten(self, node: _Node, proposals: list[_Proposal]) -> None:
        """Keep the first (simplest) proposal that closes the node; if even the last (finest) does not, that."""
        if floor(self._bound(node, proposals[-1])) > self.best_value:
            proposals = proposals[-1:]
        for proposal in proposals:
            bound = floor(self._bound(node, proposal))
            if bound < node.bound:
                node.ceiling, node.bound = self._ceiling(proposal), bound
            if self._closed(node):
                return

    def _bound(self, node: _Node, proposal: _Proposal) -> Fraction:
        amounts, price, scale = proposal
        return bound_of(self._problem, node.view, amounts=amounts, price=price, scale=scale)

    def _ceiling(self, proposal: _Proposal) -> Ceiling:
        amounts, price, scale = proposal
        step = self._problem.values.step
        rays = np.flatnonzero(amounts).tolist()
        weights = tuple((ray, int(amounts[ray]) * step / scale) for ray in rays)
        return Ceiling(weights, Fraction(price, scale) * step / self._problem.costs.step)

    def _simple(self, view: View) -> list[_Proposal]:
        """Without a solver: every ray at its value, and the price at which the budget buys the best units."""
        amounts = np.where(view.missing, self._problem.values.counts, 0).astype(object)
        price = self._choices.going_rate(view)
        return [(amounts * price.denominator, price.numerator, price.denominator)]

    def _proposed(self, view: View, guess: Guess) -> list[_Proposal]:
        """The solver's weights at coarse scales first: those are the same on every machine."""
        duals = guess.duals.tolist()
        most = np.where(view.missing, self._problem.values.counts, 0).astype(object)
        found = []
        for scale in _SCALES:
            amounts = np.array([round(dual * scale) << self._value_shift for dual in duals[:-1]], dtype=object)
            price = Fraction(round(duals[-1] * scale) << self._value_shift, 1 << self._cost_shift)
            found.append((np.minimum(amounts, most * scale), floor(price), scale))
        return found

    def _guess(self, view: View, seconds: float | None) -> Guess | None:
        """Ask the solver, with what is decided fixed; what comes back is finite and in range."""
        if self._solver is None:
            self._solver = self._maker(self._program())
        units, rays = len(self._problem.units), self._problem.num_rays
        lower, upper = np.zeros(units + rays), np.ones(units + rays)
        lower[:units] = view.taken
        upper[:units] = view.taken | view.free(self._problem)
        guess = self._solver.guess(lower, upper, seconds=seconds)
        if guess is None:
            return None
        fractions = np.clip(np.nan_to_num(guess.variables), 0.0, 1.0)
        return Guess(fractions, np.clip(np.nan_to_num(guess.duals), 0.0, 2.0 ** (_BITS + 1)))

    def _program(self) -> LinearProgram:
        """Units, then rays: a ray counts as far as units show it, and the units cost no more than the budget."""
        problem = self._problem
        units, rays = len(problem.units), problem.num_rays
        worth = _shifted(problem.values.counts, self._value_shift)
        cost = _shifted(problem.costs.counts, self._cost_shift)
        most = float(View.of(problem).left >> self._cost_shift)
        order = np.argsort(problem.units.rays, kind="stable")
        owners = problem.units.owners()[order]
        ends = np.cumsum(np.bincount(problem.units.rays, minlength=rays))
        rows = [
            Row(np.append(mine, units + ray), np.append(np.ones(len(mine)), -1.0), 0.0)
            for ray, mine in enumerate(np.split(owners, ends)[:rays])
        ]
        rows.append(Row(np.arange(units), -cost, -most))
        objective = np.concatenate((np.zeros(units), -worth))
        return LinearProgram(objective, np.zeros(units + rays), np.ones(units + rays), tuple(rows))

    def _choose(self, view: View, guess: Guess | None) -> int:
        """The most undecided fraction, then what shows most for its cost, then the lowest index."""
        free = np.flatnonzero(view.free(self._problem) & (self._choices.gains(view.missing) > 0))
        fractions = np.zeros(len(self._problem.units)) if guess is None else guess.variables
        score = np.round(np.minimum(fractions[free], 1.0 - fractions[free]), _DIGITS)
        order = np.lexsort((-self._choices.gains(view.missing)[free], -score))
        return int(free[order[0]])

    def answer(self) -> PartialCover:
        """What is known now."""
        problem, proof = self._problem, self._proof()
        bound = ceiling_bound(problem, proof)
        value = self.best_value * problem.values.step
        return PartialCover(
            tuple(self.best), problem.costs.total(self.best), value, bound, proof, complete=value == bound
        )

    def _proof(self) -> CeilingProof:
        finished: list[CeilingProof] = []
        stack: list[_Node | int] = [self._root]
        while stack:
            node = stack.pop()
            if isinstance(node, int):
                refused, taken = finished.pop(), finished.pop()
                finished.append(Split(node, taken, refused))
            elif node.children is None or self._closed(node):
                finished.append(node.ceiling)
            else:
                unit, taken_side, refused_side = node.children
                stack += (unit, refused_side, taken_side)
        return finished.pop()


def _excess(numbers: Costs) -> int:
    """How many bits too many the largest of these counts has for the solver."""
    return max(0, int(max(numbers.counts, default=0)).bit_length() - _BITS)


def _shifted(counts: NDArray[Any], shift: int) -> FloatArray:
    return np.array([count >> shift for count in counts.tolist()], dtype=np.float64)
