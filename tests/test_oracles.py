"""The test truth itself: three independent oracles, brute force and closed forms agree with each other."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings

from tests import strategies
from tests.brute import by_state, cheapest_cover, cheapest_lesson, possible_actions, teaches, wrong_somewhere
from tests.families import FAMILIES, draw, variants
from tests.families.cones import cone
from tests.instances import (
    BAD,
    Instance,
    by_differences,
    differences,
    directions,
    from_json,
    hand_solved,
    singletons,
    to_json,
)
from tests.oracles import (
    LIBRARIES,
    NOTREAL,
    NoAnswer,
    Oracle,
    Truth,
    each_without,
    nonnegative_solution,
    primitive,
    realizing,
    slow_facet,
    slow_rays,
    solve_inequalities,
)
from tests.referee import Answer, Referee, cone_of, judge, known_cost
from tests.sweep import Mismatch, Tally, compare

SMALL = [i for i in hand_solved() if len(cone_of(i)) <= 16]


@pytest.fixture(scope="module", params=LIBRARIES)
def oracle(request: pytest.FixtureRequest) -> Iterator[Oracle]:
    with Oracle(request.param, timeout=5) as worker:
        ok, why = worker.available()
        if not ok:
            pytest.skip(why)
        yield worker


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with Referee() as both:
        if both.missing():
            pytest.skip("; ".join(both.missing()))
        yield both


def test_a_library_knows_every_hand_solved_instance(oracle: Oracle) -> None:
    """Closed forms and the library agree, in one batch."""
    instances = hand_solved()
    answers = oracle.rays([cone_of(instance) for instance in instances])
    assert {i.name: i.expected for i in instances} == {i.name: a for i, a in zip(instances, answers, strict=True)}


def test_integers_of_any_length_survive_the_pipe(oracle: Oracle) -> None:
    """At a margin of 1e-300 the cone is still pointed, and exactly flat it is not."""
    big = 10**300
    thin = [(big, 1), (-big, 1)]
    assert oracle.rays([thin, [(big, 1), (-big, -1)]]) == [tuple(sorted(thin)), NOTREAL]


def test_zero_vectors_and_no_vectors(oracle: Oracle) -> None:
    """A zero vector is never positive; no vector at all asks for nothing."""
    assert oracle.rays([[(0, 0)], [(0, 0), (1, 2)], []]) == [NOTREAL, NOTREAL, ()]


def test_an_abort_costs_one_answer_and_no_more(oracle: Oracle) -> None:
    """The process dies on the second request; the others are answered by a new one."""
    rows = [["1", "0"], ["0", "1"]]
    before = oracle.restarts
    oracle.start_requests([{"rows": rows}, {"rows": rows, "abort": True}, {"rows": rows}])
    first, second, third = (truth.rays for truth in oracle.finish())
    assert isinstance(second, NoAnswer)
    assert first == third == ((0, 1), (1, 0))
    assert oracle.restarts == before + 1


def test_a_hang_costs_one_answer_and_no_more() -> None:
    with Oracle("ppl", timeout=1) as oracle:
        if not oracle.available()[0]:
            pytest.skip(oracle.available()[1])
        oracle.start_requests([{"rows": [["1"]], "sleep": 60}, {"rows": [["2"]]}])
        hung, fine = (truth.rays for truth in oracle.finish())
    assert isinstance(hung, NoAnswer)
    assert fine == ((1,),)


def test_a_missing_library_is_told_and_not_raised() -> None:
    with Oracle("no such library") as oracle:
        ok, why = oracle.available()
    assert not ok
    assert why


@pytest.mark.parametrize("instance", SMALL, ids=lambda i: i.name)
def test_the_slow_oracle_knows_the_hand_solved_instances(instance: Instance) -> None:
    assert slow_rays(cone_of(instance)) == instance.expected


def test_three_oracles_agree_on_random_cones(referee: Referee) -> None:
    """Random small vectors, pointed and not, with their facets."""
    rng = Random(1)
    cones = [cone(rng, rng.randint(1, 4), count=rng.randint(1, 8), high=2) for _ in range(150)]
    cones += [[tuple(rng.randint(-2, 2) for _ in range(3)) for _ in range(rng.randint(1, 6))] for _ in range(150)]
    referee.start(cones)
    for vectors, verdict in zip(cones, referee.finish(cones), strict=True):
        assert not verdict.complaint
        assert verdict.truth.rays == slow_rays(vectors)
        if verdict.truth.rays != NOTREAL:
            assert verdict.truth.facet == slow_facet(vectors, verdict.truth.rays)


@given(strategies.vectors(d=3))
def test_the_slow_simplex_proves_both_of_its_answers(vectors: list[tuple[int, ...]]) -> None:
    """Farkas: the last vector is a nonnegative combination of the others, or a hyperplane separates it."""
    *columns, right = vectors
    multipliers, w = nonnegative_solution(columns, right)
    if multipliers is None:
        assert all(sum(a * b for a, b in zip(w, x, strict=True)) <= 0 for x in columns)
        assert sum(a * b for a, b in zip(w, right, strict=True)) > 0
    else:
        assert min(multipliers, default=0) >= 0
        sums = [sum(m * x[i] for m, x in zip(multipliers, columns, strict=True)) for i in range(3)]
        assert sums == list(right)


@given(strategies.cones())
def test_a_one_sided_cone_is_realized_and_its_rays_generate_it(vectors: list[tuple[int, ...]]) -> None:
    w = realizing(vectors)
    assert w is not None
    assert all(sum(a * b for a, b in zip(w, x, strict=True)) >= 1 for x in vectors)
    rays = slow_rays(vectors)
    assert all(nonnegative_solution(rays, x)[0] is not None for x in vectors)
    assert all(nonnegative_solution(rest, r)[0] is None for r, rest in zip(rays, each_without(rays), strict=True))


def test_inequalities_without_a_solution() -> None:
    assert solve_inequalities([(1,), (-1,)], [1, 0]) is None
    assert solve_inequalities([(2,), (-1,)], [1, -3]) is not None


def test_primitive_vectors() -> None:
    assert primitive((Fraction(1, 2), Fraction(-3, 4))) == (2, -3)
    assert primitive((0, 0)) == (0, 0)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_tells_the_same_in_every_variant(family: str, referee: Referee) -> None:
    """Order, chunks and types keep the rays; a signed permutation moves them; JSON and seeds reproduce."""
    plain = draw(family, 0, seed=11)
    assert to_json(draw(family, 0, seed=11)) == to_json(plain)
    told = variants(plain, Random(2))
    assert all(repr(from_json(to_json(i))) == repr(i) for i in told.values())
    if plain.expected == BAD:
        assert all(i.expected == BAD for i in told.values())
        return
    flipped = told.pop("flipped")
    assert {tuple(cone_of(i)) for i in told.values()} == {tuple(cone_of(plain))}
    assert len(cone_of(flipped)) == len(cone_of(plain))
    compare(referee, Tally(), instances=[*told.values(), flipped], product=False)


@pytest.mark.parametrize(
    "instance", [i for i in SMALL if i.expected != NOTREAL and i.size and i.size <= 6], ids=lambda i: i.name
)
def test_known_sizes_are_least_covers(instance: Instance) -> None:
    """The size known by argument is the least cover by brute force."""
    assert known_cost(instance, instance.expected) == instance.size


@settings(max_examples=60)
@given(strategies.realizable_problems(max_states=4, max_actions=3))
def test_lemmas_1_and_2_by_brute_force(instance: Instance) -> None:
    """The cheapest teaching set by definition costs what the cheapest cover of the extreme rays costs."""
    cost, subset = cheapest_lesson(by_state(instance), instance.cost)
    assert cost == known_cost(instance, slow_rays(cone_of(instance)))
    assert teaches(by_state(instance), subset)


def test_what_does_not_teach_leaves_a_consistent_learner_that_errs() -> None:
    """In the plane, (1,0) and (1,1) do not teach (0,1); the w found agrees with them and not with it."""
    states = by_state(next(i for i in hand_solved() if i.name == "two rays"))
    assert [teaches(states, [s]) for s in range(3)] == [True, False, False]
    assert teaches(states, [1, 2])
    x, y = wrong_somewhere(states, [1])
    assert x > 0
    assert x + y > 0
    assert y <= 0


def test_possible_actions_of_a_version_space() -> None:
    """Without demonstrations every action can win; shown the first state, nothing but the target can."""
    instance = next(i for i in hand_solved() if i.name == "two rays")
    assert possible_actions(instance, [], state=1) == {0, 1, 2}
    assert possible_actions(instance, [0], state=2) == {0}
    assert possible_actions(instance, [1], state=0) == {0, 2}
    assert possible_actions(by_differences([[(1,)], [(-1,)]], argument="none"), [0, 1], state=0) == set()


@given(strategies.covers())
def test_the_brute_cover_is_a_least_one(cover: tuple[int, list[tuple[int, ...]], list[Fraction]]) -> None:
    """Against all subsets."""
    count, sets, costs = cover
    least = min(
        sum((costs[i] for i in range(len(sets)) if chosen >> i & 1), Fraction(0))
        for chosen in range(1 << len(sets))
        if len(set().union(*(sets[i] for i in range(len(sets)) if chosen >> i & 1))) == count
    )
    assert cheapest_cover(range(count), sets, costs=costs) == least


def test_a_judge_sees_each_kind_of_wrong_answer() -> None:
    """One wrong answer of every kind, and the right one, on the same two instances."""
    fine = singletons(3)
    rays = fine.expected
    truth = Truth(rays)
    right = Answer("OK", rays, (0, 1, 2), Fraction(3), Fraction(3), message="minimum")
    wrong = [
        Answer("NOTREAL"),
        Answer("OK", rays[1:], (0, 1, 2), Fraction(3), Fraction(3)),
        Answer("OK", rays, (0, 1), Fraction(2), Fraction(2)),
        Answer("OK", rays, (0, 1, 2), Fraction(2), Fraction(2)),
        Answer("OK", rays, (0, 1, 2), Fraction(3), Fraction(2)),
        Answer("OK", rays, (0, 1, 2), Fraction(3), Fraction(3), message="interval"),
    ]
    assert judge(fine, right, truth=truth) == ""
    assert all(judge(fine, answer, truth=truth) for answer in wrong)


def test_a_judge_sees_each_kind_of_wrong_conflict() -> None:
    clash = by_differences([[(1, 0)], [(-2, 0)], [(0, 1)]], expected=NOTREAL, conflict_terms=2, argument="")
    truth = Truth(NOTREAL)
    assert judge(clash, _conflict((0, 2), (1, 1)), truth=truth) == ""
    assert judge(clash, _conflict((0, 1), (1, 1)), truth=truth)
    assert judge(clash, _conflict(), truth=truth)
    assert judge(clash, _conflict((0, -2), (1, -1)), truth=truth)
    doubled = by_differences([[(1, 0)], [(-1, 0)], [(2, 0)]], expected=NOTREAL, argument="")
    assert judge(doubled, _conflict((0, 1), (1, 3), (2, 1)), truth=truth)


def _conflict(*terms: tuple[int, int]) -> Answer:
    return Answer("NOTREAL", conflict=tuple((state, 1, Fraction(m)) for state, m in terms))


def test_a_wrong_closed_form_stops_the_sweep(referee: Referee) -> None:
    lie = by_differences([[(1, 0)], [(0, 1)]], expected=((1, 0),), argument="a lie", family="N1")
    with pytest.raises(Mismatch, match="closed form"):
        compare(referee, Tally(), instances=[lie], product=False)


def test_differences_are_exact_for_stored_floats() -> None:
    """0.3 - 0.1 is no float; as binary fractions the difference is exact."""
    instance = Instance((((0.3,), (0.1,)),), (0,), "", 1, dtype="float64", exact=True)
    assert differences(instance) == [[(1, (Fraction(0.3) - Fraction(0.1),))]]
    assert directions(instance) == [{(1,)}]
