"""Budgets on the command line: `teach --budget` and `curve`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hornbook.cover import cover_within
from tests.cli.running import affine_plane_cover, hornbook, problem_file, unrealizable


def test_teach_within_a_budget() -> None:
    """The verdict does not say that the states teach."""
    found = hornbook("teach", "diamond:6", "--budget", "1")
    assert found.code == 0
    assert found.out.splitlines() == [
        "PROVED MOST: 1 of 15,624 states refute 1 of 2 misconceptions (exact)",
        "  in state 0-0-0-0-3-3 do 6",
        "Decided: 1,212 of 15,624 states (no learner that agrees errs there; other choices may decide more)",
    ]
    data = hornbook("teach", "diamond:6", "--budget", "1", "--json").data
    assert (data["value"], data["upper_bound"], data["total"], data["teaches"]) == ("1", "1", "2", False)
    assert "lower_bound" not in data


def test_a_budget_that_is_enough() -> None:
    """All misconceptions are refuted, and all states decided."""
    found = hornbook("teach", "two_rays", "--budget", "2").out.splitlines()
    assert found[0] == "PROVED MOST: 1 of 3 states refute 2 of 2 misconceptions (exact)"
    assert found[-1] == "Decided: 3 of 3 states (no learner that agrees errs there)"


def test_costs_and_weights(tmp_path: Path) -> None:
    """Costs count by default; weights come from a file or from how often rays show."""
    features = [[[0, 0], [-1, 0], [0, -1]], [[0, 0], [0, -1]], [[0, 0], [-1, 0]]]
    path = problem_file(tmp_path / "priced.json", features, [0, 0, 0], cost=[5, 2, 2], state_names=list("abc"))
    weights = tmp_path / "weights.json"
    weights.write_text('[1, "7/2"]')
    ask = ("teach", path, "--json", "--budget")
    assert hornbook(*ask, "2", "--weights", str(weights)).data["states"] == ["c"]
    assert hornbook(*ask, "1", "--per", "demonstration").data["states"] == ["a"]
    assert hornbook(*ask, "4.5", "--weights", "states").data["total"] == "4"
    for text in ("{}", "[1", "[1.5, true]", "[1]"):
        weights.write_text(text)
        assert hornbook(*ask, "2", "--weights", str(weights)).code == 2


def test_a_certificate_of_a_budget_is_checked(tmp_path: Path) -> None:
    """The reference checker and the compiled one print the same claim; about another problem it is rejected."""
    features = [[[0, 0], [-1, 0], [0, -1]], [[0, 0], [0, -1]], [[0, 0], [-1, 0]]]
    path = problem_file(tmp_path / "priced.json", features, [0, 0, 0], cost=[5, 2, 2], state_names=list("abc"))
    proof = str(tmp_path / "most.cert")
    for budget, line in (
        ("9/2", "within a budget of 9/2, 2 demonstrations refute what is worth 2, none more than 2"),
        ("2", "within a budget of 2, 1 demonstration refutes what is worth 1, none more than 1"),
    ):
        assert hornbook("teach", path, "--budget", budget, "--certificate", proof, "--force").code == 0
        assert hornbook("check", proof, path).out == f"ACCEPTED: most (exact): {line}\n"
        assert hornbook("check", proof, path, "--fast").out == f"ACCEPTED: most (exact): {line}\n"
    data = hornbook("check", proof, path, "--json").data
    assert (data["size"], data["budget"], data["value"], data["upper_bound"]) == (1, "2", "1", "1")
    other = hornbook("check", proof, "two_rays")
    assert other.code == 6
    assert other.out.startswith("REJECTED: ")


def test_what_does_not_go_with_a_budget() -> None:
    """Another teacher; a budget that is none."""
    assert hornbook("teach", "two_rays", "--budget", "1", "--teacher", "greedy", "--json").code == 2
    assert hornbook("teach", "two_rays", "--budget", "-1", "--json").code == 2
    assert hornbook("teach", "two_rays", "--budget", "1e", "--json").code == 2


def test_what_cannot_be_taught_cannot_be_taught_within_a_budget(tmp_path: Path) -> None:
    """The conflict is told as always."""
    path = unrealizable(tmp_path / "bad.json")
    assert hornbook("teach", path, "--budget", "1", "--json").code == 3
    assert hornbook("curve", path, "--json").code == 3
    dropped = hornbook("teach", path, "--budget", "1", "--drop-conflicts", "--json")
    assert dropped.code == 0
    assert len(dropped.data["dropped"]["states"]) == 1


def test_the_curve_in_text_and_in_json() -> None:
    """A line for each budget, and the same numbers."""
    lines = hornbook("curve", "six_rays").out.splitlines()
    assert lines[0] == "PROVED: all 3 points, of 6 misconceptions (exact)"
    assert lines[-1].split() == ["2", "2", "6", "6", "6"]
    data = hornbook("curve", "six_rays", "--json").data
    assert [(p["budget"], p["value"], p["upper_bound"], p["decided"]) for p in data["points"]] == [
        ("0", "0", "0", 0),
        ("1", "3", "3", 1),
        ("2", "6", "6", 6),
    ]


@pytest.mark.parametrize("form", ["csv", "markdown"])
def test_the_curve_as_a_table(form: str) -> None:
    """No verdict in between."""
    lines = hornbook("curve", "six_rays", "--table", form).out.splitlines()
    assert "budget" in lines[0]
    assert len(lines) == (4 if form == "csv" else 5)


def test_a_curve_with_open_points() -> None:
    """Chosen budgets, worth by states, no node to search: intervals, and the verdict says so."""
    found = hornbook("curve", affine_plane_cover(), "--budgets", "8,9", "--node-limit", "0", "--weights", "states")
    first = found.out.splitlines()[0]
    assert first.startswith("BEST SO FAR: 0 of 2 points proved, of 117 misconceptions worth 351")
    assert hornbook("curve", "two_rays", "--budgets", "", "--json").code == 2
    assert hornbook("curve", "two_rays", "--budgets", "1,x", "--json").code == 2


def test_an_interrupt_prints_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """The set so far is within the budget; its bound is an upper bound."""

    def interrupted(*given: Any, **how: Any) -> Any:
        return replace(cover_within(*given, **how), interrupted=True)

    monkeypatch.setattr("hornbook.budgets.cover_within", interrupted)
    found = hornbook("teach", "six_rays", "--budget", "1", "--json")
    assert found.code == 130
    assert json.loads(found.out)["upper_bound"] == "3"
    assert hornbook("teach", "six_rays", "--budget", "1").out.startswith("PROVED MOST: 1 of 6 states")
