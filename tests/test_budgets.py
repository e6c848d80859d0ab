"""The most that a budget allows: right on small problems, honest about what it does not do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbook
from hornbook.cover import cover_within
from hornbook.errors import Ambiguous, BadProblem, Interrupted, LimitExceeded
from tests.brute import by_state, wrong_somewhere
from tests.cli.running import affine_plane_cover
from tests.instances import Instance
from tests.referee import teaching_problem
from tests.strategies import realizable_problems


def planes(**more: Any) -> hornbook.TeachingProblem:
    """Four states in the plane; the rays are (0, 1), shown by a and c, and (1, 0), shown by a and d."""
    differences = [[(1, 0), (0, 1)], [(1, 1), (1, 2)], [(0, 1), (2, 1)], [(1, 0), (3, 1)]]
    features = [[[0, 0], *([-x, -y] for x, y in state)] for state in differences]
    return hornbook.TeachingProblem(features=features, target=[0] * 4, state_names=list("abcd"), **more)


def test_one_demonstration_of_the_paper_s_cone() -> None:
    """Six rays, three at a time: one state refutes half, two refute all and teach."""
    problem = hornbook.environment("six_rays")
    one, two = (hornbook.teach_within(problem, budget=budget) for budget in (1, 2))
    assert (one.value, one.upper_bound, one.total, one.is_most, one.teaches) == (3, 3, 6, True, False)
    assert two.teaches
    assert two.states == hornbook.teach(problem).states
    assert two.decided == problem.num_states
    assert "PROVED MOST: 1 of 6 states refute 3 of 6 misconceptions (exact)" in repr(one)


def test_costs_count_unless_demonstrations_do() -> None:
    """State a shows both rays at cost 5; c and d show one each at cost 2."""
    problem = planes(cost=[5, 1, 2, 2])
    assert hornbook.teach_within(problem, budget=4).states == ("c", "d")
    assert hornbook.teach_within(problem, budget="7/2").states in (("c",), ("d",))
    by_number = hornbook.teach_within(problem, budget=1, per="demonstration")
    assert (by_number.states, by_number.cost, by_number.per) == (("a",), 1, "demonstration")


def test_weights_say_what_counts() -> None:
    """By ray, by the number of states where a ray can show, or none at all."""
    problem = planes(cost=[5, 1, 2, 2])
    assert hornbook.teach(problem).rays == ((0, 1), (1, 0))
    assert hornbook.teach_within(problem, budget=2, weights=[1, 3]).states == ("d",)
    assert hornbook.teach_within(problem, budget=2, weights=["3/2", 1]).states == ("c",)
    counted = hornbook.teach_within(problem, budget=9, weights="states")
    assert (counted.value, counted.total) == (4, 4)
    ignored = hornbook.teach_within(problem, budget=9, weights=[0, 1])
    assert (ignored.states, ignored.value, ignored.total, ignored.teaches) == (("d",), 1, 1, False)
    assert "worth 1 of 1" in repr(ignored)
    assert hornbook.teach_within(problem, budget=9, weights=[0, 0]).states == ()


def test_what_is_decided_is_counted_exactly() -> None:
    """After c, (0, 1) and (2, 1) are known: state b, whose (1, 1) is no sum of these, is not; c is."""
    partial = hornbook.teach_within(planes(), budget=1, weights=[1, 0])
    assert partial.states in (("a",), ("c",))
    by_version_space = hornbook.VersionSpace(planes(), partial.states).undecided()
    assert partial.decided == 4 - len(by_version_space)


@settings(max_examples=100, deadline=None)
@given(realizable_problems(), st.fractions(0, 6, max_denominator=3), st.sampled_from(["cost", "demonstration"]))
def test_against_the_definition(instance: Instance, budget: Fraction, per: str) -> None:
    """Of all sets within the budget none refutes more, and decided are the states where no consistent learner errs."""
    problem = teaching_problem(instance)
    found = hornbook.teach_within(problem, budget=budget, per=per)
    states, rays = by_state(instance), hornbook.teach(problem).rays
    cost = [Fraction(problem.cost_of(row)) if per == "cost" else Fraction(1) for row in range(len(states))]
    every = [c for size in range(len(states) + 1) for c in combinations(range(len(states)), size)]
    worth = {c: len({x for row in c for x in states[row]} & {*rays}) for c in every}
    most = max(worth[c] for c in every if sum((cost[row] for row in c), Fraction(0)) <= budget)
    rows = tuple(sorted(problem.row_of(state) for state in found.states))
    assert worth[rows] == len(found.refuted) == found.value == found.upper_bound == most
    assert sum((cost[row] for row in rows), Fraction(0)) == found.cost <= budget
    taught = [states[row] for row in rows]
    open_states = [state for state in states if wrong_somewhere([*taught, state], range(len(rows)))]
    assert found.decided == len(states) - len(open_states)


def test_the_curve_never_falls_and_ends_at_the_teaching_dimension() -> None:
    """The tower of twelve: numbers of fractions that are new, from the largest states down."""
    problem = hornbook.environment("polygon_tower:12")
    curve = hornbook.curve(problem)
    assert [int(point.value) for point in curve.points] == [0, 12, 22, 30, 36, 42, 46]
    assert all(point.is_most for point in curve.points)
    assert [point.decided for point in curve.points] == sorted(point.decided for point in curve.points)
    assert curve.points[-1].size == hornbook.teach(problem).size
    assert curve.points[-1].teaches
    assert repr(curve).splitlines()[0] == "Curve: 7 points"


def test_a_curve_over_chosen_budgets() -> None:
    """In any order, as costs; sorted in the answer."""
    curve = hornbook.curve(planes(cost=[5, 1, 2, 2]), budgets=["5", 2, 0, 4], per="cost")
    assert [(p.budget, p.value) for p in curve.points] == [(0, 0), (2, 1), (4, 2), (5, 2)]
    assert curve.to_dict()["per"] == "cost"


def test_float_data_counts_beyond_the_noise() -> None:
    """The tower is float data: numbers of merged differences are told, and no margin is asked."""
    found = hornbook.teach_within(hornbook.environment("polygon_tower:9"), budget=2)
    assert isinstance(found.arithmetic, dict)
    assert found.arithmetic["kind"] == "float64"
    assert found.arithmetic["tau"] is None
    assert found.is_most
    assert "float64, noise" in repr(found)
    whole = hornbook.teach_within(hornbook.environment("polygon_tower:9"), budget=9)
    assert whole.decided == 8


def close_call(**how: Any) -> hornbook.TeachingProblem:
    """Two differences whose angle is neither small enough to merge nor large enough to tell apart."""
    features = [[[0.0, 0.0], [-1.0, -0.5]], [[0.0, 0.0], [-1.0, -0.5 - 2.0**-34]]]
    return hornbook.TeachingProblem(features=features, target=[0, 0], **how)


def test_floats_too_close_to_call() -> None:
    """Refused, or taken as they are stored."""
    with pytest.raises(Ambiguous):
        hornbook.teach_within(close_call(), budget=1)
    assert hornbook.teach_within(close_call(), budget=1, on_ambiguous="accept").arithmetic == "stored"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"budget": -1}, "cannot be negative"),
        ({"budget": "many"}, "budget: "),
        ({"budget": 1, "per": "hour"}, "per is 'hour'"),
        ({"budget": 1, "on_ambiguous": "guess"}, "on_ambiguous is 'guess'"),
        ({"budget": 1, "weights": [1]}, "1 numbers for 2 rays"),
        ({"budget": 1, "weights": "rays"}, "'rays' for 2 rays"),
        ({"budget": 1, "weights": [1, -1]}, "-1 is negative"),
        ({"budget": 1, "weights": [1, "x"]}, "weights: "),
    ],
)
def test_what_is_refused(how: dict[str, Any], words: str) -> None:
    with pytest.raises(BadProblem, match=words):
        hornbook.teach_within(planes(), **how)


def test_a_curve_needs_budgets() -> None:
    with pytest.raises(BadProblem, match="budgets: none is given"):
        hornbook.curve(planes(), budgets=[])


def test_limits_leave_intervals_or_nothing() -> None:
    """No node: still an answer with a bound.  No time before the rays are known: no answer."""
    cover = affine_plane_cover()
    short = hornbook.teach_within(hornbook.environment(cover), budget=9, node_limit=0)
    assert short.value < short.upper_bound <= short.total
    assert "at most" in repr(short)
    valued = hornbook.teach_within(hornbook.environment(cover), budget=9, node_limit=0, weights="states")
    assert "at most worth" in repr(valued)
    with pytest.raises(LimitExceeded):
        hornbook.teach_within(hornbook.environment("diamond:6"), budget=1, time_limit=0)


def test_an_interrupt_takes_the_lesson_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while proving: the set so far, and its interval."""

    def interrupted(*given: Any, **how: Any) -> Any:
        return replace(cover_within(*given, **how), interrupted=True)

    monkeypatch.setattr("hornbook.budgets.cover_within", interrupted)
    with pytest.raises(Interrupted) as caught:
        hornbook.teach_within(planes(), budget=1)
    assert caught.value.lesson is not None
    assert caught.value.lesson.size == 1


def test_long_lessons_are_cut_in_print() -> None:
    """Twelve states are listed."""
    found = hornbook.teach_within(hornbook.environment("random_cone:d=4,m=60,h=20"), budget=20)
    assert repr(found).splitlines()[-1] == f"  ... and {found.size - 12:,} more"


def test_progress_is_told() -> None:
    """The search says what it does."""
    told: set[str] = set()
    hornbook.teach_within(
        hornbook.environment(affine_plane_cover()), budget=9, node_limit=2, progress=lambda stage, *_: told.add(stage)
    )
    assert "proving that none refute more" in told
