"""What every format inherits: the round trip, and the doors that files go through."""

from __future__ import annotations

import io
import os
import socket
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hornbook.certificate.check import read_problem
from hornbook.environments import environment
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.formats import FORMATS, files, load, new_file, save
from hornbook.problem import TeachingProblem

PROBLEMS = {
    "diamond": lambda: environment("diamond:3"),
    "ragged": lambda: environment("set_cover:0/1/2;1/2;0"),
    "named": lambda: environment("six_rays"),
    "wide": lambda: TeachingProblem(
        features=[[[2**70, Fraction(-1, 3)], [1, 2]], [["0.1", 0], [2**53, -5]]],
        target=[0, 1],
        cost=[Fraction(1, 3), 0],
        state_names=["<script>", "\u202ex"],
        action_names=["=cmd()", "{{7*7}}"],
        feature_names=["f", "\x1b[31m"],
    ),
    "own names": lambda: TeachingProblem.from_ragged(
        [[[1, 0], [0, 0]], [[0, 1]]], [0, 0], action_names=[["a", "b"], ["c"]]
    ),
    "masked": lambda: TeachingProblem(
        features=[[[9, 9], [1, 0], [0, 0]]], target=[1], available=[[False, True, True]], cost=[2]
    ),
    "empty": lambda: TeachingProblem(features=np.zeros((0, 1, 1), dtype=int), target=[]),
}


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("which", PROBLEMS)
def test_round_trip(which: str, ending: str, tmp_path: Path) -> None:
    """Written and read again, every row is the same, and so are the bytes of writing it once more."""
    problem, path = PROBLEMS[which](), tmp_path / f"p{ending}"
    save(problem, path)
    again = load(path)
    assert list(again.rows()) == list(problem.rows())
    assert again.feature_names == problem.feature_names
    assert again.identity is None
    buffer = io.BytesIO()
    FORMATS[ending].write(again, buffer)
    assert buffer.getvalue() == path.read_bytes()


@pytest.mark.parametrize("ending", FORMATS)
def test_standard_input(ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads standard input, in the format that was named."""
    buffer = io.BytesIO()
    FORMATS[ending].write(environment("two_rays"), buffer)
    for name in (ending, ending.removeprefix(".").upper()):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(buffer.getvalue())))
        assert load("-", format=name).num_states == 3
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{nonsense")))
    with pytest.raises(BadProblem, match=r"standard input: "):
        load("-", format=ending)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * 100)))
    monkeypatch.setattr(files, "MOST_BYTES", 10)
    with pytest.raises(LimitExceeded, match="standard input"):
        load("-", format=ending)


@pytest.mark.parametrize(
    ("path", "format", "says"),
    [
        ("-", None, r"standard input has no name .* needs --format .*; use one of \.npz, \.json"),
        (".", None, "'.' is a folder"),
        ("p.txt", None, r"'p\.txt' has an ending that is not known"),
        ("p.npz", "xml", "the format 'xml' is not known"),
        ("http://example.org/p.npz", None, "^http://example.org/p.npz: this is a URL"),
        ("nothing.npz", None, "^nothing.npz: No such file"),
        ("a\0b.npz", None, "null"),
    ],
)
def test_paths_that_are_no_files(path: str, format: str | None, says: str) -> None:
    """Refused by name, with what to do."""
    with pytest.raises(BadProblem, match=says):
        load(path, format=format)


def test_folders_pipes_devices_and_sockets(tmp_path: Path) -> None:
    """Only regular files are opened; a pipe without a writer does not hang."""
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "device.json").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket.npz"))
        for name in ("pipe.json", "folder.npz", "device.json", "socket.npz"):
            with pytest.raises(BadProblem, match=name):
                load(tmp_path / name)


@pytest.mark.parametrize("ending", FORMATS)
def test_refusals_name_the_file(ending: str, tmp_path: Path) -> None:
    """An empty file is the simplest bad one."""
    path = tmp_path / f"empty{ending}"
    path.write_bytes(b"")
    with pytest.raises(BadProblem, match=f"empty{ending}: "):
        load(path)


def test_existing_files_need_force(tmp_path: Path) -> None:
    """Nothing is overwritten silently, and what cannot be a file is never replaced."""
    path = tmp_path / "p.json"
    save(environment("two_rays"), path)
    with pytest.raises(BadProblem, match="use --force"):
        save(environment("six_rays"), path)
    save(environment("six_rays"), path, force=True)
    assert load(path).num_states == 6
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(BadProblem, match="not a regular file"):
        save(environment("two_rays"), tmp_path / "folder.json", force=True)
    with pytest.raises(BadProblem, match="cannot write here"):
        save(environment("two_rays"), tmp_path / "nowhere" / "p.json")


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    """The file appears when it is complete, or not at all."""
    with pytest.raises(RuntimeError), new_file(str(tmp_path / "p.json")) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_links_are_written_through(tmp_path: Path) -> None:
    """With force, a link's target is replaced and the link stays."""
    (tmp_path / "target.json").write_bytes(b"old")
    (tmp_path / "link.json").symlink_to(tmp_path / "target.json")
    save(environment("two_rays"), tmp_path / "link.json", force=True)
    assert (tmp_path / "link.json").is_symlink()
    assert load(tmp_path / "target.json").num_states == 3


@pytest.mark.parametrize("ending", [".npz", ".json"])
@pytest.mark.parametrize("which", PROBLEMS)
def test_the_checker_reads_the_same_rows(which: str, ending: str, tmp_path: Path) -> None:
    """Two readers that share no code, one with the standard library only, agree on every file that is written."""
    problem, path = PROBLEMS[which](), tmp_path / f"p{ending}"
    save(problem, path)
    rows, arithmetic = read_problem(str(path))
    assert [_looked_at(row) for row in rows] == [_looked_at(row) for row in problem.rows()]
    assert arithmetic == problem.arithmetic


def _looked_at(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row without the padding of actions that are not available."""
    *head, features = row
    return (*head, tuple(features) if row[2] else None)


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("what", ["state_names", "action_names", "own", "feature_names"])
def test_names_that_a_file_cannot_hold(what: str, ending: str, tmp_path: Path) -> None:
    """Half a surrogate pair is no text in UTF-8, and numpy drops a NUL at the end: neither is written and changed."""
    path = str(tmp_path / f"p{ending}")
    for odd in ("half \ud800", "nul \0"):
        names: Any = [[odd, "b"], ["c", "d"]] if what == "own" else [odd, "b"]
        member = "action_names" if what == "own" else what
        problem = TeachingProblem(features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]]], target=[0, 0], **{member: names})
        if ending in (".json", ".parquet", ".arrow") and "nul" in odd:
            save(problem, path)
            assert load(path).digest == problem.digest
        else:
            with pytest.raises(BadProblem, match=f"{member}: .*(surrogate|NUL)"):
                save(problem, path)
            assert not os.path.exists(path)


@pytest.mark.parametrize("ending", FORMATS)
def test_what_is_larger_than_any_file_is_not_begun(ending: str, tmp_path: Path) -> None:
    """An environment is counted out on request; a file of it would fill the memory first."""
    with pytest.raises(LimitExceeded, match="244,140,624 states would fill 46,874,999,808 bytes"):
        save(environment("diamond:12"), tmp_path / f"p{ending}")
    assert not list(tmp_path.iterdir())


def test_a_folder_is_not_overwritten_even_with_force(tmp_path: Path) -> None:
    """And is not said to need force."""
    (tmp_path / "p.json").mkdir()
    for force in (False, True):
        with pytest.raises(BadProblem, match="not a regular file"):
            save(environment("two_rays"), tmp_path / "p.json", force=force)
