"""What more can be asked of a lesson on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import hornbook


@pytest.mark.parametrize(
    ("options", "states"),
    [
        (["--must", "u"], ["s", "u"]),
        (["--may-not", "s"], ["t", "u"]),
        (["--given", "t,u"], []),
        (["--given", '["s"]', "--must", "t"], ["t"]),
        (["--folds", "2"], ["s", "t", "u"]),
    ],
)
def test_each_option_asks_for_one_thing(options: list[str], states: list[str], tmp_path: Path) -> None:
    """The answer, and its certificate, which says what was asked."""
    certificate = str(tmp_path / "lesson.cert")
    found = hornbook("teach", "two_rays", *options, "--json", "--certificate", certificate)
    assert found.data["states"] == states
    for fast in ([], ["--fast"]):
        checked = hornbook("check", certificate, "two_rays", "--json", *fast)
        assert checked.data["request"] == found.data["request"]
        assert checked.data["size"] == len(states)


def test_the_verdict_says_what_was_asked(tmp_path: Path) -> None:
    """After the arithmetic, and again when the certificate is checked."""
    certificate = str(tmp_path / "lesson.cert")
    found = hornbook("teach", "two_rays", "--given", "t", "--folds", "2", "--must", "s", "--certificate", certificate)
    asked = "asked: 1 must be shown, 1 given, 2-fold"
    assert found.out.splitlines()[0] == f"PROVED MINIMUM: 2 of 3 states (exact), {asked}"
    checked = hornbook("check", certificate, "two_rays")
    assert checked.out == f"ACCEPTED: minimum (exact), {asked}: 2 demonstrations, cost at least 2\n"
    plain = hornbook("teach", "two_rays", "--json")
    assert "request" not in plain.data


def written(path: Path, content: object) -> str:
    path.write_text(json.dumps(content))
    return str(path)


def test_files_hold_groups_beliefs_or_everything(tmp_path: Path) -> None:
    """Three files, three ways to say it."""
    groups = {"A": ["s"], "B": {"states": ["t", "u"], "cost": "1/2"}}
    prior = [{"vector": [1, 0], "kind": "weak"}]
    everything = {"format": "hornbook-request", "version": 1, "groups": groups, "prior": prior, "folds": 1}
    one, two = written(tmp_path / "g.json", groups), written(tmp_path / "p.json", prior)
    three = written(tmp_path / "r.json", everything)
    found = hornbook("teach", "two_rays", "--groups", one, "--prior", two)
    assert found.out.splitlines() == [
        "PROVED MINIMUM: 1 of 2 groups with 2 states at cost 1/2 (exact), asked: in groups, 1 weak prior",
        "  in state t do a",
        "  in state u do a",
        "Why:",
        "  without group B a learner may still rank action c no lower than a in state s",
    ]
    assert hornbook("teach", "two_rays", "--request", three).out == found.out
    twice = hornbook("teach", "two_rays", "--request", three, "--folds", "2", "--json")
    assert twice.code == 2
    assert "folds is in the file and among the options" in twice.data["message"]


def test_a_budget_knows_no_requests() -> None:
    """One question at a time."""
    found = hornbook("teach", "two_rays", "--budget", "1", "--given", "t", "--json")
    assert found.code == 2
    assert "leave out given" in found.data["message"]


def test_an_impossible_request_is_answered_by_what_remains() -> None:
    """Exit code 2, the learner that would remain, and where it errs."""
    found = hornbook("teach", "two_rays", "--may-not", "s,u", "--json")
    assert found.code == 2
    assert found.data["error"] == "bad_input"
    assert found.data["misconception"] == {"w": [4, -1], "state": "s", "action": "a", "wrong_action": "c"}
    assert found.data["wrong_states"] == ["s", "u"]
    text = hornbook("teach", "two_rays", "--may-not", "s,u")
    assert text.err.startswith("bad input: no lesson does what is asked: the misconception with weights 4 -1 would")


def test_a_contradiction_with_a_belief(tmp_path: Path) -> None:
    """Exit code 3; its certificate is accepted, and says which beliefs."""
    certificate = str(tmp_path / "refusal.cert")
    prior = written(tmp_path / "p.json", [{"vector": [-1, 0], "kind": "strict"}])
    found = hornbook("teach", "two_rays", "--prior", prior, "--json", "--certificate", certificate)
    assert found.code == 3
    assert found.data["prior"] == [{"vector": [-1, 0], "kind": "strict", "multiplier": "1"}]
    checked = hornbook("check", certificate, "two_rays")
    assert checked.out == "ACCEPTED: not realizable (exact), asked: 1 strict prior\n"


def test_a_request_about_a_problem_file(tmp_path: Path) -> None:
    """The reference checkers read it themselves; a file that is no problem is bad input."""
    path, certificate = str(tmp_path / "two.json"), str(tmp_path / "lesson.cert")
    assert hornbook("make", "two_rays", "-o", path).code == 0
    assert hornbook("teach", path, "--given", "t", "--certificate", certificate).code == 0
    assert hornbook("check", certificate, path).out.startswith("ACCEPTED: minimum (exact), asked: 1 given: ")
    content = json.loads(Path(certificate).read_text())
    content["request"]["given"] = ["s"]
    Path(certificate).write_text(json.dumps(content))
    assert hornbook("check", certificate, path).code == 6
