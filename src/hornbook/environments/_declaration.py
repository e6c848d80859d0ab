"""How an environment is declared, read from text and named: parameters, canonical text, identity.

The grammar is `name[:value|key=value[,...]]`: the first value may stand without its key, lists are written with `/`,
lists of lists with `;`.  Reading and writing are inverse, so an environment's canonical text can be pasted back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hornbook.drawing import Draw
from hornbook.errors import BadProblem
from hornbook.problem import Names, TeachingProblem
from hornbook.sources import Source

__all__ = ["Environment", "Parameter", "Value", "World", "lists", "numbers", "one_of", "whole"]

Value = int | str | tuple[int, ...] | tuple[tuple[int, ...], ...]

_WHOLE = re.compile(r"[0-9]{1,18}")  # 18 digits fit int64; ASCII digits only


@dataclass(frozen=True)
class World:
    """What an environment makes: a source of states, and what states, actions and features are called.

    None: by number.  `draw` makes the picture of a state where there is something to see.
    """

    source: Source
    state_names: Names | Sequence[str] | None = None
    action_names: Sequence[str] | Sequence[Sequence[str]] | None = None
    feature_names: Sequence[str] | None = None
    draw: Draw | None = None


def whole(text: str) -> int:
    """A whole number in ASCII digits."""
    if not _WHOLE.fullmatch(text):
        raise ValueError("a whole number, for example 6")
    return int(text)


def one_of(*choices: str) -> Callable[[str], str]:
    """One of these words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return text

    return read


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers separated by `/`."""
    try:
        return tuple(whole(part) for part in text.split("/"))
    except ValueError:
        raise ValueError("whole numbers separated by '/', for example 0/3/4") from None


def lists(text: str) -> tuple[tuple[int, ...], ...]:
    """Lists separated by `;`, their members by `/`."""
    try:
        return tuple(numbers(part) for part in text.split(";"))
    except ValueError:
        raise ValueError("lists separated by ';' with members separated by '/', for example 0/1;1/2") from None


@dataclass(frozen=True)
class Parameter:
    """One argument of an environment: its key, how its text is read, and its default (None: it must be given)."""

    name: str
    read: Callable[[str], Value]
    default: Value | None = None


@dataclass(frozen=True)
class Environment:
    """A family of problems whose answer is known.  Call it with its arguments to get a problem.

    `version` changes when the same arguments begin to mean another problem: certificates name it.
    """

    name: str
    make: Callable[..., World]
    parameters: tuple[Parameter, ...] = ()
    version: int = 1

    def __call__(self, **values: object) -> TeachingProblem:
        """The problem with these arguments, as if they had been written in text."""
        return self.from_texts({key: _written(value) for key, value in values.items()})

    def parse(self, arguments: str) -> TeachingProblem:
        """The problem for what follows the colon."""
        texts: dict[str, str] = {}
        for position, part in enumerate(arguments.split(",")):
            key, equals, value = part.partition("=")
            if not equals:
                key, value = self._first_key(position, part), part
            if key in texts:
                raise BadProblem(f"environment {self.name}: {key} is given twice")
            texts[key] = value
        return self.from_texts(texts)

    def from_texts(self, texts: Mapping[str, str]) -> TeachingProblem:
        """The problem with each argument given as text."""
        values = self._values(texts)
        world = self.make(**values)
        return TeachingProblem.from_source(
            world.source,
            identity=self._identity(values),
            name=self._text(values),
            state_names=world.state_names,
            action_names=world.action_names,
            feature_names=world.feature_names,
            draw=world.draw,
        )

    @property
    def usage(self) -> str:
        """How the environment is written, for example `diamond:n[,edges=...]`."""
        given = [p.name for p in self.parameters if p.default is None]
        optional = [f"{p.name}={_written(p.default)}" for p in self.parameters if p.default is not None]
        arguments = ",".join(given) + (f"[,{','.join(optional)}]" if given and optional else ",".join(optional))
        return f"{self.name}:{arguments}" if arguments else self.name

    def _first_key(self, position: int, text: str) -> str:
        if position or not self.parameters:
            raise BadProblem(f"environment {self.name}: {text!r} has no key; write {self.usage}")
        return self.parameters[0].name

    def _values(self, texts: Mapping[str, str]) -> dict[str, Value]:
        for key in texts:
            if all(key != p.name for p in self.parameters):
                raise BadProblem(f"environment {self.name} has no parameter {key!r}; write {self.usage}")
        return {p.name: self._value(p, texts.get(p.name)) for p in self.parameters}

    def _value(self, parameter: Parameter, text: str | None) -> Value:
        if text is None:
            if parameter.default is None:
                raise BadProblem(f"environment {self.name} needs {parameter.name}; write {self.usage}")
            return parameter.default
        try:
            return parameter.read(text)
        except ValueError as error:
            shown = text if len(text) <= 40 else text[:40] + "..."
            raise BadProblem(f"environment {self.name}: {parameter.name} is {shown!r}, not {error}") from None

    def _identity(self, values: Mapping[str, Value]) -> str:
        """What a certificate is about: how the problem is written, name, every argument (defaults too) and version."""
        arguments = (f"{key}={_written(value)}" for key, value in values.items())
        return "\t".join(("hornbook-environment", self._text(values), self.name, *arguments, str(self.version)))

    def _text(self, values: Mapping[str, Value]) -> str:
        """How these arguments are written: required ones without keys, the others where they are not the default."""
        given = [_written(values[p.name]) for p in self.parameters if p.default is None]
        changed = [
            f"{p.name}={_written(values[p.name])}" for p in self.parameters if p.default not in (None, values[p.name])
        ]
        return ":".join([self.name, ",".join([*given, *changed])] if given or changed else [self.name])


def _written(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        nested = any(isinstance(member, Sequence) and not isinstance(member, str) for member in value)
        return (";" if nested else "/").join(_written(member) for member in value)
    return str(value)
