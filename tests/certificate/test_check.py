"""The reference checker reads problem files as hornbook does; what is written in another way is the same problem."""

from __future__ import annotations

import ast
import io
import json
import runpy
import subprocess
import sys
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hornbook
from hornbook.certificate import check
from hornbook.certificate.check import Accepted, check_files, check_rows
from hornbook.formats import load
from tests.forgeries.certificates import BINARY, HALVES, PRICED, THIRDS, TRIANGLE, TWO
from tests.forgeries.files import FEATURES, ONE, archive, as_json, by_hand, members, npy
from tests.forgeries.maker import Json, Problem, certify, hash_of, problem

ROOT = Path(__file__).parents[2]


def written(folder: Path, certificate: Json, content: bytes, suffix: str) -> tuple[str, str]:
    first, second = folder / "certificate.json", folder / f"problem{suffix}"
    first.write_text(json.dumps(certificate))
    second.write_bytes(content)
    return str(first), str(second)


@pytest.mark.parametrize("given", [TWO, TRIANGLE, PRICED, HALVES, THIRDS])
def test_a_json_problem_is_read(given: Problem, tmp_path: Path) -> None:
    """With ids of their own, ragged actions, costs and texts for fractions; hornbook hashes it alike."""
    costs = [str(given.cost(s)) for s in given.states]
    paths = written(tmp_path, certify(given), json.dumps(as_json(given, cost=costs)).encode(), ".json")
    assert check_files(*paths).claim == "minimum"
    assert load(paths[1]).digest == certify(given)["problem"]["sha256"]


def test_stored_floats_are_the_binary_fractions_they_are(tmp_path: Path) -> None:
    """A point in a number makes the problem stored, unless every such number is a small integer."""
    whole = as_json(BINARY)
    whole["features"] = [[[float(Fraction(v)) for v in phi] for phi in actions] for actions in whole["features"]]
    paths = written(tmp_path, certify(BINARY), json.dumps(whole).encode(), ".json")
    assert check_files(*paths).claim == "minimum"
    assert load(paths[1], exact=True).digest == certify(BINARY)["problem"]["sha256"]
    rounded = as_json(TWO)
    rounded["features"] = [[[float(v) for v in phi] for phi in actions] for actions in rounded["features"]]
    assert check_files(*written(tmp_path, certify(TWO), json.dumps(rounded).encode(), ".json")).claim == "minimum"


def test_missing_actions_are_not_available(tmp_path: Path) -> None:
    """Null, a shorter list, or `available` say the same; features of an unavailable action cannot change the hash."""
    rows = [
        ("0", "0", True, True, 1, (0, 0)),
        ("0", "1", True, False, 1, (-1, 0)),
        ("0", "2", True, False, 1, (0, -1)),
        ("1", "0", True, True, 1, (0, 0)),
        ("1", "1", False, False, 1, (9, 9)),
        ("1", "2", False, False, 1, ()),
    ]
    certificate = certify(problem({"0": [(1, 0), (0, 1)], "1": []}))
    certificate["problem"]["sha256"] = hash_of(rows)
    assert check_rows(certificate, rows).size == 1
    full = [[0, 0], [-1, 0], [0, -1]]
    base = {"format": "hornbook-problem", "version": 1, "target": [0, 0]}
    for changes in (
        {"features": [full, [[0, 0], None, None]]},
        {"features": [full, [[0, 0]]]},
        {"features": [full, full], "available": [[True, True, True], [True, False, False]]},
        {"features": [full, full], "available": [[True, True, True], [True]], "action_names": ["0", "1", "2"]},
    ):
        paths = written(tmp_path, certificate, json.dumps(base | changes).encode(), ".json")
        assert check_files(*paths).size == 1
        assert load(paths[1]).digest == certificate["problem"]["sha256"]


NPZ: dict[str, Callable[[], dict[str, bytes]]] = {
    "as numpy writes": members,
    "in Fortran order": lambda: members(features=npy(np.asfortranarray(FEATURES))),
    "big endian": lambda: members(features=npy(FEATURES.astype(">i4")), target=npy(np.array([0], ">u8"))),
    "one byte": lambda: members(features=npy(FEATURES.astype(np.int8))),
    "half precision": lambda: members(features=npy(FEATURES.astype(np.float16))),
    "floats": lambda: members(features=npy(FEATURES.astype(np.float32)), cost=npy(np.array([1.0]))),
    "texts": lambda: members(
        features=npy(FEATURES.astype("<U9")), cost=npy(["4/4"]), target=npy(np.array([0], np.uint8))
    ),
    "with names": lambda: members(state_names=npy(["0"]), action_names=npy(["0", "1", "2"]), feature_names=npy("xy")),
    "with names of its own": lambda: members(
        action_names=npy([["0", "1", "2"]]), available=npy(np.ones((1, 3), dtype=bool))
    ),
    "version 2": lambda: members(features=versioned(2)),
    "version 3": lambda: members(features=versioned(3)),
}


def versioned(version: int) -> bytes:
    """An array with a header of four length bytes."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, FEATURES, version=(2, 0))
    data = bytearray(buffer.getvalue())
    data[6] = version
    return bytes(data)


@pytest.mark.parametrize("how", NPZ)
def test_an_npz_problem_is_read(how: str, tmp_path: Path) -> None:
    """Whatever the width, byte order and layout, it is the same problem with the same certificate."""
    paths = written(tmp_path, certify(ONE), archive(list(NPZ[how]().items()), zipfile.ZIP_DEFLATED), ".npz")
    assert check_files(*paths) == Accepted("minimum", 1, "1")


def test_an_empty_problem_is_read(tmp_path: Path) -> None:
    """No state: the empty lesson."""
    given = problem({})
    for shape in ((0, 3, 2), (0, 0, 2)):
        arrays = {"features.npy": npy(np.zeros(shape, np.int64)), "target.npy": npy(np.zeros(0, np.int64))}
        assert check_files(*written(tmp_path, certify(given), archive(list(arrays.items())), ".npz")).size == 0
    bare = {"format": "hornbook-problem", "version": 1, "features": [], "target": []}
    assert check_files(*written(tmp_path, certify(given), json.dumps(bare).encode(), ".json")).size == 0


def test_ids_sort_as_numbers_only_if_all_are(tmp_path: Path) -> None:
    """Ties such as 7 and 07 are different ids, in the order of their texts."""
    for names, order in (
        (["10", "9", "7", "07", "0"], ["0", "07", "7", "9", "10"]),
        (["10", "9", "x"], ["10", "9", "x"]),
        (["\u0662", "10", "9"], ["10", "9", "\u0662"]),
    ):
        whole: dict[str, Any] = {"format": "hornbook-problem", "version": 1, "state_names": names}
        whole |= {"features": [[[0], [-1]]] * len(names), "target": [0] * len(names)}
        path = tmp_path / "problem.json"
        path.write_text(json.dumps(whole))
        rows, _ = check.read_problem(str(path))
        assert [row[0] for row in rows[::2]] == order
        assert [row[0] for row in load(str(path)).rows()][::2] == order


def test_numbers_are_read_as_hornbook_reads_them(tmp_path: Path) -> None:
    """Signs, decimals, exponents and fractions in texts."""
    for text, value in (("+3", 3), (" -.5e1\t", -5), ("1.", 1), ("2E-3", Fraction(1, 500)), ("-6/4", Fraction(-3, 2))):
        assert check._number(text, floats=False) == value


def test_it_runs_as_a_script(tmp_path: Path) -> None:
    """Copied anywhere, with the standard library alone, isolated from everything installed."""
    paths = written(tmp_path, certify(TWO), json.dumps(as_json(TWO)).encode(), ".json")
    script = tmp_path / "check.py"
    script.write_text(Path(check.__file__).read_text())
    command = [sys.executable, "-I", "-S", str(script), *paths]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    said = "accepted: minimum, size 1, lower bound 1"
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, said, "")


def test_its_exit_status_is_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """0 accepted, 6 rejected, 2 for a problem that cannot be read."""
    certificate, whole = written(tmp_path, certify(TWO), json.dumps(as_json(TWO)).encode(), ".json")
    for problem_path, status in ((whole, 0), (certificate, 2)):
        monkeypatch.setattr(sys, "argv", ["check.py", certificate, problem_path])
        with pytest.raises(SystemExit) as left:
            runpy.run_path(check.__file__, run_name="__main__")
        assert left.value.code == status


def test_what_it_prints_is_one_line_of_plain_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A hostile id cannot reach the terminal."""
    given = problem({"\x1b[2J\n\u202e": [(1, 0)], "t": [(-1, 0)]})
    paths = written(tmp_path, certify(TWO), json.dumps(as_json(given)).encode(), ".json")
    assert check.main(paths) == 6
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert printed.strip().isprintable()


def test_what_cannot_be_read_is_not_accepted(tmp_path: Path) -> None:
    """A missing file, a folder, an archive cut at any byte."""
    certificate, whole = written(tmp_path, certify(ONE), archive(list(members().items())), ".npz")
    assert check.main([certificate, whole]) == 0
    assert check.main([certificate, str(tmp_path / "absent.json")]) == 2
    assert check.main([certificate, str(tmp_path)]) == 2
    assert check.main([str(tmp_path), whole]) == 6
    assert check.main([]) == 2
    content = Path(whole).read_bytes()
    for size in range(0, len(content), 7):
        Path(whole).write_bytes(content[:size])
        assert check.main([certificate, whole]) == 2


def test_it_imports_the_standard_library_only() -> None:
    """Nothing of hornbook, nothing installed."""
    tree = ast.parse(Path(check.__file__).read_text())
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module or "." for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in found} <= sys.stdlib_module_names


def test_it_accepts_in_one_place() -> None:
    """One `Accepted(...)` in the whole file, after everything else."""
    tree = ast.parse(Path(check.__file__).read_text())
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "Accepted"]
    assert len(calls) == 1


def test_a_shape_without_entries_is_no_way_around(tmp_path: Path) -> None:
    """Zero actions or zero features for one state are no problem at all."""
    for shape in ((1, 0, 2), (1, 2, 0)):
        header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}"
        content = archive(list(members(features=by_hand(header, b"")).items()))
        assert check.main(written(tmp_path, certify(problem({"0": []})), content, ".npz")) == 2


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("junk", [None, 1.5, [], "minimum"])
def test_what_is_no_object_is_rejected(junk: Any, *, fast: bool) -> None:
    """Whatever a file held, the answer is a rejection."""
    with pytest.raises(hornbook.Rejected, match="an object with keys"):
        hornbook.check(junk, hornbook.environment("two_rays"), fast=fast)
