"""Learners: what is done with demonstrations.  Each turns what it has seen into weights; the weights are judged.

- `worst_case`: the paper's adversary; errs whenever any consistent learner may.  Use it to see that a lesson is needed.
- `hit_and_run`: typical consistent weights, drawn from the version space; for averages.
- `chebyshev`: the centre of the version space; the most cautious.
- `perceptron`, `linear_svc`, `svc`, `logistic`: scikit-learn's, without a penalty; what practitioners run.
- `crammer_singer`: scikit-learn's multiclass SVM, for classification data (`TeachingProblem.from_classification`).
- `soft_svc`, `ridge_logistic`: the same with a penalty: no promise, since these may ignore a demonstration.

Whether a learner is consistent is judged on the weights it returns, never on its name.  To add one: a file, and a line
in `LEARNERS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hornbook.learners._declaration import Learner, Seen
from hornbook.learners.chebyshev import CHEBYSHEV
from hornbook.learners.hit_and_run import HIT_AND_RUN
from hornbook.learners.scikit_learn import (
    CRAMMER_SINGER,
    LINEAR_SVC,
    LOGISTIC,
    PERCEPTRON,
    RIDGE_LOGISTIC,
    SOFT_SVC,
    SVC,
)
from hornbook.learners.worst_case import WORST_CASE

__all__ = ["LEARNERS", "Learner", "Seen"]

LEARNERS: Mapping[str, Learner] = MappingProxyType(
    {
        "worst_case": WORST_CASE,
        "hit_and_run": HIT_AND_RUN,
        "chebyshev": CHEBYSHEV,
        "perceptron": PERCEPTRON,
        "linear_svc": LINEAR_SVC,
        "svc": SVC,
        "logistic": LOGISTIC,
        "crammer_singer": CRAMMER_SINGER,
        "soft_svc": SOFT_SVC,
        "ridge_logistic": RIDGE_LOGISTIC,
    }
)
"""Every learner by name."""
