"""Counting what repeats, what contradicts and what says nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hornbook.conflicts import survey
from hornbook.problem import TeachingProblem


@pytest.mark.parametrize("unit", [1, 0.5, Fraction(1, 3)])
def test_counts(unit: object) -> None:
    """The same for integers, floats and fractions: one repeats, two contradict, one has a single action."""
    problem = TeachingProblem(
        features=[[[unit, 0], [0, 0]], [[unit, 0], [0, 0]], [[unit, 0], [0, 0]], [[0, unit], [7, 7]]],
        target=[0, 0, 1, 0],
        available=[[1, 1], [1, 1], [1, 1], [1, 0]],
        state_names=["c", "b", "a", "d"],
    )
    found = survey(problem, directions=2)
    assert (found.duplicates, found.contradictions, found.vacuous, found.merged) == (1, (("a", "b", "c"),), 1, 1)
    assert found.lines == [
        "states that repeat another one, target and all: 1",
        "groups of states with the same features and different targets: 1",
        "states with one action, which have nothing to teach: 1",
        "differences on the direction of another: 1",
    ]


def test_what_is_not_available_does_not_count() -> None:
    """Padding differs, the states do not; another set of actions does."""
    problem = TeachingProblem(
        features=[[[1], [5]], [[1], [9]], [[1], [0]]], target=[0, 0, 0], available=[[1, 0], [1, 0], [1, 1]]
    )
    assert survey(problem, directions=1).duplicates == 1


def test_minus_zero_is_zero() -> None:
    """-0.0 and 0.0 are one number."""
    problem = TeachingProblem(features=[[[0.5], [-0.0]], [[0.5], [0.0]]], target=[0, 0])
    assert survey(problem, directions=1).duplicates == 1
