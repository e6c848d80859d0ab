"""Run the command line in this process, and hold every JSON answer against its schema."""

from __future__ import annotations

import io
import json
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from jsonschema import Draft202012Validator

from hornbook.cli._entry import run
from hornbook.cli._interrupts import Interrupts

SCHEMAS = Path(__file__).parents[2] / "docs" / "json-schema"


@dataclass(frozen=True)
class Outcome:
    """What a run printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


class FakeTerminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def hornbook(
    *arguments: str, stdin: bytes = b"", terminal: bool = False, interrupts: Interrupts | None = None
) -> Outcome:
    """`hornbook arguments...`; an answer in JSON is checked against the schema of its command."""
    kind = FakeTerminal if terminal else io.TextIOWrapper
    out, err = kind(io.BytesIO(), encoding="utf-8"), kind(io.BytesIO(), encoding="utf-8")
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        stack.enter_context(mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))))
        code = run(arguments, interrupts=interrupts or Interrupts(json="--json" in arguments))
    outcome = Outcome(code, _text(out), _text(err))
    if "--json" in arguments and outcome.out and "--help" not in arguments:
        check_shape(arguments[0], outcome.data)
    return outcome


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def check_shape(command: str, data: Any) -> None:
    """The schema of the command if the answer is ok, else the one of errors."""
    schema("error" if data["ok"] is False else command).validate(data)


@cache
def schema(name: str) -> Draft202012Validator:
    content = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator.check_schema(content)
    return Draft202012Validator(content)


def problem_file(path: Path, features: object, target: list[int], **members: object) -> str:
    """Write a problem as `.json`; its name."""
    whole = {"format": "hornbook-problem", "version": 1, "features": features, "target": target, **members}
    path.write_text(json.dumps(whole))
    return str(path)


def unrealizable(path: Path) -> str:
    """A state that wants x > 0 and another that wants x < 0."""
    return problem_file(path, [[[1, 0], [0, 0]], [[0, 0], [2, 0]]], [0, 0], state_names=["right", "left"])


def affine_plane_cover() -> str:
    """A cover that takes seconds to prove: the 27 points and 117 lines of affine 3-space over three elements."""
    points = [(x, y, z) for x in range(3) for y in range(3) for z in range(3)]
    lines = sorted(
        {
            frozenset((p, q, tuple((-a - b) % 3 for a, b in zip(p, q, strict=True))))
            for p in points
            for q in points
            if p != q
        },
        key=sorted,
    )
    through = ["/".join(str(i) for i, line in enumerate(lines) if p in line) for p in points]
    return "set_cover:" + ";".join(through)
