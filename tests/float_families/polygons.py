"""Points of a circle: every one a ray, the flatter the more there are."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from tests.float_families.cases import AMBIG, GAP, MERGE, OK, Deal, FloatCase, Spot, make, spot


def whole(rng: Random) -> FloatCase:
    """Regular polygons as numpy computes them, some corners twice at other lengths."""
    count = rng.choice((3, 4, 5, 7, 12, 30, 100))
    shift = rng.choice((0.0, rng.random()))
    turns = 2 * np.pi * (np.arange(count) + shift) / count
    points = np.stack([np.cos(turns), np.sin(turns), np.ones(count)], axis=1)
    spots = [spot(p, i) for i, p in enumerate(points)]
    spots += [spot(rng.choice((0.1, 3.0, 7.0)) * points[i], i) for i in rng.sample(range(count), 3)]
    spots += [spot((points[i] + points[(i + 1) % count]) / 2, None) for i in rng.sample(range(count), 3)]
    return make(rng, spots, argument=f"{count} corners", deal=Deal(offset=rng.choice((0.0, 0.25))))


def fine_arc(rng: Random) -> FloatCase:
    """Corners of a k-gon with k up to 10^9, of which only a few neighbours are there, and three far ones.

    Every corner is a ray.  Where the step is too small, corners between others may be within the noise of their chord,
    and where it is within `merge`, they may all be one.
    """
    step, count = 10.0 ** -rng.uniform(1, 13), rng.randint(3, 6)
    turns = np.r_[0.3 + step * np.arange(count), 2.0, 3.5, 5.0]
    points = np.stack([np.cos(turns), np.sin(turns), np.ones(count + 3)], axis=1)
    labels: list[tuple[int, ...]] = [(i, 0 if i < count else i) for i in range(count + 3)]
    angle = step / 2**0.5  # seen from the apex, whose height is the radius
    if angle > GAP * MERGE * 1.01:
        labels = [pair[:1] for pair in labels]
    spots = [spot(p, *pair) for p, pair in zip(points, labels, strict=True)]
    sagitta = (count * step) ** 2
    maybe = range(1, count - 1) if sagitta < 2.0**-40 else ()
    clear = step**2 / 8 > 1e-6
    allowed = (OK,) if clear or (count - 1) * angle < MERGE / 2 else (OK, AMBIG)
    return make(rng, spots, argument=f"{count} corners {step:.2g} apart", allowed=allowed, maybe=tuple(maybe))


def tower(rng: Random) -> FloatCase:
    """The polygon tower with reduced angles, or from the paper's formula literally; n up to 20."""
    n, reduced = rng.randint(2, 20), rng.random() < 0.5
    rays: dict[Fraction, int] = {}
    states = []
    for s in range(2, n + 1):
        hand: list[Spot] = []
        for a in range(1, n + 1):
            turn = 2 * np.pi * (a % s if reduced else a) / s
            label = rays.setdefault(Fraction(a % s, s), len(rays))
            hand.append(spot((s * np.cos(turn), s * np.sin(turn), float(s)), label))
        states.append(hand)
    rng.shuffle(states)
    argument = f"tower {n}, {'reduced' if reduced else 'literal'}: the sum of phi(q) rays"
    return make(rng, [], argument=argument, deal=Deal(states=states))
