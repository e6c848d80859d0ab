"""All cheapest covers: against trying all sets, and where a unit stands in them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings

from hornbook.cover import CoverProblem, Limits, minimum_cover
from hornbook.cover._enumeration import Piece, cheapest_covers
from hornbook.cover._standing import standing
from tests.cover.covers import cycle, problem, problems, tower, triples


def pieces_of(whole: CoverProblem, *, limit: int = 10**6, nodes: int | None = None) -> tuple[Piece, ...]:
    chosen = minimum_cover(whole).chosen
    return cheapest_covers(whole, chosen, limit=limit, limits=Limits(nodes=nodes))


def told(piece: Piece, unit: int, *, nodes: int) -> str:
    """Where a unit stands in the covers of a piece."""
    mine = next((i for i, units in enumerate(piece.choices) if unit in units), None)
    if mine is None:
        return "no"
    return standing(piece, mine, several=len(piece.choices[mine]) > 1, limits=Limits(nodes=nodes))


def expanded(pieces: tuple[Piece, ...]) -> set[tuple[int, ...]]:
    """Every combination of one cover of each piece, and of one unit of each choice."""
    covers: set[tuple[int, ...]] = set()
    for combination in product(*(piece.covers for piece in pieces)):
        parts = [piece.choices[i] for piece, cover in zip(pieces, combination, strict=True) for i in cover]
        covers.update(tuple(sorted(units)) for units in product(*parts))
    return covers


def lean_and_cheapest(whole: CoverProblem) -> set[tuple[int, ...]]:
    """By trying all sets of units."""
    every = range(len(whole.units))
    some = [c for size in range(len(every) + 1) for c in combinations(every, size)]
    covers = {c for c in some if len({ray for unit in c for ray in whole.units[unit]}) == whole.num_rays}
    least = min(whole.costs.total(c) for c in covers)
    cheapest = {c for c in covers if whole.costs.total(c) == least}
    return {c for c in cheapest if not any(tuple(u for u in c if u != unit) in covers for unit in c)}


@settings(max_examples=300)
@given(problems(rays=7, units=9))
def test_all_cheapest_covers_are_found_once(whole: CoverProblem) -> None:
    """No more, no fewer, whatever units cost, and counted without listing them."""
    pieces, truth = pieces_of(whole), lean_and_cheapest(whole)
    assert all(piece.complete for piece in pieces)
    assert expanded(pieces) == truth
    counts = [sum(math.prod(len(p.choices[i]) for i in cover) for cover in p.covers) for p in pieces]
    assert math.prod(counts) == len(truth)


@settings(max_examples=150)
@given(problems(rays=7, units=9, most=1))
def test_where_a_unit_stands(whole: CoverProblem) -> None:
    """In every, in some, in no cheapest cover; past a limit the answer is right or unknown."""
    truth = lean_and_cheapest(whole)
    for limit, nodes in ((10**6, None), (1, None), (10**6, 0)):
        pieces = pieces_of(whole, limit=limit, nodes=nodes)
        for unit in range(len(whole.units)):
            found = next((s for s in (told(p, unit, nodes=50) for p in pieces) if s != "no"), "no")
            times = sum(unit in cover for cover in truth)
            right = "no" if not times else "every" if times == len(truth) else "some"
            assert found == right or (found == "unknown" and not all(p.complete for p in pieces))


@pytest.mark.parametrize(("n", "count"), [(5, 5), (11, 11), (101, 101)])
def test_odd_cycles(n: int, count: int) -> None:
    """One ray is shown twice, and which one decides the cover."""
    (piece,) = pieces_of(problem(cycle(n)))
    assert len(piece.covers) == count


def test_steiner_triples() -> None:
    """The complements of the largest sets of points without a whole line: 54 in the affine plane of order three."""
    assert len(expanded(pieces_of(problem(triples(9))))) == 54


def test_towers_have_one_minimum() -> None:
    """Each s with 2s > n has a ray of its own."""
    pieces = pieces_of(tower(60))
    assert len(pieces) == 30
    assert len(expanded(pieces)) == 1


def test_a_million_covers_are_counted_by_pieces() -> None:
    """Twenty rays, each shown by two units: two to the twentieth."""
    pieces = pieces_of(CoverProblem(20, [(ray // 2,) for ray in range(40)], [1] * 40))
    assert [len(piece.choices[0]) for piece in pieces] == [2] * 20


def test_past_a_limit_the_known_cover_is_among_them() -> None:
    """No node at all, and one cover only."""
    whole = problem(cycle(9))
    (stopped,) = pieces_of(whole, nodes=0)
    assert not stopped.complete
    assert expanded((stopped,)) == {minimum_cover(whole).chosen}
    (short,) = pieces_of(whole, limit=2)
    assert not short.complete
    assert len(short.covers) in (2, 3)


def test_what_costs_nothing_may_be_undecided() -> None:
    """A unit that costs nothing may be idle in the cheapest cover found, which says nothing about lean ones."""
    whole = problem([(0, 1, 2), (0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)], costs=[0] * 8)
    pieces = pieces_of(whole, nodes=0)
    assert "unknown" in [told(pieces[0], unit, nodes=0) for unit in range(8)]


def test_nothing_to_cover_has_no_piece() -> None:
    """One cover, the empty one."""
    nothing = CoverProblem(0, (), ())
    assert pieces_of(nothing) == ()
    assert Fraction(0) == minimum_cover(nothing).cost
