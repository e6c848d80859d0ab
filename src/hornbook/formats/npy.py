"""One `.npy` array inside an archive, read without believing its header: sizes first, memory after."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from hornbook.errors import BadProblem

__all__ = ["Array", "Header", "array_bytes", "array_header", "read_array", "shaped"]

Array = npt.NDArray[Any]

_MOST_HEADER = 10_000
_LAST_LETTER = 0x10FFFF  # of Unicode
_KIND_NAMES = {"b": "truth values", "i": "integers", "u": "unsigned integers", "f": "floats", "U": "texts"}


def read_array(member: IO[bytes], name: str, *, size: int, kinds: str) -> Array:
    """The array in a member of `size` bytes, if its dtype is one of `kinds` (numpy's letters) and its shape fits."""
    header, _ = array_header(member, name, size=size, kinds=kinds)
    return shaped(member.read(), header, name=name)


@dataclass(frozen=True)
class Header:
    """What an array says of itself."""

    shape: tuple[int, ...]
    fortran: bool
    dtype: np.dtype[Any]

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize


def array_header(member: IO[bytes], name: str, *, size: int, kinds: str) -> tuple[Header, int]:
    """The header of an array in a member of `size` bytes, if it can be believed, and its length."""
    header, length = _header(member, name)
    _check_dtype(header.dtype, name, kinds=kinds)
    if header.nbytes != size - length:
        raise BadProblem(
            f"member {name} declares shape {header.shape} of {header.dtype}, which is {header.nbytes:,} bytes, "
            f"but holds {size - length:,}"
        )
    return header, length


def _header(member: Any, name: str) -> tuple[Header, int]:
    """The header of a `.npy` member, and its length; nothing is allocated for what it declares."""
    start = member.read(10)
    wide = start[6:7] == b"\x02"
    if start[:6] != b"\x93NUMPY" or start[6:8] not in (b"\x01\x00", b"\x02\x00"):
        raise BadProblem(f"member {name} is not a .npy array of version 1.0 or 2.0")
    start += member.read(2) if wide else b""
    if len(start) != (12 if wide else 10):
        raise BadProblem(f"member {name} is cut short")
    length = int.from_bytes(start[8:], "little")
    if length > _MOST_HEADER:
        raise BadProblem(f"member {name} has a header of {length:,} bytes; at most {_MOST_HEADER:,} are read")
    text = start[8:] + member.read(length)
    return _declared(text, name, wide=wide), 8 + len(text)


def _declared(text: bytes, name: str, *, wide: bool) -> Header:
    parse = np.lib.format.read_array_header_2_0 if wide else np.lib.format.read_array_header_1_0
    try:
        header = Header(*parse(io.BytesIO(text), max_header_size=_MOST_HEADER))
    except Exception as error:  # numpy evaluates the header as Python text, which fails in many ways
        raise BadProblem(f"member {name} has an unreadable header: {str(error)[:100]}") from None
    if any(size < 0 for size in header.shape):
        raise BadProblem(f"member {name} declares the shape {header.shape}")
    return header


def _check_dtype(dtype: np.dtype[Any], name: str, *, kinds: str) -> None:
    if dtype.hasobject:
        raise BadProblem(f"member {name} holds Python objects (pickles), which are never read; store numbers or texts")
    wide_float = dtype.kind == "f" and dtype.itemsize > 8  # long doubles differ from machine to machine
    if dtype.kind not in kinds or wide_float or dtype.itemsize == 0:
        wanted = " or ".join(_KIND_NAMES[kind] for kind in kinds)
        raise BadProblem(f"member {name} has the type {dtype}, which is not read there; store {wanted}")


def shaped(data: bytes, header: Header, *, name: str) -> Array:
    """The bytes as the array that a header declares."""
    try:
        _check_units(data, header.dtype)
        flat = np.frombuffer(data, dtype=header.dtype)
        return flat.reshape(header.shape, order="F" if header.fortran else "C")
    except ValueError as error:
        raise BadProblem(f"member {name} is not {header.shape} of {header.dtype}: {error}") from None


def _check_units(data: bytes, dtype: np.dtype[Any]) -> None:
    """Texts are code points and truth values are 0 or 1; numpy does not look."""
    if dtype.kind == "U":
        units, most = np.frombuffer(data, dtype=f"{dtype.str[0]}u4"), _LAST_LETTER
    else:
        units, most = np.frombuffer(data, dtype=np.uint8), 1 if dtype.kind == "b" else 255
    if units.max(initial=0) > most:
        raise ValueError("some of its bytes mean nothing")


def array_bytes(array: Array) -> bytes:
    """The array as a `.npy` file."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()
