"""Opening what a user named: regular files only (no URL, folder, pipe or device), and no silent overwriting."""

from __future__ import annotations

import contextlib
import io
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hornbook.errors import BadProblem, LimitExceeded

__all__ = ["MOST_BYTES", "new_file", "opened", "read_all"]

MOST_BYTES = 1 << 33
"""Above this an input is refused: 8 GiB."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@contextlib.contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file at `path` for reading, or standard input for `-`; seekable, and not above `MOST_BYTES`."""
    if path == "-":
        yield io.BytesIO(read_all(sys.stdin.buffer, "standard input"))
        return
    with _regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > MOST_BYTES:
            raise LimitExceeded(f"{path}: {size:,} bytes are above the limit of {MOST_BYTES:,}")
        yield stream


def read_all(stream: BinaryIO, name: str) -> bytes:
    """Everything in the stream, unless it is above `MOST_BYTES`."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise LimitExceeded(f"{name}: more than {MOST_BYTES:,} bytes, which is the limit")
    return data


def _regular(path: str) -> BinaryIO:
    if _URL.match(path):
        raise BadProblem(f"{path}: this is a URL; download it first and name the file")
    try:
        # without O_NONBLOCK, opening a pipe would wait for a writer before anything could be looked at
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise BadProblem(f"{path}: {_reason(error)}") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise BadProblem(f"{path}: this is not a regular file (a folder, a pipe or a device)")
    return open(handle, "rb")


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


@contextlib.contextmanager
def new_file(path: str, *, force: bool = False) -> Iterator[BinaryIO]:
    """A file to write that appears at `path` only when it is complete; an existing one needs `force`.

    Written beside its place and moved there, so an interrupted or failed write leaves nothing half done.
    """
    place = Path(os.path.realpath(path))
    _may_write(place, force=force)
    scratch = place.with_name(f".{place.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except (OSError, ValueError) as error:
        raise BadProblem(f"{path!r}: cannot write here: {_reason(error)}") from None
    try:
        with open(handle, "wb") as stream:
            yield stream
        _may_write(place, force=force)
        os.replace(scratch, place)
    finally:
        scratch.unlink(missing_ok=True)


def _may_write(place: Path, *, force: bool) -> None:
    if place.exists() and not place.is_file():
        raise BadProblem(f"{place}: this is not a regular file, so it cannot be overwritten")
    if place.exists() and not force:
        raise BadProblem(f"{place}: this exists already; use --force (force=True) to overwrite it")
