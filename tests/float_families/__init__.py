"""Families of float problems whose truth is known by construction, with what may be answered.

`draw("ladder", 7, seed=0)` is the eighth instance of a family, always the same one, told in one of the variants of
`retold` by turns.  Names that begin with N follow the numeric families of the exact tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.float_families import edges, ladders, oracle, planted, polygons, scales
from tests.float_families.cases import FloatCase
from tests.float_families.retold import RETOLD

__all__ = ["FAMILIES", "draw", "instance_number"]

FAMILIES: dict[str, Callable[[Random], FloatCase]] = {
    "N9 thin margin": ladders.thin_margin,
    "N10 near-parallel": ladders.near_parallel,
    "N11 bumps": ladders.bump,
    "N13 rational factors": planted.rational_factors,
    "N14 factors .1 3 7": planted.float_factors,
    "N15 powers of two": planted.powers_of_two,
    "N16 column units": scales.column_units,
    "N17 row lengths": scales.row_lengths,
    "N18 tiny entries": ladders.tiny_entries,
    "N18 wide range": ladders.wide_range,
    "N21 float32": scales.float32,
    "N21 float16": scales.float16,
    "N22 subnormals": scales.subnormals,
    "N23 huge": scales.huge,
    "N24 absorption": scales.absorption,
    "N25 negative zero": edges.negative_zero,
    "N26 not finite": edges.not_finite,
    "simplicial": planted.simplicial,
    "paraboloid": planted.paraboloid,
    "box": planted.box,
    "points on faces": planted.on_faces,
    "matrix products": planted.products,
    "random cones": oracle.random_cones,
    "conflict": edges.conflict,
    "cancellation": edges.cancellation,
    "k-gon": polygons.whole,
    "fine arc": polygons.fine_arc,
    "tower": polygons.tower,
    "interior chain": ladders.interior_chain,
    "chain at a ray": ladders.chain_at_a_ray,
}


def draw(family: str, index: int, *, seed: int) -> FloatCase:
    """Instance `index` of a family: a function of its arguments only."""
    rng = Random(f"{seed}/{family}/{index}")
    way = list(RETOLD)[index % len(RETOLD)]
    case = RETOLD[way](FAMILIES[family](rng), rng)
    return replace(case, family=family, name=f"{family}, index {index}, seed {seed}, {way}")


def instance_number(number: int, *, seed: int) -> FloatCase:
    """All families in turn."""
    index, place = divmod(number, len(FAMILIES))
    return draw(list(FAMILIES)[place], index, seed=seed)
