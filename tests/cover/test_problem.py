"""What is a cover problem, and what is refused with which words."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.cover import Costs, CoverProblem, RaySets, cost_unit
from hornbook.cover import _lists as lists_module
from hornbook.cover._lists import first_of_equal, order_by
from tests.cover.covers import problem, problems

ONE = Fraction(1)


@pytest.mark.parametrize(
    ("rays", "units", "costs", "words"),
    [
        (1, ((0,),), (), "1 units have 0 costs"),
        (1, ((0,),), (-ONE,), "unit 0 has the negative cost -1"),
        (1, ((0,), ()), (ONE, ONE), "unit 1 shows no ray"),
        (2, ((1, 0),), (ONE,), "unit 0 must list rays below 2"),
        (2, ((0, 1), (1, 1)), (ONE, ONE), "unit 1 must list rays below 2"),
        (2, ((0, 1), (2,)), (ONE, ONE), "unit 1 must list rays below 2"),
        (2, ((-1, 0), (1,)), (ONE, ONE), "unit 0 must list rays below 2"),
        (3, ((0,), (2,)), (ONE, ONE), "no unit shows ray 1"),
        (1, (), (), "no unit shows ray 0"),
    ],
)
def test_what_is_not_a_cover_problem(
    rays: int, units: tuple[tuple[int, ...], ...], costs: tuple[Fraction, ...], words: str
) -> None:
    """Each mistake is named with the unit or the ray."""
    with pytest.raises(ValueError, match=words):
        CoverProblem(rays, units, costs)


@pytest.mark.parametrize(
    ("demands", "words"),
    [
        ((1,), "2 rays have 1 demands"),
        ((1, 0), "ray 1 demands 0 units"),
        ((1, 3), "ray 1 demands 3 units, but only 2 show it"),
    ],
)
def test_demands_that_nothing_can_meet(demands: tuple[int, ...], words: str) -> None:
    """Two units show ray 1, one shows ray 0."""
    with pytest.raises(ValueError, match=words):
        CoverProblem(2, [(0, 1), (1,)], [1, 1], demands=demands)


def test_units_and_costs_read_like_sequences() -> None:
    """Arrays underneath: places, slices, and an end."""
    whole = CoverProblem(3, [(0, 1), (2,), (0, 2)], [1, 2, Fraction(1, 2)])
    assert list(whole.units) == [whole.units[0], *whole.units[1:]] == [(0, 1), (2,), (0, 2)]
    assert list(whole.costs) == [whole.costs[0], *whole.costs[1:]] == [1, 2, Fraction(1, 2)]
    assert whole.costs.total([0, 2]) == Fraction(3, 2)
    assert whole.costs.total([]) == 0
    for place in (3, -1):
        with pytest.raises(IndexError, match="there is no set"):
            whole.units[place]
    assert CoverProblem(1, [(0,)] * 3, Costs.equal(3)).costs.counts.tolist() == [1, 1, 1]


@given(st.lists(st.frozensets(st.integers(0, 4), min_size=1), max_size=30), st.booleans())
def test_equal_sets_find_the_first_of_them(sets: list[frozenset[int]], mixed: bool) -> None:
    """Also if different sets should share a sum of mixed numbers."""
    lists = [tuple(sorted(each)) for each in sets]
    with pytest.MonkeyPatch.context() as patch:
        if not mixed:
            patch.setattr(lists_module, "_mixed", lambda numbers: np.zeros(len(numbers), dtype=np.uint64))
        assert first_of_equal(RaySets.of(lists)).tolist() == [lists.index(each) for each in lists]


@pytest.mark.parametrize("below", [1, 2, 1 << 16, (1 << 16) + 1, 1 << 40])
def test_keys_are_ordered_like_numpy_does_it(below: int) -> None:
    """Equal keys stay as they are."""
    keys = np.random.default_rng(0).integers(0, below, 1000)
    keys[500:] = keys[:500]
    assert order_by(keys, below=below).tolist() == np.argsort(keys, kind="stable").tolist()


@pytest.mark.parametrize("step", [Fraction(2), Fraction(2, 3), Fraction(0), Fraction(-1)])
def test_a_step_that_does_not_divide_the_costs(step: Fraction) -> None:
    """Rounding up to such a step would be without licence."""
    with pytest.raises(ValueError, match="not a multiple of the step"):
        CoverProblem(1, ((0,),), (ONE,), step)


def test_a_finer_step_is_kept() -> None:
    """The checker may see further costs, which make the common step finer."""
    assert CoverProblem(1, ((0,),), (ONE,), Fraction(1, 2)).step == Fraction(1, 2)
    assert problem([(0,)], costs=[6]).step == 6


@pytest.mark.parametrize(
    ("costs", "unit"),
    [
        ((), 1),
        ((0, 0), 1),
        ((4, 6), 2),
        ((Fraction(1, 2), Fraction(1, 3)), Fraction(1, 6)),
        ((0, Fraction(6, 5)), Fraction(6, 5)),
    ],
)
def test_the_unit_of_cost(costs: tuple[Fraction, ...], unit: Fraction) -> None:
    """The largest rational that divides every cost."""
    assert cost_unit([Fraction(cost) for cost in costs]) == unit


@given(problems())
def test_every_cost_is_a_multiple_of_the_unit(problem: CoverProblem) -> None:
    """And of no larger one: the multiples have no common divisor."""
    multiples = [cost / cost_unit(problem.costs) for cost in problem.costs]
    assert all(multiple.denominator == 1 for multiple in multiples)
    assert cost_unit(multiples) == 1
