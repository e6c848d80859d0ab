"""`random_policy:s=50,a=4,d=3,seed=0`: random features and random weights, the average case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.environments._declaration import Environment, Parameter, World, whole
from hornbook.environments._dice import dice
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.sources import Batch

__all__ = ["RANDOM_POLICY"]

_FEATURES, _WEIGHTS = 0, 1  # what a random number is for
_RANGE = 1000  # entries run from -1000 to 1000
_MOST = {"s": 1_000_000_000, "a": 1000, "d": 1000, "seed": 2**32 - 1}

Whole = npt.NDArray[np.int64]


def _entries(seed: int, purpose: int, counters: Whole) -> Whole:
    bits = dice(seed, counters.astype(np.uint64), purpose=purpose)
    return (bits % np.uint64(2 * _RANGE + 1)).astype(np.int64) - _RANGE


@dataclass(frozen=True, eq=False)
class _Policy:
    """Every feature is random; the target is the best action by the weights, and what ties with it is not available."""

    num_states: int
    num_actions: int
    weights: Whole
    seed: int
    arithmetic: str = "exact"

    @property
    def num_features(self) -> int:
        return len(self.weights)

    @property
    def counts(self) -> list[int]:
        return [self.num_actions] * self.num_states

    def read(self, start: int, stop: int) -> Batch:
        size = self.num_actions * self.num_features
        counters = np.arange(start * size, stop * size, dtype=np.int64)
        features = _entries(self.seed, _FEATURES, counters).reshape(-1, self.num_actions, self.num_features)
        scores = features @ self.weights
        target = np.argmax(scores, axis=1)
        available = scores < scores.max(axis=1, keepdims=True)
        available[np.arange(len(target)), target] = True
        return Batch(start, features, available, target)


def random_policy(*, s: int, a: int, d: int, seed: int) -> World:
    """s states with a actions each; d features and d weights are drawn from -1000..1000; the target is the best action.

    An action as good as the target (this is rare) is not available, so the weights always realise the target.
    Answer: there is no formula, but bounds.  With d = 1 there is at most one ray and with d = 2 at most two; in general
    the teaching dimension lies between k/(a-1) and the smaller of k and s for k rays.  The tables of average dimensions
    in the documentation are made from this environment.
    Numbers come from a counter: any row is made on its own, alike on every machine and in every version.
    """
    for name, value in {"s": s, "a": a, "d": d, "seed": seed}.items():
        if value > _MOST[name]:
            raise LimitExceeded(f"environment random_policy: {name} is {value}, above the limit of {_MOST[name]}")
        if value < 1 and name != "seed":
            raise BadProblem(f"environment random_policy: {name} must be at least 1; try random_policy:s=50,a=4,d=3")
    weights = _entries(seed, _WEIGHTS, np.arange(d, dtype=np.int64))
    return World(_Policy(s, a, weights, seed))


RANDOM_POLICY = Environment(
    name="random_policy",
    make=random_policy,
    parameters=(
        Parameter("s", whole, 50),
        Parameter("a", whole, 4),
        Parameter("d", whole, 3),
        Parameter("seed", whole, 0),
    ),
)
