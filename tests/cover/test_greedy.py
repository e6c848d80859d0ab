"""Greedy covers: what they cost, what they promise, in which order they choose."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given

from hornbook.cover import CoverProblem, Leaf, Limits, greedy_cover, greedy_guarantee, minimum_cover, proof_bound
from hornbook.cover import _linear as linear_module
from hornbook.cover._linear import linear_leaf
from hornbook.proposals import FloatArray, Guess, Row
from tests.cover.covers import assert_covers, cheapest, cycle, greedy_trap, problem, problems


@given(problems(most=3))
def test_greedy_keeps_its_promise(problem: CoverProblem) -> None:
    """At most H(largest unit) times the proved bound, which is at most the minimum."""
    cover = greedy_cover(problem)
    assert_covers(problem, cover)
    assert cover.lower_bound <= cheapest(problem) <= cover.cost
    assert cover.cost <= greedy_guarantee(problem) * cover.lower_bound


@pytest.mark.parametrize(("q", "ratio"), [(2, Fraction(3, 2)), (3, Fraction(11, 6)), (4, Fraction(25, 12))])
def test_the_guarantee_is_reached(q: int, ratio: Fraction) -> None:
    """Units of q rays: greedy takes H(q) times the minimum, which the proof of the minimum confirms."""
    trap = greedy_trap(q)
    greedy, least = greedy_cover(trap), minimum_cover(trap)
    assert_covers(trap, greedy)
    assert_covers(trap, least)
    assert least.is_minimum
    assert greedy.cost / least.cost == ratio == greedy_guarantee(trap)
    assert not greedy.is_minimum


class Silent:
    """A solver that has no numbers to show."""

    def add(self, rows: Sequence[Row]) -> None:
        """Nothing is asked of it but a guess."""

    def guess(self, lower: FloatArray, upper: FloatArray, *, seconds: float | None = None) -> Guess | None:
        return None


def test_weights_come_from_the_solver_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cycle has nothing to reduce: its weights are halves, and without a solver, or if it is too large, there are
    none; a path reduces to nothing, and needs no solver."""
    circle, path = problem(cycle(5)), problem([(0,), (0, 1), (1, 2), (2,)])
    halves = Leaf(tuple((ray, Fraction(1, 2)) for ray in range(5)))
    assert linear_leaf(circle) == halves
    assert linear_leaf(circle, relaxation=lambda program: Silent()) is None
    paid = linear_leaf(path, relaxation=lambda program: Silent())
    assert paid is not None
    assert proof_bound(path, paid) == 2
    monkeypatch.setattr(linear_module, "_LARGEST", 9)
    assert linear_leaf(circle) is None


def test_ties_go_to_the_lowest_index() -> None:
    """All three units of the triangle are as good."""
    assert greedy_cover(problem([(0, 1), (0, 2), (1, 2)])).chosen == (0, 1)


def test_what_costs_nothing_comes_first_and_leaves_when_not_needed() -> None:
    """Unit 1 is free; so is unit 2, which unit 3 makes superfluous in the end (of equal cost the later goes)."""
    cover = greedy_cover(problem([(0, 1, 2), (2,), (0,), (0, 1)], costs=[5, 0, 0, 1]))
    assert cover.chosen == (1, 3)
    assert cover.cost == cover.lower_bound == 1


def test_superfluous_units_are_left_out() -> None:
    """Greedy takes (1, 2) first, then both ends, which do without it."""
    cover = greedy_cover(problem([(1, 2, 4, 5), (0, 1, 2), (3, 4, 5)]))
    assert cover.chosen == (1, 2)


def test_nothing_to_cover() -> None:
    """No ray: the empty cover, at no cost."""
    nothing = CoverProblem(0, (), ())
    assert greedy_cover(nothing, limits=Limits(nodes=0)).is_minimum
    assert greedy_guarantee(nothing) == 0
