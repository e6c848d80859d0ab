"""The rule of the checker: what a proof proves, and which proofs it refuses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.cover import Branch, CoverProblem, Leaf, Proof, SetBound, Unreachable, proof_bound
from hornbook.cover._bounds import settle
from hornbook.cover._proofs import count_leaves, graft
from tests.cover.covers import bound_by_the_book, branching, cheapest, cycle, problem, problems, triangle

ONE, HALF = Fraction(1), Fraction(1, 2)


def test_the_simplest_proof() -> None:
    """As many rays of weight one as units, no two of them shown by one unit."""
    assert proof_bound(problem([(0, 1), (1, 2)]), Leaf(((0, ONE), (2, ONE)))) == 2


def test_halves_on_a_triangle_are_rounded_up() -> None:
    """Three times one half is 3/2; covers cost whole numbers."""
    assert proof_bound(problem(cycle(3)), Leaf(tuple((ray, HALF) for ray in range(3)))) == 2


def test_an_odd_set_needs_no_rounding() -> None:
    """Three rays, at most two at once: two units."""
    assert proof_bound(problem(cycle(3)), Leaf((), (triangle(),))) == 2


def test_an_overload_is_subtracted() -> None:
    """Weights 1, 1 on two rays of one unit prove 1, not 2."""
    assert proof_bound(problem([(0, 1)]), Leaf(((0, ONE), (1, ONE)))) == 1


def test_rounding_knows_the_step() -> None:
    """With costs in thirds a bound goes up to the next third only, and with a finer step given, not even that."""
    thirds = CoverProblem(1, ((0,),), (Fraction(1, 3),))
    weak = Leaf(((0, Fraction(1, 4)),))
    assert proof_bound(thirds, weak) == Fraction(1, 3)
    assert proof_bound(replace(thirds, step=Fraction(1, 12)), weak) == Fraction(1, 4)


def test_cases() -> None:
    """Take (0, 1): ray 2 is left.  Refuse it: take (0, 2), and 1 is left; refuse it too, and nobody shows 0."""
    assert proof_bound(*branching()) == 2


def test_refusing_a_unit_refuses_all_it_could_replace() -> None:
    """Without (0, 1) nothing of (0,) and (1,) at the same cost is needed; a cheaper (0,) stays."""
    proof = Branch(0, Leaf(), Unreachable(0))
    assert proof_bound(problem([(0, 1), (0,)]), Branch(0, Leaf(((0, ONE),)), Unreachable(0))) == 1
    with pytest.raises(ValueError, match="called unreachable"):
        proof_bound(problem([(0, 1), (0,)], costs=[2, 1]), Branch(0, Leaf(((1, ONE),)), Unreachable(0)))
    assert proof_bound(problem([(0,)]), proof) == 1


def test_what_was_taken_counts_as_shown_when_units_are_compared() -> None:
    """Once (0, 1) is taken, (1, 2) shows no more than (2,) that is new, so refusing (2,) refuses it."""
    whole = problem([(0, 1), (2,), (1, 2), (0,)])
    inner = Branch(1, Leaf(), Unreachable(2))
    assert proof_bound(whole, Branch(0, inner, Leaf(((0, ONE), (2, ONE))))) == 2


@pytest.mark.parametrize(
    ("proof", "words"),
    [
        (Leaf(((3, ONE),)), "a ray outside 0..2"),
        (Leaf(((-1, ONE),)), "a ray outside 0..2"),
        (Leaf(((0, -ONE),)), "positive weights"),
        (Leaf(((0, Fraction(0)),)), "positive weights"),
        (Leaf(((1, ONE), (0, ONE))), "increasing rays"),
        (Leaf(((0, ONE), (0, ONE))), "increasing rays"),
        (Leaf((), (replace(triangle(), weight=Fraction(0)),)), "positive weights"),
        (Leaf((), (replace(triangle(), at_most=0),)), "a leaf needs"),
        (Leaf((), (SetBound((), 1, ONE),)), "at least one ray"),
        (Leaf((), (SetBound((1, 0), 2, ONE),)), "increasing rays"),
        (Leaf((), (replace(triangle(), at_most=1),)), "shows more than 1 rays"),
        (Unreachable(0), "called unreachable"),
        (Branch(3, Leaf(((0, ONE),)), Leaf()), "branches on unit 3"),
        (Branch(-1, Leaf(((0, ONE),)), Leaf()), "branches on unit -1"),
        (Branch(0, Branch(0, Leaf(((0, ONE),)), Leaf()), Leaf()), "branches on unit 0"),
        (Branch(0, Leaf(((0, ONE),)), Branch(0, Leaf(), Leaf())), "branches on unit 0"),
        (Branch(0, Leaf(((2, ONE),)), Leaf()), "branches on unit 0"),
    ],
)
def test_proofs_that_break_a_rule(proof: Proof, words: str) -> None:
    """On the triangle, whose units show two rays each; the last proof mentions no ray of the unit it branches on."""
    with pytest.raises(ValueError, match=words):
        proof_bound(problem(cycle(3)), proof)


def test_a_proof_that_there_is_no_cover_is_wrong() -> None:
    """Every cover problem has a cover; where everything is taken, nothing is refused."""
    absurd = Branch(0, Unreachable(0), Unreachable(0))
    with pytest.raises(ValueError, match="called unreachable"):
        proof_bound(problem([(0, 1), (0, 2)]), absurd)


@st.composite
def leaves(draw: st.DrawFn, problem: CoverProblem) -> Leaf:
    """Any weights, overloading or not, and sets with the least `at_most` they allow."""
    ray = st.integers(0, problem.num_rays - 1)
    weight = st.builds(Fraction, st.integers(1, 9), st.integers(1, 5))
    weights = tuple((ray, draw(weight)) for ray in sorted(draw(st.sets(ray))))
    sets = []
    for chosen in draw(st.lists(st.sets(ray, min_size=1), max_size=2)):
        most = max(len(chosen & set(unit)) for unit in problem.units)
        sets.append(SetBound(tuple(sorted(chosen)), most, draw(weight)))
    return Leaf(weights, tuple(sets))


@st.composite
def proofs(draw: st.DrawFn, problem: CoverProblem, depth: int = 3) -> Proof:
    """Any tree: branches need not make sense."""
    if not depth or draw(st.booleans()):
        return draw(leaves(problem))
    unit = draw(st.integers(0, len(problem.units) - 1))
    return Branch(unit, draw(proofs(problem, depth - 1)), draw(proofs(problem, depth - 1)))


@given(st.data())
def test_whatever_is_accepted_is_true(data: st.DataObject) -> None:
    """Any tree, once its idle branches are dropped, is read as the book says and proves no more than the minimum."""
    whole = data.draw(problems(rays=5, units=8, most=2))
    proof = settle(whole, data.draw(proofs(whole)))
    assert settle(whole, proof) == proof
    assert proof_bound(whole, proof) == bound_by_the_book(whole, proof) <= cheapest(whole)


def test_settling_drops_branches_on_units_that_are_not_free() -> None:
    """On ray 1 alone the units (0, 1) and (1, 2) are the same, so the second branch decides nothing."""
    proof = Branch(0, Leaf(((1, ONE),)), Branch(2, Leaf(), Leaf(((1, ONE),))))
    assert settle(problem(cycle(3)), proof) == Branch(0, Leaf(((1, ONE),)), Leaf(((1, ONE),)))
    assert settle(problem(cycle(3)), Branch(0, Leaf(), Leaf())) == Leaf()


def test_parts_that_share_nothing_are_proved_side_by_side() -> None:
    """The leaves of the one stand below each leaf of the other, and the bounds add up."""
    _, proof = branching()
    both = problem([(0, 1), (0, 2), (1, 2), (3,)])
    joint = graft(proof, Leaf(((3, ONE),)))
    assert count_leaves(joint) == 3
    assert proof_bound(both, joint) == 3
    twice = problem([*cycle(3), *cycle(3, first=3)])
    again = Branch(3, Leaf(((5, ONE),)), Branch(5, Leaf(((4, ONE),)), Unreachable(3)))
    first = Branch(0, Leaf(((2, ONE),)), Branch(2, Leaf(((1, ONE),)), Unreachable(0)))
    assert proof_bound(twice, graft(first, again)) == 4
