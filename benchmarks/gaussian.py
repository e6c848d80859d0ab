"""Gaussian cross-sections: (x, 1) with x normal, rounded to a grid; in high dimensions nearly all are rays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.cases import Case, Family


def gaussian(*, d: int, m: int, seed: int = 0) -> Mapping[str, Any]:
    """Distinct primitive directions, sorted, and weights."""
    from hornbook.arithmetic import primitive

    generator = np.random.Generator(np.random.PCG64(seed))
    points = np.rint(generator.standard_normal((m, d - 1)) * 2**20).astype(np.int64)
    vectors = np.unique(primitive(np.hstack([points, np.full((m, 1), 2**20)])), axis=0)
    return {"vectors": vectors, "weights": np.array([0] * (d - 1) + [1])}


def _case(d: int, m: int, *, full: bool) -> Case:
    peers = ["ours_rays", *(["qhull"] if d <= 5 else []), "daqp_minrep", "highs_loop"]
    peers += ["cdd_gmp", "lrs_redund"] if m <= 1_000 else []
    return Case(
        name=f"d={d} m={m:,}",
        sizes={"d": d, "m": m},
        make=lambda: gaussian(d=d, m=m),
        peers=tuple(peers),
        full=full,
        seconds=120.0 if full else 15.0,
    )


SMALL = [(d, m) for d in (3, 5, 8, 16, 32, 64) for m in (1_000, 5_000)]
LARGE = [*((d, 20_000) for d in (3, 5, 8, 16)), (32, 10_000), *((d, 100_000) for d in (3, 5, 8))]

FAMILY = Family(
    "gaussian",
    "Normal points lifted to (x, 1), on a grid of 2^-20. A cell is how many times as long as ours.",
    [_case(*sizes, full=False) for sizes in SMALL] + [_case(*sizes, full=True) for sizes in LARGE],
)
