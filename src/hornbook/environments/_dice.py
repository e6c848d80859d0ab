"""Random numbers from a counter, not a stream: any row is made on its own, alike everywhere and in any order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["dice"]


def dice(seed: int, counters: npt.NDArray[np.uint64], *, purpose: int) -> npt.NDArray[np.uint64]:
    """64 random bits per counter, independent for different purposes: the splitmix64 mixer."""
    start = np.uint64((seed * 4 + purpose) * 0xD1342543DE82EF95 % 2**64)
    z = (counters + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + start
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))
