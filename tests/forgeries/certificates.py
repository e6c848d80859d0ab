"""Forgeries made from valid certificates by one change each, in the order of the rules of docs/certificate-v1.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from tests.forgeries.maker import Json, Number, Problem, called, certify, heading, problem, refusal


@dataclass(frozen=True)
class Forgery:
    """A certificate that must be rejected for this problem, and a valid one that it was made from."""

    name: str
    problem: Problem
    valid: Json
    forged: Any


def moment(*rays: int) -> list[tuple[int, int, int]]:
    """Vectors of the moment curve, every one of which is an extreme ray."""
    return [(1, k, k * k) for k in rays]


TWO = problem({"s": [(1, 0), (0, 1)], "t": [(1, 0), (1, 1)], "u": [(0, 1), (1, 2)]})
SWAPPED = problem({"t": TWO.states["s"], "s": TWO.states["t"], "u": TWO.states["u"]})
PATH = problem({"s": [(1, 0)], "t": [(1, 1)], "u": [(0, 1)]})  # only s and u show a ray
CORNER = problem({"s": [(1, 0), (0, 1)], "v": [(-1, 2)]})  # (0, 1) is inside: the rays are (1, 0) and (-1, 2)
TRIANGLE = problem({"0": moment(0, 1), "1": moment(1, 2), "2": moment(0, 2)})  # an odd cycle: two of three
PRICED = problem(TRIANGLE.states, **{"0": 2, "1": 3, "2": 3})
HALVES = problem(TRIANGLE.states, **{"0": Fraction(1, 2), "1": Fraction(1, 2), "2": Fraction(1, 2)})
IDLE = problem({"s": [(1, 0), (0, 1)], "t": [(1, 1)]})  # t refutes nothing
NOTHING = problem({"s": [], "t": []})
LARGE = problem({"s": [(2**60 + 1, 1), (0, 1)], "t": [(2**61 + 2, 3)]})
THIRDS = problem({"s": [(Fraction(1, 3), 0), (0, Fraction(1, 2))], "t": [(Fraction(1, 3), Fraction(1, 5))]})
BINARY = replace(THIRDS, arithmetic="stored", states={"s": [(Fraction(1, 2), 0), (0, 1)], "t": [(Fraction(1, 4), 1)]})
NAMED = called(TWO, "two")
OPPOSITE = problem({"s": [(1, 0)], "t": [(-1, 0)]})
CROSS = problem({"s": [(1, 0), (0, 1)], "t": [(-1, 0), (0, -1)]})
ALIKE = problem({"s": [(1, 0)], "t": [(2, 0)]})
TIE = problem({"s": [(0, 0)], "t": [(1, 0)]})
SUM = problem({"a": [(1, 0)], "b": [(0, 1)], "c": [(-2, -2), (5, 7)]})

HALF = {"weights": [[0, "1/2"], [1, "1/2"], [2, "1/2"]], "sets": []}
ODD_SET = {"weights": [], "sets": [{"of": [0, 1, 2], "at_most": 2, "weight": 1}]}
EACH = {"weights": [[0, 1], [1, 1]], "sets": []}
NO_BOUND: Json = {"weights": [], "sets": []}
ALL_THREE: Json = {"lesson": ["0", "1", "2"], "size": 3, "cost": "3"}

VALID: dict[str, tuple[Problem, Json]] = {
    "two": (TWO, certify(TWO)),
    "two, weighed": (TWO, certify(TWO, bound={"weights": [[0, 1]], "sets": []}, low="1")),
    "two, named": (NAMED, certify(NAMED)),
    "two, the long way": (TWO, certify(TWO, lesson=["t", "u"])),
    "path": (PATH, certify(PATH, bound=EACH, low="2")),
    "corner": (CORNER, certify(CORNER)),
    "triangle": (TRIANGLE, certify(TRIANGLE)),
    "triangle, halves": (TRIANGLE, certify(TRIANGLE, bound=HALF, low="2")),
    "triangle, odd set": (TRIANGLE, certify(TRIANGLE, bound=ODD_SET, low="2")),
    "triangle, all": (TRIANGLE, certify(TRIANGLE, lesson=["0", "1", "2"])),
    "priced": (PRICED, certify(PRICED)),
    "half price": (HALVES, certify(HALVES, bound={**HALF, "weights": [[0, "1/4"], [1, "1/4"], [2, "1/4"]]}, low="1")),
    "idle": (IDLE, certify(IDLE)),
    "nothing": (NOTHING, certify(NOTHING)),
    "large": (LARGE, certify(LARGE)),
    "thirds": (THIRDS, certify(THIRDS)),
    "binary": (BINARY, certify(BINARY)),
    "opposite": (OPPOSITE, refusal(OPPOSITE, [("s", "1", 1), ("t", "1", 1)])),
    "cross": (CROSS, refusal(CROSS, [("s", "1", 1), ("t", "1", 1)])),
    "tie": (TIE, refusal(TIE, [("s", "1", 5)])),
    "sum": (SUM, refusal(SUM, [("a", "1", 1), ("b", "1", 1), ("c", "1", Fraction(1, 2))])),
    "alike": (ALIKE, certify(ALIKE)),
}


def listed_inner_ray() -> tuple[Problem, Json]:
    """A valid certificate that lists (1, 1), which is no ray, among the shown directions, and says less for it."""
    given = problem({"s": [(1, 0), (0, 1)], "t": [(1, 1)], "u": [(1, 2)]})
    valid = certify(given, lesson=["s", "t"], bound={"weights": [[0, 1]], "sets": []}, low="1")
    valid |= {"rays": [[0, 1], [1, 0], [1, 1]], "inside": [[[1, 2], [0, 1]]], "all_rays": False}
    return given, valid


VALID["inner ray"] = listed_inner_ray()


@cache
def deep(levels: int, states: int = 402) -> tuple[Problem, Json]:
    """A tree of so many branchings: each state alone shows its ray, so refusing it leaves that ray out of reach."""
    names = [f"{k:03}" for k in range(states)]
    given = problem({name: moment(k) for k, name in enumerate(names)})
    bound = NO_BOUND
    for k in reversed(range(levels)):
        bound = {"state": names[k], "taken": bound, "refused": {"weights": [[k, states]], "sets": []}}
    certificate = heading(given, "interval") | {
        "lesson": names,
        "size": states,
        "cost": str(states),
        "lower_bound": str(levels),
        "realizes": [1, 0, 0],
        "rays": [list(ray) for ray in moment(*range(states))],
        "inside": [],
        "misconceptions": [{"ray": k, "w": [2 * k * k - 1, -4 * k, 2]} for k in range(levels)],
        "bound": bound,
        "all_rays": False,
    }
    return given, certificate


def put(path: str, value: Any) -> Callable[[Json], None]:
    """Write a value at a place such as `problem.states` or `inside.0.1`."""

    def change(certificate: Json) -> None:
        *way, last = (int(step) if step.lstrip("-").isdigit() else step for step in path.split("."))
        place: Any = certificate
        for step in way:
            place = place[step]
        place[last] = value

    return change


def drop(key: str) -> Callable[[Json], None]:
    return lambda certificate: certificate.pop(key)


def several(**values: Any) -> Callable[[Json], None]:
    return lambda certificate: certificate.update(values)


def conflict(*terms: tuple[str, str, Number | str]) -> Callable[[Json], None]:
    return several(conflict=[{"state": s, "action": a, "multiplier": m} for s, a, m in terms])


def forged(base: str, change: Callable[[Json], None], name: str) -> Forgery:
    given, valid = VALID[base]
    copy = deepcopy(valid)
    change(copy)
    return Forgery(name, given, valid, copy)


def leaf(*weights: Sequence[Any]) -> Json:
    return {"weights": [list(pair) for pair in weights], "sets": []}


def odd_set(**changes: Any) -> Json:
    return {"weights": [], "sets": [{"of": [0, 1, 2], "at_most": 2, "weight": 1, **changes}]}


def branch(state: Any, taken: Json, refused: Json) -> Json:
    return {"state": state, "taken": taken, "refused": refused}


def cycle(certificate: Json) -> None:
    certificate["bound"]["taken"] = certificate["bound"]


def deep_forgeries() -> list[Forgery]:
    given, too_deep = deep(401)
    return [Forgery("a tree deeper than the limit", given, deep(400)[1], too_deep)]


LESS = {"lower_bound": "0", "claim": "interval", "bound": NO_BOUND}
LAST_TWO = {"lesson": ["1", "2"], "cost": "6", "lower_bound": "6"}
UNREACHED = branch("1", branch("2", leaf(), leaf((0, 6))), leaf((1, 6)))
NEARLY_ONE = f"{10**30 + 1}/{10**30}"
FLAT = {"lesson": ["s", "t", "u"], "size": 3, "cost": "3", "lower_bound": "3", "inside": []}
FLAT |= {"rays": [[0, 1], [1, 0], [1, 1]], "bound": leaf((0, 1), (1, 1), (2, 1))}


def flat(w: Sequence[int]) -> Callable[[Json], None]:
    """Call (1, 1) a ray, with this misconception."""

    def change(certificate: Json) -> None:
        certificate.update(deepcopy(FLAT))
        certificate["misconceptions"] = [
            {"ray": 0, "w": [2, -1]},
            {"ray": 1, "w": [-1, 2]},
            {"ray": 2, "w": list(w)},
        ]

    return change


FORM = [
    forged("two", put("format", "another"), "another format"),
    forged("two", put("version", 2), "unknown version"),
    forged("two", put("version", True), "true as version"),
    forged("two", put("version", 1.0), "a float as version"),
    forged("two", put("verified", True), "an unknown key"),
    forged("two", put("made_by.time", "now"), "an unknown key inside"),
    forged("two", drop("all_rays"), "a missing key"),
    forged("two", drop("claim"), "no claim"),
    forged("two", put("made_by.hornbook", 1), "a version that is no text"),
    forged("two", put("rays", {}), "an object for a list"),
    forged("two", put("bound", []), "a list for a tree"),
    forged("two", put("inside.0.1", [0, True]), "true as index"),
    forged("two", put("inside.0.1", [-2, -1]), "negative indices"),
    forged("two", put("inside.0.1", [0, 2]), "an index past the end"),
    forged("two", put("inside.0.1", [1, 0]), "an unsorted index set"),
    forged("two", put("inside.0.1", [0, 1, 1]), "an index twice"),
    forged("two", lambda c: c["inside"].reverse(), "unsorted directions"),
    forged("two", lambda c: c["rays"].reverse(), "unsorted rays"),
    forged("two", lambda c: c["misconceptions"].append(c["misconceptions"][1]), "a misconception twice"),
    forged("two", put("realizes", ["1", 1]), "a small integer as text"),
    forged("large", put("realizes", [2**60, 1]), "a large integer as number"),
    forged("two", put("realizes", [1, "+1"]), "an integer with a plus sign"),
    forged("two", put("realizes", [1.0, 1]), "a float in a vector"),
    forged("two", put("realizes", [True, 1]), "true in a vector"),
    forged("two", put("realizes", ["9" * 4301, 1]), "an integer above the limit"),
    forged("triangle, halves", put("bound.weights.0.1", "2/4"), "not in lowest terms"),
    forged("two, weighed", put("bound.weights.0.1", "1/1"), "a denominator of one"),
    forged("two, weighed", put("bound.weights.0.1", "1/0"), "a denominator of zero"),
    forged("two, weighed", put("bound.weights.0.1", "1/-1"), "a negative denominator"),
    forged("two, weighed", put("bound.weights.0.1", 1.0), "a float as weight"),
    forged("two", put("bound", {"weights": [], "sets": [], "value": 0}), "an unknown key in a leaf"),
    forged("priced", lambda c: c["bound"].pop("refused"), "a missing branch"),
    forged("priced", put("bound.taken", {}), "a missing leaf"),
    forged("priced", cycle, "a cycle"),
    Forgery("a list", TWO, VALID["two"][1], [VALID["two"][1]]),
    Forgery("nothing at all", TWO, VALID["two"][1], None),
]

HEADER = [
    forged("two", put("problem.name", "two"), "data under the name of an environment"),
    forged("two, named", put("problem.name", None), "an environment without its name"),
    forged("two", put("problem.sha256", VALID["path"][1]["problem"]["sha256"]), "the hash of another problem"),
    forged("two, named", put("problem.sha256", VALID["two"][1]["problem"]["sha256"]), "the hash of the rows"),
    forged("two", put("problem.states", 4), "another number of states"),
    forged("two", put("problem.differences", 7), "another number of differences"),
    forged("two", put("arithmetic", "stored"), "exact data called stored"),
    forged("binary", put("arithmetic", "exact"), "stored floats called exact"),
]

TEACHES = [
    forged("two", put("realizes", [1, 0]), "a w_0 with a tie"),
    forged("two", put("realizes", [1, 1, 1]), "a w_0 of another length"),
    forged("two", put("inside.1", [[1, 3], [0, 1]]), "an omitted difference, made up for"),
    forged("two", lambda c: c["inside"].pop(), "an omitted difference"),
    forged("two", lambda c: c["inside"].append([[1, 3], [0, 1]]), "a direction that does not occur"),
    forged("two", lambda c: c["inside"].insert(0, [[0, 1], [0]]), "a ray listed twice"),
    forged("two", put("inside.0.1", []), "an empty index set"),
    forged("two", put("inside.0.1", [0]), "an index set whose cone has another dimension"),
    forged("inner ray", put("inside.0.1", [0, 1, 2]), "an index set that is not independent"),
    forged("inner ray", put("inside.0.1", [1, 2]), "a negative multiplier"),
    forged("two", put("lesson", ["t"]), "a lesson that does not show a ray"),
    forged("two", put("lesson", ["s", "s"]), "a state twice"),
    forged("two", put("lesson", ["s", "z"]), "an unknown state"),
    forged("two", put("lesson", [0]), "a row number for an id"),
    forged("triangle", lambda c: c["lesson"].reverse(), "a lesson out of order"),
    forged("triangle", lambda c: c["lesson"].pop(), "a dropped state"),
    forged("two", put("size", 2), "a size off by one"),
    forged("two", put("size", True), "true as size"),
    forged("two", put("cost", "2"), "another cost"),
    forged("two", put("cost", 1), "a cost that is no text"),
    forged("two", put("all_rays", False), "all rays proved, and not said"),
    forged("inner ray", put("all_rays", True), "not all rays proved, and said"),
    forged(
        "nothing",
        several(lesson=["s"], size=1, cost="1", claim="interval"),
        "a demonstration where there is nothing to learn",
    ),
    forged(
        "corner",
        several(
            lesson=["s"],
            size=1,
            cost="1",
            lower_bound="1",
            rays=[[0, 1], [1, 0]],
            inside=[[[-1, 2], [0, 1]]],
            misconceptions=[{"ray": 0, "w": [2, -1]}, {"ray": 1, "w": [-1, 2]}],
            bound=leaf((0, 1)),
        ),
        "a hidden ray",
    ),
    Forgery("permuted ids", SWAPPED, certify(SWAPPED), VALID["two"][1]),
    forged("path", several(lesson=["s", "t"]), "a replaced state"),
    Forgery(
        "a problem with x and -x",
        OPPOSITE,
        VALID["opposite"][1],
        heading(OPPOSITE, "interval")
        | {"lesson": ["s", "t"], "size": 2, "cost": "2", "lower_bound": "0", "realizes": [1, 0], "bound": NO_BOUND}
        | {"rays": [[-1, 0], [1, 0]], "inside": [], "misconceptions": [], "all_rays": False},
    ),
]

FEWER_CANNOT = [
    forged("path", flat([1, 1]), "a misconception that is not wrong on its ray"),
    forged("path", flat([-1, -1]), "a misconception that is wrong on other rays too"),
    forged("two, the long way", put("misconceptions.0.w", [3, -2]), "a misconception that is wrong inside"),
    forged("two", put("misconceptions.0.w", [1, -1, 0]), "a misconception of another length"),
    forged("two, weighed", put("bound", leaf((0, 1), (1, 0))), "a weight of zero"),
    forged("two, weighed", put("bound", leaf((0, "-1/2"))), "a negative weight"),
    forged("triangle, odd set", put("bound", odd_set(weight=0)), "a set with a weight of zero"),
    forged("two, weighed", put("bound", leaf((0, 1), (2, 1))), "a weight on a misconception that is not listed"),
    forged("two, weighed", put("bound", leaf((0, 1), (0, 1))), "two weights on one misconception"),
    forged("triangle, odd set", put("bound", odd_set(at_most=True)), "true as a count"),
    forged("triangle, odd set", put("bound", odd_set(at_most=0)), "at most none"),
    forged(
        "triangle, odd set",
        several(**ALL_THREE, lower_bound="3", bound=odd_set(at_most=1)),
        "a set that a state refutes more of",
    ),
    forged("triangle", put("lower_bound", "1"), "a lower bound below the one proved"),
    forged(
        "triangle, halves",
        several(**ALL_THREE, claim="interval", bound=leaf((0, 1), (1, 1), (2, 1)), lower_bound="2"),
        "a forgotten overload",
    ),
    forged(
        "half price",
        several(**(ALL_THREE | {"cost": "3/2"}), claim="interval", bound=leaf((0, "1/2"), (1, "1/8")), lower_bound="1"),
        "rounded up further than to the unit of the costs",
    ),
    forged("two", put("claim", "interval"), "a minimum called an interval"),
    forged("two, the long way", put("claim", "minimum"), "an interval called a minimum"),
    forged("two", put("claim", "proved"), "an unknown claim"),
    forged("priced", put("bound", {"value": 0}), "a node of no kind"),
    forged(
        "priced",
        several(**LAST_TWO, bound=branch("0", leaf((2, 6)), UNREACHED)),
        "called out of reach while a state is free",
    ),
    forged(
        "priced",
        several(**LAST_TWO, bound=branch("0", leaf((0, 6)), UNREACHED)),
        "called out of reach while a taken state refutes it",
    ),
    forged("two, weighed", put("bound", branch("z", leaf((0, 1)), leaf((0, 1)))), "a branching on an unknown state"),
    forged("two, weighed", put("bound", branch(0, leaf((0, 1)), leaf((0, 1)))), "a branching on a row number"),
    forged("idle", put("bound", branch("t", leaf((0, 1)), leaf((0, 1)))), "a branching on an idle state"),
    forged(
        "priced",
        lambda c: c["bound"].update(taken=branch("0", c["bound"]["taken"], c["bound"]["taken"])),
        "a branching on a taken state",
    ),
    forged(
        "priced",
        lambda c: c["bound"].update(refused=branch("0", c["bound"]["refused"], c["bound"]["refused"])),
        "a branching on a refused state",
    ),
]

NOT_REALIZABLE = [
    forged("opposite", conflict(("s", "1", 1), ("t", "1", NEARLY_ONE)), "a sum off by 1e-30"),
    forged("opposite", conflict(("s", "1", 1), ("t", "1", -1)), "a negative member"),
    forged("opposite", conflict(("s", "1", 1), ("t", "1", 1), ("t", "1", 1)), "a member twice"),
    forged("opposite", conflict(("s", "1", 1), ("t", "1", 1), ("z", "1", 1)), "a member of an unknown state"),
    forged("opposite", conflict(("s", "1", 1), ("t", "1", 1), ("t", "0", 1)), "the target as a member"),
    forged("opposite", conflict(("s", "1", 1), ("t", "1", 1), ("t", "2", 1)), "a member of an unknown action"),
    forged("opposite", conflict(("s", "1", 1)), "a conflict with a member missing"),
    forged("opposite", conflict(), "an empty conflict"),
    forged("opposite", put("conflict", [{"state": "s", "action": "1"}]), "a member without multiplier"),
    forged("opposite", put("conflict", [1]), "a member that is none"),
    forged(
        "cross",
        conflict(("s", "1", 1), ("s", "2", 1), ("t", "1", 1), ("t", "2", 1)),
        "a conflict of which a part would do",
    ),
    Forgery(
        "all multipliers zero",
        ALIKE,
        VALID["alike"][1],
        refusal(ALIKE, [("s", "1", 0), ("t", "1", 0)]),
    ),
    forged("opposite", put("lesson", []), "a lesson beside a conflict"),
]

FORGERIES = [*FORM, *HEADER, *TEACHES, *FEWER_CANNOT, *NOT_REALIZABLE, *deep_forgeries()]
