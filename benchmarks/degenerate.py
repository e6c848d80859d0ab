"""Degenerate data next to generic data of the same d, m and about the same h: a generic twin for each case."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.cases import Case, Family
from benchmarks.gaussian import gaussian
from benchmarks.planted import planted

Table = npt.NDArray[np.int64]


def _told(rows: Table, weights: list[int]) -> Mapping[str, Any]:
    from hornbook.arithmetic import primitive

    return {"vectors": np.unique(primitive(rows), axis=0), "weights": np.array(weights)}


def lattice(*, side: int, d: int) -> Mapping[str, Any]:
    """All points of a cube of integers at height one: 2^(d-1) rays, thousands of points on faces."""
    grid = np.array(list(product(range(side), repeat=d - 1)), dtype=np.int64)
    return _told(np.hstack([grid, np.ones((len(grid), 1), dtype=np.int64)]), [0] * (d - 1) + [1])


def cube(*, d: int) -> Mapping[str, Any]:
    """The corners of a cube: all of them rays."""
    signs = np.array(list(product((-1, 1), repeat=d - 1)), dtype=np.int64)
    return _told(np.hstack([signs, np.ones((len(signs), 1), dtype=np.int64)]), [0] * (d - 1) + [1])


def moments(*, m: int, d: int) -> Mapping[str, Any]:
    """(1, t, t^2, ...): every one a ray of a cyclic polytope."""
    t = np.arange(-(m // 2), m - m // 2, dtype=np.int64)
    return _told(np.stack([t**k for k in range(d)], axis=1), [1] + [0] * (d - 1))


def one_hot(*, classes: int, inputs: int, levels: int) -> Mapping[str, Any]:
    """Kesler's construction: e_target (x) x - e_b (x) x for inputs x with small whole entries and target 0."""
    generator = np.random.Generator(np.random.PCG64(1))
    x = np.hstack([np.ones((levels, 1), dtype=np.int64), generator.integers(0, 3, (levels, inputs - 1))])
    rows = [np.concatenate([v, *[-v * (k == b) for k in range(1, classes)]]) for v in x for b in range(1, classes)]
    return _told(np.array(rows), [2] + [0] * (inputs - 1) + ([1] + [0] * (inputs - 1)) * (classes - 1))


def faces(*, d: int, h: int, m: int) -> Mapping[str, Any]:
    """Small sums of a few Gaussian rays: nearly everything lies on a low face."""
    generator = np.random.Generator(np.random.PCG64(2))
    rays = np.hstack([generator.integers(-50, 51, (h, d - 1)), np.full((h, 1), 50)])
    pick = rays[generator.integers(0, h, (m, 3))]
    return _told(np.concatenate([rays, pick[:, :2].sum(axis=1), pick.sum(axis=1)])[:m], [0] * (d - 1) + [1])


def _cases(name: str, make: Any, twin: Any, *, sizes: Mapping[str, int | str]) -> list[Case]:
    peers = ("ours_rays", "daqp_minrep")
    return [
        Case(name=name, sizes=sizes, make=make, peers=(*peers, "cdd_gmp"), seconds=20.0),
        Case(name=f"{name}: generic twin", sizes=sizes, make=twin, peers=peers, seconds=20.0),
    ]


FAMILY = Family(
    "degenerate",
    "Degenerate data and generic data of the same d and m and about the same h; compare our seconds in pairs of rows.",
    [
        *_cases(
            "lattice 30^2", lambda: lattice(side=30, d=3), lambda: planted(d=3, m=900, h=4), sizes={"d": 3, "m": 900}
        ),
        *_cases(
            "lattice 12^4",
            lambda: lattice(side=12, d=5),
            lambda: planted(d=5, m=20_736, h=16),
            sizes={"d": 5, "m": 20_736},
        ),
        *_cases(
            "lattice 4^7",
            lambda: lattice(side=4, d=8),
            lambda: planted(d=8, m=16_384, h=128),
            sizes={"d": 8, "m": 16_384},
        ),
        *_cases("cube 2^11", lambda: cube(d=12), lambda: gaussian(d=12, m=2_048), sizes={"d": 12, "m": 2_048}),
        *_cases(
            "moment curve", lambda: moments(m=2_000, d=5), lambda: gaussian(d=12, m=2_000), sizes={"d": 5, "m": 2_000}
        ),
        *_cases(
            "Kesler 4 x 6",
            lambda: one_hot(classes=4, inputs=6, levels=600),
            lambda: gaussian(d=24, m=700),
            sizes={"d": 24, "m": 700},
        ),
        *_cases(
            "on faces",
            lambda: faces(d=8, h=100, m=10_000),
            lambda: planted(d=8, m=10_000, h=100),
            sizes={"d": 8, "m": 10_000},
        ),
    ],
)
