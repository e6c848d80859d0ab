"""The sweep of the ray finders resumes, counts, and stops at the first wrong cone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import sweep_rays
from tests.referee import Referee


@pytest.fixture(autouse=True)
def _libraries() -> None:
    with Referee() as referee:
        if referee.missing():
            pytest.skip("; ".join(referee.missing()))


def test_a_stopped_sweep_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two rounds of 72 in two runs; every finder was asked."""
    state = tmp_path / "state.json"
    for _ in range(2):
        assert sweep_rays.main(["--round-size", "72", "--state", str(state)]) == 0
    record = json.loads(state.read_text())
    assert record["done"] == record["counts"]["cones"] == 144
    assert set(record["counts"]) == {"cones", *sweep_rays.RAY_FINDERS}
    assert "144 of 144 cones, 0 wrong" in capsys.readouterr().out


def test_a_wrong_finder_stops_the_sweep(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A finder that leaves out the first ray is found out."""
    right = sweep_rays.find_rays

    def missing_one(vectors: object, *, finder: str) -> object:
        found = right(vectors, finder=finder)  # type: ignore[arg-type]
        if finder != "incremental" or isinstance(found, sweep_rays.Conflict):
            return found
        return sweep_rays.Rays(found.vectors.take(range(1, len(found))), found.rows[1:], found.weights)

    monkeypatch.setattr(sweep_rays, "find_rays", missing_one)
    assert sweep_rays.main(["--round-size", "72"]) == 1
    assert "'incremental'" in capsys.readouterr().out
