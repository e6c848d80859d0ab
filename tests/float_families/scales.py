"""Units, lengths and kinds of floats: N16, N17, N21 to N24."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from tests.float_families.cases import AMBIG, LIMIT, OK, Deal, FloatCase, Truth, make, spot
from tests.float_families.planted import Cone, clearance, combinations, moved, multiples, paraboloid_cone, simplex_cone
from tests.instances import BAD


def _cone(rng: Random, d: int) -> Cone:
    return moved(rng, rng.choice((simplex_cone(d), paraboloid_cone(rng, d, 7))) if d > 2 else simplex_cone(d))


def column_units(rng: Random) -> FloatCase:
    """Each feature in a unit of its own, from 1e-150 to 1e150."""
    cone = _cone(rng, rng.choice((3, 4)))
    units = np.array([10.0 ** rng.choice((-150, -20, -9, 0, 9, 20, 150)) for _ in cone.up])
    spots = multiples(rng, cone, [0.1, 3.0, 7.0]) + combinations(rng, cone, 5)
    plain = make(Random(0), spots, argument="")
    case = make(rng, spots, argument="column units", deal=Deal(offset=rng.choice((0.0, 0.5)), scale=units))
    clear = clearance(cone, plain) > 1e-3
    return replace(case, allowed=(OK,) if clear else (OK, AMBIG))


def row_lengths(rng: Random) -> FloatCase:
    """Differences from 1e-150 to 1e150 long, each next to features of its own length."""
    cone = _cone(rng, rng.choice((2, 3, 4)))
    spots = multiples(rng, cone, [0.1, 3.0]) + combinations(rng, cone, 4)
    lengths = [10.0 ** rng.choice((-150, -20, -3, 0, 3, 20, 150)) for _ in spots]
    scaled = [replace(s, x=tuple(length * v for v in s.x)) for s, length in zip(spots, lengths, strict=True)]
    clear = clearance(cone, make(Random(0), spots, argument="")) > 1e-3
    return make(rng, scaled, argument="row lengths", allowed=(OK,) if clear else (OK, AMBIG))


def float32(rng: Random) -> FloatCase:
    """Planted cones in float32, with its own defaults."""
    cone = _cone(rng, rng.choice((2, 3, 4)))
    spots = multiples(rng, cone, [0.1, 3.0, 7.0]) + combinations(rng, cone, 5)
    case = make(rng, spots, argument="float32", deal=Deal(offset=rng.choice((0.0, 0.5)), kind="float32"))
    clear = clearance(cone, case) > 0.02
    return replace(case, allowed=(OK,) if clear else (OK, AMBIG))


def float16(rng: Random) -> FloatCase:
    """In float16 there is no default: with a noise of 2^-8 wide cones are clear, and without one it is an error."""
    cone = simplex_cone(rng.choice((2, 3)))
    d = len(cone.up)
    spots = [spot(3.3 * ray, i) for i, ray in enumerate(cone.rays)]
    spots += [spot(rng.choice((0.1, 0.7)) * ray, i) for i, ray in enumerate(cone.rays)]
    spots += [spot([rng.uniform(0.3, 1) for _ in range(d)], None) for _ in range(3)]
    given = rng.random() < 0.7
    known = {"noise": 2.0**-8, "merge": 2.0**-12} if given else {}
    case = make(rng, spots, argument="float16", deal=Deal(kind="float16", known=known))
    return replace(case, allowed=(OK,) if given else (BAD,))


def subnormals(rng: Random) -> FloatCase:
    """Whole problems of subnormal numbers, whole multiples of the smallest one: nothing is lost, nothing overflows."""
    d = rng.choice((2, 3, 4))
    least = 2.0 ** rng.choice((-1074, -1060, -1040))
    rays = np.eye(d) * np.array([rng.randint(1, 9) for _ in range(d)])
    spots = [spot(least * ray, i) for i, ray in enumerate(rays)]
    spots += [spot(least * rng.randint(2, 9) * rays[i], i) for i in range(d)]
    spots += [spot(least * np.array([rng.randint(1, 9) for _ in range(d)]), None) for _ in range(4)]
    return make(rng, spots, argument="subnormal numbers")


def huge(rng: Random) -> FloatCase:
    """Target and other action at opposite ends of float64; where a difference is no float, a limit says so."""
    d, top = rng.choice((2, 3)), rng.choice((1.7e308, 1.1e308, 0.8e308))
    signs = [np.array([1.0 if (i >> j) & 1 else -1.0 for j in range(d)]) for i in range(2**d)]
    rays = [np.r_[top * s, top] for s in signs]
    factors = [rng.choice((1.0, 0.5)) for _ in rays]
    case = make(rng, [], argument="differences of huge numbers", deal=Deal(states=[[spot(ray, 0)] for ray in rays]))
    features = tuple((tuple(ray.tolist()), tuple((-f * ray).tolist())) for ray, f in zip(rays, factors, strict=True))
    truth = Truth(tuple(((state, 1),) for state in range(len(rays))))
    fits = Fraction(1 + max(factors)) * Fraction(top) <= Fraction(np.finfo(np.float64).max)
    allowed = (OK,) if fits else (LIMIT,)
    return replace(case, features=features, target=(0,) * len(rays), truths=(truth,), allowed=allowed)


def absorption(rng: Random) -> FloatCase:
    """1e16 + 2 - 1: features so large next to their differences that the rounding of features is all there is."""
    d, large = rng.choice((2, 3)), rng.choice((2.0**20, 2.0**40, 2.0**52, 1e16))
    spots = [spot(2.5 * axis, i) for i, axis in enumerate(np.eye(d))] + [spot(np.full(d, 3.5), None)]
    case = make(rng, spots, argument=f"differences next to {large:.3g}", deal=Deal(offset=large, most=1))
    clear = large <= 2.0**20
    return replace(case, allowed=(OK,) if clear else (OK, AMBIG))
