"""Learners that nobody here wrote: scikit-learn's linear classifiers on the differences (extra `sklearn`).

A difference is to have a positive product with the weights, and its negative a negative one: that is binary
classification through the origin.  The one file that imports scikit-learn for learning.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from hornbook.classroom import Weights
from hornbook.errors import BadProblem
from hornbook.learners._declaration import Learner, Seen
from hornbook.problem import TeachingProblem

__all__ = ["CRAMMER_SINGER", "LINEAR_SVC", "LOGISTIC", "PERCEPTRON", "RIDGE_LOGISTIC", "SOFT_SVC", "SVC"]

_HARD = 1e8  # how much a mistake costs a "hard" margin: these solvers have no true infinity
_ROUNDS = 50  # of the perceptron, twenty passes each


def _library() -> Any:
    try:
        import sklearn.linear_model
        import sklearn.svm
    except ImportError:
        raise BadProblem("these learners need scikit-learn: pip install 'hornbook[sklearn]'") from None
    return sklearn


def _both_sides(seen: Seen) -> tuple[Any, Any]:
    return np.vstack([seen.units, -seen.units]), np.repeat([1, 0], len(seen.units))


def _learned(seen: Seen, make: Callable[[Any], Any]) -> Sequence[Weights]:
    """Fit an estimator to the differences and their negatives; that it stopped early shows in its weights."""
    estimator = make(_library())
    if len(seen.units) == 0:
        return [np.zeros(seen.classroom.directions.dimension)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator.fit(*_both_sides(seen))
    return [estimator.coef_.ravel()]


def perceptron(seen: Seen) -> Sequence[Weights]:
    """Passes over the differences until none is wrong, or a thousand passes."""
    linear = _library().linear_model
    if len(seen.units) == 0:
        return [np.zeros(seen.classroom.directions.dimension)]
    estimator = linear.Perceptron(
        fit_intercept=False, max_iter=20, tol=None, warm_start=True, random_state=seen.seed, shuffle=True
    )
    for _ in range(_ROUNDS):
        estimator.fit(*_both_sides(seen))
        if (seen.units @ estimator.coef_.ravel() > 0).all():
            break
    return [estimator.coef_.ravel()]


def crammer_singer(seen: Seen) -> Sequence[Weights]:
    """The multiclass SVM with a hard margin, on the rows and labels themselves; only for classification data.

    A class that no demonstration shows has zero weights.
    """
    problem, library = seen.classroom.problem, _library()
    given = _classification(problem, seen.rows)
    if given is None:
        return []
    inputs, labels = given
    weights = np.zeros((problem.num_actions, inputs.shape[1]))
    present = np.unique(labels)
    if len(present) > 1:
        estimator = library.svm.LinearSVC(
            C=_HARD, fit_intercept=False, multi_class="crammer_singer", max_iter=100_000, random_state=seen.seed
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator.fit(inputs, labels)
        rows = estimator.coef_
        weights[present] = rows if len(present) > 2 else np.vstack([-rows, rows])
    return [seen.classroom.on_directions(weights.ravel())]


def _classification(problem: TeachingProblem, rows: Sequence[int]) -> tuple[Any, Any] | None:
    """The inputs, with their column of ones, and the classes of these rows; None if this is another kind of problem."""
    inputs = getattr(problem.source, "inputs", None)
    if inputs is None:
        return None
    chosen = list(rows)
    return inputs[chosen].astype(np.float64), np.array([problem.source.read(r, r + 1).target[0] for r in chosen])


def _linear_svc(library: Any, *, C: float) -> Any:
    return library.svm.LinearSVC(C=C, loss="hinge", fit_intercept=False, max_iter=100_000, random_state=0)


def _svc(library: Any) -> Any:
    return library.svm.SVC(C=_HARD, kernel="linear", max_iter=1_000_000)


def _logistic(library: Any, *, C: float) -> Any:
    return library.linear_model.LogisticRegression(C=C, fit_intercept=False, max_iter=10_000)


PERCEPTRON = Learner("perceptron", perceptron, prepare=_library)
LINEAR_SVC = Learner("linear SVC, hard", partial(_learned, make=partial(_linear_svc, C=_HARD)), prepare=_library)
SVC = Learner("SVC, hard", partial(_learned, make=_svc), prepare=_library)
LOGISTIC = Learner("logistic, C=inf", partial(_learned, make=partial(_logistic, C=np.inf)), prepare=_library)
CRAMMER_SINGER = Learner("Crammer-Singer, hard", crammer_singer, prepare=_library)
SOFT_SVC = Learner(
    "linear SVC, C=1", partial(_learned, make=partial(_linear_svc, C=1.0)), promises=False, prepare=_library
)
RIDGE_LOGISTIC = Learner(
    "logistic, C=1", partial(_learned, make=partial(_logistic, C=1.0)), promises=False, prepare=_library
)
