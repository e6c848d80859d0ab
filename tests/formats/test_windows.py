"""States that stay in their file: what is read later is what was there, or a refusal that names the file."""

from __future__ import annotations

import io
import os
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hornbook import check, load
from hornbook.errors import BadProblem
from hornbook.formats import npz, windows
from hornbook.problem import TeachingProblem
from hornbook.streams import StreamSource
from hornbook.teaching import teach
from tests.formats.archives import archive, npy

MANY = np.random.default_rng(1).integers(-3, 4, (500, 3, 2)) + np.array([[9, 0], [0, 0], [0, 0]])
GOALS = np.zeros(500, dtype=np.int8)


@pytest.fixture(autouse=True)
def in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is small enough for memory, and blocks are small enough to be many."""
    monkeypatch.setattr(npz, "_IN_MEMORY", -1)
    monkeypatch.setattr("hornbook.sources._BLOCK_NUMBERS", 6 * 32)


def stored(folder: Path, members: dict[str, Any], *, compression: int = zipfile.ZIP_STORED) -> str:
    path = folder / "many.npz"
    path.write_bytes(archive({"features": MANY, "target": GOALS, **members}, compression=compression))
    return str(path)


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize("kind", ["<i2", ">f8", "<f4"])
def test_the_same_lesson_from_the_file_and_from_memory(tmp_path: Path, compression: int, kind: str) -> None:
    """Stored or compressed, whole or not, in id order or not: lesson, certificate and hash are those of the arrays."""
    features = MANY.astype(kind)
    features[7] += np.asarray(0.5 if kind == "<f4" else 0, dtype=kind)
    members = {
        "features": features,
        "available": MANY[:, :, 0] > -3,
        "cost": np.arange(1, 501),
        "state_names": np.array([f"s{i * 7 % 500}" for i in range(500)]),
        "action_names": np.array(["x", "y", "z"]),
    }
    problem = load(stored(tmp_path, members, compression=compression))
    assert isinstance(problem.source, StreamSource)
    whole = TeachingProblem(
        features=features,
        target=GOALS,
        available=members["available"],
        cost=range(1, 501),
        state_names=members["state_names"].tolist(),
        action_names=["x", "y", "z"],
    )
    assert problem.arithmetic == whole.arithmetic == ("float32" if kind == "<f4" else "exact")
    assert problem.source.read(450, 451).features.tolist() == whole.source.read(450, 451).features.tolist()
    assert problem.source.read(3, 40).target.tolist() == [0] * 37
    ours, theirs = teach(problem), teach(whole)
    assert ours.states == theirs.states
    assert set(ours.states_showing(0)) == set(theirs.states_showing(0))
    assert ours.certificate() == theirs.certificate()
    assert check(ours.certificate(), problem).size == ours.size


@pytest.mark.parametrize("member", ["features", "target"])
def test_columns_and_texts_are_read_into_memory(tmp_path: Path, member: str) -> None:
    """Rows of a Fortran array do not stand together, and texts are not numbers yet; no shape is bent to fit."""
    features = {"features": np.asfortranarray(MANY), "target": MANY.astype(np.str_)}[member]
    problem = load(stored(tmp_path, {"features": features}))
    assert not isinstance(problem.source, StreamSource)
    assert problem.digest == TeachingProblem(features=MANY, target=GOALS).digest
    with pytest.raises(BadProblem, match="target: the shape"):
        load(stored(tmp_path, {"target": GOALS[1:]}))


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"target": np.where(np.arange(500) == 300, 5, 0)}, "target: row 300 names action 5"),
        ({"target": np.where(np.arange(500) == 300, -1, 0)}, "target: row 300 names action -1"),
        ({"available": np.full((500, 3), 2, dtype=np.int8)}, "rows 0 to 31: available: entries must be true or false"),
    ],
)
def test_what_is_wrong_further_on_is_told_with_file_and_row(tmp_path: Path, members: dict[str, Any], says: str) -> None:
    path = stored(tmp_path, members)
    with pytest.raises(BadProblem, match=f"^{path}: {says}"):
        teach(load(path))


def test_numbers_that_are_none_are_found_at_once(tmp_path: Path) -> None:
    """Floats are read when the file is opened, to see whether all are whole."""
    features = MANY.astype(float)
    features[400, 2, 1] = np.nan
    path = stored(tmp_path, {"features": features})
    with pytest.raises(BadProblem, match=f"^{path}: features: row 400, action 2, feature 1: nan is not finite"):
        load(path)


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_file_that_changes_is_noticed(tmp_path: Path, compression: int) -> None:
    """Between the readings a number moves, or the end is cut off."""
    path = stored(tmp_path, {}, compression=compression)
    problem = load(path)
    for _ in problem.batches():
        pass
    other = MANY.copy()
    other[250, 1, 1] += 1
    Path(path).write_bytes(archive({"features": other, "target": GOALS}, compression=compression))
    with pytest.raises(BadProblem, match=r"another one when asked again|cannot be read|become shorter"):
        for _ in problem.batches():
            pass
    if compression == zipfile.ZIP_STORED:
        problem = load(path)
        os.truncate(path, 2000)
        with pytest.raises(BadProblem, match=r"rows 0 to 31: member target: the file has become shorter"):
            for _ in problem.batches():
                pass


def test_a_file_that_is_moved_away_is_read_on(tmp_path: Path) -> None:
    """What was opened is what is read, whatever is called so now."""
    path = stored(tmp_path, {})
    problem = load(path)
    os.rename(path, tmp_path / "elsewhere")
    Path(path).write_text("something else")
    assert problem.digest == TeachingProblem(features=MANY, target=GOALS).digest


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_checksums_are_compared_when_the_file_is_opened(tmp_path: Path, compression: int) -> None:
    path = stored(tmp_path, {}, compression=compression)
    data = Path(path).read_bytes()
    member = npy(MANY)
    place = data.find(member[200:240]) if compression == zipfile.ZIP_STORED else 300
    Path(path).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    with pytest.raises(BadProblem, match="member features cannot be read"):
        load(path)


def test_standard_input_has_no_file_to_stay_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor has a system that cannot read at a place."""
    path = stored(tmp_path, {})
    data = io.BytesIO(Path(path).read_bytes())
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=data))
    assert not isinstance(load("-", format="npz").source, StreamSource)
    monkeypatch.setattr(npz, "os", SimpleNamespace())
    assert not isinstance(load(path).source, StreamSource)


def test_a_place_in_a_file_is_its_own(tmp_path: Path) -> None:
    """Two readers of one descriptor do not move each other."""
    path = tmp_path / "x"
    path.write_bytes(bytes(range(100)))
    with open(path, "rb") as stream:
        file = windows._File(stream)
    first, second = (io.BufferedReader(windows._Place(file)) for _ in range(2))
    assert first.read(3) == b"\0\1\2"
    assert second.seek(-2, io.SEEK_END) == 98
    assert second.read() == b"bc"
    assert first.seek(1, io.SEEK_CUR) == 4
    assert first.read(1) == b"\4"
