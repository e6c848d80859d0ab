"""`hornbook explain PROBLEM`: why each demonstration is needed, why a state is not, what goes wrong without one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from hornbook.cli._answer import Answer, level, ratio, refused, whole
from hornbook.cli._options import Named, finite, problem_argument, talk_options
from hornbook.cli._talk import Talk
from hornbook.errors import NotRealizable

if TYPE_CHECKING:
    from hornbook.explanations import Explained, ImpliedDifference, WrongLearner
    from hornbook.lesson import Lesson
    from hornbook.problem import TeachingProblem

__all__ = ["command"]

_SHOWN = 10  # demonstrations that are told; --json lists them all
_MISTAKES = 3  # states where a learner goes wrong that are told


@click.command("explain")
@problem_argument
@click.option("--state", metavar="ID", help="Tell why this state need not be shown.")
@click.option("--without", metavar="ID", help="Tell what goes wrong if this demonstration is left out.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    callback=finite,
    metavar="S",
    help="Stop the search after S seconds and explain the best set so far.",
)
@talk_options
def command(*, talk: Talk, problem: Named, state: str | None, without: str | None, time_limit: float | None) -> Answer:
    """Tell why each demonstration of the smallest lesson is needed.

    A misconception is a policy that agrees with every demonstration but the
    one that refutes it.  States are drawn where the environment can draw.
    A policy that is not linear is answered by its conflict, with exit code 3.

    \b
    $ hornbook explain two_rays
    PROVED MINIMUM: 1 of 3 states (exact)
    in state s do a
      it alone refutes 2 misconceptions, for example the score 4*f0 - f1:
      in state s it prefers action c (score 1) to a (score 0)
    $ hornbook explain two_rays --state t
    NOT NEEDED: the lesson implies what state t shows (exact)
      a over b = 1 x (over b in state s)
      a over c = 1 x (over c in state s) + 1 x (over b in state s)
    """
    from hornbook.teaching import teach

    subject = problem.load()
    with talk.working() as progress:
        try:
            lesson = teach(subject, time_limit=time_limit, progress=progress)
        except NotRealizable as refusal:
            return _unteachable(subject, refusal)
        return _explained(subject, lesson, state, without)


def _explained(subject: TeachingProblem, lesson: Lesson, state: str | None, without: str | None) -> Answer:
    from hornbook.explanations import explain

    found = explain(lesson)
    told = [{"id": e.demonstration.id, "only_refutes": [_ray(lesson, r) for r in e.only_shows]} for e in found]
    answer = Answer({"ok": True, "demonstrations": told})
    if state is not None:
        answer = _joined(answer, _state_answer(subject, lesson, state))
    if without is not None:
        answer = _joined(answer, _without_answer(subject, lesson, without))
    return answer if answer.lines else replace(answer, lines=_lesson_lines(subject, lesson, found))


def _joined(first: Answer, second: Answer) -> Answer:
    return Answer({**first.data, **second.data}, lines=[*first.lines, *second.lines])


def _ray(lesson: Lesson, ray: int) -> list[Any]:
    return [v if isinstance(v, float) else whole(v) for v in lesson.rays[ray]]


def _lesson_lines(subject: TeachingProblem, lesson: Lesson, found: tuple[Explained, ...]) -> list[str]:
    from hornbook.lesson import verdict_line

    lines = [verdict_line(lesson)]
    for each in found[:_SHOWN]:
        shown = each.demonstration
        lines += [f"in state {shown.id} do {shown.action}", *_picture(subject, shown.id, shown.action)]
        lines += _misconceptions(subject, lesson, each.only_shows)
    rest = len(found) - _SHOWN
    return [*lines, f"and {rest:,} more demonstrations; --json tells about all"] if rest > 0 else lines


def _picture(subject: TeachingProblem, state: str, action: str | None) -> list[str]:
    from hornbook.report.sketch import sketch

    drawing = subject.drawing(state, action)
    return [] if drawing is None else [f"  {line}" for line in sketch(drawing)]


def _misconceptions(subject: TeachingProblem, lesson: Lesson, rays: tuple[int, ...]) -> list[str]:
    """How many misconceptions only this demonstration refutes, and one of them in words."""
    from hornbook.explanations import mistake_of
    from hornbook.report.words import formula, mistake_sentence

    if not rays:
        return ["  other demonstrations refute the same misconceptions: the lesson would do without it"]
    told = lesson.misconception(rays[0])
    many = "1 misconception," if len(rays) == 1 else f"{len(rays):,} misconceptions, for example"
    return [
        f"  it alone refutes {many} the score {formula(subject, told.weights)}:",
        f"  {mistake_sentence(mistake_of(subject, told), told.weights)}",
    ]


def _state_answer(subject: TeachingProblem, lesson: Lesson, state: str) -> Answer:
    from hornbook.explanations import how_implied

    if state in lesson.states:
        lines = [f"NEEDED: state {state} is in the lesson; try --without ({level(subject)})"]
        return Answer({"implied_by": None, "remainder": None}, lines=lines)
    found = how_implied(lesson, state)
    terms = [
        {"state": t.state, "action": t.action, "multiplier": ratio(t.multiplier), "over": implied.action}
        for implied in found
        for t in implied.terms
    ]
    remainder = max((implied.remainder for implied in found), default=None)
    data = {"implied_by": terms, "remainder": "0" if remainder is None else ratio(remainder)}
    return Answer(data, lines=_implied_lines(subject, state, found))


def _implied_lines(subject: TeachingProblem, state: str, found: tuple[ImpliedDifference, ...]) -> list[str]:
    from hornbook.report.words import implied_sentence

    action = subject.action_id(row := subject.row_of(state), int(subject.source.read(row, row + 1).target[0]))
    return [
        f"NOT NEEDED: the lesson implies what state {state} shows ({level(subject)})",
        *_picture(subject, state, action),
        *(f"  {implied_sentence(implied, action)}" for implied in found),
    ]


def _without_answer(subject: TeachingProblem, lesson: Lesson, state: str) -> Answer:
    from hornbook.explanations import without

    found = without(lesson, state)
    if found is None:
        line = f"STILL TEACHES: without state {state} the rest of the lesson teaches ({level(subject)})"
        return Answer({"counterexample": None, "wrong_states": 0, "mistakes": []}, lines=[line])
    told = found.misconception
    mistakes = [{"state": m.state, "action": m.action, "wrong_action": m.wrong_action} for m in found.mistakes]
    data = {
        "counterexample": {
            "w": [whole(v) for v in told.weights],
            "state": told.state,
            "wrong_action": told.wrong_action,
        },
        "wrong_states": found.num_states,
        "mistakes": mistakes,
    }
    return Answer(data, lines=_wrong_lines(subject, state, found))


def _wrong_lines(subject: TeachingProblem, state: str, found: WrongLearner) -> list[str]:
    from hornbook.report.words import formula, mistake_sentence

    first = found.mistakes[0]
    return [
        f"DOES NOT TEACH: the lesson without state {state} ({level(subject)})",
        f"  a learner with the score {formula(subject, found.misconception.weights)} agrees with the rest",
        f"  it goes wrong in {found.num_states:,} of {subject.num_states:,} states",
        *_picture(subject, first.state, first.wrong_action),
        *(f"  {mistake_sentence(m, found.misconception.weights)}" for m in found.mistakes[:_MISTAKES]),
    ]


def _unteachable(subject: TeachingProblem, refusal: NotRealizable) -> Answer:
    """The conflict as a story; with `--json`, as every command tells it."""
    from hornbook.explanations import conflict_steps
    from hornbook.report.words import conflict_story

    steps = conflict_steps(subject, refusal)
    lines = [
        f"NOT REALIZABLE: no linear policy acts as the target ({level(subject)})",
        *conflict_story(subject, steps),
        "Add a feature that tells these apart, or drop one of them.",
    ]
    return replace(refused(refusal), lines=lines, aside=())
