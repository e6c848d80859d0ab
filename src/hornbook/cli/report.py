"""`hornbook report PROBLEM -o FILE.html`: the lesson, its proof and pictures to play with, on one page."""

from __future__ import annotations

import shlex
from typing import Any

import click

from hornbook.cli._answer import Answer
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

__all__ = ["command"]


@click.command("report")
@problem_argument
@click.option("--title", metavar="TEXT", help="What the page is called; the problem's name by default.")
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
    help="Stop the search after S seconds and tell of the best set so far.",
)
@destination_options("-o", "--output", required=True, help="Where to write the page, as .html.")
@talk_options
def command(*, talk: Talk, problem: Named, destination: Destination, title: str | None, **how: Any) -> Answer:
    """Write one page that tells and shows a lesson.

    The page is one file that loads nothing: open it from disk, send it, print
    it.  It needs jinja2 (pip install 'hornbook[report]').

    \b
    $ hornbook report diamond:6 -o lesson.html
    written to lesson.html: PROVED MINIMUM: 2 of 15,624 states (exact)
    """
    from hornbook.lesson import verdict_line
    from hornbook.report.page import page
    from hornbook.teaching import teach

    subject = problem.load()
    destination.rehearse()
    with talk.working() as progress:
        lesson = teach(subject, progress=progress, **how)
        text = page(lesson, title=title or subject.name or problem.text, command=_command(problem, title, how))
        destination.write(lambda: text)
    line = f"written to {destination.path}: {verdict_line(lesson)}"
    return Answer({"ok": True, "written": destination.path}, lines=[line])


def _command(problem: Named, title: str | None, how: dict[str, Any]) -> str:
    """How this page is made again, wherever it is written to."""
    words = ["hornbook", "report", problem.text]
    words += [part for part, wanted in (("--exact", problem.exact),) if wanted]
    given = {"--format": problem.format, "--noise": problem.noise, "--merge": problem.merge, "--title": title}
    given |= {"--teacher": how["teacher"] if how["teacher"] != "minimum" else None}
    given |= {"--time-limit": None if how["time_limit"] is None else f"{how['time_limit']:g}"}
    words += [part for option, value in given.items() if value is not None for part in (option, value)]
    return shlex.join([*words, "-o", "lesson.html"])
