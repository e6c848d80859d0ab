"""Differences and who shows them: exact at any width, and the same however the states are dealt out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.arithmetic import Vectors, narrowed
from hornbook.coverage import Marks, first_shown, see_who_shows, states_showing
from hornbook.differences import collect_differences, same_rows, unique_rows
from hornbook.errors import NotRealizable
from hornbook.problem import TeachingProblem
from hornbook.sources import Batch, Source
from tests.instances import Instance, directions
from tests.referee import teaching_problem
from tests.strategies import problems


class Chunked:
    """A source that hands its states out a few at a time, whatever is asked."""

    def __init__(self, source: Source) -> None:
        self.inner = source
        self.num_states, self.num_actions = source.num_states, source.num_actions
        self.num_features, self.arithmetic, self.counts = source.num_features, source.arithmetic, source.counts

    def read(self, start: int, stop: int) -> Batch:
        return self.inner.read(start, stop)


def is_tied(instance: Instance) -> bool:
    return any(not any(x) for state in directions(instance) for x in state)


@given(problems())
@settings(max_examples=200, deadline=None)
def test_directions_are_those_of_the_definition(instance: Instance) -> None:
    problem = teaching_problem(instance)
    if is_tied(instance):
        with pytest.raises(NotRealizable) as caught:
            collect_differences(problem)
        (term,) = caught.value.conflict
        assert (0,) * instance.width in directions(instance)[int(term.state)]
        return
    found = collect_differences(problem)
    assert found.directions.rows() == sorted({x for state in directions(instance) for x in state})


@given(problems())
@settings(max_examples=100, deadline=None)
def test_coverage_is_that_of_the_definition(instance: Instance) -> None:
    if is_tied(instance):
        return
    problem = teaching_problem(instance)
    own = directions(instance)
    table = sorted({x for state in own for x in state})
    wanted = Vectors.of(table, instance.width).exact
    truth = [tuple(sorted(table.index(x) for x in state)) for state in own]
    coverage = see_who_shows(problem, Marks.each(wanted))
    assert {kind.rays for kind in coverage.kinds} == {rays for rays in truth if rays}
    for kind in coverage.kinds:
        members = [row for row, rays in enumerate(truth) if rays == kind.rays]
        assert kind.count == len(members)
        assert kind.row == min(members, key=lambda row: (problem.cost_of(row), problem.rank_of(row)))
    for i in range(len(table)):
        rows = [row for row, rays in enumerate(truth) if i in rays]
        assert list(states_showing(problem, wanted[[i]])) == rows
        assert first_shown(problem, wanted[[i]])[0][0] == min(rows, key=problem.rank_of)


def test_differences_of_narrow_types_do_not_wrap() -> None:
    for dtype, low, high in ((np.int8, -128, 127), (np.uint8, 0, 255), (np.int64, -(2**63), 2**63 - 1)):
        features = np.array([[[high, low], [low, high]]], dtype=dtype)
        found = collect_differences(TeachingProblem(features=features, target=[0]))
        assert found.directions.rows() == [(1, -1)]
    unsigned = np.array([[[0, 2**64 - 1], [2**64 - 1, 2**64 - 2]]], dtype=np.uint64)
    assert collect_differences(TeachingProblem(features=unsigned, target=[0])).directions.rows() == [(1 - 2**64, 1)]


def test_neighbours_of_two_to_the_53_stay_apart() -> None:
    """2^53 and 2^53 + 1 are one float64; as integers they are not parallel to each other."""
    features = [[[2**53, 1], [0, 0]], [[2**53 + 1, 1], [0, 0]]]
    assert len(collect_differences(TeachingProblem(features=features, target=[0, 0])).directions) == 2


def test_parallel_differences_are_one_direction() -> None:
    rows = [[Fraction(1, 3), Fraction(2, 3)], [7, 14], [Fraction(1, 10**300), Fraction(2, 10**300)], [2**70, 2**71]]
    features = [[row, [0, 0]] for row in rows]
    found = collect_differences(TeachingProblem(features=features, target=[0] * 4))
    assert found.directions.rows() == [(1, 2)]
    assert found.count == 4


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_chunks_change_nothing(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    features = generator.integers(-3, 4, (40, 4, 3))
    features[:, 0, 0] = 9
    names = [f"s{i * 7 % 40}" for i in range(40)]
    whole = TeachingProblem(features=features, target=[0] * 40, state_names=names)
    parts = TeachingProblem(features=features, target=[0] * 40, state_names=names)
    monkeypatch.setattr(parts, "batches", lambda: TeachingProblem.batches(parts, size))
    assert collect_differences(parts).directions.rows() == collect_differences(whole).directions.rows()
    wanted = collect_differences(whole).keys
    assert see_who_shows(parts, Marks.each(wanted)) == see_who_shows(whole, Marks.each(wanted))
    assert first_shown(parts, wanted) == first_shown(whole, wanted)


def test_a_tie_is_named_by_its_first_state_in_id_order() -> None:
    features = [[[1], [1]], [[1], [0]], [[2], [2]]]
    tied = TeachingProblem(features=features, target=[0] * 3, state_names=["z", "y", "x"], action_names=["go", "stop"])
    with pytest.raises(NotRealizable, match="in state x the target and action stop") as caught:
        collect_differences(tied)
    assert len(caught.value.conflict) == 1


@given(st.lists(st.lists(st.sampled_from([0, 1, -5, 2**40, -(2**60), 2**90]), min_size=3, max_size=3), max_size=12))
def test_unique_rows_are_sorted_and_found_again(rows: list[list[int]]) -> None:
    table = narrowed(np.array(rows, dtype=object).reshape(-1, 3))
    distinct, which = unique_rows(table)
    assert [tuple(r) for r in distinct.tolist()] == sorted(set(map(tuple, rows)))
    assert distinct[which].tolist() == rows
    assert same_rows(table, distinct[1:]).tolist() == [w - 1 for w in which.tolist()]


def test_a_source_may_be_anything_that_reads() -> None:
    inner = TeachingProblem(features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]]], target=[0, 0])
    streamed = TeachingProblem.from_source(Chunked(inner.source), identity="x\t1", name="x")
    assert collect_differences(streamed).directions.rows() == [(0, 1), (1, 0)]
    assert streamed.digest != inner.digest
    assert streamed.name == "x"
