"""Float problems rounded from constructions whose truth is known: never silently wrong, rarely unsure without need."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

import hornbook
from tests import float_sweep
from tests.float_families import FAMILIES, draw
from tests.float_families.asking import Answer, ask, classes_of, judge
from tests.float_families.cases import AMBIG, OK, from_json, make, spot, to_json
from tests.float_families.retold import RETOLD
from tests.float_sweep import MOST_NEEDLESS, Tally, compare
from tests.instances import BAD

EACH = 50  # instances per family
TALLY = Tally()
SQUARE = [spot((1.0, 0.3), 0), spot((0.1, 1.0), 1), spot((1.1, 1.3), None)]


@pytest.mark.parametrize("family", FAMILIES)
def test_never_silently_wrong(family: str) -> None:
    """Accepted classes are the true rays, the lesson is smallest, its certificate accepted; conflicts are exact."""
    for index in range(EACH):
        compare(TALLY, draw(family, index, seed=7))


def test_hardly_ever_needlessly_unsure() -> None:
    """Of what is clear at most one in a thousand is refused.  Prints what happened to each family."""
    print("\n" + TALLY.table())
    if not TALLY.total("instances"):
        pytest.skip("the families were not tried in this run")
    assert TALLY.needless_share() <= MOST_NEEDLESS


@pytest.mark.parametrize("way", [way for way in RETOLD if way != "plain"])
def test_told_differently_the_answer_is_the_same(way: str) -> None:
    """Order, chunks, signs and order of features, columns times powers of two, states twice: one answer."""
    for family in FAMILIES:
        case = replace(FAMILIES[family](Random(f"{family}/{way}")), name=family)
        first, second = ask(case), ask(RETOLD[way](case, Random(way)))
        said = [(a.outcome, len(a.classes), a.size) for a in (first, second)]
        assert said[0] == said[1], family
        if way == "chunked":
            assert replace(first, message="") == replace(second, message=""), family
        if way in ("permuted", "stretched"):
            assert (first.merged, first.assumed) == (second.merged, second.assumed), family


@pytest.mark.parametrize("n", [6, 12, 24, 44])
@pytest.mark.parametrize("reduced", [True, False])
def test_towers_in_any_order(n: int, reduced: bool) -> None:
    """Sum of phi(q) rays and the states above n/2, also from the paper's formula taken literally, where bits differ."""
    corners = np.arange(2, n + 1)[:, None]
    steps = np.arange(1, n + 1)[None, :]
    turns = 2 * np.pi * (steps % corners if reduced else steps) / corners
    features = np.zeros((n - 1, n + 1, 3))
    features[:, :-1, 0], features[:, :-1, 1] = -corners * np.cos(turns), -corners * np.sin(turns)
    features[:, -1, 2] = corners[:, 0]
    order = Random(n).sample(range(n - 1), n - 1)
    names = [str(order[row] + 2) for row in range(n - 1)]
    lesson = hornbook.teach(
        hornbook.TeachingProblem(features=features[order], target=np.full(n - 1, n), state_names=names)
    )
    assert lesson.states == tuple(str(s) for s in range(2, n + 1) if 2 * s > n)
    assert len(lesson.rays) == len({Fraction(a, s) for s in range(2, n + 1) for a in range(s)})
    assert lesson.arithmetic["merged"] == n * (n - 1) - len(lesson.rays)
    assert lesson.arithmetic["smallest_margin"] > 1e6


def test_a_sweep_resumes_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two rounds in two runs are the counts of one run."""
    arguments = ["--round-size", str(len(FAMILIES)), "--seed", "4"]
    assert float_sweep.main([*arguments, "--state", str(tmp_path / "two")]) == 0
    assert float_sweep.main([*arguments, "--state", str(tmp_path / "two")]) == 0
    assert float_sweep.main([*arguments, "--state", str(tmp_path / "one"), "--rounds", "2"]) == 0
    two, one = (json.loads((tmp_path / name).read_text()) for name in ("two", "one"))
    assert two == one
    assert f"{2 * len(FAMILIES)} of {2 * len(FAMILIES)} float instances, 0 wrong" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lie", "complaint"),
    [
        (lambda right: Answer(BAD), "hornbook says BAD"),
        (lambda right: replace(right, classes=frozenset(list(right.classes)[1:])), "missing"),
        (lambda right: replace(right, classes=right.classes | {frozenset({(9, 9)})}), "no true ray is"),
        (lambda right: replace(right, merged=right.merged + 1), "really"),
        (lambda right: replace(right, size=right.size + 1), "brute force"),
        (lambda right: replace(right, states=()), "does not show"),
        (lambda right: replace(right, minimum=False), "not proved minimum"),
        (lambda right: Answer(AMBIG, ""), "without a hint"),
        (lambda right: Answer(AMBIG, "hint", places=((99, 0),)), "no difference at"),
    ],
)
def test_lies_are_found(lie, complaint: str) -> None:
    """The judge of this file can say no."""
    case = make(Random(0), SQUARE, argument="three vectors in the plane")
    places = [ray[0] for ray in case.truths[0].rays]
    states = tuple(sorted({state for state, _ in places}))
    right = Answer(OK, "minimum", classes_of(case, places, merge=Fraction(0)), states=states, size=len(states))
    assert judge(case, right) == ""
    assert complaint in judge(case, lie(right))


def test_a_mismatch_is_printed_and_can_be_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A product that always finds nothing stops the sweep; the instance comes back from its file."""
    monkeypatch.setattr(float_sweep, "ask", lambda case: Answer(OK))
    assert float_sweep.main(["--round-size", "1"]) == 1
    printed = capsys.readouterr().out
    assert "WRONG after 0 right ones" in printed
    saved = tmp_path / "case.json"
    saved.write_text(printed.splitlines()[1])
    assert to_json(from_json(saved.read_text())) == saved.read_text()
    assert float_sweep.main(["--replay", str(saved)]) == 1


def test_an_exception_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(case: object) -> Answer:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(float_sweep, "ask", crash)
    with pytest.raises(float_sweep.Mismatch, match="ZeroDivisionError: by zero"):
        compare(Tally(), make(Random(0), SQUARE, argument=""))
