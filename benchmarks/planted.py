"""Cones whose rays are known: (x, |x|^2, 1) with distinct x, and positive combinations of them, exact integers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.cases import Case, Family

EXACT, FLOAT = ("cdd_gmp", "lrs_redund"), ("daqp_minrep", "highs_loop")


def planted(*, d: int, m: int, h: int, seed: int = 0) -> Mapping[str, Any]:
    """Distinct primitive directions, sorted, weights and the rows that were planted."""
    from hornbook.arithmetic import primitive
    from hornbook.environments.random_cone import random_cone

    batch = random_cone(d=d, m=m, h=h, seed=seed).source.read(0, m)
    world = random_cone(d=d, m=m, h=h, seed=seed).source.rays
    vectors = np.unique(primitive(batch.features[:, 0]), axis=0)
    rays = {tuple(row) for row in primitive(world).tolist()}
    rows = [i for i, row in enumerate(vectors.tolist()) if tuple(row) in rays]
    return {"vectors": vectors, "weights": np.array([0] * (d - 2) + [1, 1]), "rows": rows}


def _case(d: int, m: int, h: int, *, full: bool) -> Case:
    peers = ["ours_rays", *FLOAT]
    if d <= 5:
        peers.insert(1, "qhull")
    if m <= 1000:
        peers += ["paper_loop"]
    peers += [*EXACT] if m <= 10_000 else []
    return Case(
        name=f"d={d} m={m:,} h={h:,}",
        sizes={"d": d, "m": m, "h": h},
        make=lambda: planted(d=d, m=m, h=h),
        peers=tuple(peers),
        full=full,
        seconds=120.0 if full else 15.0,
        truth=lambda data: list(data["rows"]),
    )


SMALL = [(d, m, h) for d in (3, 5, 8, 16, 32) for m, h in ((1_000, 50), (5_000, 200))]
LARGE = [
    *((d, 10_000, h) for d in (3, 5, 8, 16, 32) for h in (50, 500, 2_500)),
    *((d, 100_000, h) for d in (3, 5, 8, 16) for h in (50, 500, 5_000)),
    *((d, 1_000_000, 200) for d in (3, 5, 8)),
]

FAMILY = Family(
    "planted",
    "Planted rays among positive combinations of them, exact integers. A cell is how many times as long as ours.",
    [_case(*sizes, full=False) for sizes in SMALL] + [_case(*sizes, full=True) for sizes in LARGE],
)
