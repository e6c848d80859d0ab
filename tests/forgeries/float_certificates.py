"""Forgeries of certificates for float data, made from valid ones by one change each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tests.forgeries.certificates import TWO, Forgery, drop, put, several
from tests.forgeries.floats import FloatProblem, certify_floats
from tests.forgeries.maker import Json, Problem, certify, number, whole


def floats(states: dict[str, Sequence[Sequence[float]]], **about: Any) -> FloatProblem:
    """A problem from its differences: the target has zero features."""
    width = len(next((x for xs in states.values() for x in xs), (0,)))
    return FloatProblem({name: [[0.0] * width, *([-v for v in x] for x in xs)] for name, xs in states.items()}, **about)


def plus(*vectors: Sequence[float]) -> list[float]:
    """The sum as floats add."""
    return [sum(entries) for entries in zip(*vectors, strict=True)]


A, B = (1.0, 0.1), (0.1, 1.0)
R, S, T = (1.0, 0.1, 0.2), (0.1, 1.0, 0.3), (0.3, 0.2, 1.0)
SMALL = Fraction(1, 2**20)
PAIR = {"s": [A, B], "t": [[3 * v for v in A], (0.7, 0.7)], "u": [[7 * v for v in B], (0.5, 0.6), (0.5, 0.6)]}
PLAIN = floats(PAIR)
FACES = floats({"s": [R, S, T], "t": [plus(R, S), plus(S, T)], "u": [plus(R, T, T), plus(R, S, T)]})
LONE = floats({"s": [R], "t": [S], "u": [T], "v": [plus(R, S), [3 * v for v in R]]}, costs={"t": Fraction(3, 2)})
STRICT = floats({"s": [A, B], "t": [[2 * v for v in A]]}, noise=Fraction(0), merge=Fraction(0), gap=1)
NOISELESS = floats({"s": [A, B], "t": [[2 * v for v in A], (0.5, 0.5)]}, noise=Fraction(0))
UNMERGED = floats({"s": [A, B], "t": [[2 * v for v in A], (0.5, 0.5)]}, merge=Fraction(0))
SHORT = floats({"s": [(1.0, 0.5), (0.5, 1.0)], "t": [(0.75, 0.75)]}, arithmetic="float32", noise=SMALL)
HALF = replace(SHORT, arithmetic="float16", noise=Fraction(1, 2**9), merge=Fraction(1, 2**5), gap=4)
EMPTY = floats({"s": [], "t": []})
CLOSE = floats({"s": [A, B, (1.0, 0.1 + 2**-30)]}, gap=2)  # inside, and outside the annulus only of a small gap
WIDE = floats(
    {"s": [(0.4, 1.0), (-1.0, 0.6)], "t": [(1.0, 0.45), (0.45, 1.0)]}, merge=Fraction(3, 5), gap=1, noise=SMALL
)
FAR = floats({"s": [(0.4, 1.0)], "t": [(1.0, 0.9)], "u": [(-0.1, 1.0)]}, merge=Fraction(7, 10), gap=1, noise=SMALL)
NEAR = floats({"s": [A, B], "t": [(1.0, 0.1 + 2**-20)]})  # (1, .1 + 2^-20) is inside, a little above the noise
OPPOSITE = floats({"s": [A], "t": [[-v for v in A]]})
NAMED = replace(PLAIN, name="plain", identity="environment\tplain\t1")

FLOAT_VALID: dict[str, tuple[FloatProblem, Json]] = {
    "plain": (PLAIN, certify_floats(PLAIN)),
    "plain, the long way": (PLAIN, certify_floats(PLAIN, lesson=["t", "u"])),
    "plain, large tau": (PLAIN, certify_floats(PLAIN, tau=Fraction(10**6))),
    "faces": (FACES, certify_floats(FACES)),
    "faces, large tau": (FACES, certify_floats(FACES, tau=Fraction(10**6))),
    "lone": (LONE, certify_floats(LONE)),
    "strict": (STRICT, certify_floats(STRICT)),
    "unmerged": (UNMERGED, certify_floats(UNMERGED)),
    "noiseless": (NOISELESS, certify_floats(NOISELESS)),
    "short": (SHORT, certify_floats(SHORT)),
    "half": (HALF, certify_floats(HALF)),
    "empty": (EMPTY, certify_floats(EMPTY)),
    "close": (CLOSE, certify_floats(CLOSE)),
    "near": (NEAR, certify_floats(NEAR)),
    "named": (NAMED, certify_floats(NAMED)),
    "wide": (WIDE, certify_floats(WIDE)),
    "far": (FAR, certify_floats(FAR)),
}


def forged(base: str, change: Callable[[Json], None], name: str) -> Forgery:
    given, valid = FLOAT_VALID[base]
    copy = deepcopy(valid)
    change(copy)
    return Forgery(name, given, valid, copy)


def nudge(path: str, by: Fraction) -> Callable[[Json], None]:
    """Change a rational at a place such as `tau` or `assumed.0.1.0.1`."""

    def change(certificate: Json) -> None:
        place: Any = certificate
        *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
        for step in way:
            place = place[step]
        value = Fraction(place[last]) + by
        place[last] = str(value) if path == "tau" else number(value)

    return change


def noise(value: Any) -> Callable[[Json], None]:
    return put("arithmetic.noise", value)


def stored(given: FloatProblem) -> Problem:
    """The same numbers as exact data."""
    states = {
        name: [tuple(Fraction(a) - Fraction(b) for a, b in zip(actions[0], phi, strict=True)) for phi in actions[1:]]
        for name, actions in given.states.items()
    }
    return Problem(states, given.costs, arithmetic="stored")


def conflict(*terms: tuple[str, str, int]) -> Json:
    return OPPOSITE.heading("not realizable") | {
        "conflict": [{"state": s, "action": a, "multiplier": m} for s, a, m in terms]
    }


def within_noise(slope: float, side: int) -> list[int | str]:
    """Weights that are positive (or negative) on (1, slope), by far less than the noise."""
    exact = Fraction(slope)
    scale = exact.denominator * 2**10
    return whole((side - exact * scale, scale))


def extra_ray(certificate: Json) -> None:
    """A second representative of a class, as if it were another ray."""
    certificate["rays"].append(["t", "1"])
    certificate |= {"merged": 1, "all_rays": False}


def too_many(certificate: Json) -> None:
    certificate["inside"].insert(0, [[1, 1], [0, 1]])


FLOAT_VALID["opposite"] = (OPPOSITE, conflict(("s", "1", 1), ("t", "1", 1)))
EXACT = certify(TWO)
MAX = Fraction(2**64)

BITS = stored(PLAIN)
CLAIMED = FLOAT_VALID["plain"][1]

FLOAT_FORM = [
    forged("plain", put("arithmetic", "float64"), "floats without tolerances"),
    forged("plain", put("arithmetic", "exact"), "floats presented as exact"),
    Forgery("floats with the certificate of stored numbers", PLAIN, CLAIMED, certify(BITS)),
    Forgery("stored numbers with the certificate of floats", BITS, certify(BITS), CLAIMED),
    Forgery("exact data presented as floats", TWO, EXACT, EXACT | {"arithmetic": CLAIMED["arithmetic"]}),
    forged("plain", put("arithmetic.kind", "float32"), "another kind of float"),
    forged("plain", drop("tau"), "no margin"),
    forged("plain", drop("assumed"), "no assumptions"),
    forged("plain", put("arithmetic.gap", True), "true as gap"),
    forged("plain", put("arithmetic.noise", 0.0), "a float as noise"),
    forged("plain", put("arithmetic.noise", "2/4"), "noise not in lowest terms"),
    forged("plain", put("rays.0", "s1"), "a text for a place"),
    forged("plain", put("rays.0", ["s"]), "a place without action"),
    forged("plain", put("rays.0", ["s", "0"]), "the target as a ray"),
    forged("plain", put("rays.0", ["s", "3"]), "an action that is not there as a ray"),
    forged("plain", put("rays.0", ["z", "1"]), "an unknown state as a ray"),
    forged("plain", put("rays.0", [0, 1]), "numbers for the place of a ray"),
    forged("plain", put("rays.0", [1, 0]), "a vector for the place of a ray"),
    forged("faces", lambda c: c["assumed"].reverse(), "unsorted assumptions"),
    forged("faces", lambda c: c["assumed"][0][1].reverse(), "unsorted multipliers"),
    forged("faces", put("assumed.0.1.0.0", 3), "an assumption on a ray past the end"),
    forged("faces", put("assumed.0.1.0.1", 1.0), "a float as multiplier"),
    forged("faces", put("assumed", {}), "an object for the assumptions"),
    forged("plain", put("tau", 3), "a margin that is no text"),
    forged("plain, large tau", put("tau", "2000000/2"), "a margin not in lowest terms"),
    forged("empty", put("tau", "-1"), "a negative margin"),
    forged("strict", put("tau", "1"), "a margin without noise"),
]

TOLERANCES = [
    forged("empty", noise(1), "noise as large as the features"),
    forged("empty", noise(-1), "negative noise"),
    forged("empty", put("arithmetic.merge", "-1/2"), "a negative angle"),
    forged("unmerged", put("arithmetic.gap", 0), "no gap"),
    forged("empty", put("arithmetic.merge", "1/1024"), "a gap up to 90 degrees"),
    forged("plain", noise("1/8"), "more noise than the weights bear"),
    forged("faces", noise("1/1152921504606846976"), "less noise than was assumed away"),
    forged("plain", noise("1/9007199254740992"), "less noise than the margin was made for"),
    forged("close", put("arithmetic.gap", 1024), "an annulus that is not empty"),
    forged("close", put("arithmetic.merge", "1/536870912"), "a class with a stranger in it"),
    forged("plain", put("arithmetic.merge", 0), "less merged than said"),
    forged("near", put("arithmetic.merge", "1/524288"), "a class of two rays"),
]

LABELS = [
    forged("plain", extra_ray, "one class under two names"),
    forged("plain", put("rays.1", ["t", "1"]), "two rays of one class"),
    forged("plain", lambda c: c["rays"].reverse(), "rays in another order than their misconceptions"),
    forged("near", put("realizes", [-1, 10]), "a w_0 that is not certain"),  # 10 times the float 0.1 is above 1
    forged("near", put("misconceptions.0.w", within_noise(0.1 + 2**-20, 1)), "a misconception within the noise"),
    forged("near", put("misconceptions.0.w", within_noise(0.1, -1)), "a misconception that is hardly wrong"),
    forged("plain", lambda c: c["inside"].pop(), "an omitted float difference"),
    forged("faces", lambda c: c["assumed"].pop(), "an omitted assumption"),
    forged("faces", lambda c: c["assumed"].insert(0, [[-1, 0, 0], []]), "an assumption about nothing"),
    forged("plain", too_many, "an inner direction that does not occur"),
    forged("faces", lambda c: c["inside"].append(c["assumed"][0]), "assumed and inside"),
    forged(
        "faces, large tau",
        nudge("assumed.0.1.0.1", Fraction(1, 2**45)),
        "an assumption off by a little more than the noise",
    ),
    forged("faces", nudge("assumed.0.1.0.1", -MAX), "a negative multiplier of floats"),
    forged("faces", put("assumed.0.1.0.1", 0), "a multiplier of zero"),
    forged("faces", put("assumed.0.1", []), "an assumption that is nothing"),
    forged("plain", put("merged", 3), "more merged than there is"),
    forged("plain", put("merged", True), "true as a count of merged differences"),
    forged("faces", put("assumed_inside", 1), "less assumed than there is"),
    forged("plain", put("lesson", ["t"]), "floats: a lesson that does not show a ray"),
    forged("lone", put("lesson", ["s", "t", "v"]), "floats: a lesson with another state"),
    forged("plain", put("misconceptions.0.w", [1, 1]), "floats: a misconception that is right"),
    forged("plain", several(lower_bound="0"), "floats: a smaller bound than is proved"),
]

MARGINS = [
    forged("plain", nudge("tau", -Fraction(1, 2**70)), "a margin that is a little too small"),
    forged("lone", put("tau", "2"), "a margin that forgets an assumption"),
    forged("plain", put("tau", "-2"), "a negative margin with differences"),
    forged("plain, the long way", put("tau", "2"), "a margin that forgets a merge"),
    forged("far", several(lesson=["t"], tau=str(MAX)), "a class with more than 90 degrees between its members"),
    forged("far", several(lesson=["t"], tau=str(-MAX)), "the same, with a negative margin"),
]

CONFLICTS = [
    forged("opposite", put("conflict.0.multiplier", 2), "a conflict of floats that is none"),
    forged("opposite", put("arithmetic", "stored"), "a conflict of floats under another arithmetic"),
    forged("opposite", noise(2), "a conflict with more noise than there can be"),
]

FLOAT_FORGERIES = [*FLOAT_FORM, *TOLERANCES, *LABELS, *MARGINS, *CONFLICTS]
