"""Teachers: what they show teaches where it is meant to; expectations are exact."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import hornbook
from hornbook.classroom import Classroom
from hornbook.teachers import TEACHERS, Asked
from hornbook.teachers._draws import expected_draws
from hornbook.teachers.random import draw_until_taught, ray_kinds
from tests.environments import EXAMPLES

AIMING = [name for name, teacher in TEACHERS.items() if teacher.aims_to_teach]


@pytest.mark.parametrize("text", EXAMPLES)
def test_teachers_who_mean_to_teach_do(text: str) -> None:
    """Every ray is shown; none needs fewer demonstrations than the minimum, and none more than all with no repeats."""
    problem = hornbook.environment(text)
    asked = Asked(Classroom.of(problem))
    for name in AIMING:
        taught = TEACHERS[name].teach(asked)
        shows = asked.classroom.shows(taught.rows)
        assert asked.classroom.teaches(shows)
        assert asked.classroom.undecided(shows) == 0
        assert taught.size >= asked.lesson.size
        assert len(taught.rows) >= asked.lesson.size


@pytest.mark.parametrize("text", EXAMPLES)
def test_baselines_keep_to_the_budget(text: str) -> None:
    """As many different states as the minimum lesson has, and the same ones when asked again."""
    asked = Asked(Classroom.of(hornbook.environment(text)), seed=3)
    for name in ("kmeans", "most_uncertain"):
        taught = TEACHERS[name].teach(asked)
        assert len(set(taught.rows)) == len(taught.rows) == taught.size == asked.lesson.size
        assert TEACHERS[name].teach(asked).rows == taught.rows


def by_walking(kinds: list[tuple[frozenset[int], int]], num_states: int) -> tuple[Fraction, Fraction]:
    """Mean and second moment of the draws from the chain of sets seen so far: the same by quite another way."""
    rays = frozenset().union(*(rays for rays, _ in kinds))
    idle = num_states - sum(count for _, count in kinds)
    moments: dict[frozenset[int], tuple[Fraction, Fraction]] = {rays: (Fraction(0), Fraction(0))}
    subsets = [frozenset(s) for r in reversed(range(len(rays))) for s in itertools.combinations(sorted(rays), r)]
    for seen in subsets:
        stay = Fraction(idle + sum(c for r, c in kinds if r <= seen), num_states)
        if stay == 1:
            continue
        ahead = [
            (moments[seen | r], Fraction(c, num_states)) for r, c in kinds if not r <= seen and seen | r in moments
        ]
        mean = (1 + sum(p * m for (m, _), p in ahead)) / (1 - stay)
        square = (1 + 2 * (stay * mean + sum(p * m for (m, _), p in ahead)) + sum(p * q for (_, q), p in ahead)) / (
            1 - stay
        )
        moments[seen] = (mean, square)
    return moments[frozenset()]


@pytest.mark.parametrize(
    "text",
    ["two_rays", "six_rays", "diamond:3", "maze:3,repeat=no", "set_cover:0/1;1/2;0/2", "polygon_tower:4", "taxi"],
)
def test_expected_draws_are_those_of_the_chain(text: str) -> None:
    """Inclusion and exclusion agrees with first-step analysis of the sets of rays seen so far, to the last digit."""
    problem = hornbook.environment(text)
    kinds = ray_kinds(Classroom.of(problem))
    found = expected_draws(kinds, problem.num_states)
    mean, square = by_walking(kinds, problem.num_states)
    assert found is not None
    assert (found.mean, found.variance) == (mean, square - mean**2)


def test_collecting_coupons() -> None:
    """n kinds alike: n (1 + 1/2 + ... + 1/n) draws, the classic; for twenty kinds, too."""
    for n in (1, 2, 5, 20):
        kinds = [(frozenset({k}), 1) for k in range(n)]
        found = expected_draws(kinds, n)
        assert found is not None
        assert found.mean == sum(Fraction(n, k) for k in range(1, n + 1))


def test_nothing_to_teach_takes_no_draws() -> None:
    """One slot, one action: no ray, no demonstration."""
    taught = TEACHERS["random"].teach(Asked(Classroom.of(hornbook.environment("diamond:1"))))
    assert (taught.rows, taught.size, taught.spread) == ([], 0, 0)


def chained(count: int) -> list[tuple[frozenset[int], int]]:
    """Kinds that link every ray to the next but two: too many sets of rays to add up."""
    generator = np.random.Generator(np.random.PCG64(5))
    return [(frozenset(generator.choice(count, 4, replace=False).tolist()), k + 1) for k in range(3 * count)]


def test_too_many_sets_are_not_added_up() -> None:
    """A linked group of many rays, or many groups of different sizes: no exact answer, and no long wait."""
    kinds = chained(40)
    assert expected_draws(kinds, sum(c for _, c in kinds)) is None
    apart = [(frozenset({k}), 2**k) for k in range(40)]
    assert expected_draws(apart, 2**40) is None


def test_trials_stand_in_for_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean of the trials is near the exact expectation, and says how near."""
    asked = Asked(Classroom.of(hornbook.environment("diamond:3")), seed=1)
    exact = TEACHERS["random"].teach(asked)
    monkeypatch.setattr("hornbook.teachers.random.expected_draws", lambda *_: None)
    tried = TEACHERS["random"].teach(asked)
    assert "400 trials" in tried.note
    assert abs(float(tried.size - exact.size)) < 4 * exact.spread / 20
    assert abs(tried.spread - exact.spread) < 0.3 * exact.spread


def test_draws_hit_every_kind_as_often_as_it_is_there() -> None:
    """States without differences are drawn as well: on a third of two_rays-like problems they are idle draws."""
    features = [[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[5, 5], [7, 7]]]
    problem = hornbook.TeachingProblem(
        features=features, target=[0, 0, 0], available=[[True, True], [True, True], [True, False]]
    )
    room = Classroom.of(problem)
    generator = np.random.Generator(np.random.PCG64(0))
    draws = [row for _ in range(300) for row in draw_until_taught(room, generator)]
    assert set(draws) == {0, 1, -1}
    assert abs(draws.count(-1) / len(draws) - 1 / 3) < 0.06
    assert expected_draws(ray_kinds(room), 3).mean == Fraction(9, 2)  # type: ignore[union-attr]
