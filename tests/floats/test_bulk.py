"""Many vectors at once: what floats prove for all of them is what exact arithmetic says of each."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hornbook
import hornbook.rays
from hornbook.arithmetic import Vectors, balanced, framed, share_bounds
from hornbook.assurance import _Substitutes, needed_margin
from hornbook.errors import Ambiguous, LimitExceeded
from hornbook.rays import Cone, Inside
from hornbook.rays import _margins as margins_room
from hornbook.rays import _middle as middle_room
from hornbook.rays._bases import bases_around, own_directions
from hornbook.rays._implied import shortfall
from hornbook.rays._margins import _set_apart
from hornbook.rays._middle import certain_everywhere
from tests.floats.test_labelling import boxes_of, problem

SIZES = [(2, 2), (3, 12), (4, 80), (5, 60)]


def planted(d: int, h: int, inside: int = 150) -> npt.NDArray[np.float64]:
    """Rays on a sphere at height 4, and sums of many of them, each times one of a few factors."""
    rng = np.random.default_rng(d)
    arms = rng.normal(size=(h, d - 1))
    rays = np.column_stack([arms / np.linalg.norm(arms, axis=1, keepdims=True), np.full(h, 4.0)])
    if d == 2:
        rays[:, 0] = [-1.0, 1.0]
    sums = rng.dirichlet(np.ones(h), size=inside) @ rays
    return np.concatenate([rays, sums]) * rng.choice([0.1, 0.3, 3.0], (h + inside, 1))


@pytest.mark.parametrize(("d", "h"), SIZES)
def test_bulk_lessons_are_right_and_accepted(d: int, h: int) -> None:
    """Every ray, nothing else; tau is enough for both checkers and hardly more than its definition."""
    subject = problem(planted(d, h))
    lesson = hornbook.teach(subject)
    assert (lesson.size, len(lesson.rays)) == (h, h)
    certificate = lesson.certificate()
    hornbook.check(certificate, subject)
    hornbook.check(certificate, subject, fast=True)
    evidence: Any = lesson.evidence
    noise = subject.tolerances.noise
    ratios = [
        1
        + each.largest_size
        / sum(
            m * evidence.differences.measured.row(evidence.frame.labelling.rows[r])[-1] for r, m in each.shares.items()
        )
        for each in evidence.float_sums
    ]
    assert noise > 0
    tau = Fraction(lesson.arithmetic["tau"])  # type: ignore[index]
    assert max(2, *ratios) <= tau <= max(2, *ratios) * (1 + Fraction(1, 2**16))
    assert hornbook.teach(problem(planted(d, h)[::-1])).size == h


@pytest.mark.parametrize(("d", "h"), SIZES)
def test_bases_are_positive_sums(d: int, h: int) -> None:
    boxes = boxes_of(planted(d, h).tolist())
    rays = hornbook.rays.find_rays(boxes.centres)  # type: ignore[attr-defined]
    rest = np.setdiff1d(np.arange(len(boxes)), rays.rows)
    vectors = boxes.centres.take(rest)
    bases = bases_around(rays.vectors, vectors, weights=[0] * (d - 1) + [1])
    assert (bases[:, 0] >= 0).mean() > 0.9
    for i in np.flatnonzero(bases[:, 0] >= 0).tolist():
        answer = Cone(rays.vectors.take(bases[i])).locate(vectors.row(i))
        assert isinstance(answer, Inside)
        assert len(answer.support) == d


def test_bounds_hold_the_true_multipliers() -> None:
    rng = np.random.default_rng(0)
    bases, shares = rng.normal(size=(50, 4, 4)), rng.uniform(0.1, 1.0, (50, 4))
    vectors = np.einsum("ij,ijk->ik", shares, bases)
    low, high = share_bounds(bases, vectors)
    assert ((low <= shares + 1e-12) & (shares - 1e-12 <= high)).all()
    assert (high - low).max() < 1e-9
    flat = np.array([[[1.0, 1.0], [1.0, 1.0]]])
    low, high = share_bounds(flat, np.array([[1.0, 1.0]]))
    assert np.isinf(low).all()
    assert np.isinf(high).all()


def test_flat_frames_are_left_to_exact_arithmetic() -> None:
    """Heights that cancel; frames on a line, along an axis or not; frames that are nearly flat."""
    others = [[3, -1, 4], [-1, 2, 4], [0, 1, 5]]
    for rows, weights in (
        ([[2**40, 1, 2**40 + 1], [2**40, -1, 2**40 + 1], [1, 1, 2]], (1, 0, -1)),
        ([[0, 1, 1], [0, -1, 1], [0, 0, 1]], (0, 0, 1)),
        ([[1, 1, 4], [2, 2, 4], [3, 3, 4]], (0, 0, 1)),
        ([[2**30, 2**30, 2**32], [-(2**30), -(2**30), 2**32], [2**30, 2**30 + 1, 2**32]], (0, 0, 1)),
    ):
        vectors, frame = Vectors.of(rows + others, 3), Vectors.of(rows, 3)
        table = balanced(vectors)
        assert table is not None
        assert framed(*table, count=3, weights=weights) is None
        assert _set_apart(frame, [0], weights) == {}
        assert (bases_around(frame, vectors.take([3] * 70), weights=weights) == -1).all()
    assert (bases_around(frame, Vectors.of([[1, 1, 4]], 3), weights=(0, 0, 1)) == -1).all()


def test_a_point_is_set_apart_by_its_own_direction_if_it_is_furthest_out() -> None:
    points = np.array([[1.0, 2.0, 0.0], [1.0, 0.0, 2.0], [1.0, -2.0, 0.1], [1.0, 0.5, 0.5]])
    found = own_directions(points, np.arange(4))
    assert sorted(found) == [0, 1, 2]
    assert all((points @ w)[i] < 0 <= np.delete(points @ w, i).min() for i, w in found.items())
    table = Vectors.of([[0, 1, 4], [0, -1, 4], [1, 0, 4]], 3)
    assert set(_set_apart(table, [0, 1, 2], (0, 0, 1))) == {0, 1, 2}


def test_weights_stand_in_the_middle_where_a_solver_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given weights that are barely right, others with more room are found; without a solver the given ones stay."""
    boxes = boxes_of([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    barely = (1, 2**40)
    roomy = certain_everywhere(boxes, [0, 1], guess=barely)
    assert isinstance(roomy, tuple)
    assert max(roomy) < 2 * min(roomy)
    monkeypatch.setattr(middle_room, "_MANY", 1)
    assert certain_everywhere(boxes, [0, 1], guess=barely) == barely

    class Silent:
        def guess(self, *_: object, **__: object) -> None:
            return None

    monkeypatch.setattr(middle_room, "_MANY", 10)
    monkeypatch.setattr(middle_room, "highs_relaxation", lambda _: Silent())
    assert certain_everywhere(boxes, [0, 1], guess=barely) == barely


def test_what_has_an_approximation_falls_short_of_nothing() -> None:
    boxes = boxes_of([[1.0, 0.0], [0.0, 1.0], [1.0, 0.5]])
    inside = next(i for i in range(3) if all(boxes.measured.row(i)[:2]))
    assert shortfall(Vectors.of([[1, 0], [0, 1]], 2), boxes, row=inside) == boxes.noise


def test_a_hopeless_margin_is_told_roughly() -> None:
    with pytest.raises(Ambiguous, match="could be ahead by a relative"):
        hornbook.teach(problem([[1.0, 1e-300], [-1.0, 1e-300], [0.0, 1.0]]))


def test_classes_wider_than_a_right_angle_have_no_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Merged differences that point away from what is shown: nobody knows what an imitator does there."""
    measured = Vectors.of([[3, 2, 3], [-1, 3, 3]], 3)
    labelling: Any = SimpleNamespace(ray_of=np.array([0, 0]), rows=(1,))
    assert not _Substitutes(measured, labelling, [0]).are_positive
    assert _Substitutes(measured, labelling, [1]).are_positive
    lesson = hornbook.teach(problem([[0.5, 0.25], [0.25, 0.5]]))
    monkeypatch.setattr(_Substitutes, "are_positive", False)
    evidence: Any = lesson.evidence
    assert needed_margin(evidence) is None
    with pytest.raises(LimitExceeded, match="merge too wide"):
        lesson.certificate()


def test_margins_are_searched_exactly_where_no_guess_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = problem(planted(3, 12, 5))
    lesson = hornbook.teach(subject)
    monkeypatch.setattr(margins_room, "_first_certain", lambda *_, **__: {})
    again = hornbook.teach(subject)
    assert again.states == lesson.states
    hornbook.check(again.certificate(), subject)


def test_what_is_inside_is_not_set_apart() -> None:
    table = Vectors.of([[1, 0, 4], [-1, 1, 4], [-1, -1, 4], [0, 0, 4]], 3)
    assert _set_apart(table, [3], (0, 0, 1)) == {}
