"""Minimum covers: right, proved, the same every time, and honest when stopped."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.cover import (
    COVER_SOLVERS,
    Branch,
    Cover,
    CoverProblem,
    Leaf,
    Limits,
    SetBound,
    Unreachable,
    greedy_cover,
    minimum_cover,
)
from hornbook.cover import _minimum as minimum_module
from hornbook.cover import _search as search_module
from hornbook.cover._proofs import count_leaves, leaves, rename
from hornbook.proposals import FloatArray, Guess, LinearProgram, Row, highs_relaxation
from tests.cover.covers import assert_covers, branching, cheapest, cycle, problem, problems, tower, triangle, triples

ONE = Fraction(1)


def random_problem(seed: int, *, rays: int, units: int, size: int, costs: int = 1) -> CoverProblem:
    draw = random.Random(seed)
    some = {tuple(sorted(draw.sample(range(rays), size))) for _ in range(units)}
    some |= {(ray,) for ray in set(range(rays)) - {ray for unit in some for ray in unit}}
    return problem(sorted(some), costs=[draw.randint(1, costs) for _ in some])


def assert_minimum(problem: CoverProblem, cover: Cover) -> None:
    assert_covers(problem, cover)
    assert cover.is_minimum
    assert cover.complete
    assert not cover.interrupted


@settings(max_examples=1500)
@given(problems())
def test_the_minimum_is_found_and_proved(problem: CoverProblem) -> None:
    """Against dynamic programming, with the proof read by the book."""
    cover = minimum_cover(problem)
    assert_minimum(problem, cover)
    assert cover.cost == cheapest(problem)


@settings(max_examples=500)
@given(problems(rays=6, units=10, most=3))
def test_the_minimum_with_demands_is_found_and_proved(problem: CoverProblem) -> None:
    """Rays that several different units must show, among them equal ones."""
    cover = minimum_cover(problem)
    assert_minimum(problem, cover)
    assert cover.cost == cheapest(problem)


@given(problems(most=3), st.sampled_from(sorted(COVER_SOLVERS)))
def test_every_solver_brackets_the_minimum(problem: CoverProblem, name: str) -> None:
    """Also when no node may be searched."""
    cover = COVER_SOLVERS[name](problem, limits=Limits(nodes=0))
    assert_covers(problem, cover)
    assert cover.lower_bound <= cheapest(problem) <= cover.cost


class Noise:
    """A proposer that talks nonsense."""

    def __init__(self, program: LinearProgram, seed: int) -> None:
        self._variables, self._rows = len(program.cost), len(program.rows)
        self._random = np.random.default_rng(seed)

    def add(self, rows: Sequence[Row]) -> None:
        self._rows += len(rows)

    def guess(self, lower: FloatArray, upper: FloatArray, *, seconds: float | None = None) -> Guess | None:
        kind = int(self._random.integers(4))
        return Guess(self._numbers(kind, self._variables), self._numbers(kind, self._rows)) if kind else None

    def _numbers(self, kind: int, count: int) -> FloatArray:
        if kind == 1:
            return self._random.normal(size=count)
        if kind == 2:
            return self._random.random(count)
        return self._random.choice([np.nan, np.inf, -np.inf, 1e308, 0.0, 0.5], count)


@pytest.mark.parametrize("seed", range(300))
def test_a_proposer_that_talks_nonsense_costs_time_only(seed: int) -> None:
    """Random, infinite, missing numbers: the answer is the minimum, and proved, all the same."""
    draw = random.Random(seed)
    whole = random_problem(seed, rays=draw.randint(4, 8), units=14, size=3, costs=draw.choice([1, 1, 5]))
    cover = minimum_cover(whole, relaxation=lambda program: Noise(program, seed))
    assert_minimum(whole, cover)
    assert cover.cost == cheapest(whole)


@pytest.mark.parametrize("seed", range(20))
def test_both_solvers_of_relaxations_lead_to_the_minimum(seed: int) -> None:
    """Exact pivots and HiGHS, on problems small enough for the oracle."""
    whole = random_problem(seed, rays=9, units=20, size=3, costs=1 + seed % 4)
    for relaxation in (None, highs_relaxation):
        cover = minimum_cover(whole, relaxation=relaxation)
        assert_minimum(whole, cover)
        assert cover.cost == cheapest(whole)


@pytest.mark.parametrize("n", [3, 5, 7, 11, 101, 1001])
def test_odd_cycles_close_without_branching(n: int) -> None:
    """One odd set says (n+1)/2 where the relaxation says n/2."""
    cover = minimum_cover(problem(cycle(n)))
    assert_minimum(problem(cycle(n)), cover)
    assert cover.cost == (n + 1) // 2
    assert isinstance(cover.proof, Leaf)


def test_odd_cycles_side_by_side_need_no_rounding() -> None:
    """Forty pentagons: halves would lose twenty units in all, sets lose none."""
    whole = problem([unit for place in range(40) for unit in cycle(5, first=5 * place)])
    cover = minimum_cover(whole)
    assert_minimum(whole, cover)
    assert cover.cost == 120
    assert isinstance(cover.proof, Leaf)


def test_pieces_that_relied_on_rounding_are_redone() -> None:
    """Each of several STS9 needs 5 and has a relaxation below: the sum is rounded only once."""
    system = triples(9)
    two = problem([*system, *(tuple(12 + ray for ray in unit) for unit in system)])
    cover = minimum_cover(two)
    assert_minimum(two, cover)
    assert cover.cost == 10


def test_a_joint_proof_that_would_grow_too_large_gives_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces that branch multiply; beyond the limit a piece falls back to its first bound, and says so."""
    monkeypatch.setattr(minimum_module, "_MOST_LEAVES", 1)
    whole = problem(triples(9))
    cover = minimum_cover(whole)
    assert_covers(whole, cover)
    assert cover.cost == 5
    assert not cover.is_minimum
    assert not cover.complete


def test_towers_reduce_to_nothing() -> None:
    """Every s with 2s > n, each proved by a ray of its own with weight one."""
    cover = minimum_cover(tower(120))
    assert cover.cost == cover.lower_bound == 60
    assert isinstance(cover.proof, Leaf)
    assert {weight for _, weight in cover.proof.weights} == {ONE}
    assert_minimum(tower(30), minimum_cover(tower(30)))


def test_ten_thousand_and_two_single_units() -> None:
    """A relative gap of 1e-4 would be off by one here."""
    whole = problem([(ray,) for ray in range(10_002)])
    cover = minimum_cover(whole)
    assert cover.cost == cover.lower_bound == 10_002


def test_a_thousand_equal_optima() -> None:
    """Any of a thousand units does; the same one is chosen each time, with a proof of one ray."""
    whole = problem([(0, 1, 2 + unit) for unit in range(1000)], costs=[1] * 1000)
    again = problem([(0, unit) for unit in range(1, 1001)] + [(unit,) for unit in range(1, 1001)])
    for each, cost in ((whole, 1000), (again, 1000)):
        cover = minimum_cover(each)
        assert cover == minimum_cover(each)
        assert cover.cost == cover.lower_bound == cost
    pairs = problem([(ray, 20 + other) for ray in range(20) for other in range(50)])
    cover = minimum_cover(pairs)
    assert cover.cost == cover.lower_bound == 50
    assert cover == minimum_cover(pairs)


def test_steiner_triples() -> None:
    """Five of nine points meet every triple."""
    whole = problem(triples(9))
    cover = minimum_cover(whole)
    assert_minimum(whole, cover)
    assert cover.cost == 5
    assert cover == minimum_cover(whole)


def test_nothing_to_cover() -> None:
    """No ray: nothing is chosen."""
    assert minimum_cover(CoverProblem(0, (), ())) == Cover((), Fraction(0), Fraction(0), Leaf())


def test_fractions_and_steps_of_cost() -> None:
    """With a finer step given the proof may not round up as far, and is extended until it need not."""
    system = triples(9)
    half = Fraction(1, 2)
    for step in (None, half, Fraction(1, 20)):
        whole = CoverProblem(12, tuple(system), (half,) * 9, step)
        cover = minimum_cover(whole)
        assert_minimum(whole, cover)
        assert cover.cost == Fraction(5, 2)


def test_costs_beyond_every_float() -> None:
    """Denominators of 150 and 200 digits: exact pivots do not mind, and HiGHS only loses its good guesses."""
    draw = random.Random(1)
    base = random_problem(3, rays=12, units=30, size=4)
    costs = tuple(Fraction(draw.randint(1, 9), draw.choice([10**150 + 7, 3, 7, 10**200 + 9])) for _ in base.units)
    whole = CoverProblem(base.num_rays, base.units, costs)
    for relaxation in (None, highs_relaxation):
        assert_minimum(whole, minimum_cover(whole, relaxation=relaxation))


def test_a_proof_never_relies_on_rays_it_does_not_mention() -> None:
    """Here the first tree branches on a unit that, on the rays mentioned, is the same as a cheaper one."""
    huge = 10**30
    units = [
        *((0, 1, 4), (0, 2, 5), (0, 3, 7), (0, 4, 6), (0, 4, 7), (0, 5, 6), (0, 7), (1, 2), (1, 2, 7), (1, 5)),
        *((2,), (2, 3), (2, 4, 5), (2, 5, 7), (3, 4), (3, 5), (4, 5, 7), (5,), (6,), (7,)),
    ]
    costs = [1, 1, huge, 3, 1, 1, 3, huge, huge, 3, 3, 3, 3, 1, 3, 3, 1, 3, 1, huge]
    whole = problem(units, costs=costs)
    for seed in range(40):
        cover = minimum_cover(whole, relaxation=lambda program, seed=seed: Noise(program, seed))
        assert_minimum(whole, cover)
        assert cover.cost == 6


def hard() -> CoverProblem:
    """A problem that branches: 60 rays, units of four."""
    return random_problem(0, rays=60, units=300, size=4)


def test_a_limit_of_nodes_gives_the_same_interval_each_time() -> None:
    """Counted in nodes the answer does not depend on the clock."""
    whole = random_problem(1, rays=60, units=150, size=5)
    covers = [minimum_cover(whole, limits=Limits(nodes=nodes)) for nodes in (0, 1, 12, 12)]
    for cover in covers:
        assert_covers(whole, cover)
        assert not cover.complete
        assert not cover.interrupted
    assert covers[2] == covers[3]
    assert covers[0].lower_bound <= covers[1].lower_bound <= covers[2].lower_bound < covers[0].cost
    assert isinstance(covers[2].proof, Branch)
    assert "highspy" in sys.modules


def test_no_time_and_being_told_to_stop_give_an_interval() -> None:
    """Before the first node, or in the middle of one."""
    whole = hard()
    calls = iter(range(10**6))
    for cover in (
        minimum_cover(whole, limits=Limits(seconds=0.0)),
        minimum_cover(whole, stop=lambda: True),
        minimum_cover(whole, stop=lambda: next(calls) > 2),
    ):
        assert_covers(whole, cover)
        assert not cover.complete
        assert cover.lower_bound < cover.cost


def test_progress_tells_how_many_nodes_are_done() -> None:
    """One call for each node, counting up, with a line of text."""
    told: list[tuple[int, str]] = []
    cover = minimum_cover(
        problem(triples(9)), progress=lambda done, line: told.append((done, line)), limits=Limits(seconds=60)
    )
    assert cover.is_minimum
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert "at most 5" in told[-1][1]


@pytest.mark.parametrize("after", [1, 2, 5, 9])
def test_an_interrupt_between_nodes_keeps_what_there_is(after: int) -> None:
    """Ctrl-C at the k-th node: a cover and an interval with its proof."""

    def interrupt(done: int, _: str) -> None:
        if done == after:
            raise KeyboardInterrupt

    whole = problem(triples(9))
    cover = minimum_cover(whole, progress=interrupt)
    assert cover.interrupted
    assert not cover.complete
    assert_covers(whole, cover)
    assert cover.lower_bound < cover.cost


@pytest.mark.parametrize("place", ["reduce_cover", "settle"])
def test_an_interrupt_anywhere_else(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """While reducing nothing is known yet, and the greedy cover is told; a proof cut off is joined again."""
    real, calls = getattr(minimum_module, place), []

    def once(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(minimum_module, place, once)
    whole = problem(triples(9))
    cover = minimum_cover(whole)
    assert cover.interrupted
    assert not cover.complete
    assert_covers(whole, cover)
    assert cover.chosen == greedy_cover(whole).chosen or place == "settle"


def test_an_interrupt_inside_the_solver() -> None:
    """The relaxation raises: the tree is whole without it."""

    class Impatient(Noise):
        def guess(self, lower: FloatArray, upper: FloatArray, *, seconds: float | None = None) -> Guess | None:
            if self._random.integers(3) == 0:
                raise KeyboardInterrupt
            return super().guess(lower, upper, seconds=seconds)

    whole = problem(triples(9))
    for seed in range(10):
        cover = minimum_cover(whole, relaxation=lambda program, seed=seed: Impatient(program, seed))
        assert_covers(whole, cover)
        assert cover.interrupted


def test_small_problems_do_not_load_a_solver() -> None:
    """Not even those that branch."""
    code = (
        "import sys; from tests.cover.covers import problem, triples; from hornbook.cover import minimum_cover; "
        "assert minimum_cover(problem(triples(9))).cost == 5; "
        "assert not {'highspy', 'scipy', 'numba'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize("size", [2, 3, 4])
def test_random_covers_of_some_size_close(size: int) -> None:
    """Pairs by odd sets, triples and quadruples by rounding and few branches; coarse weights where they do."""
    whole = random_problem(size, rays=200 if size == 2 else 40, units=600 if size == 2 else 200, size=size)
    cover = minimum_cover(whole)
    assert_minimum(whole, cover)
    if size == 2:
        assert all(isinstance(leaf, Leaf) for leaf in leaves(cover.proof))
        assert count_leaves(cover.proof) == 1


def test_without_exchanges_the_search_finds_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """A better cover found late closes branches made before."""
    monkeypatch.setattr(search_module, "_EXCHANGES", 0)
    for seed in range(6):
        whole = random_problem(seed, rays=24, units=60, size=4)
        cover = minimum_cover(whole)
        assert_minimum(whole, cover)


def test_without_any_guess_or_exchange_branching_alone_finds_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Down to nodes where everything is shown, or a ray is left that nobody may show."""
    monkeypatch.setattr(search_module, "_EXCHANGES", 0)
    monkeypatch.setattr(Noise, "guess", lambda *_, **__: None)
    for seed in range(60):
        whole = random_problem(seed, rays=8, units=16, size=3, costs=9)
        cover = minimum_cover(whole, relaxation=lambda program, seed=seed: Noise(program, seed))
        assert_minimum(whole, cover)
        assert cover.cost == cheapest(whole)


def test_without_sets_branching_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without sets the answer is the same."""
    monkeypatch.setattr(search_module, "_ROUNDS", 0)
    for seed in range(6):
        whole = random_problem(seed, rays=40, units=90, size=2 + seed % 2)
        assert_minimum(whole, minimum_cover(whole))


def test_proofs_of_a_restricted_problem_are_renamed() -> None:
    """Rays and units get the names they have in the whole."""
    _, proof = branching()
    renamed = rename(proof, units=[5, 6, 7], rays=[10, 20, 30])
    assert renamed == Branch(5, Leaf(((30, ONE),)), Branch(6, Leaf(((20, ONE),)), Unreachable(10)))
    assert rename(Leaf((), (triangle(),)), units=[], rays=[10, 20, 30]) == Leaf((), (SetBound((10, 20, 30), 2, ONE),))


@pytest.mark.parametrize(("name", "least"), [("scp41", 429), ("scp42", 512), ("scp61", 138), ("scpe1", 5)])
def test_published_covers(name: str, least: int) -> None:
    """Beasley's instances: rows, columns, costs, then for each row its columns."""
    folder = os.environ.get("HORNBOOK_DATA")
    if not folder:
        pytest.skip("HORNBOOK_DATA is not set")
    numbers = list(map(int, (Path(folder) / "setcover" / f"{name}.txt").read_text().split()))
    rows, columns = numbers[:2]
    shown: list[list[int]] = [[] for _ in range(columns)]
    place = 2 + columns
    for row in range(rows):
        for column in numbers[place + 1 : place + 1 + numbers[place]]:
            shown[column - 1].append(row)
        place += 1 + numbers[place]
    price: dict[tuple[int, ...], int] = {}
    for unit, cost in zip(map(tuple, shown), numbers[2:], strict=False):
        if unit:
            price[unit] = min(cost, price.get(unit, cost))
    cover = minimum_cover(problem(list(price), costs=list(price.values())))
    assert cover.cost == cover.lower_bound == least
