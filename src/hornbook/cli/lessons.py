"""`hornbook lessons PROBLEM`: all minimum lessons, and whether a state stands in every, some or none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hornbook.cli._answer import Answer
from hornbook.cli._options import Named, finite, problem_argument, talk_options
from hornbook.cli._talk import Talk

if TYPE_CHECKING:
    from hornbook.all_lessons import MinimumLessons

__all__ = ["command"]

_SHOWN = 10  # lessons; --json lists them up to the limit
_WORDS = {
    "every": "in every minimum lesson",
    "some": "in some minimum lessons, but not in every one",
    "no": "in no minimum lesson",
    "unknown": "unknown: neither in nor out was proved",
}


@click.command("lessons")
@problem_argument
@click.option("--limit", type=click.IntRange(1), default=1000, show_default=True, help="How many to look for and list.")
@click.option("--state", "states", metavar="ID", multiple=True, help="Say where this state stands; may be repeated.")
@click.option(
    "--node-limit", type=click.IntRange(0), default=100_000, show_default=True, help="How many nodes to search."
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    callback=finite,
    metavar="S",
    help="Stop proving the minimum after S seconds.",
)
@talk_options
def command(
    *,
    talk: Talk,
    problem: Named,
    limit: int,
    states: tuple[str, ...],
    node_limit: int,
    time_limit: float | None,
) -> Answer:
    """List all minimum lessons, and say which states they share.

    The count is exact, or null in JSON where the search passed a limit. The
    minimum is proved as by `teach`; that these are all lessons of its cost is
    found by search, and is no part of a certificate.

    \b
    $ hornbook lessons 'set_cover:0/1;1/2;0/2' --state 0
    ALL 3 MINIMUM LESSONS: 2 of 3 states (exact)
      0, 1
      0, 2
      1, 2
    state 0: in some minimum lessons, but not in every one
    """
    from hornbook.all_lessons import minimum_lessons

    subject = problem.load()
    with talk.working() as progress:
        found = minimum_lessons(subject, limit=limit, node_limit=node_limit, time_limit=time_limit, progress=progress)
        data = found.to_dict(states)
    return Answer(data, lines=_lines(found, data["lessons"], data["statuses"]))


def _lines(found: MinimumLessons, listed: list[list[str]], statuses: dict[str, str]) -> list[str]:
    from hornbook.all_lessons import lessons_verdict

    lines = [lessons_verdict(found), *(f"  {', '.join(lesson) or '(no state)'}" for lesson in listed[:_SHOWN])]
    more = len(listed) > _SHOWN or (found.count or 0) > len(listed)
    lines += ["  ..."] if more else []
    if found.always and found.count != 1:
        lines.append(f"in every one: {', '.join(found.always)}")
    return [*lines, *(f"state {state}: {_WORDS[status]}" for state, status in statuses.items())]
