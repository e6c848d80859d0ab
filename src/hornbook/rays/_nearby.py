"""Certainty of many classes on a polygon, looking only at what is near each of them.

In three dimensions the plane `<w_0, x> = 1` shows the stored vectors as points of a convex polygon whose corners are
the stored rays.  Take weights g against one class.  Let p and n be the corners before and after the class's corners,
and v the lower of g's values there (per unit of height).  A linear function falls and rises once around a convex
polygon, so the corners below v stand between p and n, and every point below v lies beyond the chord from p to n.  From
any point on the near side of that chord (one that sees p and n less than half a turn apart) it is seen between them.
Points elsewhere have values of at least v, which beats every radius if v > k |g|_1, with k at least rho_x / <w_0, x>
for all x.  That leaves the points seen between p and n: few for each class, although classes times vectors may be
10^11.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import SeenAngles, Vectors, narrowed, seen_from_middle
from hornbook.rays._certain import Boxes

__all__ = ["certain_nearby"]

Places = npt.NDArray[np.intp]
Truths = npt.NDArray[np.bool_]
_CHUNK = 1 << 15  # classes looked at together


def certain_nearby(
    boxes: Boxes,
    class_of: Places,
    *,
    walk: Places,
    guesses: Vectors,
    weights: Sequence[int],
) -> Truths:
    """For each class whether its guess is certain against it alone; False means no more than "not shown this way".

    `class_of` gives every vector's class or -1, `walk` the stored rays around the polygon, `weights` are certain on
    everything.  Cost: sorting, and a few products for each vector.
    """
    nothing = np.zeros(len(guesses), dtype=np.bool_)
    steepest = _steepest(boxes, weights)
    seen = seen_from_middle(boxes.centres, weights)
    if steepest is None or seen is None:
        return nothing
    angles = _along(seen, walk)
    before, after, proved = _ends(class_of[walk], walk, len(guesses))
    lifted = _lifted(guesses, weights, steepest)
    for end in (before, after):
        proved &= boxes.centres.take(end).paired_signs(lifted) > 0
    wedges = _Wedges.of(angles, before=before, after=after)
    proved &= wedges.is_narrow
    margins, mirrored = (_margin_table(boxes, guesses, side) for side in (1, -1))
    members = np.flatnonzero(class_of >= 0)
    wrong = boxes.measured.take(members).paired_signs(mirrored.take(class_of[members])) <= 0
    proved[class_of[members[wrong]]] = False
    for start in range(0, len(guesses), _CHUNK):
        owner, point = wedges.pairs(start, min(start + _CHUNK, len(guesses)))
        others = class_of[point] != owner
        owner, point = owner[others], point[others]
        low = boxes.measured.take(point).paired_signs(margins.take(owner)) <= 0
        proved[owner[low]] = False
    return proved


def _along(seen: SeenAngles, walk: Places) -> SeenAngles:
    """Angles that grow along the walk, whichever way that goes around."""
    steps = np.diff(seen.angle[np.append(walk, walk[0])]) % (2 * np.pi)
    return seen if steps.sum() < 3 * np.pi else SeenAngles(-seen.angle, seen.allowance)


def _steepest(boxes: Boxes, weights: Sequence[int]) -> Fraction | None:
    """A power of two that is at least rho_x / <w_0, x> for every vector, checked exactly."""
    heights = boxes.centres.shapes @ Vectors.of([weights], 3).shapes[0]
    sizes = boxes.measured.shapes[:, -1] / np.abs(boxes.measured.shapes[:, :-1]).max(axis=1)
    scale = max(abs(w) for w in weights).bit_length() - 1
    worst = 2 * float((sizes / heights).max()) * float(boxes.noise)
    if not 0 < worst < 1:
        return None
    bound = Fraction(2) ** (math.frexp(worst)[1] - scale)
    above = [*(w * bound.numerator * boxes.noise.denominator for w in weights)]
    sign = boxes.measured.signs([[*above, -boxes.noise.numerator * bound.denominator]])
    return bound if bool((sign >= 0).all()) else None


def _ends(classes: Places, walk: Places, count: int) -> tuple[Places, Places, Truths]:
    """For each class the corners before and after its own, and whether these stand together."""
    begins = np.flatnonzero(classes != np.roll(classes, 1))
    ends = np.flatnonzero(classes != np.roll(classes, -1))
    runs = np.bincount(classes[begins], minlength=count)
    before, after = np.zeros(count, dtype=np.intp), np.zeros(count, dtype=np.intp)
    before[classes[begins]] = walk[begins - 1]
    after[classes[ends]] = walk[(ends + 1) % len(walk)]
    return before, after, runs == 1


def _lifted(guesses: Vectors, weights: Sequence[int], steepest: Fraction) -> Vectors:
    """Weights whose product is a multiple of `<g, x> - steepest |g|_1 <w_0, x>`."""
    exact = guesses.exact.astype(object)
    total = np.abs(exact).sum(axis=1)[:, None]
    shift = np.array(list(weights), dtype=object)[None, :]
    return Vectors(narrowed(exact * steepest.denominator - total * shift * steepest.numerator))


def _margin_table(boxes: Boxes, guesses: Vectors, side: int) -> Vectors:
    exact = guesses.exact.astype(object)
    total = np.abs(exact).sum(axis=1)[:, None]
    return Vectors(narrowed(np.hstack([exact * (side * boxes.noise.denominator), -total * boxes.noise.numerator])))


@dataclass(frozen=True, eq=False)
class _Wedges:
    """For each class the points that are seen between two corners, as a range of points sorted by angle."""

    order: Places
    start: Places
    stop: Places
    is_narrow: Truths

    @classmethod
    def of(cls, angles: SeenAngles, *, before: Places, after: Places) -> _Wedges:
        """Ranges widened by more than angles can be off."""
        turn = 2 * np.pi
        span = (angles.angle[after] - angles.angle[before]) % turn + 2 * angles.allowance
        low = (angles.angle[before] - angles.allowance + np.pi) % turn - np.pi
        order = np.argsort(angles.angle, kind="stable")
        sorted_twice = np.concatenate([angles.angle[order], angles.angle[order] + turn])
        start = np.searchsorted(sorted_twice, low, side="left")
        stop = np.searchsorted(sorted_twice, low + span, side="right")
        return cls(order, start, stop, span < 3.0)

    def pairs(self, first: int, last: int) -> tuple[Places, Places]:
        """All (class, point) of the classes from `first` to before `last` whose wedges are narrow."""
        classes = np.arange(first, last)[self.is_narrow[first:last]]
        count = self.stop[classes] - self.start[classes]
        owner = np.repeat(classes, count)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + self.start[owner]
        return owner, self.order[place % len(self.order)]
