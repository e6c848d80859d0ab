"""Members of an archive too large for memory: their rows are read a few at a time, each time they are asked for.

Stored members are read where they stand in the file, compressed ones from their beginning on; whoever reads in order
reads each once.  This is not `mmap`: a file that shrinks under a map kills the process, and its pages would count as
memory.
"""

from __future__ import annotations

import io
import os
import weakref
import zipfile
from dataclasses import dataclass, replace
from typing import IO, Any, BinaryIO, Protocol

from hornbook.errors import BadProblem
from hornbook.formats.npy import Array, Header, array_header, shaped

__all__ = ["Rows", "rows_of"]

_PIECE = 1 << 20
_LOCAL = 30  # the length of a local header before its name and extra field


class Rows(Protocol):
    """An array whose rows are read on request."""

    @property
    def header(self) -> Header: ...

    def read(self, start: int, stop: int) -> Array:
        """The rows from `start` to before `stop`."""
        ...


def rows_of(stream: BinaryIO, archive: zipfile.ZipFile, *, name: str, kinds: str) -> Rows:
    """The rows of a member, which is read once now to see that it is whole; it must not be in Fortran order."""
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as member:
        header, length = array_header(member, name, size=info.file_size, kinds=kinds)
        while member.read(_PIECE):
            pass  # zipfile compares the checksum at the end
    file = _File(stream)
    if info.compress_type != zipfile.ZIP_STORED:
        return _Inflated(name, header, file, length)
    stream.seek(info.header_offset)
    local = stream.read(_LOCAL)
    extent = sum(int.from_bytes(local[place : place + 2], "little") for place in (26, 28))
    return _Stored(name, header, file, info.header_offset + _LOCAL + extent + length)


class _File:
    """A file of our own to read from, whatever becomes of the stream it was opened by."""

    def __init__(self, stream: BinaryIO) -> None:
        self.handle = os.dup(stream.fileno())
        weakref.finalize(self, os.close, self.handle)

    def read(self, count: int, place: int) -> bytes:
        return os.pread(self.handle, count, place)


class _Place(io.RawIOBase):
    """A place of its own in such a file, as descriptors that were copied share theirs."""

    def __init__(self, file: _File) -> None:
        self._file, self._place = file, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        begin = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: os.fstat(self._file.handle).st_size}
        self._place = begin[whence] + offset
        return self._place

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer), self._place)
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)


def _row_bytes(header: Header) -> int:
    return header.nbytes // max(1, header.shape[0])


@dataclass(frozen=True)
class _Stored:
    name: str
    header: Header
    file: _File
    offset: int

    def read(self, start: int, stop: int) -> Array:
        size = _row_bytes(self.header)
        data = self.file.read((stop - start) * size, self.offset + start * size)
        return _part(data, self, stop - start)


@dataclass(eq=False)
class _Inflated:
    name: str
    header: Header
    file: _File
    begin: int  # where the numbers begin in the member
    _member: IO[bytes] | None = None

    def read(self, start: int, stop: int) -> Array:
        size = _row_bytes(self.header)
        member, place = self._member, self.begin + start * size
        if member is None or member.tell() > place:
            archive = zipfile.ZipFile(io.BufferedReader(_Place(self.file)))
            member = self._member = archive.open(f"{self.name}.npy")
        while member.tell() < place and member.read(min(_PIECE, place - member.tell())):
            pass
        return _part(member.read((stop - start) * size), self, stop - start)


def _part(data: bytes, rows: _Stored | _Inflated, count: int) -> Array:
    header = replace(rows.header, shape=(count, *rows.header.shape[1:]))
    if len(data) != header.nbytes:
        raise BadProblem(f"member {rows.name}: the file has become shorter while it was read")
    return shaped(data, header, name=rows.name)
