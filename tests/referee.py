"""Hornbook against the oracles: what it says, what is true, and every way they can differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tests.brute import TooLarge, cheapest_cover
from tests.instances import BAD, Instance, arrays, differences, directions, ragged
from tests.oracles import (
    LIBRARIES,
    NOTREAL,
    NoAnswer,
    Oracle,
    Rays,
    Truth,
    Vector,
    each_without,
    primitive,
    realizing,
    slow_facet,
    slow_rays,
)

OK = "OK"
SMALL = 8  # cones of up to this many vectors are put to the slow oracle, too


@dataclass(frozen=True)
class Answer:
    """What hornbook said: OK with rays and lesson, NOTREAL with a conflict, or BAD with its message."""

    outcome: str
    rays: Rays = ()
    states: tuple[int, ...] = ()
    cost: Fraction = Fraction(0)
    lower_bound: Fraction = Fraction(0)
    conflict: tuple[tuple[int, int, Fraction], ...] = ()  # state, action, multiplier
    message: str = ""  # of the refusal; for a lesson what its certificate, accepted by the checker, claims


def ask_hornbook(instance: Instance, *, finder: str = "auto") -> Answer:
    """The only place that knows how hornbook is called; instances have no names, so ids are row numbers."""
    import hornbook

    try:
        problem = teaching_problem(instance)
        lesson = hornbook.teach(problem, ray_finder=finder)
    except hornbook.NotRealizable as error:
        terms = tuple((int(t.state), int(t.action), Fraction(t.multiplier)) for t in error.conflict)
        return Answer(NOTREAL, conflict=terms, message=str(error))
    except hornbook.BadProblem as error:
        return Answer(BAD, message=str(error))
    accepted = hornbook.check(lesson.certificate(), problem)
    return Answer(
        OK,
        message=accepted.claim,
        rays=tuple(sorted(tuple(map(int, ray)) for ray in lesson.rays)),
        states=tuple(map(int, lesson.states)),
        cost=Fraction(lesson.cost),
        lower_bound=Fraction(lesson.lower_bound),
    )


def teaching_problem(instance: Instance):
    """The instance as hornbook takes it: lists or an array, whole or in chunks."""
    from hornbook import TeachingProblem

    if instance.dtype is None:
        problem = TeachingProblem.from_ragged(**ragged(instance), exact=instance.exact)
    else:
        problem = TeachingProblem(**arrays(instance), exact=instance.exact)
    if instance.chunk is not None:
        whole = problem.batches
        problem.batches = lambda size=None: whole(instance.chunk)
    return problem


@dataclass(frozen=True)
class Verdict:
    """What at least two oracles agree on, or a complaint; `slow` when the slow one was asked, too."""

    truth: Truth
    complaint: str
    slow: bool


@dataclass
class Referee:
    """The two libraries, and the slow oracle for small cones or where a library is silent. Use `with`."""

    timeout: float = 30.0
    oracles: dict[str, Oracle] = field(default_factory=dict)
    no_answers: list[str] = field(default_factory=list)

    def __enter__(self) -> Referee:
        self.oracles = {library: Oracle(library, timeout=self.timeout) for library in LIBRARIES}
        return self

    def __exit__(self, *_: object) -> None:
        for oracle in self.oracles.values():
            oracle.close()

    def missing(self) -> list[str]:
        """Why libraries cannot be used; empty when all can."""
        return [why for ok, why in (oracle.available() for oracle in self.oracles.values()) if not ok]

    def start(self, cones: Sequence[Sequence[Vector]]) -> None:
        for oracle in self.oracles.values():
            oracle.start(cones)

    def finish(self, cones: Sequence[Sequence[Vector]]) -> list[Verdict]:
        answers = [oracle.finish() for oracle in self.oracles.values()]
        return [
            self._settle(cone, dict(zip(self.oracles, said, strict=True)))
            for cone, *said in zip(cones, *answers, strict=True)
        ]

    def _settle(self, cone: Sequence[Vector], opinions: dict[str, Truth]) -> Verdict:
        failed = [t.rays.reason for t in opinions.values() if isinstance(t.rays, NoAnswer)]
        self.no_answers += failed
        if failed or 0 < len(cone) <= SMALL:
            slow = slow_rays(cone)
            opinions["slow"] = Truth(slow, slow != NOTREAL and slow_facet(cone, slow))
        heard = {name: t for name, t in opinions.items() if not isinstance(t.rays, NoAnswer)}
        agree = len(heard) > 1 and len({t.rays for t in heard.values()}) == 1
        complaint = "" if agree or not cone else f"the oracles disagree: {opinions}"
        best = max(heard.values(), key=lambda t: t.facet is not None)
        return Verdict(best, complaint, slow="slow" in opinions)


def cone_of(instance: Instance) -> list[Vector]:
    """The distinct directions of all differences; none for bad input."""
    return [] if instance.expected == BAD else sorted(set().union(*directions(instance)))


def known_cost(instance: Instance, rays: Rays) -> Fraction | None:
    """The least cost of states that show all rays, by brute force; None when that is too much work."""
    shown = [members.intersection(rays) for members in directions(instance)]
    try:
        return cheapest_cover(rays, list(map(list, shown)), costs=instance.cost)
    except TooLarge:
        return None


def judge_truth(instance: Instance, truth: Truth) -> str:
    """What the closed form has against the oracles, or an empty text."""
    if instance.expected in (None, BAD) or instance.expected == truth.rays:
        return ""
    return f"closed form {instance.expected}, oracles {truth.rays}"


def expected_outcome(instance: Instance, truth: Truth) -> str:
    """OK, NOTREAL or BAD."""
    if instance.expected == BAD:
        return BAD
    return NOTREAL if truth.rays == NOTREAL else OK


def judge(instance: Instance, answer: Answer, *, truth: Truth) -> str:
    """What is wrong with an answer of hornbook, or an empty text."""
    outcome = expected_outcome(instance, truth)
    if answer.outcome != outcome:
        return f"hornbook says {answer.outcome} {answer.message}, truth is {outcome}"
    if outcome == BAD:
        return _judge_message(instance, answer.message)
    if outcome == NOTREAL:
        return _judge_conflict(instance, answer)
    if answer.rays != truth.rays:
        return f"hornbook's rays {answer.rays}, true rays {truth.rays}"
    return _judge_lesson(instance, answer, rays=truth.rays)


def _judge_message(instance: Instance, message: str) -> str:
    named = set(re.findall(r"\d+", message))
    lost = [] if instance.bad_at is None else [i for i in instance.bad_at if str(i) not in named]
    return f"the message {message!r} does not name {lost} of {instance.bad_at}" if lost else ""


def _judge_conflict(instance: Instance, answer: Answer) -> str:
    of = {(s, a): x for s, state in enumerate(differences(instance)) for a, x in state}
    members = [of[s, a] for s, a, _ in answer.conflict]
    if not members or any(multiplier <= 0 for _, _, multiplier in answer.conflict):
        return f"not a positive combination: {answer.conflict}"
    total = [sum(m * e for (_, _, m), e in zip(answer.conflict, c, strict=True)) for c in zip(*members, strict=True)]
    if any(total):
        return f"the conflict {answer.conflict} sums to {total}"
    if any(realizing([primitive(x) for x in rest]) is None for rest in each_without(members)):
        return f"the conflict {answer.conflict} is not irreducible"
    if instance.conflict_terms not in (None, len(members)):
        return f"the conflict {answer.conflict} should have {instance.conflict_terms} members"
    return ""


def _judge_lesson(instance: Instance, answer: Answer, *, rays: Rays) -> str:
    shown = directions(instance)
    missing = set(rays).difference(*(shown[s] for s in answer.states))
    if missing:
        return f"the lesson {answer.states} does not show {missing}"
    price = instance.cost or [Fraction(1)] * len(shown)
    if answer.cost != sum(price[s] for s in answer.states):
        return f"the lesson {answer.states} does not cost {answer.cost}"
    if answer.lower_bound != answer.cost:
        return f"not proved minimum: cost {answer.cost}, at least {answer.lower_bound}"
    if instance.size is not None and instance.cost is None and len(answer.states) != instance.size:
        return f"size {len(answer.states)}, known to be {instance.size}"
    if answer.message != "minimum":
        return f"the certificate claims {answer.message}"
    least = known_cost(instance, rays)
    return f"cost {answer.cost}, brute force {least}" if least not in (None, answer.cost) else ""
