"""What each command answers: the text, the JSON and its shape, the exit code."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from hornbook.cli import COMMANDS
from tests.cli.running import SCHEMAS, affine_plane_cover, hornbook, problem_file, schema, unrealizable


def test_every_schema_is_a_schema() -> None:
    """One file per command that answers in JSON, and one for errors."""
    names = {path.stem for path in SCHEMAS.glob("*.json")}
    assert names == {*COMMANDS, "error"} - {"completion"}
    for name in names:
        schema(name)


def test_teach_in_text() -> None:
    """The verdict comes first, then what to show and why."""
    found = hornbook("teach", "two_rays")
    assert found.code == 0
    assert found.err == ""
    verdict, demonstration, why, reason = found.out.splitlines()
    assert verdict == "PROVED MINIMUM: 1 of 3 states (exact)"
    assert demonstration == "  in state s do a"
    assert why == "Why:"
    assert reason == "  without state s a learner may still prefer action c to a in state s"


def test_teach_in_json_has_the_specified_shape() -> None:
    """The keys in their order, and the known answer."""
    found = hornbook("teach", "diamond:6", "--json")
    assert found.code == 0
    keys = "ok size cost lower_bound proved states demonstrations rays directions differences num_states arithmetic"
    assert list(found.data) == [*keys.split(), "seconds"]
    assert (found.data["size"], found.data["cost"], found.data["lower_bound"]) == (2, "2", "2")
    assert (found.data["rays"], found.data["directions"], found.data["differences"]) == (2, 43, 78120)
    assert found.data["proved"] is True
    assert found.data["num_states"] == 15624
    assert found.data["arithmetic"] == "exact"


def test_two_runs_give_the_same_bytes_except_seconds() -> None:
    """Nothing volatile is printed but the time."""
    first, second = (hornbook("teach", "six_rays", "--json").data for _ in range(2))
    assert {**first, "seconds": None} == {**second, "seconds": None}


def test_a_problem_without_differences_has_the_empty_lesson(tmp_path: Path) -> None:
    """One action everywhere: there is nothing to teach, and no reason to tell."""
    path = problem_file(tmp_path / "one.json", [[[1, 2]], [[3, 4]]], [0, 0])
    assert hornbook("teach", path, "--json").data["states"] == []
    assert hornbook("teach", path).out == "PROVED MINIMUM: 0 of 2 states (exact)\n"
    assert hornbook("rays", path, "--json").data["rays"] == []
    assert hornbook("test", path, "--states", "").out == "TEACHES: 0 of 2 states (exact)\n"


def test_costs_are_rationals_as_text(tmp_path: Path) -> None:
    """One state costs a third: so does the lesson."""
    path = problem_file(tmp_path / "cost.json", [[[1, 0], [0, 0]]], [0], cost=["1/3"])
    data = hornbook("teach", path, "--json").data
    assert (data["cost"], data["lower_bound"], data["size"]) == ("1/3", "1/3", 1)
    assert hornbook("teach", path).out.startswith("PROVED MINIMUM: 1 of 1 states at cost 1/3 (exact)")


def test_more_misconceptions_are_counted() -> None:
    """Three are told; the rest is a number."""
    last = hornbook("teach", "random_cone:d=4,m=60,h=9").out.splitlines()[-1]
    assert last == "  and 6 more misconceptions that every lesson must refute"


def test_a_misconception_may_be_refuted_by_several_states() -> None:
    """Two of the three sets 0/1, 1/2, 0/2 cover; they share one ray, and both must go for it to be unseen."""
    lines = hornbook("teach", "set_cover:0/1;1/2;0/2").out.splitlines()
    assert lines[0] == "PROVED MINIMUM: 2 of 3 states (exact)"
    assert len([line for line in lines if line.startswith("  without states 0, 1 a learner may still")]) == 1


def test_the_greedy_teacher_gives_an_interval() -> None:
    """Two rows of seven cover, but blocks of four, two and one columns are each larger when greedy looks: 3, not 2."""
    rows, blocks = "0/1/2/3/4/5/6;7/8/9/10/11/12/13", "0/1/2/3/7/8/9/10;4/5/11/12;6/13"
    cover = f"set_cover:{rows};{blocks}"
    greedy = hornbook("teach", cover, "--teacher", "greedy")
    assert greedy.code == 0
    assert greedy.out.startswith("BEST SO FAR: 3 states, at least 2 (exact)\n")
    assert hornbook("teach", cover, "--json").data["size"] == 2


def test_a_time_limit_gives_a_bracket() -> None:
    """Stopped while proving, the answer is a set, an interval, and exit code 0."""
    found = hornbook("teach", affine_plane_cover(), "--time-limit", "0.3", "--json")
    assert found.code == 0
    assert found.data["proved"] is False
    assert Fraction(found.data["lower_bound"]) < Fraction(found.data["cost"]) == found.data["size"]


def test_a_time_limit_without_any_set_is_exit_5() -> None:
    """No time at all leaves no set."""
    found = hornbook("teach", "diamond:6", "--time-limit", "0", "--json")
    assert found.code == 5
    assert found.data["error"] == "limit"


def test_rays() -> None:
    """Primitive vectors sorted by value, numbers below 2^53 as numbers."""
    assert hornbook("rays", "diamond:6", "--json").data == {"ok": True, "rays": [[-5, 1], [1, 0]]}
    assert hornbook("rays", "diamond:6").out.splitlines() == ["2 rays of 43 directions (exact)", "  -5 1", "  1 0"]


@pytest.mark.parametrize("finder", ["auto", "planar", "incremental", "elimination"])
def test_every_ray_finder_gives_the_same_bytes(finder: str) -> None:
    """The algorithm is no part of the answer."""
    assert hornbook("rays", "two_rays", "--finder", finder, "--json").out == '{"ok": true, "rays": [[0, 1], [1, 0]]}\n'


def test_a_finder_that_does_not_fit_is_bad_input() -> None:
    """Three dimensions are wanted where two are left."""
    found = hornbook("rays", "two_rays", "--finder", "hull", "--json")
    assert found.code == 2
    assert "rank 2" in found.data["message"]


def test_large_numbers_are_texts_from_2_53_on(tmp_path: Path) -> None:
    """2^53 - 1 is a number, 2^53 a text, exactly."""
    features = [[[1, 2**53 - 1], [0, 0]], [[1, -(2**53)], [0, 0]]]
    path = problem_file(tmp_path / "large.json", features, [0, 0])
    assert hornbook("rays", path, "--json").data["rays"] == [[1, str(-(2**53))], [1, 2**53 - 1]]


def test_numbers_too_long_to_print_are_a_limit(tmp_path: Path) -> None:
    """Denominators multiply: the primitive vector of two long fractions has twice their digits."""
    p, q = 10**2500 + 1, 10**2500 + 3
    path = problem_file(tmp_path / "long.json", [[[f"1/{p}", f"1/{q}", f"1/{p + 6}"], [0, 0, 0]]], [0])
    found = hornbook("rays", path, "--json")
    assert found.code == 5
    assert "digits" in found.data["message"]


def test_a_set_that_teaches() -> None:
    """Exit code 0, and no counterexample."""
    found = hornbook("test", "two_rays", "--states", "t,u", "--json")
    assert found.code == 0
    assert found.data == {"ok": True, "teaches": True, "counterexample": None, "undecided": []}
    assert hornbook("test", "two_rays", "--states", "s").out == "TEACHES: 1 of 3 states (exact)\n"


def test_a_set_that_does_not_teach() -> None:
    """Exit code 1, and a learner that agrees with t and errs elsewhere."""
    found = hornbook("test", "two_rays", "--states", "t", "--json")
    assert found.code == 1
    assert found.data["undecided"] == ["s", "u"]
    x, y = found.data["counterexample"]["w"]
    assert x > 0 < x + y
    assert y < 0
    assert found.data["counterexample"]["state"] == "s"
    assert found.data["counterexample"]["wrong_action"] == "c"
    lines = hornbook("test", "two_rays", "--states", "t").out.splitlines()
    assert lines[0] == "DOES NOT TEACH: 1 of 3 states (exact)"
    assert lines[1].endswith("agrees, and prefers action c to a in state s")
    assert lines[2] == "  undecided in 2 states: s, u"


def test_the_empty_set_and_many_undecided_states() -> None:
    """Nothing shown: everything is undecided, and the list is cut in text only."""
    found = hornbook("test", "diamond:3", "--states", "", "--json")
    assert found.code == 1
    assert len(found.data["undecided"]) == 5**3 - 1
    assert hornbook("test", "diamond:3", "--states", "").out.splitlines()[-1].endswith(", ...")


def test_ids_may_contain_anything(tmp_path: Path) -> None:
    """A comma, a bracket: by JSON, or one by one."""
    names = ["a,b", "[c]"]
    features = [[[1, 0], [0, 0]], [[0, 1], [0, 0]]]
    path = problem_file(tmp_path / "names.json", features, [0, 0], state_names=names)
    for arguments in (
        ["--states", json.dumps(names)],
        ["--state", "a,b", "--state", "[c]"],
        ["--states", '["a,b"]', "--state", "[c]"],
    ):
        assert hornbook("test", path, *arguments).code == 0
    assert hornbook("test", path, "--states", '["a,b"]').code == 1


@pytest.mark.parametrize("states", ["[1, 2]", '["s"', "[" * 100_000, '{"s": 1}', "nobody"])
def test_states_that_are_none(states: str) -> None:
    """Not texts, not JSON, not a state of this problem."""
    assert hornbook("test", "two_rays", "--states", states, "--json").code == 2


def test_states_must_be_given() -> None:
    """The empty set is `--states ''`, not silence."""
    found = hornbook("test", "two_rays", "--json")
    assert found.code == 2
    assert "--states" in found.data["message"]


def test_make_and_read_back(tmp_path: Path) -> None:
    """Every format gives the same rays as the environment."""
    for ending in ("npz", "json", "csv"):
        path = str(tmp_path / f"six.{ending}")
        assert hornbook("make", "six_rays", "-o", path, "--json").data == {"ok": True, "written": path}
        assert hornbook("rays", path, "--json").data == hornbook("rays", "six_rays", "--json").data
    again = hornbook("make", "two_rays", "-o", str(tmp_path / "two.json"))
    assert again.out == f"written to {tmp_path / 'two.json'}: 3 states, 3 actions\n"


def test_not_realizable_names_the_conflict(tmp_path: Path) -> None:
    """Exit code 3, the combination by name, in every command that reads a policy."""
    path = unrealizable(tmp_path / "bad.json")
    for arguments in (["teach", path], ["rays", path], ["test", path, "--states", "left"]):
        found = hornbook(*arguments, "--json")
        assert found.code == 3
        assert found.data["error"] == "not_realizable"
        terms = {(term["state"], term["action"], term["multiplier"]) for term in found.data["conflict"]}
        assert terms == {("right", "1", "2"), ("left", "1", "1")}
    text = hornbook("teach", path)
    assert text.out == ""
    assert text.err.startswith("not realizable: the policy is not linear in these features: ")
    assert "state right" in text.err
