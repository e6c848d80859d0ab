"""The learner: what it may still believe and do, exactly, against brute force from the definition."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.environments import environment
from hornbook.errors import BadProblem, NotRealizable
from hornbook.problem import TeachingProblem
from hornbook.verdicts import counterexample
from hornbook.version_space import VersionSpace
from tests.brute import by_state, possible_actions, teaches
from tests.instances import Instance, differences
from tests.referee import teaching_problem
from tests.strategies import problems, realizable_problems


def some_rows(instance: Instance, bits: int) -> list[int]:
    return [row for row in range(len(instance.features)) if bits >> row & 1]


@given(realizable_problems(), st.integers(0, 31))
@settings(max_examples=1_000, deadline=None)
def test_possible_actions_equal_brute_force(instance: Instance, bits: int) -> None:
    """`actions(state)` is the set of actions that some consistent w has in its argmax, ties included."""
    problem, rows = teaching_problem(instance), some_rows(instance, bits)
    space = VersionSpace(problem, rows)
    for state in range(problem.num_states):
        truth = {problem.action_id(state, a) for a in possible_actions(instance, rows, state=state)}
        assert set(space.actions(state)) == truth


@given(realizable_problems(), st.integers(0, 31))
@settings(max_examples=200, deadline=None)
def test_a_verdict_equals_the_definition_and_carries_its_evidence(instance: Instance, bits: int) -> None:
    problem, rows = teaching_problem(instance), some_rows(instance, bits)
    verdict = counterexample(problem, rows)
    assert verdict.teaches == bool(verdict) == teaches(by_state(instance), rows)
    space = VersionSpace(problem, [problem.state_id(row) for row in rows])
    undecided = tuple(s for s in map(str, range(problem.num_states)) if space.actions(s) != target_of(instance, s))
    assert verdict.undecided == space.undecided() == undecided
    error = verdict.counterexample
    if error is None:
        assert verdict.evidence is not None
        for direction, members in zip(verdict.evidence.directions, verdict.evidence.combinations, strict=True):
            assert is_sum(direction, [verdict.evidence.shown[i] for i in members])
    else:
        assert space.contains(error.weights)
        scores = score(instance, int(error.state), error.weights)
        assert scores[error.wrong_action] == max(scores.values()) >= scores[error.action]
        assert error.wrong_action != error.action


def target_of(instance: Instance, state: str) -> tuple[str, ...]:
    return (str(instance.target[int(state)]),)


def score(instance: Instance, state: int, weights: tuple[int, ...]) -> dict[str, Fraction]:
    """Scores relative to the target's, which is zero."""
    found = {
        str(a): -sum(Fraction(v) * w for v, w in zip(x, weights, strict=True)) for a, x in differences(instance)[state]
    }
    return {str(instance.target[state]): Fraction(0), **found}


def is_sum(direction: tuple[int, ...], members: list[tuple[int, ...]]) -> bool:
    """A float check is enough here: exactness of index sets is tested with the rays."""
    table = np.array(members, dtype=float).T
    multipliers, *_ = np.linalg.lstsq(table, np.array(direction, dtype=float))
    return bool(np.allclose(table @ multipliers, direction) and (multipliers > -1e-9).all())


@given(realizable_problems())
@settings(max_examples=50, deadline=None)
def test_samples_are_consistent_and_nothing_else_is(instance: Instance) -> None:
    problem = teaching_problem(instance)
    everything = range(problem.num_states)
    space = VersionSpace(problem, everything)
    samples = space.sample(20, seed=1)
    assert samples.shape == (20, problem.num_features)
    assert (samples == space.sample(20, seed=1)).all()
    for w in [*samples, space.interior_point()]:
        assert space.contains(w)
        for state in everything:
            scores = score(instance, state, [Fraction(v) for v in np.asarray(w).tolist()])  # type: ignore[arg-type]
            best = [a for a, value in scores.items() if value == max(scores.values())]
            assert best == [str(instance.target[state])]
    shown = [x for state in differences(instance) for _, x in state]
    if shown:
        assert not space.contains([-v for v in space.interior_point()])


@given(problems())
@settings(max_examples=100, deadline=None)
def test_an_unrealizable_problem_has_no_verdict(instance: Instance) -> None:
    problem = teaching_problem(instance)
    try:
        VersionSpace(problem, range(problem.num_states))
    except NotRealizable:
        with pytest.raises(NotRealizable):
            counterexample(problem, [])


def test_nothing_shown_leaves_everything_open() -> None:
    """The paper's plane: {s} teaches, {t} fails, {t, u} teaches."""
    plane = environment("two_rays")
    nothing = VersionSpace(plane, [])
    assert nothing.actions("s") == ("a", "b", "c")
    assert nothing.contains([0, 0])
    assert nothing.sample(3).shape == (3, 2)
    assert [counterexample(plane, states).teaches for states in (["s"], ["t"], ["t", "u"])] == [True, False, True]
    with pytest.raises(BadProblem, match="no state 'v'"):
        VersionSpace(plane, ["v"])


def test_a_learner_is_always_right_about_a_problem_without_differences() -> None:
    lonely = TeachingProblem(features=[[[1, 2]]], target=[0])
    assert counterexample(lonely, []).teaches
    assert VersionSpace(lonely, []).actions(0) == ("0",)


def test_a_thin_version_space_is_still_sampled_consistently() -> None:
    thin = TeachingProblem(features=[[[10**12, 1], [0, 0]], [[-(10**12), 1], [0, 0]]], target=[0, 0])
    space = VersionSpace(thin, ["0", "1"])
    assert all(space.contains(w) for w in space.sample(5))


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([1], "there are 1 for 2 features"),
        ([1, 2, 3], "there are 3 for 2"),
        ([1, float("nan")], "number 1: nan"),
        ("1x", "number 1: 'x'"),
    ],
)
def test_weights_that_are_none(weights: Any, says: str) -> None:
    """One number would be taken for all features otherwise."""
    with pytest.raises(BadProblem, match=f"weights: {says}"):
        VersionSpace(environment("two_rays"), ["s"]).contains(weights)


def test_one_text_is_no_list_of_states() -> None:
    """It would be taken for the list of its letters."""
    for ask in (VersionSpace, counterexample):
        with pytest.raises(BadProblem, match="'tu' is one text; give a list"):
            ask(environment("two_rays"), "tu")


def test_samples_are_counted() -> None:
    space = VersionSpace(environment("two_rays"), ["s"])
    assert space.sample(0).shape == (0, 2)
    with pytest.raises(BadProblem, match="ask for 0 or more"):
        space.sample(-1)
