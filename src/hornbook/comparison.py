"""Teachers and learners side by side: how many demonstrations, what stays undecided, who errs where, how long it takes.

The negative control leaves out each demonstration of the minimum lesson in turn: the worst-case learner then errs every
time, since no demonstration of a minimum lesson is idle.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hornbook.assurance import needed_margin
from hornbook.classroom import Classroom, Shows
from hornbook.errors import BadProblem
from hornbook.learners import LEARNERS, Seen
from hornbook.lesson import Lesson
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.teachers import TEACHERS, Asked, Taught
from hornbook.teaching import Trace

__all__ = ["Comparison", "Control", "Result", "compare"]


@dataclass(frozen=True)
class Result:
    """One learner after one teacher.

    `errors` counts states where the target does not win (averaged over a sampler's weights); `consistent` says whether
    the weights agree with every demonstration, exactly.  `promise`: the states teach, the learner sets out to agree and
    its weights do, so no error is possible.
    """

    teacher: str
    learner: str
    size: Fraction
    spread: float
    undecided: int
    errors: Fraction
    consistent: bool
    promise: bool
    seconds: float


@dataclass(frozen=True)
class Control:
    """The minimum lesson without one demonstration: what is undecided then, and each learner's errors."""

    without: str
    undecided: int
    errors: Mapping[str, Fraction]


@dataclass(frozen=True)
class Comparison:
    """All results and controls.  `notes` say how each teacher's size was found, `left_out` why learners are missing.

    `lesson` is the minimum lesson.
    """

    results: tuple[Result, ...]
    controls: tuple[Control, ...]
    notes: Mapping[str, str]
    left_out: Mapping[str, str]
    lesson: Lesson
    num_states: int


def compare(
    problem: TeachingProblem,
    *,
    teachers: Sequence[str] = tuple(TEACHERS),
    learners: Sequence[str] | None = None,
    controls: int = 12,
    seed: int = 0,
    progress: Progress = silent,
) -> Comparison:
    """Let every learner be taught by every teacher; up to `controls` demonstrations are left out in turn.

    Without `learners`, those are taken whose libraries are installed; the others are in `left_out`.  Learners that
    cannot learn this kind of problem have no results.  Cost: every learner fits every set of demonstrations;
    the set of all states is the largest.

    >>> from hornbook.environments import environment
    >>> found = compare(environment("two_rays"), teachers=["minimum"], learners=["worst_case"])
    >>> [(r.size, r.undecided, r.errors) for r in found.results], [c.errors["worst_case"] for c in found.controls]
    ([(Fraction(1, 1), 0, Fraction(0, 1))], [Fraction(3, 1)])
    """
    _check(teachers, TEACHERS, "teacher")
    learners, left_out = _ready(learners)
    asked = Asked(Classroom.of(problem, progress=progress), seed)
    results, notes = list[Result](), dict[str, str]()
    for done, teacher in enumerate(teachers):
        progress("comparing teachers", done, len(teachers))
        began = time.perf_counter()
        taught = TEACHERS[teacher].teach(asked)
        notes[teacher] = taught.note
        results += _learned(asked, teacher, taught, learners, time.perf_counter() - began)
    return Comparison(
        results=tuple(results),
        controls=tuple(_controls(asked, learners, controls)),
        notes=notes,
        left_out=left_out,
        lesson=asked.lesson,
        num_states=problem.num_states,
    )


def _check(names: Sequence[str], known: Mapping[str, object], what: str) -> None:
    for name in names:
        if name not in known:
            raise BadProblem(f"there is no {what} {name!r}; choose from {', '.join(known)}")


def _ready(learners: Sequence[str] | None) -> tuple[list[str], dict[str, str]]:
    """The learners to ask; which of the others are left out, and why."""
    if learners is not None:
        _check(learners, LEARNERS, "learner")
        for name in learners:
            LEARNERS[name].prepare()
        return list(learners), {}
    ready, left_out = list[str](), dict[str, str]()
    for name, learner in LEARNERS.items():
        try:
            learner.prepare()
            ready.append(name)
        except BadProblem as reason:
            left_out[name] = str(reason)
    return ready, left_out


def _learned(asked: Asked, teacher: str, taught: Taught, learners: Sequence[str], seconds: float) -> Iterator[Result]:
    room = asked.classroom
    shows = room.shows(taught.rows)
    undecided = room.undecided(shows)
    needed = _needed_margin(asked, taught.rows, shows)
    for name in learners:
        began = time.perf_counter()
        weights = LEARNERS[name].learn(Seen(room, taught.rows, shows, asked.seed))
        spent = time.perf_counter() - began
        if not weights:
            continue
        consistent = needed is not None and all(room.agrees(w, shows, margin=needed) for w in weights)
        yield Result(
            teacher=teacher,
            learner=name,
            size=taught.size,
            spread=taught.spread,
            undecided=undecided,
            errors=Fraction(sum(room.errors(w) for w in weights), len(weights)),
            consistent=consistent,
            promise=consistent and LEARNERS[name].promises and room.teaches(shows),
            seconds=seconds + spent,
        )


def _needed_margin(asked: Asked, rows: Sequence[int], shows: Shows) -> Fraction | None:
    """How many times the noise a margin must be: for float data and a set that teaches, tau (docs/floats.md); None if
    no margin is enough."""
    room = asked.classroom
    if room.boxes is None or not room.teaches(shows):
        return Fraction(1)
    evidence = asked.lesson.evidence
    if not isinstance(evidence, Trace):
        raise TypeError("a lesson that was just taught holds its trace")
    tau = needed_margin(_Shown.after(evidence, rows))
    return None if tau is None else max(Fraction(1), tau)


@dataclass(frozen=True, eq=False)
class _Shown(Trace):
    """The evidence of a run, as if these rows had been chosen."""

    rows: tuple[int, ...] = ()

    @classmethod
    def after(cls, trace: Trace, rows: Sequence[int]) -> _Shown:
        ordered = tuple(sorted(rows, key=trace.problem.rank_of))
        return cls(trace.problem, trace.differences, trace.frame, trace.coverage, trace.cover, rows=ordered)

    @property
    def chosen_rows(self) -> list[int]:
        return list(self.rows)


def _controls(asked: Asked, learners: Sequence[str], most: int) -> Iterator[Control]:
    demonstrations = asked.lesson.demonstrations
    room, rows = asked.classroom, [d.row for d in demonstrations]
    for place in _spread(len(rows), most):
        left = rows[:place] + rows[place + 1 :]
        shows = room.shows(left)
        errors = {}
        for name in learners:
            if weights := LEARNERS[name].learn(Seen(room, left, shows, asked.seed)):
                errors[name] = Fraction(sum(map(room.errors, weights)), len(weights))
        yield Control(demonstrations[place].id, room.undecided(shows), errors)


def _spread(count: int, most: int) -> list[int]:
    """At most `most` of `count` places, evenly spread."""
    return sorted({i * count // min(count, most) for i in range(min(count, most))})
