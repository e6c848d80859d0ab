"""All minimum lessons: against trying all sets, with millions of equal states, and past limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings

import hornbook
from hornbook import all_lessons
from hornbook.errors import BadProblem
from tests.brute import by_state, teaches
from tests.cli.running import affine_plane_cover
from tests.cli.running import hornbook as command
from tests.instances import Instance
from tests.referee import teaching_problem
from tests.strategies import realizable_problems
from tests.test_budgets import planes


@settings(max_examples=100, deadline=None)
@given(realizable_problems())
def test_against_the_definition(instance: Instance) -> None:
    """Of all sets that teach, the cheapest of which no member can go: the same, each once, and the same statuses."""
    problem, states = teaching_problem(instance), by_state(instance)
    every = [c for size in range(len(states) + 1) for c in combinations(range(len(states)), size)]
    taught = {c for c in every if teaches(states, c)}
    price = {c: sum((Fraction(problem.cost_of(row)) for row in c), Fraction(0)) for c in taught}
    cheapest = {c for c in taught if price[c] == min(price.values())}
    truth = {c for c in cheapest if not any(tuple(r for r in c if r != row) in taught for row in c)}
    found = hornbook.minimum_lessons(problem)
    listed = [tuple(sorted(problem.row_of(state) for state in lesson)) for lesson in found.lessons]
    assert len(listed) == len(set(listed)) == found.count
    assert set(listed) == truth
    for row in range(len(states)):
        times = sum(row in c for c in truth)
        assert found.status(row) == ("no" if not times else "every" if times == len(truth) else "some")
    assert {problem.row_of(state) for state in found.always} == set.intersection(*map(set, truth))


def test_millions_of_lessons_are_counted() -> None:
    """Diamonds: 7,824 boards show one ray, 353 the other, none both."""
    found = hornbook.minimum_lessons(hornbook.environment("diamond:6"), limit=3)
    assert found.is_complete
    assert found.count == 7824 * 353
    assert len(list(found.lessons)) == 3
    assert found.status("0-0-0-0-3-3") == "some"
    assert found.always == ()
    assert repr(found) == "MinimumLessons: ALL 2,761,872 MINIMUM LESSONS: 2 of 15,624 states (exact)"


def test_costs_decide_who_is_equal() -> None:
    """c shows the same as e but is dearer; a does both jobs at a cost that is too high."""
    found = hornbook.minimum_lessons(planes(cost=[5, 1, 2, 2]))
    assert list(found.lessons) == [("c", "d")]
    assert found.always == ("c", "d")
    assert [found.status(state) for state in "abcd"] == ["no", "no", "every", "every"]
    assert "at cost 4" in repr(found)


def test_past_a_limit() -> None:
    """Some lessons are known, the count is not; a short search may still decide about a state."""
    cover = hornbook.environment("set_cover:0/1;1/2;2/3;3/4;4/5;5/6;0/6")
    found = hornbook.minimum_lessons(cover, limit=1)
    assert not found.is_complete
    assert found.count is None
    assert {found.status(row) for row in range(7)} == {"some"}
    assert "SOME OF THE MINIMUM LESSONS" in repr(found)
    with pytest.raises(BadProblem, match="limit is 0"):
        hornbook.minimum_lessons(cover, limit=0)


def test_without_a_proof_nothing_is_claimed() -> None:
    """No time to prove the minimum: no lesson is listed, and where a state stands is unknown."""
    found = hornbook.minimum_lessons(hornbook.environment(affine_plane_cover()), time_limit=0.4)
    if not found.lesson.is_minimum:
        assert (found.count, list(found.lessons), found.always) == (None, [], ())
        assert found.status(0) == "unknown"
        assert repr(found).startswith("MinimumLessons: UNKNOWN: the minimum lies between")


def test_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, whatever the clock does; a state that shows no ray is in no lesson all the same."""
    greedy = hornbook.teach(hornbook.environment(GREEDY), teacher="greedy")
    monkeypatch.setattr(all_lessons, "teach", lambda *_, **__: greedy)
    found = hornbook.minimum_lessons(hornbook.environment(GREEDY))
    assert not found.is_complete
    assert (found.count, list(found.lessons), found.always) == (None, [], ())
    assert found.status(0) == "unknown"
    assert repr(found).startswith("MinimumLessons: UNKNOWN: the minimum lies between 2 and 3")


GREEDY = "set_cover:0/1/2/3/4/5/6;7/8/9/10/11/12/13;0/1/2/3/7/8/9/10;4/5/11/12;6/13"


def test_large_problems_are_grouped_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled grouping and the plain one find the same members."""
    problem = hornbook.environment("diamond:3")
    plain = list(hornbook.minimum_lessons(problem).lessons)
    monkeypatch.setattr("hornbook.coverage.is_large", lambda problem: True)
    assert list(hornbook.minimum_lessons(hornbook.environment("diamond:3")).lessons) == plain


def test_the_command_line() -> None:
    """Ten are shown; JSON has the rest."""
    lines = command("lessons", "diamond:3", "--state", "4-0-3").out.splitlines()
    assert lines[0].startswith("ALL 306 MINIMUM LESSONS")
    assert lines[-2:] == ["  ...", "state 4-0-3: in some minimum lessons, but not in every one"]
    data = command("lessons", "diamond:3", "--limit", "20", "--json").data
    assert len(data["lessons"]) == 20
    assert int(data["count"]) > 20
    odd = command("lessons", "set_cover:0/1;1/2;0/2;3", "--state", "3").out.splitlines()
    assert odd[-2:] == ["in every one: 3", "state 3: in every minimum lesson"]
