"""How long work tells of itself: a callback that stages call now and then; whoever shows it decides how."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Called with the stage's name, how much is done and how much there is in all (None when unknown)."""

    def __call__(self, stage: str, done: int, total: int | None, /) -> None: ...


def silent(stage: str, done: int, total: int | None, /) -> None:
    """Tell nobody."""
