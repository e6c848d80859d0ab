"""The sweep of bent files: what it tries is told, and what is wrong stops it with the file kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbook
from tests import reader_sweep


def test_bent_files_are_read_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A few of each format; `make sweep` tries thousands."""
    assert reader_sweep.main(["--round-size", "150", "--seed", "3"]) == 0
    told = capsys.readouterr().out
    assert all(f"{ending} refused" in told for ending in ("npz", "json", "csv", "parquet", "arrow", "cert"))


@pytest.mark.parametrize("ending", [".npz", ".json", ".csv", ".parquet", ".arrow"])
def test_files_cut_short_anywhere_are_refused_or_read(ending: str, tmp_path: Path) -> None:
    """At every byte; only texts can be whole again after a cut."""
    good = reader_sweep.seeds(tmp_path)[ending]
    path = tmp_path / f"cut{ending}"
    claimed = hornbook.environment("two_rays")
    step = max(1, len(good) // 400)
    for length in range(0, len(good), step):
        path.write_bytes(good[:length])
        ended, wrong = reader_sweep.complaint(path, claimed)
        assert not wrong
        assert ended == "refused" or ending == ".csv" or good[:length].strip() == good.strip()


def test_what_is_wrong_stops_the_sweep(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any exception but a refusal, a refusal that does not name the file, and what takes too long."""
    monkeypatch.chdir(tmp_path)

    def crash(path: Path) -> None:
        raise KeyError(path)

    def mumble(path: Path) -> None:
        raise hornbook.BadProblem("no")

    monkeypatch.setattr(reader_sweep, "PATIENCE", -1.0)
    assert reader_sweep.main(["--round-size", "1"]) == 1
    for wrong, says in ((crash, "KeyError"), (mumble, "does not name the file")):
        monkeypatch.setattr(hornbook, "load", wrong)
        assert reader_sweep.main(["--round-size", "20"]) == 1
        assert says in capsys.readouterr().out
    assert list((tmp_path / "build").iterdir())
