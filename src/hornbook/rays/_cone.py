"""Is q in the cone of these generators?  An exact simplex with integer pivots, warm from one question to the next.

The basis inverse is kept as an integer matrix over one denominator (Edmonds 1967): pivots divide exactly, so there is
neither rounding nor growth beyond determinants.  There is no objective, hence every basis is dual feasible and stays so
when q changes.  "Inside" comes with an index set (a simplicial cone of at most d generators around q), "outside" with
separating weights.  Both are exact; floats only filter the signs of pricing (`arithmetic.Vectors`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, primitive_vector, quotients

__all__ = ["Cone", "Inside", "Outside"]


@dataclass(frozen=True)
class Inside:
    """q is the sum of `multipliers[i] / denominator` times generator `support[i]`; all multipliers are positive."""

    support: tuple[int, ...]
    multipliers: tuple[int, ...]
    denominator: int


@dataclass(frozen=True)
class Outside:
    """`<weights, g> >= 0` for every generator g, and `<weights, q> < 0`."""

    weights: tuple[int, ...]


class Cone:
    """The cone of a growing list of generators, asked about one vector after another.

    Cost: a few pivots per question, each one filtered product with all generators and d^2 exact multiplications.
    Good while d is at most a few dozen; the answers do not depend on the machine.
    """

    def __init__(self, generators: Vectors, *, patience: int | None = None) -> None:
        self.generators = generators
        dimension = generators.dimension
        # after so many pivots on one question comes the least-index rule, which cannot cycle (Terlaky's criss-cross)
        self._patience = 20 + 4 * dimension if patience is None else patience
        # rows of the basis: a generator's index, or -1 for an artificial unit vector that may only be used zero times
        self._basis = [-1] * dimension
        self._inverse: npt.NDArray[Any] = np.array(
            [[int(i == j) for j in range(dimension)] for i in range(dimension)], dtype=object
        ).reshape(dimension, dimension)
        self._denominator = 1

    def extend(self, generators: Vectors) -> None:
        """Add generators after the ones already there; the basis stays."""
        exact = np.concatenate([self.generators.exact, generators.exact])
        self.generators = Vectors(exact)

    def locate(self, q: Sequence[int]) -> Inside | Outside:
        """Decide whether q is in the cone."""
        target = np.array(list(q), dtype=object)
        patience = self._patience
        while True:
            values = self._inverse @ target
            row = self._infeasible_row(values, least_index=patience <= 0)
            if row is None:
                return self._inside(values)
            towards = self._inverse[row] * (1 if values[row] < 0 else -1)
            entering = self._entering(towards, least_index=patience <= 0)
            if entering is None:
                return Outside(primitive_vector(towards.tolist()))
            self._pivot(row, entering)
            patience -= 1

    def _inside(self, values: npt.NDArray[Any]) -> Inside:
        used = sorted((j, v) for j, v in zip(self._basis, values.tolist(), strict=True) if v)
        return Inside(tuple(j for j, _ in used), tuple(v for _, v in used), self._denominator)

    def _infeasible_row(self, values: npt.NDArray[Any], *, least_index: bool) -> int | None:
        """The basis row to repair: an artificial one if any is used, else the most negative (or the least index)."""
        best: int | None = None
        for row, (member, value) in enumerate(zip(self._basis, values.tolist(), strict=True)):
            if member < 0:
                if value != 0:
                    return row
            elif value < 0 and (best is None or self._worse(row, best, values, least_index=least_index)):
                best = row
        return best

    def _worse(self, row: int, best: int, values: npt.NDArray[Any], *, least_index: bool) -> bool:
        if least_index:
            return self._basis[row] < self._basis[best]
        return bool(values[row] < values[best])

    def _entering(self, weights: npt.NDArray[Any], *, least_index: bool) -> int | None:
        """A generator with `<weights, g> < 0`: the one furthest out for its size, or the first."""
        row = [int(v) for v in weights]
        negative = np.flatnonzero(self.generators.signs([row])[:, 0] < 0)
        if negative.size == 0:
            return None
        if least_index or negative.size == 1:
            return int(negative[0])
        some = self.generators.take(negative)
        furthest = quotients(some.products(row).tolist(), _sizes(some))
        return int(negative[furthest.index(min(furthest))])

    def _pivot(self, row: int, entering: int) -> None:
        generator = np.array(self.generators.row(entering), dtype=object)
        column = self._inverse @ generator
        pivot, old = column[row], self._denominator
        kept = self._inverse[row]
        changed = (self._inverse * pivot - np.outer(column, kept)) // old
        changed[row] = kept
        self._inverse, self._denominator = (changed, pivot) if pivot > 0 else (-changed, -pivot)
        self._basis[row] = entering

    def certify(self, vectors: Vectors) -> npt.NDArray[np.bool_]:
        """Which of these vectors the current basis shows to be inside: one product for all of them."""
        return self._certified(self._multiplier_signs(vectors))

    def supports(self, vectors: Vectors) -> list[tuple[int, ...] | None]:
        """For each vector that the current basis shows to be inside, the generators with a positive multiplier."""
        signs = self._multiplier_signs(vectors)
        basis = np.array(self._basis)
        return [
            tuple(sorted(basis[row > 0].tolist())) if inside else None
            for row, inside in zip(signs, self._certified(signs), strict=True)
        ]

    def _multiplier_signs(self, vectors: Vectors) -> npt.NDArray[np.int8]:
        return vectors.signs([[int(v) for v in row] for row in self._inverse])

    def _certified(self, signs: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
        artificial = np.array(self._basis) < 0
        return np.asarray((signs >= 0).all(axis=1) & (signs[:, artificial] == 0).all(axis=1))


def _sizes(vectors: Vectors) -> list[int]:
    return [size or 1 for size in np.abs(vectors.exact.astype(object)).sum(axis=1).tolist()]
