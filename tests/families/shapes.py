"""N30-N36: shapes with a closed form, the paper's two environments, and hard covers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import cos, pi, sin
from random import Random

from tests.families.cones import (
    Point,
    combine,
    problem,
    scaled,
    sheared,
    simplicial,
    spoiled,
)
from tests.instances import (
    Instance,
    by_differences,
    cover_problem,
    greedy_worst,
    odd_cycle,
    singletons,
    steiner_nine,
)
from tests.oracles import NOTREAL


def grid(rng: Random) -> Instance:
    """N30: all points of a box: the corners are rays, the rest on facets or inside."""
    sides = [rng.randint(1, 6), rng.randint(1, 6)] if rng.random() < 0.7 else [rng.randint(1, 3) for _ in range(3)]
    points: list[Point] = [(*y, 1) for y in product(*(range(side + 1) for side in sides))]
    corners = [(*y, 1) for y in product(*((0, side) for side in sides))]
    rng.shuffle(points)
    mixed = sheared(rng, [*corners, *points])
    expected = tuple(mixed[: len(corners)])
    return problem(rng, mixed[len(corners) :], expected=expected, argument="corners of a box")


def cube(rng: Random) -> Instance:
    """N31: cube corners, and now and then centres of faces, edges or the cube."""
    d = rng.choice((2, 3, 3, 4, 4, 5))
    corners = [(*y, 1) for y in product((-1, 1), repeat=d - 1)]
    centres = [y for y in product((-1, 0, 1), repeat=d - 1) if 0 in y]
    extra = [(*y, 1) for y in rng.sample(centres, rng.randint(0, min(4, len(centres))))]
    mixed = sheared(rng, corners + extra)
    return problem(rng, mixed, expected=tuple(mixed[: len(corners)]), argument="corners of a cube")


def moments(rng: Random) -> Instance:
    """N32: points of the moment curve, all rays, and sums of two neighbours, which are not."""
    d = rng.choice((3, 3, 4, 4, 5, 6))
    parameters = rng.sample(range(-8, 9), rng.randint(d, 12))
    curve: list[Point] = [tuple(t**power for power in range(d)) for t in parameters]
    sums = [combine((1, 1), rng.sample(curve, 2)) for _ in range(rng.randint(0, 4))]
    return problem(rng, curve + sums, expected=tuple(curve), argument="(t - k)^2 is zero on k only")


def filled_simplex(rng: Random) -> Instance:
    """N33: a simplicial cone full of combinations of its rays, on facets and inside."""
    units, inner = simplicial(rng, rng.choice((3, 4, 5, 6, 8, 10)), inner=rng.randint(3, 40))
    if rng.random() < 0.1:
        return problem(rng, spoiled(rng, units + inner), expected=NOTREAL, argument="a combination cancelled")
    return problem(rng, units + inner, expected=tuple(units), argument="independent vectors and combinations of them")


def tower(rng: Random) -> Instance:
    """N34: the polygon tower, with rational points of the circle, or with its stored floats.

    State s = 2..n shows the fractions a/s, fraction q as the ray through the circle point of q: all
    different, all extreme.  A fraction p/r in lowest terms is shown by the multiples of r; when 2 r > n by r
    itself only.
    """
    n = rng.randint(2, 8)
    if rng.random() < 0.3:
        return _stored_tower(rng, min(n, 6))
    rays = {Fraction(a, s): _circle(Fraction(a, s)) for s in range(2, n + 1) for a in range(s)}
    states = [[scaled(s, rays[Fraction(a, s)]) for a in range(s)] for s in range(2, n + 1)]
    return by_differences(
        states,
        expected=tuple(rays.values()),
        size=(n + 1) // 2,
        argument="fractions of the circle are the rays; states above n/2 are needed and enough",
    )


def _circle(turn: Fraction) -> Point:
    """A rational point of the circle at height 1; different turns in [0, 1) give different points."""
    t = 4 * turn - 2
    return ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t), 1)


def _stored_tower(rng: Random, n: int) -> Instance:
    states = []
    for s in range(2, n + 1):
        turns = [2 * pi * (a % s) / s for a in range(1, n + 1)]
        states.append(((0.0, 0.0, float(s)), *((-s * cos(t), -s * sin(t), 0.0) for t in turns)))
    argument = "the tower's float64 bits taken literally"
    return Instance(tuple(states), (0,) * (n - 1), argument, 3, dtype="float64", exact=True)


def diamond(rng: Random) -> Instance:
    """N35: boards of n slots; the target picks the most edges, the rightmost on ties."""
    n = rng.choice((1, 2, 2, 3, 3, 3))
    edges = rng.choice(((3, 4, 5, 6), rng.sample(range(1, 12), rng.randint(1, 3))))
    values = sorted((0, *edges))
    boards = [board for board in product(values, repeat=n) if any(board)]
    gap = min(b - a for a, b in pairwise(values))
    return Instance(
        tuple(tuple((a + 1, e) for a, e in enumerate(board)) for board in boards),
        tuple(max(range(n), key=lambda a: (board[a], a)) for board in boards),
        f"edges {values}: ties give (1,0), the smallest gap the other; no board shows both",
        2,
        expected=((1, 0), (-(n - 1), gap)) if n > 1 else (),
        size=2 if n > 1 else 0,
        dtype=rng.choice((None, "int64", "uint8", "float64")),
    )


def hard_cover(rng: Random) -> Instance:
    """N36: covers on the moment curve: greedy traps, odd cycles, Steiner triples, ties, random sets."""
    kind = rng.choice(("greedy", "odd", "steiner", "single", "equal", "random", "random", "on facets", "on facets"))
    if kind == "greedy":
        return greedy_worst(rng.choice((2, 3)))
    if kind == "odd":
        return odd_cycle(rng.choice((3, 5, 7, 9, 11)))
    if kind == "steiner":
        return steiner_nine()
    if kind == "single":
        return singletons(rng.randint(10, 30))
    if kind == "equal":
        return _equal_optima(rng.randint(2, 4))
    universe = range(rng.randint(4, 10))
    sets = [sorted(rng.sample(universe, rng.randint(1, 4))) for _ in range(rng.randint(3, 14))]
    cost = tuple(Fraction(rng.randint(1, 9), rng.choice((1, 2))) for _ in sets) if rng.random() < 0.5 else None
    if kind == "on facets":
        return _with_sums(rng, sets)
    return cover_problem(sets, argument="random sets", cost=cost)


def _equal_optima(blocks: int) -> Instance:
    """Each block is a triangle of three states, any two of which cover it: 3^blocks optima."""
    sets = [[3 * b + i, 3 * b + (i + 1) % 3] for b in range(blocks) for i in range(3)]
    return cover_problem([sorted(s) for s in sets], size=2 * blocks, argument=f"{3**blocks} optima")


def _with_sums(rng: Random, sets: list[list[int]]) -> Instance:
    """Sums of neighbouring elements: (1, k, k^2) + (1, k+1, (k+1)^2) lies on the facet between them."""
    elements = sorted({k for members in sets for k in members})
    rays: list[Point] = [(1, k, k * k) for k in elements]
    pairs = list(pairwise(rays)) or [(rays[0], rays[0])]
    states = [[*((1, k, k * k) for k in members), combine((1, 1), rng.choice(pairs))] for members in sets]
    return by_differences(states, expected=tuple(rays), argument="random sets and sums of neighbours")
