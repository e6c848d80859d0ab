"""`teach --drop-conflicts` and `--leave-out`: what goes, why, and a certificate about the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import hornbook, problem_file

LINE = "x,kind\n0,a\n1,a\n2,a\n3,b\n4,b\n5,b\n9,a\n"


@pytest.fixture
def line(tmp_path: Path) -> str:
    path = tmp_path / "line.csv"
    path.write_text(LINE)
    return str(path)


def test_what_was_left_out_is_told(line: str, tmp_path: Path) -> None:
    """The verdict says how many, the lines say which and why; the certificate is about the rest, by name."""
    proof = str(tmp_path / "line.cert")
    assert hornbook("teach", line, "--label", "kind").code == 3
    found = hornbook("teach", line, "--label", "kind", "--drop-conflicts", "--certificate", proof)
    lines = found.out.splitlines()
    assert lines[0] == "PROVED MINIMUM: 2 of 6 states (exact); 1 of 7 states left out (the fewest)"
    assert lines[lines.index("Left out:") + 1].startswith("  state 6: its preference over action b contradicts state")
    again = ["--label", "kind", "--leave-out", "6"]
    assert hornbook("check", proof, line, *again, "--json").data["accepted"] is True
    assert hornbook("check", proof, line, *again, "--fast", "--json").data["accepted"] is True
    assert hornbook("check", proof, line, "--label", "kind", "--json").code == 6
    assert hornbook("test", line, "--states", "2,3", *again, "--json").data["teaches"] is True


def test_in_json(line: str) -> None:
    """Every state with its conflict, and the conflicts that need one state each."""
    dropped = hornbook("teach", line, "--label", "kind", "--drop-conflicts", "--json").data["dropped"]
    assert [state["id"] for state in dropped["states"]] == ["6"]
    assert (dropped["lower_bound"], dropped["proved"]) == (1, True)
    assert "6" in {term["state"] for term in dropped["states"][0]["conflict"]}
    assert len(dropped["conflicts"]) == 1


def test_reasons_of_every_kind(tmp_path: Path) -> None:
    """A tie, equal features with two targets, a state against itself, and more than are shown."""
    features = [[[1, 0], [1, 0]], [[0, 5], [0, 0]], [[0, 5], [0, 0]], [[0, 5], [0, 0]], [[0, 0], [3, 1], [-3, -1]]]
    path = problem_file(tmp_path / "p.json", features, [0, 0, 0, 1, 0], state_names=["tie", "b", "c", "d", "self"])
    out = hornbook("teach", path, "--drop-conflicts").out
    assert "  state tie: its target and action 1 have equal features\n" in out
    assert "  state d: the same features as states b, c together, and another target\n" in out
    assert "  state self: its preference over action 1, 2 contradicts itself\n" in out
    assert "  groups of states with the same features and different targets: 1\n" in out
    many = [[[1], [0]]] * 12 + [[[0], [1]]] * 30
    told = hornbook("teach", problem_file(tmp_path / "q.json", many, [0] * 42), "--drop-conflicts").out
    assert "  and 2 more\n" in told


def test_nothing_to_leave_out() -> None:
    """Said too."""
    found = hornbook("teach", "two_rays", "--drop-conflicts")
    assert found.out.splitlines()[0] == "PROVED MINIMUM: 1 of 3 states (exact); no conflict among 3 states"
    assert "Left out" not in found.out


def test_half_of_the_time_is_for_leaving_out(line: str) -> None:
    """No time leaves no lesson, with the usual exit code."""
    assert hornbook("teach", line, "--label", "kind", "--drop-conflicts", "--time-limit", "0", "--json").code == 5
    assert hornbook("teach", line, "--label", "kind", "--drop-conflicts", "--time-limit", "20", "--json").code == 0


def test_states_are_left_out_of_anything() -> None:
    """Also of an environment, whose certificate is then about its rows; an unknown state is named."""
    assert hornbook("teach", "six_rays", "--leave-out", "", "--json").data["num_states"] == 6
    assert hornbook("teach", "six_rays", "--leave-out", '["s1", "s3"]', "--json").data["num_states"] == 4
    refused = hornbook("teach", "six_rays", "--leave-out", "s9", "--json")
    assert (refused.code, "s9" in refused.data["message"]) == (2, True)
    for broken in ("[1]", "["):
        assert "--leave-out" in hornbook("teach", "six_rays", "--leave-out", broken, "--json").data["message"]
