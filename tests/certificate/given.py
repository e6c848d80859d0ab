"""The problems of `tests.forgeries.maker` as hornbook's own, in rows of another order."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from hornbook.problem import TeachingProblem
from hornbook.sources import ArraySource, padded
from tests.forgeries.floats import FloatProblem
from tests.forgeries.maker import Problem


def as_problem(given: Problem | FloatProblem) -> TeachingProblem:
    """The same states in reverse, so that row order and id order differ."""
    states = list(given.states)[::-1]
    if isinstance(given, FloatProblem):
        return _of_floats(given, states)
    stored = given.arithmetic == "stored"
    features = [[[_number(v, stored=stored) for v in phi] for phi in given.features(s)] for s in states]
    table, available = padded(features)
    source = ArraySource.of(
        table.astype(float) if stored else table, np.zeros(len(states), int), available=available, exact=stored
    )
    return TeachingProblem.from_source(
        source if states else replace(source, features=table),
        identity=given.identity,
        cost=[given.cost(s) for s in states] if given.costs else None,
        state_names=states,
        action_names=[[str(a) for a in range(len(actions))] for actions in features],
        name=given.name,
    )


def _of_floats(given: FloatProblem, states: list[str]) -> TeachingProblem:
    table, available = padded([given.features(s) for s in states])
    source = ArraySource(table.astype(np.float64), np.zeros(len(states), np.intp), available, given.arithmetic)
    return TeachingProblem.from_source(
        source,
        identity=given.identity,
        cost=[given.cost(s) for s in states] if given.costs else None,
        state_names=states,
        action_names=[[str(a) for a in range(len(given.features(s)))] for s in states],
        name=given.name,
    )


def _number(value: int | Fraction, *, stored: bool) -> object:
    return float(value) if stored else value
