"""Teachers and learners side by side, with their negative control."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest

import hornbook
from hornbook.classroom import Classroom
from hornbook.comparison import compare
from hornbook.errors import BadProblem
from hornbook.learners import LEARNERS
from hornbook.teachers import TEACHERS

TEXTS = ["diamond:3", "six_rays", "polygon_tower:7", "maze:3"]


@pytest.mark.parametrize("text", TEXTS)
def test_promises_are_kept(text: str) -> None:
    """Where a promise is made there is no error; regularised learners are never promised anything."""
    found = compare(hornbook.environment(text), learners=[n for n in LEARNERS if n != "crammer_singer"])
    assert {r.teacher for r in found.results} == set(TEACHERS)
    for result in found.results:
        assert result.errors <= result.undecided or not result.consistent
        assert not (result.promise and result.errors)
        assert not (result.promise and not LEARNERS[result.learner].promises)
        assert result.seconds >= 0
    kept = {r.learner for r in found.results if r.promise and r.teacher == "minimum"}
    assert {"worst_case", "hit_and_run", "chebyshev"} <= kept


@pytest.mark.parametrize("text", TEXTS)
def test_without_any_one_demonstration_the_worst_case_errs(text: str) -> None:
    """The negative control: no demonstration of a minimum lesson is idle, so the worst learner errs every time."""
    found = compare(hornbook.environment(text), teachers=["minimum"], learners=["worst_case"], controls=100)
    assert [c.without for c in found.controls] == list(found.lesson.states)
    assert all(0 < c.errors["worst_case"] <= c.undecided for c in found.controls)


def test_as_many_controls_as_asked_for_evenly_spread() -> None:
    """Of many demonstrations, some; none when none are wanted."""
    problem = hornbook.environment("polygon_tower:12")
    found = compare(problem, teachers=[], learners=["worst_case"], controls=3)
    assert [c.without for c in found.controls] == ["7", "9", "11"]
    assert compare(problem, teachers=[], learners=[], controls=0).controls == ()


def test_floats_need_a_margin_beyond_the_noise() -> None:
    """A learner whose weights agree by less than the margin asked for is not taken for consistent."""
    problem = hornbook.environment("polygon_tower:5")
    found = compare(problem, teachers=["minimum", "all"], learners=["chebyshev"], controls=0)
    assert all(r.promise for r in found.results)
    room = Classroom.of(problem)
    shows = room.shows(range(problem.num_states))
    barely = [1.0 - 2.0**-40, 0.0, 1.0]  # the ray (1, 0, 1) mirrored is almost at a right angle to this
    assert room.errors([-1.0, 0.0, 1.0]) == 0
    assert not room.agrees([-1.0, 0.0, 1.0], shows)
    assert room.agrees(barely, shows, margin=Fraction(1))
    assert not room.agrees(barely, shows, margin=Fraction(2**20))


def test_without_noise_merged_floats_promise_nothing() -> None:
    """Noise zero with differences merely close: no margin is enough, so no promise, whatever the weights are."""
    features = [[[1.5, 0.5], [0.0, 0.0]], [[1.5, 0.5 + 2.0**-45], [0.0, 0.0]], [[0.5, 1.5], [0.0, 0.0]]]
    problem = hornbook.TeachingProblem(features=features, target=[0, 0, 0], noise=0)
    found = compare(problem, teachers=["minimum"], learners=["chebyshev"], controls=0)
    assert [r.consistent for r in found.results] == [False]


def test_learners_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scikit-learn the others are compared, and it is said what is missing; by name, it is refused."""
    for module in ("sklearn", "sklearn.svm", "sklearn.linear_model"):
        monkeypatch.setitem(sys.modules, module, None)
    problem = hornbook.environment("two_rays")
    found = compare(problem, teachers=["minimum"])
    assert [r.learner for r in found.results] == ["worst_case", "hit_and_run", "chebyshev"]
    assert set(found.left_out) == set(LEARNERS) - {"worst_case", "hit_and_run", "chebyshev"}
    with pytest.raises(BadProblem, match="pip install"):
        compare(problem, learners=["svc"])


def test_unknown_names_are_refused() -> None:
    """With the names there are."""
    problem = hornbook.environment("two_rays")
    with pytest.raises(BadProblem, match="no teacher 'best'; choose from minimum"):
        compare(problem, teachers=["best"])
    with pytest.raises(BadProblem, match="no learner 'deep'; choose from worst_case"):
        compare(problem, learners=["deep"])


def test_margins_are_judged_by_the_run_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A lesson read from a file says nothing of the noise of each difference, so it is no basis for a promise."""
    problem = hornbook.environment("polygon_tower:5")
    hornbook.teach(problem).save(tmp_path / "lesson.json")
    loaded = hornbook.Lesson.load(tmp_path / "lesson.json")
    monkeypatch.setattr("hornbook.teachers._declaration.teach", lambda _: loaded)
    with pytest.raises(TypeError, match="holds its trace"):
        compare(problem, teachers=["all"], learners=["chebyshev"], controls=0)
