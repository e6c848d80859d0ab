"""Float problems end to end: the paper's towers, reports, verdicts, files, certificates."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hornbook
from hornbook.arithmetic import FLOAT_TOLERANCES, Vectors
from hornbook.assurance import _solved, float_report, needed_margin
from hornbook.certificate.build import build_certificate, certificate_text
from hornbook.errors import Ambiguous, BadProblem, LimitExceeded
from hornbook.formats import load, save
from hornbook.lesson import Lesson
from hornbook.problem import TeachingProblem
from hornbook.sources import StoredSource
from tests.floats.test_labelling import problem

CORNERS = [[1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]]
BUMPED = [*CORNERS, [0.5, 0.5 + 2**-53, 1.0], [0.1, 0.2, 1.0]]


def tower(n: int, order: list[int] | None = None) -> TeachingProblem:
    """The paper's formula taken literally: no angle is reduced."""
    states = order or list(range(2, n + 1))
    features = np.zeros((len(states), n + 1, 3))
    for row, s in enumerate(states):
        turn = 2 * np.pi * np.arange(1, n + 1) / s
        features[row, :n, :2] = -s * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        features[row, n, 2] = s
    names = [str(s) for s in states]
    return TeachingProblem(features=features, target=[n] * len(states), state_names=names)


def true_rays(n: int) -> int:
    """phi(1) + ... + phi(n): the fractions in lowest terms with denominators up to n."""
    return sum(1 for q in range(1, n + 1) for p in range(1, q + 1) if gcd(p, q) == 1)


@pytest.mark.parametrize("n", [2, 3, 6, 12, 24, 44, 70])
def test_the_literal_tower_is_right(n: int) -> None:
    """All s with 2s > n, and only they; phi-many rays; the verdict tells what was merged."""
    lesson = hornbook.teach(tower(n))
    assert lesson.states == tuple(str(s) for s in range(n // 2 + 1, n + 1) if s > 1)
    assert lesson.is_minimum
    assert len(lesson.rays) == true_rays(n)
    merged = (n - 1) * n - true_rays(n)
    assert repr(lesson).splitlines()[0].endswith(f"(float64, noise 3.6e-15, {merged:,} merged)")


def test_the_order_of_states_changes_no_byte() -> None:
    order = list(range(2, 13))
    first = hornbook.teach(tower(12, order))
    for seed in range(5):
        Random(seed).shuffle(order)
        again = hornbook.teach(tower(12, order))
        assert certificate_text(again.certificate()) == certificate_text(first.certificate())
        assert (again.rays, again.arithmetic) == (first.rays, first.arithmetic)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("made", [lambda: tower(12), lambda: problem(BUMPED), lambda: problem(CORNERS)])
def test_float_certificates_are_accepted(made: Any, fast: bool) -> None:
    subject = made()
    lesson = hornbook.teach(subject)
    assert hornbook.check(lesson.certificate(), subject, fast=fast).claim == "minimum"
    greedy = hornbook.teach(subject, teacher="greedy")
    hornbook.check(greedy.certificate(), subject, fast=fast)


def test_the_report_counts_what_was_merged_and_assumed() -> None:
    subject = problem([*BUMPED, *(np.array(CORNERS) * 0.1).tolist(), *CORNERS])
    lesson = hornbook.teach(subject)
    report: Any = lesson.arithmetic
    assert (report["merged"], report["assumed_inside"]) == (8, 1)
    assert report["noise"] == 2.0**-48
    assert report["smallest_margin"] > 1e6
    assert 2 <= report["tau"] < 20
    assert "8 merged, 1 assumed inside" in repr(lesson)
    assert lesson.to_dict()["arithmetic"] == report
    assert len(lesson.rays) == 4
    assert list(lesson.rays) == sorted(lesson.rays)


def test_without_noise_only_exact_sums_are_enough() -> None:
    """noise=0: nothing is off, so no margin is needed, or none helps what was merged all the same."""
    clean = hornbook.teach(problem(np.array(CORNERS) / 4, noise=0))
    assert clean.arithmetic["tau"] == 0  # type: ignore[index]
    assert clean.arithmetic["smallest_margin"] is None  # type: ignore[index]
    merged = hornbook.teach(problem([*CORNERS, [0.1, 0.0, 0.1 + 2**-50]], noise=0))
    assert merged.arithmetic["tau"] is None  # type: ignore[index]
    with pytest.raises(LimitExceeded, match="noise is zero"):
        merged.certificate()
    empty = hornbook.teach(TeachingProblem(features=[[[0.5, 1.0]]], target=[0]))
    assert (empty.size, empty.arithmetic["tau"]) == (0, 0)  # type: ignore[index]


def test_a_set_of_demonstrations_is_judged_beyond_the_noise() -> None:
    subject = problem(BUMPED)
    assert hornbook.counterexample(subject, ["0", "1", "2", "3"]).teaches
    verdict = hornbook.counterexample(subject, ["0", "1", "2"])
    assert not verdict
    assert verdict.undecided == ("3",)
    error = verdict.counterexample
    assert error is not None
    assert (error.state, error.wrong_action) == ("3", "1")
    space = hornbook.VersionSpace(subject, ["0", "1", "2"])
    assert space.contains(error.weights)
    assert space.actions("3") == ("0", "1")
    assert hornbook.VersionSpace(subject, ["0"]).problem.arithmetic == "stored"


def test_misconceptions_are_told_on_the_features_themselves() -> None:
    """Columns of very different sizes: weights are turned back to the user's columns."""
    subject = problem(np.array(CORNERS) * [1e-100, 1.0, 1e100])
    lesson = hornbook.teach(subject)
    for i in range(4):
        m = lesson.misconception(i)
        others = [s for s in "0123" if s not in m.refuted_by]
        assert hornbook.VersionSpace(subject, others).contains(m.weights)
        assert not hornbook.VersionSpace(subject, list(m.refuted_by)).contains(m.weights)


def test_too_close_to_call_is_refused_or_accepted_as_stored() -> None:
    """Three bumps on a facet, a few times the noise: nobody can say which of them are rays."""
    subject = problem([*CORNERS, [0.5, 0.5 + 4 * 2**-48, 1.0]])
    with pytest.raises(Ambiguous, match="state 4 over action 1: it is neither") as doubt:
        hornbook.teach(subject)
    assert doubt.value.places == (("4", "1"),)
    assert "give exact data" in doubt.value.hint
    lesson = hornbook.teach(subject, on_ambiguous="accept")
    assert (lesson.size, lesson.arithmetic) == (5, "stored")
    assert "exact on the stored floats" in repr(lesson)
    assert hornbook.teach(problem(np.array(CORNERS) / 3, noise=2**-20), on_ambiguous="accept").size == 4
    with pytest.raises(BadProblem, match="it must be raise or accept"):
        hornbook.teach(subject, on_ambiguous="guess")
    loose = subject.with_tolerances(noise="1e-10", merge="1e-6")
    assert hornbook.teach(loose).arithmetic["assumed_inside"] == 1  # type: ignore[index]


@pytest.mark.parametrize(("kind", "noise"), [("float32", None), ("float16", 2**-9)])
def test_coarser_floats_have_coarser_noise(kind: str, noise: float | None) -> None:
    table = np.array([*CORNERS, [0.3, 0.3, 1.0], [0.1, 0.0, 0.1]]).astype(kind)
    subject = problem(table, dtype=kind, noise=noise)
    assert subject.arithmetic == kind
    assert hornbook.teach(subject).size == 4
    if noise is None:
        assert subject.tolerances == FLOAT_TOLERANCES[kind]
        assert subject.with_tolerances(merge=0).tolerances.merge == 0
    else:
        with pytest.raises(BadProblem, match="no default noise"):
            hornbook.teach(problem(table, dtype=kind))


def test_classification_with_floats() -> None:
    """Kesler's construction on floats: the same rows teach as on the decimals they stand for."""
    X = [[0.1, 0.2], [0.4, 0.3], [0.9, 0.1], [0.2, 0.8], [0.6, 0.6]]
    y = [0, 0, 1, 1, 1]
    exact = TeachingProblem.from_classification([[str(v) for v in row] for row in X], y)
    floats = TeachingProblem.from_classification(X, y)
    assert floats.is_float
    assert hornbook.teach(floats).states == hornbook.teach(exact).states


def test_files_keep_floats_and_tolerances(tmp_path: Path) -> None:
    subject = problem(BUMPED, noise="1e-14", merge="1e-10")
    for name in ("p.json", "p.npz"):
        save(subject, tmp_path / name)
        again = load(tmp_path / name)
        assert (again.digest, again.tolerances) == (subject.digest, subject.tolerances)
        assert load(tmp_path / name, exact=True).arithmetic == "stored"
    narrow = problem(np.array(CORNERS, dtype=np.float32) / 3, dtype=np.float32)
    save(narrow, tmp_path / "n.npz")
    assert load(tmp_path / "n.npz").digest == narrow.digest
    with pytest.raises(BadProblem, match=r"JSON has no float32 numbers; write an \.npz file"):
        save(narrow, tmp_path / "n.json")
    (tmp_path / "q.json").write_text(
        '{"format":"hornbook-problem","version":1,"features":[[[0.5],[0]]],"target":[0],"noise":[1]}'
    )
    with pytest.raises(BadProblem, match="noise is a list, not a number"):
        load(tmp_path / "q.json")


def test_a_saved_float_lesson_is_the_same_record(tmp_path: Path) -> None:
    lesson = hornbook.teach(tower(6))
    lesson.save(tmp_path / "lesson.json")
    again = Lesson.load(tmp_path / "lesson.json")
    for part in ("rays", "arithmetic", "misconceptions"):
        assert getattr(again, part) == getattr(lesson, part)


def test_exact_lessons_have_no_float_report() -> None:
    trace: Any = hornbook.teach(hornbook.environment("two_rays")).evidence
    with pytest.raises(ValueError, match="every answer is a theorem"):
        float_report(trace)
    with pytest.raises(ValueError, match="no measured vectors"):
        needed_margin(trace)
    with pytest.raises(ValueError, match="not margins"):
        trace.frame.margins(None, [0])


def test_a_certificate_needs_no_trace_of_the_machine() -> None:
    """Weights in certificates come from exact guesses, so floats of another machine could not change them."""
    trace: Any = hornbook.teach(tower(12)).evidence
    assert certificate_text(build_certificate(trace)) == certificate_text(hornbook.teach(tower(12)).certificate())


def test_a_sum_that_is_none_is_noticed() -> None:
    with pytest.raises(ArithmeticError, match="do not add up"):
        _solved(Vectors.of([[1, 0], [0, 1]], 2), [0, 1], [-1, 1])


def test_stored_floats_may_be_read_as_exact_numbers() -> None:
    subject = tower(6)
    stored = TeachingProblem.from_source(StoredSource(subject.source))
    assert (stored.num_states, stored.num_actions, stored.num_features) == (5, 7, 3)
    assert stored.arithmetic == "stored"
    assert list(stored.source.counts) == list(subject.source.counts)
    assert hornbook.teach(stored).rays == hornbook.teach(subject.taken_exactly()).rays


def shuffled(table: npt.NDArray[Any], seed: int) -> npt.NDArray[Any]:
    return table[np.random.default_rng(seed).permutation(len(table))]


@pytest.mark.parametrize("seed", range(6))
def test_powers_of_two_and_signed_permutations_change_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = np.column_stack([rng.normal(size=(30, 3)), np.full(30, 4.0)])
    table = np.concatenate([table, table[:10] * 0.1, (table[:10] + table[5:15]) / 3])
    plain = hornbook.teach(problem(table))
    for changed in (
        table * 2.0 ** rng.integers(-300, 300, 4),
        table[:, rng.permutation(4)] * rng.choice([-1.0, 1.0], 4),
        np.concatenate([table, table[:7]]),
    ):
        lesson = hornbook.teach(problem(changed))
        assert (lesson.size, len(lesson.rays)) == (plain.size, len(plain.rays))
    assert hornbook.teach(problem(shuffled(table, seed))).size == plain.size
    assert Fraction(plain.cost) == plain.size


@pytest.mark.parametrize(("offset", "merged"), [(2.0**-36, 1), (2.0**-36 * (1 + 2**-40), None)])
def test_both_checkers_decide_an_angle_of_merge_itself(offset: float, merged: int | None) -> None:
    """An angle whose sine floats cannot tell from the limit: just within is one ray, just beyond is refused."""
    subject = problem([[1.0, 0.0], [1.0, offset], [0.0, 1.0]])
    if merged is None:
        with pytest.raises(Ambiguous, match="above merge"):
            hornbook.teach(subject)
        return
    lesson = hornbook.teach(subject)
    assert float_report(lesson.evidence)["merged"] == merged  # type: ignore[arg-type]
    certificate = lesson.certificate()
    assert hornbook.check(certificate, subject).claim == hornbook.check(certificate, subject, fast=True).claim
