"""Rays in one and two dimensions: the two ends of the angle."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.arithmetic import Vectors
from hornbook.progress import Progress, silent

__all__ = ["angle_ends"]


def angle_ends(vectors: Vectors, weights: Sequence[int], progress: Progress = silent, /) -> list[int]:
    """The clockwise-most and counter-clockwise-most vectors, as exact minima of a coordinate of the cross-section.

    Cost: two passes over m vectors.  Only for d <= 2.
    """
    if vectors.dimension == 1:
        return [0]
    across = (-weights[1], weights[0])
    back = (weights[1], -weights[0])
    return sorted({vectors.extreme(across, weights), vectors.extreme(back, weights)})
