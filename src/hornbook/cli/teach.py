"""`hornbook teach PROBLEM`: the smallest lesson, why nothing in it can go, and its certificate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from hornbook.cli._answer import Answer, lesson_lines, refused
from hornbook.cli._asking import request_options
from hornbook.cli._dropping import dropping, with_dropped
from hornbook.cli._options import (
    Destination,
    Named,
    Registered,
    destination_options,
    finite,
    problem_argument,
    talk_options,
)
from hornbook.cli._talk import Talk
from hornbook.cli._within import Allowance, allowance_options, partial_answer
from hornbook.errors import Interrupted, LimitExceeded, NotRealizable

if TYPE_CHECKING:
    from hornbook.lesson import Lesson, Misconception
    from hornbook.partial_lesson import PartialLesson
    from hornbook.problem import TeachingProblem

__all__ = ["command"]

_SHOWN = 3  # misconceptions; the others are in the certificate


@click.command("teach")
@problem_argument
@click.option(
    "--teacher",
    type=Registered("hornbook.cover", "COVER_SOLVERS"),
    default="minimum",
    show_default=True,
    help="How the states are chosen.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    callback=finite,
    metavar="S",
    help="Stop after S seconds with the best set so far.",
)
@click.option(
    "--gap",
    default="0",
    metavar="G",
    help="Stop once the cost is proved to be within this share, such as 0.05.",
)
@click.option(
    "--on-ambiguous",
    type=click.Choice(["raise", "accept"]),
    default="raise",
    show_default=True,
    help="Floats too close to call: refuse, or take what is stored as exact.",
)
@click.option("--drop-conflicts", is_flag=True, help="Leave out the fewest states that contradict others.")
@request_options
@allowance_options
@click.option("--vipr", metavar="FILE", type=click.Path(), help="Write the proof of the bound in VIPR format as well.")
@destination_options("--certificate", help="Write the proof to this file, for `hornbook check`.")
@talk_options
def command(
    *,
    talk: Talk,
    problem: Named,
    destination: Destination,
    request: dict[str, Any],
    allowance: Allowance,
    drop_conflicts: bool,
    vipr: str | None,
    **how: Any,
) -> Answer:
    """Find the fewest states to demonstrate, with a proof.

    After these demonstrations every linear learner that agrees with them acts
    as the target in every state of PROBLEM.

    \b
    $ hornbook teach diamond:6
    PROVED MINIMUM: 2 of 15,624 states (exact)
      in state 0-0-0-0-3-3 do 6
      in state 4-0-0-0-0-3 do 1
    Why:
      without state 4-0-0-0-0-3 a learner may still prefer action 6 to 1 in state 4-0-0-0-0-3
      without state 0-0-0-0-3-3 a learner may still prefer action 5 to 6 in state 0-0-0-0-3-3
    """
    from hornbook.teaching import teach

    if request and allowance.budget is not None:
        raise click.UsageError(f"--budget asks for the most of single states; leave out {', '.join(sorted(request))}")
    subject = problem.load()
    program = Destination(vipr, destination.force)
    for file in (destination, program):
        file.rehearse()
    with talk.working() as progress:
        dropped = dropping(subject, time_limit=how["time_limit"], progress=progress) if drop_conflicts else None
        subject = subject if dropped is None else dropped.problem
        try:
            teacher = teach if allowance.budget is None else allowance.teach
            lesson = teacher(subject, progress=progress, **request, **how)
        except NotRealizable as refusal:
            return _unteachable(subject, refusal, destination)
        with _kept(lesson):
            destination.write(lambda: _text(lesson.certificate()))
            program.write(lambda: _program(lesson))
            answer = _taught(lesson, [*destination.told, *program.told], reasons=not talk.json)
            answer = answer if dropped is None else with_dropped(answer, dropped)
            talk.interrupts.settle()
    return answer


@contextmanager
def _kept(lesson: Lesson | PartialLesson) -> Iterator[None]:
    """What interrupts the rest takes the lesson along."""
    try:
        yield
    except KeyboardInterrupt:
        told = "; it teaches" if hasattr(lesson, "lower_bound") else ""
        raise Interrupted(f"interrupted after the set was found{told}", lesson=lesson) from None


def _taught(lesson: Lesson | PartialLesson, more: list[str], *, reasons: bool) -> Answer:
    from hornbook.lesson import Lesson

    if not isinstance(lesson, Lesson):
        return partial_answer(lesson, more)
    return Answer(lesson.to_dict(), lines=[*lesson_lines(lesson), *(_reasons(lesson) if reasons else ()), *more])


def _unteachable(subject: TeachingProblem, refusal: NotRealizable, destination: Destination) -> Answer:
    from hornbook.certificate.build import build_refusal

    count = sum(int(batch.available.sum()) - len(batch) for batch in subject.batches())
    answer = refused(refusal)
    try:
        destination.write(lambda: _text(build_refusal(subject, refusal, differences=count)))
    except LimitExceeded as limit:  # the refusal stands, written down or not
        return replace(answer, aside=[*answer.aside, f"no certificate written: {limit}"])
    return replace(answer, lines=destination.told)


def _program(lesson: Lesson | PartialLesson) -> str:
    from hornbook.lesson import Lesson
    from hornbook.vipr import vipr

    if not isinstance(lesson, Lesson):
        raise click.UsageError("--vipr is for whole lessons; leave it out with --budget")
    return vipr(lesson)


def _text(certificate: dict[str, object]) -> str:
    from hornbook.certificate.build import certificate_text

    return certificate_text(certificate)


def _reasons(lesson: Lesson) -> list[str]:
    """A few of the misconceptions that any lesson must refute."""
    shown = lesson.misconceptions[:_SHOWN]
    if not shown:
        return []
    rest = len(lesson.misconceptions) - len(shown)
    more = [f"  and {rest:,} more misconceptions that every lesson must refute"] if rest else []
    unit = "state" if lesson.groups is None else "group"
    tie = lesson.request is not None and bool(lesson.request["prior"])
    return ["Why:", *(_reason(misconception, unit, tie=tie) for misconception in shown), *more]


def _reason(misconception: Misconception, unit: str, *, tie: bool) -> str:
    """What goes wrong without it; where half-spaces are believed, the wrong action may just do as well."""
    refuted_by = misconception.refuted_by
    units = f"{unit} {refuted_by[0]}" if len(refuted_by) == 1 else f"{unit}s {', '.join(refuted_by)}"
    wrong, right = misconception.wrong_action, misconception.action
    may = f"rank action {wrong} no lower than {right}" if tie else f"prefer action {wrong} to {right}"
    return f"  without {units} a learner may still {may} in state {misconception.state}"
