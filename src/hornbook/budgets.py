"""As much as a budget allows: the demonstrations that refute the most misconceptions, and what each further one adds.

The first half of the way is that of `teach`: differences, rays, who shows them.  Then, instead of the cheapest states
that show all rays, the states within a budget that show the most.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from hornbook.arithmetic import exact_number
from hornbook.assurance import Sum, implied_sums
from hornbook.cover import Costs, Limits, PartialCover, PartialCoverProblem, RaySets, cover_within, distinct_units
from hornbook.coverage import Coverage, see_who_shows
from hornbook.differences import Differences, collect_differences
from hornbook.errors import Ambiguous, BadProblem, Interrupted
from hornbook.frames import Frame, extreme_rays, misconception_weights
from hornbook.lesson import Counts
from hornbook.partial_lesson import Curve, PartialLesson
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.rays import Rays
from hornbook.teaching import Clock, cost_step, demonstration
from hornbook.verdicts import undecided

__all__ = ["Market", "PartialTrace", "curve", "teach_within"]

Weights = Sequence[Any] | str | None
PER = ("cost", "demonstration")


def teach_within(
    problem: TeachingProblem,
    *,
    budget: Any,
    per: str = "cost",
    weights: Weights = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    on_ambiguous: str = "raise",
    progress: Progress = silent,
) -> PartialLesson:
    """The demonstrations within a budget that refute the most misconceptions, with a proof that none refute more.

    The budget is what they may cost together; with `per="demonstration"` how many there may be, whatever they cost.
    `weights` say what each misconception is worth, one number for each ray in the order of `lesson.rays`, or "states"
    for the number of states where it can show; 1 by default.  A limit leaves an interval, and `LimitExceeded` is raised
    if it strikes before the rays are known.  Refusals are those of `teach`.

    >>> from hornbook.environments import environment
    >>> found = teach_within(environment("six_rays"), budget=1)
    >>> found.value, found.upper_bound, found.total
    (Fraction(3, 1), Fraction(3, 1), Fraction(6, 1))
    """
    how = _How(per, weights, node_limit, on_ambiguous)
    return _points(problem, [_amount(budget)], how, Clock(time_limit, progress))[0]


def curve(
    problem: TeachingProblem,
    *,
    budgets: Sequence[Any] | None = None,
    per: str = "demonstration",
    weights: Weights = None,
    time_limit: float | None = None,
    node_limit: int | None = 100,
    on_ambiguous: str = "raise",
    progress: Progress = silent,
) -> Curve:
    """What each budget buys: by default 0, 1, 2, ... demonstrations, until every misconception is refuted.

    Each point has an interval [value, upper_bound] of its own; `node_limit` (for each point) and `time_limit` (for all
    points together) leave some of them open.  The values never fall as the budget grows.

    >>> from hornbook.environments import environment
    >>> curve(environment("six_rays"))
    Curve: 3 points
      budget 0: [0, 0] of 6
      budget 1: [3, 3] of 6
      budget 2: [6, 6] of 6
    """
    asked = None if budgets is None else sorted(map(_amount, budgets))
    if asked == []:
        raise BadProblem("budgets: none is given; leave them out for 0, 1, 2, ...")
    how = _How(per, weights, node_limit, on_ambiguous)
    return Curve(tuple(_points(problem, asked, how, Clock(time_limit, progress))))


def _amount(budget: Any) -> Fraction:
    try:
        amount = Fraction(exact_number(budget))
    except ValueError as error:
        raise BadProblem(f"budget: {error}") from None
    if amount < 0:
        raise BadProblem(f"a budget cannot be negative: {budget}")
    return amount


@dataclass(frozen=True)
class _How:
    per: str
    weights: Weights
    node_limit: int | None
    on_ambiguous: str

    def __post_init__(self) -> None:
        if self.on_ambiguous not in ("raise", "accept"):
            raise BadProblem(f"on_ambiguous is {self.on_ambiguous!r}; it must be raise or accept")
        if self.per not in PER:
            raise BadProblem(f"per is {self.per!r}; it must be cost or demonstration")


def _points(problem: TeachingProblem, asked: list[Fraction] | None, how: _How, clock: Clock) -> list[PartialLesson]:
    """A point for each amount, or for 0, 1, 2, ... until all is refuted; each begins where the last one ended."""
    try:
        market = _market(problem, how, clock)
    except Ambiguous:
        if how.on_ambiguous == "raise":
            raise
        market = _market(problem.taken_exactly(), how, clock)
    found: list[PartialLesson] = []
    for amount in itertools.count() if asked is None else asked:
        known = found[-1].trace.cover.chosen if found else ()
        found.append(_bought(market, Fraction(amount), known, how.node_limit, clock))
        if asked is None and found[-1].value == market.total:
            break
    return found


def _market(problem: TeachingProblem, how: _How, clock: Clock) -> Market:
    """The first half of `teach`, and what each misconception is worth."""
    with clock.stage("differences"):
        differences = collect_differences(problem, progress=clock)
    with clock.stage("rays"):
        frame = extreme_rays(problem, differences, progress=clock)
    with clock.stage("coverage"):
        coverage = see_who_shows(problem, frame.marks, progress=clock)
    return Market(problem, differences, frame, coverage, tuple(_worth(coverage, how.weights)), how.per)


def _worth(coverage: Coverage, weights: Weights) -> list[Fraction]:
    """What each ray's misconception is worth."""
    kinds, count = coverage.kinds, coverage.num_rays
    if weights is None:
        return [Fraction(1)] * count
    if isinstance(weights, str) and weights == "states":
        shown = np.zeros(count, dtype=np.int64)
        np.add.at(shown, kinds.rays, np.repeat(kinds.counts, np.diff(kinds.start)))
        return [Fraction(number) for number in shown.tolist()]
    if isinstance(weights, str) or len(weights) != count:
        given = repr(weights) if isinstance(weights, str) else f"{len(weights):,} numbers"
        raise BadProblem(f"weights: {given} for {count:,} rays; give one number for each ray, or 'states'")
    try:
        worth = [Fraction(exact_number(weight)) for weight in weights]
    except ValueError as error:
        raise BadProblem(f"weights: {error}") from None
    if min(worth, default=0) < 0:
        raise BadProblem(f"weights: {min(worth)} is negative; 0 leaves a misconception out")
    return worth


def _bought(
    market: Market, amount: Fraction, known: tuple[int, ...], node_limit: int | None, clock: Clock
) -> PartialLesson:
    units, costs, _ = market.units

    def told(nodes: int, _message: str) -> None:
        clock.told("proving that none refute more", nodes, None)

    with clock.stage("cover"):
        asked = PartialCoverProblem(units, costs, [market.values[ray] for ray in market.valued], amount)
        limits = Limits(nodes=node_limit, seconds=clock.left())
        cover = cover_within(asked, limits=limits, progress=told, known=known)
    lesson = _lesson(PartialTrace(market, cover), amount, dict(clock.seconds))
    if cover.interrupted:
        raise Interrupted("interrupted while proving; the set so far is within the budget", lesson=lesson)
    return lesson


def _lesson(trace: PartialTrace, amount: Fraction, seconds: Mapping[str, float]) -> PartialLesson:
    market, cover = trace.market, trace.cover
    problem, differences = market.problem, market.differences
    return PartialLesson(
        demonstrations=tuple(demonstration(problem, row) for row in trace.chosen_rows),
        budget=amount,
        per=market.per,
        cost=cover.cost,
        value=cover.value,
        upper_bound=cover.upper_bound,
        total=market.total,
        refuted=trace.refuted,
        num_rays=len(market.values),
        counts=Counts(problem.num_states, differences.count, len(differences.directions)),
        arithmetic=_arithmetic(market),
        trace=trace,
        seconds=seconds,
    )


def _arithmetic(market: Market) -> str | dict[str, Any]:
    """For float data what was merged and assumed; no margin is asked of imitators, as nothing is said to teach."""
    labelling, occurrences = market.frame.labelling, market.differences.occurrences
    if labelling is None:
        return market.problem.arithmetic
    return {
        "kind": market.problem.arithmetic,
        "noise": float(market.problem.tolerances.noise),
        "merge": float(market.problem.tolerances.merge),
        "merged": int(occurrences[labelling.ray_of >= 0].sum()) - len(labelling.rows),
        "assumed_inside": int(occurrences[sorted(labelling.assumed)].sum()),
        "smallest_margin": None,
        "tau": None,
    }


@dataclass(frozen=True, eq=False)
class Market:
    """What can be bought: each unit stands for the cheapest state that shows some rays, which are worth something."""

    problem: TeachingProblem
    differences: Differences
    frame: Frame
    coverage: Coverage
    values: tuple[Fraction, ...]
    per: str

    @cached_property
    def total(self) -> Fraction:
        """What all rays are worth."""
        return sum(self.values, Fraction(0))

    @cached_property
    def valued(self) -> list[int]:
        """The rays that are worth something; the cover numbers them from 0."""
        return [ray for ray, value in enumerate(self.values) if value]

    @cached_property
    def units(self) -> tuple[RaySets, Costs, list[int]]:
        """Distinct sets of valued rays, the least cost of each, and the kind of states that has it."""
        kinds = self.coverage.kinds
        if kinds.costs is None or self.per == "demonstration":
            costs = Costs.equal(len(kinds))
        else:
            costs = Costs.of([Fraction(cost) for cost in kinds.costs], cost_step(self.problem))
        return distinct_units(RaySets(kinds.start, kinds.rays), costs, rays=self.valued, num_rays=len(self.values))


@dataclass(frozen=True, eq=False)
class PartialTrace:
    """The evidence behind a partial lesson."""

    market: Market
    cover: PartialCover

    @property
    def problem(self) -> TeachingProblem:
        """The problem."""
        return self.market.problem

    @property
    def differences(self) -> Differences:
        """Its distinct differences."""
        return self.market.differences

    @property
    def frame(self) -> Frame:
        """Its rays, and what shows them."""
        return self.market.frame

    @property
    def rays(self) -> Rays:
        """The rays of the frame."""
        return self.frame.rays

    @property
    def chosen_rows(self) -> list[int]:
        """The rows of the chosen states, in id order."""
        return sorted(map(self.row_of_unit, self.cover.chosen), key=self.problem.rank_of)

    def row_of_unit(self, unit: int) -> int:
        """The state that a unit of the cover stands for."""
        _, _, kinds = self.market.units
        return int(self.market.coverage.kinds.rows[kinds[unit]])

    @property
    def refuted(self) -> tuple[int, ...]:
        """The rays that the chosen states show."""
        _, _, kinds = self.market.units
        chosen = [self.market.coverage.kinds[kinds[unit]].rays for unit in self.cover.chosen]
        return tuple(sorted(set(itertools.chain.from_iterable(chosen))))

    @cached_property
    def float_sums(self) -> list[Sum]:
        """For float data, what is in no class as sums of rays."""
        return implied_sums(self)

    @cached_property
    def proof_weights(self) -> dict[int, tuple[int, ...]]:
        """Weights against each ray of value."""
        return misconception_weights(self.problem, self.differences, frame=self.frame, rays=self.market.valued)

    def count_undecided(self, states: Sequence[str]) -> int:
        """In how many states some consistent learner may still err after these demonstrations."""
        return len(undecided(self.problem, self.differences, frame=self.frame, states=states))
