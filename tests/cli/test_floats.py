"""Float data on the command line: what was merged, what is refused, and what the options change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hornbook.certificate import check
from hornbook.formats import save
from tests.cli.running import hornbook
from tests.floats.test_float_lessons import BUMPED, tower
from tests.floats.test_labelling import problem


@pytest.fixture
def towers(tmp_path: Path) -> str:
    save(tower(6), tmp_path / "tower.npz")
    return str(tmp_path / "tower.npz")


@pytest.fixture
def bumped(tmp_path: Path) -> str:
    """A bump of a few times the noise on a facet."""
    save(problem([*BUMPED[:4], [0.5, 0.5 + 4 * 2**-48, 1.0]]), tmp_path / "bumped.npz")
    return str(tmp_path / "bumped.npz")


def test_teach_tells_what_was_merged(towers: str, tmp_path: Path) -> None:
    certificate = str(tmp_path / "tower.cert")
    found = hornbook("teach", towers, "--certificate", certificate)
    assert found.out.startswith("PROVED MINIMUM: 3 of 5 states (float64, noise 3.6e-15, 18 merged)")
    data = hornbook("teach", towers, "--json").data
    assert data["arithmetic"]["merged"] == 18
    for more in ((), ("--fast",)):
        assert hornbook("check", certificate, towers, *more).out.startswith(
            "ACCEPTED: minimum (float64, noise 3.6e-15)"
        )


def test_the_script_says_the_noise_and_tau(towers: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """(L) and (U) depend on them, so they belong to what was accepted."""
    certificate = str(tmp_path / "tower.cert")
    assert hornbook("teach", towers, "--certificate", certificate).code == 0
    assert check.main([certificate, towers]) == 0
    said = capsys.readouterr().out
    assert said.startswith('accepted: minimum, size 3, lower bound 3, {"gap": 1024, "kind": "float64", "merge": ')
    assert ", tau " in said


def test_rays_are_stored_differences(towers: str) -> None:
    data = hornbook("rays", towers, "--json").data
    assert len(data["rays"]) == 12
    assert all(isinstance(v, float) for ray in data["rays"] for v in ray)
    assert data["rays"] == sorted(data["rays"])
    assert hornbook("rays", towers).out.startswith("12 rays of ")


def test_test_judges_beyond_the_noise(towers: str) -> None:
    assert hornbook("test", towers, "--states", "4,5,6").out.startswith(
        "TEACHES: 3 of 5 states (float64, noise 3.6e-15)"
    )
    found = hornbook("test", towers, "--states", "4,5", "--json")
    assert found.code == 1
    assert found.data["counterexample"]["state"] in ("3", "6")  # they show the same ray


def test_too_close_to_call_is_refused_accepted_or_settled(bumped: str) -> None:
    found = hornbook("teach", bumped, "--json")
    data = found.data
    assert (found.code, data["error"], data["pair"]) == (4, "ambiguous", [{"state": "4", "action": "1"}])
    assert hornbook("teach", bumped, "--json", "--on-ambiguous", "accept").data["arithmetic"] == "stored"
    assert hornbook("teach", bumped, "--json", "--exact").data["size"] == 5
    settled = hornbook("teach", bumped, "--json", "--noise", "1e-12", "--merge", "1e-9").data
    assert (settled["size"], settled["arithmetic"]["assumed_inside"]) == (4, 1)


@pytest.mark.parametrize("words", [("--noise", "x"), ("--noise", "-1"), ("--merge", "1")])
def test_tolerances_that_are_none(words: tuple[str, ...], towers: str) -> None:
    assert hornbook("teach", towers, *words).code == 2


def test_exact_data_take_no_tolerances() -> None:
    assert "these features are exact" in hornbook("teach", "two_rays", "--noise", "0.1").err


def test_an_environment_with_floats_can_be_taken_exactly() -> None:
    found = hornbook("teach", "polygon_tower:6", "--exact", "--json").data
    assert found["arithmetic"] == "stored"
    assert np.isfinite(found["rays"])
