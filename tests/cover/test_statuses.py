"""Units that must, may not or need not be chosen, and rays that must be shown several times, against trying all."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.cover import (
    FREE,
    GIVEN,
    MAY_NOT,
    MUST,
    AskedCover,
    Costs,
    Cover,
    OutOfReach,
    RaySets,
    cover_as_asked,
    greedy_cover,
    minimum_cover,
)
from tests.cover.covers import COSTS


@st.composite
def asked_covers(draw: st.DrawFn) -> AskedCover:
    """A few rays and units, some of which show nothing, with any statuses."""
    rays, count = draw(st.integers(0, 5)), draw(st.integers(0, 7))
    one = st.frozensets(st.integers(0, rays - 1)).map(sorted) if rays else st.just([])
    units = [draw(one) for _ in range(count)]
    kind = draw(st.sampled_from(COSTS))
    costs = Costs.of([draw(kind) for _ in range(count)])
    status = [draw(st.sampled_from([FREE, FREE, FREE, MUST, MAY_NOT, GIVEN])) for _ in range(count)]
    folds = draw(st.integers(1, 3))
    return AskedCover(rays, RaySets.of(units), costs, np.array(status, dtype=np.int64), folds)


def shows_enough(asked: AskedCover, chosen: frozenset[int]) -> bool:
    """Whatever `folds - 1` chosen units get lost, the rest and what is given show every ray."""
    fixed = {ray for unit, rays in enumerate(asked.units) if asked.status[unit] == GIVEN for ray in rays}
    lost = combinations(sorted(chosen), min(asked.folds - 1, len(chosen)))
    kept = ({ray for unit in chosen - set(gone) for ray in asked.units[unit]} for gone in lost)
    return all(fixed | rest >= set(range(asked.num_rays)) for rest in kept)


def cheapest_allowed(asked: AskedCover) -> Fraction | None:
    """The least cost of an allowed choice, by trying all; None if there is none."""
    must = frozenset(np.flatnonzero(asked.status == MUST).tolist())
    free = np.flatnonzero(asked.status == FREE).tolist()
    choices = [must | set(some) for size in range(len(free) + 1) for some in combinations(free, size)]
    return min((asked.costs.total(c) for c in choices if shows_enough(asked, c)), default=None)


@given(asked_covers())
def test_the_choice_is_allowed_and_cheapest(asked: AskedCover) -> None:
    """Losing any units but those given leaves every ray shown; nothing allowed is cheaper; the bound says so."""
    best, found = cheapest_allowed(asked), cover_as_asked(asked, minimum_cover)
    if best is None:
        assert isinstance(found, OutOfReach)
        allowed = [unit for unit in range(len(asked.units)) if asked.status[unit] in (FREE, MUST)]
        assert found.shown == sum(found.ray in asked.units[unit] for unit in allowed) < asked.folds
        return
    assert isinstance(found, Cover)
    assert {MAY_NOT, GIVEN}.isdisjoint(asked.status[list(found.chosen)].tolist())
    assert shows_enough(asked, frozenset(found.chosen))
    assert found.cost == asked.costs.total(found.chosen) == best == found.lower_bound
    greedy = cover_as_asked(asked, greedy_cover)
    assert isinstance(greedy, Cover)
    assert greedy.lower_bound <= best <= greedy.cost


def test_a_proof_is_in_the_names_of_the_whole() -> None:
    """The middle unit may not be chosen, so rays 0 and 2 are paid for by the outer ones."""
    asked = AskedCover(3, RaySets.of([(0,), (0, 1, 2), (2,)]), Costs.equal(3), np.array([FREE, MAY_NOT, FREE]))
    found = cover_as_asked(asked, minimum_cover)
    assert found == OutOfReach(1, 0)
    given_too = AskedCover(3, RaySets.of([(0,), (1,), (2,)]), Costs.equal(3), np.array([FREE, GIVEN, FREE]))
    cover = cover_as_asked(given_too, minimum_cover)
    assert isinstance(cover, Cover)
    assert [ray for ray, _ in cover.proof.weights] == [0, 2]  # type: ignore[union-attr]


@pytest.mark.parametrize("status", [FREE, MUST, MAY_NOT, GIVEN])
def test_without_rays_only_what_must_be_is_chosen(status: int) -> None:
    """A unit that shows nothing is chosen when it must be, and costs what it costs."""
    asked = AskedCover(0, RaySets.of([()]), Costs.of([3]), np.array([status]))
    found = cover_as_asked(asked, minimum_cover)
    assert isinstance(found, Cover)
    assert (found.chosen, found.cost) == (((0,), 3) if status == MUST else ((), 0))
    assert found.is_minimum
