"""Conflicts, cancellation, negative zeros, and numbers that are none: N25, N26."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from tests.float_families.cases import AMBIG, Deal, FloatCase, make, spot
from tests.instances import BAD
from tests.oracles import NOTREAL


def conflict(rng: Random) -> FloatCase:
    """A combination of differences cancelled exactly, in dyadic numbers, so that nothing is rounded."""
    d = rng.choice((2, 3, 4))
    axes = np.eye(d) * 0.5
    amounts = np.array([rng.choice((0.0, 1.5, 2.0)) for _ in range(d)])
    amounts[rng.randrange(d)] = 0.75
    spots = [spot(axis, i) for i, axis in enumerate(axes)] + [spot(-amounts, None), spot(axes.sum(axis=0), None)]
    return make(rng, spots, argument="a combination is zero", allowed=(NOTREAL,))


def cancellation(rng: Random) -> FloatCase:
    """0.1 + 0.2 - 0.3 is not zero in floats: what was meant to be a tie, or to lie on a facet, is off by 5.6e-17."""
    zero = rng.choice((0.1 + 0.2 - 0.3, -(0.1 + 0.2 - 0.3), 0.7 + 0.1 - 0.8))
    third = rng.choice((1 / 3, 0.1, 0.7))
    if rng.random() < 0.3:  # a tie that was meant
        features = (((0.1 + 0.2, 1.0), (0.3, 1.0)), ((0.5, 0.25), (0.0, 0.0)), ((0.0, 0.5), (0.0, 0.0)))
        case = make(rng, [], argument="a tie up to rounding", deal=Deal(states=[[spot((0.5, 0.25), 0)]]))
        return replace(case, features=features, target=(0, 0, 0), truths=(), allowed=(AMBIG,))
    axes = np.eye(3)
    spots = [spot(axis, i) for i, axis in enumerate(axes)]
    spots += [spot((zero, 0.5 * third, 1.0), None), spot((1.0, zero, third), None)]
    return make(rng, spots, argument="on a facet up to rounding")


def negative_zero(rng: Random) -> FloatCase:
    """-0.0 and 0.0 are the same number: one ray, whichever is stored."""
    d = rng.choice((2, 3, 4))
    axes = np.eye(d)
    spots = [spot([rng.choice((0.0, -0.0)) if v == 0 else 0.3 for v in axis], i) for i, axis in enumerate(axes)] * 3
    spots += [spot(np.full(d, 0.7), None)]
    return make(rng, spots, argument="negative zeros")


def not_finite(rng: Random) -> FloatCase:
    """NaN and infinity are refused with their place, in unused actions too (all are used here)."""
    case = make(rng, [spot(axis * 0.3, i) for i, axis in enumerate(np.eye(3))], argument="not a number", allowed=(BAD,))
    state = rng.randrange(len(case.features))
    action, feature = rng.randrange(len(case.features[state])), rng.randrange(3)
    wrong = rng.choice((float("nan"), float("inf"), -float("inf")))
    rows = [list(map(list, actions)) for actions in case.features]
    rows[state][action][feature] = wrong
    features = tuple(tuple(map(tuple, actions)) for actions in rows)
    return replace(case, features=features, bad_at=(state, action, feature), truths=())
