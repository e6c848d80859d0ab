"""Certificates of lessons within a budget: both checkers accept what is true, and no forgery; every check is needed."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import runpy
import sys
import types
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbook
from hornbook.certificate import within
from hornbook.errors import Rejected
from tests.certificate.test_agreement import mutate
from tests.instances import Instance
from tests.referee import teaching_problem
from tests.strategies import realizable_problems
from tools import prove_checks

Json = dict[str, Any]
TRIANGLES = (
    "set_cover:0/1;1/2;0/2;3/4;4/5;3/5"  # two triangles: halves promise six rays to three states, but five it is
)


def plane(*costs: int) -> hornbook.TeachingProblem:
    """The rays are (0, 1), shown by a and c, and (1, 0), shown by a and d; (1, 1) in b is shown by neither a nor c."""
    differences = [[(1, 0), (0, 1)], [(1, 1), (1, 2)], [(0, 1), (2, 1)], [(1, 0), (3, 1)]]
    features = [[[0, 0], *([-x, -y] for x, y in state)] for state in differences]
    names = list("abcd")
    return hornbook.TeachingProblem(features=features, target=[0] * 4, state_names=names, cost=costs or None)


def certificate(problem: hornbook.TeachingProblem, budget: object, **how: Any) -> Json:
    return json.loads(json.dumps(hornbook.teach_within(problem, budget=budget, **how).certificate()))


VALID: dict[str, tuple[hornbook.TeachingProblem, Json]] = {
    "plane": (plane(), certificate(plane(), 1, weights=[1, 3])),
    "costs": (plane(5, 1, 2, 2), certificate(plane(5, 1, 2, 2), "9/2")),
    "numbers": (plane(5, 1, 2, 2), certificate(plane(5, 1, 2, 2), 1, per="demonstration")),
    "one ray": (plane(), certificate(plane(), 1, weights=[0, "5/2"])),
    "rays": (hornbook.environment("six_rays"), certificate(hornbook.environment("six_rays"), 1)),
    "tree": (hornbook.environment(TRIANGLES), certificate(hornbook.environment(TRIANGLES), 3, node_limit=50)),
    "open": (hornbook.environment(TRIANGLES), certificate(hornbook.environment(TRIANGLES), 3, node_limit=0)),
    "floats": (
        hornbook.environment("polygon_tower:7"),
        certificate(hornbook.environment("polygon_tower:7"), 2),
    ),
}


@dataclass(frozen=True)
class Forgery:
    name: str
    base: str
    change: Callable[[Json], None]

    @property
    def forged(self) -> Json:
        copy = deepcopy(VALID[self.base][1])
        self.change(copy)
        return copy


def put(**values: Any) -> Callable[[Json], None]:
    return lambda certificate: certificate.update(values)


def leaf(*weights: list[Any], theta: Any = 1) -> Json:
    return {"weights": [*weights], "theta": theta}


def all_of_it(certificate: Json) -> None:
    """A tree that forgets the side where the state is refused."""
    certificate["bound"] = {"state": certificate["lesson"][0], "taken": certificate["bound"]}


def wrong_elsewhere(certificate: Json) -> None:
    """Wrong on its ray, right on what the lesson shows, and wrong about (1, 1), which the lesson does not show."""
    on = next(entry for entry in certificate["misconceptions"] if entry["ray"] == 1)
    on["w"] = [-9, 1]


FORGERIES = [
    Forgery("a lower bound besides", "plane", put(lower_bound="0")),
    Forgery("a margin besides", "floats", put(tau="0")),
    Forgery("no budget", "plane", lambda c: c.pop("budget")),
    Forgery("no worth", "plane", lambda c: c.pop("worth")),
    Forgery("a key too many", "plane", put(verified=True)),
    Forgery("a negative budget", "plane", put(budget=-1)),
    Forgery("a budget that is no rational", "plane", put(budget=True)),
    Forgery("per hour", "plane", put(per="hour")),
    Forgery("costs called numbers", "costs", put(per="demonstration")),
    Forgery("numbers called costs", "numbers", put(per="cost")),
    Forgery(
        "weights above their worth",
        "rays",
        put(bound=leaf(*([i, 2] for i in range(6)), theta=6), upper_bound="0", claim="most so far"),
    ),
    Forgery("a negative price", "plane", put(bound=leaf(theta=-1), upper_bound="3")),
    Forgery("a negative weight", "plane", put(bound=leaf([0, "-1/2"]))),
    Forgery("a weight twice", "plane", put(bound=leaf([0, 1], [0, 1]))),
    Forgery("a weight on nothing", "plane", put(bound=leaf([0, 1], [2, 1]))),
    Forgery("sets, which are for lessons", "plane", put(bound={"weights": [], "sets": [], "theta": 1})),
    Forgery("a worth too few", "plane", put(worth=[1])),
    Forgery("a worth too many", "plane", put(worth=[1, 3, 1])),
    Forgery("a worth of nothing", "plane", put(worth=[0, 3])),
    Forgery("another worth", "plane", put(worth=[1, 4])),
    Forgery("a direction that does not occur", "plane", lambda c: c["inside"].append([[9, 1], [0, 1]])),
    Forgery("a direction left out", "plane", lambda c: c["inside"].pop()),
    Forgery("a misconception that is wrong where nothing was shown", "plane", wrong_elsewhere),
    Forgery("more than the budget", "rays", put(budget=0, claim="most so far", upper_bound="0")),
    Forgery("a dearer lesson", "costs", put(lesson=["a"], size=1, cost="5")),
    Forgery("more refuted than there is", "rays", put(value="4")),
    Forgery("a bound below the one proved", "open", put(upper_bound="5", claim="most")),
    Forgery("an open claim called proved", "open", put(claim="most")),
    Forgery("a proved claim called open", "rays", put(claim="most so far")),
    Forgery("a bound that is not rounded", "costs", put(upper_bound="5/2")),
    Forgery("a branch missing", "tree", all_of_it),
    Forgery("a state replaced", "plane", put(lesson=["c"])),
    Forgery("a state twice", "rays", put(lesson=["s1", "s1"])),
    Forgery("a size off by one", "rays", put(size=2)),
    Forgery("all rays, and not said", "rays", put(all_rays=False)),
    Forgery("not all rays, and said", "one ray", put(all_rays=True)),
    Forgery("a float answer with other counts", "floats", put(merged=0)),
    Forgery("assumptions that there are not", "floats", put(assumed_inside=1)),
    Forgery("a lesson's claim", "plane", put(claim="minimum")),
]


def accepts(certificate: Any, problem: hornbook.TeachingProblem, *, fast: bool) -> object:
    try:
        return hornbook.check(certificate, problem, fast=fast)
    except Rejected:
        return None


@pytest.mark.parametrize("name", VALID)
def test_both_accept_what_is_true(name: str) -> None:
    """And report the same."""
    problem, valid = VALID[name]
    accepted = hornbook.check(valid, problem)
    assert isinstance(accepted, within.AcceptedWithin)
    assert hornbook.check(valid, problem, fast=True) == accepted
    assert (accepted.claim, accepted.value, accepted.upper_bound) == tuple(
        valid[key] for key in ("claim", "value", "upper_bound")
    )


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_both_reject_a_forgery(forgery: Forgery) -> None:
    """One change to a valid certificate, and neither checker accepts it."""
    problem, _ = VALID[forgery.base]
    assert accepts(forgery.forged, problem, fast=False) is None
    assert accepts(forgery.forged, problem, fast=True) is None


@settings(max_examples=60, deadline=None)
@given(realizable_problems(), st.fractions(0, 6, max_denominator=3), st.sampled_from(["cost", "demonstration"]))
def test_both_accept_what_is_found(instance: Instance, budget: Any, per: str) -> None:
    """Whatever the problem: the claim is proved, and only for this problem."""
    problem = teaching_problem(instance)
    proof = certificate(problem, budget, per=per)
    assert hornbook.check(proof, problem) == hornbook.check(proof, problem, fast=True)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(VALID)), st.randoms(use_true_random=False))
def test_both_agree_on_mutants(name: str, chance: Any) -> None:
    """One to three random changes: accepted by both or by none."""
    problem, valid = VALID[name]
    mutant = deepcopy(valid)
    for _ in range(chance.randint(1, 3)):
        mutate(mutant, chance)
    assert accepts(mutant, problem, fast=False) == accepts(mutant, problem, fast=True)


def files(folder: Path, name: str) -> list[str]:
    """A problem file of its own, and a certificate that is about it."""
    problem = plane(5, 1, 2, 2)
    data = {"format": "hornbook-problem", "version": 1, "target": [0] * 4, "cost": [5, 1, 2, 2]}
    data["state_names"] = list("abcd")
    data["features"] = [state.tolist() for state in problem.source.read(0, 4).features]
    (folder / "problem.json").write_text(json.dumps(data))
    (folder / "certificate.json").write_text(json.dumps(VALID[name][1]))
    return [str(folder / "certificate.json"), str(folder / "problem.json")]


def run(module: Any, arguments: list[str]) -> tuple[int, str]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = module.main(arguments)
    return status, printed.getvalue()


def test_files_are_checked_on_their_own(tmp_path: Path) -> None:
    """One line, and an exit status; stored floats only where they are asked for."""
    paths = files(tmp_path, "costs")
    assert run(within, paths) == (0, "accepted: most, value 2, at most 2\n")
    assert run(within, files(tmp_path, "rays"))[0] == 6
    assert run(within, [*paths, "more"])[0] == 2
    assert run(within, [paths[0], paths[0]])[0] == 2


def test_its_exit_status_is_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """0 accepted, 6 rejected, 2 for what cannot be read, run as a file."""
    for name, extra, status in (("costs", [], 0), ("rays", [], 6), ("costs", ["more"], 2)):
        monkeypatch.setattr(sys, "argv", ["within.py", *files(tmp_path, name), *extra])
        with pytest.raises(SystemExit) as left:
            runpy.run_path(within.__file__, run_name="__main__")
        assert left.value.code == status


def test_the_tree_is_one() -> None:
    """Five of six rays, proved by cases; without them an interval."""
    assert "state" in VALID["tree"][1]["bound"]
    assert (VALID["tree"][1]["upper_bound"], VALID["open"][1]["upper_bound"]) == ("5", "6")


def test_every_check_is_needed(tmp_path: Path) -> None:
    """Deleting any rejecting statement lets a forgery through."""
    tree = ast.parse(Path(within.__file__).read_text(encoding="utf-8"))
    checks = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and prove_checks.is_require(node.value)]
    assert len(checks) == 5
    for check in checks:
        mutant = types.ModuleType("within_under_proof")
        sys.modules[mutant.__name__] = mutant
        exec(compile(prove_checks.without(tree, check.lineno), "within.py", "exec"), mutant.__dict__)
        assert (
            any(_passes(mutant, forgery) for forgery in FORGERIES)
            or run(mutant, [*files(tmp_path, "costs"), "more"])[0] == 0
        ), ast.unparse(check)


def _passes(module: Any, forgery: Forgery) -> bool:
    problem, _ = VALID[forgery.base]
    try:
        module.check_within(forgery.forged, problem.rows(), identity=problem.identity, arithmetic=problem.arithmetic)
    except module.Rejection:
        return False
    return True
