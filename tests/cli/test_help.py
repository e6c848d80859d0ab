"""Help shows real commands with their real output: each example, in help and in the documents, is run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from hornbook.cli import COMMANDS
from tests.cli.running import hornbook

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"


def examples(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each `$ command` with the lines printed below it."""
    for block in re.split(r"\n\s*\n|\n```", text):
        lines = block.splitlines()
        starts = [i for i, line in enumerate(lines) if line.strip().startswith("$ ")]
        for start, stop in zip(starts, [*starts[1:], len(lines)], strict=False):
            margin = lines[start].index("$")
            yield lines[start].strip()[2:], [line[margin:] for line in lines[start + 1 : stop]]


def check_example(command: str, expected: list[str]) -> None:
    """What is printed is what is shown; three dots stand for anything, alone for any lines."""
    words = shlex.split(command)
    assert words[0] == "hornbook"
    found = hornbook(*words[1:])
    lines = (r"(.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r"\n" for line in expected)
    pattern = "".join(lines)
    assert re.fullmatch(pattern, found.out + found.err), (command, found.out + found.err)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_in_help_are_real(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command shows at least one."""
    monkeypatch.chdir(tmp_path)
    shown = list(examples(hornbook(command, "--help").out))
    assert shown
    for example in shown:
        check_example(*example)


def test_examples_in_the_document_are_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page, in one folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HORNBOOK_DEBUG", raising=False)
    shown = list(examples(DOCUMENT.read_text(encoding="utf-8")))
    assert len(shown) >= 8
    for example in shown:
        check_example(*example)


def test_the_document_names_every_option_of_every_command() -> None:
    """What help lists, the page explains."""
    page = DOCUMENT.read_text(encoding="utf-8")
    for command in COMMANDS:
        for option in re.findall(r"^  (?:-\w, )?(--[a-z-]+)", hornbook(command, "--help").out, flags=re.MULTILINE):
            assert f"`{option}" in page, (command, option)


def test_the_list_of_commands() -> None:
    """`hornbook --help` names them in reading order, in lines that are not cut."""
    listed = re.findall(r"^  ([a-z]+)  +[A-Z].*", hornbook("--help").out, flags=re.MULTILINE)
    assert listed == list(COMMANDS)
    assert not re.search(r"[a-z]\.\.\.$", hornbook("--help").out, flags=re.MULTILINE)
