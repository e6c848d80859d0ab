"""Archives made by hand, so that each can be wrong in one way."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np

FEATURES = np.array([[[1, 0], [0, 0]], [[0, 1], [0, 0]]])
TARGET = np.array([0, 0])


def npy(array: Any, *, pickles: bool = False) -> bytes:
    """A `.npy` file as numpy writes it."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=pickles)
    return buffer.getvalue()


def declared(header: str, data: bytes = b"", *, version: bytes = b"\x01\x00") -> bytes:
    """A `.npy` file with any header text."""
    text = header.encode() + b"\n"
    width = 2 if version[:1] == b"\x01" else 4
    return b"\x93NUMPY" + version + len(text).to_bytes(width, "little") + text + data


def shape(what: str, dtype: str = "<i8") -> str:
    """A header that declares this shape and type."""
    return f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {what}, }}"


def archive(members: dict[str, Any], *, compression: int = zipfile.ZIP_STORED) -> bytes:
    """An archive of arrays, or of bytes as they are; features and target unless told otherwise (None: left out)."""
    whole = {"features": FEATURES, "target": TARGET, **members}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, value in whole.items():
            if value is not None:
                file.writestr(name if "." in name else f"{name}.npy", value if isinstance(value, bytes) else npy(value))
    return buffer.getvalue()
