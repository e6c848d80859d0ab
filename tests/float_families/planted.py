"""Planted cones: rays with weights that are zero on one ray and positive on all others, and combinations of rays.

With such weights in hand the margins can be computed, so a case knows whether it is *clear*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from random import Random

import numpy as np

from tests.float_families.cases import AMBIG, CLEAR, OK, Deal, FloatCase, Floats, Spot, make, spot


@dataclass(frozen=True, eq=False)
class Cone:
    """Rays as rows; `normals[i]` is zero on ray i and positive on the others; `up` is positive on all."""

    rays: Floats
    normals: Floats
    up: Floats


def simplex_cone(d: int) -> Cone:
    return Cone(np.eye(d), 1 - np.eye(d), np.ones(d))


def paraboloid_cone(rng: Random, d: int, count: int) -> Cone:
    """(y, |y|^2, 1) with distinct y of a grid: |y - z|^2 is zero on z only."""
    grid = list(product(range(-3, 4), repeat=d - 2))
    y = np.array(rng.sample(grid, min(count, len(grid)))) / 2
    square = (y * y).sum(axis=1, keepdims=True)
    ones = np.ones_like(square)
    return Cone(np.hstack([y, square, ones]), np.hstack([-2 * y, ones, square]), np.r_[np.zeros(d - 2), 1, 1])


def box_cone(d: int) -> Cone:
    corners = np.array(list(product((-1.0, 1.0), repeat=d - 1)))
    ones = np.ones((len(corners), 1))
    return Cone(np.hstack([corners, ones]), np.hstack([-corners, (d - 1) * ones]), np.r_[np.zeros(d - 1), 1])


def moved(rng: Random, cone: Cone) -> Cone:
    """Under a random matrix that is far from singular, rounded as numpy rounds; weights move the other way."""
    d = cone.rays.shape[1]
    while True:
        matrix = np.array([[rng.uniform(-1, 1) for _ in range(d)] for _ in range(d)])
        if np.linalg.cond(matrix) < 20:
            break
    inverse = np.linalg.inv(matrix)
    return Cone(cone.rays @ matrix.T, cone.normals @ inverse, cone.up @ inverse)


def combinations(rng: Random, cone: Cone, count: int, *, parts: int | None = None) -> list[Spot]:
    """Positive combinations of at least two rays, in float arithmetic: on no ray, on faces or inside."""
    found = []
    for _ in range(count):
        size = parts or rng.randint(2, min(5, len(cone.rays)))
        members = rng.sample(range(len(cone.rays)), min(size, len(cone.rays)))
        amounts = np.array([rng.choice((0.1, 0.3, 1, 1.7, 3, 7)) for _ in members])
        found.append(spot(amounts @ cone.rays[members], None))
    return found


def multiples(rng: Random, cone: Cone, factors: list[float]) -> list[Spot]:
    """Every ray once, some of them again at other lengths."""
    found = [spot(ray, i) for i, ray in enumerate(cone.rays)]
    for factor in factors:
        i = rng.randrange(len(cone.rays))
        found.append(spot(factor * cone.rays[i], i))
    return found


def clearance(cone: Cone, case: FloatCase) -> float:
    """The smallest of all relative margins of the planted weights, and of all angles between rays and other vectors.

    Everything in columns scaled as hornbook scales them; the weights are tilted so as to be negative on their ray.
    """
    x, size, ray, unit = _told(case)
    length = x / np.linalg.norm(x, axis=1, keepdims=True)
    least = float((x @ (cone.up * unit) / (np.abs(cone.up * unit).sum() * size)).min())
    for i in range(int(ray.max()) + 1):
        own = ray == i
        normal = _normal_of(cone, x[own][0] * unit)
        cosines = length[~own] @ length[own][0]
        angles = np.linalg.norm(length[~own] - length[own][0], axis=1)
        least = min(least, _margin_of(x, size, own, (normal * unit, cone.up * unit)))
        least = min(least, float(angles[cosines > 0].min(initial=1.0)))
    return least


def _told(case: FloatCase) -> tuple[Floats, Floats, Floats, Floats]:
    """Scaled differences, their sizes, the true ray of each (or -1), and the units of the columns."""
    states = [np.array(state) for state in case.features]
    _, exponents = np.frexp(np.abs(np.concatenate(states)).max(axis=0))
    unit = np.ldexp(1.0, exponents - 1)
    owner = {place: i for i, ray in enumerate(case.truths[0].rays) for place in ray}
    vectors, sizes, ray_of = [], [], []
    for s, (state, goal) in enumerate(zip(states, case.target, strict=True)):
        reach = np.abs(state / unit).max(axis=1)
        for a in range(len(state)):
            if a != goal:
                vectors.append((state[goal] - state[a]) / unit)
                sizes.append(reach[a] + reach[goal])
                ray_of.append(owner.get((s, a), -1))
    return np.array(vectors), np.array(sizes), np.array(ray_of), unit


def _normal_of(cone: Cone, member: Floats) -> Floats:
    """The planted weights that are zero on this vector (the truth numbers rays as they come)."""
    products = np.abs(cone.normals @ member) / np.abs(cone.normals).max(axis=1)
    return cone.normals[int(products.argmin())]


def _margin_of(x: Floats, size: Floats, own: Floats, weights: tuple[Floats, Floats]) -> float:
    normal, up = weights
    depth = (x @ normal / (x @ up))[~own].min(initial=1.0)
    tilted = normal - depth / 2 * up
    return float((np.where(own, -1, 1) * (x @ tilted) / (np.abs(tilted).sum() * size)).min())


def finish(rng: Random, cone: Cone, spots: list[Spot], argument: str, *, deal: Deal | None = None) -> FloatCase:
    case = make(rng, spots, argument=argument, deal=deal or Deal(offset=rng.choice((0.0, 0.0, 0.25, 1.0))))
    clear = clearance(cone, case) >= CLEAR
    return replace(case, allowed=(OK,) if clear else (OK, AMBIG))


def simplicial(rng: Random) -> FloatCase:
    cone = moved(rng, simplex_cone(rng.choice((2, 3, 3, 4, 5, 6, 8))))
    spots = multiples(rng, cone, [rng.uniform(0.1, 9) for _ in range(4)]) + combinations(rng, cone, rng.randint(0, 12))
    return finish(rng, cone, spots, "independent vectors, combinations of them")


def paraboloid(rng: Random) -> FloatCase:
    cone = moved(rng, paraboloid_cone(rng, rng.choice((3, 4, 5)), rng.randint(4, 12)))
    spots = multiples(rng, cone, [rng.uniform(0.1, 9) for _ in range(4)]) + combinations(rng, cone, rng.randint(0, 9))
    return finish(rng, cone, spots, "every point of a paraboloid is a ray")


def box(rng: Random) -> FloatCase:
    """Corners and centres of faces: faces with many rays on them."""
    d = rng.choice((3, 3, 4, 5))
    cone = box_cone(d)
    centres = [(*y, 1) for y in product((-1.0, 0.0, 1.0), repeat=d - 1) if 0 in y]
    chosen = np.array(rng.sample(centres, min(6, len(centres))))
    both = Cone(np.vstack([cone.rays, chosen]), np.vstack([cone.normals, chosen]), cone.up)
    all_moved = moved(rng, both)
    count = len(cone.rays)
    turned = Cone(all_moved.rays[:count], all_moved.normals[:count], all_moved.up)
    spots = multiples(rng, turned, [0.1, 3.0]) + [spot(x, None) for x in all_moved.rays[count:]]
    return finish(rng, turned, spots, "corners of a box, centres of its faces")


def rational_factors(rng: Random) -> FloatCase:
    cone = moved(rng, simplex_cone(rng.choice((2, 3, 4, 5))))
    factors = [rng.randint(1, 40) / rng.randint(1, 40) for _ in range(10)]
    return finish(
        rng, cone, multiples(rng, cone, factors) + combinations(rng, cone, 3), "duplicates up to p/q, rounded"
    )


def float_factors(rng: Random) -> FloatCase:
    cone = moved(rng, rng.choice((simplex_cone(4), paraboloid_cone(rng, 4, 8))))
    factors = [f for f in (0.1, 3.0, 7.0, 0.7, 1 / 3) for _ in range(3)]
    return finish(rng, cone, multiples(rng, cone, factors) + combinations(rng, cone, 4), "factors 0.1, 3, 7, rounded")


def powers_of_two(rng: Random) -> FloatCase:
    cone = moved(rng, simplex_cone(rng.choice((2, 3, 4, 5))))
    factors = [2.0 ** rng.randint(-40, 40) for _ in range(8)]
    spots = multiples(rng, cone, factors) + combinations(rng, cone, 3)
    return finish(rng, cone, spots, "powers of two: the same bits", deal=Deal(offset=0.0))


def on_faces(rng: Random) -> FloatCase:
    """Two rays and more of a simplicial cone span a face: points on it, at lengths .1, 3, 7."""
    cone = moved(rng, simplex_cone(rng.choice((3, 4, 5, 6))))
    spots = multiples(rng, cone, [0.1, 3.0, 7.0])
    for face in combinations(rng, cone, 12, parts=2):
        factor = rng.choice((0.1, 3.0, 7.0))
        spots.append(spot(factor * np.array(face.x), None))
    return finish(rng, cone, spots, "points on faces with factors .1, 3, 7")


def products(rng: Random) -> FloatCase:
    """Features that are sums of 64 products each, as a layer of a network makes them."""
    d = rng.choice((3, 4, 5))
    while True:
        first = np.array([[rng.uniform(-1, 1) / 8 for _ in range(64)] for _ in range(d)])
        second = np.array([[rng.uniform(-1, 1) for _ in range(d)] for _ in range(64)])
        if np.linalg.cond(first @ second) < 20:
            break
    inverse = np.linalg.inv(first @ second).T
    cone = simplex_cone(d)
    turned = Cone((cone.rays @ first) @ second, cone.normals @ inverse, cone.up @ inverse)
    amounts = [np.array([rng.choice((0.0, 0.1, 1.0, 3.0)) for _ in range(d)]) for _ in range(8)]
    inner = [spot((a @ first) @ second, None) for a in amounts if np.count_nonzero(a) > 1]
    own = [spot(((f * cone.rays[i]) @ first) @ second, i) for f in (0.1, 7.0) for i in range(d)]
    return finish(rng, turned, [*multiples(rng, turned, []), *own, *inner], "products of length 64")
