"""`hornbook explain`: every number in every sentence is worked out again from the problem."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

import hornbook as library
from hornbook.cli._answer import ratio
from tests.cli.running import hornbook, problem_file, unrealizable
from tests.test_explanations import crowded_lesson, features, psi, score, target

PROBLEMS = ["diamond:4", "two_rays", "six_rays", "thresholds:3,index=20", "random_cone:d=4,m=60,h=9"]


def weights_in(formula: str, names: list[str]) -> tuple[int, ...]:
    """`2*x - y` as numbers."""
    found = dict.fromkeys(names, 0)
    for sign, size, name in re.findall(r"(^-|[+-] |^)(?:(\d+)\*)?(\w+)", formula):
        found[name] += (-1 if "-" in sign else 1) * int(size or 1)
    return tuple(found.values())


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_lesson_is_explained_with_true_numbers(name: str) -> None:
    """The score that is told agrees with every other demonstration, and errs as it is said to."""
    problem = library.environment(name)
    names = problem.feature_names or [f"f{i}" for i in range(problem.num_features)]
    text = hornbook("explain", name).out
    told = re.findall(
        r"in state (\S+) do (\S+)\n(?:.*[\u2800-\u28ff].*\n| *\n)*"
        r"  it alone refutes (\d+) misconceptions?,(?: for example)? the score (.*):\n"
        r"  in state (\S+) it prefers action (\S+) \(score (-?[\d/]+)\) to (\S+) \(score (-?[\d/]+)\)",
        text,
    )
    data = hornbook("explain", name, "--json").data
    assert [t[0] for t in told] == [d["id"] for d in data["demonstrations"]]
    lesson = library.teach(problem)
    for (state, action, count, formula, where, wrong, high, right, low), entry in zip(
        told, data["demonstrations"], strict=True
    ):
        assert action == target(problem, state)
        assert int(count) == len(entry["only_refutes"])
        weights = weights_in(formula, list(names))
        rest = [s for s in lesson.states if s != state]
        assert library.VersionSpace(problem, rest).contains(weights)
        assert right == target(problem, where)
        assert score(weights, features(problem, where, wrong)) == Fraction(high)
        assert score(weights, features(problem, where, right)) == Fraction(low) <= Fraction(high)


@pytest.mark.parametrize("name", PROBLEMS)
def test_why_a_state_is_not_needed_adds_up(name: str) -> None:
    """Each line is an equation between differences; so is the JSON."""
    problem = library.environment(name)
    lesson = library.teach(problem)
    state = next(s for s in map(problem.state_id, reversed(range(problem.num_states))) if s not in lesson.states)
    text = hornbook("explain", name, "--state", state).out
    lines = [line for line in text.splitlines() if " = " in line]
    data = hornbook("explain", name, "--state", state, "--json").data
    assert data["remainder"] == "0"
    assert len(lines) == len({t["over"] for t in data["implied_by"]})
    for line in lines:
        right, wrong, rest = re.fullmatch(r"  (\S+) over (\S+) = (.*)", line).groups()  # type: ignore[union-attr]
        assert right == target(problem, state)
        terms = re.findall(r"([\d/]+) x \(over (\S+) in state (\S+)\)", rest)
        told = [(t["multiplier"], t["action"], t["state"]) for t in data["implied_by"] if t["over"] == wrong]
        assert terms == told
        total = [Fraction(0)] * problem.num_features
        for multiplier, action, where in terms:
            total = [t + Fraction(multiplier) * v for t, v in zip(total, psi(problem, where, action), strict=True)]
        assert total == psi(problem, state, wrong)


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_goes_wrong_without_a_demonstration(name: str) -> None:
    """The learner agrees with the rest of the lesson, and the count of its wrong states is a count."""
    problem = library.environment(name)
    state, *rest = library.teach(problem).states
    data = hornbook("explain", name, "--without", state, "--json").data
    weights = tuple(map(int, data["counterexample"]["w"]))
    assert library.VersionSpace(problem, rest).contains(weights)
    wrong = {
        row[0] for row in problem.rows() if row[2] and not row[3] and score(weights, psi(problem, row[0], row[1])) <= 0
    }
    assert data["wrong_states"] == len(wrong)
    assert {m["state"] for m in data["mistakes"]} <= wrong
    text = hornbook("explain", name, "--without", state).out
    assert text.startswith(f"DOES NOT TEACH: the lesson without state {state} (exact)\n")
    assert f"it goes wrong in {len(wrong):,} of {problem.num_states:,} states" in text


def test_both_questions_at_once() -> None:
    """One answer, with the keys of both."""
    data = hornbook("explain", "two_rays", "--state", "t", "--without", "s", "--json").data
    assert list(data) == [
        *("ok", "demonstrations", "implied_by", "remainder", "counterexample", "wrong_states", "mistakes")
    ]


def test_a_state_of_the_lesson_is_needed(tmp_path: Path) -> None:
    """It implies itself, which says nothing; a state with one action shows nothing at all."""
    assert hornbook("explain", "two_rays", "--state", "s").out.startswith("NEEDED: state s is in the lesson")
    assert hornbook("explain", "two_rays", "--state", "s", "--json").data["implied_by"] is None
    path = problem_file(tmp_path / "one.json", [[[1, 2]], [[3, 4]]], [0, 0])
    data = hornbook("explain", path, "--state", "0", "--json").data
    assert (data["demonstrations"], data["implied_by"], data["remainder"]) == ([], [], "0")


def test_demonstrations_that_make_up_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are told as such, and leaving one out changes nothing."""
    monkeypatch.setattr("hornbook.teaching.teach", lambda *_, **__: crowded_lesson())
    cover = "set_cover:0/1;1/2;0/2"
    assert (
        "  other demonstrations refute the same misconceptions: the lesson would do without it"
        in hornbook("explain", cover).out
    )
    assert hornbook("explain", cover, "--without", "0").out.startswith("STILL TEACHES: without state 0 the rest")
    data = hornbook("explain", cover, "--without", "0", "--json").data
    assert (data["counterexample"], data["wrong_states"], data["mistakes"]) == (None, 0, [])


def test_many_demonstrations_are_counted() -> None:
    """Ten are told."""
    text = hornbook("explain", "polygon_tower:24").out
    assert text.count("do 25\n") == 10
    assert text.endswith("and 2 more demonstrations; --json tells about all\n")


def test_an_unrealizable_policy_is_told_as_a_story(tmp_path: Path) -> None:
    """Names, rows, what each asks for, and the sum that is zero; exit code 3, on standard output."""
    found = hornbook("explain", unrealizable(tmp_path / "bad.json"))
    assert found.code == 3
    assert found.err == ""
    first, left, right, total, so, advice = found.out.splitlines()
    assert first == "NOT REALIZABLE: no linear policy acts as the target (exact)"
    assert left == "  in state left (row 1) 0 must beat 1: -2*f0 must be above 0"
    assert right == "  in state right (row 0) 0 must beat 1: f0 must be above 0"
    assert total == "Yet 1 x (state left over 1) + 2 x (state right over 1) is zero in every feature,"
    assert so.startswith("so no weights can do all of this")
    assert advice.startswith("Add a feature")
    assert hornbook("explain", str(tmp_path / "bad.json"), "--json").data["error"] == "not_realizable"


def test_a_tie_is_a_story_of_one(tmp_path: Path) -> None:
    """Equal features: nothing to add up."""
    path = problem_file(tmp_path / "tie.json", [[[1, 0], [1, 0]]], [0])
    found = hornbook("explain", path)
    assert found.code == 3
    assert "The two actions have the same features" in found.out


def test_pictures_are_drawn() -> None:
    """A diamond board has lines in braille, and its slot numbers."""
    text = hornbook("explain", "diamond:3", "--without", "4-0-3").out
    assert sum("\u2800" <= letter <= "\u28ff" for letter in text) > 60
    assert re.search(r"1\S+2\S+3", text)


def test_a_state_that_is_not_there() -> None:
    """Bad input, by name."""
    for option in ("--state", "--without"):
        found = hornbook("explain", "two_rays", option, "x", "--json")
        assert found.code == 2
        assert "'x'" in found.data["message"]


def test_ratios_are_plain() -> None:
    """`p` or `p/q`."""
    assert (ratio(Fraction(3)), ratio(Fraction(-2, 6))) == ("3", "-1/3")
