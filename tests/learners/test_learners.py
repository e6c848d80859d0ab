"""Every learner on lessons: what agrees with a teaching set is right everywhere; what is left open can be got wrong."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import hornbook
from hornbook.classroom import Classroom
from hornbook.errors import BadProblem
from hornbook.learners import LEARNERS, Seen
from tests.environments import EXAMPLES

PROMISING = [name for name, learner in LEARNERS.items() if learner.promises and name != "crammer_singer"]
FEW = [
    *("diamond:3", "polygon_tower:7", "six_rays", "thresholds:3,index=17", "maze:2,repeat=no", "frozen_lake", "taxi"),
]


def seen(problem: hornbook.TeachingProblem, states: tuple[str, ...]) -> Seen:
    room = Classroom.of(problem)
    rows = [problem.row_of(state) for state in states]
    return Seen(room, rows, room.shows(rows))


def wins(problem: hornbook.TeachingProblem, weights: object, row: int) -> bool:
    """Whether the target scores above all else, in Fractions, straight from the features."""
    batch = problem.source.read(row, row + 1)
    w = [Fraction(float(v)) if not isinstance(v, int) else Fraction(v) for v in weights]  # type: ignore[attr-defined]
    score = [sum(a * Fraction(b) for a, b in zip(w, f, strict=True)) for f in batch.features[0].tolist()]
    target = int(batch.target[0])
    return all(score[target] > score[a] for a in np.flatnonzero(batch.available[0]).tolist() if a != target)


@pytest.mark.parametrize("name", PROMISING)
@pytest.mark.parametrize("text", FEW)
def test_whoever_agrees_with_the_lesson_is_right_everywhere(text: str, name: str) -> None:
    """The theorem, with learners that nobody here wrote: agreement with a minimum lesson leaves no error."""
    problem = hornbook.environment(text)
    case = seen(problem, hornbook.teach(problem).states)
    for weights in LEARNERS[name].learn(case):
        assert case.classroom.agrees(weights, case.shows)
        assert case.classroom.errors(weights) == 0
        if not problem.is_float:
            assert all(wins(problem, weights, row) for row in range(problem.num_states))


@pytest.mark.parametrize("text", EXAMPLES)
def test_minimum_lessons_of_every_environment_make_targets_of_learners(text: str) -> None:
    """Every learner after the minimum lesson of every environment: who agrees with the lesson, exactly, acts as the
    target in all states; our own learners always agree, and so do most that nobody here wrote."""
    problem = hornbook.environment(text)
    case = seen(problem, hornbook.teach(problem).states)
    agreeing = []
    for name in PROMISING:
        weights = LEARNERS[name].learn(case)
        if all(case.classroom.agrees(w, case.shows) for w in weights):
            agreeing.append(name)
            assert {case.classroom.errors(w) for w in weights} == {0}
    assert {"worst_case", "hit_and_run", "chebyshev"} <= set(agreeing) or case.classroom.boxes is not None
    assert len(agreeing) >= 4 or problem.num_states < 2 or not case.rows


@pytest.mark.parametrize("text", ["two_rays", "six_rays", "diamond:3", "set_cover:0/1;1/2;0/2", "thresholds:2"])
def test_all_minimum_lessons_teach_alike(text: str) -> None:
    """Not only the one that `teach` returns: every set of as few states that teaches, found by trying all."""
    problem = hornbook.environment(text)
    lesson, room = hornbook.teach(problem), Classroom.of(problem)
    lessons = [c for c in combinations(range(problem.num_states), lesson.size) if room.teaches(room.shows(c))]
    assert tuple(sorted(d.row for d in lesson.demonstrations)) in lessons
    for rows in lessons[:: 1 + len(lessons) // 40]:
        case = Seen(room, rows, room.shows(rows))
        for name in ("worst_case", "hit_and_run", "chebyshev", "perceptron"):
            for weights in LEARNERS[name].learn(case):
                assert room.agrees(weights, case.shows)
                assert all(wins(problem, weights, row) for row in range(problem.num_states))


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_worst_case_errs_exactly_where_something_is_open(text: str) -> None:
    """Without its last demonstration a minimum lesson leaves states undecided, and the worst learner errs in one."""
    problem = hornbook.environment(text)
    lesson = hornbook.teach(problem)
    if lesson.size == 0:
        return
    case = seen(problem, lesson.states[:-1])
    (weights,) = LEARNERS["worst_case"].learn(case)
    assert not any(weights) or case.classroom.agrees(weights, case.shows)
    assert 0 < case.classroom.errors(weights) <= case.classroom.undecided(case.shows)


@pytest.mark.parametrize("states", [("4-0-3",), ("0-3-3",), ("4-0-3", "0-3-3"), ()])
def test_errors_are_counted_as_one_would(states: tuple[str, ...]) -> None:
    """State by state in Fractions: the number of states where the target does not win."""
    problem = hornbook.environment("diamond:3")
    case = seen(problem, states)
    for name, learner in LEARNERS.items():
        for weights in learner.learn(case):
            slow = sum(not wins(problem, weights, row) for row in range(problem.num_states))
            assert case.classroom.errors(weights) == slow, name
            assert case.classroom.agrees(weights, case.shows) == all(wins(problem, weights, r) for r in case.rows)


def test_undecided_states_are_those_of_the_version_space() -> None:
    """The same count as `VersionSpace.undecided`, which asks for each direction on its own; floats beyond the noise."""
    for text in ("diamond:3", "six_rays", "maze:2", "polygon_tower:7"):
        problem = hornbook.environment(text)
        lesson = hornbook.teach(problem)
        for states in ((), lesson.states[:1], lesson.states[1:], lesson.states):
            case = seen(problem, states)
            expected = hornbook.counterexample(problem, states).undecided
            assert case.classroom.undecided(case.shows) == len(expected)


def test_a_penalty_may_overrule_a_demonstration() -> None:
    """Many differences one way, two rare ones another way: the soft margin gives these up, a hard one does not."""
    rows = [[[100, k], [0, 0]] for k in range(-30, 31)] + [[[-1, 1000], [0, 0]], [[2, -1000], [0, 0]]]
    problem = hornbook.TeachingProblem(features=rows, target=[0] * len(rows))
    case = seen(problem, tuple(str(i) for i in range(len(rows))))
    (soft,), (hard,) = (LEARNERS[name].learn(case) for name in ("soft_svc", "chebyshev"))
    assert not case.classroom.agrees(soft, case.shows)
    assert case.classroom.agrees(hard, case.shows)


@pytest.mark.parametrize("classes", [2, 3])
def test_crammer_singer_learns_classes(classes: int) -> None:
    """On classification data, from the rows of a minimum lesson; other problems are none of its business."""
    points = [[x, y] for x in range(6) for y in range(6)]
    labels = [min((x + 2 * y) // 6, classes - 1) for x, y in points]
    problem = hornbook.TeachingProblem.from_classification(points, labels)
    case = seen(problem, hornbook.teach(problem).states)
    (weights,) = LEARNERS["crammer_singer"].learn(case)
    assert case.classroom.agrees(weights, case.shows)
    assert case.classroom.errors(weights) == 0
    assert LEARNERS["crammer_singer"].learn(seen(hornbook.environment("two_rays"), ("s",))) == []


def test_crammer_singer_with_one_class_knows_nothing() -> None:
    """One class cannot be told from any other: zero weights, which tie everywhere."""
    problem = hornbook.TeachingProblem.from_classification([[0.5], [1.25], [5.5]], ["a", "a", "b"])
    case = seen(problem, ("0",))
    (weights,) = LEARNERS["crammer_singer"].learn(case)
    assert not any(weights)
    assert case.classroom.errors(weights) == 3


def test_nothing_seen_is_nothing_learned() -> None:
    """Without demonstrations every learner gives some weights, and none of them is a surprise."""
    case = seen(hornbook.environment("two_rays"), ())
    for name in PROMISING:
        assert len(LEARNERS[name].learn(case)) >= 1
    assert case.classroom.undecided(case.shows) == 3


def test_float_weights_are_judged_on_scaled_columns() -> None:
    """Weights on features as large as 2^40 count the same when the columns are scaled back."""
    problem = hornbook.TeachingProblem(features=[[[2.0**40 * 1.5, 0.25], [0.0, 0.0]]], target=[0])
    room = Classroom.of(problem)
    on_directions = room.on_directions([1.0, -(2.0**43)])
    assert room.errors(on_directions) == 1
    assert room.errors(room.on_directions([1.0, -(2.0**42)])) == 0


def test_without_a_solver_the_middle_is_some_point_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver only proposes: when it has no numbers, exact weights from the inside take their place."""

    class Silent:
        def guess(self, *_: object) -> None:
            return None

    monkeypatch.setattr("hornbook.learners.chebyshev.highs_relaxation", lambda _: Silent())
    case = seen(hornbook.environment("two_rays"), ("s",))
    (weights,) = LEARNERS["chebyshev"].learn(case)
    assert case.classroom.agrees(weights, case.shows)


def test_without_scikit_learn_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """One clear sentence that names the extra."""
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    for name in ("perceptron", "svc"):
        with pytest.raises(BadProblem, match=r"pip install 'hornbook\[sklearn\]'"):
            LEARNERS[name].prepare()
    LEARNERS["worst_case"].prepare()


def test_what_a_learner_sees_is_exact_too() -> None:
    """The directions as integers are the float ones before rounding."""
    shown = seen(hornbook.environment("six_rays"), ("s1", "s3"))
    lengths = np.linalg.norm(shown.vectors.floats, axis=1)
    assert np.allclose(shown.vectors.floats / lengths[:, None], shown.units)


def outweighing(length: int) -> Seen:
    """Every feature must weigh more than all those before it together."""
    rows = np.eye(length, dtype=np.int64) - np.tri(length, k=-1, dtype=np.int64)
    problem = hornbook.TeachingProblem(features=[[row, [0] * length] for row in rows.tolist()], target=[0] * length)
    return seen(problem, tuple(map(str, range(length))))


@pytest.mark.parametrize(("length", "agrees"), [(3, True), (7, True), (20, False)])
def test_the_perceptron_ends_after_a_thousand_passes(length: int, agrees: bool) -> None:
    """Weights that double from feature to feature take passes that double, too; what it ends with is judged as it
    is, right or wrong, and others find the weights that it does not."""
    case = outweighing(length)
    (weights,), (middle,) = (LEARNERS[name].learn(case) for name in ("perceptron", "chebyshev"))
    assert case.classroom.agrees(weights, case.shows) == agrees
    assert case.classroom.agrees(middle, case.shows)
