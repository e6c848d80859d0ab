"""How long a search may go on."""

from __future__ import annotations

import time

from hornbook.cover.problem import Limits, Progress, Stop

__all__ = ["Budget"]


class Budget:
    """Counts nodes, looks at the clock, asks `stop`, tells `progress`; once used up it stays so."""

    def __init__(self, limits: Limits, *, progress: Progress | None = None, stop: Stop | None = None) -> None:
        self._nodes, self.gap = limits.nodes, limits.gap
        self._deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
        self._progress, self._stop = progress, stop
        self._spent = False
        self.done = 0

    def is_spent(self) -> bool:
        """Whether time is up or somebody asked to stop."""
        if not self._spent:
            late = self._deadline is not None and time.monotonic() >= self._deadline
            self._spent = late or (self._stop is not None and self._stop())
        return self._spent

    def next_node(self) -> bool:
        """Count one more node, unless there is none left."""
        if self._nodes is not None and self.done >= self._nodes:
            self._spent = True
        if self.is_spent():
            return False
        self.done += 1
        return True

    def seconds_left(self) -> float | None:
        """Seconds until the time limit, None without one."""
        return None if self._deadline is None else self._deadline - time.monotonic()

    def tell(self, message: str) -> None:
        """Pass a line on to whoever wants to know."""
        if self._progress is not None:
            self._progress(self.done, message)
