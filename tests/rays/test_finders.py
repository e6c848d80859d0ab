"""Every finder, on every instance: the same rays, exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.arithmetic import Vectors, primitive_vector
from hornbook.rays import (
    RAY_FINDERS,
    Cone,
    Conflict,
    Outside,
    Rays,
    combinations,
    find_rays,
    misconception,
    outside,
    realize,
)
from hornbook.rays._realize import realizing
from tests.instances import Instance, directions, hand_solved
from tests.oracles import NOTREAL, slow_rays
from tests.strategies import cones

Rows = list[tuple[int, ...]]


def vectors_of(rows: list[tuple[int, ...]]) -> Vectors:
    return Vectors.of(sorted(set(map(primitive_vector, rows))), len(rows[0]))


def rays_by(finder: str, vectors: Vectors) -> Rows | None:
    """The rays, or None where the finder does not work on vectors of this rank."""
    try:
        rays = find_rays(vectors, finder=finder)
    except ValueError as error:
        assert "rank" in str(error)
        return None
    assert isinstance(rays, Rays)
    return rays.vectors.rows()


@pytest.mark.parametrize("finder", RAY_FINDERS)
@pytest.mark.parametrize(
    "instance", [i for i in hand_solved() if isinstance(i.expected, tuple) and i.expected], ids=lambda i: i.name
)
def test_every_finder_knows_every_hand_solved_instance(finder: str, instance: Instance) -> None:
    vectors = vectors_of([x for state in directions(instance) for x in state])
    assert rays_by(finder, vectors) in (None, list(instance.expected or ()))


@given(cones(at_most=10))
@settings(max_examples=150, deadline=None)
def test_finders_agree_with_the_slow_oracle(rows: Rows) -> None:
    vectors = vectors_of(rows)
    truth = slow_rays(vectors.rows())
    for finder in ("auto", *RAY_FINDERS):
        if truth == NOTREAL:
            assert isinstance(find_rays(vectors, finder=finder), Conflict)
        else:
            assert rays_by(finder, vectors) in (None, sorted(truth))


@given(cones(at_most=10))
@settings(max_examples=100, deadline=None)
def test_rays_of_rays_and_of_unions(rows: Rows) -> None:
    """rays(rays(X)) = rays(X), and rays(A u B) = rays(rays(A) u rays(B))."""
    whole = find_rays(vectors_of(rows))
    if isinstance(whole, Conflict):
        return
    assert find_rays(whole.vectors).vectors.rows() == whole.vectors.rows()  # type: ignore[union-attr]
    halves = [find_rays(vectors_of(part)) for part in (rows[::2], rows[1::2]) if part]
    union = [row for half in halves for row in half.vectors.rows()]  # type: ignore[union-attr]
    assert find_rays(vectors_of(union)).vectors.rows() == whole.vectors.rows()  # type: ignore[union-attr]


@given(cones(at_most=8))
@settings(max_examples=100, deadline=None)
def test_evidence_adds_up(rows: Rows) -> None:
    """Every vector is a strictly positive combination of its index set; every ray has weights against it alone."""
    vectors = vectors_of(rows)
    rays = find_rays(vectors)
    if isinstance(rays, Conflict):
        assert sum_of(rays, vectors) == (0,) * vectors.dimension
        return
    for vector, members in zip(vectors.rows(), combinations(rays.vectors, vectors), strict=True):
        assert solution([rays.vectors.row(i) for i in members], vector)
    for row in rays.rows:
        products = vectors.products(misconception(vectors, row, rays=rays.rows, weights=rays.weights))
        assert products[row] < 0
        assert (np.delete(products, row) > 0).all()


def sum_of(conflict: Conflict, vectors: Vectors) -> tuple[int, ...]:
    table = [[m * v for v in vectors.row(r)] for r, m in zip(conflict.rows, conflict.multipliers, strict=True)]
    assert all(m > 0 for m in conflict.multipliers)
    return tuple(map(sum, zip(*table, strict=True)))


def solution(members: Rows, vector: tuple[int, ...]) -> bool:
    """Whether independent members combine to the vector with positive multipliers (elimination in Fractions)."""
    table = [
        [Fraction(v) for v in (*column, right)]
        for column, right in zip(zip(*members, strict=True), vector, strict=True)
    ]
    for c in range(len(members)):
        pivot = next((r for r in range(c, len(table)) if table[r][c]), None)
        if pivot is None:
            return False
        table[c], table[pivot] = table[pivot], table[c]
        table[c] = [v / table[c][c] for v in table[c]]
        for r in range(len(table)):
            if r != c:
                table[r] = [a - table[r][c] * b for a, b in zip(table[r], table[c], strict=True)]
    return all(row[-1] > 0 for row in table[: len(members)]) and not any(row[-1] for row in table[len(members) :])


@given(cones(at_most=8))
@settings(max_examples=100, deadline=None)
def test_a_conflict_is_irreducible(rows: Rows) -> None:
    """Without any one member, the rest of a conflict is realizable."""
    vectors = Vectors.of(rows, len(rows[0]))
    answer = realize(vectors)
    if isinstance(answer, Conflict):
        for left_out in answer.rows:
            rest = vectors.take([r for r in answer.rows if r != left_out])
            weights = realize(rest)
            assert not isinstance(weights, Conflict)
            assert (rest.products(weights) > 0).all()
    else:
        assert (vectors.products(answer) > 0).all()


@pytest.mark.parametrize("digits", [3, 30, 300])
def test_a_margin_however_thin_is_realized(digits: int) -> None:
    """(1, e) and (-1, e) leave a wedge of width about e; (1, 0) and (-1, 0) leave none."""
    thin = Vectors.of([[10**digits, 1], [-(10**digits), 1]], 2)
    weights = realize(thin)
    assert not isinstance(weights, Conflict)
    assert (thin.products(weights) > 0).all()
    assert isinstance(realize(Vectors.of([[10**digits, 0], [-(10**digits), 0]], 2)), Conflict)


def test_a_facet_midpoint_is_no_ray_until_it_is_pushed() -> None:
    corners = [[0, 0, 1], [2, 0, 1], [0, 2, 1], [2, 2, 1]]
    for denominator in (10**5, 10**15, 10**40):
        pushed = [[denominator, -1, denominator], [denominator, 0, denominator], [denominator, 1, denominator]]
        for extra, rays in zip(pushed, (5, 4, 4), strict=True):
            rows = Vectors.of(sorted(map(primitive_vector, [*corners, extra])), 3)
            for finder in ("hull", "incremental", "elimination"):
                assert len(find_rays(rows, finder=finder)) == rays  # type: ignore[arg-type]


def test_a_column_that_depends_on_others_changes_nothing() -> None:
    rows = [(1, 0, 0), (0, 1, 0), (1, 1, 1), (0, 0, 1), (1, 1, -1)]
    plain = find_rays(vectors_of(rows))
    wide = find_rays(vectors_of([(a, b, 2 * a - 3 * b + c, c, 0) for a, b, c in rows]))
    assert len(plain) == len(wide)  # type: ignore[arg-type]
    assert wide.vectors.dimension == 5  # type: ignore[union-attr]


def test_hundreds_of_vectors_on_one_face_and_beyond_the_neighbourhood() -> None:
    """A lattice grid of 900 points has four rays, and more vectors than one basis is tried on at a time."""
    grid = Vectors.of([[1, x, y] for x in range(30) for y in range(30)], 3)
    corners = [(1, 0, 0), (1, 0, 29), (1, 29, 0), (1, 29, 29)]
    assert rays_by("incremental", grid) == rays_by("hull", grid) == corners
    lifted = Vectors.of([[1, x, y, (x * y) % 3] for x in range(12) for y in range(12)], 4)
    assert rays_by("incremental", lifted) == rays_by("elimination", lifted)


def test_outside_separates_and_inside_does_not() -> None:
    corner = Vectors.of([[1, 0], [1, 1]], 2)
    asked = Vectors.of([[0, 1], [1, -1], [2, 1], [3, 3], [1, 2]], 2)
    separated = outside(corner, asked)
    assert sorted(separated) == [0, 1, 4]
    for i, weights in separated.items():
        assert (corner.products(weights) >= 0).all()
        assert asked.products(weights)[i] < 0
    assert outside(Vectors.of([], 2), asked).keys() == set(range(5))


@given(cones(at_most=9))
@settings(max_examples=150, deadline=None)
def test_the_least_index_rule_alone_decides_the_same(rows: Rows) -> None:
    """The fast pivot rule has no proof that it ends; the slow one it gives way to has, and they agree."""
    vectors = vectors_of(rows)
    for i in range(len(vectors)):
        others = vectors.take([j for j in range(len(vectors)) if j != i])
        slow, fast = (Cone(others, patience=patience).locate(vectors.row(i)) for patience in (0, None))
        assert type(slow) is type(fast)
        if isinstance(slow, Outside):
            assert (others.products(slow.weights) >= 0).all()
            assert sum(a * b for a, b in zip(slow.weights, vectors.row(i), strict=True)) < 0


def test_refusals_name_what_is_wrong() -> None:
    square = Vectors.of([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]], 3)
    with pytest.raises(ValueError, match="no ray finder 'qhull'"):
        find_rays(square, finder="qhull")
    with pytest.raises(ValueError, match="rank 3"):
        find_rays(square, finder="planar")
    with pytest.raises(ValueError, match="not a combination"):
        combinations(square.take([0, 1]), square)
    with pytest.raises(ValueError, match="not on an extreme ray"):
        misconception(Vectors.of([[0, 1], [1, 0], [1, 1]], 2), 2, rays=[0, 1, 2], weights=[1, 1])
    with pytest.raises(ArithmeticError, match="contradict"):
        realizing(Vectors.of([[1], [-1]], 1))


@pytest.mark.parametrize("finder", ["auto", *RAY_FINDERS])
def test_opposites_far_apart_in_a_fan_are_a_conflict_for_every_finder(finder: str) -> None:
    fan = vectors_of([(1, 0), (3, 1), (1, 1), (1, 2), (-1, 0), (0, 1)])
    answer = find_rays(fan, finder=finder)
    assert isinstance(answer, Conflict)
    assert sum_of(answer, fan) == (0, 0)


def test_no_vectors_have_no_rays() -> None:
    empty = find_rays(Vectors.of([], 3))
    assert isinstance(empty, Rays)
    assert len(empty) == 0
    assert empty.weights == (0, 0, 0)
    assert isinstance(realize(Vectors.of([[1, 0], [0, 0]], 2)), Conflict)


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 4)), min_size=1, max_size=9))
def test_progress_is_told_and_changes_nothing(rows: Rows) -> None:
    told: list[int] = []
    vectors = vectors_of(rows)
    for finder in ("incremental", "elimination"):
        loud = find_rays(vectors, finder=finder, progress=lambda _stage, done, _total: told.append(done))
        assert loud.vectors.rows() == find_rays(vectors, finder=finder).vectors.rows()  # type: ignore[union-attr]
    assert told
