"""`hornbook curve PROBLEM`: what each further demonstration adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hornbook.cli._answer import Answer
from hornbook.cli._options import Named, finite, problem_argument, talk_options
from hornbook.cli._tables import TABLES, Table
from hornbook.cli._talk import Talk
from hornbook.cli._within import worth, worth_options

if TYPE_CHECKING:
    from hornbook.partial_lesson import Curve, PartialLesson

__all__ = ["command"]


@click.command("curve")
@problem_argument
@click.option("--budgets", metavar="LIST", help="Budgets between commas; 0, 1, 2, ... until all is refuted by default.")
@worth_options("demonstration")
@click.option(
    "--node-limit",
    type=click.IntRange(0),
    default=100,
    show_default=True,
    help="How many nodes to search for each point before leaving an interval.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    callback=finite,
    metavar="S",
    help="Stop proving after S seconds; intervals are left.",
)
@click.option("--table", type=click.Choice(list(TABLES)), default="text", show_default=True, help="How to print it.")
@talk_options
def command(*, talk: Talk, problem: Named, budgets: str | None, table: str, **how: Any) -> Answer:
    """Show how much each number of demonstrations refutes at most.

    Each line has a budget, the value of the misconceptions that the states
    found refute, a proved bound on what any states refute, and how many
    states are decided by the states found. Values and bounds are exact; the
    last column is exact too, but no claim that other states decide less.

    \b
    $ hornbook curve six_rays
    PROVED: all 3 points, of 6 misconceptions (exact)
    budget  demonstrations  value  at most  decided of 6
    0                    0      0        0             0
    1                    1      3        3             1
    2                    2      6        6             6
    """
    from hornbook.budgets import curve

    subject = problem.load()
    asked = None if budgets is None else budgets.split(",")
    more = worth(how.pop("per"), how.pop("weights"))
    with talk.working() as progress:
        found = curve(subject, budgets=asked, progress=progress, **more, **how)
        data = found.to_dict()
    verdict = [_verdict(found)] if table == "text" else []
    return Answer(data, lines=[*verdict, *TABLES[table](_table(found))])


def _verdict(found: Curve) -> str:
    from hornbook.lesson import arithmetic_line

    proved = sum(point.is_most for point in found.points)
    count = len(found.points)
    head = f"PROVED: all {count:,} points" if proved == count else f"BEST SO FAR: {proved:,} of {count:,} points proved"
    first = found.points[0]
    worth = "" if first.total == first.num_rays else f" worth {first.total}"
    return f"{head}, of {first.num_rays:,} misconceptions{worth} ({arithmetic_line(first.arithmetic)})"


def _table(found: Curve) -> Table:
    states = found.points[0].counts.states
    head = ("budget", "demonstrations", "value", "at most", f"decided of {states:,}")
    return Table(head, tuple(map(_line, found.points)))


def _line(point: PartialLesson) -> tuple[str, ...]:
    decided = f"{point.decided:,}"
    return (str(point.budget), f"{point.size:,}", str(point.value), str(point.upper_bound), decided)
