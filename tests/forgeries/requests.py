"""Forged certificates of lessons of which more was asked, each made from a valid one by one change."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from tests.forgeries.certificates import (
    CORNER,
    NO_BOUND,
    OPPOSITE,
    TWO,
    Forgery,
    branch,
    drop,
    leaf,
    put,
    several,
)
from tests.forgeries.float_certificates import FLOAT_VALID
from tests.forgeries.floats import FloatProblem
from tests.forgeries.maker import Json, Problem, certify, problem, refusal

ASKED: Json = {"must": [], "may_not": [], "given": [], "folds": 1, "groups": None, "prior": []}
THRICE = problem({"a": [(1,)], "b": [(1,)], "c": [(1,), (2,)]})
CLASS = problem({"s": [(1, 1)], "t": [(1, 2)]})
UP: Json = [[[0, 1], "weak"], [[1, 0], "weak"]]
GROUPS: Json = [{"name": "A", "cost": 1, "states": ["s"]}, {"name": "B", "cost": "1/2", "states": ["t", "u"]}]


def ask(given: Problem, request: Json, **changes: Any) -> tuple[Problem, Json]:
    """The certificate of the plain lesson, with a request and what it changes."""
    lesson, bound = changes.get("lesson"), changes.get("bound")
    plain = certify(given, lesson=lesson, bound=bound, low=changes.get("lower_bound", ""))
    return given, {**plain, "request": {**ASKED, **request}, "same": [], **changes}


def of_class() -> tuple[Problem, Json]:
    """Weights that are known not to be negative: (1, 1) and (1, 2) say as much as each other."""
    evidence: Json = {"rays": [[1, 1]], "inside": [[[1, 2], [0, 1]]], "same": [[[1, 2], 0, [1]]], "realizes": [1, 1]}
    evidence |= {"misconceptions": [{"ray": 0, "w": [0, 0]}], "lesson": ["t"], "size": 1, "cost": "1"}
    given, plain = ask(CLASS, {"prior": UP}, bound=leaf((0, 1)), lower_bound="1")
    return given, {**plain, **evidence, "claim": "minimum", "all_rays": True}


def of_strict() -> tuple[Problem, Json]:
    """One ray is believed strictly already."""
    given, plain = ask(TWO, {"prior": [[[1, 0], "strict"]]}, bound=leaf((0, 1)), lower_bound="1")
    inside = [[[1, 0], [1]], [[1, 1], [0, 1]], [[1, 2], [0, 1]]]
    wrong = [{"ray": 0, "w": [4, -1]}]
    return given, {**plain, "rays": [[0, 1]], "inside": inside, "misconceptions": wrong}


def contradiction(kind: str = "weak", *, others: Json = ()) -> tuple[Problem, Json]:
    """The target needs (1, 0), and the learner believes (-1, 0)."""
    terms = refusal(CORNER, [("s", "1", 1)])
    terms["conflict"].append({"state": None, "action": "0", "multiplier": 1})
    return CORNER, {**terms, "request": {**ASKED, "prior": [[[-1, 0], kind], *others]}}


def of_floats() -> tuple[FloatProblem, Json]:
    """The first float certificate there is, with an empty request."""
    given, plain = next(pair for pair in FLOAT_VALID.values() if "lesson" in pair[1] and pair[1]["lesson"])
    return given, {**plain, "request": deepcopy(ASKED), "same": []}


TIES: Json = [{"ray": 0, "w": [1, 0]}, {"ray": 1, "w": [0, 1]}]
OF_GROUP: Json = {"lesson": ["B"], "size": 2, "cost": "1/2", "lower_bound": "1/2", "claim": "minimum"}
OF_GROUP |= {"bound": leaf((0, "1/2"))}
BOTH = leaf((0, 1), (1, 1))
TREE = branch("a", leaf((0, 1)), leaf((0, 9)))
LESS = {"lower_bound": "0", "claim": "interval", "bound": NO_BOUND}

ASKED_VALID: dict[str, tuple[Any, Json]] = {
    "nothing": ask(TWO, {}),
    "given": ask(TWO, {"given": ["t"]}, bound=leaf((0, 1)), lower_bound="1"),
    "all given": ask(
        TWO, {"given": ["s"]}, lesson=[], size=0, cost="0", lower_bound="0", claim="minimum", bound=NO_BOUND
    ),
    "must": ask(TWO, {"must": ["u"]}, lesson=["s", "u"], bound=leaf((1, 1)), lower_bound="2"),
    "may not": ask(TWO, {"may_not": ["s"]}, lesson=["t", "u"], bound=BOTH, lower_bound="2"),
    "twice": ask(TWO, {"folds": 2}, lesson=["s", "t", "u"], bound=BOTH, lower_bound="3"),
    "twice of three": ask(THRICE, {"folds": 2}, lesson=["a", "b"], bound=TREE, lower_bound="2"),
    "twice, less said": ask(TWO, {"folds": 2}, lesson=["s", "t", "u"], bound=NO_BOUND, lower_bound="0"),
    "groups": ask(TWO, {"groups": GROUPS}, **OF_GROUP),
    "strict prior": of_strict(),
    "weak priors": ask(TWO, {"prior": UP}, bound=leaf((0, 1)), lower_bound="1", misconceptions=TIES),
    "a class": of_class(),
    "once, less said": ask(TWO, {}, bound=NO_BOUND, lower_bound="0"),
    "weak contradiction": contradiction(),
    "strict contradiction": contradiction("strict"),
    "floats": of_floats(),
}


def forged(base: str, change: Callable[[Json], None], name: str) -> Forgery:
    given, valid = ASKED_VALID[base]
    copy = deepcopy(valid)
    change(copy)
    return Forgery(f"asked: {name}", given, valid, copy)


def of_opposites() -> Forgery:
    """Two weak beliefs that add up to zero, which only says that a weight is zero."""
    given, valid = OPPOSITE, refusal(OPPOSITE, [("s", "1", 1), ("t", "1", 1)])
    lines: Json = [[[-1, 0], "weak"], [[1, 0], "weak"]]
    terms = [{"state": None, "action": str(i), "multiplier": 1} for i in range(2)]
    return Forgery(
        "asked: weak beliefs alone", given, valid, {**valid, "request": {**ASKED, "prior": lines}, "conflict": terms}
    )


ASKED_FORGERIES = [
    forged("nothing", drop("same"), "what does as well is not said"),
    forged("weak contradiction", put("same", []), "what does as well, in a refusal"),
    forged("nothing", put("request.more", []), "an unknown wish"),
    forged("nothing", put("request", []), "a list for a request"),
    forged("nothing", put("request.folds", True), "true as folds"),
    forged("once, less said", put("request.folds", 0), "no fold"),
    forged("twice, less said", put("request.folds", 3), "more folds than there are"),
    forged("twice, less said", several(lesson=["s", "t"], size=2, cost="2"), "a ray shown once of two times"),
    forged("twice", put("request.folds", 1), "fewer folds than the bound is of"),
    forged("twice of three", put("lower_bound", "3"), "a bound too high"),
    forged("twice of three", put("bound", branch("a", TREE, leaf((0, 9)))), "a unit taken twice"),
    forged("twice of three", put("bound.refused", TREE), "a copy taken that was refused along"),
    forged("given", several(lesson=["s", "t"], size=1, cost="2"), "a given state in the lesson"),
    forged("given", put("bound", leaf((1, 1))), "a weight on what is given"),
    forged("given", put("request.given", ["t", "z"]), "an unknown state given"),
    forged("given", put("request.given", ["t", "t"]), "a state given twice"),
    forged("given", put("request.must", ["t"]), "a state with two statuses"),
    forged("given", put("size", 2), "a given state counted"),
    forged("all given", put("request.given", ["t"]), "a ray that nobody shows"),
    forged("must", several(lesson=["s"], size=1, cost="1"), "a state left out that must be shown"),
    forged("must", put("request.must", []), "a bound of what must be shown where nothing must"),
    forged("may not", several(**{**LESS, "lesson": ["s"], "size": 1, "cost": "1"}), "a state shown that may not be"),
    forged("may not", put("request.may_not", []), "a bound without a state that may be shown"),
    forged("groups", put("request.groups.1.states", ["t", "z"]), "a group with an unknown state"),
    forged("groups", put("request.groups.1.states", ["t"]), "a group that does not show a ray"),
    forged("groups", put("request.groups.1.cost", 1), "a group at another cost"),
    forged("groups", put("request.groups.1.name", "A"), "two groups of one name"),
    forged("groups", put("size", 1), "groups counted as demonstrations"),
    forged("groups", put("request.given", ["s"]), "a state given that is no group"),
    forged("strict prior", put("request.prior.0.1", "weak"), "a strict belief called weak"),
    forged("strict prior", put("request.prior.0.1", "firm"), "a belief of an unknown kind"),
    forged("strict prior", put("request.prior", []), "no belief, and a direction implied by one"),
    forged("weak priors", put("inside.0.1", [2, 3]), "a direction implied by weak beliefs only"),
    forged("weak priors", put("request.prior", [[[1, -1], "strict"]]), "a w_0 that is not in accord with a belief"),
    forged("weak priors", put("realizes", [1, 0]), "a w_0 with a tie, in accord with all beliefs"),
    forged("weak priors", put("misconceptions.0.w", [3, 1]), "a misconception that is right"),
    forged("weak priors", put("misconceptions.0.w", [0, 0]), "a misconception that ties elsewhere too"),
    forged("a class", put("same", []), "a class with a member left out"),
    forged("a class", lambda c: c["same"].append([[1, 5], 0, [1]]), "a member of a class that does not occur"),
    forged("a class", put("same.0.2", [0]), "a member that does not do as well"),
    forged("a class", put("same.0.1", 1), "a member of a class that there is not"),
    forged("a class", put("inside.0.1", [0, 2]), "a member that the class does not imply"),
    forged("weak contradiction", put("request.prior.0.0", [1, 0]), "a conflict with another belief"),
    forged("weak contradiction", put("conflict.1.action", "1"), "a conflict with a belief that there is not"),
    forged(
        "floats",
        put("request.prior", [[[0] * len(ASKED_VALID["floats"][1]["realizes"]), "weak"]]),
        "beliefs about floats",
    ),
    of_opposites(),
]
