"""Float data next to exact data of the same size: what merging, margins, sums and tau cost on top of the rays.

The same planted cones three times: each vector times .1, .3, 1.7 or so as floats; as the integers they come from; and
the floats again, taken as the binary fractions they are.  And towers of polygons, which only the first answers rightly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.cases import Case, Family
from benchmarks.planted import planted

__all__ = ["FAMILY", "as_problem", "tower"]


def as_problem(*, d: int, m: int, h: int) -> Mapping[str, Any]:
    """One state with two actions for each vector of a planted cone; the wrong one has no features."""
    vectors = planted(d=d, m=m, h=h)["vectors"]
    factors = np.random.Generator(np.random.PCG64(3)).choice([0.1, 0.3, 0.7, 1.7, 3.3], (len(vectors), 1))
    return {"whole": vectors, "floats": vectors * factors}


def tower(n: int) -> Mapping[str, Any]:
    """The paper's formula taken literally: no angle is reduced."""
    features = np.zeros((n - 1, n + 1, 3))
    for row, s in enumerate(range(2, n + 1)):
        turn = 2 * np.pi * np.arange(1, n + 1) / s
        features[row, :n, :2] = -s * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        features[row, n, 2] = s
    return {"tower": features}


def rays_of_tower(data: Mapping[str, Any]) -> list[int]:
    """The number of fractions with denominators up to n, and the states above n/2."""
    n = data["tower"].shape[1] - 1
    phi = np.arange(n + 1)
    for p in range(2, n + 1):
        if phi[p] == p:
            phi[p::p] -= phi[p::p] // p
    return [int(phi[1:].sum()), n - max(2, n // 2 + 1) + 1]


_PLANTED = [(3, 10_000, 100), (4, 10_000, 100), (5, 10_000, 100), (8, 10_000, 100), (12, 5_000, 100), (16, 5_000, 100)]

FAMILY = Family(
    "floats",
    "Features to a proved lesson.  Deciding on floats should cost at most twice as much as on exact data (d <= 16).",
    [
        *(
            Case(
                name=f"planted d={d}",
                sizes={"d": d, "m": m, "h": h},
                make=lambda d=d, m=m, h=h: as_problem(d=d, m=m, h=h),
                peers=("ours_floats", "ours_whole", "ours_stored"),
            )
            for d, m, h in _PLANTED
        ),
        *(
            Case(
                name=f"tower {n}",
                sizes={"d": 3, "m": n * (n - 1)},
                make=lambda n=n: tower(n),
                peers=("ours_floats",),
                truth=rays_of_tower,
                full=n > 300,
                seconds=300.0,
            )
            for n in (44, 100, 300, 1000, 1500)
        ),
    ],
)
