"""Lessons for scikit-learn (extra `sklearn`): which labelled rows are enough, and a learner that agrees with them.

- `LessonSelector`: the fewest rows of (X, y) after which every consistent linear classifier gives every row its label.
- `LinearCloner`: such a classifier: linear scores, one per class, that agree with every row they were shown.

Rows are states and classes are actions, with the features of Kesler's construction (`from_classification`).
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, _safe_indexing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from hornbook.cloning import consistent_scores
from hornbook.conflicts import drop_conflicts
from hornbook.errors import BadProblem, NotRealizable
from hornbook.lesson import Lesson
from hornbook.problem import TeachingProblem
from hornbook.rowwise import teach_rows
from hornbook.teaching import teach

__all__ = ["LessonSelector", "LinearCloner"]

_ROUNDS = 3  # of the search for conflicts: a number of rounds and not of seconds gives the same rows everywhere
_NUMBERS = ("stored", "written", "float")


class LessonSelector(BaseEstimator):  # type: ignore[misc]
    """Select the fewest rows of `X` whose labels teach a linear classifier all labels.

    Parameters
    ----------
    numbers : {"stored", "written", "float"}
        What floats mean.  "stored": exactly the binary fractions they are, which is what a learner computes with.
        "written": the shortest decimal that reads as the float, so that 0.1 is one tenth.  "float": numbers with noise
        (docs/floats.md), which raises `Ambiguous` where they are too close to call.  Integers are exact in any case.
    conflicts : {"drop", "raise"}
        What to do when no linear classifier gives every row its label: leave out as few rows as a short search finds,
        or raise `NotRealizable` with an exact conflict.
    time_limit : float, optional
        Seconds, after which the best rows so far come with a bound; `LimitExceeded` if there are none yet.

    Attributes
    ----------
    support_ : array of int
        The selected rows.  Every classifier with linear scores that is right about these, ties being mistakes, is
        right about every row but those in `dropped_`.
    dropped_ : array of int
        Rows that were left out because they contradict others; nothing is promised about them.
    lower_bound_ : int
        No fewer rows teach all but `dropped_`; `is_minimum_` says whether this is as many as were selected.
    verdict_ : str
        One line that says all of this.
    lesson_ : Lesson
        The lesson, with its misconceptions; `certificate_` is its proof, for `hornbook.check`, and `problem_` what it
        is about.

    >>> selector = LessonSelector().fit([[0], [1], [4], [6], [9]], ["low", "low", "low", "high", "high"])
    >>> selector.support_.tolist(), selector.verdict_
    ([2, 3], 'PROVED MINIMUM: 2 of 5 states (exact)')
    """

    def __init__(self, *, numbers: str = "stored", conflicts: str = "drop", time_limit: float | None = None) -> None:
        self.numbers = numbers
        self.conflicts = conflicts
        self.time_limit = time_limit

    def fit(self, X: Any, y: Any) -> Self:
        """Find the rows."""
        self._check_options()
        X, y = _validated(self, X, y)
        problem = _problem(X, y, self.numbers)
        dropped: tuple[str, ...] = ()
        try:
            lesson = self._teach(problem)
        except NotRealizable:
            if self.conflicts == "raise":
                raise
            found = drop_conflicts(problem, round_limit=_ROUNDS, time_limit=self.time_limit)
            problem, dropped = found.problem, found.states
            lesson = self._teach(problem)
        self.problem_, self.lesson_ = problem, lesson
        self.support_, self.dropped_ = _rows(lesson.states), _rows(dropped)
        self.lower_bound_, self.is_minimum_ = int(lesson.lower_bound), lesson.is_minimum
        left_out = f"; {len(dropped):,} of {len(X):,} rows left out for contradicting others" if dropped else ""
        self.verdict_ = lesson.verdict + left_out
        return self

    def _teach(self, problem: TeachingProblem) -> Lesson:
        """Row by row where numbers are exact; noise needs the rays."""
        return (teach if problem.is_float else teach_rows)(problem, time_limit=self.time_limit)

    def _check_options(self) -> None:
        if self.numbers not in _NUMBERS:
            raise BadProblem(f"numbers is {self.numbers!r}; it must be one of {', '.join(_NUMBERS)}")
        if self.conflicts not in ("drop", "raise"):
            raise BadProblem(f"conflicts is {self.conflicts!r}; it must be drop or raise")

    @property
    def certificate_(self) -> dict[str, Any]:
        """The proof, about `problem_`; it is made when it is asked for."""
        check_is_fitted(self)
        return self.lesson_.certificate()

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Fit, and return the selected rows of `X` and `y`."""
        self.fit(X, y)
        return _safe_indexing(X, self.support_), _safe_indexing(y, self.support_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class LinearCloner(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A linear classifier that gives every row its label, if there is one; else one that errs on few rows.

    Parameters
    ----------
    max_iter : int
        Passes of the perceptron over the rows, before a linear program is asked.

    Attributes
    ----------
    coef_, intercept_ : arrays [classes, features] and [classes]
        The score of class k is `X @ coef_[k] + intercept_[k]`; the highest score wins.
    consistent_ : bool
        Whether every row scores its own class above every other one, in exact arithmetic on the stored numbers.  Only
        then is the classifier one of those that a lesson makes promises about.
    classes_ : array
        The labels, sorted.
    n_iter_ : int
        How many passes there were.

    >>> cloner = LinearCloner().fit([[4], [6]], ["low", "high"])
    >>> cloner.consistent_, cloner.predict([[0], [1], [4], [6], [9]]).tolist()
    (True, ['low', 'low', 'low', 'high', 'high'])
    """

    def __init__(self, *, max_iter: int = 100) -> None:
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any) -> Self:
        """Find scores that agree with every row."""
        X, y = _validated(self, X, y)
        self.classes_, target = np.unique(y, return_inverse=True)
        scores = consistent_scores(_problem(X, target, "stored"), max_iter=self.max_iter)
        self.coef_, self.intercept_ = scores.weights[:, :-1], scores.weights[:, -1]
        self.consistent_, self.n_iter_ = not scores.wrong, scores.passes
        return self

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The score of each class [rows, classes]; of two classes, how far the second is ahead [rows]."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        scores: npt.NDArray[np.float64] = X @ self.coef_.T + self.intercept_
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the highest score."""
        scores = self.decision_function(X)
        best = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[best])


def _validated(estimator: Any, X: Any, y: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    X, y = validate_data(estimator, X, y)
    check_classification_targets(y)
    return X, y


def _problem(X: npt.NDArray[Any], y: npt.NDArray[Any], numbers: str) -> TeachingProblem:
    if numbers == "written" and X.dtype.kind == "f":
        X = np.array([[str(value) for value in row] for row in X], dtype=object).reshape(X.shape)
    return TeachingProblem.from_classification(X, y, exact=numbers == "stored")


def _rows(ids: tuple[str, ...]) -> npt.NDArray[np.intp]:
    """Rows are their own ids."""
    return np.array([int(name) for name in ids], dtype=np.intp)
