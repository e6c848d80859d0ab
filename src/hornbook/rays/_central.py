"""Weights whose plane cuts vectors of all sizes at about the same height.

Any weights that are positive on all vectors make a cross-section, but on most of them nearly all points crowd
together and a few are far away: the section of vectors (x, x^2, 1) along their sum is such.  With the columns brought
to one size, and each vector to length one, the sum stands in the middle.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbook.arithmetic import Vectors

__all__ = ["central_weights"]

_BITS = 12  # of the weights, in columns of one size
_ROOM = 2**60  # products below this are exact in int64


def central_weights(vectors: Vectors, weights: Sequence[int]) -> tuple[int, ...]:
    """Weights in the middle of the vectors, if they are positive on all of them and short; else the weights given.

    Cost: a few passes over the vectors.
    """
    if vectors.largest >= _ROOM:
        return tuple(weights)
    sizes = np.abs(vectors.floats).max(axis=0, initial=1.0)
    exponents = np.frexp(np.maximum(sizes, 1.0))[1]
    table = np.ldexp(vectors.floats, -exponents)
    middle = (table / np.sqrt(np.einsum("ij,ij->i", table, table))[:, None]).sum(axis=0)
    short = np.rint(np.ldexp(middle / np.abs(middle).max(), _BITS)).astype(np.int64).tolist()
    found = tuple(v << int(exponents.max() - e) for v, e in zip(short, exponents.tolist(), strict=True))
    if vectors.reach(found) >= _ROOM:
        return tuple(weights)
    return found if bool((vectors.signs([found]) > 0).all()) else tuple(weights)
