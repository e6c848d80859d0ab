"""Hornbook on a float case, and everything that can be wrong with its answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from tests.brute import TooLarge, cheapest_cover
from tests.float_families.cases import AMBIG, LIMIT, OK, FloatCase, Place, Truth
from tests.instances import BAD
from tests.oracles import NOTREAL, primitive

Classes = frozenset[frozenset[Place]]


@dataclass(frozen=True)
class Answer:
    """What hornbook said: OK with classes and a lesson, AMBIG with places, NOTREAL with a conflict, BAD or LIMIT."""

    outcome: str
    message: str = ""
    classes: Classes = frozenset()
    states: tuple[int, ...] = ()
    size: int = 0
    minimum: bool = True
    merged: int = 0
    assumed: int = 0
    places: tuple[Place, ...] = ()
    conflict: tuple[tuple[int, int, Fraction], ...] = ()
    rays: tuple[tuple[float, ...], ...] = ()


def teaching_problem(case: FloatCase):
    """The case as hornbook takes it: a padded array, whole or in chunks."""
    from hornbook import TeachingProblem

    features, available = table(case)
    given = {} if available.all() else {"available": available}
    tolerances = {key: value for key in ("noise", "merge") if (value := getattr(case, key)) is not None}
    problem = TeachingProblem(features=features, target=np.array(case.target), **given, **tolerances)
    if case.chunk is not None:
        whole = problem.batches
        problem.batches = lambda size=None: whole(case.chunk)
    return problem


def table(case: FloatCase):
    """Features [state, action, feature] with padding of sevens, and what is available."""
    shape = (len(case.features), max(map(len, case.features)), len(case.features[0][0]))
    features, available = np.full(shape, 7, dtype=case.kind), np.zeros(shape[:2], dtype=bool)
    for s, actions in enumerate(case.features):
        features[s, : len(actions)] = actions
        available[s, : len(actions)] = True
    # padding must not be what decides how columns are scaled
    features[~available] = 0
    return features, available


def ask(case: FloatCase) -> Answer:
    """The only place that knows how hornbook is called; instances have no names, so ids are row numbers."""
    import hornbook

    try:
        problem = teaching_problem(case)
        lesson = hornbook.teach(problem)
    except hornbook.Ambiguous as error:
        places = tuple((int(s), int(a)) for s, a in error.places)
        return Answer(AMBIG, str(error) if error.hint else "", places=places)
    except hornbook.NotRealizable as error:
        conflict = tuple((int(t.state), int(t.action), Fraction(t.multiplier)) for t in error.conflict)
        return Answer(NOTREAL, str(error), conflict=conflict)
    except hornbook.BadProblem as error:
        return Answer(BAD, str(error))
    except hornbook.LimitExceeded as error:
        return Answer(LIMIT, str(error))
    return _read(case, problem, lesson)


def _read(case: FloatCase, problem, lesson) -> Answer:
    import hornbook

    certificate = lesson.certificate()
    accepted = hornbook.check(certificate, problem)
    states = tuple(map(int, lesson.states))
    answer = Answer(OK, accepted.claim, states=states, size=lesson.size, minimum=lesson.is_minimum)
    if lesson.arithmetic == "exact":  # the floats happen to be integers
        classes = _exact_classes(case, lesson.rays)
        return replace(answer, classes=classes, merged=sum(map(len, classes)) - len(classes))
    places = [(int(state), int(action)) for state, action in certificate["rays"]]
    return replace(
        answer,
        classes=classes_of(case, places, merge=Fraction(certificate["arithmetic"]["merge"])),
        merged=lesson.arithmetic["merged"],
        assumed=lesson.arithmetic["assumed_inside"],
        rays=lesson.rays,
    )


def _exact_classes(case: FloatCase, rays: tuple[tuple[int, ...], ...]) -> Classes:
    shown: dict[tuple[int, ...], set[Place]] = {tuple(map(int, ray)): set() for ray in rays}
    for place, x in differences(case).items():
        shown.get(primitive(x), set()).add(place)
    return frozenset(map(frozenset, shown.values()))


def differences(case: FloatCase) -> dict[Place, tuple[Fraction, ...]]:
    """The stored differences, exactly."""
    found = {}
    for s, (actions, goal) in enumerate(zip(case.features, case.target, strict=True)):
        at = tuple(map(Fraction, actions[goal]))
        for a, row in enumerate(actions):
            if a != goal:
                found[s, a] = tuple(p - Fraction(q) for p, q in zip(at, row, strict=True))
    return found


def scaled(case: FloatCase) -> dict[Place, tuple[Fraction, ...]]:
    """Differences with columns scaled by powers of two to maximum in [1, 2)."""
    units = []
    for column in zip(*(row for actions in case.features for row in actions), strict=True):
        _, exponent = np.frexp(max(map(abs, column)))
        units.append(Fraction(2) ** (1 - int(exponent)) if any(column) else Fraction(1))
    return {p: tuple(u * v for u, v in zip(units, x, strict=True)) for p, x in differences(case).items()}


def classes_of(case: FloatCase, places: list[Place], *, merge: Fraction) -> Classes:
    """From the definition: everything within `merge` of each representative, by exact sines (floats only sort out)."""
    exact = scaled(case)
    names = list(exact)
    rough = np.array([[float(v / max(map(abs, x))) if any(x) else 0.0 for v in x] for x in exact.values()])
    rough /= np.linalg.norm(rough, axis=1, keepdims=True)
    found = []
    for place in places:
        r, near = exact[place], np.linalg.norm(rough - rough[names.index(place)], axis=1) < 2 * float(merge) + 1e-9
        members = [names[i] for i in np.flatnonzero(near) if _within(r, exact[names[i]], merge)]
        found.append(frozenset(members))
    return frozenset(found)


def _within(r: tuple[Fraction, ...], x: tuple[Fraction, ...], merge: Fraction) -> bool:
    dot, one, two = (sum(a * b for a, b in zip(u, v, strict=True)) for u, v in ((r, x), (r, r), (x, x)))
    return dot > 0 and dot * dot >= (1 - merge * merge) * one * two


def judge(case: FloatCase, answer: Answer) -> str:
    """What is wrong with an answer, or an empty text.  Refusing as ambiguous is never wrong here: see `needless`."""
    if answer.outcome == AMBIG:
        return _judge_refusal(case, answer)
    if answer.outcome not in case.allowed:
        return f"hornbook says {answer.outcome} {answer.message}; allowed is {', '.join(case.allowed)}"
    if answer.outcome == NOTREAL:
        return _judge_conflict(case, answer)
    if answer.outcome in (BAD, LIMIT):
        lost = [i for i in case.bad_at or () if str(i) not in answer.message]
        return f"the message {answer.message!r} does not name {case.bad_at}" if lost else ""
    complaints = [_judge_telling(truth, answer) for truth in case.truths]
    return _judge_lesson(answer) if "" in complaints else "; or ".join(complaints)


def needless(case: FloatCase, answer: Answer) -> bool:
    """Refused although an answer was due."""
    return answer.outcome == AMBIG and case.clear


def _judge_refusal(case: FloatCase, answer: Answer) -> str:
    if BAD in case.allowed or case.allowed == (NOTREAL,):
        return f"hornbook is unsure ({answer.message}); allowed is {', '.join(case.allowed)}"
    known = differences(case)
    lost = [place for place in answer.places if place not in known]
    return f"no difference at {lost}" if lost else "" if answer.message else "a refusal without a hint"


def _judge_conflict(case: FloatCase, answer: Answer) -> str:
    known = differences(case)
    terms = [(known[s, a], m) for s, a, m in answer.conflict]
    total = [sum(m * x[i] for x, m in terms) for i in range(len(case.features[0][0]))]
    good = terms and all(m > 0 for _, m in terms) and not any(total)
    return "" if good else f"the conflict {answer.conflict} is not exactly zero"


def _judge_telling(truth: Truth, answer: Answer) -> str:
    rays = {frozenset(ray): i for i, ray in enumerate(truth.rays)}
    strange = [sorted(c) for c in answer.classes if c not in rays]
    if strange:
        return f"{len(answer.classes)} classes, {len(rays)} true rays; no true ray is {strange[:3]}"
    missing = [i for ray, i in rays.items() if ray not in answer.classes]
    if set(missing) - set(truth.maybe):
        return f"{len(answer.classes)} classes, {len(rays)} true rays; missing {[truth.rays[i] for i in missing][:3]}"
    hidden = sum(len(truth.rays[i]) for i in missing)
    if answer.assumed < hidden:
        return f"{hidden} differences within the noise, but only {answer.assumed} reported as assumed"
    merged = sum(map(len, answer.classes)) - len(answer.classes)
    return "" if answer.merged == merged else f"{answer.merged} merged, really {merged}"


def _judge_lesson(answer: Answer) -> str:
    """The lesson of accepted classes: it shows all, and no fewer states would (by brute force)."""
    if not answer.minimum or answer.message not in ("minimum", ""):
        return f"not proved minimum: {answer.message}"
    unseen = [sorted(c) for c in answer.classes if not any(s in answer.states for s, _ in c)]
    if unseen:
        return f"the lesson {answer.states} does not show {unseen}"
    shown: dict[int, list[int]] = {}
    for i, members in enumerate(sorted(answer.classes, key=sorted)):
        for state, _ in members:
            shown.setdefault(state, []).append(i)
    try:
        least = cheapest_cover(range(len(answer.classes)), [sorted(set(v)) for v in shown.values()])
    except TooLarge:
        return ""
    return f"size {answer.size}, brute force {least}" if answer.size != least else ""
