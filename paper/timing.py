"""How long things take: medians of a few runs of this process, for ratios within one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

__all__ = ["median_seconds"]

_LONG = 3.0  # seconds; what takes longer is run once


def median_seconds(run: Callable[[], object], *, repeats: int = 3) -> float:
    """The median of three runs, or one run where that is long."""
    seconds: list[float] = []
    while len(seconds) < repeats and not (seconds and seconds[0] > _LONG):
        began = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)
