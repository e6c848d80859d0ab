"""Ids of states, actions and features: texts, unique, in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hornbook.errors import BadProblem

__all__ = ["NameList", "Names", "RowNumbers", "check_list", "distinct_names", "id_order", "names_of"]

_DECIMAL = re.compile(r"[0-9]+")


class Names(Protocol):
    """State ids that need not exist all at once.  `ordered` says that rows already stand in id order."""

    @property
    def ordered(self) -> bool: ...
    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> str: ...
    def index(self, name: str) -> int: ...


@dataclass(frozen=True)
class RowNumbers:
    """The ids of states without names: "0", "1", ..."""

    count: int
    ordered: bool = True

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, row: int) -> str:
        return str(row)

    def index(self, name: str) -> int:
        row = int(name) if _DECIMAL.fullmatch(name) and len(name) < 20 else -1
        if not 0 <= row < self.count or str(row) != name:
            raise ValueError(name)
        return row


class NameList:
    """Ids that the user gave, as a list."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._rows = {name: row for row, name in enumerate(names)}
        self.ordered = id_order(names) == list(range(len(names)))

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, row: int) -> str:
        return self._names[row]

    def index(self, name: str) -> int:
        if name not in self._rows:
            raise ValueError(name)
        return self._rows[name]


def id_order(ids: Sequence[str]) -> list[int]:
    """Positions in id order: by number when all ids are decimal numbers, else by code point.

    >>> id_order(["10", "9", "1"]), id_order(["b10", "b9"])
    ([2, 1, 0], [0, 1])
    """
    if all(_DECIMAL.fullmatch(name) for name in ids):
        # by value without int(), which refuses texts of more than 4,300 digits
        return sorted(range(len(ids)), key=lambda i: (len(digits := ids[i].lstrip("0")), digits, ids[i]))
    return sorted(range(len(ids)), key=lambda i: ids[i])


def names_of(names: Names | Sequence[str] | None, count: int) -> Names:
    """The ids of the states: those given, or row numbers."""
    if names is None:
        return RowNumbers(count)
    if hasattr(names, "ordered"):
        return names
    return NameList(distinct_names("state", names, count=count) or [])


def distinct_names(kind: str, names: Iterable[object] | None, *, count: int) -> list[str] | None:
    """Names as distinct texts, as many as there are things to name."""
    if names is None:
        return None
    check_list(f"{kind}_names", names)
    result = [str(name) for name in names]
    if len(result) != count:
        raise BadProblem(f"{kind}_names: there are {len(result)} names for {count} {kind}s")
    seen: dict[str, int] = {}
    for i, name in enumerate(result):
        if name in seen:
            raise BadProblem(f"{kind}_names: {name!r} names both {kind} {seen[name]} and {kind} {i}; names must differ")
        seen[name] = i
    return result


def check_list(what: str, values: object) -> None:
    """Refuse a text (a list of letters to Python), what has no order and what has no length."""
    has_length = isinstance(values, Sized) and not (isinstance(values, np.ndarray) and values.ndim == 0)
    if not has_length or isinstance(values, (str, bytes, dict, set, frozenset)):
        raise BadProblem(f"{what}: {str(values)[:40]!r} is not a list")
