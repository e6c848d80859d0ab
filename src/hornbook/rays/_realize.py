"""Is there a w with `<w, x> > 0` for every vector?  Exact weights, or an exact irreducible conflict.

Lift every x to (x, 1).  The point (0, 1) is in the cone of the lifted vectors exactly when some convex combination of
the vectors is zero; otherwise the separating (w, t) has t < 0 and `<w, x> >= -t > 0`.  The simplex returns linearly
independent lifted vectors, so a conflict is irreducible: a second combination on fewer of them, scaled to the same sum,
would be a linear relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hornbook.arithmetic import Integers, Vectors, primitive_vector, quotients
from hornbook.rays._cone import Cone, Inside

__all__ = ["Conflict", "realize", "realize_with", "realizing", "rounded"]

_LONG = 2**63  # int64 sums wrap from here


@dataclass(frozen=True)
class Conflict:
    """`sum multipliers[i] * vectors[rows[i]] = 0`, multipliers positive; without any one row the rest is realizable."""

    rows: tuple[int, ...]
    multipliers: tuple[int, ...]


def realize(vectors: Vectors) -> tuple[int, ...] | Conflict:
    """Weights with a positive product with every vector, small integers where small ones will do; or a conflict.

    Cost: a few passes over the vectors; each adds at most d + 1 of them to a small exact problem.
    """
    if len(vectors) == 0:
        return (0,) * vectors.dimension
    zero = np.flatnonzero((vectors.exact == 0).all(axis=1))
    if zero.size:
        return Conflict((int(zero[0]),), (1,))
    total = primitive_vector(_column_sums(vectors))
    if bool((vectors.signs([total]) > 0).all()):
        return rounded(total, vectors)
    return _by_worst_offenders(vectors, total)


def _column_sums(vectors: Vectors) -> list[int]:
    whole = vectors.exact
    if whole.dtype == np.int64 and vectors.largest * len(vectors) >= _LONG:
        whole = whole.astype(object)
    return [int(v) for v in whole.sum(axis=0)]


def realizing(vectors: Vectors) -> tuple[int, ...]:
    """Realizing weights of vectors that are known to agree."""
    weights = realize(vectors)
    if isinstance(weights, Conflict):
        raise ArithmeticError(f"vectors {weights.rows} contradict each other although all were found to agree")
    return weights


def _by_worst_offenders(vectors: Vectors, guess: Sequence[int]) -> tuple[int, ...] | Conflict:
    """Realize a growing few, until they speak for all."""
    few = _worst(vectors, vectors.products(guess))
    cone = Cone(_lifted(vectors.take(few)))
    apex = [0] * vectors.dimension + [1]
    while True:
        answer = cone.locate(apex)
        if isinstance(answer, Inside):
            return _conflict([few[i] for i in answer.support], answer.multipliers)
        weights = answer.weights[:-1]
        products = vectors.products(weights)
        if bool((products > 0).all()):
            return rounded(weights, vectors)
        new = _worst(vectors, products)
        cone.extend(_lifted(vectors.take(new)))
        few += new


def realize_with(vectors: Vectors, weak: Vectors) -> tuple[int, ...] | Conflict:
    """Weights with a positive product with every vector and no negative one with a weak one; or a conflict.

    The rows of a conflict count the vectors first, then the weak ones, and some of them is a vector.
    """
    if len(weak) == 0 or len(vectors) == 0:
        return realize(vectors)
    few: list[int] = []
    cone = Cone(_lifted(weak, height=0))
    apex = [0] * vectors.dimension + [1]
    while True:
        answer = cone.locate(apex)
        if isinstance(answer, Inside):
            rows = [*range(len(vectors), len(vectors) + len(weak)), *few]
            return _conflict([rows[i] for i in answer.support], answer.multipliers)
        products = vectors.products(answer.weights[:-1])
        if bool((products > 0).all()):
            return answer.weights[:-1]
        new = _worst(vectors, products)
        cone.extend(_lifted(vectors.take(new)))
        few += new


def _worst(vectors: Vectors, products: Integers) -> list[int]:
    """Up to d + 1 vectors that are most wrong for their size."""
    wrong = np.flatnonzero(products <= 0)
    sizes = np.abs(vectors.exact[wrong]).max(axis=1)
    badness = np.array(quotients(products[wrong].tolist(), sizes.tolist()))
    return [int(i) for i in wrong[np.argsort(badness, kind="stable")[: vectors.dimension + 1]]]


def _lifted(vectors: Vectors, *, height: int = 1) -> Vectors:
    heights = np.full((len(vectors), 1), height, dtype=vectors.exact.dtype)
    return Vectors(np.hstack([vectors.exact, heights]))


def _conflict(rows: Sequence[int], multipliers: Sequence[int]) -> Conflict:
    ordered = sorted(zip(rows, primitive_vector(multipliers), strict=True))
    return Conflict(tuple(row for row, _ in ordered), tuple(m for _, m in ordered))


def rounded(weights: Sequence[int], vectors: Vectors, *, negative: Sequence[int] = ()) -> tuple[int, ...]:
    """Shorter weights with the same signs: positive on all vectors but the rows `negative`, negative on those."""
    wanted = np.ones(len(vectors), dtype=np.int8)
    wanted[list(negative)] = -1
    size, bits = max(abs(v) for v in weights), 1
    while 1 << bits < size:
        short = [((v << (bits + 1)) // size + 1) >> 1 for v in weights]
        if np.array_equal(vectors.signs([short])[:, 0], wanted):
            return primitive_vector(short)
        bits *= 2
    return primitive_vector(weights)
