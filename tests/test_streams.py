"""Streams: the same answer as arrays, and every way in which a function can go wrong told with its state."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook import NotRealizable, environment
from hornbook.errors import BadProblem
from hornbook.problem import TeachingProblem
from hornbook.streams import StreamSource
from hornbook.teaching import teach
from tests.instances import Instance
from tests.referee import teaching_problem
from tests.strategies import problems

Answer = tuple[Any, ...]


def told_by(problem: TeachingProblem) -> Callable[[int, int], Answer]:
    """A function that tells a problem."""

    def ask(start: int, stop: int) -> Answer:
        batch = problem.source.read(start, stop)
        return batch.features, batch.target, batch.available

    return ask


def summary(problem: TeachingProblem) -> Any:
    try:
        lesson = teach(problem)
    except NotRealizable as refusal:
        return refusal.conflict
    return {**lesson.to_dict(), "seconds": {}}, lesson.certificate()


@given(problems(), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_a_stream_is_the_array_that_it_tells(instance: Instance, size: int) -> None:
    """Same lesson, certificate and hash, for exact numbers of any kind, costs, names and blocks."""
    whole = teaching_problem(instance)
    if whole.id_ranks is not None:
        return
    stream = TeachingProblem.from_batches(
        told_by(whole),
        whole.num_states,
        cost=[whole.cost_of(row) for row in range(whole.num_states)] if whole.has_costs else None,
        state_names=[whole.state_id(row) for row in range(whole.num_states)],
        action_names=whole.action_names,  # type: ignore[arg-type]
        batch_size=size,
    )
    assert stream.arithmetic == whole.arithmetic
    assert summary(stream) == summary(whole)


@pytest.mark.parametrize("size", [1, 4, 7, None])
def test_floats_are_streamed_too(size: int | None) -> None:
    """The tower, told as floats: the same labelling, report and certificate."""
    tower = environment("polygon_tower:12")
    features = np.concatenate([batch.features for batch in tower.batches()])
    target = np.full(11, 12)
    names = {"state_names": [str(s) for s in range(2, 13)], "action_names": [str(a) for a in range(1, 14)]}
    whole = TeachingProblem(features=features, target=target, **names)  # type: ignore[arg-type]
    stream = TeachingProblem.from_batches(told_by(tower), 11, batch_size=size, **names)  # type: ignore[arg-type]
    assert stream.arithmetic == "float64"
    assert stream.column_exponents.tolist() == whole.column_exponents.tolist()
    assert summary(stream) == summary(whole)
    taken = TeachingProblem.from_batches(told_by(tower), 11, exact=True, batch_size=size)
    assert taken.arithmetic == "stored"
    assert taken.num_features == 3
    assert stream.with_tolerances(noise="1/1000000000000").tolerances.noise == Fraction(1, 10**12)


@pytest.mark.parametrize("kind", [np.float64, np.float32, object])
def test_whole_floats_are_exact_data(kind: Any) -> None:
    """As in an array: one-hot features and counts are often stored as floats."""
    features = np.array([[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[3, 1], [0, 1]]], dtype=kind)
    stream = TeachingProblem.from_batches(lambda a, b: (features[a:b], np.zeros(b - a, dtype=int)), 3, batch_size=2)
    assert stream.arithmetic == "exact"
    assert summary(stream) == summary(TeachingProblem(features=features, target=[0, 0, 0]))
    features = features.copy()
    features[2, 0, 1] = 0.5
    stream = TeachingProblem.from_batches(lambda a, b: (features[a:b], np.zeros(b - a, dtype=int)), 3, batch_size=2)
    assert stream.arithmetic == ("float64" if kind is object else np.dtype(kind).name)
    assert summary(stream) == summary(TeachingProblem(features=features, target=[0, 0, 0]))


def test_no_state_is_never_asked_for() -> None:
    """And teaches nothing."""
    stream = TeachingProblem.from_batches(lambda a, b: 1 / 0, 0)  # type: ignore[arg-type, return-value]
    assert teach(stream).size == 0


def test_lists_and_columns_of_room_are_told() -> None:
    """Python lists, states with room for different numbers of actions, and names for each."""
    features = [[[1, 0], [0, 0], [0, 0]], [[0, 1], ["1/3", 0], [0, 0]]]
    available = [[1, 1, 0], [1, 1, 1]]
    stream = TeachingProblem.from_batches(
        lambda a, b: (features[a:b], [0] * (b - a), available[a:b]),
        2,
        action_names=[["l", "r"], ["l", "m", "r"]],  # type: ignore[list-item]
        batch_size=1,
    )
    assert list(stream.source.counts) == [2, 3]
    assert stream.source.read(0, 2).features.tolist()[1] == [[0, 1], [Fraction(1, 3), 0], [0, 0]]
    assert len(list(stream.rows())) == 5


GOOD = np.arange(40).reshape(10, 2, 2) * [[[1, 3], [-1, 2]]]


def odd(**changes: Any) -> Callable[[int, int], Answer]:
    """A function that is wrong about state 7, from there on, or every time."""

    def ask(start: int, stop: int) -> Answer:
        features, target = GOOD[start:stop].astype(changes.get("dtype", np.int64)), np.zeros(stop - start, dtype=int)
        if stop > 7:
            for place, value in changes.get("numbers", {}).items():
                features[(max(0, 7 - start), *place)] = value
            target[max(0, 7 - start)] = changes.get("target", 0)
            features = changes.get("features", lambda table: table)(features)
        return features, target

    return ask


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"dtype": float, "numbers": {(1, 0): np.nan}}, "row 7, action 1, feature 0: nan is not finite"),
        ({"dtype": float, "numbers": {(0, 1): np.inf}}, "row 7, action 0, feature 1: inf is not finite"),
        ({"dtype": object, "numbers": {(0, 0): "x"}}, "row 7, action 0, feature 0: 'x' is not a number"),
        ({"target": 2}, "target: row 7 names action 2"),
        (
            {"features": lambda table: table[:, :, :1]},
            r"rows 4 to 7: .* are \[2, 1\], and \[2, 2\] for the first state",
        ),
        ({"features": lambda table: table[:-1]}, r"rows 4 to 7: features: the shape is \(3, 2, 2\); it must be \[4, "),
        ({"features": lambda table: table[:, 0]}, r"rows 4 to 7: features: the shape is \(4, 2\)"),
        (
            {"features": lambda table: table + 0.5},
            "rows 4 to 7: features: there are floats, and integers for the first",
        ),
        ({"features": lambda table: [[1], [2, 3]]}, "rows 4 to 7: features: the lists have different lengths"),
        ({"features": lambda table: table * 1j}, "row 4, action 0, feature 0: complex128 is not a number"),
        (
            {"dtype": float, "features": lambda table: table.astype(np.float32)},
            "rows 4 to 7: features: the floats are float32, and float64 for the first state",
        ),
    ],
)
def test_wrong_answers_are_told_with_the_state(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(BadProblem, match=says):
        teach(TeachingProblem.from_batches(odd(**changes), 10, batch_size=4))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, r"row 0: the function must return \(features, target\) or .*, not a NoneType"),
        (GOOD, "not a ndarray"),
        ((GOOD,), "not a tuple of 1"),
        (5, "not an int"),
        ((GOOD[:1], [0, 0]), r"row 0: target: the shape is \(2,\)"),
        ((GOOD[:1], [0.5]), "row 0: target: entries must be action indices"),
        ((GOOD[:1], [0], [[1, 1, 1]]), "row 0: available: the shape"),
        ((GOOD[:1], [0], [[0, 1]]), "target: row 0 names action 0, which is not available there"),
        ((np.zeros((1, 2, 0)), [0]), r"row 0: features: the shape is \(1, 2, 0\)"),
        ((np.ma.masked_equal(GOOD[:1], 0), [0]), "row 0: features: the array is masked"),
    ],
)
def test_answers_of_another_form_are_refused(answer: Any, says: str) -> None:
    with pytest.raises(BadProblem, match=says):
        teach(TeachingProblem.from_batches(lambda a, b: answer, 1))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"num_states": -1}, "num_states: '-1' is not a whole number"),
        ({"num_states": 1.5}, "num_states: '1.5'"),
        ({"num_states": True}, "num_states: 'True'"),
        ({"num_states": 10, "batch_size": 0}, "batch_size: '0' is not a whole number of at least 1"),
        ({"num_states": 2, "state_names": ["b", "a"]}, "the states of a stream must come in id order"),
        ({"num_states": 2, "noise": 0.1}, "these features are exact"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(BadProblem, match=says):
        TeachingProblem.from_batches(odd(), **arguments)


@pytest.mark.parametrize("size", [1, 3, 10])
def test_a_function_that_raises_names_the_state(size: int) -> None:
    """It is found by halves, and what it raised is kept as the cause."""

    def ask(start: int, stop: int) -> Answer:
        if start <= 6 < stop:
            raise KeyError("no such state")
        return odd()(start, stop)

    with pytest.raises(BadProblem, match="row 6: the function raised KeyError: 'no such state'") as caught:
        teach(TeachingProblem.from_batches(ask, 10, batch_size=size))
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_function_that_dislikes_a_range_is_told_with_the_range() -> None:
    """Here no single state is to blame."""

    def ask(start: int, stop: int) -> Answer:
        if stop - start > 3:
            raise ValueError("too many")
        return odd()(start, stop)

    with pytest.raises(BadProblem, match="rows 0 to 3: the function raised ValueError: too many"):
        teach(TeachingProblem.from_batches(ask, 10, batch_size=8))


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, NotRealizable(())])
def test_what_is_not_the_functions_fault_passes_through(error: Any) -> None:
    def ask(start: int, stop: int) -> Answer:
        raise error

    with pytest.raises(type(error) if isinstance(error, Exception) else error):
        TeachingProblem.from_batches(ask, 10)


@pytest.mark.parametrize("dtype", [np.int64, float, object])
def test_a_second_answer_that_differs_names_the_state(dtype: Any) -> None:
    """A function that counts its calls, say: found when the block is read again, if only one number moved."""
    calls = 0

    def ask(start: int, stop: int) -> Answer:
        nonlocal calls
        calls += 1
        features, target = odd(dtype=dtype)(start, stop)
        if start <= 5 < stop and calls > 4:
            features[5 - start, 1, 0] = calls
        return features, target

    with pytest.raises(BadProblem, match="row 5: the answer is another one when asked again"):
        teach(TeachingProblem.from_batches(ask, 10, batch_size=4))


def test_a_difference_that_does_not_come_back_is_told_with_its_rows() -> None:
    """Targets count as well as features."""
    calls = 0

    def ask(start: int, stop: int) -> Answer:
        nonlocal calls
        calls += 1
        features, target = odd()(start, stop)
        return features, target + (calls == 2)

    stream = TeachingProblem.from_batches(ask, 10, batch_size=4)
    stream.source.read(0, 4)
    stream.source.read(4, 8)
    with pytest.raises(BadProblem, match="rows 0 to 3: the answer is another one when asked again"):
        stream.source.read(0, 1)


def test_one_buffer_for_all_answers_is_harmless() -> None:
    """A function may fill the same array again and again: what it returns is copied before it is asked again."""
    buffer = np.zeros((4, 2, 2), dtype=np.int64)

    def ask(start: int, stop: int) -> Answer:
        buffer[: stop - start] = GOOD[start:stop]
        return buffer[: stop - start], np.zeros(stop - start, dtype=int)

    stream = TeachingProblem.from_batches(ask, 10, batch_size=4)
    blocks = list(stream.batches())
    assert np.concatenate([block.features for block in blocks]).tolist() == GOOD.tolist()
    assert summary(stream) == summary(TeachingProblem(features=GOOD, target=[0] * 10))


def test_each_block_is_asked_for_as_a_whole() -> None:
    """So that one state asks the function what all states of its block did."""
    asked = []

    def ask(start: int, stop: int) -> Answer:
        asked.append((start, stop))
        return odd()(start, stop)

    source = StreamSource.of(ask, 10, exact=False, batch_size=4)
    assert source.read(5, 6).features.tolist() == GOOD[5:6].tolist()
    assert source.read(2, 10).features.tolist() == GOOD[2:].tolist()
    assert asked == [(0, 1), (4, 8), (0, 4), (4, 8), (8, 10)]
