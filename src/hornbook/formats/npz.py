"""`.npz`: arrays in a zip archive, read without trusting it.

Members: `features` [states, actions, d], `target` [states] (action indices), and optionally `available`
[states, actions], `cost` [states], `state_names`, `action_names` ([actions], or [states, actions]) and `feature_names`.
Numbers may be integers, floats, or texts such as "1/3"; names are texts.  numpy's own reader is not used for the
archive, because it believes declared sizes and unpickles on request; every size here is checked before memory is taken.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from hornbook.arithmetic import narrowed
from hornbook.errors import BadProblem, HornbookError, LimitExceeded
from hornbook.formats.files import MOST_BYTES
from hornbook.formats.members import OPTIONAL, REQUIRED, Contents, check_names, check_present, contents
from hornbook.formats.npy import Array, array_bytes, read_array
from hornbook.formats.windows import Rows, rows_of
from hornbook.problem import TeachingProblem
from hornbook.sources import ArraySource, Source
from hornbook.streams import StreamSource

__all__ = ["read", "write"]

_IN_MEMORY = 1 << 26  # features above this many bytes are read from the file again and again: 64 MB
_MOST_RATIO = 1000  # deflate reaches 1032 on zeros; honest data is far below
_KINDS = {  # which dtype kinds a member may have: b truth, i and u integers, f floats, U text
    "features": "iufU",
    "target": "iu",
    "available": "biu",
    "cost": "iufU",
    "state_names": "U",
    "action_names": "U",
    "feature_names": "U",
    "noise": "iufU",
    "merge": "iufU",
}


def read(stream: BinaryIO, *, exact: bool) -> TeachingProblem:
    """The problem in an archive; `BadProblem` names the member and what is wrong with it."""
    with _reading("the .npz archive"), zipfile.ZipFile(stream) as archive:
        members = _members(archive)
        windows = _windows(stream, archive, members)
        arrays = {name: _array(archive, info, name) for name, info in members.items() if name not in windows}
    check_present({**arrays, **windows})
    return _problem(_source(arrays, windows, exact=exact), arrays)


def _source(arrays: dict[str, Array], windows: dict[str, Rows], *, exact: bool) -> Source:
    if not windows:
        return ArraySource.of(arrays["features"], arrays["target"], available=arrays.get("available"), exact=exact)

    def ask(start: int, stop: int) -> tuple[Array, ...]:
        with _reading("the .npz archive"):
            return tuple(window.read(start, stop) for window in windows.values())

    return StreamSource.of(ask, windows["features"].header.shape[0], exact=exact)


def _windows(stream: BinaryIO, archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo]) -> dict[str, Rows]:
    """What is read a few states at a time, if the features are large and stand state by state."""
    if not isinstance(stream, io.BufferedReader) or not hasattr(os, "pread"):
        return {}
    large = "target" in members and "features" in members and members["features"].file_size > _IN_MEMORY
    names = [name for name in ("features", "target", "available") if name in members] if large else []
    rows: dict[str, Rows] = {}
    for name in names:
        with _reading(f"member {name}"):
            rows[name] = rows_of(stream, archive, name=name, kinds=_KINDS[name])
    shapes = [each.header.shape for each in rows.values()]
    plain = all(not each.header.fortran and each.header.dtype.kind != "U" for each in rows.values())
    fitting = len(shapes) > 1 and len(shapes[0]) == 3 and 0 not in shapes[0] and shapes[1] == shapes[0][:1]
    return rows if plain and fitting and all(shape == shapes[0][:2] for shape in shapes[2:]) else {}


def _problem(source: Source, arrays: dict[str, Array]) -> TeachingProblem:
    cost = arrays.get("cost")
    if cost is not None and cost.ndim != 1:
        raise BadProblem(f"member cost has the shape {cost.shape}; it must be [states]")
    problem = TeachingProblem.from_source(
        source,
        cost=None if cost is None else cost.tolist(),
        state_names=_names(arrays, "state_names"),
        action_names=_action_names(arrays, source),
        feature_names=_names(arrays, "feature_names"),
    )
    return problem.with_tolerances(noise=_tolerance(arrays, "noise"), merge=_tolerance(arrays, "merge"))


def _tolerance(arrays: dict[str, Array], name: str) -> Any:
    if name not in arrays:
        return None
    if arrays[name].size != 1:
        raise BadProblem(f"member {name} has the shape {arrays[name].shape}; it is one number")
    return arrays[name].item()


def _names(arrays: dict[str, Array], name: str) -> list[str] | None:
    if name not in arrays:
        return None
    if arrays[name].ndim != 1:
        raise BadProblem(f"member {name} has the shape {arrays[name].shape}; names stand in one row")
    return check_names(name, arrays[name].tolist())


def _action_names(arrays: dict[str, Array], source: Source) -> list[str] | list[list[str]] | None:
    """One list, or names per state, [states, actions]: as many as reach to the last available action."""
    names, shape = arrays.get("action_names"), (source.num_states, source.num_actions)
    if names is None or names.ndim != 2:
        return _names(arrays, "action_names")
    if names.shape != shape:
        raise BadProblem(f"member action_names has the shape {names.shape}; the actions have {shape}")
    return [check_names("action_names", row[:n].tolist()) for row, n in zip(names, source.counts, strict=True)]


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members by name, when each is one we know, once, and of a size that can be believed."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name not in REQUIRED + OPTIONAL or name == info.filename:
            raise BadProblem(f"member {info.filename[:60]!r} is not part of a problem")
        if name in members:
            raise BadProblem(f"member {name} occurs twice")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise BadProblem(f"member {name} is a symbolic link")
        if info.file_size > _MOST_RATIO * max(info.compress_size, 1):
            raise BadProblem(f"member {name} expands more than {_MOST_RATIO} times; it looks like a zip bomb")
        members[name] = info
    if sum(info.file_size for info in members.values()) > MOST_BYTES:
        raise LimitExceeded(f"the members expand to more than {MOST_BYTES:,} bytes, which is the limit")
    return members


@contextlib.contextmanager
def _reading(what: str) -> Iterator[None]:
    """Whatever the archive's decoders raise, on any damage, becomes one line that says where."""
    try:
        yield
    except HornbookError:
        raise
    except Exception as error:
        raise BadProblem(f"{what} cannot be read: {str(error) or type(error).__name__}") from None


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Array:
    with _reading(f"member {name}"), archive.open(info) as member:
        return read_array(member, name, size=info.file_size, kinds=_KINDS[name])


def write(problem: TeachingProblem, stream: BinaryIO) -> None:
    """The whole problem as an archive; numbers that are not small integers are written as texts.

    The same problem gives the same bytes.  Cost: everything is in memory at once.
    """
    with zipfile.ZipFile(stream, "w") as archive:
        for name, array in _stored(problem).items():
            info = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o644 << 16
            archive.writestr(info, array_bytes(array))


def _stored(problem: TeachingProblem) -> dict[str, Array]:
    whole = contents(problem)
    arrays: dict[str, Array] = {"features": _features(problem, whole), "target": whole.target.astype(np.int64)}
    if not whole.available.all():
        arrays["available"] = whole.available
    if whole.cost is not None:
        arrays["cost"] = _numbers(np.array(whole.cost, dtype=object))
    if whole.state_names is not None:
        arrays["state_names"] = _texts(whole.state_names, "state_names")
    if whole.action_names is not None:
        arrays["action_names"] = _padded(whole.action_names, problem.num_actions)
    if whole.feature_names is not None:
        arrays["feature_names"] = _texts(whole.feature_names, "feature_names")
    for name, value in (("noise", whole.noise), ("merge", whole.merge)):
        if value is not None:
            arrays[name] = np.array([value], dtype=np.str_)
    return arrays


def _features(problem: TeachingProblem, whole: Contents) -> Array:
    """Floats in the precision they came in, other numbers exactly."""
    return whole.features.astype(problem.arithmetic) if problem.is_float else _numbers(whole.features)


def _texts(names: Sequence[str], kind: str) -> Array:
    """The names as an array, which pads with NUL and so cannot keep a NUL at the end."""
    for name in names:
        if name.endswith("\0"):
            raise BadProblem(f"{kind}: {name[-40:]!r} ends in NUL, which .npz cannot store; write .json")
    return np.array(names, dtype=np.str_)


def _numbers(values: Array) -> Array:
    exact = narrowed(values)
    if exact.dtype == np.int64:
        return exact
    return np.array([str(v) for v in exact.flat], dtype=np.str_).reshape(exact.shape)


def _padded(names: list[str] | list[list[str]], width: int) -> Array:
    if not names or isinstance(names[0], str):
        return _texts([str(name) for name in names], "action_names")
    return np.array([_texts([*own, *[""] * (width - len(own))], "action_names") for own in names], dtype=np.str_)
