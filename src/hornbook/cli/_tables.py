"""Tables as text, CSV and Markdown.  Cells may hold hostile names: each form writes them so that nothing happens."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hornbook.text import harmless

__all__ = ["TABLES", "Table"]

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula


@dataclass(frozen=True)
class Table:
    """A head and lines of as many cells; the first column is words, the others are numbers."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


def _text(table: Table) -> list[str]:
    """Columns of one width, numbers to the right."""
    cells = [[harmless(cell) for cell in line] for line in (table.head, *table.lines)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
        for line in cells
    ]


def _csv(table: Table) -> list[str]:
    """Quoted where needed; a cell that a spreadsheet would calculate begins with an apostrophe."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for line in (table.head, *table.lines):
        writer.writerow([f"'{harmless(cell)}" if cell.startswith(_FORMULAS) else harmless(cell) for cell in line])
    return stream.getvalue().splitlines()


def _markdown(table: Table) -> list[str]:
    """With the characters that would mean something to Markdown or HTML written so that they do not."""
    rule = ["---", *["---:"] * (len(table.head) - 1)]
    return [_bar(map(_plain, table.head)), _bar(rule), *(_bar(map(_plain, line)) for line in table.lines)]


def _bar(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(cell: str) -> str:
    text = harmless(cell).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\`*_{}[]()#|!" else c for c in text)


TABLES: Mapping[str, Callable[[Table], list[str]]] = MappingProxyType(
    {"text": _text, "csv": _csv, "markdown": _markdown}
)
"""How a table can be printed."""
