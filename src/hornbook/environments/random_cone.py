"""`random_cone:d=8,m=10000,h=200,seed=0`: planted extreme rays among vectors that are not extreme."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.environments._declaration import Environment, Parameter, World, whole
from hornbook.environments._dice import dice
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.sources import Batch

__all__ = ["RANDOM_CONE"]

_RAYS, _PLACES, _MEMBERS, _AMOUNTS = range(4)  # what a random number is for
_LARGEST_AMOUNT = 9
_MOST = {"d": 1000, "h": 1_000_000, "m": 1_000_000_000, "seed": 2**32 - 1}


def _planted(d: int, h: int, seed: int) -> npt.NDArray[np.int64]:
    """h distinct rays (x, |x|^2, 1) with x random in a cube of integers that holds at least four times as many."""
    radius = 1
    while (2 * radius + 1) ** (d - 2) < 4 * h:
        radius += 1
    width = 2 * radius + 1
    chosen: dict[tuple[int, ...], None] = {}
    tried = 0
    while len(chosen) < h:
        counters = np.arange(tried * (d - 2), (tried + h) * (d - 2), dtype=np.uint64)
        places = (dice(seed, purpose=_RAYS, counters=counters) % np.uint64(width)).astype(np.int64) - radius
        chosen.update(dict.fromkeys(map(tuple, places.reshape(h, d - 2).tolist())))
        tried += h
    x = np.array(list(chosen)[:h], dtype=np.int64)
    return np.hstack([x, (x * x).sum(axis=1, keepdims=True), np.ones((h, 1), dtype=np.int64)])


@dataclass(frozen=True, eq=False)
class _Cone:
    """One difference per state: a planted ray, or a positive combination of at least two of them."""

    rays: npt.NDArray[np.int64]
    num_states: int
    seed: int
    stride: int  # row * stride + shift modulo num_states is a permutation: its first values are the rays
    shift: int
    num_actions: int = 2
    arithmetic: str = "exact"

    @property
    def num_features(self) -> int:
        return int(self.rays.shape[1])

    @property
    def counts(self) -> list[int]:
        return [2] * self.num_states

    def read(self, start: int, stop: int) -> Batch:
        rows = np.arange(start, stop, dtype=np.int64)
        place = (rows * self.stride + self.shift) % self.num_states
        vectors = self._combinations(rows)
        planted = place < len(self.rays)
        vectors[planted] = self.rays[place[planted]]
        features = np.zeros((len(rows), 2, self.num_features), dtype=np.int64)
        features[:, 0] = vectors
        return Batch(start, features, np.ones((len(rows), 2), dtype=np.bool_), np.zeros(len(rows), dtype=np.intp))

    def _combinations(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """For each row d members with amounts 1 to 9; the second member is never the first, so no sum is extreme."""
        h, d = self.rays.shape
        counters = (rows[:, None] * d + np.arange(d)).astype(np.uint64)
        members = (dice(self.seed, purpose=_MEMBERS, counters=counters) % np.uint64(h)).astype(np.int64)
        same = members[:, 1] == members[:, 0]
        members[same, 1] = (members[same, 0] + 1) % h
        amounts = (dice(self.seed, purpose=_AMOUNTS, counters=counters) % np.uint64(_LARGEST_AMOUNT)).astype(
            np.int64
        ) + 1
        return np.asarray((self.rays[members] * amounts[:, :, None]).sum(axis=1))


def random_cone(*, d: int, m: int, h: int, seed: int) -> World:
    """m states with one difference each in d dimensions; h of them are extreme rays, scattered among the others.

    Answer: h rays, and teaching dimension h, since no state shows two.  The rays are (x, |x|^2, 1) with distinct x, and
    the weights (-2y, 1, |y|^2) are |x - y|^2 on them: zero at x = y, positive elsewhere, so each is extreme.  Every
    other vector is a positive combination of d of them, at least two distinct.
    Numbers come from a counter, not a stream: any row is made on its own, alike on every machine and in every version.
    """
    for name, value in {"d": d, "h": h, "m": m, "seed": seed}.items():
        if value > _MOST[name]:
            raise LimitExceeded(f"environment random_cone: {name} is {value}, above the limit of {_MOST[name]}")
    if d < 3:
        raise BadProblem(f"environment random_cone: d is {d}; it must be at least 3")
    if not 2 <= h <= m:
        raise BadProblem(f"environment random_cone: h is {h}; it must be at least 2 and at most m, which is {m}")
    first, second = dice(seed, purpose=_PLACES, counters=np.arange(2, dtype=np.uint64)).tolist()
    stride = first % m or 1
    while math.gcd(stride, m) > 1:
        stride += 1
    return World(_Cone(_planted(d, h, seed), m, seed, stride=stride, shift=second % m))


RANDOM_CONE = Environment(
    name="random_cone",
    make=random_cone,
    parameters=(
        Parameter("d", whole, 8),
        Parameter("m", whole, 10_000),
        Parameter("h", whole, 200),
        Parameter("seed", whole, 0),
    ),
)
