"""Step 6 of 8: `teach`, the paper's Algorithm 1 (TIE) in its own order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from hornbook.arithmetic import Vectors, primitive_vector
from hornbook.cover import COVER_SOLVERS, Cover, CoverProblem, Limits, cost_unit, used_rays
from hornbook.coverage import Coverage, first_shown, see_who_shows, states_showing
from hornbook.differences import Differences, collect_differences
from hornbook.errors import BadProblem, ConflictTerm, Interrupted, LimitExceeded, NotRealizable
from hornbook.lesson import Counts, Demonstration, Lesson, Misconception
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.rays import Conflict, Rays, find_rays, misconception

__all__ = ["Trace", "extreme_rays", "teach"]


def teach(
    problem: TeachingProblem,
    *,
    teacher: str = "minimum",
    ray_finder: str = "auto",
    time_limit: float | None = None,
    node_limit: int | None = None,
    progress: Progress = silent,
) -> Lesson:
    """The fewest (or cheapest) states to demonstrate so that every consistent linear learner is right in every state.

    `lesson.is_minimum` says whether the proved lower bound meets the cost: it does unless a limit stopped the search or
    `teacher="greedy"`.  Raises `NotRealizable` with an exact conflict when no linear policy acts as the target, and
    `LimitExceeded` when `time_limit` (seconds) leaves no lesson at all.

    >>> problem = TeachingProblem(features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[1, 1], [0, 0]]], target=[0, 0, 0])
    >>> teach(problem)
    Lesson: PROVED MINIMUM: 2 of 3 states (exact)
      state 0: 0
      state 1: 0
    """
    clock = _Clock(time_limit, progress)
    with clock.stage("differences"):  # line 1: Psi(D_S), all differences
        differences = collect_differences(problem, progress=clock)
    with clock.stage("rays"):  # line 2: Psi* <- MinimalExtreme(Psi(D_S))
        rays = extreme_rays(problem, differences, ray_finder=ray_finder, progress=clock)
    with clock.stage("coverage"):  # lines 3-5: V_s, the rays that each state shows
        coverage = see_who_shows(problem, rays.vectors, progress=clock)
    with clock.stage("cover"):  # line 6: T* <- SetCover(Psi*, {V_s})
        limits = Limits(nodes=node_limit, seconds=clock.left())
        cover = cover_rays(coverage, teacher=teacher, step=_cost_step(problem), limits=limits, progress=progress)
    lesson = _lesson(Trace(problem, differences, rays, coverage, cover), clock)  # line 7: teach D* = {(t, pi(t))}
    if cover.interrupted:
        raise Interrupted("interrupted while proving; the set so far teaches", lesson=lesson)
    return lesson


def extreme_rays(
    problem: TeachingProblem, differences: Differences, *, ray_finder: str = "auto", progress: Progress = silent
) -> Rays:
    """The rays that every lesson must show; `NotRealizable`, with states and actions by name, if there is no cone."""
    rays = find_rays(differences.directions, finder=ray_finder, progress=progress)
    if isinstance(rays, Conflict):
        raise NotRealizable(_named(problem, differences.directions, rays))
    return rays


def cover_rays(
    coverage: Coverage,
    *,
    teacher: str = "minimum",
    step: Fraction | None = None,
    limits: Limits | None = None,
    progress: Progress = silent,
) -> Cover:
    """The set cover problem over kinds of states, and its solution; bounds are rounded up to multiples of `step`."""
    if teacher not in COVER_SOLVERS:
        raise BadProblem(f"there is no teacher {teacher!r}; choose from {', '.join(COVER_SOLVERS)}")
    units = tuple(kind.rays for kind in coverage.kinds)
    costs = tuple(Fraction(kind.cost) for kind in coverage.kinds)

    def told(nodes: int, _message: str) -> None:
        progress("proving that fewer cannot do", nodes, None)

    return COVER_SOLVERS[teacher](CoverProblem(coverage.num_rays, units, costs, step), limits=limits, progress=told)


def _cost_step(problem: TeachingProblem) -> Fraction:
    """What the cost of every set of states is a multiple of; a checker sees the costs of all states, so all count."""
    return cost_unit([Fraction(cost) for cost in problem.costs])


@dataclass(frozen=True, eq=False)
class Trace:
    """Every stage's result of one run: the evidence behind a lesson."""

    problem: TeachingProblem
    differences: Differences
    rays: Rays
    coverage: Coverage
    cover: Cover

    @property
    def chosen_rows(self) -> list[int]:
        """The rows of the lesson's states, in id order."""
        return [self.coverage.kinds[unit].row for unit in self.cover.chosen]

    def misconceptions(self) -> tuple[Misconception, ...]:
        """One for each ray that the proof puts a weight on."""
        return tuple(self._misconceptions[ray] for ray in used_rays(self.cover.proof))

    def misconception(self, ray: int) -> Misconception:
        """The misconception of any ray, by its number."""
        if not 0 <= ray < len(self.rays):
            raise BadProblem(f"there is no ray {ray}: rays run from 0 to {len(self.rays) - 1}")
        return self._told([ray])[ray]

    def states_showing(self, ray: int) -> Iterator[str]:
        """The ids of all states that show a ray."""
        return map(self.problem.state_id, states_showing(self.problem, self.rays.vectors.take([ray])))

    def certificate(self) -> dict[str, Any]:
        """The proof as data."""
        from hornbook.certificate.build import build_certificate

        return build_certificate(self)

    @cached_property
    def _misconceptions(self) -> dict[int, Misconception]:
        return self._told(used_rays(self.cover.proof))

    def _told(self, rays: list[int]) -> dict[int, Misconception]:
        vectors = [self.rays.vectors.row(ray) for ray in rays]
        places = first_shown(self.problem, vectors)
        return {ray: self._tell(ray, *place) for ray, place in zip(rays, places, strict=True)}

    def _tell(self, ray: int, row: int, action: int) -> Misconception:
        problem, target = self.problem, int(self.problem.source.read(row, row + 1).target[0])
        weights = misconception(
            self.differences.directions, self.rays.rows[ray], rays=self.rays.rows, weights=self.rays.weights
        )
        refuting = [unit for unit in self.cover.chosen if ray in self.coverage.kinds[unit].rays]
        return Misconception(
            ray=self.rays.vectors.row(ray),
            weights=weights,
            refuted_by=tuple(problem.state_id(self.coverage.kinds[unit].row) for unit in refuting),
            state=problem.state_id(row),
            action=problem.action_id(row, target),
            wrong_action=problem.action_id(row, action),
        )


def _named(problem: TeachingProblem, directions: Vectors, conflict: Conflict) -> tuple[ConflictTerm, ...]:
    """The conflict in terms of states and actions, with the smallest whole multipliers of their own differences."""
    vectors = [directions.row(row) for row in conflict.rows]
    places = first_shown(problem, vectors)
    scales = [_scale(problem, place, vector) for place, vector in zip(places, vectors, strict=True)]
    multipliers = primitive_vector([m * scale for m, scale in zip(conflict.multipliers, scales, strict=True)])
    terms = sorted(zip(places, multipliers, strict=True), key=lambda term: (problem.rank_of(term[0][0]), term[0][1]))
    return tuple(
        ConflictTerm(problem.state_id(row), problem.action_id(row, action), Fraction(multiplier))
        for (row, action), multiplier in terms
    )


def _scale(problem: TeachingProblem, place: tuple[int, int], direction: tuple[int, ...]) -> Fraction:
    """The factor from a difference to its primitive direction."""
    row, action = place
    batch = problem.source.read(row, row + 1)
    difference = batch.features[0, batch.target[0]] - batch.features[0, action]
    axis = next((i for i, v in enumerate(direction) if v), None)
    if axis is None:
        return Fraction(1)  # a tie: any multiple of it is zero
    number = difference[axis]
    return Fraction(direction[axis]) / (Fraction(int(number)) if isinstance(number, np.integer) else Fraction(number))


def _lesson(trace: Trace, clock: _Clock) -> Lesson:
    problem, differences = trace.problem, trace.differences
    return Lesson(
        demonstrations=tuple(_demonstration(problem, row) for row in trace.chosen_rows),
        cost=trace.cover.cost,
        lower_bound=trace.cover.lower_bound,
        rays=tuple(trace.rays.vectors.rows()),
        counts=Counts(problem.num_states, differences.count, len(differences.directions)),
        arithmetic=problem.arithmetic,
        evidence=trace,
        seconds=dict(clock.seconds),
    )


def _demonstration(problem: TeachingProblem, row: int) -> Demonstration:
    target = int(problem.source.read(row, row + 1).target[0])
    return Demonstration(problem.state_id(row), problem.action_id(row, target), row)


@dataclass
class _Clock:
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
        return None if self.limit is None else max(0.0, self.limit - (time.monotonic() - self.start))

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.seconds[name] = time.monotonic() - began
