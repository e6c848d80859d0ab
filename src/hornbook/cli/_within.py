"""Options about budgets: what may be spent, what counts against it, and what misconceptions are worth."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hornbook.cli._answer import Answer, partial_lines
from hornbook.errors import BadProblem

if TYPE_CHECKING:
    from hornbook.partial_lesson import PartialLesson
    from hornbook.problem import TeachingProblem
    from hornbook.progress import Progress

__all__ = ["Allowance", "allowance_options", "partial_answer", "worth_options"]

Command = Callable[..., Answer]


@dataclass(frozen=True)
class Allowance:
    """A budget, if one was given, and what counts against it."""

    budget: str | None
    per: str
    weights: str | None

    def teach(self, problem: TeachingProblem, *, progress: Progress, **how: Any) -> PartialLesson:
        """The most that it buys."""
        from hornbook.budgets import teach_within

        if how.pop("teacher") != "minimum":
            raise click.UsageError("--teacher is for whole lessons; leave it out with --budget")
        if how.pop("gap") != "0":
            raise click.UsageError("--gap is for whole lessons; leave it out with --budget")
        return teach_within(problem, budget=self.budget, progress=progress, **worth(self.per, self.weights), **how)


def worth(per: str, weights: str | None) -> Mapping[str, Any]:
    """What the library is told of both."""
    return {"per": per, "weights": weights if weights in (None, "states") else _numbers(str(weights))}


def _numbers(path: str) -> list[Any]:
    """A JSON array of exact numbers: integers, or texts such as "1/3"."""
    from hornbook.formats.files import opened, read_all

    with opened(path) as stream:
        data = read_all(stream, path)
    try:
        found = json.loads(data.decode("utf-8"), parse_float=str)
    except (ValueError, RecursionError) as error:
        raise BadProblem(f"{path}: not a JSON array of weights: {error}") from None
    if not isinstance(found, list):
        raise BadProblem(f"{path}: weights are a JSON array, one number for each ray in the order of `hornbook rays`")
    return found


def worth_options(per: str) -> Callable[[Command], Command]:
    """`--per`, with this default, and `--weights`."""

    def decorate(command: Command) -> Command:
        counted = click.option(
            "--per",
            type=click.Choice(["cost", "demonstration"]),
            default=per,
            show_default=True,
            help="What counts against a budget.",
        )
        valued = click.option(
            "--weights",
            metavar="FILE|states",
            help="What misconceptions are worth: a JSON array by ray, or the number of states where each can show.",
        )
        return counted(valued(command))

    return decorate


def allowance_options(command: Command) -> Command:
    """`--budget`, `--per` and `--weights`, given to the command as `allowance`."""

    @functools.wraps(command)
    def bundled(*arguments: Any, budget: str | None, per: str, weights: str | None, **others: Any) -> Answer:
        return command(*arguments, allowance=Allowance(budget, per, weights), **others)

    spent = click.option("--budget", metavar="K", help="Refute as many misconceptions as K demonstrations can.")
    return spent(worth_options("cost")(bundled))


def partial_answer(lesson: PartialLesson, more: list[str]) -> Answer:
    """The answer within a budget, and what is decided by it."""
    told = "no learner that agrees errs there" + ("" if lesson.teaches else "; other choices may decide more")
    decided = f"Decided: {lesson.decided:,} of {lesson.counts.states:,} states ({told})"
    return Answer(lesson.to_dict(), lines=[*partial_lines(lesson), decided, *more])
