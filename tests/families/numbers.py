"""N9-N24: margins, near misses, scales, wide integers and stored floats, as exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from tests.families.cones import (
    Point,
    combine,
    dimension,
    faced,
    hands,
    negative,
    problem,
    scaled,
    sheared,
    simplicial,
    spoiled,
    vector,
)
from tests.instances import Instance
from tests.oracles import NOTREAL


def thin_margin(rng: Random) -> Instance:
    """N9: the dual cone is 10^-k wide, k up to 300: points of a small grid, blown up around the axis."""
    d = rng.choice((3, 3, 4))
    k = rng.choice((3, 10, 16, 50, 150, 300))
    points = list(product(range(-1, 2), repeat=d - 1))
    chosen = [(*scaled(10**k, y), 1) for y in rng.sample(points, rng.randint(d + 1, len(points)))]
    if rng.random() < 0.15:
        chosen.append(negative(combine((1, 1), chosen[:2])))
        return problem(rng, chosen, expected=NOTREAL, argument=f"margin 1e-{k}, one combination exactly cancelled")
    return problem(rng, sheared(rng, chosen), argument=f"margin 1e-{k}")


def near_parallel(rng: Random) -> Instance:
    """N10: pairs at an angle of 10^-k or 2^-k, different rays or not, never equal."""
    vectors = faced(rng, dimension(rng), count=rng.randint(4, 14))
    tiny = rng.choice((Fraction(1, 10 ** rng.randint(6, 16)), Fraction(1, 2 ** rng.randint(20, 60))))
    partners = [combine((1, tiny), (x, vector(rng, len(x)))) for x in rng.sample(vectors, rng.randint(1, 3))]
    return problem(rng, sheared(rng, vectors + partners), argument="pairs that are almost parallel")


def pushed(rng: Random) -> Instance:
    """N11: a vector on the facet x_0 = 0 is pushed in or out by a hair; pushed out it may be a ray."""
    vectors = faced(rng, dimension(rng), count=rng.randint(5, 16))
    hair = rng.choice((1, -1)) * Fraction(1, 10 ** rng.randint(5, 15))
    last = vectors.pop()
    return problem(rng, sheared(rng, [*vectors, (hair, *last[1:])]), argument="next to a facet")


def on_the_facet(rng: Random) -> Instance:
    """N12: exactly on the facet, and never a ray."""
    vectors = faced(rng, dimension(rng), count=rng.randint(5, 24))
    extra = [combine((rng.randint(1, 9), rng.randint(1, 9)), (vectors[0], vectors[-1])) for _ in range(3)]
    return problem(rng, sheared(rng, vectors + extra), argument="on a facet")


def multiples(rng: Random) -> Instance:
    """N13: the same direction at rational lengths is one ray, shown by every state that has it."""
    vectors = faced(rng, dimension(rng), count=rng.randint(4, 10))
    copies = [scaled(Fraction(rng.randint(1, 40), rng.randint(1, 40)), rng.choice(vectors)) for _ in range(8)]
    mixed = sheared(rng, vectors + copies)
    if rng.random() < 0.1:
        return problem(rng, spoiled(rng, mixed), expected=NOTREAL, argument="a combination cancelled")
    return problem(rng, mixed, argument="duplicates up to scale")


def float_multiples(rng: Random) -> Instance:
    """N14: lengths 0.1, 3, 7 in float64, whose products round: stored numbers are what counts."""
    vectors = [tuple(map(float, x)) for x in sheared(rng, faced(rng, dimension(rng), count=rng.randint(4, 10)))]
    copies = [tuple(f * entry for entry in rng.choice(vectors)) for f in (0.1, 3.0, 7.0) for _ in range(2)]
    return stored(rng, [*vectors, *copies], dtype="float64", argument="float multiples, rounded")


def powers_of_two(rng: Random) -> Instance:
    """N15: lengths that are powers of two are exact in floats."""
    vectors = [tuple(map(float, x)) for x in sheared(rng, faced(rng, dimension(rng), count=rng.randint(4, 10)))]
    factors = [2.0 ** rng.randint(-40, 40) for _ in range(6)]
    copies = [tuple(factor * entry for entry in rng.choice(vectors)) for factor in factors]
    return stored(rng, [*vectors, *copies], dtype="float64", argument="power-of-two multiples")


def scaled_columns(rng: Random) -> Instance:
    """N16: features in units from 10^-150 to 10^150."""
    vectors = sheared(rng, faced(rng, rng.choice((3, 3, 4, 4, 5)), count=rng.randint(4, 12)))
    units = [_unit(rng) for _ in vectors[0]]
    if rng.random() < 0.1:
        vectors = spoiled(rng, vectors)
    return problem(rng, [tuple(u * x for u, x in zip(units, v, strict=True)) for v in vectors], argument="column units")


def scaled_rows(rng: Random) -> Instance:
    """N17: differences of lengths from 10^-150 to 10^150."""
    vectors = sheared(rng, faced(rng, dimension(rng), count=rng.randint(4, 12)))
    if rng.random() < 0.1:
        vectors = spoiled(rng, vectors)
    return problem(rng, [scaled(_unit(rng), x) for x in vectors], argument="row lengths")


def _unit(rng: Random) -> Fraction:
    return Fraction(10) ** rng.choice((-150, -20, -9, -1, 0, 0, 1, 9, 20, 150))


def tiny_entries(rng: Random) -> Instance:
    """N18: entries below 1e-9, which floating solvers drop, decide what is a ray and what is realizable."""
    units, inner = simplicial(rng, rng.choice((3, 4, 5)), inner=rng.randint(2, 8))
    hair = Fraction(1, 10 ** rng.randint(10, 14))
    edge = [combine((1, 1, sign * hair), rng.sample(units, 3)) for sign in (1, -1, -1)]
    vectors = [*units, *inner, *edge]
    if rng.random() < 0.15:
        a, b = rng.sample(units, 2)
        vectors += [combine((hair, -1), (a, b)), combine((-hair, 1), (a, b))]
        return problem(
            rng,
            vectors,
            expected=NOTREAL,
            argument="opposite but for entries below 1e-9, which are opposite too",
        )
    return problem(rng, vectors, argument="tiny entries decide")


def wide_integers(rng: Random) -> Instance:
    """N19: integers next to 2^53, 2^63 and 2^64, with differences that no 64-bit type can hold."""
    dtype = rng.choice(("int64", "uint64", "object", "float64"))
    top = {"int64": 2**63, "uint64": 2**63, "object": 2**80, "float64": 2**52}[dtype]
    vectors = [scaled(top // 200 - rng.randint(0, 3), x) for x in _small(rng, 190)]
    nudged = [tuple(entry + rng.choice((0, 0, 1, -1)) for entry in x) for x in vectors[:2]]
    return in_type(rng, [*vectors, *nudged], dtype=dtype, argument=f"{dtype} at its limits")


def narrow_integers(rng: Random) -> Instance:
    """N20: differences that wrap around in int8 or uint8."""
    dtype = rng.choice(("int8", "uint8", "int16"))
    top = 127 if dtype != "int16" else 32767
    vectors = _small(rng, top)
    if rng.random() < 0.1:
        vectors.append(negative(vectors[0]))
    return in_type(rng, vectors, dtype=dtype, argument=f"{dtype} differences overflow")


def _small(rng: Random, top: int) -> list[Point]:
    """A cone with facet vectors, stretched by whole numbers to entries close to `top` (at least 12)."""
    vectors = faced(rng, rng.choice((3, 3, 4)), count=rng.randint(4, 12), high=2)
    return [scaled(top // max(map(abs, x)), x) for x in vectors]


def in_type(rng: Random, vectors: Sequence[Point], *, dtype: str, argument: str) -> Instance:
    """Features in the range of a type, often at its ends; float64 counts up to 2^53."""
    low, high = _range(dtype)
    features, target = [], []
    for state in hands(rng, vectors):
        at = []
        for column in zip(*state, strict=True) if state else [(0,)] * len(vectors[0]):
            least, most = low + max(0, *column), high + min(0, *column)
            at.append(rng.choice((least, most, rng.randint(least, most))))
        actions = [tuple(t - entry for t, entry in zip(at, x, strict=True)) for x in state]
        place = rng.randint(0, len(actions))
        features.append((*actions[:place], tuple(at), *actions[place:]))
        target.append(place)
    if dtype == "float64":
        features = [tuple(tuple(map(float, row)) for row in actions) for actions in features]
    return Instance(tuple(features), tuple(target), argument, len(vectors[0]), dtype=dtype)


def _range(dtype: str) -> tuple[int, int]:
    if dtype in ("object", "float64"):
        bits = 81 if dtype == "object" else 53
        return 1 - 2**bits, 2**bits - 1
    bits = int(dtype.lstrip("uint"))
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def narrow_floats(rng: Random) -> Instance:
    """N21: float16 and float32 hold these binary fractions exactly and must be widened before subtraction."""
    dtype, step = rng.choice((("float16", 2**-6), ("float32", 2**-16)))
    vectors = [tuple(step * entry for entry in x) for x in _small(rng, 120)]
    return stored(rng, vectors, dtype=dtype, argument=f"{dtype} fractions")


def subnormals(rng: Random) -> Instance:
    """N22: multiples of the smallest positive float64."""
    vectors = [tuple(5e-324 * entry for entry in x) for x in _small(rng, 500)]
    return stored(rng, vectors, dtype="float64", argument="subnormal floats")


def huge_floats(rng: Random) -> Instance:
    """N23: target and other at opposite ends of float64: the difference is an exact number only."""
    d = rng.choice((3, 3, 4))
    points = list(product((-1.7e308, 0.0, 1.7e308), repeat=d - 1))
    targets = [(1.7e308, *y) for y in rng.sample(points, rng.randint(3, len(points)))]
    factors = [rng.choice((-1.0, -0.5)) for _ in targets]
    features = [(x, tuple(f * entry for entry in x)) for f, x in zip(factors, targets, strict=True)]
    argument = "differences above the largest float"
    if rng.random() < 0.1:
        features.append(features[0][::-1])
        return _floats(features, argument=argument, expected=NOTREAL)
    return _floats(features, argument=argument)


def absorption(rng: Random) -> Instance:
    """N24: 1e16 + 2 - 1: the small parts of large floats survive an exact subtraction only."""
    vectors = sheared(rng, faced(rng, rng.choice((3, 3, 4)), count=rng.randint(4, 12)))
    tall = rng.random() < 0.3  # differences as large as the features; otherwise the large parts cancel
    features = []
    for x in vectors:
        at = tuple(rng.choice((1e16, 2.0**53, -1e16, 0.0)) for _ in x)
        keep = [rng.choice((0.0, 1.0)) if tall else 1.0 for _ in x]
        features.append((at, tuple(k * t - 2.0 * entry for k, t, entry in zip(keep, at, x, strict=True))))
    return _floats(features, argument="large and small floats")


def stored(rng: Random, vectors: Sequence[Sequence[float]], *, dtype: str, argument: str) -> Instance:
    """These floats around a target at zero, every stored number counting as the binary fraction it is."""
    zero = (0.0,) * len(vectors[0])
    features, target = [], []
    for state in hands(rng, vectors):
        place = rng.randint(0, len(state))
        actions = [tuple(-entry for entry in x) for x in state]
        features.append((*actions[:place], zero, *actions[place:]))
        target.append(place)
    return Instance(tuple(features), tuple(target), argument, len(zero), dtype=dtype, exact=True)


def _floats(features: Sequence[tuple[tuple[float, ...], ...]], **known: Any) -> Instance:
    width = len(features[0][0])
    return Instance(tuple(features), (0,) * len(features), width=width, dtype="float64", exact=True, **known)
