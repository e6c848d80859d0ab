"""Lessons of labelled rows, decided row by row, against lessons made of rays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbook
from hornbook import BadProblem, NotRealizable, TeachingProblem, cloning, teach
from hornbook.arithmetic import Vectors
from hornbook.cloning import consistent_scores
from hornbook.rays import _groups, needed_groups
from hornbook.rowwise import teach_rows


def labelled(seed: int, *, rows: int, width: int, classes: int, span: int = 6) -> TeachingProblem:
    """Random whole inputs with the labels of a random linear teacher, rows on its borders left out."""
    draw = np.random.default_rng(seed)
    inputs = draw.integers(-span, span + 1, (rows, width))
    scores = inputs @ draw.integers(-9, 10, (width, classes)) + draw.integers(-9, 10, classes)
    best = np.sort(scores, axis=1)
    clear = best[:, -1] > best[:, -2]
    return TeachingProblem.from_classification(inputs[clear], scores.argmax(axis=1)[clear])


@given(st.integers(0, 10**6), st.integers(2, 40), st.integers(1, 4), st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_the_fewest_rows_are_those_that_show_a_ray(seed: int, rows: int, width: int, classes: int) -> None:
    """The same states as through all rays, proved, with a certificate that the independent checker accepts."""
    problem = labelled(seed, rows=rows, width=width, classes=classes)
    found, expected = teach_rows(problem), teach(problem)
    assert found.states == expected.states
    assert found.is_minimum
    assert set(found.rays) <= set(expected.rays)
    accepted = hornbook.check(found.certificate(), problem)
    assert (accepted.claim, accepted.size) == ("minimum", expected.size)


@pytest.mark.parametrize("numbers", [np.float64, np.float32])
def test_stored_floats_are_decided_too(numbers: type) -> None:
    """Points of a lattice in decimals: many lie on faces for the decimals, and next to them for the bits."""
    draw = np.random.default_rng(1)
    whole = draw.integers(0, 12, (80, 3))
    scores = np.stack([whole @ [1, 2, -1], whole @ [3, -1, 1], np.full(80, 10)], axis=1) * 2 + [0, 1, 0]
    clear = np.sort(scores, axis=1)[:, -1] > np.sort(scores, axis=1)[:, -2]
    inputs = (whole[clear] / 10).astype(numbers)
    problem = TeachingProblem.from_classification(inputs, scores[clear].argmax(axis=1), exact=True)
    assert problem.arithmetic == "stored"
    assert teach_rows(problem).states == teach(problem).states


def test_equal_rows_are_one_row() -> None:
    """The first of them speaks for all."""
    problem = TeachingProblem.from_classification([[0], [3], [3], [5], [5]], [0, 0, 0, 1, 1])
    assert teach_rows(problem).states == ("1", "3")


def test_nothing_to_tell_apart_needs_no_row() -> None:
    for inputs, labels in (([[1], [2]], ["a", "a"]), (np.zeros((0, 2)), [])):
        lesson = teach_rows(TeachingProblem.from_classification(inputs, labels))
        assert (lesson.size, lesson.is_minimum) == (0, True)


@pytest.mark.parametrize("labels", [[0, 1, 0], [0, 1, 1]])
def test_labels_that_are_not_linear_are_refused_with_a_conflict(labels: list[int]) -> None:
    inputs = [[0], [1], [2]] if labels[2] == 0 else [[0], [0], [2]]
    with pytest.raises(NotRealizable) as refused:
        teach_rows(TeachingProblem.from_classification(inputs, labels))
    assert {term.state for term in refused.value.conflict} <= {"0", "1", "2"}


def test_no_time_leaves_rows_in_doubt_and_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """They stay, so that the lesson teaches; the certificate of the interval is accepted."""
    monkeypatch.setattr(_groups, "_LARGEST", 0)
    problem = labelled(3, rows=60, width=3, classes=3)
    quick, none, best = teach_rows(problem), teach_rows(problem, time_limit=0), teach(problem)
    assert quick.states == none.states
    assert quick.lower_bound < best.size < quick.size
    assert hornbook.check(quick.certificate(), problem).claim == "interval"
    assert hornbook.counterexample(problem, quick.states).teaches


def test_a_solver_that_lies_costs_rows_and_never_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it says, what stays teaches, and no more rows are claimed to be needed than are."""
    problem = labelled(4, rows=40, width=2, classes=3)
    best = teach(problem)
    draw = np.random.default_rng(0)

    def lie(self: object, row: int, others: np.ndarray, *, seconds: float | None) -> object:
        if draw.random() < 0.3:
            return None
        support = np.flatnonzero(others)[draw.integers(0, others.sum(), 2)] if others.any() else np.zeros(0, dtype=int)
        width = problem.num_features
        return _groups._Said(float(draw.choice([0.0, 1.0])), np.unique(support), draw.normal(size=width))

    monkeypatch.setattr(_groups._Program, "ask", lie)
    for few in (0, 16):
        monkeypatch.setattr(_groups, "_FEW", few)
        lesson = teach_rows(problem)
        assert lesson.lower_bound <= best.size <= lesson.size
        assert set(best.states) <= set(lesson.states)
        hornbook.check(lesson.certificate(), problem)  # or raises


def test_a_group_is_needed_by_any_of_its_vectors() -> None:
    """Two groups in the plane: the second lies between the vectors of the first, so it is not needed."""
    vectors = Vectors.of([[0, 1], [1, 0], [1, 1], [1, 2]], 2)
    needs = needed_groups(vectors, [0, 0, 1, 1], weights=[1, 1])
    assert set(needs.witness) == {0}
    assert needs.sums.keys() == {2, 3}


def test_scores_are_of_classes() -> None:
    with pytest.raises(TypeError):
        consistent_scores(hornbook.environment("two_rays"), max_iter=1)


def test_scores_where_there_is_little_room() -> None:
    """The perceptron alone would need thousands of passes; no pass at all is no obstacle either."""
    inputs, labels = [[0, 1000], [1, 1000], [1000, 0], [1001, 0]], [0, 1, 1, 1]
    problem = TeachingProblem.from_classification(inputs, labels)
    assert consistent_scores(problem, max_iter=3).wrong == ()
    assert consistent_scores(problem, max_iter=0).wrong == ()


def test_scores_where_none_agree_are_wrong_about_few() -> None:
    problem = TeachingProblem.from_classification([[0], [1], [2], [3], [9]], [0, 0, 1, 1, 0])
    assert consistent_scores(problem, max_iter=20).wrong == (4,)


def test_a_program_without_numbers_says_nothing() -> None:
    """Every outcome of a solver has a branch."""

    class Silent:
        def add(self, rows: object) -> None: ...

        def guess(self, lower: object, upper: object, *, seconds: float | None = None) -> None:
            return None

    assert _groups._Program(2, 1, Silent()).ask(0, np.array([False, True]), seconds=None) is None


def test_dependent_members_prove_nothing() -> None:
    """Shares would not be determined; another way has to be found."""
    assert not _groups._adds_up(Vectors.of([[1, 0], [2, 0]], 2), [3, 0])
    assert not _groups._adds_up(Vectors.of([[1, 0]], 2), [3, 1])
    assert _groups._adds_up(Vectors.of([[1, 0], [1, 2]], 2), [3, 2])


def test_exact_arithmetic_finds_needed_rows_that_the_solver_overlooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is said to be implied by everything; the exact simplex knows better, and has weights to show."""
    problem = labelled(4, rows=40, width=2, classes=3)
    monkeypatch.setattr(_groups._Search, "from_centre", lambda self: None)

    def overlook(self: object, row: int, others: np.ndarray, *, seconds: float | None) -> object:
        return _groups._Said(0.0, np.flatnonzero(others), np.zeros(problem.num_features))

    monkeypatch.setattr(_groups._Program, "ask", overlook)
    lesson, best = teach_rows(problem), teach(problem)
    assert 0 < lesson.lower_bound <= best.size <= lesson.size
    hornbook.check(lesson.certificate(), problem)


@pytest.mark.parametrize("steps", [1, 30])
def test_any_weights_inside_are_a_start(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long way from the centre, steps are halved; where there is no time for the centre, any point will do."""
    monkeypatch.setattr(_groups, "_STEPS", steps)
    corners = Vectors.of([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], 3)
    for weights in ([1, 1, 1], [1, 1, 10**6], [1, 10**9, 10**12]):
        needs = needed_groups(corners, [0, 1, 2, 3], weights=weights)
        assert set(needs.witness) == {0, 1, 2}
        assert set(needs.sums) == {3}


def test_a_solver_without_an_answer_leaves_the_perceptron(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloning, "guessed_compromise", lambda *given, **named: None)
    problem = TeachingProblem.from_classification([[0], [1], [2], [3], [9]], [0, 0, 1, 1, 0])
    assert consistent_scores(problem, max_iter=20).wrong


def test_the_rays_of_the_lesson_are_numbered_as_its_misconceptions() -> None:
    """Each of them is shown by the row that its misconception is refuted by."""
    lesson = teach_rows(labelled(3, rows=60, width=3, classes=3))
    for number, (ray, misconception) in enumerate(zip(lesson.rays, lesson.misconceptions, strict=True)):
        assert misconception.ray == ray
        assert lesson.misconception(number) == misconception
        assert sum(a * b for a, b in zip(ray, misconception.weights, strict=True)) < 0
        assert misconception.refuted_by == (misconception.state,)
        assert next(lesson.states_showing(number)) == misconception.state  # and then equal rows
    for number in (-1, len(lesson.rays)):
        with pytest.raises(BadProblem, match="there is no ray"):
            lesson.misconception(number)
