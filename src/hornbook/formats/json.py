"""`.json`: a problem as text, exact where it is written exactly.

`{"format": "hornbook-problem", "version": 1, "features": [[["1/3", 2], [0, 1]], ...], "target": [0, ...]}` and
optionally `available`, `cost`, `state_names`, `action_names` (one list, or one per state) and `feature_names`.
Integers and quoted numbers are exact; unquoted numbers with a point or an exponent are floats.  A state may have fewer
actions than others, and `null` stands for an action that is not available.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Number
from hornbook.errors import BadProblem
from hornbook.formats.files import read_all
from hornbook.formats.members import OPTIONAL, REQUIRED, Contents, check_names, check_present, contents
from hornbook.problem import TeachingProblem

__all__ = ["parsed", "read", "text_of", "write"]

_FORMAT, _VERSION = "hornbook-problem", 1
_SHORT = 500  # digits: longer integers stay texts until arithmetic refuses or reads them, with their place
_PLAIN = 2**53  # integers from here on are quoted: other readers would round them


def read(stream: BinaryIO, *, exact: bool) -> TeachingProblem:
    """The problem in a JSON text; `BadProblem` says which member and row is wrong."""
    members = _members(text_of(read_all(stream, "the text")))
    features, present = _table(members["features"])
    return TeachingProblem(
        features=features,
        target=_targets(members["target"]),
        available=_available(members, present),
        cost=_list(members, "cost"),
        state_names=_names(members, "state_names"),
        action_names=_action_names(members),
        feature_names=_names(members, "feature_names"),
        exact=exact,
        noise=_tolerance(members, "noise"),
        merge=_tolerance(members, "merge"),
    )


def _tolerance(members: dict[str, Any], name: str) -> int | float | str | None:
    value = members.get(name)
    if value is not None and type(value) not in (int, float, str):
        raise BadProblem(f"{name} is {_shown(value)}, not a number")
    return value


def text_of(data: bytes) -> str:
    """The text in some bytes, which must be plain UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:3] == b"\xef\xbb\xbf":
        raise BadProblem("the text starts with a byte order mark; save it as plain UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadProblem(f"byte {error.start} is not UTF-8; save the text as plain UTF-8") from None


def _members(text: str) -> dict[str, Any]:
    whole = parsed(text)
    if not isinstance(whole, dict):
        raise BadProblem("the text is not a JSON object")
    known = ("format", "version", *REQUIRED, *OPTIONAL)
    unknown = [key for key in whole if key not in known]
    if unknown:
        raise BadProblem(f"{unknown[0][:60]!r} is not part of a problem; its parts are {', '.join(known)}")
    version = whole.get("version")
    if whole.get("format") != _FORMAT or type(version) is not int or version != _VERSION:
        raise BadProblem(f'it must say "format": "{_FORMAT}" and "version": {_VERSION}')
    check_present(whole)
    return whole


def parsed(text: str, *, decimal: Callable[[str], Any] = float) -> Any:
    """The data in a JSON text; numbers with a point or an exponent are what `decimal` makes of them."""
    try:
        return json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_int=_integer,
            parse_constant=_no_constant,
            parse_float=decimal,
        )
    except RecursionError:
        raise BadProblem("the lists are nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadProblem(f"line {error.lineno}, column {error.colno}: {error.msg}") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise BadProblem(f"the key {key[:60]!r} occurs twice")
        result[key] = value
    return result


def _integer(text: str) -> int | str:
    return int(text) if len(text) <= _SHORT else text


def _no_constant(text: str) -> float:
    raise BadProblem(f"{text} is not a number")


def _table(features: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """The features padded with zeros, and where there was a vector."""
    rows = _rows("features", features)
    vectors = [(s, a, v) for s, row in enumerate(rows) for a, v in enumerate(row) if v is not None]
    length = len(vectors[0][2]) if vectors and isinstance(vectors[0][2], list) else 1
    shape = (len(rows), max((len(row) for row in rows), default=1), length)
    table, present = np.zeros(shape, dtype=object), np.zeros(shape[:2], dtype=np.bool_)
    for state, action, vector in vectors:
        _check_vector(vector, length, place=f"features: row {state}, action {action}")
        table[state, action] = vector
        present[state, action] = True
    return table, present


def _check_vector(vector: Any, length: int, *, place: str) -> None:
    if not isinstance(vector, list):
        raise BadProblem(f"{place} is {_shown(vector)}, not a list of numbers (or null)")
    if len(vector) != length:
        raise BadProblem(f"{place} has {len(vector)} features; the first vector has {length}")
    for feature, value in enumerate(vector):
        if type(value) not in (int, float, str):
            raise BadProblem(f"{place}, feature {feature} is {_shown(value)}, not a number")


def _shown(value: object) -> str:
    kinds = {dict: "an object", list: "a list", type(None): "null", bool: str(value).lower()}
    return kinds.get(type(value)) or str(value)[:40]


def _rows(name: str, value: Any) -> list[list[Any]]:
    if not isinstance(value, list):
        raise BadProblem(f"{name} is {_shown(value)}, not a list with one entry per state")
    for row, entry in enumerate(value):
        if not isinstance(entry, list):
            raise BadProblem(f"{name}: row {row} is {_shown(entry)}, not a list with one entry per action")
    return value


def _targets(value: Any) -> npt.NDArray[np.int64]:
    if not isinstance(value, list):
        raise BadProblem(f"target is {_shown(value)}, not a list with one action per state")
    for row, entry in enumerate(value):
        if type(entry) is not int or abs(entry) >= 2**62:
            raise BadProblem(f"target: row {row} is {_shown(entry)}, not the number of an action")
    return np.array(value, dtype=np.int64)


def _available(members: dict[str, Any], present: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    if "available" not in members:
        return present
    rows = _rows("available", members["available"])
    if len(rows) != len(present):
        raise BadProblem(f"available: there are {len(rows)} rows for {len(present)} states")
    mask: npt.NDArray[np.bool_] = np.zeros(present.shape, dtype=np.bool_)
    for state, row in enumerate(rows):
        if len(row) > mask.shape[1] or any(type(entry) is not bool for entry in row):
            raise BadProblem(f"available: row {state} must be at most {mask.shape[1]} times true or false")
        mask[state, : len(row)] = row
    missing = np.argwhere(mask & ~present)
    if len(missing):
        state, action = missing[0].tolist()
        raise BadProblem(f"available: row {state} has action {action}, but features has no vector for it")
    return mask


def _list(members: dict[str, Any], name: str) -> list[Any] | None:
    if name not in members:
        return None
    value = members[name]
    if not isinstance(value, list):
        raise BadProblem(f"{name} is {_shown(value)}, not a list")
    return value


def _names(members: dict[str, Any], name: str) -> list[str] | None:
    names = _list(members, name)
    return None if names is None else check_names(name, names)


def _action_names(members: dict[str, Any]) -> list[str] | list[list[str]] | None:
    names = _list(members, "action_names")
    if names and isinstance(names[0], list):
        return [check_names("action_names", row) for row in _rows("action_names", names)]
    return _names(members, "action_names")


def write(problem: TeachingProblem, stream: BinaryIO) -> None:
    """The whole problem as one line of JSON per member, numbers exact; unavailable actions are `null`.

    The same problem gives the same bytes.  Cost: everything is in memory at once.
    """
    if problem.arithmetic in ("float32", "float16"):
        raise BadProblem(f"JSON has no {problem.arithmetic} numbers; write an .npz file, which keeps them as they are")
    lines = [f'  "{name}": {_written(value)}' for name, value in _stored(contents(problem)).items()]
    stream.write(("{\n" + ",\n".join(lines) + "\n}\n").encode())


def _stored(whole: Contents) -> dict[str, Any]:
    parts: dict[str, Any] = {"format": _FORMAT, "version": _VERSION}
    parts["features"] = [
        [[_number(v) for v in vector] if there else None for vector, there in zip(row, mask, strict=True)]
        for row, mask in zip(whole.features.tolist(), whole.available.tolist(), strict=True)
    ]
    parts["target"] = whole.target.tolist()
    parts["cost"] = None if whole.cost is None else [_number(v) for v in whole.cost]
    names = {name: getattr(whole, name) for name in ("state_names", "action_names", "feature_names", "noise", "merge")}
    return {name: value for name, value in {**parts, **names}.items() if value is not None}


def _number(value: Number | float) -> int | float | str:
    plain = isinstance(value, float) or (isinstance(value, int) and abs(value) < _PLAIN)
    return value if plain else str(value)  # type: ignore[return-value]


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
