"""`teach` end to end: the paper's answers, the definition by brute force, and what must not change an answer."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbook
from hornbook.certificate.build import certificate_text
from hornbook.cover import COVER_SOLVERS
from hornbook.errors import BadProblem, Interrupted, LimitExceeded, NotRealizable
from hornbook.lesson import Lesson
from hornbook.problem import TeachingProblem
from hornbook.rays import RAY_FINDERS
from hornbook.teaching import teach
from hornbook.verdicts import counterexample
from tests.brute import by_state, cheapest_lesson
from tests.instances import Instance
from tests.referee import teaching_problem
from tests.strategies import problems, realizable_problems


def answer(lesson: Lesson) -> tuple[Any, ...]:
    """Everything that must be the same bytes."""
    return lesson.states, lesson.cost, lesson.lower_bound, lesson.rays, certificate_text(lesson.certificate())


@given(realizable_problems())
@settings(max_examples=150, deadline=None)
def test_the_lesson_is_cheapest_by_the_definition(instance: Instance) -> None:
    """Brute force over all sets of states, with teaching decided from the version space and no rays at all."""
    problem = teaching_problem(instance)
    lesson = teach(problem)
    costs = [Fraction(problem.cost_of(row)) for row in range(problem.num_states)]
    best, _ = cheapest_lesson(by_state(instance), costs)
    assert lesson.is_minimum
    assert lesson.cost == best
    assert counterexample(problem, lesson.states)
    hornbook.check(lesson.certificate(), problem)
    hornbook.check(lesson.certificate(), problem, fast=True)


@given(realizable_problems())
@settings(max_examples=60, deadline=None)
def test_bounds_that_hold_for_single_states(instance: Instance) -> None:
    """ceil(k/(A-1)) <= TD <= min(S, k), and TD <= greedy <= H(A-1) TD, at unit cost."""
    problem = teaching_problem(instance)
    features = [list(map(list, state)) for state in instance.features]
    if instance.available is not None:
        return
    unit = TeachingProblem.from_ragged(features, list(instance.target), exact=True)
    lesson, greedy = teach(unit), teach(unit, teacher="greedy")
    k, width = len(lesson.rays), max(2, problem.num_actions) - 1
    assert ceil(k / width) <= lesson.size <= min(problem.num_states, k)
    assert lesson.size <= greedy.size <= lesson.size * sum(Fraction(1, i) for i in range(1, width + 1))
    assert greedy.lower_bound <= lesson.size
    hornbook.check(greedy.certificate(), unit)


@given(realizable_problems())
@settings(max_examples=60, deadline=None)
def test_each_misconception_is_a_policy_wrong_in_one_place(instance: Instance) -> None:
    problem = teaching_problem(instance)
    lesson = teach(problem)
    for ray in range(len(lesson.rays)):
        m = lesson.misconception(ray)
        assert m.ray == lesson.rays[ray]
        assert m.state in lesson.states_showing(ray)
        assert set(m.refuted_by) == set(lesson.states) & set(lesson.states_showing(ray)) != set()
        others = [
            row for row in range(problem.num_states) if problem.state_id(row) not in set(lesson.states_showing(ray))
        ]
        assert hornbook.VersionSpace(problem, others).contains(m.weights)
        assert not hornbook.VersionSpace(problem, [m.state]).contains(m.weights)


@given(realizable_problems(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_named_states_in_any_order_are_the_same_bytes(instance: Instance, random: Any) -> None:
    if instance.available is not None:
        return
    names = [f"s{row}" for row in range(len(instance.features))]
    order = list(range(len(names)))
    random.shuffle(order)
    features = [list(map(list, state)) for state in instance.features]

    def built(rows: list[int]) -> TeachingProblem:
        cost = None if instance.cost is None else [instance.cost[r] for r in rows]
        return TeachingProblem.from_ragged(
            [features[r] for r in rows], [instance.target[r] for r in rows], cost=cost, exact=True,
            state_names=[names[r] for r in rows],
        )  # fmt: skip

    assert answer(teach(built(order))) == answer(teach(built(sorted(order))))


OF_RANK = {
    2: ("two_rays", "diamond:4"),
    3: ("six_rays", "thresholds:3,index=5"),
    4: ("random_cone:d=4,m=60,h=12",),
    5: ("random_cone:d=5,m=400,h=40",),
}


@pytest.mark.parametrize("finder", RAY_FINDERS)
def test_the_ray_engine_changes_no_byte(finder: str) -> None:
    """Each finder on problems of the ranks that it works on, against the reference that works on all."""
    names = [name for rank, names in OF_RANK.items() if rank in RAY_FINDERS[finder].dimensions for name in names]
    assert names
    for name in names:
        problem = hornbook.environment(name)
        assert answer(teach(problem, ray_finder=finder)) == answer(teach(problem, ray_finder="elimination"))


def test_a_finder_of_another_rank_is_refused() -> None:
    """A finder that works in the plane only says so, in place of a wrong answer."""
    with pytest.raises(BadProblem, match="'planar' does not work on vectors of rank 3"):
        teach(hornbook.environment("six_rays"), ray_finder="planar")


@given(problems())
@settings(max_examples=100, deadline=None)
def test_a_refusal_is_an_exact_irreducible_conflict(instance: Instance) -> None:
    problem = teaching_problem(instance)
    try:
        teach(problem)
    except NotRealizable as refusal:
        total = np.zeros(problem.num_features, dtype=object)
        for term in refusal.conflict:
            batch = problem.source.read(int(term.state), int(term.state) + 1)
            difference = batch.features[0, batch.target[0]] - batch.features[0, int(term.action)]
            total = total + np.array([Fraction(term.multiplier) * int_or_fraction(v) for v in difference], dtype=object)
            assert term.multiplier > 0
        assert not total.any()
        assert f"state {refusal.conflict[0].state}" in str(refusal)


def int_or_fraction(value: Any) -> Fraction:
    return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(value)


def test_one_more_state_adds_at_most_one_and_the_lesson_alone_is_as_hard() -> None:
    """Sizes grow by at most one; restricting a problem to its lesson keeps rays and size; blocks add up."""
    generator = np.random.default_rng(5)
    features = generator.integers(-4, 5, (9, 4, 3))
    features[:, 0] = [[9, 9, 9]] * 9
    sizes = [teach(TeachingProblem(features=features[:n], target=[0] * n)).size for n in range(1, 10)]
    assert max(np.diff(sizes)) <= 1
    whole = teach(TeachingProblem(features=features, target=[0] * 9))
    rows = [d.row for d in whole.demonstrations]
    alone = teach(TeachingProblem(features=features[rows], target=[0] * len(rows)))
    assert (alone.rays, alone.size) == (whole.rays, whole.size)
    zeros = np.zeros_like(features)
    blocks = np.concatenate([np.concatenate([features, zeros], axis=2), np.concatenate([zeros, features], axis=2)])
    assert teach(TeachingProblem(features=blocks, target=[0] * 18)).size == 2 * whole.size


def test_leaving_out_any_one_demonstration_leaves_a_counterexample() -> None:
    for name in ("diamond:4", "six_rays", "thresholds:3,index=7", "set_cover:0/1;1/2;0/2"):
        problem = hornbook.environment(name)
        lesson = teach(problem)
        assert counterexample(problem, lesson.states)
        for state in lesson.states:
            assert not counterexample(problem, [s for s in lesson.states if s != state])


def test_problems_with_nothing_to_teach() -> None:
    for features in ([], [[[1, 2]]], [[[1]], [[5]]]):
        empty = TeachingProblem(features=features, target=[0] * len(features))
        lesson = teach(empty)
        assert (lesson.size, lesson.is_minimum, lesson.states, lesson.rays) == (0, True, (), ())
        hornbook.check(lesson.certificate(), empty)


def test_a_lesson_tells_what_it_is() -> None:
    lesson = teach(hornbook.environment("set_cover:0/1;1/2;0/2"))
    assert repr(lesson).splitlines()[0] == "Lesson: PROVED MINIMUM: 2 of 3 states (exact)"
    assert lesson._repr_html_().startswith("<iframe")
    data = lesson.to_dict()
    assert (data["size"], data["cost"], data["proved"], data["arithmetic"]) == (2, "2", True, "exact")
    assert {d["id"] for d in data["demonstrations"]} == set(lesson.states)
    priced = teach(TeachingProblem(features=[[["1"], ["0"]]], target=[0], cost=["5/2"]))
    assert repr(priced).splitlines()[0] == "Lesson: PROVED MINIMUM: 1 of 1 states at cost 5/2 (exact)"


def test_the_public_names_are_those_that_exist() -> None:
    assert {"teach", "check", "__version__"} <= set(dir(hornbook))
    assert all(getattr(hornbook, name) for name in dir(hornbook))
    with pytest.raises(AttributeError, match="no attribute 'learn'"):
        hornbook.learn  # noqa: B018


def test_an_interval_with_costs_is_told_as_costs() -> None:
    problem = stars_of(steiner(27))
    batch = next(problem.batches())
    halved = TeachingProblem(features=batch.features, target=batch.target, available=batch.available, cost=["1/2"] * 27)
    lesson = teach(halved, node_limit=1)
    assert lesson.lower_bound <= 9 <= lesson.cost
    assert f"states, cost {lesson.cost}, at least {lesson.lower_bound} (exact)" in repr(lesson)


def test_a_long_lesson_is_cut_short_on_the_screen_and_escaped_on_the_page(tmp_path: Path) -> None:
    n = 60
    features = [[[int(i == j) for j in range(n)], [0] * n] for i in range(n)]
    names = [f"<script>{i}</script>" for i in range(n)]
    lesson = teach(TeachingProblem(features=features, target=[0] * n, state_names=names))
    assert "... and 48 more" in repr(lesson)
    lesson.save(tmp_path / "lesson.json")
    table = Lesson.load(tmp_path / "lesson.json")._repr_html_()  # its problem is not at hand, so there is no page
    assert table.startswith("<p><strong>PROVED MINIMUM")
    assert "... and 10 more" in table
    assert "<script>" not in table
    assert "<script>" not in lesson._repr_html_()


def test_a_notebook_shows_a_table_of_what_would_take_long_to_draw() -> None:
    lesson = teach(hornbook.environment("two_rays"))
    assert "<table>" in replace(lesson, counts=replace(lesson.counts, differences=10**7))._repr_html_()


def test_a_saved_lesson_is_the_same_record(tmp_path: Path) -> None:
    lesson = teach(hornbook.environment("six_rays"))
    lesson.save(tmp_path / "lesson.json")
    again = Lesson.load(tmp_path / "lesson.json")
    assert answer(again) == answer(lesson)
    assert again.misconceptions == lesson.misconceptions
    assert again.demonstrations == lesson.demonstrations
    assert {**again.to_dict(), "seconds": 0} == {**lesson.to_dict(), "seconds": 0}
    for ask in (lambda: again.misconception(0), lambda: again.states_showing(0)):
        with pytest.raises(BadProblem, match="teach the problem again"):
            ask()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "x", "version": 1}', '{"format": "hornbook-lesson", "version": 1}']
)
def test_what_is_no_saved_lesson_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(BadProblem, match=r"x\.json"):
        Lesson.load(tmp_path / "x.json")


def test_unknown_words_are_told() -> None:
    plane = hornbook.environment("two_rays")
    with pytest.raises(BadProblem, match="no teacher 'best'; choose from"):
        teach(plane, teacher="best")
    with pytest.raises(BadProblem, match="rays run from 0 to 1"):
        teach(plane).misconception(2)
    with pytest.raises(BadProblem, match="rays run from 0 to 1"):
        teach(plane).states_showing(-1)


def test_hostile_names_are_harmless_in_the_library_too() -> None:
    """What a notebook or a terminal shows of names cannot move its cursor or turn its text around."""
    names = ["\x1b[31mred", "\u202eback"]
    lesson = teach(TeachingProblem(features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]]], target=[0, 0], state_names=names))
    assert repr(lesson).replace("\n", "").isprintable()
    assert lesson._table().isprintable()
    with pytest.raises(NotRealizable) as refusal:
        teach(TeachingProblem(features=[[[1], [1]], [[1], [0]]], target=[0, 0], state_names=names))
    assert str(refusal.value).isprintable()


def test_a_time_limit_before_any_lesson_is_told() -> None:
    with pytest.raises(LimitExceeded, match="there is no lesson yet"):
        teach(hornbook.environment("diamond:5"), time_limit=0)


def test_a_limit_leaves_an_honest_interval() -> None:
    """Steiner triples on 27 points need 18 of their 27 points; one node proves less."""
    problem = stars_of(steiner(27))
    lesson = teach(problem, node_limit=1)
    assert lesson.lower_bound <= 18 <= lesson.cost
    assert not lesson.is_minimum
    assert repr(lesson).startswith(f"Lesson: BEST SO FAR: {lesson.size} states, at least {lesson.lower_bound}")
    hornbook.check(lesson.certificate(), problem)


def stars_of(lines: list[tuple[int, int, int]]) -> TeachingProblem:
    """Points are states, lines are rays."""
    stars = [[i for i, line in enumerate(lines) if p in line] for p in range(27)]
    return hornbook.environment("set_cover:" + ";".join("/".join(map(str, s)) for s in stars))


def steiner(points: int) -> list[tuple[int, int, int]]:
    """The affine triples of Z_3^n: p + q + r = 0 digit by digit."""

    def third(p: int, q: int) -> int:
        r, unit = 0, 1
        while unit < points:
            r += (-(p // unit % 3) - (q // unit % 3)) % 3 * unit
            unit *= 3
        return r

    return sorted({tuple(sorted((p, q, third(p, q)))) for p in range(points) for q in range(p)})  # type: ignore[misc]


def test_an_interrupted_proof_keeps_its_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    whole = COVER_SOLVERS["minimum"]

    def stopped(problem: Any, **options: Any) -> Any:
        return replace(whole(problem, **options), complete=False, interrupted=True)

    monkeypatch.setattr("hornbook.teaching.COVER_SOLVERS", {"minimum": stopped})
    with pytest.raises(Interrupted, match="the set so far teaches") as caught:
        teach(hornbook.environment("two_rays"))
    assert caught.value.lesson is not None
    assert caught.value.lesson.states == ("s",)


def test_progress_names_the_stages() -> None:
    stages = set()
    teach(hornbook.environment("random_cone:d=4,m=60,h=12"), progress=lambda stage, _done, _total: stages.add(stage))
    assert {"collecting differences", "finding extreme rays", "seeing who shows the rays"} <= stages
