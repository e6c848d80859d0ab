"""The answers that the environments' docstrings give, found by `teach`."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import hornbook
from hornbook.environments.thresholds import labellings
from tests.environments import EXAMPLES


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
        *((f"maze:{n}", n + 1, n * (n + 1)) for n in (2, 3, 4)),
        *((f"maze:{n},repeat=no", 3, 6) for n in (2, 3, 5)),
        *((f"maze:{n},features=global,repeat=no", 24 * n - 16, 2 * (24 * n - 16)) for n in (2,)),
        ("maze:2,features=global", 32, 64),
        ("boolean_thresholds:1", 2, 2),
        *((f"boolean_thresholds:{n}", 2**n, 2**n) for n in (2, 3, 4, 5)),
        ("random_policy:d=1", 1, 1),
        ("random_policy:d=2", 2, 2),
        ("falling_blocks", 3, 3),
        ("frozen_lake", 3, 3),
        ("frozen_lake:features=tabular", 11, 32),
        ("cliff_walking", 1, 2),
        ("cliff_walking:features=tabular", 37, 89),
        ("taxi", 3, 3),
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


@pytest.mark.parametrize("text", EXAMPLES)
def test_who_is_taught_acts_as_the_target_everywhere(text: str) -> None:
    """Any weights that agree with the lesson score the target above all else in every state: samples, the middle.

    Float data: beyond the noise, which the weights of the middle are.
    """
    problem = hornbook.environment(text)
    lesson = hornbook.teach(problem)
    space = hornbook.VersionSpace(problem, lesson.states)
    assert space.undecided() == () or problem.is_float
    for weights in [space.interior_point(), *([] if problem.is_float else space.sample(20).tolist())]:
        for batch in problem.batches():
            scores = np.array(batch.features @ np.array(weights), dtype=np.float64)
            scores[~batch.available] = -np.inf
            rows = np.arange(len(batch))
            best = scores[rows, batch.target].copy()
            scores[rows, batch.target] = -np.inf
            assert (best > scores.max(axis=1)).all()
