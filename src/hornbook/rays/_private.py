"""Rays that are seen at once: a vector with a coordinate of its own, in which all others are zero.

No other vectors add up to it, so it is a ray; and it is in no sum for another vector, so the others can be looked at
without it.  Then more coordinates may have only one vector left.  One-hot features are made of such coordinates.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors

__all__ = ["with_private_coordinates"]


def with_private_coordinates(vectors: Vectors) -> npt.NDArray[np.bool_]:
    """Which vectors have a coordinate of their own, once those that have one are gone.

    Cost: a pass over the vectors, and another for each layer.
    """
    filled = np.asarray(vectors.exact != 0)
    private = np.zeros(len(vectors), dtype=np.bool_)
    count = filled.sum(axis=0)
    while True:
        alone = filled[:, count == 1].any(axis=1) & ~private
        if not alone.any():
            return private
        private |= alone
        count -= filled[alone].sum(axis=0)
        filled[alone] = False
