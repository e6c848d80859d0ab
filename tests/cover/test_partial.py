"""As much as a budget allows: right against brute force, proved by the book, honest when stopped."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.cover import (
    Ceiling,
    CeilingProof,
    Costs,
    Limits,
    PartialCover,
    PartialCoverProblem,
    RaySets,
    Split,
    ceiling_bound,
    cover_within,
    distinct_units,
)
from hornbook.cover._choices import Choices
from hornbook.proposals import highs_relaxation
from tests.cover.covers import COSTS, cycle
from tests.cover.test_minimum import Noise

ONE = Fraction(1)


def partial(
    units: Sequence[Sequence[int]], budget: object, *, costs: Sequence[int] = (), values: Sequence[int] = ()
) -> PartialCoverProblem:
    """Costs and values of 1 unless given."""
    rays = 1 + max((ray for unit in units for ray in unit), default=-1)
    return PartialCoverProblem(units, costs or [1] * len(units), values or [1] * rays, Fraction(str(budget)))


@st.composite
def partials(draw: st.DrawFn, *, rays: int = 8, units: int = 9) -> PartialCoverProblem:
    """Distinct units of few rays, costs and values of several kinds, and a budget for some of it."""
    count = draw(st.integers(1, rays))
    unit = st.frozensets(st.integers(0, count - 1), min_size=1, max_size=4)
    some = sorted(tuple(sorted(each)) for each in draw(st.lists(unit, max_size=units, unique=True)))
    costs = draw(st.lists(draw(st.sampled_from(COSTS)), min_size=len(some), max_size=len(some)))
    worth = draw(st.sampled_from(COSTS)).filter(bool)
    values = draw(st.lists(worth, min_size=count, max_size=count))
    share = draw(st.fractions(0, 1, max_denominator=4))
    budget = draw(st.integers(0, 5).map(Fraction) | st.just(share * sum(costs, Fraction(0))))
    return PartialCoverProblem(some, costs, values, budget)


def most(problem: PartialCoverProblem) -> Fraction:
    """The best value, by trying all choices."""
    every = range(len(problem.units))
    choices = (some for size in range(len(every) + 1) for some in combinations(every, size))
    return max(worth(problem, some) for some in choices if problem.costs.total(some) <= problem.budget)


def worth(problem: PartialCoverProblem, chosen: Sequence[int]) -> Fraction:
    shown = {ray for unit in chosen for ray in problem.units[unit]}
    return sum((problem.values[ray] for ray in shown), Fraction(0))


def ceiling_by_the_book(problem: PartialCoverProblem, proof: CeilingProof) -> Fraction:
    """What the proof proves, in the words of the interface, with sets and fractions and no regard for speed."""
    shows = [set(rays) for rays in problem.units]
    price = list(problem.costs)

    def walk(node: CeilingProof, taken: frozenset[int], refused: frozenset[int]) -> Fraction:
        left = problem.budget - sum((price[u] for u in taken), Fraction(0))
        if isinstance(node, Ceiling):
            return value(node, taken, refused, left)
        free = {*range(len(shows))} - taken - refused
        assert node.unit in free
        shown = set().union(*(shows[u] for u in taken))
        gone = {u for u in free if shows[u] - shown <= shows[node.unit] and price[u] >= price[node.unit]}
        return max(walk(node.taken, taken | {node.unit}, refused), walk(node.refused, taken, refused | gone))

    def value(node: Ceiling, taken: frozenset[int], refused: frozenset[int], left: Fraction) -> Fraction:
        weight = dict(node.weights)
        assert all(0 < y <= problem.values[ray] for ray, y in weight.items())
        assert node.theta >= 0
        load = [sum((weight.get(ray, Fraction(0)) for ray in rays), Fraction(0)) for rays in shows]
        total = sum(problem.values, Fraction(0)) - sum(weight.values(), Fraction(0)) + node.theta * left
        total += sum((load[u] for u in taken), Fraction(0))
        free = [u for u in range(len(shows)) if u not in taken | refused and price[u] <= left]
        return total + sum((max(Fraction(0), load[u] - node.theta * price[u]) for u in free), Fraction(0))

    raw = walk(proof, frozenset(), frozenset())
    return raw // problem.values.step * problem.values.step


def assert_sound(problem: PartialCoverProblem, found: PartialCover) -> None:
    """What is chosen can be paid and is worth what is told, and the proof proves the bound told."""
    assert list(found.chosen) == sorted(set(found.chosen))
    assert problem.costs.total(found.chosen) == found.cost <= problem.budget
    assert worth(problem, found.chosen) == problem.worth(found.chosen) == found.value <= found.upper_bound
    assert ceiling_by_the_book(problem, found.proof) == found.upper_bound == ceiling_bound(problem, found.proof)


@settings(max_examples=400)
@given(partials())
def test_the_most_is_found_and_proved(problem: PartialCoverProblem) -> None:
    """Against trying all choices."""
    found = cover_within(problem)
    assert_sound(problem, found)
    assert found.is_most
    assert found.complete
    assert not found.interrupted
    assert found.value == most(problem)


@given(partials(), st.integers(0, 2))
def test_a_limit_leaves_a_proved_interval(problem: PartialCoverProblem, nodes: int) -> None:
    """Also when no node may be searched."""
    found = cover_within(problem, limits=Limits(nodes=nodes))
    assert_sound(problem, found)
    assert found.value <= most(problem) <= found.upper_bound
    assert found.complete == found.is_most


@pytest.mark.parametrize("seed", range(200))
def test_a_proposer_that_talks_nonsense_costs_time_only(seed: int) -> None:
    """Random, infinite, missing numbers: the answer is right and proved all the same."""
    draw = random.Random(seed)
    units = sorted({tuple(sorted(draw.sample(range(9), draw.randint(2, 4)))) for _ in range(8)})
    problem = partial(units, draw.randint(1, 6), costs=[draw.randint(1, 3) for _ in units], values=[1] * 9)
    found = cover_within(problem, relaxation=lambda program: Noise(program, seed))
    assert_sound(problem, found)
    assert found.is_most
    assert found.value == most(problem)


def test_a_tree_where_the_relaxation_is_not_tight() -> None:
    """Neighbours on a cycle of seven rays: three show six, and halves of all seven promise as much."""
    problem = partial(cycle(7), 3)
    found = cover_within(problem)
    assert_sound(problem, found)
    assert found.value == 6
    assert found.is_most


def test_a_split_refuses_what_the_unit_can_stand_for() -> None:
    """Refusing (0, 1) refuses (0,) as well, at the same cost; but not a cheaper one."""
    nothing = Ceiling((), Fraction(0))
    above = Ceiling(((0, ONE), (1, ONE), (2, ONE)), Fraction(1))
    same, cheaper = (partial([(0,), (0, 1), (2,)], 1, costs=costs) for costs in ([2, 2, 2], [1, 2, 2]))
    assert ceiling_bound(same, Split(1, nothing, above)) == 3
    assert ceiling_bound(partial([(0,), (0, 1), (2,)], 1), Split(1, above, above)) == 2
    assert ceiling_bound(cheaper, above) == ceiling_by_the_book(cheaper, above)


@pytest.mark.parametrize(
    "proof",
    [
        Split(3, Ceiling((), ONE), Ceiling((), ONE)),
        Split(-1, Ceiling((), ONE), Ceiling((), ONE)),
        Split(0, Split(0, Ceiling((), ONE), Ceiling((), ONE)), Ceiling((), ONE)),
        Split(1, Ceiling((), ONE), Split(0, Ceiling((), ONE), Ceiling((), ONE))),
        Ceiling(((0, Fraction(2)),), ONE),
        Ceiling(((0, Fraction(0)),), ONE),
        Ceiling(((1, ONE), (0, ONE)), ONE),
        Ceiling(((3, ONE),), ONE),
        Ceiling(((0, ONE),), -ONE),
    ],
)
def test_what_is_no_proof(proof: CeilingProof) -> None:
    """Splits on units that are unknown or decided; weights and prices out of range."""
    with pytest.raises(ValueError, match=r"splits on unit|a ceiling needs"):
        ceiling_bound(partial([(0,), (0, 1), (2,)], 2), proof)


@pytest.mark.parametrize(
    ("units", "costs", "values", "budget", "words"),
    [
        ([(0,)], [], [1], 1, "1 units have 0 costs"),
        ([(0,)], [-1], [1], 1, "cannot be negative"),
        ([(0,)], [1], [1], -1, "cannot be negative"),
        ([(0,)], [1], [0], 1, "ray 0 has no positive value"),
        ([(0,), ()], [1, 1], [1], 1, "each unit must show some of the 1 rays"),
        ([(0, 1)], [1], [1], 1, "each unit must show some of the 1 rays"),
    ],
)
def test_what_is_not_a_problem(
    units: list[tuple[int, ...]], costs: list[int], values: list[int], budget: int, words: str
) -> None:
    """Each mistake is named."""
    with pytest.raises(ValueError, match=words):
        PartialCoverProblem(units, costs, values, budget)


def test_numbers_beyond_machine_words() -> None:
    """Costs and values of a hundred digits, where floats have given up."""
    huge = 10**100
    problem = partial([(0, 1), (1, 2), (2,)], 2 * huge, costs=[huge, huge + 1, 1], values=[1, huge, huge**4])
    found = cover_within(problem)
    assert_sound(problem, found)
    assert found.is_most
    assert found.value == 1 + huge + huge**4


def test_distinct_units_are_the_cheapest() -> None:
    """On rays 1 and 2 the first two units are the same; the second is cheaper; the last shows nothing there."""
    sets = RaySets.of([(0, 1), (1,), (1, 2), (0,)])
    units, costs, first = distinct_units(sets, Costs.of([3, 2, 5, 1]), rays=[1, 2], num_rays=3)
    assert (list(units), list(costs), first) == ([(0,), (0, 1)], [2, 5], [1, 2])


def test_nothing_to_show_or_to_pay() -> None:
    """No unit, no ray, no budget."""
    assert cover_within(partial([], 3)).is_most
    free = cover_within(partial([(0, 1), (2,)], 0, costs=[0, 1]))
    assert (free.chosen, free.value, free.is_most) == ((0,), 2, True)


def test_an_exchange_beats_greedy() -> None:
    """Greedy takes the middle four of six and one end; the two halves show all."""
    problem = partial([(1, 2, 3, 4), (0, 1, 2), (3, 4, 5)], 2)
    found = cover_within(problem, limits=Limits(nodes=0))
    assert found.chosen == (1, 2)


def test_at_most_two_hundred_units_are_exchanged() -> None:
    """Of 201 units that could each be exchanged for one worth twice as much, the last stays."""
    poor, rich = [(2 * pair,) for pair in range(201)], [(2 * pair, 2 * pair + 1) for pair in range(201)]
    choices = Choices(partial([*poor, *rich], budget=201))
    found = choices.improved(list(range(201)))
    assert len(found) == 201
    assert choices.worth(found) == 401


def test_known_units_are_a_beginning() -> None:
    """Whatever is known is never lost."""
    problem = partial(cycle(9), 4)
    known = cover_within(problem).chosen
    assert cover_within(problem, limits=Limits(nodes=0), known=known).value >= problem.worth(known)


def test_an_interrupt_keeps_what_is_known() -> None:
    """Ctrl-C at the first question to the solver, and before anything is known."""

    class Interrupting:
        def __init__(self, program: object) -> None:
            raise KeyboardInterrupt

    # Nine rays, three units of four with a common middle each: no simple bound is tight.
    problem = partial([(0, 1, 2, 3), (2, 3, 4, 5), (0, 1, 4, 5), (5, 6, 7, 8)], 2)
    found = cover_within(problem, relaxation=Interrupting)
    assert found.interrupted or found.is_most
    assert_sound(problem, found)
    hard = partial([(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)], 3)
    stopped = cover_within(hard, relaxation=Interrupting)
    assert_sound(hard, stopped)
    assert stopped.interrupted
    assert not stopped.complete


def test_time_that_is_up_leaves_a_bound() -> None:
    """Zero seconds: the greedy choice, and the bound that needs no solver."""
    problem = partial(cycle(30), 9)
    found = cover_within(problem, limits=Limits(seconds=0))
    assert_sound(problem, found)
    assert found.value == found.upper_bound == 18


def test_progress_is_told() -> None:
    """Nodes and what is known."""
    told: list[tuple[int, str]] = []
    hard = partial([(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)], 3)
    cover_within(hard, progress=lambda nodes, text: told.append((nodes, text)), relaxation=highs_relaxation)
    assert told
    assert np.all(np.diff([nodes for nodes, _ in told]) == 1)
