"""scikit-learn's own checks of estimators, and the promise: learners nobody here wrote, trained on the rows alone."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hornbook
from hornbook import Ambiguous, BadProblem, NotRealizable

pytest.importorskip("sklearn")

from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from hornbook.sklearn import LessonSelector, LinearCloner


@pytest.mark.parametrize("estimator", [LessonSelector(), LinearCloner()], ids=["LessonSelector", "LinearCloner"])
def test_scikit_learn_is_content(estimator: Any) -> None:
    """Every check of `check_estimator` passes or does not apply."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_skip=None)
    assert {result["status"] for result in results} <= {"passed", "skipped"}


def taught(load: Callable[..., Any]) -> tuple[Any, Any]:
    """A data set with the labels of a linear teacher."""
    inputs, labels = load(return_X_y=True)
    centre, spread = inputs.mean(axis=0), inputs.std(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        teacher = LogisticRegression(C=1.0, max_iter=5000).fit((inputs - centre) / spread, labels)
    return inputs, teacher.predict((inputs - centre) / spread)


def differences(inputs: Any, labels: Any) -> Any:
    """Kesler's differences of some rows."""
    classes = np.unique(labels)
    wide = np.hstack([inputs, np.ones((len(inputs), 1))])
    found = []
    for row, label in zip(wide, labels, strict=True):
        for other in classes[classes != label]:
            found.append(np.concatenate([(int(k == label) - int(k == other)) * row for k in classes]))
    return np.array(found)


def by_perceptron(inputs: Any, labels: Any) -> Any:
    """scikit-learn's perceptron on the differences, until it is right about all of them."""
    vectors = differences(inputs, labels)
    both, sides = np.vstack([vectors, -vectors]), np.repeat([1, 0], len(vectors))
    learner = Perceptron(fit_intercept=False, max_iter=200_000, tol=None, random_state=0).fit(both, sides)
    assert (vectors @ learner.coef_[0] > 0).all()
    return learner.coef_[0].reshape(len(np.unique(labels)), -1)


def by_logistic(inputs: Any, labels: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = LogisticRegression(C=np.inf, max_iter=100_000, tol=1e-12).fit(inputs, labels)
    return np.hstack([learner.coef_, learner.intercept_[:, None]])


def by_crammer_singer(inputs: Any, labels: Any) -> Any:
    wide = np.hstack([inputs, np.ones((len(inputs), 1))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = LinearSVC(C=1e9, multi_class="crammer_singer", fit_intercept=False, max_iter=200_000).fit(
            wide, labels
        )
    return learner.coef_


@pytest.mark.parametrize("learn", [by_logistic, by_crammer_singer, by_perceptron])
def test_learners_nobody_here_wrote_reproduce_every_label_of_iris(learn: Callable[..., Any]) -> None:
    """From a third of the rows, wherever the learner agrees with these."""
    inputs, labels = taught(load_iris)
    inputs = inputs - inputs.mean(axis=0)  # the affine classifiers are the same; the learners get along better
    selector = LessonSelector().fit(inputs, labels)
    assert selector.is_minimum_ and len(selector.support_) < 60
    few, theirs = selector.fit_resample(inputs, labels)
    weights = learn(few, theirs)
    assert (differences(few, theirs) @ weights.ravel() > 0).all()
    scores = np.hstack([inputs, np.ones((len(inputs), 1))]) @ weights.T
    assert (scores.argmax(axis=1) == labels).all()


def test_wine_needs_nearly_all_of_its_rows() -> None:
    """In thirteen dimensions nearly every row shows something of its own."""
    inputs, labels = taught(load_wine)
    selector = LessonSelector().fit(inputs, labels)
    assert (len(selector.support_), selector.lower_bound_, selector.is_minimum_) == (177, 177, True)
    assert hornbook.check(selector.certificate_, selector.problem_).claim == "minimum"


def test_one_row_less_and_a_consistent_learner_errs() -> None:
    """Each misconception of the proof gives all selected rows but one their labels."""
    inputs, labels = taught(load_iris)
    selector = LessonSelector().fit(inputs, labels)
    wide = np.hstack([inputs, np.ones((len(inputs), 1))]).astype(object)
    for misconception in selector.lesson_.misconceptions[:5]:
        scores = wide @ np.array(misconception.weights, dtype=object).reshape(3, -1).T
        wrong = np.flatnonzero(scores.astype(float).argmax(axis=1) != labels).tolist()
        assert [str(row) for row in wrong] == [misconception.state]


@pytest.mark.parametrize("numbers", ["stored", "written", "float"])
def test_what_floats_mean(numbers: str) -> None:
    """Halfway between two points for decimals, and next to it for the bits: 0.1, 0.2 and 0.3."""
    inputs, labels = np.array([[0.1, 1], [0.3, 1], [0.2, 1], [0.2, 2]]), [0, 0, 0, 1]
    selector = LessonSelector(numbers=numbers).fit(inputs, labels)
    assert selector.verdict_.endswith(
        {"stored": "(exact on the stored floats)", "written": "(exact)"}.get(numbers, "0 merged)")
        if numbers != "float"
        else ")"
    )
    assert selector.is_minimum_


def test_too_close_to_call_is_refused_for_floats_with_noise() -> None:
    inputs = np.array([[0.1 + 0.2], [0.3]])
    with pytest.raises((Ambiguous, NotRealizable)):
        LessonSelector(numbers="float").fit(inputs, [0, 1])
    assert LessonSelector().fit(inputs, [0, 1]).support_.tolist() == [0, 1]


def test_contradictory_rows_are_left_out_and_told() -> None:
    inputs, labels = [[0], [1], [2], [3], [9]], ["a", "a", "b", "b", "a"]
    selector = LessonSelector().fit(inputs, labels)
    assert selector.dropped_.tolist() == [4]
    assert selector.support_.tolist() == [1, 2]
    assert selector.verdict_.endswith("1 of 5 rows left out for contradicting others")
    with pytest.raises(NotRealizable):
        LessonSelector(conflicts="raise").fit(inputs, labels)
    cloner = LinearCloner().fit(inputs, labels)
    assert not cloner.consistent_
    assert cloner.predict(inputs).tolist() == ["a", "a", "b", "b", "b"]


@pytest.mark.parametrize("wrong", [{"numbers": "exact"}, {"conflicts": "ignore"}])
def test_unknown_options_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(BadProblem, match="must be"):
        LessonSelector(**wrong).fit([[0], [1]], [0, 1])


def test_nothing_is_known_before_fit() -> None:
    with pytest.raises(NotFittedError):
        LessonSelector().certificate_  # noqa: B018


def test_frames_stay_frames_and_fitted_estimators_travel() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [0, 1, 4, 6, 9]}, index=list("abcde"))
    selector = LessonSelector()
    few, labels = selector.fit_resample(frame, pandas.Series([0, 0, 0, 1, 1], index=frame.index))
    assert few.index.tolist() == labels.index.tolist() == ["c", "d"]
    again = pickle.loads(pickle.dumps(selector))  # noqa: S301
    assert again.certificate_ == selector.certificate_


def test_more_classes_have_a_score_each() -> None:
    cloner = LinearCloner().fit([[0, 0], [5, 0], [0, 5]], ["a", "b", "c"])
    assert cloner.decision_function([[1, 1]]).shape == (1, 3)
    assert cloner.predict([[0, 0], [5, 0], [0, 5]]).tolist() == ["a", "b", "c"]
