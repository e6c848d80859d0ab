"""Tables at the command line: long form, classification data, decimals that are meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import hornbook

LONG = "state,action,target,x,y\nnorth,go,1,0.1,0\nnorth,stay,0,0,0\neast,go,1,0,0.3\neast,stay,0,0,0\n"
FLOWERS = "petal,sepal,kind\n1.5,0.25,a\n1.25,0.5,a\n4.5,1.5,b\n4.75,1.25,b\n6,2.5,c\n5.75,2.25,c\n"


@pytest.fixture
def flowers(tmp_path: Path) -> str:
    path = tmp_path / "flowers.csv"
    path.write_text(FLOWERS)
    return str(path)


def test_decimals_are_floats_unless_they_are_meant(tmp_path: Path) -> None:
    """The same file, two questions, and the verdict says which was answered."""
    path = tmp_path / "p.csv"
    path.write_text(LONG)
    assert hornbook("teach", str(path)).out.startswith(
        "PROVED MINIMUM: 2 of 2 states (float64, noise 3.6e-15, 0 merged)"
    )
    assert hornbook("teach", str(path), "--exact").out.startswith("PROVED MINIMUM: 2 of 2 states (exact)")
    assert hornbook("rays", str(path), "--exact", "--json").data["rays"] == [[0, 1], [1, 0]]
    piped = hornbook("teach", "-", "--format", "csv", "--json", stdin=LONG.encode())
    assert piped.data["states"] == ["east", "north"]


@pytest.mark.parametrize("how", [["--exact"], [], ["--on-ambiguous", "accept"]])
def test_a_labelled_table_is_taught_and_its_certificate_checked(flowers: str, how: list[str], tmp_path: Path) -> None:
    """Rows are states; the certificate speaks of the problem that the label makes of the table."""
    proof = str(tmp_path / "flowers.cert")
    taught = hornbook("teach", flowers, "--label", "kind", *how, "--certificate", proof, "--json")
    assert taught.code == 0
    assert {d["action"] for d in taught.data["demonstrations"]} <= {"a", "b", "c"}
    exact = [option for option in how if option == "--exact"]
    for fast in ([], ["--fast"]):
        assert hornbook("check", proof, flowers, "--label", "kind", *exact, *fast, "--json").data["accepted"] is True
    other = hornbook("check", proof, flowers, "--label", "petal", "--json")
    assert (other.code, "is not a number" in other.data["message"]) == (2, True)


def test_a_stored_reading_of_a_labelled_table_is_checked_as_such(tmp_path: Path) -> None:
    """Too close to call: what `accept` falls back to, the certificate says and the checker follows."""
    path, proof = tmp_path / "close.csv", str(tmp_path / "close.cert")
    path.write_text("x,kind\n0.1,a\n0.10000000000000002,b\n")
    refused = hornbook("teach", str(path), "--label", "kind", "--json")
    assert refused.code == 4
    taught = hornbook(
        "teach", str(path), "--label", "kind", "--on-ambiguous", "accept", "--certificate", proof, "--json"
    )
    assert (taught.code, taught.data["arithmetic"]) == (0, "stored")
    assert hornbook("check", proof, str(path), "--label", "kind", "--json").data["accepted"] is True


def test_labels_are_for_tables(tmp_path: Path) -> None:
    """An environment has no columns, and neither has an archive."""
    found = hornbook("teach", "two_rays", "--label", "kind", "--json")
    assert found.code == 2 and "two_rays" in found.data["message"]
    hornbook("make", "two_rays", "-o", str(tmp_path / "p.npz"))
    found = hornbook("teach", str(tmp_path / "p.npz"), "--label", "kind", "--json")
    assert found.code == 2 and ".npz files have no columns" in found.data["message"]
