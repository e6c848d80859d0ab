"""Inner loops of proofs: what they say is so, by a bound on their own rounding or by whole numbers held exactly.

A proof is about d rows of a table, a *basis*, and a vector that is to be in their cone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.rays._kernel import inverted

__all__ = ["KERNELS"]

Array = Any  # numba finds the types by itself


def surely_inside(table: Array, bases: Array, vectors: Array, unit: float, proved: Array, /) -> None:
    """Which vectors are surely in the cone of d rows of the table each, all multipliers positive.

    Entries are true ones up to a relative error of `unit` (u = 2^-53).  With C a float inverse of the basis B, |CB - I|
    at most r by rows and m = Cx, the multipliers l solve (CB) l = m: so |l - m| <= r max|l|, and max|l| is at most
    max|m| / (1 - max r).  Products and their sums carry at most d + 3 roundings each; the factor of `unit` covers them
    and those of this very bound.
    """
    d = table.shape[1]
    slack = (d + 16) * unit
    matrix, kept, inverse, spread = np.empty((d, d)), np.empty((d, d)), np.empty((d, d)), np.empty(d)
    for i in range(vectors.shape[0]):
        fresh = i == 0
        for k in range(d):
            fresh = fresh or bases[i, k] != bases[i - 1, k]
        if fresh:
            for j in range(d):
                for k in range(d):
                    matrix[k, j] = kept[k, j] = table[bases[i, j], k]
            sound = inverted(matrix, inverse) != 0.0
            worst = 0.0
            for r in range(d):
                spread[r] = 0.0
                for j in range(d):
                    value, size = -1.0 if r == j else 0.0, 1.0
                    for k in range(d):
                        value += inverse[r, k] * kept[k, j]
                        size += abs(inverse[r, k] * kept[k, j])
                    spread[r] += abs(value) + slack * size
                worst = max(worst, spread[r])
            sound = sound and worst < 0.25
        proved[i] = sound and all_positive(inverse, vectors[i], spread, slack)


def all_positive(inverse: Array, x: Array, spread: Array, slack: float, /) -> bool:
    """Whether all multipliers of x are positive beyond any rounding; `spread` is the error of the inverse by rows."""
    d = inverse.shape[0]
    largest, safe = 0.0, True
    for r in range(d):
        value, size = 0.0, 0.0
        for k in range(d):
            value += inverse[r, k] * x[k]
            size += abs(inverse[r, k] * x[k])
        largest = max(largest, abs(value) + slack * size)
    for r in range(d):
        value, size = 0.0, 0.0
        for k in range(d):
            value += inverse[r, k] * x[k]
            size += abs(inverse[r, k] * x[k])
        safe = safe and value > 1.5 * spread[r] * largest + 2.0 * slack * size
    return safe


def wholly_inside(table: Array, bases: Array, vectors: Array, limit: float, proved: Array, signs: Array, /) -> None:
    """The same for whole numbers, where sums of products stay below `limit` (2^53), so that floats hold them exactly.

    Guesses the determinant D and N = D times the inverse, and believes them only if N B = D I exactly; then the signs
    of N x / D are those of the multipliers, zeros included.
    """
    d = table.shape[1]
    matrix, kept, inverse = np.empty((d, d)), np.empty((d, d)), np.empty((d, d))
    for i in range(vectors.shape[0]):
        fresh = i == 0
        for k in range(d):
            fresh = fresh or bases[i, k] != bases[i - 1, k]
        if fresh:
            for j in range(d):
                for k in range(d):
                    matrix[k, j] = kept[k, j] = table[bases[i, j], k]
            determinant = np.rint(inverted(matrix, inverse))
            sound = 0.0 < abs(determinant) < limit and adjoined(inverse, kept, determinant, limit)
        proved[i] = sound
        for r in range(d):
            value, size = 0.0, 0.0
            for k in range(d):
                value += inverse[r, k] * vectors[i, k]
                size += abs(inverse[r, k] * vectors[i, k])
            value = value if determinant > 0.0 else -value
            signs[i, r] = 1 if value > 0.0 else (-1 if value < 0.0 else 0)
            proved[i] = proved[i] and size < limit and value >= 0.0


def adjoined(inverse: Array, matrix: Array, determinant: float, limit: float, /) -> bool:
    """Turn the inverse into whole numbers over the determinant, and say whether they are exactly that."""
    d = inverse.shape[0]
    sound = True
    for i in range(d):
        for j in range(d):
            inverse[i, j] = np.rint(inverse[i, j] * determinant)
    for i in range(d):
        for j in range(d):
            value, size = 0.0, 0.0
            for k in range(d):
                value += inverse[i, k] * matrix[k, j]
                size += abs(inverse[i, k] * matrix[k, j])
            wanted = determinant if i == j else 0.0
            sound = sound and size < limit and value == wanted
    return sound


KERNELS = (all_positive, surely_inside, adjoined, wholly_inside)
"""In the order of their calls, after those of `_kernel`."""
