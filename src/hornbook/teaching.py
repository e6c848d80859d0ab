"""Step 6 of 8: `teach`, the paper's Algorithm 1 (TIE) in its own order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from hornbook.assurance import Sum, float_report, implied_sums
from hornbook.cover import (
    COVER_SOLVERS,
    Costs,
    Cover,
    CoverProblem,
    CoverSolver,
    Leaf,
    Limits,
    OutOfReach,
    RaySets,
    cost_unit,
    cover_as_asked,
    used_rays,
)
from hornbook.coverage import Coverage, Kinds, first_shown, see_who_shows, states_showing
from hornbook.differences import Differences, collect_differences
from hornbook.errors import Ambiguous, BadProblem, ImpossibleRequest, Interrupted, LimitExceeded
from hornbook.frames import Frame, believed_frame, extreme_rays, misconception_weights, shown_rays, unscaled
from hornbook.lesson import Counts, Demonstration, Lesson, Misconception, Ray
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.rays import Rays
from hornbook.requests import Group, Request, asked
from hornbook.units import Units, see_units

__all__ = ["Clock", "Trace", "cost_step", "demonstration", "teach"]

_NAMED = 10  # states that a message names


def teach(
    problem: TeachingProblem,
    *,
    teacher: str = "minimum",
    ray_finder: str = "auto",
    time_limit: float | None = None,
    node_limit: int | None = None,
    gap: Fraction | float | str = 0,
    on_ambiguous: str = "raise",
    must: Sequence[str | int] = (),
    may_not: Sequence[str | int] = (),
    given: Sequence[str | int] = (),
    folds: int = 1,
    groups: Mapping[str, Any] | None = None,
    prior: Iterable[tuple[Sequence[object], str]] = (),
    progress: Progress = silent,
) -> Lesson:
    """The fewest (or cheapest) states to demonstrate so that every consistent linear learner is right in every state.

    `lesson.is_minimum` says whether the proved lower bound meets the cost: it does unless a limit stopped the search,
    or the proved interval was no wider than the share `gap` of the cost, or `teacher="greedy"`.  Raises
    `NotRealizable` with an exact conflict when no linear policy acts as the target, and `LimitExceeded` when
    `time_limit` (seconds) leaves no lesson at all.  Float data that is too close to call raises `Ambiguous`, unless
    `on_ambiguous="accept"` takes the stored floats as exact numbers then.

    More can be asked (docs/requests.md).  States `must` be shown, `may_not` be shown, or are `given`: shown already, at
    no cost, for good.  A lesson of several `folds` still teaches when all but one of so many demonstrations get lost.
    `groups` of states (a name, and a list of states or `{"states": ..., "cost": ...}`) are shown together, and then the
    others name groups.  The learner's `prior` are pairs of a vector and "strict" or "weak": its weights are known to
    have a positive product with it, or no negative one.  `ImpossibleRequest` says what would remain wrong.

    >>> problem = TeachingProblem(features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[1, 1], [0, 0]]], target=[0, 0, 0])
    >>> teach(problem)
    Lesson: PROVED MINIMUM: 2 of 3 states (exact)
      state 0: 0
      state 1: 0
    """
    if on_ambiguous not in ("raise", "accept"):
        raise BadProblem(f"on_ambiguous is {on_ambiguous!r}; it must be raise or accept")
    request = asked(problem, must=must, may_not=may_not, given=given, folds=folds, groups=groups, prior=prior)
    plan = _Plan(teacher, ray_finder, node_limit, share_of_cost(gap), request)
    clock = Clock(time_limit, progress)
    try:
        return _optimal_teach(problem, plan, clock)
    except Ambiguous:
        if on_ambiguous == "raise":
            raise
        return _optimal_teach(problem.taken_exactly(), plan, clock)


@dataclass(frozen=True)
class _Plan:
    teacher: str
    ray_finder: str
    node_limit: int | None
    gap: Fraction
    request: Request | None


def share_of_cost(gap: Fraction | float | str) -> Fraction:
    """A number from 0 to 1, as the decimal or fraction that is written."""
    try:
        share = Fraction(str(gap))
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise BadProblem(f"the gap is {gap!r}; it must be a number from 0 (a proved minimum) to 1, for example 0.05")
    return share


def _optimal_teach(problem: TeachingProblem, plan: _Plan, clock: Clock) -> Lesson:
    """The paper's OptimalTeach."""
    with clock.stage("differences"):  # line 1: Psi(D_S), all differences
        differences = collect_differences(problem, progress=clock)
    with clock.stage("rays"):  # line 2: Psi* <- MinimalExtreme(Psi(D_S))
        frame = _what_to_show(problem, differences, plan, clock)
    with clock.stage("coverage"):  # lines 3-5: V_s, the rays that each state shows
        coverage = _who_shows(problem, frame, plan, clock)
    with clock.stage("cover"):  # line 6: T* <- SetCover(Psi*, {V_s})
        limits = Limits(nodes=plan.node_limit, seconds=clock.left(), gap=plan.gap)
        trace = Trace(problem, differences, frame, coverage, Cover((), Fraction(0), Fraction(0), Leaf()))
        cover = _chosen(trace, plan, limits, clock)
    lesson = _lesson(replace(trace, cover=cover), clock)  # line 7: teach D* = {(t, pi(t))}
    if cover.interrupted:
        raise Interrupted("interrupted while proving; the set so far teaches", lesson=lesson)
    return lesson


def _what_to_show(problem: TeachingProblem, differences: Differences, plan: _Plan, clock: Clock) -> Frame:
    """The extreme rays, or what takes their place when the learner believes something already."""
    if plan.request is None or not plan.request.prior:
        return extreme_rays(problem, differences, ray_finder=plan.ray_finder, progress=clock)
    believed = plan.request.believed
    return believed_frame(problem, differences, believed=believed, ray_finder=plan.ray_finder, progress=clock)


def _who_shows(problem: TeachingProblem, frame: Frame, plan: _Plan, clock: Clock) -> Coverage | Units:
    if plan.request is None:
        return see_who_shows(problem, frame.marks, progress=clock)
    return see_units(problem, frame.marks, request=plan.request, progress=clock)


def _chosen(trace: Trace, plan: _Plan, limits: Limits, clock: Clock) -> Cover:
    """The cover of a trace that has none yet."""
    if isinstance(trace.coverage, Coverage):
        step = cost_step(trace.problem)
        return cover_rays(trace.coverage, teacher=plan.teacher, step=step, limits=limits, progress=clock.told)
    solve = _solver(plan.teacher)
    told = _proving(clock.told)
    found = cover_as_asked(trace.coverage.cover, lambda rest: solve(rest, limits=limits, progress=told))
    if isinstance(found, OutOfReach):
        raise _impossible(trace, trace.coverage, found)
    return found


def _impossible(trace: Trace, units: Units, found: OutOfReach) -> ImpossibleRequest:
    """What no allowed lesson refutes, told by name."""
    told, problem = trace.misconception(found.ray), trace.problem
    states = tuple(
        map(problem.state_id, sorted(map(problem.row_of, trace.states_showing(found.ray)), key=problem.rank_of))
    )
    some = ", ".join(states[:_NAMED]) + (", ..." if len(states) > _NAMED else "")
    kind = "states" if units.request.groups is None else "groups"
    needed = f"{found.shown:,} of the {kind} that may be shown refute it, and {units.request.folds:,} must"
    weights = " ".join(map(str, told.weights))
    return ImpossibleRequest(
        f"no lesson does what is asked: the misconception with weights {weights} would remain ({needed}). "
        f"It ranks action {told.wrong_action} no lower than {told.action} in state {told.state}, and is wrong in "
        f"{len(states):,} of {problem.num_states:,} states: {some}. Allow or give one of them, or ask for fewer folds.",
        misconception=told,
        states=states,
    )


def cover_rays(
    coverage: Coverage,
    *,
    teacher: str = "minimum",
    step: Fraction | None = None,
    limits: Limits | None = None,
    progress: Progress = silent,
) -> Cover:
    """The set cover problem over kinds of states, and its solution; bounds are rounded up to multiples of `step`."""
    solve = _solver(teacher)
    kinds = coverage.kinds
    units = RaySets(kinds.start, kinds.rays)
    costs = Costs.equal(len(kinds)) if kinds.costs is None else Costs.of(kinds.costs, step)

    problem = CoverProblem(coverage.num_rays, units, costs, step)
    return solve(problem, limits=limits, progress=_proving(progress))


def _solver(teacher: str) -> CoverSolver:
    if teacher not in COVER_SOLVERS:
        raise BadProblem(f"there is no teacher {teacher!r}; choose from {', '.join(COVER_SOLVERS)}")
    return COVER_SOLVERS[teacher]


def _proving(progress: Progress) -> Callable[[int, str], None]:
    return lambda nodes, _message: progress("proving that fewer cannot do", nodes, None)


def cost_step(problem: TeachingProblem) -> Fraction:
    """What the cost of every set of states is a multiple of; a checker sees the costs of all states, so all count."""
    return cost_unit([Fraction(cost) for cost in problem.costs])


@dataclass(frozen=True, eq=False)
class Trace:
    """Every stage's result of one run: the evidence behind a lesson."""

    problem: TeachingProblem
    differences: Differences
    frame: Frame
    coverage: Coverage | Units
    cover: Cover
    known_weights: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    known_sums: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """What was found on the way: weights against rays, and the rays that a direction, by its place, is a sum of."""

    @property
    def rays(self) -> Rays:
        """The rays of the frame."""
        return self.frame.rays

    @property
    def proof_rays(self) -> list[int]:
        """The rays on which the proof puts a weight."""
        return used_rays(self.cover.proof)

    @property
    def chosen_rows(self) -> list[int]:
        """The rows of the lesson's states, in id order; what is given is no part of the lesson."""
        if isinstance(self.coverage, Coverage):
            return [self.coverage.kinds[unit].row for unit in self.cover.chosen]
        given = set(self.coverage.given_rows)
        return [row for row in self.coverage.rows_of(self.cover.chosen) if row not in given]

    @property
    def kinds(self) -> Kinds:
        """The kinds of states that the lesson was chosen from."""
        if isinstance(self.coverage, Units):
            raise BadProblem("more was asked of this lesson than to be the smallest, so states are not told by kinds")
        return self.coverage.kinds

    @property
    def shown_rows(self) -> list[int]:
        """The rows of all states that the learner sees, in id order: the lesson's, and those given."""
        given = [] if isinstance(self.coverage, Coverage) else self.coverage.given_rows
        return sorted([*self.chosen_rows, *given], key=self.problem.rank_of) if given else self.chosen_rows

    @property
    def request(self) -> Request | None:
        """What was asked for beyond the smallest lesson."""
        return self.coverage.request if isinstance(self.coverage, Units) else None

    @property
    def groups(self) -> tuple[Group, ...] | None:
        """The groups that states are shown in, if any."""
        return None if self.request is None else self.request.groups

    def unit_name(self, unit: int) -> str:
        """The id of a state, or the name of a group."""
        if isinstance(self.coverage, Units):
            return self.coverage.name(unit)
        return self.problem.state_id(self.coverage.kinds[unit].row)

    def _refuting(self, ray: int) -> list[str]:
        """The units of the lesson, and those given, that show a ray."""
        if isinstance(self.coverage, Units):
            return [self.coverage.name(unit) for unit in self.coverage.showing(ray, chosen=self.cover.chosen)]
        return [self.unit_name(unit) for unit in self.cover.chosen if ray in self.coverage.kinds[unit].rays]

    def misconceptions(self) -> tuple[Misconception, ...]:
        """One for each ray that the proof puts a weight on."""
        return tuple(self._misconceptions[ray] for ray in self.proof_rays)

    def misconception(self, ray: int) -> Misconception:
        """The misconception of any ray, by its number."""
        self._check_ray(ray)
        return self._told([ray])[ray]

    def _check_ray(self, ray: int) -> None:
        if not 0 <= ray < len(self.rays):
            raise BadProblem(f"there is no ray {ray}: rays run from 0 to {len(self.rays) - 1}")

    def states_showing(self, ray: int) -> Iterator[str]:
        """The ids of all states that show a ray."""
        self._check_ray(ray)
        marks = self.frame.marks
        return map(self.problem.state_id, states_showing(self.problem, marks.keys[marks.ray == ray]))

    def certificate(self) -> dict[str, Any]:
        """The proof as data."""
        from hornbook.certificate.build import build_certificate

        return build_certificate(self)

    @cached_property
    def float_sums(self) -> list[Sum]:
        """For float data, what is in no class as sums of rays."""
        return implied_sums(self)

    @cached_property
    def shown_rays(self) -> list[Ray]:
        """Rays as people see them."""
        return shown_rays(self.frame)

    @cached_property
    def _misconceptions(self) -> dict[int, Misconception]:
        return self._told(self.proof_rays)

    def _told(self, rays: list[int]) -> dict[int, Misconception]:
        places = first_shown(self.problem, self.differences.keys[[self.rays.rows[ray] for ray in rays]])
        known = self.proof_weights
        weights = {**known, **self.misconception_weights([ray for ray in rays if ray not in known])}
        return {ray: self._tell(ray, place, weights[ray]) for ray, place in zip(rays, places, strict=True)}

    def misconception_weights(self, rays: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Weights against one ray each; for float data in scaled columns, and certain beyond the noise."""
        return misconception_weights(self.problem, self.differences, frame=self.frame, rays=rays)

    @cached_property
    def proof_weights(self) -> dict[int, tuple[int, ...]]:
        """The weights of the proof's misconceptions, by ray."""
        missing = [ray for ray in self.proof_rays if ray not in self.known_weights]
        return {**self.known_weights, **self.misconception_weights(missing)}

    def _tell(self, ray: int, place: tuple[int, int], weights: tuple[int, ...]) -> Misconception:
        problem, (row, action) = self.problem, place
        target = int(problem.source.read(row, row + 1).target[0])
        return Misconception(
            ray=self.shown_rays[ray],
            weights=unscaled(problem, weights),
            refuted_by=tuple(self._refuting(ray)),
            state=problem.state_id(row),
            action=problem.action_id(row, target),
            wrong_action=problem.action_id(row, action),
        )


def _lesson(trace: Trace, clock: Clock) -> Lesson:
    problem, differences = trace.problem, trace.differences
    return Lesson(
        demonstrations=tuple(demonstration(problem, row) for row in trace.chosen_rows),
        cost=trace.cover.cost,
        lower_bound=trace.cover.lower_bound,
        rays=tuple(trace.shown_rays),
        counts=Counts(problem.num_states, differences.count, len(differences.directions)),
        arithmetic=float_report(trace) if problem.is_float else problem.arithmetic,
        evidence=trace,
        seconds=dict(clock.seconds),
        guarantee=trace.cover.guarantee,
        request=None if trace.request is None else trace.request.to_dict(),
        groups=None if trace.groups is None else tuple(map(trace.unit_name, trace.cover.chosen)),
    )


def demonstration(problem: TeachingProblem, row: int) -> Demonstration:
    """A state with its target action."""
    target = int(problem.source.read(row, row + 1).target[0])
    return Demonstration(problem.state_id(row), problem.action_id(row, target), row)


@dataclass
class Clock:
    """Times the stages, and stops those before the cover when the time is up (a cover keeps what it has)."""

    limit: float | None
    told: Progress
    seconds: dict[str, float] = field(default_factory=dict)
    start: float = field(default_factory=time.monotonic)

    def __call__(self, stage: str, done: int, total: int | None, /) -> None:
        if self.limit is not None and time.monotonic() - self.start > self.limit:
            raise LimitExceeded(f"the time limit of {self.limit:g} s ran out while {stage}: there is no lesson yet")
        self.told(stage, done, total)

    def left(self) -> float | None:
        """Seconds until the limit, None without one."""
        return None if self.limit is None else max(0.0, self.limit - (time.monotonic() - self.start))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what is done inside."""
        began = time.monotonic()
        yield
        self.seconds[name] = time.monotonic() - began
