"""The answers that the environments' docstrings give, found by `teach`."""

from __future__ import annotations

from fractions import Fraction

import pytest

import hornbook
from hornbook.environments.thresholds import labellings


@pytest.mark.parametrize(
    ("text", "size", "rays"),
    [
        ("diamond:1", 0, 0),
        *((f"diamond:{n}", 2, 2) for n in (2, 3, 4, 5, 6)),
        ("diamond:4,edges=0/2/6", 2, 2),
        ("polygon_tower:2", 1, 2),
        ("polygon_tower:3", 2, 4),
        ("polygon_tower:6", 3, 12),
        ("polygon_tower:13", 7, 58),
        ("polygon_tower:44", 22, 604),
        ("two_rays", 1, 2),
        ("six_rays", 2, 6),
        ("set_cover:0/1;1/2;0/2", 2, 3),
        ("set_cover:0/1/2;2/3/4;4/5/0;1/3/5;0/3;1/4;2/5", 3, 6),
        ("set_cover:1000000000/999999999;7", 2, 3),
        ("random_cone:d=3,m=300,h=12", 12, 12),
        ("random_cone:d=6,m=500,h=30,seed=9", 30, 30),
    ],
)
def test_known_answers(text: str, size: int, rays: int) -> None:
    """Size, number of rays, and a proof that fewer cannot do."""
    lesson = hornbook.teach(hornbook.environment(text))
    assert (lesson.size, len(lesson.rays), lesson.is_minimum) == (size, rays, True)


def test_diamond_rays() -> None:
    """A tie decided to the right, and the best in slot 1 over one edge less in slot n."""
    for n in (2, 4, 6):
        assert set(hornbook.teach(hornbook.environment(f"diamond:{n}")).rays) == {(1, 0), (1 - n, 1)}


def test_six_rays_has_one_optimum() -> None:
    """{s1, s3}."""
    assert hornbook.teach(hornbook.environment("six_rays")).states == ("s1", "s3")


@pytest.mark.parametrize("n", [2, 5, 6, 24])
def test_tower_has_one_optimum(n: int) -> None:
    """All s with 2 s > n; and every angle of the circle that some polygon has is one ray."""
    lesson = hornbook.teach(hornbook.environment(f"polygon_tower:{n}"))
    assert lesson.states == tuple(str(s) for s in range(2, n + 1) if 2 * s > n)
    assert len(lesson.rays) == len({Fraction(a, s) for s in range(2, n + 1) for a in range(s)})


@pytest.mark.parametrize("n", [2, 3])
def test_threshold_functions_need_three_or_four_points(n: int) -> None:
    """Every linear threshold function of the grid has teaching dimension 3 or 4, and both occur."""
    problems = [hornbook.environment(f"thresholds:{n},index={i}") for i in range(len(labellings(n)))]
    assert {hornbook.teach(problem).size for problem in problems} == {3, 4}
