"""Hostile files at the front door: exit code 2, one line that names the file, little time and memory, no code run."""

from __future__ import annotations

import bz2
import io
import json
import lzma
import pickle
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.formats.archives import archive, declared, npy, shape

MEMORY = 256 * 1024  # KiB
SECONDS = 1.0  # of processor time, the start of Python included

RUN = """
import re, sys, time
from hornbook.cli._entry import run
from hornbook.cli._interrupts import Interrupts
code = run(["teach", sys.argv[1], "--json"], interrupts=Interrupts(json=True))
peak = re.search(r"VmHWM:\\s*([0-9]+)", open("/proc/self/status").read())
sys.stderr.write(f"\\n{code} {peak[1]} {time.process_time()}")
"""


class Touch:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.touch, (self.mark,)


def zeros(compression: int) -> bytes:
    """240 MB of zeros that truly are there."""
    return archive({"features": declared(shape("(1000000, 10, 3)"), bytes(240_000_000))}, compression=compression)


def encrypted() -> bytes:
    data = bytearray(archive({}))
    for start in (data.find(b"PK\x03\x04") + 6, data.find(b"PK\x01\x02") + 8):
        data[start] |= 1
    return bytes(data)


def problem_text(first: str) -> bytes:
    features = f"[[[{first}, 0], [0, 0]], [[0, 1], [0, 0]]]"
    return f'{{"format": "hornbook-problem", "version": 1, "features": {features}, "target": [0, 0]}}'.encode()


FILES: dict[str, Callable[[Path], bytes]] = {
    "pickle.npz": lambda mark: archive({"features": pickle.dumps(Touch(mark))}),
    "object.npz": lambda mark: archive(
        {"state_names": declared(shape("(2,)", "|O"), pickle.dumps([Touch(mark), Touch(mark)]))}
    ),
    "code.npz": lambda mark: archive({"features": declared(f"__import__('pathlib').Path({str(mark)!r}).touch()")}),
    "deflated.npz": lambda _: zeros(zipfile.ZIP_DEFLATED),
    "bzip2.npz": lambda _: zeros(zipfile.ZIP_BZIP2),
    "lzma.npz": lambda _: zeros(zipfile.ZIP_LZMA),
    "huge.npz": lambda _: archive({"features": declared(shape("(1000000, 1000000, 1)"))}),
    "beyond.npz": lambda _: archive({"features": declared(shape("(1" + "0" * 30 + ", 2, 2)"))}),
    "truth.npz": lambda _: archive({"features": declared(shape("(True, 2, 2)"), bytes(32))}),
    "header.npz": lambda _: archive(
        {"features": declared(shape("(2, 2, 2)") + " " * 6_000_000, bytes(64), version=b"\x02\x00")}
    ),
    "nested.npz": lambda _: archive({"features": declared("(" * 4900 + ")" * 4900)}),
    "encrypted.npz": lambda _: encrypted(),
    "directory.npz": lambda _: b"PK\x05\x06" + b"\xff" * 18,
    "bare.npz": lambda _: npy([1, 2]),
    "compressed.npz": lambda _: bz2.compress(archive({})),
    "xz.json": lambda _: lzma.compress(problem_text("1")),
    "nul.npz": lambda _: bytes(1000),
    "deep.json": lambda _: b"[" * 100_000,
    "objects.json": lambda _: b'{"a":' * 100_000,
    "closed.json": lambda _: b"[" * 100_000 + b"]" * 100_000,
    "digits.json": lambda _: problem_text("9" * 100_000),
    "quoted.json": lambda _: problem_text('"' + "9" * 100_000 + '"'),
    "below.json": lambda _: problem_text('"1/' + "9" * 100_000 + '"'),
    "exponent.json": lambda _: problem_text('"1e3000000"'),
    "wide.json": lambda _: problem_text('"' + "9" * 3990 + 'e4000"'),
    "float.json": lambda _: problem_text("1e400"),
    "utf16.json": lambda _: problem_text("1").decode().encode("utf-16-le"),
    "utf32.json": lambda _: problem_text("1").decode().encode("utf-32"),
    "trailing.json": lambda _: problem_text("1") + b" x",
    "comment.json": lambda _: b"// a problem\n" + problem_text("1"),
}


@pytest.mark.parametrize("name", FILES)
def test_one_line_little_time_little_memory_and_no_code(name: str, tmp_path: Path) -> None:
    """In a process of its own, whose own peak and processor time are read."""
    path, mark = tmp_path / name, tmp_path / "mark"
    path.write_bytes(FILES[name](mark))
    ended = subprocess.run([sys.executable, "-c", RUN, path], capture_output=True, text=True, check=False)
    told, last = ended.stderr.rsplit("\n", 1)
    found = re.fullmatch(r"([0-9]+) ([0-9]+) ([0-9.]+)", last)
    assert found, ended.stderr
    assert int(found[1]) == 2
    assert int(found[2]) < MEMORY
    assert float(found[3]) < SECONDS
    assert len(told.splitlines()) == 1
    assert json.loads(ended.stdout)["message"].startswith(f"{path}: ")
    assert not mark.exists()


def test_the_marks_would_be_seen(tmp_path: Path) -> None:
    """What is not run above would leave its mark if it were."""
    pickle.loads(pickle.dumps(Touch(tmp_path / "mark")))  # noqa: S301
    assert (tmp_path / "mark").exists()


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to("loop.json")
    ended = subprocess.run([sys.executable, "-c", RUN, tmp_path / "loop.json"], capture_output=True, check=False)
    assert b"symbolic links" in ended.stdout
    assert io.BytesIO(ended.stderr).readlines()[-1].startswith(b"2 ")
