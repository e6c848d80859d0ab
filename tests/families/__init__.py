"""The families N1-N36 of adversarial problems, in exact form, small enough for the oracles.

`draw("N12", 7, seed=0)` is the eighth instance of a family: always the same one, in one of the variants
(plain, permuted, chunked, widened, flipped) by turns.  `FAMILIES` says what each family is; `variants` gives
all variants of an instance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.families import numbers, shapes, small
from tests.families.variants import VARIANTS, variants
from tests.instances import Instance

__all__ = ["FAMILIES", "draw", "instance_number", "variants"]

FAMILIES: dict[str, Callable[[Random], Instance]] = {
    "N1": small.no_state,
    "N2": small.one_difference,
    "N3": small.one_action,
    "N4": small.on_a_line,
    "N5": small.no_feature,
    "N6": small.tie,
    "N7": small.opposites,
    "N8": small.circuit,
    "N9": numbers.thin_margin,
    "N10": numbers.near_parallel,
    "N11": numbers.pushed,
    "N12": numbers.on_the_facet,
    "N13": numbers.multiples,
    "N14": numbers.float_multiples,
    "N15": numbers.powers_of_two,
    "N16": numbers.scaled_columns,
    "N17": numbers.scaled_rows,
    "N18": numbers.tiny_entries,
    "N19": numbers.wide_integers,
    "N20": numbers.narrow_integers,
    "N21": numbers.narrow_floats,
    "N22": numbers.subnormals,
    "N23": numbers.huge_floats,
    "N24": numbers.absorption,
    "N25": small.negative_zero,
    "N26": small.not_finite,
    "N27": small.silent_columns,
    "N28": small.few_vectors,
    "N29": small.rank_one,
    "N30": shapes.grid,
    "N31": shapes.cube,
    "N32": shapes.moments,
    "N33": shapes.filled_simplex,
    "N34": shapes.tower,
    "N35": shapes.diamond,
    "N36": shapes.hard_cover,
}


def draw(family: str, index: int, *, seed: int) -> Instance:
    """Instance `index` of a family: a function of its arguments only."""
    rng = Random(f"{seed}/{family}/{index}")
    variant = list(VARIANTS)[index % len(VARIANTS)]
    instance = VARIANTS[variant](FAMILIES[family](rng), rng)
    return replace(instance, family=family, name=f"{family} index {index} seed {seed} {variant}")


def instance_number(number: int, *, seed: int) -> Instance:
    """All families in turn: numbers 0 to 35 are the first instances of N1 to N36."""
    index, place = divmod(number, len(FAMILIES))
    return draw(list(FAMILIES)[place], index, seed=seed)
