"""`.json` problems: exact where they are written exactly, and one clear line for everything else."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from typing import Any

import pytest

from hornbook.errors import BadProblem
from hornbook.formats import json as format_json
from hornbook.problem import TeachingProblem


def text(**members: Any) -> bytes:
    """A problem of two states and two actions, changed in the given members (None: left out)."""
    whole = {
        "format": "hornbook-problem",
        "version": 1,
        "features": [[[1, 0], [0, 0]], [[0, 1], [0, 0]]],
        "target": [0, 0],
        **members,
    }
    return json.dumps({key: value for key, value in whole.items() if value is not None}).encode()


def read(data: bytes, *, exact: bool = False) -> TeachingProblem:
    return format_json.read(io.BytesIO(data), exact=exact)


def refusal(data: bytes) -> str:
    with pytest.raises(BadProblem) as caught:
        read(data)
    return str(caught.value)


def raw(features: str, rest: str = "") -> bytes:
    """A problem with one state whose features are written by hand."""
    return f'{{"format":"hornbook-problem","version":1,"target":[0],"features":{features}{rest}}}'.encode()


def test_numbers_are_exact() -> None:
    """Integers of any width and quoted numbers are what they say."""
    problem = read(raw('[[["1/3", 9007199254740993], ["0.1", "-2e3"], [18446744073709551616, "6/4"]]]'))
    features = [row[5] for row in problem.rows()]
    assert features == [(Fraction(1, 3), 2**53 + 1), (Fraction(1, 10), -2000), (2**64, Fraction(3, 2))]
    assert problem.arithmetic == "exact"


def test_unquoted_decimals_are_stored_floats() -> None:
    """0.1 means the float; 2.0 and 1e3 are integers all the same; exact takes floats as they are."""
    floats = read(raw("[[[1], [0.1]]]"))
    assert floats.arithmetic == "float64"
    assert [row[5] for row in floats.rows()] == [(1.0,), (0.1,)]
    assert read(raw("[[[2.0], [1e3]]]")).arithmetic == "exact"
    problem = read(raw("[[[1], [0.1]]]"), exact=True)
    assert problem.arithmetic == "stored"
    assert [row[5] for row in problem.rows()][1] == (Fraction(0.1),)


def test_states_with_different_actions() -> None:
    """A shorter row, a null and `available` say the same."""
    ragged = read(text(features=[[[1, 0], [0, 0]], [[0, 1]]]))
    nulls = read(text(features=[[[1, 0], [0, 0]], [[0, 1], None]]))
    masked = read(text(available=[[True, True], [True, False]]))
    short = read(text(available=[[True, True], [True]]))
    assert len({problem.digest for problem in (ragged, nulls, masked, short)}) == 1
    assert [row[2] for row in ragged.rows()] == [True, True, True, False]


def test_names_and_costs() -> None:
    """Texts and exact rationals, per state where wanted."""
    problem = read(
        text(
            cost=["1/3", 2],
            state_names=["\u202eb", "<a>"],
            action_names=[["x", "y"], ["z", "t"]],
            feature_names=["f", "g"],
        )
    )
    first = next(iter(problem.rows()))
    assert (first[0], first[1], first[4]) == ("<a>", "z", 2)
    assert problem.cost_of(0) == Fraction(1, 3)
    assert read(text(action_names=["go", "stop"])).action_id(1, 1) == "stop"
    assert read(text(features=[], target=[])).num_states == 0


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "line 1, column 1"),
        (b"[1]", "not a JSON object"),
        (b"{", "line 1, column 2"),
        (b"\xef\xbb\xbf" + text(), "byte order mark"),
        (text().decode().encode("utf-16"), "byte order mark"),
        (b'{"a": "\xff"}', "byte 7 is not UTF-8"),
        (text() + b"\0", "Extra data"),
        (b'{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        (raw("[[[NaN]]]"), "NaN is not a number"),
        (raw("[[[-Infinity]]]"), "-Infinity is not a number"),
        (raw("[" * 100_000), "nested too deeply"),
        (raw("[[[1]]]", ',"cost":' + '{"a":' * 100_000), "nested too deeply"),
        (text(format=None), '"format": "hornbook-problem"'),
        (text(format="hornbook-certificate"), '"format": "hornbook-problem"'),
        (text(version=2), '"version": 1'),
        (text(version=True), '"version": 1'),
        (text(verified=True), "'verified' is not part of a problem"),
        (text(features=None), "features is missing"),
        (text(target=None), "target is missing"),
        (text(features=3), "features is 3, not a list"),
        (text(features=["ab"]), "features: row 0 is ab, not a list"),
        (text(features=[[[1, 0]], {}]), "features: row 1 is an object"),
        (text(features=[["10", "00"]], target=[0]), "features: row 0, action 0 is 10, not a list of numbers"),
        (
            text(features=[[[1, 0], [0]]], target=[0]),
            "features: row 0, action 1 has 1 features; the first vector has 2",
        ),
        (text(features=[[[1, [0]]]], target=[0]), "features: row 0, action 0, feature 1 is a list"),
        (text(features=[[[1, True]]], target=[0]), "feature 1 is true, not a number"),
        (text(features=[[[1, None]]], target=[0]), "feature 1 is null, not a number"),
        (text(features=[[[]]], target=[0]), "one feature"),
        (text(features=[[]], target=[0]), "one action"),
        (text(features=[[None]], target=[0]), "not available"),
        (raw("[[[1e400]]]"), "row 0, action 0, feature 0: inf is not finite"),
        (raw(f"[[[{'9' * 100_000}]]]"), "row 0, action 0, feature 0: a number of 100000 characters"),
        (raw('[[["1e3000000"]]]'), "exponent"),
        (raw('[[["1_000"]]]'), "is not a number"),
        (raw('[[["\u0663"]]]'), "is not a number"),
        (raw('[[["1,5"]]]'), "is not a number"),
        (raw('[[["0x10"]]]'), "is not a number"),
        (raw('[[["1/0"]]]'), "division by zero"),
        (text(target=0), "target is 0, not a list"),
        (text(target=[0, -1]), "target: row 1 names action -1"),
        (text(target=[0, 2]), "target: row 1 names action 2"),
        (text(target=[0, 1.5]), "target: row 1 is 1.5"),
        (text(target=[0, True]), "target: row 1 is true"),
        (text(target=[0, 2**64]), "target: row 1 is 18446744073709551616"),
        (text(target=[0]), "target: the shape is (1,)"),
        (text(available=[[True, True]]), "available: there are 1 rows for 2 states"),
        (text(available=[[True, True], [1, 1]]), "available: row 1"),
        (text(available=[[True, True], [True, True, True]]), "available: row 1"),
        (text(available=[[False, True], [True, True]]), "target: row 0 names action 0, which is not available"),
        (
            text(features=[[[1], None], [[1], [0]]], available=[[True, True], [True, True]]),
            "available: row 0 has action 1, but",
        ),
        (text(cost=1), "cost is 1, not a list"),
        (text(cost=[1, None]), "cost of state 1"),
        (text(cost=[1, "-1/2"]), "cost of state 1: -1/2 is negative"),
        (text(state_names=["a", "a"]), "'a' names both"),
        (text(state_names=["a", 1]), "state_names: entry 1 is 1; names are texts"),
        (text(state_names=["a", "\ud800"]), "surrogate"),
        (text(action_names=[["a", "b"], "c"]), "action_names: row 1 is c, not a list"),
        (text(action_names=[["a", "b"]]), "1 lists for 2 states"),
        (text(feature_names="fg"), "feature_names is fg, not a list"),
    ],
)
def test_wrong_texts_are_refused_in_one_line(data: bytes, says: str) -> None:
    """The message names the member, and the row, action and feature where there is one."""
    message = refusal(data)
    assert says in message
    assert len(message) < 300
    assert "\n" not in message


def test_truncation_at_every_byte() -> None:
    """Whatever is cut off, the answer is one clear line."""
    data = text(state_names=["\u00e9", "b"])
    for length in range(len(data)):
        assert refusal(data[:length])
