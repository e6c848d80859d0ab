"""What is asked of a lesson, from a file: `load_request("wishes.json")` is the keywords for `teach`.

`{"format": "hornbook-request", "version": 1}` with any of `must`, `may_not`, `given` (lists of ids), `folds` (a
number), `groups` (`{"name": ["id", ...]}` or `{"name": {"states": [...], "cost": "1/2"}}`) and `prior`
(`[{"vector": [1, "1/3"], "kind": "strict"}]`, or `"weak"`).  Decimals count as they are written.  A file with nothing
but the value of `groups` or of `prior` is read by `load_part`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hornbook.errors import BadProblem
from hornbook.formats.files import opened, read_all
from hornbook.formats.json import parsed, text_of

__all__ = ["load_part", "load_request"]

_FORMAT, _VERSION = "hornbook-request", 1
_PARTS = ("must", "may_not", "given", "folds", "groups", "prior")


def load_request(path: str) -> dict[str, Any]:
    """The keywords that a file asks for; states and numbers are looked at by `teach`."""
    return _read(path, _keywords)


def load_part(path: str, key: str) -> dict[str, Any]:
    """The keyword `groups` or `prior` from a file that holds its value."""
    return _read(path, lambda value: {key: _prior(value) if key == "prior" else value})


def _read(path: str, understood: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    with opened(path) as stream:
        data = read_all(stream, path)
    try:
        return understood(parsed(text_of(data), decimal=str))
    except BadProblem as error:
        raise BadProblem(f"{path}: {error}") from None


def _keywords(whole: Any) -> dict[str, Any]:
    if not isinstance(whole, dict):
        raise BadProblem("the text is not a JSON object")
    version = whole.pop("version", None)
    if whole.pop("format", None) != _FORMAT or type(version) is not int or version != _VERSION:
        raise BadProblem(f'it must say "format": "{_FORMAT}" and "version": {_VERSION}')
    unknown = [key for key in whole if key not in _PARTS]
    if unknown:
        raise BadProblem(f"{unknown[0][:60]!r} is not part of a request; its parts are {', '.join(_PARTS)}")
    for key in ("must", "may_not", "given"):
        _check_ids(key, whole.get(key, []))
    if whole.get("groups", {}) is None:
        del whole["groups"]
    if "prior" in whole:
        whole["prior"] = _prior(whole["prior"])
    return whole


def _check_ids(key: str, ids: Any) -> None:
    if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
        raise BadProblem(f"{key} is not a list of ids, which are texts")


def _prior(told: Any) -> list[tuple[Any, Any]]:
    if not isinstance(told, list):
        raise BadProblem("prior is not a list")
    for place, half_space in enumerate(told):
        if not isinstance(half_space, dict) or half_space.keys() != {"vector", "kind"}:
            raise BadProblem(f'prior {place} is not of the form {{"vector": [1, 0], "kind": "strict"}}')
        if not isinstance(half_space["vector"], list):
            raise BadProblem(f"prior {place}: its vector is not a list")
    return [(half_space["vector"], half_space["kind"]) for half_space in told]
