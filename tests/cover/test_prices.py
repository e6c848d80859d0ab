"""Prices for large problems: bounds that hold, cores that cover, and the same minimum on the way through them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings

from hornbook.cover import CoverProblem, Limits, minimum_cover
from hornbook.cover import _prices as prices_module
from hornbook.cover import _search as search_module
from hornbook.cover._budget import Budget
from hornbook.cover._incidence import table_of
from hornbook.cover._prices import exchange_core, first_core, part_of, pick, price_rays
from hornbook.cover._relaxed import Relaxed
from hornbook.cover._tree import Names, Place
from hornbook.proposals import highs_relaxation
from tests.cover.covers import assert_covers, cheapest, cycle, problem, problems
from tests.cover.test_minimum import random_problem


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small problems taken for large ones, in plain Python."""
    monkeypatch.setattr(search_module, "is_compiling", lambda: True)
    monkeypatch.setattr(search_module, "_LARGE", 0)
    monkeypatch.setattr(prices_module, "compiled", lambda kernel: kernel)
    monkeypatch.setattr(prices_module, "_WHOLE", 4)
    monkeypatch.setattr(prices_module, "_PER_RAY", 2)
    monkeypatch.setattr(prices_module, "_LOOKED_AT", 30)


@settings(max_examples=100)
@given(problems(most=2))
def test_prices_prove_less_than_the_minimum(problem: CoverProblem) -> None:
    """Up to the last bits of floats, and of costs beyond floats; and each core covers."""
    table = table_of(problem)
    assume(table.costs.min() > 0)  # what costs nothing is chosen before anything has a price
    lost = Fraction(int(table.costs.max()) * len(table.costs), 1 << 40) * problem.step
    found = price_rays(table, upper=float(table.costs.sum()), budget=Budget(Limits()))
    assert found.value * float(problem.step) <= float(cheapest(problem)) * (1 + 2**-30) + lost
    for core in (found.core, first_core(table), exchange_core(table, found.prices)):
        part, units = part_of(table, core)
        shown = np.bincount(part.unit_rays, minlength=problem.num_rays)
        assert (shown >= problem.demands).all()
        for prices in (found.prices, np.zeros(problem.num_rays)):
            count = np.zeros(problem.num_rays, dtype=np.int64)
            for unit in units[pick(part, prices)].tolist():
                count[list(problem.units[unit])] += 1
            assert (count >= problem.demands).all()


@settings(max_examples=300)
@given(problems())
def test_large_problems_are_solved_like_small_ones(problem: CoverProblem) -> None:
    """The minimum, proved, although the solver sees a core only."""
    cover = minimum_cover(problem)
    assert_covers(problem, cover)
    assert cover.is_minimum
    assert cover.cost == cheapest(problem)


def test_an_exchange_goes_on_while_it_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one exchange for each ray at a time it takes several rounds, and ends after the last of them."""
    monkeypatch.setattr(search_module, "_EXCHANGES", 1)
    monkeypatch.setattr(search_module, "_DOUBLINGS", 2)
    for seed in range(20):
        whole = random_problem(seed, rays=40, units=200, size=4)
        assert_covers(whole, minimum_cover(whole, limits=Limits(nodes=1)))


@pytest.mark.parametrize("seed", range(12))
def test_a_core_widens_until_its_weights_are_feasible_for_all(seed: int) -> None:
    """With HiGHS on the core: sets are added, units come in, the bound is that of all units."""
    whole = random_problem(seed, rays=30, units=150, size=3 + seed % 3, costs=1 + 4 * (seed % 2))
    cover = minimum_cover(whole, limits=Limits(nodes=40))
    assert_covers(whole, cover)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_module, "_LARGE", 10**9)
        assert minimum_cover(whole, limits=Limits(nodes=40)).cost >= cover.lower_bound


def test_no_time_for_prices() -> None:
    """The cover by price, and what raising weights proves."""
    table = table_of(random_problem(1, rays=30, units=150, size=4))
    assert price_rays(table, upper=30.0, budget=Budget(Limits(seconds=0.0))).value > 0
    whole = random_problem(1, rays=30, units=150, size=4)
    calls = iter(range(10**6))
    for after in range(6):
        cover = minimum_cover(whole, stop=lambda after=after: next(calls) > after)  # type: ignore[misc]
        assert_covers(whole, cover)


@pytest.mark.parametrize("gap", [Fraction(1, 8), Fraction(1, 5), Fraction(1)])
def test_a_gap_that_will_do_ends_the_search(gap: Fraction) -> None:
    """The proved interval is no wider than asked for, and need not be closed."""
    whole = random_problem(1, rays=60, units=150, size=5)
    cover = minimum_cover(whole, limits=Limits(gap=gap))
    assert_covers(whole, cover)
    assert cover.lower_bound >= cover.cost * (1 - gap)


def relaxed(whole: CoverProblem) -> Relaxed:
    """Its relaxation, solved by HiGHS however small it is."""
    names = Names(
        tuple(range(len(whole.units))), tuple(range(whole.num_rays)), whole.step, np.zeros(whole.num_rays, dtype=bool)
    )
    return Relaxed(table_of(whole), names, maker=highs_relaxation)


def test_a_core_that_covers_nothing_any_more_gives_way_to_all_units() -> None:
    """Each of two units shows both rays; the core is one of them, and it is refused."""
    asked = relaxed(problem([(0, 1), (0, 1)]))
    asked.restrict(np.array([0]))
    need = np.ones(2, dtype=np.int64)
    guess = asked.guess(Place((), 0, np.array([False, True]), need), seconds=None)
    assert guess is not None
    assert guess.variables.tolist() == [0.0, 1.0]
    asked.restrict(np.array([0]))
    assert asked.guess(Place((), 0, np.array([False, True]), need), seconds=0.0) is None


def test_a_set_whose_rays_are_all_shown_asks_for_nothing() -> None:
    """A triangle needs two units; once all its rays are shown it needs none."""
    asked = relaxed(problem(cycle(3)))
    everywhere = Place((), 0, np.ones(3, dtype=bool), np.ones(3, dtype=np.int64))
    guess = asked.guess(everywhere, seconds=None)
    assert guess is not None
    assert asked.add_sets(guess.variables)
    assert asked.demands(everywhere).tolist() == [1, 1, 1, 2]
    shown = Place((0, 1), 2, np.array([False, False, True]), np.array([0, -1, 0]))
    assert asked.demands(shown).tolist() == [0, 0, 0, 0]
