"""Leaving out the fewest states: against every subset, by hand, and with solvers that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbook
from hornbook.arithmetic import exact_number
from hornbook.conflicts import Dropped, _search, drop_conflicts
from hornbook.cover import CoverProblem, Leaf, minimum_cover, proof_bound
from hornbook.differences import collect_differences
from hornbook.errors import ConflictTerm, NotRealizable
from hornbook.problem import TeachingProblem
from hornbook.proposals import Guess
from hornbook.rays import Conflict, _guessed, realize
from hornbook.selection import leave_out


def is_realizable(problem: TeachingProblem) -> bool:
    """By the exact simplex alone, which the search asks only where its solver fails."""
    try:
        return not isinstance(realize(collect_differences(problem).directions), Conflict)
    except NotRealizable:
        return False


def fewest(problem: TeachingProblem) -> int:
    """By trying every set of states, smallest first."""
    rows = range(problem.num_states)
    sizes = (
        k
        for k in range(problem.num_states + 1)
        for out in combinations(rows, k)
        if is_realizable(leave_out(problem, out))
    )
    return next(sizes)


def difference(problem: TeachingProblem, term: ConflictTerm) -> list[Fraction]:
    """Straight from the rows that a checker reads."""
    rows = [row for row in problem.rows() if row[0] == term.state]
    (target,) = [row[5] for row in rows if row[3]]
    (other,) = [row[5] for row in rows if row[1] == term.action]
    return [Fraction(a) - Fraction(b) for a, b in zip(target, other, strict=True)]


def check(problem: TeachingProblem, dropped: Dropped) -> None:
    """What is claimed, recomputed: the rest, the reasons, the conflicts and the bound that they prove."""
    assert is_realizable(dropped.problem)
    assert dropped.problem.num_states == problem.num_states - len(dropped.states)
    for conflict in [*dropped.conflicts, *dropped.reasons.values()]:
        terms = [[t.multiplier * x for x in difference(problem, t)] for t in conflict]
        assert all(t.multiplier > 0 for t in conflict)
        assert [sum(column) for column in zip(*terms, strict=True)] == [0] * problem.num_features
    assert set(dropped.reasons) == set(dropped.states)
    for state, conflict in dropped.reasons.items():
        involved = {t.state for t in conflict}
        assert state in involved
        assert not dropped.is_fewest or involved & set(dropped.states) == {state}
    if dropped.states:
        check_bound(problem, dropped)


def check_bound(problem: TeachingProblem, dropped: Dropped) -> None:
    """A cover of the conflicts by single states costs at least what the proof says of kinds of states."""
    evidence = dropped._evidence
    units = sorted({kind for conflict in evidence.search.conflicts for kind in conflict.kinds})
    hits = [[i for i, c in enumerate(evidence.search.conflicts) if kind in c.kinds] for kind in units]
    cover = CoverProblem(len(evidence.search.conflicts), hits, [len(evidence.kinds.rows[kind]) for kind in units])
    assert proof_bound(cover, dropped.proof) >= dropped.lower_bound


@st.composite
def problems(draw: Any) -> TeachingProblem:
    """Few states over few numbers, so that most contradict each other; floats in some."""
    states, actions, d = draw(st.integers(1, 6)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    size = draw(st.integers(1, 3))
    scale = draw(st.sampled_from([1, 0.1, 0.3]))
    entries = st.lists(st.integers(-size, size), min_size=d, max_size=d)
    table = [[[v * scale for v in draw(entries)] for _ in range(actions)] for _ in range(states)]
    target = [draw(st.integers(0, actions - 1)) for _ in range(states)]
    available = [[a == t or draw(st.booleans()) for a in range(actions)] for t in target]
    return TeachingProblem(features=table, target=target, available=available, exact=draw(st.booleans()))


@settings(max_examples=60, deadline=None)
@given(problems())
def test_the_fewest_of_small_problems(problem: TeachingProblem) -> None:
    """As many as the smallest of all sets of states that will do, and proved."""
    dropped = drop_conflicts(problem)
    assert len(dropped.states) == fewest(problem)
    assert dropped.is_fewest
    check(problem, dropped)


def classes(xs: list[Any], ys: list[Any]) -> TeachingProblem:
    return TeachingProblem.from_classification(xs, ys)


def test_nothing_is_dropped_without_need() -> None:
    """A realizable problem stays the very same."""
    problem = hornbook.environment("six_rays")
    dropped = drop_conflicts(problem)
    assert (dropped.problem, dropped.states, dropped.lower_bound) == (problem, (), 0)
    assert dropped.verdict == "no conflict among 6 states"
    assert dropped.to_dict()["states"] == []


def test_a_tie_goes_at_any_price() -> None:
    """No weights prefer one of two equal vectors; nothing else need go."""
    problem = TeachingProblem(features=[[[1, 2], [1, 2]], [[1, 0], [0, 0]]], target=[0, 0], state_names=["tie", "fine"])
    dropped = drop_conflicts(problem)
    assert (dropped.states, dropped.verdict) == (("tie",), "1 of 2 states left out (the fewest)")
    assert dropped.reasons == {"tie": (ConflictTerm("tie", "1", Fraction(1)),)}


def test_only_ties() -> None:
    """Nothing is left, which is realizable."""
    dropped = drop_conflicts(TeachingProblem(features=[[[0], [0]], [[1], [1]]], target=[0, 1]))
    assert (dropped.states, dropped.problem.num_states) == (("0", "1"), 0)


def test_one_action_everywhere() -> None:
    """No difference, no conflict."""
    dropped = drop_conflicts(TeachingProblem(features=[[[1]], [[2]]], target=[0, 0]))
    assert (dropped.states, dropped.survey.vacuous) == ((), 2)


def test_the_majority_of_equal_rows_stays() -> None:
    """Three say left and two say right of the same features: two go, whatever else there is."""
    problem = classes([[1], [1], [1], [1], [1], [5]], ["left", "left", "left", "right", "right", "right"])
    dropped = drop_conflicts(problem)
    assert dropped.states == ("3", "4")
    assert dropped.is_fewest
    assert dropped.survey.contradictions == (("0", "1", "2", "3", "4"),)
    assert dropped.survey.duplicates == 3
    check(problem, dropped)


def test_one_wrong_label_among_many() -> None:
    """A line of points with one label turned round: that one goes, and the reason names its neighbours."""
    xs = [[x, x * x] for x in range(20)]
    ys = ["low" if x < 10 else "high" for x in range(20)]
    ys[15] = "low"
    problem = classes(xs, ys)
    dropped = drop_conflicts(problem)
    assert len(dropped.states) == 1
    check(problem, dropped)


def test_a_state_against_itself() -> None:
    """Its own preferences cannot be had together: x and -x."""
    problem = TeachingProblem(features=[[[0], [1], [-1]], [[1], [0], [0]]], target=[0, 0])
    dropped = drop_conflicts(problem)
    assert dropped.states == ("0",)
    assert {t.state for t in dropped.reasons["0"]} == {"0"}


def test_float_conflicts_are_those_of_the_stored_numbers() -> None:
    """0.1 + 0.2 is not 0.3 as floats, so these three rows are compatible by a hair; equal ones are not."""
    problem = TeachingProblem(features=[[[0.1], [0.0]], [[0.0], [0.1]], [[0.3], [0.0]]], target=[0, 0, 0])
    assert problem.is_float
    dropped = drop_conflicts(problem.with_tolerances(noise="1/1000", merge="1/2000"))
    assert (dropped.states, dropped.problem.tolerances.noise) == (("1",), Fraction(1, 1000))
    check(problem, dropped)


def test_limits_leave_an_interval() -> None:
    """Random labels: a set that will do, and a bound below it that holds."""
    generator = np.random.default_rng(1)
    xs, ys = generator.integers(-9, 10, size=(26, 2)).tolist(), generator.integers(0, 2, size=26).tolist()
    problem = classes(xs, ys)
    whole = drop_conflicts(problem)
    assert whole.is_fewest
    for limits in ({"round_limit": 1}, {"time_limit": 0.0}, {"round_limit": 4}):
        part = drop_conflicts(problem, **limits)  # type: ignore[arg-type]
        assert part.lower_bound <= len(whole.states) <= len(part.states)
        assert is_realizable(part.problem)
    one = drop_conflicts(problem, round_limit=1)
    assert f"at least {one.lower_bound} must be" in one.verdict
    check(problem, one)


def test_every_step_is_told() -> None:
    """Progress names what is being done."""
    seen: list[str] = []
    drop_conflicts(classes([[0], [1], [2]], ["a", "b", "a"]), progress=lambda stage, done, total: seen.append(stage))
    assert {"seeing who shows what", "looking for conflicts"} <= set(seen)


class Stub:
    """A solver that says whatever it is given."""

    def __init__(self, numbers: Callable[[int], Any]) -> None:
        self._numbers = numbers

    def __call__(self, program: Any) -> Any:
        self._count = len(program.cost)
        return self

    def guess(self, lower: Any, upper: Any, *, seconds: float | None = None) -> Any:
        numbers = self._numbers(self._count)
        return None if numbers is None else Guess(np.asarray(numbers, dtype=np.float64), np.zeros(0))


STUBS: dict[str, Callable[[int], Any]] = {
    "silent": lambda count: None,
    "zero": np.zeros,
    "one": np.ones,
    "random": lambda count: np.random.default_rng(count).normal(size=count),
    "nan": lambda count: np.full(count, np.nan),
}


@pytest.mark.parametrize("name", STUBS)
@settings(max_examples=15, deadline=None)
@given(problem=problems())
def test_a_lying_solver_costs_time_and_not_truth(name: str, problem: TeachingProblem) -> None:
    """The exact simplex finds what the solver does not; what is claimed is true all the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_guessed, "highs_relaxation", Stub(STUBS[name]))
        dropped = drop_conflicts(problem)
    assert is_realizable(dropped.problem)
    assert dropped.lower_bound <= fewest(problem) <= len(dropped.states)


def test_neither_solver_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many features for exact pivots, and a solver that is silent: everything could go, nothing is claimed."""
    monkeypatch.setattr(_guessed, "highs_relaxation", Stub(STUBS["silent"]))
    monkeypatch.setattr(_search, "_EXACT_DIMENSIONS", 0)
    dropped = drop_conflicts(classes([[0], [1], [2]], ["a", "b", "a"]))
    assert (len(dropped.states), dropped.lower_bound) == (3, 0)
    assert dropped.to_dict()["states"][0] == {"id": "0", "conflict": []}


def test_a_silent_solver_among_realizable_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact arithmetic says that nothing need go."""
    monkeypatch.setattr(_guessed, "highs_relaxation", Stub(STUBS["silent"]))
    dropped = drop_conflicts(hornbook.environment("six_rays"))
    assert (dropped.states, dropped.lower_bound) == ((), 0)


def test_some_reasons_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opposite pairs are found without any solver; of the rest nothing is known."""
    monkeypatch.setattr(_guessed, "highs_relaxation", Stub(STUBS["silent"]))
    monkeypatch.setattr(_search, "_EXACT_DIMENSIONS", 0)
    dropped = drop_conflicts(classes([[0], [0], [1]], ["a", "b", "a"]))
    assert (dropped.states, dropped.lower_bound) == (("0", "1", "2"), 1)
    assert set(dropped.reasons) == {"0", "1"}


def test_many_opposite_pairs_are_not_all_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as the limit says, and the answer is the same."""
    problem = classes([[1]] * 3 + [[2]] * 2 + [[3]], [0, 0, 1, 1, 0, 0])
    whole = drop_conflicts(problem)
    monkeypatch.setattr(_search, "_MOST_PAIRS", 1)
    assert len(drop_conflicts(problem).states) == len(whole.states) == fewest(problem)


def test_an_interrupted_bound_is_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cover keeps what it has on Ctrl-C; here there is nothing to keep."""
    monkeypatch.setattr(_search, "minimum_cover", lambda p, **how: replace(minimum_cover(p, **how), interrupted=True))
    with pytest.raises(KeyboardInterrupt):
        drop_conflicts(classes([[0], [1], [2]], ["a", "b", "a"]))


def test_what_is_left_keeps_names_costs_and_actions() -> None:
    """Ids stay what they were; so do hashes of the same rows."""
    problem = TeachingProblem.from_ragged(
        [[[1, 0], [0, 0]], [[0, 1]], [[2, 1], [1, 1]]],
        [0, 0, 1],
        cost=["1/2", 3, 4],
        state_names=["a", "b", "c"],
        action_names=[["x", "y"], ["z"], ["u", "v"]],
    )
    rest = leave_out(problem, ["a"])
    assert list(rest.rows()) == [row for row in problem.rows() if row[0] != "a"]
    assert list(leave_out(problem, [1, "c"]).rows()) == [row for row in problem.rows() if row[0] == "a"]
    assert list(leave_out(problem, ["a", "b", "c"]).rows()) == []
    some = next(leave_out(hornbook.environment("diamond:3"), ["0-0-3"]).batches(50))
    assert some.features.shape == (50, 3, 2)
    with pytest.raises(hornbook.BadProblem, match="there is no state 'd'"):
        leave_out(problem, ["d"])


def test_a_rest_has_own_batches_with_gaps() -> None:
    """Read in any step, the rows are the same."""
    problem = hornbook.environment("diamond:3")
    rest = leave_out(problem, [0, 5, 6, 100])
    assert rest.num_states == problem.num_states - 4
    for size in (1, 7, 1000):
        read = np.concatenate([batch.features for batch in rest.batches(size)])
        assert np.array_equal(
            read, np.delete(problem.source.read(0, problem.num_states).features, [0, 5, 6, 100], axis=0)
        )


def test_costs_do_not_matter_for_what_is_left_out() -> None:
    """The fewest states, not the cheapest."""
    problem = TeachingProblem.from_classification([[0], [0], [0]], ["a", "b", "b"], cost=[0, 100, "1/3"])
    assert drop_conflicts(problem).states == ("0",)
    assert exact_number(drop_conflicts(problem).problem.cost_of(0)) == 100


def test_a_hitting_set_of_unknown_size_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the cover only says that hitting the conflicts takes one state or more, the set found stays, with that
    bound below it."""
    monkeypatch.setattr(
        _search, "minimum_cover", lambda p, **how: replace(minimum_cover(p), lower_bound=1, proof=Leaf())
    )
    problem = classes([[0], [1], [2], [3], [4], [5]], ["a", "b", "a", "b", "a", "b"])
    dropped = drop_conflicts(problem)
    assert (dropped.lower_bound, dropped.is_fewest) == (1, False)
    assert is_realizable(dropped.problem)
    assert len(dropped.states) >= fewest(problem) > 1
