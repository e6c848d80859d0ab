"""What several commands ask for: a problem, a file to write, how to talk.

Each decorator bundles its options into one frozen argument of the command.
"""

from __future__ import annotations

import functools
import importlib
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from hornbook.cli._answer import Answer
from hornbook.cli._talk import Talk
from hornbook.errors import BadProblem

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from hornbook.problem import TeachingProblem

__all__ = [
    "Destination",
    "Named",
    "Registered",
    "destination_options",
    "environment_argument",
    "finite",
    "listed",
    "problem_argument",
    "talk_options",
]

Command = Callable[..., Answer]
_ENDINGS = (".npz", ".json", ".csv")


@dataclass(frozen=True)
class Named:
    """A problem as the user named it."""

    text: str
    format: str | None = None
    exact: bool = False
    label: str | None = None
    noise: str | None = None
    merge: str | None = None
    leave_out: str | None = None

    @property
    def is_file(self) -> bool:
        """Whether this names a file (or standard input), not an environment."""
        return self.text == "-" or self.text.lower().endswith(_ENDINGS) or os.path.exists(self.text)

    @property
    def is_plain_file(self) -> bool:
        """Whether the reference checker can read it: a file whose ending says what it is."""
        told = any(option is not None for option in (self.format, self.label, self.leave_out))
        return not told and self.text != "-" and self.text.endswith((".npz", ".json"))

    def load(self) -> TeachingProblem:
        """Read the file, or make the environment."""
        problem = self._read()
        if problem.is_float and self.exact:
            problem = problem.taken_exactly()
        problem = problem.with_tolerances(noise=self.noise, merge=self.merge)
        if self.leave_out is None:
            return problem
        from hornbook.selection import leave_out

        return leave_out(problem, listed("--leave-out", self.leave_out))

    def _read(self) -> TeachingProblem:
        if self.is_file:
            from hornbook.formats import load

            return load(self.text, format=self.format, label=self.label, exact=self.exact)
        if self.label is not None:
            raise BadProblem(f"--label is for tables of classification data; {self.text!r} is no file")
        from hornbook.environments import environment

        return environment(self.text)


def listed(option: str, text: str) -> list[str]:
    """Ids between commas, or a JSON array of texts for ids with commas in them."""
    if not text.startswith("["):
        return text.split(",") if text else []
    try:
        ids = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadProblem(f"{option} begins like a JSON array but is none: {error}") from None
    if not all(isinstance(name, str) for name in ids):
        raise BadProblem(f'{option} must be an array of texts, such as ["4", "5"]')
    return list(ids)


class Registered(click.types.StringParamType):
    """One of the names in a mapping of the library, which is imported only when the option is looked at."""

    name = "name"

    def __init__(self, module: str, mapping: str, *, also: tuple[str, ...] = ()) -> None:
        self._module, self._mapping, self._also = module, mapping, also

    @property
    def choices(self) -> list[str]:
        """All names that may be given."""
        registered: Mapping[str, object] = getattr(importlib.import_module(self._module), self._mapping)
        return [*self._also, *registered]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            self.fail(f"{value!r} is not one of {', '.join(self.choices)}", param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "|".join(self.choices)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _beginning(incomplete, self.choices)


def _beginning(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _environments(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from hornbook.environments import ENVIRONMENTS

    return _beginning(incomplete, ENVIRONMENTS)


def _problems(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files too; the shell looks for them itself, and must be told first or it forgets the names."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file"), *_environments(ctx, param, incomplete)]


def finite(ctx: click.Context, param: click.Parameter, value: float | None, /) -> float | None:
    """Refuse infinities and NaN."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number of seconds, for example 10 or 0.5", ctx, param)
    return value


@dataclass(frozen=True)
class Destination:
    """A file to write, if one is wanted."""

    path: str | None
    force: bool

    @property
    def told(self) -> list[str]:
        """Where the proof went."""
        kind = "proof" if str(self.path).endswith(".vipr") else "certificate"
        return [] if self.path is None else [f"{kind} written to {self.path}"]

    def rehearse(self) -> None:
        """Refuse now what `write` would refuse after all the work."""
        if self.path == "-":
            raise BadProblem("standard output is for the answer; name a file to write to")
        if self.path is not None:
            from hornbook.formats import new_file

            with suppress(_Rehearsed), new_file(self.path, force=self.force):
                raise _Rehearsed

    def write(self, text: Callable[[], str]) -> None:
        """Write what the function returns; without a path it is not even asked."""
        if self.path is not None:
            from hornbook.formats import new_file

            content = text().encode()
            with new_file(self.path, force=self.force) as stream:
                stream.write(content)


class _Rehearsed(Exception):
    """Ends a rehearsal: nothing is to be written."""


def problem_argument(command: Command) -> Command:
    """PROBLEM with its options, given to the command as `problem`, a `Named`."""

    @functools.wraps(command)
    def bundled(*arguments: Any, problem: str, **others: Any) -> Answer:
        named = {key: others.pop(key) for key in ("format", "exact", "label", "leave_out", "noise", "merge")}
        return command(*arguments, problem=Named(problem, **named), **others)

    exactly = click.option("--exact", is_flag=True, help="Take decimals in .csv as written, stored floats as they are.")
    noise = click.option("--noise", metavar="X", help="How far stored floats may be off, relative to their size.")
    merge = click.option("--merge", metavar="X", help="The angle up to which float differences count as parallel.")
    label = click.option("--label", metavar="COLUMN", help="Rows of the table are states; this column is their class.")
    called = click.option("--format", metavar="FORMAT", help="npz, json or csv: what the file is; needed for -.")
    argument = click.argument("problem", metavar="PROBLEM", shell_complete=_problems)
    without = click.option("--leave-out", metavar="IDS", help="The problem without these states: ids between commas.")
    return argument(called(label(without(exactly(noise(merge(bundled)))))))


def environment_argument(command: Command) -> Command:
    """ENVIRONMENT, given to the command as text."""
    argument = click.argument("environment", metavar="ENVIRONMENT", shell_complete=_environments)
    return argument(command)


def destination_options(*names: str, help: str, required: bool = False) -> Callable[[Command], Command]:
    """A file to write and `--force`, given to the command as `destination`."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def bundled(*arguments: Any, path: str | None, force: bool, **others: Any) -> Answer:
            return command(*arguments, destination=Destination(path, force), **others)

        anyway = click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
        file = click.option(*names, "path", metavar="FILE", type=click.Path(), required=required, help=help)
        return file(anyway(bundled))

    return decorate


def talk_options(command: Command) -> Command:
    """`--json` (which the entry has seen already) and `--quiet`, given to the command as `talk`."""

    @functools.wraps(command)
    @click.pass_context
    def bundled(context: click.Context, /, *, quiet: bool, **others: Any) -> Answer:
        return command(talk=Talk(context.obj, quiet), **others)

    short = click.option("--quiet", is_flag=True, help="Show no progress.")
    data = click.option("--json", is_flag=True, expose_value=False, help="Print one JSON object.")
    return data(short(bundled))
