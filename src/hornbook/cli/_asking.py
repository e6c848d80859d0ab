"""What `teach` is asked beyond the smallest lesson: options, and files of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from hornbook.cli._answer import Answer
from hornbook.cli._options import listed
from hornbook.errors import BadProblem

__all__ = ["request_options"]

Command = Callable[..., Answer]
_LISTS = {"must": "--must", "may_not": "--may-not", "given": "--given"}


def request_options(command: Command) -> Command:
    """The options of a request, given to the command as `request`: keywords of `teach`."""

    @functools.wraps(command)
    def bundled(*arguments: Any, request: str | None, folds: int | None, **others: Any) -> Answer:
        told: dict[str, Any] = {} if folds is None else {"folds": folds}
        lists = {key: others.pop(key) for key in _LISTS}
        told |= {key: listed(_LISTS[key], text) for key, text in lists.items() if text is not None}
        files = {key: others.pop(key) for key in ("groups", "prior")}
        return command(*arguments, request=_request(request, files, told), **others)

    decorated: Command = bundled
    for option in reversed(_options()):
        decorated = option(decorated)
    return decorated


def _options() -> list[Callable[[Command], Command]]:
    return [
        click.option("--must", metavar="IDS", help="States that must be shown: ids between commas."),
        click.option("--may-not", metavar="IDS", help="States that may not be shown."),
        click.option("--given", metavar="IDS", help="States that are shown already: they cost nothing."),
        click.option("--folds", type=click.IntRange(1), metavar="R", help="Teach though any R - 1 of them get lost."),
        click.option("--groups", metavar="FILE", help="Groups of states that are shown together, as JSON."),
        click.option("--prior", metavar="FILE", help="Half-spaces that the learner's weights lie in, as JSON."),
        click.option("--request", metavar="FILE", help="A file with all of this, as JSON."),
    ]


def _request(path: str | None, files: dict[str, str | None], told: dict[str, Any]) -> dict[str, Any]:
    """What files say and what the options do; not both of one thing."""
    from hornbook.formats import load_part, load_request

    for key, file in files.items():
        told |= {} if file is None else load_part(file, key)
    if path is None:
        return told
    from_file = load_request(path)
    twice = sorted(told.keys() & from_file.keys())
    if twice:
        raise BadProblem(f"{path}: {twice[0]} is in the file and among the options; say it once")
    return from_file | told
