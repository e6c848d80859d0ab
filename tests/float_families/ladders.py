"""Ladders of tininess, 1e-5 to 1e-16: nearly parallel pairs, bumps on facets, thin cones, chains of near-duplicates.

Here the stored numbers are built directly, so what is tiny stays as tiny as it is said to be.  The limits that decide
are those of float64: noise 2^-48, merge 2^-36, gap 2^10.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from tests.float_families.cases import AMBIG, CLEAR, GAP, MERGE, NOISE, OK, Deal, FloatCase, Spot, make, spot
from tests.float_families.planted import combinations, simplex_cone
from tests.oracles import NOTREAL


def _tiny(rng: Random) -> float:
    return rng.choice((1.0, 2.0, 5.0)) * 10.0 ** -rng.randint(5, 16)


def _told(angle: float) -> tuple[str, ...]:
    """What may be said of two vectors at this angle, one of them a ray: one, two, or unsure."""
    if MERGE * 1.01 < angle < MERGE * GAP * 0.99:
        return (AMBIG,)
    return (OK,) if angle < MERGE * 0.99 or angle > MERGE * GAP * 1.01 else (OK, AMBIG)


def near_parallel(rng: Random) -> FloatCase:
    """A partner next to a ray of a simplicial cone: further out, on a facet, inside, or both of them rays."""
    return _with_partner(rng, _tiny(rng))


def wide_range(rng: Random) -> FloatCase:
    """The same with a partner 1e-30 to 1e-300 away: one vector holds numbers of every size."""
    return _with_partner(rng, 10.0 ** -rng.choice((30, 100, 150, 160, 200, 300)))


def _with_partner(rng: Random, tiny: float) -> FloatCase:
    d = rng.choice((3, 4, 5))
    axes = np.eye(d)
    kind = rng.choice(("beyond", "facet", "inside", "both"))
    push = {
        "beyond": -tiny * axes[1],
        "facet": tiny * axes[1],
        "inside": tiny * (1 - axes[0]),
        "both": tiny * (axes[1] - axes[2]),
    }[kind]
    angle = float(np.linalg.norm(push))
    partner, old = {"beyond": (0, None), "facet": (None, 0), "inside": (None, 0), "both": (d, 0)}[kind]
    spots = [spot(axes[0], old, 0), spot(axes[0] + push, partner, 0)]
    spots += [spot(axis, i) for i, axis in enumerate(axes) if i]
    inner = combinations(rng, replace(simplex_cone(d), rays=axes[1:]), 3)
    spots += [replace(s, x=tuple(v / 8 for v in s.x)) for s in inner]  # columns keep their largest entry, and angles
    return _lengths(rng, spots, angle, f"a partner {kind}, at {angle:.3g}")


def _lengths(rng: Random, spots: list[Spot], angle: float, argument: str) -> FloatCase:
    """One telling when they are near enough to be one ray, the other when they are far enough apart."""
    telling = [0, 1] if MERGE * 0.99 <= angle <= MERGE * 1.01 else [1] if angle < MERGE else [0]
    told = [replace(s, labels=tuple(s.labels[min(t, len(s.labels) - 1)] for t in telling)) for s in spots]
    told += [spot(2.0 ** -rng.randint(1, 9) * np.array(s.x), *s.labels) for s in rng.sample(told, 3)]
    return make(rng, told, argument=argument, allowed=_told(angle))


def bump(rng: Random) -> FloatCase:
    """A point on a facet of a simplicial cone pushed out (or in) by a hair: a ray, within the noise, or unsure.

    Now and then the point of the facet is there too, and then the hair is also an angle.
    """
    d = rng.choice((3, 4, 5))
    axes, hair = np.eye(d), rng.choice((1, 1, 1, -1)) * _tiny(rng)
    amounts = np.array([0.0, *(rng.uniform(0.5, 1.5) for _ in range(d - 1))])
    top = amounts - hair * axes[0]
    spots = [*(spot(axis, i) for i, axis in enumerate(axes)), spot(top, d if hair > 0 else None)]
    spots += combinations(rng, replace(simplex_cone(d), rays=axes[1:]), 3)
    both = rng.random() < 0.3
    if both:
        spots.append(spot(2 * amounts, None))
    least = 30 * CLEAR if both else 2.0**8 * NOISE
    allowed = (OK,) if hair < NOISE / 4 or hair >= least else (OK, AMBIG)
    maybe = (d,) if hair < 16 * NOISE else ()
    return make(rng, spots, argument=f"a bump of {hair:.3g}", allowed=allowed, maybe=maybe)


def tiny_entries(rng: Random) -> FloatCase:
    """Entries below 1e-9, which floating solvers drop, decide what is a ray."""
    d, hair = rng.choice((3, 4, 5)), 10.0 ** -rng.randint(9, 14)
    axes = np.eye(d)
    first, second, third = rng.sample(range(d), 3)
    out, inward = axes[first] + axes[second] - hair * axes[third], axes[first] + 0.5 * axes[second] + hair * axes[third]
    spots = [spot(axis, i) for i, axis in enumerate(axes)] + [spot(out, d), spot(inward, None), spot(3 * inward, None)]
    spots += [spot(0.3 * axes.sum(axis=0), None)]
    maybe, allowed = ((d,) if hair < 16 * NOISE else ()), ((OK,) if hair > 1e-10 else (OK, AMBIG))
    return make(rng, spots, argument=f"an entry of {hair:.0e} decides", allowed=allowed, maybe=maybe)


def thin_margin(rng: Random) -> FloatCase:
    """Points of a polygon seen from so far that all of the cone is within 1e-3 to 1e-300 of a plane through zero."""
    k = rng.choice((3, 5, 7, 9, 11, 13, 15, 16, 50, 300))
    count = rng.randint(3, 7)
    turns = 2 * np.pi * (np.arange(count) + rng.random()) / count
    height = 10.0**-k
    flat = np.stack([np.cos(turns), np.sin(turns), np.zeros(count)], axis=1)
    # the height hides in the sum of two columns, so that scaling columns cannot undo it
    points = np.stack([flat[:, 0], flat[:, 1], height - flat[:, 0]], axis=1)
    spots = [spot(p, i) for i, p in enumerate(points)]
    allowed = (OK,) if k <= 5 else (OK, AMBIG, NOTREAL)
    return make(rng, spots, argument=f"margin 1e-{k}", allowed=allowed)


def interior_chain(rng: Random) -> FloatCase:
    """Near-duplicates away from the rays, at every distance: they are on no ray and must not matter."""
    d = rng.choice((3, 4, 5))
    axes, inner = np.eye(d), []
    for _ in range(2):
        start = np.array([rng.uniform(0.2, 1) for _ in range(d)])
        if rng.random() < 0.5:
            start[rng.randrange(d)] = 0.0  # along a facet
        step = np.array([rng.uniform(0, 1) for _ in range(d)]) * (start > 0) * _tiny(rng)
        inner += [start + i * step for i in range(rng.randint(2, 12))]
    spots = [spot(axis, i) for i, axis in enumerate(axes)] + [spot(x, None) for x in inner]
    return make(rng, spots, argument="chains inside", deal=Deal(offset=rng.choice((0.0, 0.5))))


def chain_at_a_ray(rng: Random) -> FloatCase:
    """Near-duplicates from a ray inwards, each closer than `merge` to the next: no place to say where the ray ends.

    Up to twice `merge` one in the middle could stand for all of them; beyond that nobody can.
    """
    axes, step = np.eye(3), MERGE / 2
    count = rng.choice((2, 4, 8, 16))
    links = [axes[0] + i * step * axes[1] for i in range(count)]
    spots = [spot(axis, i) for i, axis in enumerate(axes)] + [spot(x, 0) for x in links[1:]]
    allowed = {2: (OK,), 4: (OK, AMBIG)}.get(count, (AMBIG,))
    return make(rng, spots, argument=f"a chain of {count} at a ray", allowed=allowed)
