"""Why each demonstration is needed, why another state is not, and what goes wrong without one.

Everything here is exact: multipliers are those of the differences as the problem gives them, so a sum can be checked
with pencil and paper.  Only for float data a sum may miss by a `remainder`, which is told too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from hornbook.arithmetic import Number, primitive_vector
from hornbook.assurance import labelling_of
from hornbook.coverage import states_showing
from hornbook.differences import Shown, directions_of, same_rows
from hornbook.errors import BadProblem, NotRealizable
from hornbook.lesson import Demonstration, Lesson, Misconception
from hornbook.lookup import Lookup
from hornbook.problem import TeachingProblem
from hornbook.rays import Cone, Inside
from hornbook.teaching import Trace

__all__ = [
    "ConflictStep",
    "Explained",
    "ImpliedDifference",
    "Mistake",
    "Term",
    "WrongLearner",
    "conflict_steps",
    "difference",
    "explain",
    "how_implied",
    "mistake_of",
    "rays_shown_by",
    "trace_of",
    "without",
]

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Explained:
    """A demonstration and the numbers of the rays that it alone shows: only it refutes their misconceptions."""

    demonstration: Demonstration
    only_shows: tuple[int, ...]


@dataclass(frozen=True)
class Term:
    """`multiplier` times the difference of `state` over `action`."""

    state: str
    action: str
    multiplier: Fraction


@dataclass(frozen=True)
class ImpliedDifference:
    """The difference of a state over `action` is the sum of `terms`, up to `remainder` in the largest entry.

    The remainder is zero for exact data.
    """

    action: str
    terms: tuple[Term, ...]
    remainder: Fraction


@dataclass(frozen=True)
class Mistake:
    """In `state` the wrong action scores at least as much as the right one."""

    state: str
    action: str
    wrong_action: str
    score: Fraction
    wrong_score: Fraction


@dataclass(frozen=True)
class WrongLearner:
    """A learner that agrees with all of the lesson but one demonstration, and the states where it errs.

    `mistakes` are the first of them in id order, `num_states` counts all.
    """

    misconception: Misconception
    mistakes: tuple[Mistake, ...]
    num_states: int


@dataclass(frozen=True)
class ConflictStep:
    """One member of a conflict: in `state` the target must beat `action`, which asks `difference` to score above 0."""

    state: str
    row: int
    target: str
    action: str
    difference: Vector
    multiplier: Fraction


def explain(lesson: Lesson) -> tuple[Explained, ...]:
    """For each demonstration the rays that no other demonstration shows, of the lesson or given.

    >>> from hornbook.environments import environment
    >>> from hornbook.teaching import teach
    >>> [(each.demonstration.id, each.only_shows) for each in explain(teach(environment("diamond:6")))]
    [('0-0-0-0-3-3', (1,)), ('4-0-0-0-0-3', (0,))]
    """
    trace = trace_of(lesson)
    shown = rays_shown_by(trace, [d.row for d in lesson.demonstrations])
    given = rays_shown_by(trace, sorted(set(trace.shown_rows) - set(trace.chosen_rows)))
    times = np.bincount([ray for rays in (*shown, *given) for ray in rays], minlength=len(lesson.rays))
    return tuple(
        Explained(d, tuple(sorted(ray for ray in rays if times[ray] == 1)))
        for d, rays in zip(lesson.demonstrations, shown, strict=True)
    )


def trace_of(lesson: Lesson) -> Trace:
    """The run behind a lesson; a lesson read from a file has none."""
    if not isinstance(lesson.evidence, Trace):
        raise BadProblem("a loaded lesson does not hold its problem; teach the problem again to explain it")
    if lesson.request is not None and lesson.request["prior"]:
        raise BadProblem(
            "what the learner believes takes part in this lesson, and explanations do not tell of that; "
            "its misconceptions and its certificate do"
        )
    return lesson.evidence


def rays_shown_by(trace: Trace, rows: Sequence[int]) -> list[frozenset[int]]:
    """For each state the numbers of the rays on which it has a difference."""
    marks = trace.frame.marks
    places = Lookup(marks.keys)
    found = (places(_shown_by(trace.problem, row).keys) for row in rows)
    return [frozenset(marks.ray[place[place >= 0]].tolist()) for place in found]


def how_implied(lesson: Lesson, state: str | int) -> tuple[ImpliedDifference, ...]:
    """Each difference of a state as a positive combination of what the lesson shows.

    A demonstrated state implies its own differences, which says nothing; ask `explain` or `without` about it.  Cost:
    one small exact system for each action of the state.
    """
    trace = trace_of(lesson)
    row = trace.problem.row_of(state)
    shown = _shown_by(trace.problem, row)
    sums = _Sums(trace)
    found = zip(shown.actions.tolist(), shown.keys[shown.which], strict=True)
    return tuple(sums.implied((row, action), key=key) for action, key in found)


def difference(problem: TeachingProblem, place: tuple[int, int]) -> Vector:
    """The features of a row's target less those of an action, as exact numbers; `place` is (row, action)."""
    row, action = place
    batch = problem.source.read(row, row + 1)
    target, other = (batch.features[0, a].tolist() for a in (int(batch.target[0]), action))
    return tuple(Fraction(t) - Fraction(o) for t, o in zip(target, other, strict=True))


def without(lesson: Lesson, state: str | int, *, most: int = 10) -> WrongLearner | None:
    """A learner that agrees with the rest of the lesson and errs, where it errs; None if the rest still teaches.

    It holds the misconception of the first ray that only this demonstration shows, so it is right wherever that ray
    does not occur.  At most `most` mistakes are listed.
    """
    trace = trace_of(lesson)
    name = trace.problem.state_id(trace.problem.row_of(state))
    mine = [each for each in explain(lesson) if each.demonstration.id == name]
    if not mine:
        raise BadProblem(
            f"state {name!r} is not in the lesson, so nothing changes without it; ask why it is not needed"
        )
    if not mine[0].only_shows:
        return None
    ray = mine[0].only_shows[0]
    told = lesson.misconception(ray)
    rows = _rows_showing(trace, ray)
    mistakes = tuple(_mistake(trace.problem, row, told.weights) for row in rows[:most])
    return WrongLearner(told, mistakes, len(rows))


def conflict_steps(problem: TeachingProblem, refusal: NotRealizable) -> tuple[ConflictStep, ...]:
    """The members of a conflict with what each of them asks for; `multiplier` times these add up to zero."""
    return tuple(_step(problem, t.state, t.action, t.multiplier) for t in refusal.conflict)


def _step(problem: TeachingProblem, state: str, action: str, multiplier: Fraction) -> ConflictStep:
    row = problem.row_of(state)
    batch = problem.source.read(row, row + 1)
    available = np.flatnonzero(batch.available[0]).tolist()
    wrong = next(a for a in available if problem.action_id(row, a) == action)
    target = problem.action_id(row, int(batch.target[0]))
    return ConflictStep(state, row, target, action, difference(problem, (row, wrong)), multiplier)


def _shown_by(problem: TeachingProblem, row: int) -> Shown:
    return directions_of(problem, problem.source.read(row, row + 1))


def _rows_showing(trace: Trace, ray: int) -> list[int]:
    """The rows of all states that show a ray, in id order."""
    marks = trace.frame.marks
    return sorted(states_showing(trace.problem, marks.keys[marks.ray == ray]), key=trace.problem.rank_of)


def mistake_of(problem: TeachingProblem, told: Misconception) -> Mistake:
    """The mistake that a misconception names, with its scores."""
    return _mistake(problem, problem.row_of(told.state), told.weights)


def _mistake(problem: TeachingProblem, row: int, weights: Sequence[int]) -> Mistake:
    """What the weights do in a state: the first of the best actions other than the target."""
    batch = problem.source.read(row, row + 1)
    target = int(batch.target[0])
    rivals = [a for a in np.flatnonzero(batch.available[0]).tolist() if a != target]
    scores = {a: _score(weights, batch.features[0, a].tolist()) for a in (target, *rivals)}
    wrong = max(rivals, key=lambda a: scores[a])
    return Mistake(
        problem.state_id(row),
        problem.action_id(row, target),
        problem.action_id(row, wrong),
        scores[target],
        scores[wrong],
    )


def _score(weights: Sequence[int], features: Sequence[Number | float]) -> Fraction:
    return sum((w * Fraction(f) for w, f in zip(weights, features, strict=True)), start=Fraction(0))


class _Sums:
    """Differences as sums of differences that the lesson shows, one for each ray: the first in id order."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    @cached_property
    def shown(self) -> Mapping[int, tuple[int, int]]:
        """For each ray the first (row, action) of the lesson, or given, that shows it."""
        found: dict[int, tuple[int, int]] = {}
        for row in self.trace.shown_rows:
            for ray, action in self._rays_of(row):
                found.setdefault(ray, (row, action))
        return found

    def _rays_of(self, row: int) -> Iterator[tuple[int, int]]:
        marks, shown = self.trace.frame.marks, _shown_by(self.trace.problem, row)
        place = same_rows(shown.keys[shown.which], marks.keys)
        for action, where in zip(shown.actions.tolist(), place.tolist(), strict=True):
            if where >= 0:
                yield int(marks.ray[where]), action

    def implied(self, place: tuple[int, int], *, key: object) -> ImpliedDifference:
        problem = self.trace.problem
        wanted = difference(problem, place)
        parts = self._parts(wanted, np.asarray(key))
        rest = list(wanted)
        for multiplier, (_, vector) in parts:
            rest = [r - multiplier * v for r, v in zip(rest, vector, strict=True)]
        terms = tuple(
            Term(problem.state_id(shown[0]), problem.action_id(*shown), multiplier) for multiplier, (shown, _) in parts
        )
        return ImpliedDifference(problem.action_id(*place), terms, max(map(abs, rest), default=Fraction(0)))

    def _parts(self, wanted: Vector, key: object) -> list[tuple[Fraction, tuple[tuple[int, int], Vector]]]:
        """(multiplier, (place, difference)) of the sum."""
        problem, parts = self.trace.problem, []
        for ray, share in sorted(self._shares(wanted, key).items()):
            vector = difference(problem, self.shown[ray])
            representative = self._representative(ray)
            axis = max(range(len(vector)), key=lambda i: abs(vector[i]))
            parts.append((share * representative[axis] / vector[axis], (self.shown[ray], vector)))
        return parts

    def _shares(self, wanted: Vector, key: object) -> Mapping[int, Fraction]:
        """How often each ray's representative goes into a difference."""
        if self.trace.frame.labelling is None:
            return self._solved(wanted)
        labelling = labelling_of(self.trace)
        (place,) = same_rows(np.asarray(key).reshape(1, -1), self.trace.differences.keys).tolist()
        ray = int(labelling.ray_of[place])
        if ray >= 0:
            representative = self._representative(ray)
            axis = max(range(len(representative)), key=lambda i: abs(representative[i]))
            return {ray: wanted[axis] / representative[axis]}
        return self._float_shares(wanted)

    def _float_shares(self, wanted: Vector) -> Mapping[int, Fraction]:
        """For float data the sum that the certificate records for this direction, in units of representatives."""
        problem = self.trace.problem
        columns = [Fraction(2) ** int(e) for e in problem.column_exponents]
        scaled = primitive_vector([w / c for w, c in zip(wanted, columns, strict=True)])
        (found,) = (s for s in self.trace.float_sums if s.vector == scaled)
        axis = max(range(len(scaled)), key=lambda i: abs(scaled[i]))
        size = wanted[axis] / columns[axis] / scaled[axis]
        return {ray: size * share / self._scale(ray) for ray, share in found.shares.items()}

    def _scale(self, ray: int) -> Fraction:
        """How many stored representatives, in scaled columns, make up the integer vector that stands for the ray."""
        problem, integers = self.trace.problem, self.trace.rays.vectors.row(ray)
        stored = self._representative(ray)
        axis = max(range(len(integers)), key=lambda i: abs(integers[i]))
        return stored[axis] / Fraction(2) ** int(problem.column_exponents[axis]) / integers[axis]

    def _representative(self, ray: int) -> Vector:
        if self.trace.frame.labelling is None:
            return tuple(map(Fraction, self.trace.rays.vectors.row(ray)))
        return difference(self.trace.problem, self.trace.frame.places[ray])

    def _solved(self, wanted: Vector) -> Mapping[int, Fraction]:
        """Exact data: the rays of a small cone around the difference."""
        direction = primitive_vector(wanted)
        answer = self._cone.locate(direction)
        if not isinstance(answer, Inside):
            raise ArithmeticError("a difference is outside the cone of its own problem's rays")
        axis = max(range(len(direction)), key=lambda i: abs(direction[i]))
        size = wanted[axis] / direction[axis] / answer.denominator
        return {ray: m * size for ray, m in zip(answer.support, answer.multipliers, strict=True)}

    @cached_property
    def _cone(self) -> Cone:
        return Cone(self.trace.rays.vectors)
