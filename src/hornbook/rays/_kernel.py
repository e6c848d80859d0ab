"""Inner loops of the float simplex: plain Python on arrays, which `_compiled` turns into machine code.

They guess.  Every operation is a plain IEEE one in a fixed order (no reordered sums), so results are the same bits on
any machine, compiled or not.

Throughout, `columns` (d x capacity) holds generators as columns, `basis` d of them and `inverse` their inverse matrix;
row 1 of `basis` is a basis to fall back on.  `nearly` is the distance below which floats do not tell.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["FRAME", "INSIDE", "KERNELS", "OPEN", "REORDERED", "STUCK"]

Array = Any  # numba finds the types by itself
REFRESH = 50  # exchanges after which the inverse is computed anew
OPEN, INSIDE, FRAME, STUCK = 0, 1, 2, 3  # what is known of a vector


def smallest(values: Array, count: int, /) -> float:
    """The least of the first `count` values."""
    least = np.inf
    for j in range(count):
        least = min(least, values[j])
    return least


def inverted(matrix: Array, inverse: Array, /) -> float:
    """Gauss and Jordan with row exchanges; `matrix` is used up.  Returns the determinant, 0.0 when there is none."""
    d = matrix.shape[0]
    determinant = 1.0
    for i in range(d):
        for j in range(d):
            inverse[i, j] = 1.0 if i == j else 0.0
    for c in range(d):
        p = c
        for i in range(c + 1, d):
            if abs(matrix[i, c]) > abs(matrix[p, c]):
                p = i
        pivot = matrix[p, c]
        if pivot == 0.0 or not math.isfinite(pivot):
            return 0.0
        determinant *= pivot if p == c else -pivot
        for j in range(d):
            above, below = matrix[c, j], matrix[p, j] / pivot
            matrix[p, j], matrix[c, j] = above, below
            above, below = inverse[c, j], inverse[p, j] / pivot
            inverse[p, j], inverse[c, j] = above, below
        for i in range(d):
            factor = matrix[i, c]
            if i != c and factor != 0.0:
                for j in range(d):
                    matrix[i, j] -= factor * matrix[c, j]
                    inverse[i, j] -= factor * inverse[c, j]
    return determinant


def refreshed(columns: Array, basis: Array, inverse: Array, /) -> int:
    """The inverse computed anew: 0; if the basis has none, that of the one to fall back on: -1."""
    d = columns.shape[0]
    matrix = np.empty((d, d))
    for attempt in range(2):
        for i in range(d):
            if attempt == 1:
                basis[0, i] = basis[1, i]
            for k in range(d):
                matrix[k, i] = columns[k, basis[0, i]]
        if inverted(matrix, inverse) != 0.0:
            return -attempt
    return -1


def priced(columns: Array, count: int, weights: Array, prices: Array, /) -> None:
    """Products of the first `count` columns with weights, one coordinate after the other."""
    for j in range(count):
        prices[j] = weights[0] * columns[0, j]
    for k in range(1, columns.shape[0]):
        weight = weights[k]
        for j in range(count):
            prices[j] += weight * columns[k, j]


def entered(columns: Array, basis: Array, inverse: Array, row: int, column: int, age: int, /) -> int:
    """Exchange one member of the basis; returns the exchanges since the inverse was fresh, -1 when it broke."""
    d = columns.shape[0]
    basis[0, row] = column
    pivot = 0.0
    for k in range(d):
        pivot += inverse[row, k] * columns[k, column]
    if age >= REFRESH or pivot == 0.0:
        return refreshed(columns, basis, inverse)
    for k in range(d):
        inverse[row, k] /= pivot
    for i in range(d):
        if i != row:
            factor = 0.0
            for k in range(d):
                factor += inverse[i, k] * columns[k, column]
            for k in range(d):
                inverse[i, k] -= factor * inverse[row, k]
    return age + 1


def violated(inverse: Array, q: Array, nearly: float, /) -> tuple[int, float]:
    """The row of the inverse whose product with q is most negative for its length, and this length; -1 if none is."""
    d = inverse.shape[0]
    row, worst, length = -1, nearly * nearly, 0.0
    for i in range(d):
        value, size = 0.0, 0.0
        for k in range(d):
            value += inverse[i, k] * q[k]
            size += inverse[i, k] * inverse[i, k]
        if value < 0.0 and value * value > worst * size:
            row, worst, length = i, value * value / size, math.sqrt(size)
    return row, length


def locate(
    columns: Array, count: int, q: Array, basis: Array, inverse: Array, prices: Array, age: int, nearly: float, /
) -> tuple[int, int, int]:
    """Is q in the cone of the columns?  (INSIDE, -), (OPEN, row of the inverse that separates) or (STUCK, -), and age.

    A simplex without an objective, so any basis will do to start with: the row most violated for its length leaves,
    the column furthest beyond it enters.
    """
    for _ in range(40 + 10 * columns.shape[0]):
        row, length = violated(inverse, q, nearly)
        if row < 0:
            return INSIDE, 0, age
        priced(columns, count, inverse[row], prices)
        least = smallest(prices, count)
        if least >= -nearly * length:
            return OPEN, row, age
        column = 0
        while prices[column] != least:
            column += 1
        age = entered(columns, basis, inverse, row, column, age)
        if age < 0:
            return STUCK, 0, age
    return STUCK, 0, age


def outermost(points: Array, ties: Array, known: Array, weights: Array, first: int, nearly: float, /) -> int:
    """The open point furthest out against weights; on faces, where many are, the one first in a generic direction."""
    best, lowest = first, np.inf
    for t in range(first, points.shape[0]):
        if known[t] == OPEN:
            value = 0.0
            for k in range(points.shape[1]):
                value += weights[k] * points[t, k]
            if value < lowest - nearly or (value <= lowest + nearly and ties[t] < ties[best]):
                best, lowest = t, min(value, lowest)
    return best


def sweep(
    columns: Array,
    names: Array,
    count: int,
    points: Array,
    rows: Array,
    ties: Array,
    start: int,
    stop: int,
    basis: Array,
    inverse: Array,
    known: Array,
    found: Array,
    nearly: float,
    /,
) -> tuple[int, int]:
    """Ask one open point after the other; what is outside adds a column.  Returns (next point, number of columns).

    It stops before `stop`, or where there is no room for one more column.

    `names` are the row numbers of the columns, `rows` those of the points; `found` gets the names of the basis around
    each point that is inside.
    """
    d = points.shape[1]
    prices = np.empty(columns.shape[1])
    age = max(0, refreshed(columns, basis, inverse))
    for i in range(start, stop):
        while known[i] == OPEN:
            if count == columns.shape[1]:
                return i, count
            answer, row, age = locate(columns, count, points[i], basis, inverse, prices, age, nearly)
            age = max(0, age)
            if answer == INSIDE:
                for k in range(d):
                    found[i, k] = names[basis[0, k]]
            if answer != OPEN:
                known[i] = answer
            else:
                new = outermost(points, ties, known, inverse[row], i, nearly)
                known[new] = FRAME
                for k in range(d):
                    columns[k, count] = points[new, k]
                names[count] = rows[new]
                count += 1
    return stop, count


def left_out(
    columns: Array,
    count: int,
    start: int,
    stop: int,
    basis: Array,
    inverse: Array,
    known: Array,
    found: Array,
    witness: Array,
    nearly: float,
    /,
) -> None:
    """Is each of some columns in the cone of the others?  One that is, is zeroed: nothing can use it any more.

    `found` gets the basis around it, or `witness` weights that are negative on it and hardly so on any other.
    """
    d = columns.shape[0]
    prices, q = np.empty(columns.shape[1]), np.empty(d)
    age = max(0, refreshed(columns, basis, inverse))
    for j in range(start, stop):
        for k in range(d):
            q[k], columns[k, j] = columns[k, j], 0.0
        answer = OPEN
        for i in range(d):
            if basis[0, i] == j:  # it must go: whatever moves most takes its place
                priced(columns, count, inverse[i], prices)
                best = 0
                for c in range(count):
                    if abs(prices[c]) > abs(prices[best]):
                        best = c
                age = entered(columns, basis, inverse, i, best, age)
                answer = OPEN if age >= 0 and prices[best] != 0.0 else STUCK
        row = 0
        if answer == OPEN:
            answer, row, age = locate(columns, count, q, basis, inverse, prices, age, nearly)
        known[j] = answer
        for k in range(d):
            found[j, k] = basis[0, k]
            witness[j, k] = inverse[row, k]
            if answer != INSIDE:
                columns[k, j] = q[k]
        age = max(age, 0)


KERNELS = (smallest, inverted, refreshed, priced, entered, violated, locate, outermost, sweep, left_out)
"""In the order of their calls: each uses only those before it."""
REORDERED = (smallest,)
"""Minima round nothing, so their loops may be reordered for speed."""
