"""The relaxation of one piece, asked about some of its units only, and about what is decided at a node."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from hornbook.cover import CoverProblem
from hornbook.cover._incidence import IntArray, table_of
from hornbook.cover._lists import order_by
from hornbook.cover._relaxed import Relaxed
from hornbook.cover._tree import Names, Place
from hornbook.proposals import RelaxationMaker, highs_relaxation
from tests.cover.covers import cycle, problem
from tests.cover.test_minimum import random_problem


def relaxed(whole: CoverProblem, *, maker: RelaxationMaker | None = None) -> Relaxed:
    units, rays = tuple(range(len(whole.units))), tuple(range(whole.num_rays))
    names = Names(units, rays, Fraction(1), np.zeros(whole.num_rays, dtype=np.bool_))
    return Relaxed(table_of(whole), names, maker=maker)


def at(whole: CoverProblem, *, taken: tuple[int, ...] = (), refused: tuple[int, ...] = ()) -> Place:
    """The node where these units are decided, at unit costs."""
    free, need = np.ones(len(whole.units), dtype=np.bool_), whole.demands.copy()
    free[[*taken, *refused]] = False
    for unit in taken:
        need[list(whole.units[unit])] -= 1
    return Place(taken, len(taken), free, need)


def bound(relaxation: Relaxed, place: Place) -> Fraction:
    """What the guess there proves, at the finest scale."""
    guess = relaxation.guess(place, seconds=None)
    assert guess is not None
    return relaxation.prove(place, guess, enough=lambda bound: False)[1]


def greedy_core(whole: CoverProblem) -> IntArray:
    """For each ray the first unit that shows it."""
    table = table_of(whole)
    return np.unique(table.ray_units[table.ray_start[:-1]])


@pytest.mark.parametrize("maker", [None, highs_relaxation])
@pytest.mark.parametrize("seed", range(6))
def test_a_core_widens_until_it_bounds_as_much_as_all_units(seed: int, maker: RelaxationMaker | None) -> None:
    """Weights that overload no unit outside the core are as good as those of the whole relaxation."""
    whole = random_problem(seed, rays=20, units=70, size=3)
    place = at(whole)
    core, everything = relaxed(whole, maker=maker), relaxed(whole, maker=maker)
    core.restrict(greedy_core(whole))
    times = 0
    while (guess := core.guess(place, seconds=None)) is not None and core.widen(guess, place):
        times += 1
    assert times > 0
    assert abs(bound(core, place) - bound(everything, place)) < Fraction(1, 1000)
    assert guess is not None
    assert not everything.widen(guess, place)


def test_a_core_that_covers_nothing_any_more_gives_way_to_all_units() -> None:
    """Every ray has two units, one of them in the core; where that one is refused the other one is asked about."""
    whole = CoverProblem(6, [*cycle(6), *cycle(6)], [1] * 12)
    relaxation = relaxed(whole, maker=highs_relaxation)
    relaxation.restrict(np.arange(6))
    guess = relaxation.guess(at(whole, refused=tuple(range(6))), seconds=None)
    assert guess is not None
    assert guess.variables[:6].tolist() == [0.0] * 6
    assert guess.variables[6:].sum() == pytest.approx(3)


def test_a_set_asks_for_nothing_once_all_its_rays_are_shown() -> None:
    """On a cycle of five halves violate the set of all rays, which needs three units, then one, then none."""
    whole = problem(cycle(5))
    relaxation = relaxed(whole)
    guess = relaxation.guess(at(whole), seconds=None)
    assert guess is not None
    assert relaxation.add_sets(guess.variables)
    asked = [relaxation.demands(at(whole, taken=taken))[5:].tolist() for taken in [(), (0, 2), (0, 2, 3)]]
    assert asked == [[3], [1], [0]]
    assert bound(relaxation, at(whole)) == 3


def test_keys_beyond_sixteen_bits_are_ordered_stably() -> None:
    """In the order that a stable sort of whole words gives."""
    keys = np.random.default_rng(0).integers(0, 1 << 20, 5000) & ~0xFFF
    assert order_by(keys, below=1 << 20).tolist() == np.argsort(keys, kind="stable").tolist()
