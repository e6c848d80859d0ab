"""Weights that are right beyond the noise: with a margin larger than anything the radii could take away.

`<w, x> > rho |w|_1` says that w is positive on the whole box of half-width rho around x, and that is positivity on the
corner `x - rho sign(w)`.  So certain weights are realizing weights of finitely many corners, of which a few are made
when they are violated; if those few conflict, no certain weights exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Vectors, primitive_vector, quotients
from hornbook.rays._cone import Cone, Inside

__all__ = ["Boxes", "Clash", "certain_weights", "tightened", "weights_or_clash"]

_BLOCK = 1 << 22  # products of weights and boxes that are held at once


class Boxes:
    """Measured vectors: each row is a vector and its size; the box around it has half-width noise * size."""

    def __init__(self, measured: Vectors, noise: Fraction) -> None:
        self.measured = measured
        self.noise = noise
        self.dimension = measured.dimension - 1
        self.centres = measured.columns(range(self.dimension))

    def __len__(self) -> int:
        return len(self.measured)

    def wider(self, factor: int) -> Boxes:
        """The same boxes, so many times as wide."""
        boxes = copy(self)
        boxes.noise = factor * self.noise
        return boxes

    def margin_weights(self, weights: Sequence[int], *, side: int = 1) -> tuple[int, ...]:
        """Weights on measured vectors whose product is a positive multiple of `side * <w, x> - rho |w|_1`."""
        total = sum(abs(w) for w in weights)
        return (*(side * w * self.noise.denominator for w in weights), -total * self.noise.numerator)

    def corners(self, rows: npt.NDArray[np.intp], weights: Sequence[int], *, sides: npt.NDArray[np.intp]) -> Vectors:
        """The worst corner for these weights of each of these boxes (mirrored where the side is -1)."""
        taken = self.measured.take(rows).exact.astype(object)
        signs = np.array([(w > 0) - (w < 0) for w in weights], dtype=object)
        centres = taken[:, :-1] * sides[:, None].astype(object) * self.noise.denominator
        return Vectors.of((centres - taken[:, -1:] * signs * self.noise.numerator).tolist(), self.dimension)

    def are_certain(
        self, weights: Sequence[Sequence[int]], *, negative: Sequence[npt.NDArray[np.intp]]
    ) -> npt.NDArray[np.bool_]:
        """For each of some weights: positive beyond the noise on all boxes but its `negative` ones, and negative there.

        Cost: one product of all weights with all boxes.
        """
        answers = np.zeros(len(weights), dtype=np.bool_)
        step = max(1, _BLOCK // max(1, len(self)))
        for start in range(0, len(weights), step):
            part = weights[start : start + step]
            right = self.measured.signs([self.margin_weights(w) for w in part]) > 0
            for i, w in enumerate(part):
                members = negative[start + i]
                mirrored = self.measured.take(members).signs([self.margin_weights(w, side=-1)])[:, 0]
                right[members, i] = mirrored > 0
            answers[start : start + step] = right.all(axis=0)
        return answers


def _wrong(boxes: Boxes, weights: Sequence[int], negative: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    right = boxes.measured.signs([boxes.margin_weights(weights)])[:, 0] > 0
    if negative.size:
        mirrored = boxes.measured.take(negative).signs([boxes.margin_weights(weights, side=-1)])[:, 0]
        right[negative] = mirrored > 0
    return np.flatnonzero(~right)


@dataclass(frozen=True)
class Clash:
    """Boxes that no weights are right about: `rows`, and the most that weights could be ahead on all of them, relative
    to the size of each."""

    rows: tuple[int, ...]
    most: Fraction


def certain_weights(boxes: Boxes, *, negative: npt.NDArray[np.intp], guess: Sequence[int]) -> tuple[int, ...] | None:
    """Weights positive beyond the noise on all boxes but `negative`, and negative beyond it on those; None if none are.

    Exact either way.  Cost: a few passes over the vectors, each adding at most d + 1 corners to a small exact problem.
    """
    found = weights_or_clash(boxes, negative=negative, guess=guess)
    return None if isinstance(found, Clash) else found


def weights_or_clash(boxes: Boxes, *, negative: npt.NDArray[np.intp], guess: Sequence[int]) -> tuple[int, ...] | Clash:
    """The same, or at most d + 1 boxes that show why there are none."""
    sides = np.ones(len(boxes), dtype=np.intp)
    sides[negative] = -1
    weights = tuple(guess)
    cone = Cone(Vectors.of([], boxes.dimension + 1))
    apex = [0] * boxes.dimension + [1]
    owners: list[int] = []
    while True:
        wrong = _wrong(boxes, weights, negative)
        if wrong.size == 0:
            return weights
        worst = _worst(boxes, wrong, weights, sides)
        owners += worst.tolist()
        corners = boxes.corners(worst, weights, sides=sides[worst])
        cone.extend(Vectors(_raised(corners.exact)))
        answer = cone.locate(apex)
        if isinstance(answer, Inside):
            return _clash(boxes, [owners[i] for i in answer.support], answer.multipliers, sides)
        weights = primitive_vector(answer.weights[:-1])


def tightened(boxes: Boxes, clash: Clash) -> Clash:
    """The same with hardly more than the true `most`, unless that is very small: with half as much, weights exist."""
    few = boxes.measured.take(clash.rows)
    nobody, guess = np.zeros(0, dtype=np.intp), (0,) * boxes.dimension
    for part, rounds in ((2**16, 4), (2, 17)):
        for _ in range(rounds):
            found = weights_or_clash(Boxes(few, clash.most / part), negative=nobody, guess=guess)
            if not isinstance(found, Clash):
                break
            clash = Clash(clash.rows, found.most)
    return clash


def _clash(boxes: Boxes, owners: Sequence[int], shares: Sequence[int], sides: npt.NDArray[np.intp]) -> Clash:
    """A sum of these vectors is within the noise of zero, so no weights are far ahead on all of them."""
    rows = [boxes.measured.row(row) for row in owners]
    parts = [m * int(sides[row]) for m, row in zip(shares, owners, strict=True)]
    total = [sum(m * row[c] for m, row in zip(parts, rows, strict=True)) for c in range(boxes.dimension)]
    lengths = sum(m * row[-1] for m, row in zip(shares, rows, strict=True))
    return Clash(tuple(sorted(set(owners))), Fraction(max(map(abs, total)), lengths))


def _worst(
    boxes: Boxes, wrong: npt.NDArray[np.intp], weights: Sequence[int], sides: npt.NDArray[np.intp]
) -> npt.NDArray[np.intp]:
    """Up to d + 1 of the wrong boxes, those most wrong for their size."""
    products = boxes.centres.take(wrong).products(weights) * sides[wrong]
    sizes = boxes.measured.exact[wrong, -1]
    badness = np.array(quotients([int(v) for v in products], [int(v) for v in sizes]))
    return wrong[np.argsort(badness, kind="stable")[: boxes.dimension + 1]]


def _raised(corners: Integers) -> Integers:
    return np.hstack([corners, np.ones((len(corners), 1), dtype=corners.dtype)])
