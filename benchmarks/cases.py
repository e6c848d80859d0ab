"""What is measured: a family is a list of cases, a case is data and those who solve it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Case", "Family", "same"]


def same(ours: Any, theirs: Any) -> str | None:
    """None when two answers agree, else by how much they differ."""
    if ours == theirs:
        return None
    if isinstance(ours, list) and isinstance(theirs, list):
        missing, extra = len(set(ours) - set(theirs)), len(set(theirs) - set(ours))
        return f"{missing} missing, {extra} too many"
    return f"{theirs} instead of {ours}"


@dataclass(frozen=True)
class Case:
    """One row of the table.

    `make` returns arrays that are saved for all peers; `truth`, when it is known beforehand, is what every answer is
    compared with (else the answer of the first peer that is exact).  `ours` comes first among `peers`, which are names
    of files in `benchmarks/peers`.  `seconds` is the time limit of one run of a peer.
    """

    name: str
    sizes: Mapping[str, int | str]
    make: Callable[[], Mapping[str, Any]]
    peers: tuple[str, ...]
    full: bool = False
    seconds: float = 60.0
    repeats: int = 3
    truth: Callable[[Mapping[str, Any]], Any] | None = None
    compare: Callable[[Any, Any], str | None] = same


@dataclass(frozen=True)
class Family:
    """Cases of one kind; `about` stands above the table."""

    name: str
    about: str
    cases: list[Case] = field(default_factory=list)
