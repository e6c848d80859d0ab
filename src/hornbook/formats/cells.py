"""Number cells of a table: whole columns at the speed of Python's own parsers, odd cells one by one.

A cell without a decimal point or exponent, or written `p/q`, is exact.  Any other is the float64 nearest to it, unless
`exact` says that decimals are meant as written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Number, parse_number
from hornbook.errors import BadProblem

__all__ = ["ColumnReader", "float_or_exact", "joined"]

Column = npt.NDArray[Any]
_PLAIN = b"0123456789+-.eE \t\n"
_LONG = 300  # characters: longer cells are looked at one by one
_DOUBLE = 2**53


class ColumnReader:
    """Reads chunks of one column; `place(i)` in errors is the row by which people call it."""

    def __init__(self, name: str, *, exact: bool) -> None:
        self.name, self._exact = name, exact
        self._known: dict[str, Number | float] = {}

    def read(self, cells: Sequence[str], *, first: int) -> Column:
        """Integers as int64, decimals as float64, and Python numbers where these would lose something."""
        plain = _plainly(cells, exact=self._exact)
        if plain is not None:
            return plain
        column = np.empty(len(cells), dtype=object)
        for i, cell in enumerate(cells):
            column[i] = self._number(cell, row=first + i)
        return column

    def _number(self, cell: str, *, row: int) -> Number | float:
        found = self._known.get(cell)
        if found is None:
            try:
                found = self._known[cell] = float_or_exact(cell, exact=self._exact)
            except ValueError as error:
                raise BadProblem(f"row {row}, column {self.name[:60]!r}: {error}") from None
        return found


def _plainly(cells: Sequence[str], *, exact: bool) -> Column | None:
    """The whole column at once, when every cell is an integer or decimal that is kept as it is; else None.

    Of the letters that are let through, `int` and `float` read the same texts as `parse_number`.
    """
    text = "\n".join(cells)
    if not text.isascii() or text.count("\n") != len(cells) - 1 or max(map(len, cells)) > _LONG:
        return None
    raw = text.encode()
    if raw.translate(None, _PLAIN):
        return None
    whole = not raw.translate(None, b"0123456789+- \t\n")
    try:
        if whole:
            return np.fromiter(map(int, cells), dtype=np.int64, count=len(cells))
        return None if exact else _decimals(cells)
    except (ValueError, OverflowError):
        return None


def _decimals(cells: Sequence[str]) -> Column | None:
    """None where a number is so large that an integer may have been rounded, or so small that it became zero."""
    values = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    zeros = np.flatnonzero(values == 0).tolist()
    lost = any(cells[i].lower().partition("e")[0].strip("+-0. \t") for i in zeros)
    return None if lost or not bool(np.all(np.abs(values) < _DOUBLE)) else values


def float_or_exact(cell: str, *, exact: bool) -> Number | float:
    """One number cell; a `ValueError` says what is wrong with it."""
    number = parse_number(cell)
    if exact or "/" in cell or not any(letter in cell for letter in ".eE"):
        return number
    value = float(cell)
    if not math.isfinite(value):
        raise ValueError(f"{cell.strip()[:40]} is too large for a float (--exact takes decimals as written)")
    if value == 0 and number != 0:
        raise ValueError(f"{cell.strip()[:40]} is too small for a float (--exact takes decimals as written)")
    return value


def joined(columns: Sequence[Sequence[Column]], *, wanted: npt.NDArray[np.bool_] | None = None) -> Column:
    """Columns in chunks as one array [rows, columns]; zero in rows that are not wanted.

    int64 if everything is an integer below 2^63, float64 if some number is a float with a fraction and nothing is
    lost by that, Python numbers otherwise.
    """
    whole = [_concatenated(chunks) for chunks in columns]
    if wanted is not None:
        for column in whole:
            column[~wanted] = 0
    kinds = {column.dtype.kind for column in whole}
    if kinds <= {"i", "f"}:
        return _stacked(whole)
    table = np.empty((len(whole[0]), len(whole)), dtype=object)
    for i, column in enumerate(whole):
        table[:, i] = column
    return table


def _concatenated(chunks: Sequence[Column]) -> Column:
    """Chunks as one column; integers that float64 would round stay Python integers beside floats."""
    if not chunks:
        return np.zeros(0, dtype=np.int64)
    mixed = len({chunk.dtype.kind for chunk in chunks}) > 1
    beyond = any(chunk.dtype.kind == "i" and bool(np.any(np.abs(chunk) >= _DOUBLE)) for chunk in chunks)
    return np.concatenate([chunk.astype(object) for chunk in chunks] if mixed and beyond else chunks)


def _stacked(whole: Sequence[Column]) -> Column:
    """Floats become integers when all of them are (below 2^53 by now)."""
    fractions = any(column.dtype.kind == "f" and bool(np.any(column != np.floor(column))) for column in whole)
    return np.stack([column.astype(np.float64 if fractions else np.int64) for column in whole], axis=1)
