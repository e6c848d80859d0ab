"""Problem files: `load("policy.npz")`, `save(problem, "policy.json")`.

- `.npz`: numpy arrays; compact, for data that a program made.
- `.json`: text; for small problems, exact fractions, states with different actions, and for reading by eye.
- `.csv`: a table for spreadsheets, one row per state and action; or, with `label=`, classification data.
- `.parquet` and `.arrow`: the same tables in columns (extra `arrow`); `from_table` takes frames of pandas and polars.

`load_request` reads what is asked of a lesson.

Files are not trusted: nothing in them is run, and sizes are checked before memory is taken.
To add a format: a module with `read` and `write`, and a line in `FORMATS`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import BinaryIO, Protocol

from hornbook.errors import BadProblem, LimitExceeded
from hornbook.formats import csv, json, npz
from hornbook.formats.arrow import ARROW, PARQUET, from_table
from hornbook.formats.files import MOST_BYTES, new_file, opened
from hornbook.formats.request import load_part, load_request
from hornbook.problem import TeachingProblem
from hornbook.streams import StreamSource

__all__ = [
    "FORMATS",
    "LABELLED",
    "Format",
    "LabelledFormat",
    "from_table",
    "load",
    "load_part",
    "load_request",
    "new_file",
    "save",
]


class Format(Protocol):
    """What a format's module offers."""

    def read(self, stream: BinaryIO, *, exact: bool) -> TeachingProblem:
        """The problem in a seekable stream; `exact` takes floats as the binary fractions they are."""

    def write(self, problem: TeachingProblem, stream: BinaryIO) -> None:
        """Write the whole problem; reading it back gives the same rows."""


class LabelledFormat(Protocol):
    """What a format's module offers beside if its tables can be classification data."""

    def read_labelled(self, stream: BinaryIO, *, label: str, exact: bool) -> TeachingProblem:
        """Each row is a state, the column `label` its target, the others its features."""


FORMATS: Mapping[str, Format] = MappingProxyType(
    {".npz": npz, ".json": json, ".csv": csv, ".parquet": PARQUET, ".arrow": ARROW}
)
"""Every format by the ending of its files."""

LABELLED: Mapping[str, LabelledFormat] = MappingProxyType({".csv": csv, ".parquet": PARQUET, ".arrow": ARROW})
"""The formats that can hold classification data."""


def load(
    path: str | os.PathLike[str], *, format: str | None = None, label: str | None = None, exact: bool = False
) -> TeachingProblem:
    """The problem in a file; `-` is standard input, and needs `format`.

    `label` names the column of a table of classification data that holds the classes.  `exact=True` takes decimals in
    texts as they are written, and stored floats as the binary fractions they are.  Every refusal names the file.
    """
    name = os.fspath(path)
    ending = _ending(name, format)
    with opened(name) as stream:
        try:
            if label is None:
                return _said_to_be_of(name, FORMATS[ending].read(stream, exact=exact))
            return _labelled(ending).read_labelled(stream, label=label, exact=exact)
        except (BadProblem, LimitExceeded) as error:
            shown = "standard input" if name == "-" else name
            raise type(error)(f"{shown}: {error}") from None


def _said_to_be_of(name: str, problem: TeachingProblem) -> TeachingProblem:
    """States that are read later still name their file when something is wrong with them."""
    if isinstance(problem.source, StreamSource):
        problem.source.origin = f"{name}: "
    return problem


def _labelled(ending: str) -> LabelledFormat:
    if ending not in LABELLED:
        raise BadProblem(f"{ending} files have no columns to be a label; those that do are {', '.join(LABELLED)}")
    return LABELLED[ending]


def save(
    problem: TeachingProblem, path: str | os.PathLike[str], *, format: str | None = None, force: bool = False
) -> None:
    """Write the whole problem to a file; an existing file needs `force`, and no file is above the limit for reading."""
    name = os.fspath(path)
    writer = FORMATS[_ending(name, format)]
    _check_size(problem)
    with new_file(name, force=force) as stream:
        writer.write(problem, stream)


def _check_size(problem: TeachingProblem) -> None:
    """Environments can be larger than any memory; say so before it is full."""
    size = problem.num_states * problem.num_actions * problem.num_features * 8
    if size > MOST_BYTES:
        raise LimitExceeded(
            f"the features of {problem.num_states:,} states would fill {size:,} bytes, "
            f"above the limit of {MOST_BYTES:,} for a file"
        )


def _ending(path: str, given: str | None) -> str:
    ending = os.path.splitext(path)[1].lower() if given is None else "." + given.lower().removeprefix(".")
    if ending not in FORMATS:
        raise BadProblem(f"{_unknown(path, given)}; use one of {', '.join(FORMATS)}")
    return ending


def _unknown(path: str, given: str | None) -> str:
    if given is not None:
        return f"the format {given!r} is not known"
    if path == "-":
        return "standard input has no name to tell its format by: it needs --format (format=)"
    return f"{path!r} is a folder" if os.path.isdir(path) else f"{path!r} has an ending that is not known"
