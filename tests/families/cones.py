"""Random pointed cones with vectors on their facets, and how vectors become teaching problems."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from tests.instances import Instance, Number
from tests.oracles import primitive

Rational = int | Fraction
Point = tuple[Rational, ...]


def dimension(rng: Random) -> int:
    """Mostly 3 to 6, where facets are interesting and the oracles fast."""
    return rng.choice((3, 3, 3, 4, 4, 4, 5, 5, 6))


def vector(rng: Random, d: int, *, high: int = 9) -> Point:
    return tuple(rng.randint(-high, high) for _ in range(d))


def cone(rng: Random, d: int, *, count: int, high: int = 9) -> list[Point]:
    """Vectors on the positive side of a hidden w: the cone is pointed, nothing else is known."""
    w = (*vector(rng, d - 1), 1)
    chosen: list[Point] = []
    while len(chosen) < count:
        x = vector(rng, d, high=high)
        side = sum(a * b for a, b in zip(w, x, strict=True))
        if side:
            chosen.append(x if side > 0 else negative(x))
    return chosen


def faced(rng: Random, d: int, *, count: int, high: int = 9) -> list[Point]:
    """A pointed cone (d >= 3) on x_0 >= 0 whose last vector lies on the face x_0 = 0 and is no ray.

    Pointed because a w that is positive on the floor becomes positive on the rest, too, with a large enough
    first entry.
    """
    floor = [(0, *y) for y in cone(rng, d - 1, count=max(2, d - 1), high=high)]
    if primitive(floor[0]) == primitive(floor[1]):
        return faced(rng, d, count=count, high=high)
    lifted = lift(rng, d, count=max(1, count - len(floor) - 1), high=high)
    return [*floor, *lifted, combine((rng.randint(1, 3), rng.randint(1, 3)), floor[:2])]


def lift(rng: Random, d: int, *, count: int, high: int = 9) -> list[Point]:
    """Any vectors with x_0 >= 1."""
    return [(rng.randint(1, high), *vector(rng, d - 1, high=high)) for _ in range(count)]


def simplicial(rng: Random, d: int, *, inner: int) -> tuple[list[Point], list[Point]]:
    """d linearly independent vectors, and nonnegative combinations of them (some on facets)."""
    change = shears(rng, d)
    units = [apply(change, tuple(int(i == j) for j in range(d))) for i in range(d)]
    return units, inside(rng, units, count=inner)


def inside(rng: Random, vectors: Sequence[Point], *, count: int) -> list[Point]:
    """Positive combinations of two or more of the vectors."""
    chosen = []
    for _ in range(count):
        parts = rng.sample(list(vectors), rng.randint(2, min(len(vectors), 5)))
        chosen.append(combine([rng.randint(1, 5) for _ in parts], parts))
    return chosen


def combine(multipliers: Sequence[Rational], vectors: Sequence[Point]) -> Point:
    return tuple(sum(m * x for m, x in zip(multipliers, column, strict=True)) for column in zip(*vectors, strict=True))


def negative(x: Point) -> Point:
    return tuple(-entry for entry in x)


def scaled(factor: Rational, x: Point) -> Point:
    return tuple(factor * entry for entry in x)


def shears(rng: Random, d: int) -> list[Point]:
    """A random integer matrix of determinant 1, as rows: rays and facets move along with it."""
    rows = [tuple(int(i == j) for j in range(d)) for i in range(d)]
    for _ in range(d if d > 1 else 0):
        i, j = rng.sample(range(d), 2)
        rows[i] = combine((1, rng.choice((-2, -1, 1, 2))), (rows[i], rows[j]))
    return rows


def apply(rows: Sequence[Point], x: Point) -> Point:
    return tuple(sum(a * b for a, b in zip(row, x, strict=True)) for row in rows)


def sheared(rng: Random, vectors: Sequence[Point]) -> list[Point]:
    change = shears(rng, len(vectors[0]))
    return [apply(change, x) for x in vectors]


def spoiled(rng: Random, vectors: Sequence[Point]) -> list[Point]:
    """With a vector that cancels a positive combination of up to d of the others: not realizable."""
    parts = rng.sample(list(vectors), rng.randint(1, min(len(vectors), len(vectors[0]))))
    return [*vectors, negative(combine([rng.randint(1, 4) for _ in parts], parts))]


def problem(rng: Random, vectors: Sequence[Sequence[Number]], **known: Any) -> Instance:
    """A teaching problem with exactly these differences, dealt to states at random."""
    return deal(rng, hands(rng, vectors), **known)


def hands(rng: Random, vectors: Sequence[Sequence[Number]]) -> list[list[Sequence[Number]]]:
    """The vectors in random order, one to four per state, now and then a state without any."""
    pool = rng.sample(list(vectors), len(vectors))
    dealt = []
    while pool:
        take = rng.choice((1, 1, 2, 2, 3, 4)) if rng.random() > 0.05 else 0
        dealt.append(pool[:take])
        pool = pool[take:]
    return dealt


def deal(rng: Random, states: Sequence[Sequence[Sequence[Number]]], **known: Any) -> Instance:
    """State s has the differences states[s], around random integer features of its target."""
    width = next(len(x) for state in states for x in state)
    features, target = [], []
    for state in states:
        at = vector(rng, width)
        actions = [tuple(t - entry for t, entry in zip(at, x, strict=True)) for x in state]
        place = rng.randint(0, len(actions))
        features.append((*actions[:place], at, *actions[place:]))
        target.append(place)
    if "cost" not in known and rng.random() < 0.15:
        known["cost"] = tuple(Fraction(rng.randint(0, 12), rng.choice((1, 1, 2, 3))) for _ in states)
    return Instance(features=tuple(features), target=tuple(target), width=width, **known)
