"""`hornbook compare PROBLEM`: teachers and learners side by side."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from hornbook.cli._answer import Answer
from hornbook.cli._options import Named, problem_argument, talk_options
from hornbook.cli._tables import TABLES, Table
from hornbook.cli._talk import Talk

if TYPE_CHECKING:
    from hornbook.comparison import Comparison, Control, Result

__all__ = ["command"]

_STAR = "* no promise: a penalty may overrule a demonstration"


@click.command("compare")
@problem_argument
@click.option("--teachers", metavar="NAMES", help="Teachers between commas; all by default.")
@click.option("--learners", metavar="NAMES", help="Learners between commas; all that are installed by default.")
@click.option("--controls", type=click.IntRange(0), default=12, show_default=True, help="Demonstrations to leave out.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="For what draws lots.")
@click.option("--table", type=click.Choice(list(TABLES)), default="text", show_default=True, help="How to print it.")
@talk_options
def command(
    *, talk: Talk, problem: Named, teachers: str | None, learners: str | None, controls: int, seed: int, table: str
) -> Answer:
    """Compare teachers and learners side by side.

    The table shows how many demonstrations each teacher needs, in how many
    states a consistent learner may still err, in how many each learner does,
    and the seconds of the teacher with the slowest learner. Then
    demonstrations of the minimum are left out in turn. A star marks learners
    that make no promise, because a penalty may overrule a demonstration; an
    exclamation mark, weights that do not agree with all.

    \b
    $ hornbook compare two_rays --teachers minimum,all --learners worst_case
    PROVED MINIMUM: 1 of 3 states (exact)
    teacher           demonstrations  undecided  worst_case  seconds
    minimum                        1          0           0  ...
    all                            3          0           0  ...
    without s                      0          3           3
    errs without one                                   100%
    """
    from hornbook.comparison import compare
    from hornbook.learners import LEARNERS
    from hornbook.lesson import verdict_line
    from hornbook.teachers import TEACHERS

    subject = problem.load()
    with talk.working() as progress:
        found = compare(
            subject,
            teachers=tuple(TEACHERS) if teachers is None else teachers.split(","),
            learners=None if learners is None else learners.split(","),
            controls=controls,
            seed=seed,
            progress=progress,
        )
    lines = [line.rstrip() for line in TABLES[table](_table(found, "*" if table != "csv" else " (no promise)"))]
    verdict = [verdict_line(found.lesson)] if table == "text" else []
    starred = table != "csv" and any(not LEARNERS[result.learner].promises for result in found.results)
    below = ["", _STAR] if starred else []
    return Answer(_data(found), lines=[*verdict, *lines, *below], aside=_aside(found))


def _data(found: Comparison) -> dict[str, Any]:
    return {
        "ok": True,
        "num_states": found.num_states,
        "rows": [_row(found, result) for result in found.results],
        "controls": [_control(control) for control in found.controls],
        "left_out": dict(found.left_out),
    }


def _row(found: Comparison, result: Result) -> dict[str, Any]:
    return {
        "teacher": result.teacher,
        "learner": result.learner,
        "size": _number(result.size),
        "size_spread": round(result.spread, 6),
        "size_note": found.notes[result.teacher],
        "undecided_states": result.undecided,
        "learner_errors": _number(result.errors),
        "consistent": result.consistent,
        "promise": result.promise,
        "seconds": round(result.seconds, 6),
    }


def _control(control: Control) -> dict[str, Any]:
    errors = {name: _number(count) for name, count in control.errors.items()}
    return {"without": control.without, "undecided_states": control.undecided, "learner_errors": errors}


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _table(found: Comparison, no_promise: str) -> Table:
    """One line for each teacher, then one for each demonstration left out; a column for each learner, and the time."""
    from hornbook.learners import LEARNERS

    learners = list(dict.fromkeys(result.learner for result in found.results))
    head = [name if LEARNERS[name].promises else f"{name}{no_promise}" for name in learners]
    lines = [_teacher_line(found, teacher) for teacher in dict.fromkeys(r.teacher for r in found.results)]
    lines += [_control_line(control, found.lesson.size - 1, learners) for control in found.controls]
    lines += [_share_line(found.controls, learners)] if found.controls else []
    return Table(("teacher", "demonstrations", "undecided", *head, "seconds"), tuple(lines))


def _teacher_line(found: Comparison, teacher: str) -> tuple[str, ...]:
    results = [result for result in found.results if result.teacher == teacher]
    first = results[0]
    size = _short(first.size) + (f" ± {first.spread:,.1f}" if first.spread else "")
    errors = [_short(result.errors) + ("" if result.consistent else "!") for result in results]
    return (teacher, size, f"{first.undecided:,}", *errors, f"{max(result.seconds for result in results):.2f}")


def _control_line(control: Control, size: int, learners: list[str]) -> tuple[str, ...]:
    errors: Mapping[str, Fraction] = control.errors
    told = [_short(errors[name]) if name in errors else "" for name in learners]
    return (f"without {control.without}", f"{size:,}", f"{control.undecided:,}", *told, "")


def _share_line(controls: tuple[Control, ...], learners: list[str]) -> tuple[str, ...]:
    """How often each learner errs when a demonstration is missing."""
    told = []
    for name in learners:
        errors = [control.errors[name] for control in controls if name in control.errors]
        told.append(f"{100 * sum(count > 0 for count in errors) / len(errors):.0f}%" if errors else "")
    return ("errs without one", "", "", *told, "")


def _short(value: Fraction) -> str:
    return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,.1f}"


def _aside(found: Comparison) -> list[str]:
    reasons = dict.fromkeys(found.left_out.values())
    return [
        f"left out {', '.join(n for n, r in found.left_out.items() if r == reason)}: {reason}" for reason in reasons
    ]
