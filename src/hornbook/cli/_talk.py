"""What commands say while they work: progress with the time left, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hornbook.cli._interrupts import Interrupts
from hornbook.progress import Progress, silent

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

__all__ = ["Talk"]

_PATIENCE = 0.3  # seconds before anything is shown: a short answer needs no bar
_BETWEEN = 0.1  # seconds between two changes of the bar


@dataclass(frozen=True)
class Talk:
    """How a command talks, and what it does on Ctrl-C."""

    interrupts: Interrupts
    quiet: bool = False

    @property
    def json(self) -> bool:
        """Whether the answer will be JSON, so that texts need not be made."""
        return self.interrupts.json

    @contextmanager
    def working(self) -> Iterator[Progress]:
        """Long work: tell the yielded function how far it is; an interrupt inside is a KeyboardInterrupt."""
        with self.interrupts.raising():
            if self.quiet or sys.stderr is None or not sys.stderr.isatty():
                yield silent
                return
            bar = _Bar()
            try:
                yield bar
            finally:
                bar.close()


class _Bar:
    """A bar for the stage at work, on standard error."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PATIENCE
        self._stage = ""
        self._shown: RichProgress | None = None
        self._task: TaskID | None = None

    def __call__(self, stage: str, done: int, total: int | None, /) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _BETWEEN
        if self._shown is None:
            self._shown = _opened()
        self._shown.update(self._task_of(stage, self._shown), completed=done, total=total)

    def _task_of(self, stage: str, shown: RichProgress) -> TaskID:
        """The one line on the screen, begun again for each stage."""
        if self._task is None or stage != self._stage:
            if self._task is not None:
                shown.remove_task(self._task)
            self._stage, self._task = stage, shown.add_task(stage, total=None)
        return self._task

    def close(self) -> None:
        if self._shown is not None:
            self._shown.stop()


def _opened() -> RichProgress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    class SteadyConsole(Console):
        """Leaves the cursor alone: whoever ends us in the middle then leaves no hidden cursor behind."""

        def show_cursor(self, show: bool = True) -> bool:
            return False

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    shown = Progress(*columns, console=SteadyConsole(stderr=True), transient=True)
    shown.start()
    return shown
