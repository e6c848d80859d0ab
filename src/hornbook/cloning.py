"""A classifier that agrees with labelled rows: linear scores, one per class, found in floats and judged exactly.

The perceptron goes first, since it is quick where there is room; a linear program follows where there is little.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, primitive_vector
from hornbook.differences import shown_directions
from hornbook.problem import TeachingProblem
from hornbook.rays import guessed_compromise
from hornbook.sources import KeslerSource

__all__ = ["Scores", "consistent_scores"]

Floats = npt.NDArray[np.float64]
_LARGEST_PROGRAM = 1 << 23  # numbers in a linear program that is still worth its time
_ROUNDS = 6


@dataclass(frozen=True, eq=False)
class Scores:
    """Weights [classes, features + 1], the last column of constants; `wrong` are the rows where, in exact arithmetic,
    another class scores at least as high as the row's own.  `passes` is how often the rows were gone through."""

    weights: Floats
    wrong: tuple[int, ...]
    passes: int


def consistent_scores(problem: TeachingProblem, *, max_iter: int) -> Scores:
    """Scores for a problem of `from_classification`, wrong about no row if that can be had, else about few.

    Cost: `max_iter` passes over the rows; where they do not suffice, a linear program with a row for every row and
    other class, unless it would be larger than 2^23 numbers.
    """
    source = problem.source
    if not isinstance(source, KeslerSource):
        raise TypeError("scores of classes are for problems of from_classification")
    if problem.num_states == 0:
        return Scores(np.zeros((source.num_actions, source.inputs.shape[1])), (), 0)
    weights, passes = _perceptron(source, max_iter=max_iter)
    found = _judged(source, weights, passes)
    if not found.wrong or problem.num_states * problem.num_actions * problem.num_features > _LARGEST_PROGRAM:
        return found
    solved = _solved(problem, source, passes)
    return found if solved is None or len(solved.wrong) > len(found.wrong) else solved


def _perceptron(source: KeslerSource, *, max_iter: int) -> tuple[Floats, int]:
    """Passes over the rows on standardised columns until none is wrong, or until it was often enough."""
    inputs = source.inputs.astype(np.float64)
    shift, scale = inputs.mean(axis=0), inputs.std(axis=0)
    shift[-1], scale[-1], scale[scale == 0] = 0.0, 1.0, 1.0
    seen, places = (inputs - shift) / scale, np.arange(len(inputs))
    weights = np.zeros((source.num_actions, inputs.shape[1]))
    for passes in range(max_iter):
        scores = seen @ weights.T
        own = scores[places, source.target].copy()
        scores[places, source.target] = -np.inf
        wrong = np.flatnonzero(own <= scores.max(axis=1))
        if source.num_actions == 1 or wrong.size == 0:
            return _back(weights, shift, scale), passes + 1
        for row in wrong.tolist():
            _learn(weights, seen[row], int(source.target[row]))
    return _back(weights, shift, scale), max_iter


def _back(weights: Floats, shift: Floats, scale: Floats) -> Floats:
    """Weights on standardised columns as weights on the columns themselves."""
    weights = weights / scale
    weights[:, -1] -= weights[:, :-1] @ shift[:-1]
    return weights


def _learn(weights: Floats, row: Floats, target: int) -> None:
    """The perceptron's step, if the row is still wrong."""
    scores = weights @ row
    scores[target], own = -np.inf, scores[target]
    best = int(scores.argmax())
    if own <= scores[best]:
        weights[target] += row
        weights[best] -= row


def _solved(problem: TeachingProblem, source: KeslerSource, passes: int) -> Scores | None:
    """The weights of a linear program that charges each row for how far it is wrong."""
    shown = list(shown_directions(problem))
    vectors = Vectors(np.concatenate([part.keys[part.which] for part in shown]))
    owners = np.concatenate([part.rows for part in shown]).tolist()
    compromise = guessed_compromise(vectors, owners, costs=[1.0] * problem.num_states, rounds=_ROUNDS)
    if compromise is None:
        return None
    largest = max(map(abs, compromise.weights)) or 1
    weights = np.array([float(Fraction(w, largest)) for w in compromise.weights])
    return _judged(source, weights.reshape(source.num_actions, -1), passes)


def _judged(source: KeslerSource, weights: Floats, passes: int) -> Scores:
    """Which rows these weights, as the binary fractions they are, do not score highest in their own class."""
    exact = [[Fraction(value) for value in row] for row in weights.tolist()]
    rows = Vectors.of([primitive_vector(row) for row in source.inputs.tolist()], source.inputs.shape[1])
    wrong: list[int] = []
    for target, own in enumerate(exact):
        members = np.flatnonzero(source.target == target)
        ahead = [
            primitive_vector([a - b for a, b in zip(own, other, strict=True)])
            for place, other in enumerate(exact)
            if place != target
        ]
        if ahead:
            behind = (rows.take(members).signs(ahead) <= 0).any(axis=1)
            wrong += members[behind].tolist()
    return Scores(weights, tuple(sorted(wrong)), passes)
