"""`.csv`: tables in long form, classification data, and names that a spreadsheet would run."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hornbook
from hornbook.arithmetic import parse_number
from hornbook.errors import BadProblem
from hornbook.formats import cells, csv, json, load, save
from hornbook.problem import TeachingProblem
from tests.formats.tables import BAD, GOOD, HEAD

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6) | st.text(
    "'=+-@\t\r\n\uff1d10.,ab\"", max_size=5
)
CELLS = st.text("0123456789+-./eE \t\n_xn", min_size=1, max_size=7) | st.from_regex(
    r"[+-]?[0-9]{1,20}(\.[0-9]*)?([eE][+-]?[0-9]{1,2})?|[+-]?[0-9]{1,20}/[1-9][0-9]{0,3}", fullmatch=True
)


def read(text: str | bytes, *, exact: bool = False) -> TeachingProblem:
    return csv.read(io.BytesIO(text.encode() if isinstance(text, str) else text), exact=exact)


def labelled(text: str, *, label: str = "y", exact: bool = False) -> TeachingProblem:
    return csv.read_labelled(io.BytesIO(text.encode()), label=label, exact=exact)


@pytest.mark.parametrize("name", GOOD)
def test_what_tables_say(name: str) -> None:
    """Row by row, as the hash sees them."""
    table = GOOD[name]
    problem = read(table.data)
    assert list(problem.rows()) == table.rows
    assert [[type(v) for v in row[5]] for row in problem.rows()] == [[type(v) for v in row[5]] for row in table.rows]
    assert problem.arithmetic == table.arithmetic


@pytest.mark.parametrize("name", GOOD)
def test_decimals_that_are_meant(name: str) -> None:
    """`exact` makes a tenth of 0.1; what is exact already stays."""
    table = GOOD[name]
    problem = read(table.data, exact=True)
    assert list(problem.rows()) == (table.exact or table.rows)
    assert problem.arithmetic == "exact"


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused(name: str) -> None:
    """One line that names the row, and the column or the state."""
    text, says = BAD[name]
    with pytest.raises(BadProblem) as caught:
        read(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@given(NAMES)
def test_an_apostrophe_keeps_formulas_from_running_and_is_taken_off_again(name: str) -> None:
    """What is written begins with no letter that a spreadsheet acts on, unless it is a number."""
    cell = csv.guarded(name)
    assert csv.unguarded(cell) == name
    if cell[:1] in tuple("=+-@\t\r\n\uff0b\uff0d\uff1d\uff20"):
        assert set(cell) <= set("+-0123456789., ")


@given(st.lists(NAMES, min_size=2, max_size=2, unique=True), st.lists(NAMES, min_size=2, max_size=2, unique=True))
def test_any_names_survive(states: list[str], others: list[str]) -> None:
    """Written and read again, ids and feature names are the same texts."""
    problem = TeachingProblem(
        features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]]],
        target=[0, 1],
        state_names=states,
        action_names=others,
        feature_names=others,
    )
    buffer = io.BytesIO()
    csv.write(problem, buffer)
    again = read(buffer.getvalue())
    assert list(again.rows()) == list(problem.rows())
    assert (again.feature_names or ["0", "1"]) == others


@given(st.lists(CELLS, min_size=1, max_size=4), st.booleans())
def test_whole_columns_are_read_as_cells_are(column: list[str], exact: bool) -> None:
    """The fast way and the slow way agree on every text: the same number of the same kind, or both refuse."""
    try:
        expected = [cells.float_or_exact(cell, exact=exact) for cell in column]
    except ValueError:
        with pytest.raises(BadProblem, match="row"):
            cells.ColumnReader("x", exact=exact).read(column, first=2)
        return
    found = cells.ColumnReader("x", exact=exact).read(column, first=2).tolist()
    assert found == expected
    assert exact is False or found == [parse_number(cell) for cell in column]


def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file read a row at a time is the same problem, and errors name the same row."""
    whole = {name: read(table.data).digest for name, table in GOOD.items()}
    monkeypatch.setattr(csv, "_CHUNK", 1)
    assert {name: read(table.data).digest for name, table in GOOD.items()} == whole
    for text, says in BAD.values():
        with pytest.raises(BadProblem) as caught:
            read(text)
        assert says in str(caught.value)


def test_large_integers_beside_late_decimals() -> None:
    """2^60 + 1 is read in one chunk and 1.0 in another: nothing is rounded while all are integers."""
    rows = [f"s{i},a,1,{2**60 + 1}\n" for i in range(40_000)]
    problem = read(HEAD + "f\n" + "".join(rows) + "t,a,1,1.0\n")
    assert [row[5] for row in problem.rows()][-2:] == [(2**60 + 1,), (1,)]


def test_formats_tell_the_same_problem(tmp_path: Path) -> None:
    """From one file to another the hash stays, whichever way round."""
    problem = hornbook.environment("six_rays")
    first = problem.source and TeachingProblem(
        features=[[["1/3", 2**70], [0, -1]], [[5, 0], [1, "0.25"]]],
        target=[1, 0],
        available=[[True, True], [True, False]],
        cost=["1/7", 2],
        state_names=["=a()", "b,c"],
    )
    for which in (first, TeachingProblem(features=[[[0.1, 2.0], [3.5, 1e-30]]], target=[0])):
        digests = set()
        previous = which
        for ending in (".csv", ".json", ".csv", ".npz", ".csv"):
            path = tmp_path / f"p{ending}"
            save(previous, path, force=True)
            previous = load(path)
            digests.add(previous.digest)
        assert digests == {which.digest}


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_narrow_floats_are_not_written_as_text(dtype: type) -> None:
    """Their decimals would be read as float64, which claims far less noise."""
    problem = TeachingProblem(features=np.array([[[0.5], [0.25]]], dtype=dtype), target=[0], noise="1/100")
    with pytest.raises(BadProblem, match=r"CSV has no place for float(32|16) numbers .* \.npz"):
        csv.write(problem, io.BytesIO())


def test_rows_with_labels_are_states() -> None:
    """The same problem as from arrays, whichever column the label is."""
    expected = TeachingProblem.from_classification([[1, 2], [3, 4], [5, 6]], ["b", "a", "b"])
    for text in ("x,z,y\n1,2,b\n3,4,a\n5,6,b\n", "y,x,z\nb,1,2\na,3,4\nb,5,6\n"):
        assert labelled(text).digest == expected.digest
    named = labelled("state,y,x\np,0,1\nq,10,2\nr,9,1/3\n")
    assert (
        named.digest
        == TeachingProblem.from_classification(
            [[1], [2], [Fraction(1, 3)]], [0, 10, 9], state_names=["p", "q", "r"]
        ).digest
    )
    assert named.action_names == ["0", "9", "10"]
    assert labelled("state,x\n0,1\n1,2\n", label="state").state_id(0) == "0"
    assert labelled("x,y\n0.1,a\n1,b\n").arithmetic == "float64"
    exact = labelled("x,y\n0.1,a\n1,b\n", exact=True)
    assert next(row[5] for row in exact.rows()) == (Fraction(1, 10), 1, 0, 0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x,z\n1,2\n", "there is no column 'y' to be the label; the columns are x, z"),
        ("y\na\n", "there is no feature"),
        ("x,y\nbig,a\n", "row 2, column 'x': 'big' is not a number"),
        ("state,x,y\ns,1,a\ns,2,b\n", "state_names: 's' names both state 0 and state 1"),
    ],
)
def test_labels_that_are_refused(text: str, says: str) -> None:
    with pytest.raises(BadProblem, match=says):
        labelled(text)


def test_other_formats_have_no_labels(tmp_path: Path) -> None:
    """Said with those that have."""
    save(hornbook.environment("two_rays"), tmp_path / "p.json")
    with pytest.raises(
        BadProblem, match=r"p\.json: \.json files have no columns to be a label; those that do are \.csv"
    ):
        load(tmp_path / "p.json", label="y")


def test_json_keeps_what_csv_cannot(tmp_path: Path) -> None:
    """A noise of one's own."""
    problem = TeachingProblem(features=[[[0.5], [0.25]]], target=[0], noise="1/100")
    with pytest.raises(BadProblem, match="a noise of their own"):
        save(problem, tmp_path / "p.csv")
    save(problem, tmp_path / "p.json")
    assert json.read(io.BytesIO((tmp_path / "p.json").read_bytes()), exact=False).tolerances == problem.tolerances
