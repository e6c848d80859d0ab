"""Three dimensions: the corners of polygons, among points of every arrangement."""

from __future__ import annotations

import itertools
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.arithmetic import Integers, Vectors, primitive
from hornbook.rays import Rays, find_rays
from hornbook.rays._central import central_weights
from hornbook.rays._hull import polygon_walk
from tests.oracles import slow_rays


def cone_over(points: Integers, heights: Integers | int = 1) -> Vectors:
    """The directions of points of a plane, at any heights."""
    tall = np.broadcast_to(np.asarray(heights), len(points))[:, None]
    return Vectors(np.unique(primitive(np.hstack([points * tall, tall])), axis=0))


def rays_of(vectors: Vectors) -> set[tuple[int, ...]]:
    found = find_rays(vectors, finder="hull")
    assert isinstance(found, Rays)
    return set(found.vectors.rows())


def circle(count: int, scale: int) -> Integers:
    """Vectors to points of the unit circle: (s^2 - t^2, 2 s t) at height s^2 + t^2 in a quadrant, and turned."""
    t = np.unique(np.linspace(0, scale - 1, count).astype(np.int64))
    x, y, height = scale * scale - t * t, 2 * scale * t, scale * scale + t * t
    turned = ((x, y), (-y, x), (-x, -y), (y, -x))
    return primitive(np.concatenate([np.stack([*pair, height], axis=1) for pair in turned]))


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(1, 3)), min_size=1, max_size=14),
    st.permutations(range(3)),
)
@settings(max_examples=200, deadline=None)
def test_points_of_a_small_grid_have_the_corners_of_the_slow_oracle(
    points: list[tuple[int, int, int]], axes: list[int]
) -> None:
    """Ties, lines and lattices, with any coordinate as the height."""
    table = np.array(points)
    vectors = Vectors(np.unique(cone_over(table[:, :2], table[:, 2]).exact[:, axes], axis=0))
    if np.linalg.matrix_rank(vectors.exact) == 3:
        assert rays_of(vectors) == set(slow_rays(vectors.rows()))


@pytest.mark.parametrize("scale", [2**10, 2**15, 2**25])
def test_every_point_of_a_circle_is_a_corner_and_no_point_on_a_chord_is(scale: int) -> None:
    """Numbers of 20, 30 and 50 bits; neighbours stick out by less than floats tell apart."""
    corners = circle(3_000, scale)
    vectors = Vectors(np.unique(np.concatenate([corners, primitive(corners[:-1] + corners[1:])]), axis=0))
    assert len(vectors) > len(corners)
    assert rays_of(vectors) == set(map(tuple, corners.tolist()))


def test_points_within_a_circle_are_dropped_before_they_are_sorted() -> None:
    side = np.arange(-70, 71)
    disc = np.array([(x, y) for x, y in itertools.product(side.tolist(), side.tolist()) if x * x + y * y <= 70 * 70])
    vectors = cone_over(disc)
    expected = {(x, s * isqrt(4900 - x * x), 1) for x in side.tolist() for s in (1, -1)}
    found = rays_of(vectors)
    assert found == rays_of(Vectors(np.array(sorted(found)))) <= expected
    assert len(vectors) > 5_000 < len(found) * 1_000


def test_points_that_go_one_after_the_other() -> None:
    """From a point far below, those of a rising arc go one by one, each only when its neighbour has gone."""
    t = np.arange(400, dtype=np.int64)
    arc = np.stack([t * 1000, t * t], axis=1)[::-1] * -1
    below = np.array([[10**6, -(10**9)], [-(10**6), 10**6]])
    vectors = cone_over(np.concatenate([arc, below]))
    assert rays_of(vectors) == set(map(tuple, find_rays(vectors, finder="incremental").vectors.rows()))  # type: ignore[union-attr]


def test_a_walk_goes_round_once() -> None:
    points = Vectors(circle(50, 2**8))
    walk = points.take(polygon_walk(points, (0, 0, 1))).exact
    turns = [np.linalg.det(walk[[i - 2, i - 1, i]].astype(float)) for i in range(len(walk))]
    assert len(walk) == len(points)
    assert min(turns) > 0
    two = Vectors.of([[0, 0, 1], [1, 0, 1]], 3)
    assert polygon_walk(two, (0, 0, 1)) == [0, 1]


def test_of_vectors_on_one_ray_the_first_is_the_corner() -> None:
    """Floats come with multiples of each other, many times: each corner is found once."""
    corners = circle(300, 2**9)
    vectors = Vectors(np.concatenate([corners, 3 * corners, corners[::2]]))
    assert sorted(polygon_walk(vectors, (0, 0, 1))) == list(range(len(corners)))


def test_all_points_on_a_line_have_no_polygon_to_be_inside_of() -> None:
    """Thousands of vectors in a plane through two of them: the two ends, whatever the columns say."""
    t = np.arange(1, 6_001, dtype=np.int64)
    vectors = Vectors(np.unique(primitive(np.stack([t, 6_001 - t, np.full_like(t, 6_001)], axis=1)), axis=0))
    flat = find_rays(vectors)
    assert isinstance(flat, Rays)
    assert len(flat) == 2
    assert len(polygon_walk(vectors, (0, 0, 1))) == 2


def test_a_polygon_flatter_than_any_float_has_its_corners() -> None:
    """Of thousands of points on a line one is 2^-1100 beside it: floats see no polygon, integers do."""
    big = 2**1100
    vectors = Vectors.of([[i * big, int(i == 2_500), big] for i in range(5_100)], 3)
    found = find_rays(vectors)
    assert isinstance(found, Rays)
    assert found.rows == (0, 2_500, 5_099)


def test_central_weights_are_positive_or_those_given() -> None:
    """The sum of the points of a parabola is far from most of them; in the middle, columns count alike."""
    x = np.arange(-500, 501, dtype=np.int64)
    parabola = Vectors(np.stack([x, x * x, np.ones_like(x)], axis=1))
    weights = central_weights(parabola, (0, 1, 1))
    assert (parabola.products(weights) > 0).all()
    assert weights[2] > 10_000 * weights[1] > 0
    assert central_weights(Vectors.of([[2**70, 1], [0, 1]], 2), (1, 1)) == (1, 1)
    assert central_weights(Vectors.of([[2**58, 1], [0, 1]], 2), (1, 1)) == (1, 1)
    lopsided = Vectors.of([*[[1000 + i, 1] for i in range(50)], [-1, 5]], 2)
    assert central_weights(lopsided, (1, 1)) in ((1, 1), central_weights(lopsided, (0, 1)))
