"""Malformed rows and problem files, each with a certificate that would be right if the fault were overlooked."""

from __future__ import annotations

import io
import json
import os
import struct
import warnings
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from tests.forgeries.certificates import TWO
from tests.forgeries.maker import Json, Problem, Row, certify, hash_of, problem


@dataclass(frozen=True)
class RowForgery:
    """Rows that are no problem."""

    name: str
    rows: Sequence[Row]
    certificate: Json


@dataclass(frozen=True)
class FileForgery:
    """A certificate file and a problem file, written into a folder; `status` is what `check.py` must exit with."""

    name: str
    write: Callable[[Path], tuple[str, ...]]
    status: int = 2


def for_rows(given: Problem, rows: Sequence[Row], **changes: Any) -> Json:
    """The certificate of a problem, made out for these rows."""
    certificate = certify(given)
    certificate["problem"] |= {"sha256": hash_of(rows), **changes}
    return certificate


def second_target() -> RowForgery:
    rows = TWO.rows()
    rows.insert(1, ("s", "other", True, True, 1, (7, 7)))
    return RowForgery("a state with two targets", rows, for_rows(TWO, rows))


def no_target() -> RowForgery:
    rows = [(*row[:3], False, *row[4:]) for row in TWO.rows()]
    return RowForgery("no target at all", rows, for_rows(TWO, rows))


def negative_cost() -> RowForgery:
    given = problem({"s": [(1, 0), (0, 1)], "t": []}, t=-1)
    honest = problem(given.states)
    return RowForgery("a negative cost", given.rows(), for_rows(honest, given.rows()))


def truth_value() -> RowForgery:
    given = problem({"s": [(-1, 0), (0, -1)], "t": [(-1, -2)]})
    rows = [(*row[:5], tuple(True if x == 1 else x for x in row[5])) for row in given.rows()]
    return RowForgery("a truth value as a feature", rows, for_rows(given, rows))


def truth_cost() -> RowForgery:
    rows = [(*row[:4], True, row[5]) for row in TWO.rows()]
    return RowForgery("a truth value as a cost", rows, for_rows(TWO, rows))


def a_float() -> RowForgery:
    rows = [(*row[:5], tuple(map(float, row[5]))) for row in TWO.rows()]
    return RowForgery("floats", rows, for_rows(TWO, rows))


ROW_FORGERIES = [second_target(), no_target(), negative_cost(), truth_value(), truth_cost(), a_float()]


def as_json(given: Problem, **changes: Any) -> Json:
    """The problem as the content of a `.json` file."""
    features = [given.features(state) for state in given.states]
    texts = [[[str(v) if isinstance(v, Fraction) else v for v in phi] for phi in actions] for actions in features]
    whole = {
        "format": "hornbook-problem",
        "version": 1,
        "features": texts,
        "target": [0] * len(features),
        "state_names": list(given.states),
        "action_names": [[str(a) for a in range(len(actions))] for actions in features],
    }
    return whole | changes


def npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=False)
    return buffer.getvalue()


def by_hand(header: str, body: bytes, magic: bytes = b"\x93NUMPY\x01\x00") -> bytes:
    """A `.npy` member with a header of one's own."""
    return magic + struct.pack("<H", len(header)) + header.encode() + body


ONE = problem({"0": [(1, 0), (0, 1)]})
FEATURES = np.array([ONE.features("0")])


def members(**changes: bytes) -> dict[str, bytes]:
    return {"features.npy": npy(FEATURES), "target.npy": npy([0]), **{f"{k}.npy": v for k, v in changes.items()}}


def archive(entries: Sequence[tuple[str, bytes]], method: int = zipfile.ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", method) as made:
        warnings.simplefilter("ignore", UserWarning)  # about names that are there already
        for name, data in entries:
            made.writestr(name, data)
    return buffer.getvalue()


def files(certificate: Any, content: bytes, suffix: str = ".json") -> Callable[[Path], tuple[str, ...]]:
    def write(folder: Path) -> tuple[str, ...]:
        first, second = folder / "certificate.json", folder / f"problem{suffix}"
        first.write_bytes(certificate if isinstance(certificate, bytes) else json.dumps(certificate).encode())
        second.write_bytes(content)
        return str(first), str(second)

    return write


def text(given: Problem, **changes: Any) -> Callable[[Path], tuple[str, ...]]:
    """A `.json` problem with the certificate it would have."""
    return files(certify(given), json.dumps(as_json(given, **changes)).encode())


def packed(*entries: tuple[str, bytes], method: int = zipfile.ZIP_STORED) -> Callable[[Path], tuple[str, ...]]:
    """A `.npz` problem with the certificate of ONE."""
    return files(certify(ONE), archive(entries, method), ".npz")


def through_a_pipe(folder: Path) -> tuple[str, ...]:
    """The problem behind a link to a pipe that is full and closed, so that reading it would not hang."""
    paths = text(TWO)(folder)
    read, write = os.pipe()
    with open(write, "wb") as stream:
        stream.write(Path(paths[1]).read_bytes())
    os.unlink(paths[1])
    os.symlink(f"/dev/fd/{read}", paths[1])
    return paths


def three_arguments(folder: Path) -> tuple[str, ...]:
    return (*text(TWO)(folder), "--force")


def key_twice() -> bytes:
    honest = json.dumps(certify(TWO))
    return (honest[:-1] + ', "claim": "minimum"}').encode()


def same_id() -> Callable[[Path], tuple[str, ...]]:
    """Two states called s, which their costs keep apart."""
    given = problem({"a": [(1, 0), (0, 1)], "s": [(1, 0)], "t": [(1, 1)]}, t=2)
    rows: list[Row] = [("s", *row[1:]) if row[0] == "t" else row for row in given.rows()]
    whole = as_json(given, state_names=["a", "s", "s"], cost=[1, 1, 2])
    return files(for_rows(given, rows), json.dumps(whole).encode())


def unnamed_action() -> Callable[[Path], tuple[str, ...]]:
    """The last action has no id; were it passed over, its difference would be missed."""
    honest = problem({"0": [(1, 0), (0, 1)], "1": [(1, 1)]})
    whole = as_json(
        problem({"0": [(1, 0), (0, 1)], "1": [(1, 1), (-1, 3)]}), action_names=[["0", "1", "2"], ["0", "1"]]
    )
    return files(certify(honest), json.dumps(whole).encode())


def number(written: str, value: Fraction) -> Callable[[Path], tuple[str, ...]]:
    """A feature that only a careless reader takes for this value."""
    given = problem({"s": [(value, 0), (0, 1)], "t": [(1, 1)]})
    whole = as_json(given)
    whole["features"] = [
        [[written if v == str(-value) else v for v in phi] for phi in actions] for actions in whole["features"]
    ]
    return files(certify(given), json.dumps(whole).encode())


HEADER = "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 3, 2), }"
BODY = FEATURES.astype("<i8").tobytes()
TRUE_SHAPE = by_hand(HEADER.replace("(1,", "(True,"), BODY)
LONG_HEADER = by_hand(HEADER + " " * 10_000, BODY)
WRONG_MAGIC = by_hand(HEADER, BODY, b"\x93NUMPX\x01\x00")
BOMB = np.array(["\0" * 1_000_000], dtype="<U1000000")

FILE_FORGERIES = [
    FileForgery("a key twice", files(key_twice(), json.dumps(as_json(TWO)).encode()), 6),
    FileForgery("a truncated certificate", files(json.dumps(certify(TWO)).encode()[:-1], b"{}"), 6),
    FileForgery("an empty certificate", files(b"", json.dumps(as_json(TWO)).encode()), 6),
    FileForgery("a certificate cut short", files(key_twice()[:-9], json.dumps(as_json(TWO)).encode()), 6),
    FileForgery("a problem from a pipe", through_a_pipe),
    FileForgery("one argument too many", three_arguments),
    FileForgery("an unknown version of the problem format", text(TWO, version=2)),
    FileForgery("true as the version of the problem format", text(TWO, version=True)),
    FileForgery("an unknown member of a problem", text(TWO, verified=True)),
    FileForgery("two states of one id", same_id()),
    FileForgery("an action without an id", unnamed_action()),
    FileForgery("underscores in a number", number("-1_0/3", Fraction(10, 3))),
    FileForgery("Arabic digits", number("-\u0661/3", Fraction(1, 3))),
    FileForgery("an exponent above the limit", number("-1e-4100", Fraction(1, 10**4100))),
    FileForgery("NaN", text(TWO, cost=[1, float("nan"), 1])),
    FileForgery("states for one another", text(TWO, target=[0, 0])),
    FileForgery("a negative target", text(TWO, target=[0, -1, 0])),
    FileForgery("vectors of different lengths", text(TWO, features=[[[0, 0], [-1, 0], [0, -1, 0]]] * 3)),
    FileForgery("not an archive", files(certify(ONE), b"PK", ".npz")),
    FileForgery("a member twice", packed(*members().items(), ("target.npy", npy([0])))),
    FileForgery("a bomb", packed(*members(feature_names=npy(BOMB)).items(), method=zipfile.ZIP_BZIP2)),
    FileForgery("a path outside", packed(*members().items(), ("../target.npy", npy([0])))),
    FileForgery("another magic", packed(*members(features=WRONG_MAGIC).items())),
    FileForgery("a header that is too long for its data", packed(*members(features=LONG_HEADER).items())),
    FileForgery("true in a shape", packed(*members(features=TRUE_SHAPE).items())),
    FileForgery("a shape larger than the data", packed(*members(features=by_hand(HEADER, BODY[:-8])).items())),
    FileForgery("an array of objects", packed(*members(features=by_hand(HEADER.replace("<i8", "|O"), BODY)).items())),
    FileForgery("complex numbers", packed(*members(features=by_hand(HEADER.replace("<i8", "<c8"), BODY)).items())),
]
