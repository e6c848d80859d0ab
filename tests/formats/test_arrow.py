"""Frames and columnar files: what their types mean, and what is refused."""

from __future__ import annotations

import io
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import hornbook
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.formats import arrow, from_table, load, save
from hornbook.problem import TeachingProblem
from tests.formats.tables import GOOD

LONG = {"state": ["s", "s", "t", "t"], "action": ["a", "b", "a", "b"], "target": [1, 0, 0, 1], "x": [1, 0, 0, 2]}


def frame(**columns: Any) -> pyarrow.Table:
    return pyarrow.table({**LONG, **columns})


def features(problem: TeachingProblem) -> list[tuple[Any, ...]]:
    return [row[5] for row in problem.rows()]


@pytest.mark.parametrize("make", [pyarrow.table, pandas.DataFrame, polars.DataFrame, lambda d: pyarrow.record_batch(d)])
def test_every_kind_of_frame_is_the_same_problem(make: Any) -> None:
    """One interface, one way."""
    expected = from_table(pyarrow.table(LONG))
    assert next(row[:4] for row in expected.rows()) == ("s", "a", True, True)
    assert from_table(make(LONG)).digest == expected.digest
    labelled = make({"x": [1, 2, 3], "kind": ["u", "v", "u"]})
    problem = TeachingProblem.from_classification([[1], [2], [3]], ["u", "v", "u"])
    assert from_table(labelled, label="kind").digest == problem.digest


def test_categories_of_both_libraries_are_texts() -> None:
    """A categorical column is stored as numbers and means its names; so do categories that are numbers."""
    expected = from_table(pyarrow.table(LONG)).digest
    as_categories = pandas.DataFrame({**LONG, **{name: pandas.Categorical(LONG[name]) for name in LONG}})
    assert from_table(as_categories).digest == expected
    states = polars.Series(LONG["state"], dtype=polars.Categorical)
    assert from_table(polars.DataFrame({**LONG, "state": states})).digest == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pyarrow.array([1, 0, 0, 2], pyarrow.uint8()), [1, 0, 0, 2]),
        (pyarrow.array([2**64 - 1, 0, 0, 2], pyarrow.uint64()), [2**64 - 1, 0, 0, 2]),
        (pyarrow.array([True, False, False, True]), [1, 0, 0, 1]),
        (pyarrow.array(["1/3", "0.1", "0", "1e3"]), [Fraction(1, 3), Fraction(1, 10), 0, 1000]),
        (pyarrow.array([Decimal("0.10"), 0, 0, Decimal("7.25")]), [Fraction(1, 10), 0, 0, Fraction(29, 4)]),
        (pyarrow.array([1.0, 0.0, -0.0, 2.0]), [1, 0, 0, 2]),
        (pyarrow.array([1.0, 0.0, 0.0, 2.0], pyarrow.float16()), [1, 0, 0, 2]),
    ],
)
def test_exact_columns(column: pyarrow.Array, expected: list[Any]) -> None:
    """Integers of any width, truth values, texts, decimals, and floats that are integers."""
    problem = from_table(frame(x=column))
    assert problem.arithmetic == "exact"
    assert features(problem) == [(value,) for value in expected]


@pytest.mark.parametrize(("kind", "value"), [("float64", 0.1), ("float32", float(np.float32(0.1)))])
def test_floats_are_what_they_are(kind: str, value: float) -> None:
    """In their precision, with small integers beside them; `exact` takes what is stored."""
    table = frame(x=pyarrow.array(np.array([0.1, 0, 0, 2], dtype=kind)), y=[1, 2, 3, 4])
    assert from_table(table).arithmetic == kind
    assert features(from_table(table))[0] == (value, 1.0)
    assert features(from_table(table, exact=True))[0] == (Fraction(value), 1)


def test_floats_beside_numbers_that_are_no_floats() -> None:
    """float64 data rounds what is beside it to float64, as everywhere."""
    mixed = frame(x=[0.5, 0.0, 0.0, 1.0], y=["1/3", "0", "0", "2"], z=[2**60 + 1, 0, 0, 0])
    assert features(from_table(mixed))[0] == (0.5, 1 / 3, float(2**60))
    assert features(from_table(mixed, exact=True))[0] == (Fraction(1, 2), Fraction(1, 3), 2**60 + 1)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"x": [1, None, 0, 2]}, "row 1, column 'x': there is nothing"),
        ({"x": ["1", "one", "0", "2"]}, "row 1, column 'x': 'one' is not a number"),
        ({"x": [1.5, 0.0, float("nan"), 1.0]}, "row 1, action 0, feature 0: nan is not finite"),
        ({"x": pyarrow.array([0, 1, 2, 3], pyarrow.timestamp("s"))}, r"column 'x' has the type timestamp\[s\], which"),
        ({"x": [[1], [2], [3], [4]]}, r"column 'x' has the type list<.*>, which holds no numbers"),
        ({"state": [0.5, 0.5, 1.5, 1.5]}, "column 'state' has the type double; ids are texts or whole numbers"),
        ({"state": ["s", None, "t", "t"]}, "row 1, column 'state': there is nothing"),
        ({"state": ["s", "t", "s", "t"]}, "row 2: the rows of state 's' do not stand together"),
        ({"available": [1, 1, 2, 1]}, "row 2, column 'available': '2' is neither 0 nor 1"),
        ({"cost": [1, 1, 2, 3]}, "row 3: state 't' costs 3 here and 2 before"),
        ({"target": [1, 0, 0, 0]}, "row 2: state 't' has the targets '0', '0'"),
        (
            {"x": pyarrow.array([0.5, 0, 0, 1], pyarrow.float32()), "y": [0.5, 0.0, 0.0, 1.0]},
            "some features are double and others float; cast them",
        ),
        (
            {"x": pyarrow.array([0.5, 0, 0, 1], pyarrow.float32()), "y": [2**24 + 1, 0, 0, 1]},
            "column 'y' holds numbers that float rounds",
        ),
    ],
)
def test_what_is_refused(columns: dict[str, Any], says: str) -> None:
    """With the row and the column."""
    with pytest.raises(BadProblem, match=says):
        from_table(frame(**columns))


def test_what_is_no_table() -> None:
    with pytest.raises(BadProblem, match="list is no table"):
        from_table([1, 2])


def test_features_of_unavailable_actions_may_be_missing() -> None:
    """Nothing is asked of them; what is wrong elsewhere is named by its own row."""
    table = frame(available=[True, False, True, True], x=[1, None, 0, 2])
    assert [row[2] for row in from_table(table).rows()] == [True, False, True, True]
    assert features(from_table(table)) == [(1,), (), (0,), (2,)]
    with pytest.raises(BadProblem, match="row 2, column 'x'"):
        from_table(frame(available=[True, False, True, True], x=["1", None, "no", "2"]))
    with pytest.raises(BadProblem, match="row 3, column 'x'"):
        from_table(frame(available=[True, False, True, True], x=["1", None, "0", None]))


def test_the_index_of_a_frame_is_no_feature() -> None:
    """A frame that was filtered drags its old row numbers along; only one that is named as ours counts."""
    whole = pandas.DataFrame({**LONG, "keep": [True] * 4})
    filtered = whole[whole.keep].drop(columns="keep")
    filtered.index = pandas.Index([7, 3, 5, 1])
    assert from_table(filtered).num_features == 1
    assert from_table(filtered.rename_axis("id")).num_features == 1
    assert from_table(pandas.DataFrame(LONG).set_index("state")).digest == from_table(pyarrow.table(LONG)).digest


def test_costs_are_exact() -> None:
    """Texts, decimals and floats, as the numbers they are."""
    for cost in (["1/4"] * 4, [0.25] * 4, [Decimal("0.25")] * 4):
        assert next(iter(from_table(frame(cost=cost)).rows()))[4] == Fraction(1, 4)


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_files_of_columns_agree_with_csv(ending: str, tmp_path: Path) -> None:
    """Every table that is written from a `.csv` tells the same rows."""
    for table in GOOD.values():
        source, path = tmp_path / "p.csv", tmp_path / f"p{ending}"
        source.write_bytes(table.data)
        save(load(source), path, force=True)
        assert list(load(path).rows()) == table.rows


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_narrow_floats_stay_narrow(ending: str, tmp_path: Path) -> None:
    """float32 has a column type; a noise of one's own has no place."""
    problem = TeachingProblem(features=np.array([[[0.1], [0.25]]], dtype=np.float32), target=[0])
    save(problem, tmp_path / f"p{ending}")
    assert load(tmp_path / f"p{ending}").arithmetic == "float32"
    assert load(tmp_path / f"p{ending}").digest == problem.digest
    with pytest.raises(BadProblem, match="a noise of their own"):
        save(problem.with_tolerances(noise="1/100", merge="1/1000"), tmp_path / f"q{ending}")


def test_classification_files(tmp_path: Path) -> None:
    """A label column of a file, as of a frame."""
    path = tmp_path / "p.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"x": [1, 2], "kind": [10, 9]}), path)
    assert load(path, label="kind").action_names == ["9", "10"]


def test_a_bomb_of_columns_is_not_opened(tmp_path: Path) -> None:
    """Ten million equal rows in a few hundred bytes: told from what the file says of itself."""
    buffer = io.BytesIO()
    rows = pyarrow.array(np.zeros(10_000_000, dtype=np.int8))
    pyarrow.parquet.write_table(pyarrow.table({"x": rows}), buffer, compression="zstd")
    (tmp_path / "bomb.parquet").write_bytes(buffer.getvalue())
    with pytest.raises(BadProblem, match=r"bomb\.parquet: the columns expand more than 1000 times"):
        load(tmp_path / "bomb.parquet")


def test_what_is_above_the_limit_is_not_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    save(hornbook.environment("six_rays"), tmp_path / "p.parquet")
    monkeypatch.setattr(arrow, "MOST_BYTES", 1000)
    with pytest.raises(LimitExceeded, match="above the limit of 1,000"):
        load(tmp_path / "p.parquet")


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_damaged_files(ending: str, tmp_path: Path) -> None:
    """Cut anywhere, or with a byte changed: refused in one line, or read as some problem."""
    path = tmp_path / f"p{ending}"
    save(hornbook.environment("two_rays"), path)
    data = path.read_bytes()
    for cut in range(0, len(data), 37):
        path.write_bytes(data[:cut])
        with pytest.raises(BadProblem) as caught:
            load(path)
        assert "\n" not in str(caught.value)


def test_without_pyarrow_one_sentence_says_what_to_install() -> None:
    """In a process in which it cannot be imported."""
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import hornbook\n"
        "try: hornbook.from_table(object())\n"
        "except hornbook.BadProblem as error: print(error)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "tables need pyarrow: pip install 'hornbook[arrow]'\n"
