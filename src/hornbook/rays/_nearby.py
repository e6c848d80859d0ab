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

__all__ = ["Neighbourhoods"]

Places = npt.NDArray[np.intp]
Truths = npt.NDArray[np.bool_]
_CHUNK = 1 << 15  # classes looked at together


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """Classes of a polygon, each with what is near it, ready to judge weights against many of them at once.

    `class_of` gives every vector's class or -1.  Class i lies between the corners `before[i]` and `after[i]`, if it
    `is_plain`: its own corners stand together, and its neighbours are seen less than half a turn apart.
    """

    boxes: Boxes
    weights: tuple[int, ...]
    steepest: Fraction
    class_of: Places
    before: Places
    after: Places
    wedges: _Wedges
    is_plain: Truths

    @classmethod
    def of(
        cls, boxes: Boxes, class_of: Places, *, walk: Places, count: int, weights: Sequence[int]
    ) -> Neighbourhoods | None:
        """`walk` are the stored rays around the polygon, `count` the number of classes, `weights` certain on all.

        None where floats cannot tell the angles.  Cost: sorting.
        """
        steepest, seen = _steepest(boxes, weights), seen_from_middle(boxes.centres, weights)
        if steepest is None or seen is None:
            return None
        before, after, together = _ends(class_of[walk], walk, count)
        wedges = _Wedges.of(_along(seen, walk), before=before, after=after)
        plain = together & wedges.is_narrow
        return cls(boxes, tuple(weights), steepest, class_of, before, after, wedges, plain)

    def verdicts(self, guesses: Vectors, *, classes: Places, factor: int = 1) -> npt.NDArray[np.int8]:
        """For each of these classes: is its guess certain against it alone, with so many times the noise?

        1 is yes, -1 is no, 0 means that this is not shown by what is near.  Cost: a few products for each vector near.
        """
        boxes = self.boxes.wider(factor)
        lifted = _lifted(guesses, self.weights, self.steepest * factor)
        verdict = self.is_plain[classes].astype(np.int8)
        for end in (self.before, self.after):
            verdict[boxes.centres.take(end[classes]).paired_signs(lifted) <= 0] = 0
        margins, mirrored = (_margin_table(boxes, guesses, side) for side in (1, -1))
        place = np.full(len(self.before), -1, dtype=np.intp)
        place[classes] = np.arange(len(classes))
        members = np.flatnonzero(self.class_of >= 0)
        members = members[place[self.class_of[members]] >= 0]
        own = place[self.class_of[members]]
        verdict[own[boxes.measured.take(members).paired_signs(mirrored.take(own)) <= 0]] = -1
        for start in range(0, len(classes), _CHUNK):
            owner, point = self.wedges.pairs(classes[start : start + _CHUNK])
            others = self.class_of[point] != owner
            owner, point = place[owner[others]], point[others]
            verdict[owner[boxes.measured.take(point).paired_signs(margins.take(owner)) <= 0]] = -1
        return verdict


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

    def pairs(self, classes: Places) -> tuple[Places, Places]:
        """All (class, point) of those classes whose wedges are narrow."""
        classes = classes[self.is_narrow[classes]]
        count = self.stop[classes] - self.start[classes]
        owner = np.repeat(classes, count)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + self.start[owner]
        return owner, self.order[place % len(self.order)]
