"""Does a set of demonstrations teach?  Evidence if it does, a consistent learner that errs if not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from hornbook.arithmetic import Number, Vectors, primitive_vector
from hornbook.coverage import first_shown, states_showing
from hornbook.differences import Differences, collect_differences, directions_of, same_rows
from hornbook.frames import Frame, extreme_rays, unscaled
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.rays import Boxes, Labelling, approximations, combinations, outside, rounded
from hornbook.version_space import VersionSpace

__all__ = ["Counterexample", "Implied", "Verdict", "counterexample", "undecided"]


@dataclass(frozen=True)
class Counterexample:
    """A consistent learner that errs: it agrees with all demonstrations, but prefers `wrong_action` in `state`."""

    weights: tuple[int, ...]
    state: str
    action: str
    wrong_action: str


@dataclass(frozen=True)
class Implied:
    """Why a set teaches: each direction of the problem is a positive combination of those that the set shows.

    `combinations[i]` says which rows of `shown` add up to direction `directions[i]`.
    """

    shown: tuple[tuple[int, ...], ...]
    directions: tuple[tuple[int, ...], ...]
    combinations: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Verdict:
    """Whether a set teaches: with `evidence` if it does, with a `counterexample` if not."""

    teaches: bool
    evidence: Implied | None
    counterexample: Counterexample | None
    undecided: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.teaches


def counterexample(problem: TeachingProblem, states: Sequence[str | int], *, progress: Progress = silent) -> Verdict:
    """Does demonstrating these states teach the policy?  Either way with evidence that can be checked by hand.

    For float data only errors beyond the noise count.  Raises `NotRealizable` if there is no policy to teach.  Cost:
    one question to the cone of the shown rays for each distinct direction of the problem.

    >>> from hornbook.environments import environment
    >>> verdict = counterexample(environment("two_rays"), ["t"])
    >>> verdict.teaches, verdict.counterexample.state
    (False, 's')
    """
    differences = collect_differences(problem, progress=progress)
    frame = extreme_rays(problem, differences, progress=progress)
    if frame.labelling is not None and differences.measured is not None:
        boxes = Boxes(differences.measured, problem.tolerances.noise)
        return _float_verdict(_FloatCase(problem, differences, frame, frame.labelling, boxes), states)
    space = VersionSpace(problem, states)
    doubtful, separating = space.doubtful
    if len(doubtful) == 0:
        return Verdict(True, _implied(space, differences), None, ())
    error = _first_error(space, doubtful.row(0), separating[0], realizing=frame.rays.weights)
    return Verdict(False, None, error, space.undecided())


def undecided(
    problem: TeachingProblem, differences: Differences, *, frame: Frame, states: Sequence[str | int]
) -> tuple[str, ...]:
    """The states where some learner that agrees with these demonstrations may err; for float data, beyond the noise."""
    if frame.labelling is None or differences.measured is None:
        return VersionSpace(problem, states).undecided()
    boxes = Boxes(differences.measured, problem.tolerances.noise)
    case = _FloatCase(problem, differences, frame, frame.labelling, boxes)
    shown = {ray for state in states for ray in _classes_shown(case, problem.row_of(state))}
    return _undecided_beyond_noise(case, sorted(shown))


@dataclass(frozen=True, eq=False)
class _FloatCase:
    problem: TeachingProblem
    differences: Differences
    frame: Frame
    labelling: Labelling
    boxes: Boxes

    @property
    def directions_in_no_class(self) -> list[int]:
        return [int(row) for row in np.flatnonzero(self.labelling.ray_of < 0)]


def _float_verdict(case: _FloatCase, states: Sequence[str | int]) -> Verdict:
    """A set teaches when it shows every class; else a missing ray's weights err beyond the noise."""
    rows = [case.problem.row_of(state) for state in states]
    shown = {ray for row in rows for ray in _classes_shown(case, row)}
    missing = [ray for ray in range(len(case.labelling.rows)) if ray not in shown]
    if not missing:
        return Verdict(True, _implied_by_classes(case), None, ())
    ray = missing[0]
    weights = unscaled(case.problem, case.frame.margins(case.boxes, [ray])[ray])
    error = _told(case.problem, case.frame.places[ray][0], weights)
    return Verdict(False, None, error, _undecided_beyond_noise(case, sorted(shown)))


def _classes_shown(case: _FloatCase, row: int) -> set[int]:
    shown = directions_of(case.problem, case.problem.source.read(row, row + 1))
    places = same_rows(shown.keys, case.differences.keys)
    return set(case.labelling.ray_of[places].tolist()) - {-1}


def _implied_by_classes(case: _FloatCase) -> Implied:
    """What is in no class, as sums of the representatives; assumptions are left out, having none that is exact."""
    rest = [row for row in case.directions_in_no_class if row not in case.labelling.assumed]
    rays, directions = case.frame.rays.vectors, case.differences.directions.take(rest)
    return Implied(tuple(rays.rows()), tuple(directions.rows()), tuple(combinations(rays, directions)))


def _undecided_beyond_noise(case: _FloatCase, shown: list[int]) -> tuple[str, ...]:
    """The states with a difference that is not within the noise of what the shown classes imply."""
    rays = case.frame.rays.vectors.take(shown)
    open_rows = np.flatnonzero(~np.isin(case.labelling.ray_of, shown))
    beyond = [int(open_rows[i]) for i in outside(rays, case.differences.directions.take(open_rows))]
    doubtful = [row for row, found in approximations(rays, case.boxes, rows=beyond).items() if found is None]
    rows = sorted(states_showing(case.problem, case.differences.keys[doubtful]), key=case.problem.rank_of)
    return tuple(case.problem.state_id(row) for row in rows)


def _implied(space: VersionSpace, differences: Differences) -> Implied:
    shown, directions = space.rays.vectors, differences.directions
    return Implied(tuple(shown.rows()), tuple(directions.rows()), tuple(combinations(shown, directions)))


def _first_error(
    space: VersionSpace, direction: tuple[int, ...], separating: tuple[int, ...], *, realizing: tuple[int, ...]
) -> Counterexample:
    """Tilt the separating weights a little into the interior, so that they are strictly consistent and still wrong."""
    below = -sum(a * b for a, b in zip(separating, direction, strict=True))
    above = sum(a * b for a, b in zip(realizing, direction, strict=True))
    tilted = primitive_vector([2 * above * s + below * w for s, w in zip(separating, realizing, strict=True)])
    both = Vectors.of([*space.rays.vectors.rows(), direction], len(direction))
    weights = rounded(tilted, both, negative=[len(both) - 1])
    row, _ = first_shown(space.problem, space.doubtful[0].exact[:1])[0]
    return _told(space.problem, row, weights)


def _told(problem: TeachingProblem, row: int, weights: tuple[int, ...]) -> Counterexample:
    """The error in words: which action these weights prefer in the state (the first of the best)."""
    batch = problem.source.read(row, row + 1)
    available = np.flatnonzero(batch.available[0]).tolist()
    scores = {a: _score(weights, batch.features[0, a].tolist()) for a in available}
    wrong = max(available, key=lambda a: scores[a])
    return Counterexample(
        weights, problem.state_id(row), problem.action_id(row, int(batch.target[0])), problem.action_id(row, wrong)
    )


def _score(weights: Sequence[int], features: Sequence[Number | float]) -> Fraction:
    return sum((w * Fraction(f) for w, f in zip(weights, features, strict=True)), start=Fraction(0))
