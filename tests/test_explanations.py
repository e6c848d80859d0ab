"""Why demonstrations are needed and others are not: every number is worked out again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
import pytest
from hypothesis import given, settings

import hornbook
from hornbook.errors import BadProblem, NotRealizable
from hornbook.explanations import conflict_steps, explain, how_implied, trace_of, without
from hornbook.lesson import Demonstration, Lesson
from hornbook.problem import Row, TeachingProblem
from hornbook.rays import Rays
from hornbook.teaching import teach
from hornbook.version_space import VersionSpace
from tests.instances import Instance
from tests.referee import teaching_problem
from tests.strategies import realizable_problems

Vector = list[Fraction]


def table(problem: TeachingProblem) -> dict[str, dict[str, Row]]:
    """The rows that a checker reads, by state and action."""
    if problem not in _TABLES:
        found: dict[str, dict[str, Row]] = {}
        for row in problem.rows():
            found.setdefault(row[0], {})[row[1]] = row
        _TABLES[problem] = found
    return _TABLES[problem]


_TABLES: WeakKeyDictionary[TeachingProblem, dict[str, dict[str, Row]]] = WeakKeyDictionary()


def features(problem: TeachingProblem, state: str, action: str) -> Vector:
    """phi(s, a) in fractions."""
    return [Fraction(v) for v in table(problem)[state][action][5]]


def target(problem: TeachingProblem, state: str) -> str:
    (found,) = [action for action, row in table(problem)[state].items() if row[3]]
    return found


def psi(problem: TeachingProblem, state: str, action: str) -> Vector:
    right, wrong = features(problem, state, target(problem, state)), features(problem, state, action)
    return [a - b for a, b in zip(right, wrong, strict=True)]


def score(weights: tuple[int, ...], vector: Vector) -> Fraction:
    return sum((w * v for w, v in zip(weights, vector, strict=True)), start=Fraction(0))


def others(problem: TeachingProblem, state: str) -> list[str]:
    """The available actions of a state but its target."""
    return [action for action, row in table(problem)[state].items() if row[2] and not row[3]]


def check_sums(lesson: Lesson, problem: TeachingProblem, state: str) -> Fraction:
    """Each difference of the state is the sum that is claimed, of differences that the lesson shows; the remainder."""
    found = how_implied(lesson, state)
    assert sorted(implied.action for implied in found) == sorted(others(problem, state))
    for implied in found:
        rest = psi(problem, state, implied.action)
        for term in implied.terms:
            assert term.multiplier > 0
            assert term.state in lesson.states
            shown = psi(problem, term.state, term.action)
            rest = [r - term.multiplier * v for r, v in zip(rest, shown, strict=True)]
        assert implied.remainder == max(map(abs, rest), default=0)
    return max((implied.remainder for implied in found), default=Fraction(0))


@given(realizable_problems())
@settings(max_examples=60, deadline=None)
def test_every_state_is_implied_by_the_lesson(instance: Instance) -> None:
    """The lesson teaches, so each difference is a positive sum of shown ones: exactly, multipliers and all."""
    problem = teaching_problem(instance)
    lesson = teach(problem)
    for row in range(problem.num_states):
        assert check_sums(lesson, problem, problem.state_id(row)) == 0


@given(realizable_problems())
@settings(max_examples=60, deadline=None)
def test_what_is_refuted_alone_is_lost_without_it(instance: Instance) -> None:
    """A ray that one demonstration shows alone has a misconception that agrees with the rest: it errs where it says,
    and exactly in the states that show the ray."""
    problem = teaching_problem(instance)
    lesson = teach(problem, teacher="greedy")
    for each in explain(lesson):
        name = each.demonstration.id
        rest = [state for state in lesson.states if state != name]
        alone = {r for r in range(len(lesson.rays)) if set(lesson.states_showing(r)) & set(lesson.states) == {name}}
        assert set(each.only_shows) == alone
        found = without(lesson, name)
        assert (found is None) == bool(hornbook.counterexample(problem, rest))
        if found is None:
            continue
        weights = found.misconception.weights
        assert VersionSpace(problem, rest).contains(weights)
        wrong = [s for s in map(problem.state_id, range(problem.num_states)) if errs(problem, weights, s)]
        assert found.num_states == len(wrong)
        assert {m.state for m in found.mistakes} <= set(wrong)
        assert len(found.mistakes) == min(10, len(wrong))
        for m in found.mistakes:
            assert m.action == target(problem, m.state)
            assert m.score == score(weights, features(problem, m.state, m.action))
            best = max(score(weights, features(problem, m.state, b)) for b in others(problem, m.state))
            assert m.wrong_score == score(weights, features(problem, m.state, m.wrong_action)) == best >= m.score


def errs(problem: TeachingProblem, weights: tuple[int, ...], state: str) -> bool:
    return any(score(weights, psi(problem, state, b)) <= 0 for b in others(problem, state))


@pytest.mark.parametrize("name", ["polygon_tower:7", "polygon_tower:12"])
def test_float_sums_miss_by_no_more_than_they_say(name: str) -> None:
    """Towers: a corner of a polygon is a corner of each multiple, up to the noise of the stored cosines."""
    problem = hornbook.environment(name)
    lesson = teach(problem)
    worst = max(check_sums(lesson, problem, problem.state_id(row)) for row in range(problem.num_states))
    assert worst < 2 * Fraction(problem.num_states) * problem.tolerances.noise
    for state in lesson.states:
        found = without(lesson, state)
        assert found is not None
        assert all(errs(problem, found.misconception.weights, m.state) for m in found.mistakes)


def test_float_differences_inside_the_cone_are_sums_too() -> None:
    """An interior direction, off by a little from any exact sum, is told as a sum with its remainder."""
    features = np.array(
        [
            [[0.1, 0, 0], [0, 0, 0]],
            [[0, 0.3, 0], [0, 0, 0]],
            [[0, 0, 0.7], [0, 0, 0]],
            [[0.1, 0.3, 0.7], [0, 0, 0]],
            [[0.1 + 1e-16, 0.3, 0], [0, 0, 0]],
        ]
    )
    problem = TeachingProblem(features=features, target=[0] * 5)
    lesson = teach(problem)
    assert lesson.states == ("0", "1", "2")
    assert check_sums(lesson, problem, "3") <= problem.tolerances.noise
    assert check_sums(lesson, problem, "4") <= problem.tolerances.noise
    assumed = how_implied(lesson, "4")[0]
    assert {term.state for term in assumed.terms} == {"0", "1"}


def test_a_float_difference_on_a_face_is_assumed_to_be_there() -> None:
    """0.1 + 0.2 is not 0.3 in binary: the sum of the first two rays misses the stored third difference a little."""
    features = np.array(
        [
            [[1.0, 0.1, 0], [0, 0, 0]],
            [[1.0, 0.2, 1], [0, 0, 0]],
            [[1.0, 0.9, 0.3], [0, 0, 0]],
            [[2.0, 0.3, 1], [0, 0, 0]],
        ]
    )
    problem = TeachingProblem(features=features, target=[0] * 4)
    lesson = teach(problem)
    assert lesson.states == ("0", "1", "2")
    remainder = check_sums(lesson, problem, "3")
    assert 0 <= remainder <= 4 * problem.tolerances.noise


def crowded_lesson() -> Lesson:
    """All three states of a triangle whose every ray two of them show: any two would do."""
    lesson = teach(hornbook.environment("set_cover:0/1;1/2;0/2"))
    trace = trace_of(lesson)
    crowded = replace(trace, cover=replace(trace.cover, chosen=(0, 1, 2), cost=Fraction(3)))
    return replace(lesson, demonstrations=tuple(Demonstration(str(i), "1", i) for i in range(3)), evidence=crowded)


def test_demonstrations_may_make_up_for_each_other() -> None:
    """Where two states show every ray, none refutes anything alone, and the rest teaches without it."""
    lesson = crowded_lesson()
    assert [each.only_shows for each in explain(lesson)] == [(), (), ()]
    assert without(lesson, "1") is None
    assert hornbook.counterexample(hornbook.environment("set_cover:0/1;1/2;0/2"), ["0", "2"])


def test_rays_that_do_not_span_their_own_problem_are_noticed() -> None:
    """A frame without one of its rays would explain nothing: that is an error, not a sum."""
    lesson = teach(hornbook.environment("two_rays"))
    trace = trace_of(lesson)
    part = Rays(trace.rays.vectors.take([0]), trace.rays.rows[:1], trace.rays.weights)
    broken = replace(lesson, evidence=replace(trace, frame=replace(trace.frame, rays=part)))
    with pytest.raises(ArithmeticError, match="outside the cone"):
        how_implied(broken, "u")


def test_what_cannot_be_explained(tmp_path: Path) -> None:
    """A state that is not there, one that is not demonstrated, a lesson without its problem."""
    problem = hornbook.environment("two_rays")
    lesson = teach(problem)
    with pytest.raises(BadProblem, match="no state 'x'"):
        how_implied(lesson, "x")
    with pytest.raises(BadProblem, match="'t' is not in the lesson"):
        without(lesson, "t")
    lesson.save(tmp_path / "lesson.json")
    with pytest.raises(BadProblem, match="teach the problem again"):
        explain(Lesson.load(tmp_path / "lesson.json"))


@given(realizable_problems())
@settings(max_examples=40, deadline=None)
def test_a_conflict_adds_up_to_nothing(instance: Instance) -> None:
    """Demand the opposite of one difference as well: the members of the conflict sum to zero, each as it is told."""
    problem = teaching_problem(instance)
    rows = [(row, vectors) for row in range(problem.num_states) if (vectors := _differences(problem, row))]
    if not rows:
        return
    (_, vector), *_ = rows[0][1]
    states = [[list(v) for _, v in vectors] for _, vectors in rows] + [[[-x for x in vector]]]
    zero = [Fraction(0)] * len(vector)
    clash = TeachingProblem.from_ragged([[zero, *[[-x for x in v] for v in vs]] for vs in states], [0] * len(states))
    with pytest.raises(NotRealizable) as refusal:
        teach(clash)
    steps = conflict_steps(clash, refusal.value)
    assert len(steps) <= len(vector) + 1
    total = zero
    for step in steps:
        assert list(step.difference) == psi(clash, step.state, step.action)
        assert clash.state_id(step.row) == step.state
        assert step.target == target(clash, step.state)
        total = [t + step.multiplier * v for t, v in zip(total, step.difference, strict=True)]
    assert total == zero


def _differences(problem: TeachingProblem, row: int) -> list[tuple[str, Vector]]:
    state = problem.state_id(row)
    return [(b, psi(problem, state, b)) for b in others(problem, state)]
