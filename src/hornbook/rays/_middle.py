"""Weights in the middle: right about everything with as much room as a linear program can find.

Weights that are barely certain are certain all the same, but whatever is tilted towards them gains little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hornbook.proposals import LinearProgram, Row, highs_relaxation
from hornbook.rays._certain import Boxes, Clash, weights_or_clash

__all__ = ["ROOM", "certain_everywhere"]

ROOM = (2**20, 2**10, 1)
"""How many times the noise weights should stand: much, a little, or as it is."""
Weights = tuple[int, ...]
_NOBODY = np.zeros(0, dtype=np.intp)
_MANY = 20_000  # rays: a linear program about more takes too long
_LONGEST = 2**20  # sizes over differences beyond this would be the solver's noise


def certain_everywhere(boxes: Boxes, rays: Sequence[int], *, guess: Weights) -> Weights | Clash:
    """Weights positive beyond the noise on everything, or vectors for which there are none (exact either way).

    `rays` are the rows of the stored rays, `guess` realizes the stored numbers.  Cost: one linear program with a row
    for each ray, unless the guess is good.
    """
    if _is_certain(boxes.wider(ROOM[0]), guess):
        return guess
    proposed = [*_middle(boxes, rays), guess]
    for factor in ROOM:
        for weights in proposed:
            if _is_certain(boxes.wider(factor), weights):
                return weights
    return weights_or_clash(boxes, negative=_NOBODY, guess=guess)


def _is_certain(boxes: Boxes, weights: Weights) -> bool:
    return bool(boxes.are_certain([weights], negative=[_NOBODY])[0])


def _middle(boxes: Boxes, rays: Sequence[int]) -> Iterator[Weights]:
    """The weights of size one whose least product with a ray, relative to its radius, is largest; rounded ever less."""
    if len(rays) > _MANY:
        return
    table = boxes.measured.take(rays).shapes
    lengths = np.abs(table[:, :-1]).max(axis=1)
    sizes = np.minimum(table[:, -1] / lengths, _LONGEST)
    width = boxes.dimension + 1  # the last variable is the relative margin
    rows = [
        Row(np.arange(width), np.append(x, -size), 0.0)
        for x, size in zip(table[:, :-1] / lengths[:, None], sizes, strict=True)
    ]
    cost = np.zeros(width)
    cost[-1] = -1.0
    lower, upper = np.append(np.full(width - 1, -1.0), 0.0), np.ones(width)
    found = highs_relaxation(LinearProgram(cost, lower, upper, tuple(rows))).guess(lower, upper)
    if found is None or not bool(np.isfinite(found.variables).all()):
        return
    for bits in (12, 24, 48):
        yield tuple(int(v) for v in np.rint(np.ldexp(found.variables[:-1], bits)).tolist())
