"""`.csv`: a table that any spreadsheet opens, one row per state and action.

    state,action,target,height,speed
    a,left,1,1/3,2
    a,right,0,0,1

Integers and `p/q` are exact; a decimal point or an exponent makes a number a float, unless decimals are meant as
written (`exact`).  Optional columns: `available` (0 or 1) and `cost`.  Or, with a label column, classification data:
each row a state, the label its target, every other column a feature (and `state` its id).

docs/formats.md has every rule, also what keeps a name such as `=cmd()` from being run by a spreadsheet.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Number, parse_number
from hornbook.errors import BadProblem
from hornbook.formats.cells import ColumnReader, joined
from hornbook.formats.labelled import label_layout, labelled_problem
from hornbook.formats.long_form import OPTIONAL_COLUMNS, REQUIRED_COLUMNS, LongForm, LongRow, layout, long_rows
from hornbook.formats.members import check_texts, check_tolerances
from hornbook.problem import TeachingProblem

__all__ = ["guarded", "read", "read_labelled", "unguarded", "write"]

_CHUNK = 1 << 15  # rows that are texts at the same time
_FIRST = 2  # the row of a spreadsheet where data begins
_QUOTED = re.compile(r'[",\r\n]')
_FORMULA = "=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20"  # the last four are the wide forms of + - = @
_RISKY = re.compile(f"[{_FORMULA}]")
_GUARD = re.compile(f"'+[{_FORMULA}]")
_HARMLESS = re.compile(r"[-+]?[0-9][-+0-9., ]*")  # a number or a list of numbers: no formula can do harm with these


def guarded(name: str) -> str:
    """The name as a cell that no spreadsheet takes for a formula: with an apostrophe in front where it is needed.

    >>> guarded("=cmd()"), guarded("-1"), guarded("north")
    ("'=cmd()", '-1', 'north')
    """
    risky = _RISKY.match(name) and not _HARMLESS.fullmatch(name)
    return "'" + name if risky or _GUARD.match(name) else name


def unguarded(cell: str) -> str:
    """The name in a cell: an apostrophe before what may be a formula is not part of it."""
    return cell[1:] if _GUARD.match(cell) else cell


def read(stream: BinaryIO, *, exact: bool) -> TeachingProblem:
    """The problem in a table in long form; `BadProblem` names the row and the column."""
    with _rows_of(stream) as (header, rows):
        return _Reading(header, exact=exact).problem(rows)


@contextlib.contextmanager
def _rows_of(stream: BinaryIO) -> Iterator[tuple[list[str], Iterator[list[str]]]]:
    """The names of the columns, and the other rows as lists of cells; what breaks while they are read is told."""
    if (start := stream.read(3))[:2] in (b"\xff\xfe", b"\xfe\xff") or start == b"\xef\xbb\xbf":
        raise BadProblem("the text starts with a byte order mark; save it as plain UTF-8")
    stream.seek(0)
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    reader = csv.reader(text, strict=True)
    try:
        yield _header(reader), reader
    except UnicodeDecodeError:
        where = f"after line {reader.line_num}" if reader.line_num else "on the first lines"
        raise BadProblem(f"there is something that is not UTF-8 {where}; save the text as plain UTF-8") from None
    except csv.Error as error:
        raise BadProblem(f"line {reader.line_num}: {error}") from None
    finally:
        text.detach()  # the stream belongs to the caller


def _header(rows: Iterator[list[str]]) -> list[str]:
    header = next(rows, None)
    if not header:
        raise BadProblem("the first line is empty; it must name the columns")
    _check_letters([header], row=1)
    return [unguarded(cell) for cell in header]


def _check_letters(rows: Sequence[Sequence[str]], *, row: int) -> None:
    if any("\0" in cell for cells in rows for cell in cells):
        i = next(i for i, cells in enumerate(rows) if any("\0" in cell for cell in cells))
        raise BadProblem(f"row {row + i} has a NUL, which is no text")


def _chunks(rows: Iterator[list[str]], width: int) -> Iterator[tuple[int, list[tuple[str, ...]]]]:
    """The columns of a few thousand rows at a time, with the number of the first row."""
    row = _FIRST
    while some := list(islice(rows, _CHUNK)):
        if set(map(len, some)) != {width}:
            odd = next(i for i, cells in enumerate(some) if len(cells) != width)
            raise BadProblem(f"row {row + odd} has {len(some[odd])} cells; the header has {width}")
        _check_letters(some, row=row)
        yield row, list(zip(*some, strict=True))
        row += len(some)


def _names(cells: list[str]) -> list[str]:
    return list(map(unguarded, cells)) if any(cell[:1] == "'" for cell in cells) else cells


class _Reading:
    """A table in long form while it is read."""

    def __init__(self, header: Sequence[str], *, exact: bool) -> None:
        self._layout, self._exact, self._width = layout(header), exact, len(header)
        self._texts: dict[str, list[str]] = {name: [] for name in REQUIRED_COLUMNS}
        self._readers = [ColumnReader(name, exact=exact) for name in self._layout.feature_names]
        self._features: list[list[npt.NDArray[Any]]] = [[] for _ in self._readers]
        self._available: list[npt.NDArray[np.bool_]] = []
        self._costs: list[Number] = []

    def problem(self, rows: Iterator[list[str]]) -> TeachingProblem:
        """Take all rows in, and tell them as a problem."""
        for row, columns in _chunks(rows, self._width):
            self._take(columns, row)
        there = np.concatenate([np.zeros(0, dtype=np.bool_), *self._available])
        available = there if "available" in self._layout.special else None
        form = LongForm(
            **{f"{name}s": _names(texts) for name, texts in self._texts.items()},
            features=joined(self._features, wanted=available),
            feature_names=self._layout.feature_names,
            available=available,
            costs=self._costs if "cost" in self._layout.special else None,
            first=_FIRST,
        )
        return form.problem(exact=self._exact)

    def _take(self, columns: Sequence[Sequence[str]], row: int) -> None:
        places = self._layout.special
        for name, texts in self._texts.items():
            texts += columns[places[name]]
        there = _flags(columns[places["available"]], row) if "available" in places else None
        if there is not None:
            self._available.append(there)
        if "cost" in places:
            self._costs += _costs(columns[places["cost"]], row)
        for place, reader, chunks in zip(self._layout.features, self._readers, self._features, strict=True):
            chunks.append(reader.read(_filled(columns[place], there), first=row))


def _flags(cells: Sequence[str], row: int) -> npt.NDArray[np.bool_]:
    for i, cell in enumerate(cells):
        if cell not in ("0", "1"):
            raise BadProblem(f"row {row + i}, column 'available': {cell[:40]!r} is neither 0 nor 1")
    return np.fromiter(map("1".__eq__, cells), dtype=np.bool_, count=len(cells))


def _filled(cells: Sequence[str], there: npt.NDArray[np.bool_] | None) -> Sequence[str]:
    """Empty features of actions that are not available count as zero."""
    if there is None or bool(there.all()):
        return cells
    return [cell if known or cell else "0" for cell, known in zip(cells, there.tolist(), strict=True)]


def _costs(cells: Sequence[str], row: int) -> list[Number]:
    known: dict[str, Number] = {}
    for i, cell in enumerate(cells):
        if cell not in known:
            try:
                known[cell] = parse_number(cell)
            except ValueError as error:
                raise BadProblem(f"row {row + i}, column 'cost': {error}") from None
    return [known[cell] for cell in cells]


def read_labelled(stream: BinaryIO, *, label: str, exact: bool) -> TeachingProblem:
    """Classification data: each row is a state, the column `label` its target, the others its features."""
    with _rows_of(stream) as (header, rows):
        places = label_layout(header, label)
        readers = [ColumnReader(header[place], exact=exact) for place in places.features]
        features: list[list[npt.NDArray[Any]]] = [[] for _ in readers]
        texts: dict[str, list[str]] = {name: [] for name in places.special}
        for row, columns in _chunks(rows, len(header)):
            for name, cells in texts.items():
                cells += columns[places.special[name]]
            for place, reader, chunks in zip(places.features, readers, features, strict=True):
                chunks.append(reader.read(columns[place], first=row))
    ids = _names(texts["state"]) if "state" in texts else None
    return labelled_problem(joined(features), _names(texts["label"]), ids=ids, exact=exact)


def write(problem: TeachingProblem, stream: BinaryIO) -> None:
    """One row per state and action, numbers exact; the features of unavailable actions are empty.

    The same problem gives the same bytes.
    """
    check_tolerances(problem, "CSV")
    check_texts(problem, "CSV")
    names = problem.feature_names or [str(i) for i in range(problem.num_features)]
    has_costs = problem.has_costs or "cost" in names
    has_gaps = "available" in names or any(not batch.available.all() for batch in problem.batches())
    optional = [name for name, there in zip(OPTIONAL_COLUMNS, (has_gaps, has_costs), strict=True) if there]
    stream.write(_line([*REQUIRED_COLUMNS, *optional, *map(guarded, names)]))
    for row in long_rows(problem):
        stream.write(_line(_cells(row, optional, problem.num_features)))


def _cells(row: LongRow, optional: Sequence[str], num_features: int) -> list[str]:
    more = {"available": str(int(row.available)), "cost": str(row.cost)}
    features = [repr(v) if isinstance(v, float) else str(v) for v in row.features] or [""] * num_features
    special = [guarded(row.state), guarded(row.action), str(int(row.target)), *(more[name] for name in optional)]
    return special + features


def _line(cells: Sequence[str]) -> bytes:
    quoted = ('"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell for cell in cells)
    return (",".join(quoted) + "\n").encode()
