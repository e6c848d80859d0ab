"""Labellings: unique, exact in every decision, and refused where numbers are too close to call."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hornbook
from hornbook.arithmetic import (
    FLOAT_TOLERANCES,
    Tolerances,
    Vectors,
    column_exponents,
    from_keys,
    measured_integers,
    measured_rows,
    on_features,
    parallel_pairs,
    seen_from_middle,
    sine_squared,
)
from hornbook.errors import Ambiguous, LimitExceeded, NotRealizable
from hornbook.problem import TeachingProblem
from hornbook.rays import Boxes, Conflict, Doubt, approximations, canonical_margins, find_rays, label
from hornbook.rays import _margins as margins_room
from hornbook.rays._certain import certain_weights
from hornbook.rays._nearby import Neighbourhoods

FLOAT64 = FLOAT_TOLERANCES["float64"]
NOBODY = np.zeros(0, dtype=np.intp)
FLOATS = st.floats(-1.9, 1.9) | st.sampled_from([0.0, -0.0, 5e-324, 1e-300, 0.1, 1.0, 1.0 - 2**-53])


def problem(vectors: list[list[float]] | npt.NDArray[Any], **more: Any) -> TeachingProblem:
    """One state with two actions for each vector."""
    table = np.asarray(vectors, dtype=more.pop("dtype", np.float64))
    return TeachingProblem(features=np.stack([table, np.zeros_like(table)], axis=1), target=[0] * len(table), **more)


def boxes_of(vectors: list[list[float]], tolerances: Tolerances = FLOAT64) -> Boxes:
    table = np.array(vectors)
    exponents = column_exponents(np.abs(table).max(axis=0))
    rows = measured_rows(np.ldexp(table, -exponents), np.zeros_like(table))
    return Boxes(Vectors(measured_integers(from_keys(np.unique(rows.keys(), axis=0)))), tolerances.noise)


def labelled(vectors: list[list[float]], tolerances: Tolerances = FLOAT64) -> Any:
    boxes = boxes_of(vectors, tolerances)
    rays = find_rays(boxes.centres)
    assert not isinstance(rays, Conflict)
    return boxes, label(boxes, rays.rows, weights=rays.weights, tolerances=tolerances)


@given(st.lists(st.tuples(FLOATS, FLOATS, FLOATS, FLOATS), min_size=1, max_size=6))
def test_measured_vectors_are_exact(rows: list[tuple[float, ...]]) -> None:
    """Differences, and the sizes that make their radii, as integers up to a power of two: nothing is rounded."""
    table = np.array(rows)
    target, other = table[:, :2], table[:, 2:]
    stored = measured_rows(target, other)
    for integers, a, b in zip(measured_integers(stored).tolist(), target.tolist(), other.tolist(), strict=True):
        truth = [Fraction(x) - Fraction(y) for x, y in zip(a, b, strict=True)]
        truth.append(max(abs(Fraction(x)) for x in a) + max(abs(Fraction(y)) for y in b))
        scales = {Fraction(v) / t for v, t in zip(integers, truth, strict=True) if t}
        assert all((v == 0) == (t == 0) for v, t in zip(integers, truth, strict=True))
        assert len(scales) <= 1
        assert all(bin(s.numerator).count("1") == 1 == bin(s.denominator).count("1") for s in scales)
    assert len(stored.take([0])) == 1


def test_rows_come_back_from_their_keys_in_the_order_of_their_values() -> None:
    table = np.array([[1.0, -1.0], [-1.5, 0.3], [-1.5, 0.1]])
    stored = measured_rows(table, np.zeros_like(table))
    again = from_keys(stored.keys())
    assert again.high[:, 0].tolist() == sorted(again.high[:, 0].tolist())
    before, after = (np.unique(rows.keys(), axis=0) for rows in (stored, again))
    assert (before == after).all()


def test_columns_are_scaled_to_between_one_and_two() -> None:
    assert column_exponents(np.array([1.0, 1.99, 2.0, 0.1, 0.0, 5e-324, 1e300])).tolist() == [
        0,
        0,
        1,
        -4,
        0,
        -1074,
        996,
    ]
    assert on_features([3, 4], np.array([1, -2])) == (3, 32)


def test_sines_are_exact() -> None:
    assert sine_squared([1, 0], [1, 1]) == Fraction(1, 2)
    assert sine_squared([1, 0], [2, 0]) == 0
    assert sine_squared([1, 0], [0, 1]) == sine_squared([1, 0], [-1, 0]) == 2


def test_angles_at_the_limit_are_decided_exactly() -> None:
    """A sine of exactly 3/5 is within 3/5, and a hair more is not, though floats see no difference."""
    vectors = Vectors.of([[1, 0], [4, 3], [4 * 10**20 - 1, 3 * 10**20]], 2)
    near, wide = parallel_pairs(vectors, [0], tolerances=Tolerances(Fraction(0), Fraction(3, 5), 1))
    assert (near[0].tolist(), wide) == ([0, 1], {})
    near, wide = parallel_pairs(vectors, [0], tolerances=Tolerances(Fraction(0), Fraction(3, 10), 2))
    assert (near[0].tolist(), wide) == ([0], {0: 1})


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 20)), min_size=2, max_size=8, unique=True))
def test_parallel_pairs_are_those_of_the_definition(rows: list[tuple[int, int]]) -> None:
    vectors, tolerances = Vectors.of(sorted(rows), 2), Tolerances(Fraction(0), Fraction(1, 30), 4)
    near, wide = parallel_pairs(vectors, list(range(len(rows))), tolerances=tolerances)
    for i in range(len(rows)):
        sines = [sine_squared(vectors.row(i), vectors.row(j)) for j in range(len(rows))]
        assert near[i].tolist() == [j for j, s in enumerate(sines) if s <= tolerances.merge**2]
        annulus = [j for j, s in enumerate(sines) if tolerances.merge**2 < s <= (4 * tolerances.merge) ** 2]
        assert wide.get(i) == (annulus[0] if annulus else None)


def test_a_class_and_an_inside_vector() -> None:
    boxes, found = labelled([[1.0, 0.0], [0.3, 0.1 * 1e-16], [0.0, 1.0], [0.5, 0.25]])
    assert len(found.rows) == 2
    assert sorted(found.ray_of.tolist()) == [-1, 0, 1, 1]
    assert found.assumed == {}
    for ray, weights in enumerate(found.certain):
        values = [boxes.measured.signs([boxes.margin_weights(weights, side=s)])[:, 0] for s in (1, -1)]
        for row, ray_of in enumerate(found.ray_of.tolist()):
            assert values[ray_of == ray][row] > 0


def test_a_bump_below_the_noise_is_assumed_inside() -> None:
    """The middle of a facet, pushed out by a thousandth of the noise: implied up to the noise, and said so."""
    corners = [[1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]]
    _, found = labelled([*corners, [0.5, 0.5 + 2**-53, 1.0]])
    assert len(found.rows) == 4
    assert len(found.assumed) == 1
    (shares,) = found.assumed.values()
    assert all(m > 0 for m in shares.values())


def test_a_bump_of_a_few_times_the_noise_is_ambiguous() -> None:
    corners = [[1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]]
    _, found = labelled([*corners, [0.5, 0.5 + 4 * 2**-48, 1.0]])
    assert isinstance(found, Doubt)
    assert len(found.rows) == 1
    assert "neither a certain ray nor" in found.reason


def test_near_parallel_rays_are_one_two_or_neither() -> None:
    for gap, outcome in ((2.0**-40, 1), (2.0**-30, None), (2.0**-20, 2)):
        _, found = labelled([[1.0, 0.0, 0.0], [1.0, gap, -gap], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        if outcome is None:
            assert isinstance(found, Doubt)
            assert len(found.rows) == 2
            assert "is above merge" in found.reason
        else:
            assert len(found.rows) == outcome + 2


def test_weights_that_are_certain_exist_or_not() -> None:
    boxes = boxes_of([[1.0, 0.0], [-1.0, 2.0**-20], [0.0, 1.0]])
    weights = certain_weights(boxes, negative=NOBODY, guess=(0, 0))
    assert weights is not None
    assert boxes.are_certain([weights, (0, 0)], negative=[NOBODY, NOBODY]).tolist() == [True, False]
    assert certain_weights(boxes_of([[1.0, 0.0], [-1.0, 2.0**-50], [0.0, 1.0]]), negative=NOBODY, guess=(0, 1)) is None


def test_what_no_box_point_reaches_is_not_implied() -> None:
    boxes = boxes_of([[1.0, 0.0], [0.0, 1.0], [1.0, -0.5]])
    corner = Vectors.of([[1, 0], [0, 1]], 2)
    below = next(i for i in range(3) if boxes.measured.row(i)[1] < 0)
    assert approximations(corner, boxes, rows=[below]) == {below: None}


@pytest.mark.parametrize("d", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_looking_nearby_and_everywhere_agree(d: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes are certain or not whichever way it is found out."""
    rng = Random(seed)
    vectors = [[*(rng.gauss(0, 1) for _ in range(d - 1)), 4.0] for _ in range(40)]
    vectors += [[v * f for v in row] for row in vectors[:20] for f in (0.1, 3.0)]
    boxes, everywhere = labelled(vectors)
    monkeypatch.setattr(margins_room, "_MANY", 0)
    monkeypatch.setattr(margins_room, "_BLOCK", 64)
    _, nearby = labelled(vectors)
    assert everywhere.rows == nearby.rows
    assert (everywhere.ray_of == nearby.ray_of).all()
    wanted = {ray: np.flatnonzero(nearby.ray_of == ray) for ray in range(len(nearby.rows))}
    more = {"ray_of": nearby.ray_of, "candidates": nearby.stored, "weights": nearby.weights}
    told = canonical_margins(boxes, nearby.rows, wanted=list(wanted), **more)
    monkeypatch.undo()
    assert told == canonical_margins(boxes, nearby.rows, wanted=list(wanted), **more)
    for ray, weights in told.items():
        assert certain_weights(boxes, negative=wanted[ray], guess=weights) == weights


def test_nothing_is_shown_nearby_when_floats_cannot_tell_angles() -> None:
    """A point in the very middle, heights that cancel, or no noise at all: look everywhere instead."""
    square = [[1.0, 1.0, 4.0], [-1.0, 1.0, 4.0], [-1.0, -1.0, 4.0], [1.0, -1.0, 4.0]]
    for vectors, noise in (([*square, [0.0, 0.0, 4.0]], 2**48), (square, 0)):
        boxes = boxes_of(vectors, Tolerances(Fraction(1, noise) if noise else Fraction(0), FLOAT64.merge))
        rays = find_rays(boxes.centres)
        class_of = np.full(len(boxes), -1)
        class_of[list(rays.rows)] = range(4)  # type: ignore[union-attr]
        walk = np.array(rays.rows)  # type: ignore[union-attr]
        assert Neighbourhoods.of(boxes, class_of, walk=walk, count=4, weights=[0, 0, 1]) is None
    thin = Vectors.of([[2**40, 2**40, 2**41 + 1], [2**40, -(2**40), 2**41 + 1]], 3)
    assert seen_from_middle(thin, [1, 1, -1]) is None
    assert seen_from_middle(Vectors.of([[1, 1, 4], [1, -1, 4], [-1, 0, 4]], 3), [0, 0, 1]) is not None


def test_a_ray_that_is_not_certain_has_no_canonical_weights() -> None:
    boxes = boxes_of([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    inside = next(i for i in range(3) if all(boxes.measured.row(i)[:2]))
    with pytest.raises(ArithmeticError, match="was found certain"):
        canonical_margins(boxes, [0, 1, 2], ray_of=np.arange(3), candidates=[0, 1, 2], wanted=[inside], weights=(1, 1))


def test_paired_signs_and_shapes_of_huge_integers() -> None:
    huge = Vectors.of([[2**2000, -1], [0, 0], [3, -(2**1999)]], 2)
    assert np.abs(huge.shapes - [[1.0, 0.0], [0.0, 0.0], [0.0, -1.0]]).max() <= 2.0**-53
    assert huge.paired_signs(Vectors.of([[1, 2**2000], [1, 1], [2**1999, 3]], 2)).tolist() == [0, 0, 0]
    small = Vectors.of([[1, -1], [5, 2]], 2)
    assert small.paired_signs(Vectors.of([[1, 1], [1, 1]], 2)).tolist() == [0, 1]
    wide = Vectors.of([[2**60 + 1, 1], [-(2**60), 1]], 2)
    assert wide.paired_signs(Vectors.of([[1, -(2**60) - 1], [1, 2**60 + 1]], 2)).tolist() == [0, 1]


def test_a_stored_conflict_is_not_realizable_and_a_near_one_is_ambiguous() -> None:
    with pytest.raises(NotRealizable) as refusal:
        hornbook.teach(problem([[0.5, 0.1], [-1.0, -0.2], [0.3, 0.7]]))
    assert [str(term.multiplier) for term in refusal.value.conflict] == ["2", "1"]
    with pytest.raises(Ambiguous, match="no weights prefer the target everywhere") as doubt:
        hornbook.teach(problem([[1.0, 0.1 + 0.2 - 0.3], [-1.0, 0.1 + 0.2 - 0.3], [0.0, 1.0]]))
    assert doubt.value.places == (("0", "1"), ("1", "1"), ("2", "1"))
    assert "ahead by a relative 1.11e-16 at most, and the noise is 3.55e-15" in str(doubt.value)
    tied = problem([[0.5, 0.1], [0.0, 0.0]])
    with pytest.raises(NotRealizable, match="equal features"):
        hornbook.teach(tied)


def test_columns_of_hopelessly_different_sizes_are_refused() -> None:
    with pytest.raises(LimitExceeded, match="feature 0 holds numbers more than"):
        hornbook.teach(problem([[1e300, 0.5], [1e-300 / 3, 1.0]]))
    with pytest.raises(LimitExceeded, match="beyond the largest float"):
        wide = np.array([[[1.7e308, 0.0], [-1.7e308, 0.0]], [[0.0, 1.5], [0.0, 0.0]]])
        hornbook.teach(TeachingProblem(features=wide, target=[0, 0]))
