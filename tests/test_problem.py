"""Problems: what is accepted and how it is named, what is refused and how that is told."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.errors import BadProblem
from hornbook.problem import TeachingProblem, id_order, row_line
from hornbook.sources import KeslerSource
from hornbook.teaching import teach

SQUARE = [[[1, 0], [0, 0]], [[0, 1], [0, 0]]]


def problem(**changes: Any) -> TeachingProblem:
    return TeachingProblem(**{"features": SQUARE, "target": [0, 0], **changes})


def test_ids_are_row_numbers_unless_named() -> None:
    plain = problem()
    assert [plain.state_id(row) for row in range(2)] == ["0", "1"]
    assert plain.action_id(0, 1) == "1"
    assert plain.row_of("1") == plain.row_of(1) == 1
    named = problem(state_names=["b", "a"], action_names=["go", "stop"])
    assert named.row_of("a") == 1
    assert named.rank_of(1) == 0
    assert named.action_id(1, 0) == "go"
    assert repr(named) == "TeachingProblem(2 states, 2 actions, 2 features, exact)"


@pytest.mark.parametrize("state", ["2", "01", "-1", "1.0", "", "9" * 30, "x"])
def test_an_unknown_state_is_named_with_some_that_exist(state: str) -> None:
    with pytest.raises(BadProblem, match="its states are 0, 1"):
        problem().row_of(state)


def test_an_unknown_row_or_name_is_refused() -> None:
    for row in (-1, 2):
        with pytest.raises(BadProblem, match="rows run from 0 to 1"):
            problem().row_of(row)
    with pytest.raises(BadProblem, match="no state 'c'"):
        problem(state_names=["b", "a"]).row_of("c")
    with pytest.raises(BadProblem, match="it has no states"):
        TeachingProblem(features=[], target=[]).row_of("a")
    many = TeachingProblem(features=SQUARE * 3, target=[0] * 6)
    with pytest.raises(BadProblem, match=r"0, 1, 2, \.\.\."):
        many.row_of("x")


@given(st.lists(st.integers(0, 10**20).map(str), unique=True))
def test_decimal_ids_sort_by_number(ids: list[str]) -> None:
    assert [ids[i] for i in id_order(ids)] == sorted(ids, key=int)


def test_other_ids_sort_by_code_point() -> None:
    ids = ["b", "a10", "a9", "Z", "\u00e9"]
    assert [ids[i] for i in id_order(ids)] == ["Z", "a10", "a9", "b", "\u00e9"]
    assert id_order(["07", "7", "\u0667"]) == [0, 1, 2]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": [[1, 2], [3, 4]]}, r"features: the shape is \(2, 2\)"),
        ({"features": [[[1, 0], [0]], [[0, 1], [0, 0]]]}, "from_ragged"),
        ({"features": [np.zeros((2, 2)), np.zeros((2, 3))]}, "from_ragged"),
        ({"features": np.zeros((2, 2, 0))}, "at least one action and one feature"),
        ({"features": np.zeros((2, 0, 2))}, "at least one action and one feature"),
        ({"features": np.full((2, 2, 2), np.nan)}, "features: row 0, action 0, feature 0: nan is not finite"),
        (
            {"features": [[[0.5, 10**400], [0, 0]], SQUARE[1]]},
            "row 0, action 0, feature 1: it is too large for float64",
        ),
        ({"features": [[[0.5, "x"], [0, 0]], SQUARE[1]]}, "row 0, action 0, feature 1: 'x' is not a number"),
        ({"noise": 0.1}, "these features are exact"),
        ({"features": np.full((2, 2, 2), 0.5), "noise": 2}, "noise is 2; it must be at least 0 and below 1"),
        ({"features": np.full((2, 2, 2), 0.5), "merge": "1/2"}, "merge is 0.5; it must be at least 0 and below 1/1024"),
        ({"features": np.full((2, 2, 2), 0.5), "merge": "x"}, "noise or merge: 'x' is not a number"),
        ({"features": np.full((2, 2, 2), 0.5, dtype=np.float16), "merge": 0.1}, "float16 data has no default noise"),
        ({"features": [[[1, "x"], [0, 0]], SQUARE[1]]}, "row 0, action 0, feature 1: 'x' is not a number"),
        ({"features": [[[True, 1], [0, 0]], SQUARE[1]]}, "truth value"),
        ({"features": np.zeros((2, 2, 2), dtype=complex)}, "complex"),
        ({"target": [0]}, "one target for each of 2 states"),
        ({"target": [0, 2]}, "row 1 names action 2; actions run from 0 to 1"),
        ({"target": [-1, 0]}, "row 0 names action -1"),
        ({"target": [0.0, 1.5]}, "whole numbers"),
        ({"target": [0, 1], "available": [[1, 1], [1, 0]]}, "row 1 names action 1, which is not available"),
        ({"available": [[1, 1]]}, "available: the shape"),
        ({"available": [[1, 1], [1, 2]]}, "true or false"),
        ({"cost": [1]}, "1 costs for 2 states"),
        ({"cost": [1, -1]}, "cost of state 1: -1 is negative"),
        ({"cost": [1, "a"]}, "cost of state 1: 'a' is not a number"),
        ({"state_names": ["a"]}, "1 names for 2 states"),
        ({"state_names": ["a", "a"]}, "'a' names both state 0 and state 1"),
        ({"action_names": ["a", "b", "c"]}, "3 names for 2 actions"),
        ({"action_names": [["a", "b"]]}, "1 lists for 2 states"),
        ({"feature_names": ["x", "x"]}, "'x' names both feature 0"),
    ],
)
def test_bad_problems_are_told_where(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadProblem, match=message):
        problem(**changes)


def test_infinite_entries_are_found_even_where_no_action_is() -> None:
    features = np.zeros((1, 2, 1))
    features[0, 1, 0] = np.inf
    with pytest.raises(BadProblem, match="row 0, action 1, feature 0: inf is not finite"):
        TeachingProblem(features=features, target=[0], available=[[1, 0]], exact=True)
    features[0, 0, 0] = 0.5
    with pytest.raises(BadProblem, match="row 0, action 1, feature 0: inf is not finite"):
        TeachingProblem(features=features, target=[0], exact=True)


def test_exact_takes_stored_floats_and_says_so() -> None:
    tenth = TeachingProblem(features=[[[0.1], [0.0]]], target=[0], exact=True)
    assert tenth.arithmetic == "stored"
    batch = next(tenth.batches())
    assert batch.features[0, 0, 0] == Fraction(0.1)
    whole = TeachingProblem(features=[[[1.0], [0.0]]], target=[0], exact=True)
    assert whole.arithmetic == "exact"


def test_big_integers_and_texts_survive_lists() -> None:
    """A list with one number beyond int64 does not turn into floats."""
    big = TeachingProblem(features=[[[2**63 + 1, "1/3"], [0, Fraction(1, 7)]]], target=[0])
    assert next(big.batches()).features.tolist() == [[[2**63 + 1, Fraction(1, 3)], [0, Fraction(1, 7)]]]
    texts = TeachingProblem(features=np.array([[["3"], ["0.5"]]]), target=[0])
    assert next(texts.batches()).features.tolist() == [[[3], [Fraction(1, 2)]]]


@pytest.mark.parametrize("change", [">i8", np.uint8, np.float32, "F", "reversed", "read-only"])
def test_layout_and_type_of_the_array_change_nothing(change: Any) -> None:
    array = np.array(SQUARE)
    if change == "F":
        array = np.asfortranarray(array)
    elif change == "reversed":
        array = array[:, :, ::-1].copy()[:, :, ::-1]
    elif change == "read-only":
        array.setflags(write=False)
    else:
        array = array.astype(change)
    assert problem(features=array).digest == problem().digest


def test_ragged_states_have_their_own_actions() -> None:
    ragged = TeachingProblem.from_ragged(
        [[[1], [0]], [[2], ["1/2"], [0]]], [0, 0], action_names=[["l", "r"], ["x", "y", "z"]], state_names=["a", "b"]
    )
    assert ragged.num_actions == 3
    assert ragged.action_id(0, 1) == "r"
    assert [row[1] for row in ragged.rows()] == ["l", "r", "x", "y", "z"]
    with pytest.raises(BadProblem, match="state 1, action 0 has another number of features"):
        TeachingProblem.from_ragged([[[1], [0]], [[2, 3], [0, 1]]], [0, 0])
    with pytest.raises(BadProblem, match="'l' names both action 0 and action 1"):
        TeachingProblem.from_ragged([[[1], [0]]], [0], action_names=[["l", "l"]])
    assert TeachingProblem.from_ragged([], []).num_states == 0


def test_classification_makes_blocks_batch_by_batch() -> None:
    """Kesler: phi(x, a) = e_a (x) [x, 1]."""
    X, y = [[2, 3], [4, 5], [6, 7]], ["b", "a", "c"]
    kesler = TeachingProblem.from_classification(X, y, state_names=["x", "y", "z"], cost=[1, 2, 3])
    assert (kesler.num_states, kesler.num_actions, kesler.num_features) == (3, 3, 9)
    assert [kesler.action_id(0, a) for a in range(3)] == ["a", "b", "c"]
    batches = list(kesler.batches(2))
    assert [len(batch) for batch in batches] == [2, 1]
    assert batches[0].features[1].tolist() == [[4, 5, 1, *[0] * 6], [*[0] * 3, 4, 5, 1, *[0] * 3], [*[0] * 6, 4, 5, 1]]
    assert batches[1].target.tolist() == [2]
    assert list(KeslerSource.of(X, y, exact=False).counts) == [3, 3, 3]
    for bad, message in (([1, 2], "X: the shape"), ([[1], [2]], "y: the shape")):
        with pytest.raises(BadProblem, match=message):
            TeachingProblem.from_classification(bad, ["a"])


def test_the_hash_reads_rows_in_id_order_and_no_padding() -> None:
    shuffled = problem(features=SQUARE[::-1], state_names=["1", "0"])
    assert shuffled.digest == problem(state_names=["0", "1"]).digest == problem().digest
    lines = [
        '"0"\t"0"\t1\t1\t1\t1\t0\n',
        '"0"\t"1"\t1\t0\t1\t0\t0\n',
        '"1"\t"0"\t1\t1\t1\t0\t1\n',
        '"1"\t"1"\t1\t0\t1\t0\t0\n',
    ]
    assert [row_line(row) for row in problem().rows()] == lines
    assert problem().digest == hashlib.sha256("".join(lines).encode()).hexdigest()
    masked = [[[1, 0], [9, 9]], SQUARE[1]]
    a, b = (problem(features=f, available=[[1, 0], [1, 1]]) for f in (masked, SQUARE))
    assert a.digest == b.digest != problem().digest
    assert [row_line(row) for row in a.rows()][1] == '"0"\t"1"\t0\t0\t1\n'


def test_costs_are_exact_and_enter_the_hash() -> None:
    priced = problem(cost=["1/3", 0.25])
    assert [priced.cost_of(row) for row in range(2)] == [Fraction(1, 3), Fraction(1, 4)]
    assert priced.digest != problem().digest == problem(cost=[1, 1]).digest
    assert priced.has_costs


def test_batches_cover_every_state_once() -> None:
    many = TeachingProblem(features=np.arange(70).reshape(7, 5, 2), target=[0] * 7)
    for size in (1, 3, 7, 100, None):
        batches = list(many.batches(size))
        assert sum(len(batch) for batch in batches) == 7
        assert [batch.start for batch in batches] == list(range(0, 7, size or 7))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"state_names": "ab"}, "state_names: 'ab' is not a list"),
        ({"state_names": 3}, "state_names: '3' is not a list"),
        ({"state_names": np.array(3)}, "state_names: '3' is not a list"),
        ({"state_names": {"b", "a"}}, "state_names: "),
        ({"action_names": "ab"}, "action_names: 'ab' is not a list"),
        ({"action_names": 5}, "action_names: '5' is not a list"),
        ({"feature_names": "ab"}, "feature_names: 'ab' is not a list"),
        ({"cost": 1}, "cost: '1' is not a list"),
        ({"cost": "11"}, "cost: '11' is not a list"),
        ({"target": [[0], [0, 1]]}, "target: the lists have different lengths"),
        ({"available": [[1], [1, 1]]}, "available: the lists have different lengths"),
        ({"features": np.ones((2, 2, 1), dtype="m8[s]")}, "row 0, action 0, feature 0: timedelta is not a number"),
        ({"features": np.ma.masked_equal(SQUARE, 1)}, "the array is masked"),
    ],
)
def test_what_is_no_list_or_no_number_is_refused(changes: dict[str, Any], says: str) -> None:
    """A text is not taken for a list of letters, a duration or a masked entry not for a number."""
    with pytest.raises(BadProblem, match=says):
        problem(**changes)


@pytest.mark.parametrize("state", [0.5, True, None, b"1", [1]])
def test_a_row_number_is_an_integer(state: Any) -> None:
    """Nothing is rounded to a row."""
    with pytest.raises(BadProblem, match="name it by its id"):
        problem().row_of(state)
    assert problem().row_of(np.int8(1)) == 1  # type: ignore[arg-type]


def test_long_decimal_ids_sort_by_number() -> None:
    """Also those with more digits than Python reads as an integer."""
    assert id_order(["1" + "0" * 5000, "9" * 5000, "0" * 6000 + "3", "3"]) == [2, 3, 1, 0]
    assert id_order(["00", "0", "", "1"]) == [2, 1, 0, 3]
    assert id_order(["1", "00", "0"]) == [2, 1, 0]


@pytest.mark.parametrize(
    ("features", "says"),
    [
        (3, "one entry per state"),
        ("ab", "one entry per state"),
        ([3], "state 0 must be a list"),
        ([["12", "30"]], "state 0, action 0 must be a list of numbers"),
        ([[[1], 2]], "state 0, action 1 must be a list of numbers"),
    ],
)
def test_ragged_features_are_lists_of_lists_of_lists(features: Any, says: str) -> None:
    with pytest.raises(BadProblem, match=says):
        TeachingProblem.from_ragged(features, [0])


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ([1.0, float("nan")], "y: the label of row 1 is nan"),
        (np.array([1, "a"], dtype=object), "different kinds"),
        ([None, "a"], "different kinds"),
        ([[1], [1, 2]], "y: the lists have different lengths"),
    ],
)
def test_labels_that_are_no_classes(labels: Any, says: str) -> None:
    with pytest.raises(BadProblem, match=says):
        TeachingProblem.from_classification([[0], [1]], labels)


def test_classification_without_rows() -> None:
    """No state: the empty lesson teaches."""
    empty = TeachingProblem.from_classification(np.zeros((0, 2), dtype=int), [])
    assert teach(empty).size == 0


@pytest.mark.parametrize("which", range(4))
def test_numbers_too_long_to_write_are_refused_with_their_place(which: int) -> None:
    """What no certificate could hold, and no message show."""
    value = [10**4300, Decimal("1e4300"), Fraction(1, 10**4300), "9" * 400 + "e4000"][which]
    with pytest.raises(BadProblem, match=r"row 0, action 0, feature 0: .* above the limit|outside"):
        problem(features=[[[value, 0], [0, 0]], [[0, 1], [0, 0]]])
    with pytest.raises(BadProblem, match=r"cost of state 1: .* above the limit|outside"):
        problem(cost=[1, value])
    longest = 2**14284 - 1
    assert len(problem(features=[[[-longest, 0], [0, 0]], [[0, 1], [0, 0]]], cost=[longest - 1, 1]).digest) == 64


def test_costs_whose_sum_is_too_long_are_refused() -> None:
    """Each can be written, the sum cannot."""
    for costs in ([2**14284 - 1, 1], [Fraction(1, 10**4000), Fraction(1, 3**9000)]):
        with pytest.raises(BadProblem, match="cost: the costs add up to a number of more than 4300 digits"):
            problem(cost=costs)
