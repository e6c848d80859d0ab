"""The parts of the cover room, each on its own: reductions, weights, exact pivots, odd sets, exchanges, HiGHS."""

from __future__ import annotations

import random
from fractions import Fraction
from threading import Event

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook import proposals
from hornbook.cover import CoverProblem, Leaf, minimum_cover, proof_bound
from hornbook.cover import _local_search as local_search_module
from hornbook.cover import _odd_sets as odd_sets_module
from hornbook.cover import _packing as packing_module
from hornbook.cover import _reductions as reductions_module
from hornbook.cover._incidence import components, table_of
from hornbook.cover._local_search import Exchange
from hornbook.cover._odd_sets import violated_sets
from hornbook.cover._packing import most_weight
from hornbook.cover._reductions import reduce_cover
from hornbook.cover._weights import Rows, ceilings, denominator, feasible_weights, scale_for
from hornbook.proposals import LinearProgram, Row, highs_relaxation
from tests.cover.covers import cheapest, cycle, problem, problems


def left(whole: CoverProblem) -> tuple[list[int], list[int]]:
    """The units and rays that reductions leave."""
    reduced = reduce_cover(table_of(whole))
    return np.unique(reduced.units).tolist(), np.unique(reduced.rays).tolist()


@given(problems(), st.sampled_from(["_PAIRS", "_MOST", ""]))
def test_reductions_keep_the_minimum_and_the_proof(problem: CoverProblem, limit: str) -> None:
    """What is chosen is paid for by its weights, and what is left costs the rest; also in small pieces of work, or when
    few are asked about."""
    with pytest.MonkeyPatch.context() as patch:
        if limit:
            patch.setattr(reductions_module, limit, 2)
        reduced = reduce_cover(table_of(problem))
    step = problem.step
    paid = sum((problem.costs[unit] for unit in reduced.chosen), Fraction(0))
    weights = Leaf(tuple(sorted((ray, cost * step) for ray, cost in reduced.weights if cost)))
    assert proof_bound(problem, weights) == paid
    units, rays = np.unique(reduced.units).tolist(), np.unique(reduced.rays).tolist()
    if units:
        inner = [tuple(rays.index(ray) for ray in problem.units[unit] if ray in rays) for unit in units]
        assert len(set(inner)) == len(inner)
        part = CoverProblem(len(rays), tuple(inner), tuple(problem.costs[unit] for unit in units))
        paid += cheapest(part)
        assert limit == "_MOST" or left(part) == (list(range(len(units))), list(range(len(rays))))
    assert paid == cheapest(problem)


def test_a_dearer_unit_does_not_dominate() -> None:
    """(0, 1, 2) shows all that (0, 1) shows, but at twice the price."""
    units = [(0, 1), (0, 1, 2), (1, 2), (0, 2)]
    assert left(problem(units, costs=[1, 2, 1, 1])) == ([0, 1, 2, 3], [0, 1, 2])
    assert left(problem(units, costs=[1, 1, 1, 1])) == ([], [])


def test_components_of_a_long_chain() -> None:
    """A cycle of 10,000 rays is one piece, and so is each of two."""
    table = table_of(problem([*cycle(10_000), *cycle(50, first=10_000)]))
    label = components(table.owners(), table.unit_rays, num_rays=table.num_rays)
    assert np.unique(label).tolist() == [0, 10_000]


@given(problems(), st.integers(0, 5), st.sampled_from([1, 2, 60, 1 << 20]))
def test_any_guess_becomes_feasible_and_cannot_be_raised(problem: CoverProblem, seed: int, scale: int) -> None:
    """No unit carries more than it costs, and each ray has a unit without room."""
    table = table_of(problem)
    rows = Rows.of(table.ray_start, table.ray_units, num_units=table.num_units)
    ceiling = ceilings(table.costs, scale=scale)
    guess = np.random.default_rng(seed).normal(size=table.num_rays) * scale * max(table.costs)
    weights = feasible_weights(rows, guess, ceiling=ceiling, active=np.ones(table.num_rays, dtype=np.bool_))
    load = [sum(int(weights[ray]) for ray in unit) for unit in problem.units]
    assert all(carried <= cost * scale for carried, cost in zip(load, table.costs, strict=True))
    full = [carried == cost * scale for carried, cost in zip(load, table.costs, strict=True)]
    assert all(any(full[unit] for unit in table.units_of(ray)) for ray in range(table.num_rays))
    assert min(weights.tolist()) >= 0


def test_scales() -> None:
    """Machine words where they do, never fewer than ten bits behind the point, simple denominators recognised."""
    assert scale_for(1) == 1 << 20
    assert scale_for(1 << 15) == 1 << 15
    assert scale_for(10**30) == 1 << 10
    assert ceilings([1, 2], scale=60).dtype == np.int64
    assert ceilings([1, 10**30], scale=60).dtype == object
    assert denominator(np.array([0.5, 1 / 3, 2.0])) == 6
    assert denominator(np.array([1 / 64, 1 / 63, 1 / 61, 1 / 59, 1 / 53])) == 1


@given(problems())
def test_exact_pivots_reach_the_optimum(problem: CoverProblem) -> None:
    """Feasible weights and feasible fractions of the same value prove each other."""
    table = table_of(problem)
    touches = np.zeros((table.num_units, table.num_rays), dtype=np.int64)
    touches[table.owners(), table.unit_rays] = 1
    costs = np.array(table.costs, dtype=object)
    weights, scale, fractions = most_weight(touches, demand=np.ones(table.num_rays, dtype=np.int64), costs=costs)
    assert all(carried <= cost * scale for carried, cost in zip(touches @ weights, costs, strict=True))
    assert (fractions @ touches > 1 - 1e-9).all()
    value = float(sum(cost * Fraction(x).limit_denominator(10**6) for cost, x in zip(costs, fractions, strict=True)))
    assert value == pytest.approx(float(Fraction(int(weights.sum()), scale)), rel=1e-6)


def test_exact_pivots_beyond_machine_words() -> None:
    """Large costs go on in Python integers; stopped early, weights are still feasible."""
    draw = random.Random(0)
    touches = np.array([[draw.random() < 0.4 for _ in range(12)] for _ in range(40)], dtype=np.int64)
    touches[0] = 1
    costs = np.array([draw.randint(10**11, 10**12) for _ in range(40)], dtype=object)
    ones = np.ones(12, dtype=np.int64)
    best, scale, _ = most_weight(touches, demand=ones, costs=costs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing_module, "_PIVOTS", 1)
        early, early_scale, _ = most_weight(touches, demand=ones, costs=costs)
    for weights, over in ((best, scale), (early, early_scale)):
        assert all(carried <= cost * over for carried, cost in zip(touches @ weights, costs, strict=True))
    assert 0 < Fraction(int(early.sum()), early_scale) < Fraction(int(best.sum()), scale)


def test_violated_sets_of_an_odd_cycle_with_a_tail() -> None:
    """Halves on a pentagon touch its five rays with 5/2 where three units are needed; in a long list too."""
    table = table_of(problem([*cycle(5), (0, 5)]))
    halves = np.array([0.5] * 5 + [1.0])
    assert violated_sets(table, halves) == []  # the tail's whole unit touches the cycle and makes up for it
    assert (0, 1, 2, 3, 4) in violated_sets(table, np.array([0.5] * 5 + [0.0]))
    assert violated_sets(table, np.zeros(6)) == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(odd_sets_module, "_EDGES", 1)
        assert violated_sets(table, np.array([0.5] * 5 + [0.05]))[-2:] == [(0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5)]


def test_exchanges_find_a_cheaper_cover_and_stop_when_told() -> None:
    """From everything to the three units of the pentagon; told to stop, there is nothing yet."""
    table = table_of(problem([*cycle(5), (0,), (1,), (2,)]))
    everything = list(range(8))
    assert len(Exchange(table, everything).run(500, target=3, stop=lambda: False)) == 3
    assert Exchange(table, everything).run(500, target=3, stop=lambda: True) == everything
    search = Exchange(table, everything)
    assert len(search.run(500, target=0, stop=lambda: False)) == 3
    assert not search.recent_gain
    assert len(search.run(500, target=0, stop=lambda: False)) == 3
    alone = table_of(problem([(0,)]))
    assert Exchange(alone, [0]).run(20, target=0, stop=lambda: False) == [0]


@given(problems(most=3), st.booleans())
def test_exchanges_are_the_same_on_lists_and_arrays(problem: CoverProblem, compile_it: bool) -> None:
    """A cover that costs no more than the start, whether the loops run on lists or, as machine code, on arrays."""
    table = table_of(problem)
    start = list(range(table.num_units))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_search_module, "_BATCH", 100)
        plain = Exchange(table, start).run(40, target=0, stop=lambda: False)
        patch.setattr(local_search_module, "_WORTH", 0)
        patch.setattr(local_search_module, "is_compiling", lambda: True)
        if not compile_it:
            patch.setattr(local_search_module, "compiled", lambda kernel: kernel)
        assert Exchange(table, start).run(40, target=0, stop=lambda: False) == plain
    shown = np.bincount([ray for unit in plain for ray in problem.units[unit]], minlength=problem.num_rays)
    assert (shown >= problem.demands).all()


def test_exchanges_begun_on_lists_go_on_in_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once there were so many that it pays."""
    table = table_of(problem(cycle(9)))
    search, whole = Exchange(table, list(range(9))), Exchange(table, list(range(9)))
    monkeypatch.setattr(local_search_module, "_WORTH", 1500)
    for _ in range(3):
        found = search.run(20, target=0, stop=lambda: False)
    monkeypatch.setattr(local_search_module, "_WORTH", 10**9)
    assert found == whole.run(60, target=0, stop=lambda: False)


def triangle_program() -> LinearProgram:
    rows = tuple(Row(np.array([i, (i + 1) % 3]), np.ones(2), 1.0) for i in range(3))
    return LinearProgram(np.ones(3), np.zeros(3), np.ones(3), rows)


def test_highs_guesses_halves_on_a_triangle_until_a_row_is_added() -> None:
    """And the time limit counts from the call, so a limit now does not end a later call."""
    program = triangle_program()
    relaxation = highs_relaxation(program)
    first = relaxation.guess(program.lower, program.upper, seconds=0.0)
    guess = relaxation.guess(program.lower, program.upper)
    assert first is None or first.variables.sum() <= 3
    assert guess is not None
    assert guess.variables.sum() == pytest.approx(1.5)
    assert guess.duals.sum() == pytest.approx(1.5)
    relaxation.add([Row(np.arange(3), np.ones(3), 2.0)])
    guess = relaxation.guess(program.lower, program.upper, seconds=60.0)
    assert guess is not None
    assert guess.variables.sum() == pytest.approx(2.0)


class FakeSolver:
    """Runs until cancelled, and has nothing to show."""

    def __init__(self) -> None:
        self.cancelled = Event()
        self.value_valid = self.dual_valid = False

    def changeColsBounds(self, *arguments: object) -> None:
        pass

    setOptionValue = changeColsBounds

    def run(self) -> None:
        self.cancelled.wait(60)

    def cancelSolve(self) -> None:
        self.cancelled.set()

    def getSolution(self) -> FakeSolver:
        return self


class InterruptedEvent(Event):
    """An event at whose third wait Ctrl-C is pressed."""

    waits = 0

    def wait(self, timeout: float | None = None) -> bool:
        self.waits += 1
        if self.waits == 3:
            raise KeyboardInterrupt
        return super().wait(timeout)


def test_ctrl_c_cancels_the_solver_and_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its thread would go on behind our back, and crash when the process ends."""
    program = triangle_program()
    relaxation = highs_relaxation(program)
    fake = FakeSolver()
    monkeypatch.setattr(relaxation, "_solver", fake)
    monkeypatch.setattr(proposals, "_POLL", 0.001)
    monkeypatch.setattr(proposals, "Event", InterruptedEvent)
    with pytest.raises(KeyboardInterrupt):
        relaxation.guess(program.lower, program.upper)
    assert fake.cancelled.is_set()


def test_a_solver_with_nothing_to_show_gives_no_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    """No status is looked at: either there are numbers or not."""
    program = triangle_program()
    relaxation = highs_relaxation(program)
    fake = FakeSolver()
    fake.cancelled.set()
    monkeypatch.setattr(relaxation, "_solver", fake)
    assert relaxation.guess(program.lower, program.upper) is None


def test_time_runs_out_inside_the_solver() -> None:
    """A relaxation without numbers at the time limit leaves the first bound."""
    draw = random.Random(0)
    units = {tuple(sorted(draw.sample(range(60), 5))) for _ in range(200)}
    whole = problem([*sorted(units), *((ray,) for ray in range(60))])

    class Sleepy:
        def add(self, rows: object) -> None:
            raise AssertionError("nothing to add")

        def guess(self, lower: object, upper: object, *, seconds: float | None = None) -> None:
            told.append(seconds)

    told: list[float | None] = []
    cover = minimum_cover(whole, relaxation=lambda program: Sleepy(), stop=lambda: len(told) > 0)
    assert not cover.complete
    assert told == [None]
