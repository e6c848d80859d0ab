"""Certificates and problems as files: written whole or not at all, never over another by accident, read from stdin."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hornbook import environment
from hornbook.formats import save
from tests.cli.running import affine_plane_cover, hornbook, problem_file, unrealizable


@pytest.fixture
def problem(tmp_path: Path) -> str:
    path = str(tmp_path / "six.npz")
    save(environment("six_rays"), path)
    return path


def test_a_certificate_is_written_and_accepted(problem: str, tmp_path: Path) -> None:
    """By the reference checker on the file, and by the rows of the library."""
    certificate = str(tmp_path / "six.cert")
    assert hornbook("teach", problem, "--certificate", certificate).out.endswith(f"written to {certificate}\n")
    assert Path(certificate).read_bytes().endswith(b"}\n")
    expected = {"ok": True, "accepted": True, "claim": "minimum", "size": 2, "lower_bound": "2", "reason": None}
    assert hornbook("check", certificate, problem, "--json").data == expected
    piped = hornbook("check", certificate, "-", "--format", "npz", "--json", stdin=Path(problem).read_bytes())
    assert piped.data == expected
    text = hornbook("check", certificate, problem)
    assert text.out == "ACCEPTED: minimum (exact): 2 demonstrations, cost at least 2\n"


def test_the_fast_checker_agrees(problem: str, tmp_path: Path) -> None:
    """Same rules, same answer."""
    certificate = str(tmp_path / "six.cert")
    hornbook("teach", problem, "--certificate", certificate)
    slow, fast = hornbook("check", certificate, problem), hornbook("check", certificate, problem, "--fast")
    assert (slow.code, slow.out) == (fast.code, fast.out)


def test_environments_are_streamed_into_the_checker(tmp_path: Path) -> None:
    """No file in between; another environment is rejected."""
    certificate = str(tmp_path / "two.cert")
    assert hornbook("teach", "two_rays", "--certificate", certificate, "--json").code == 0
    assert hornbook("check", certificate, "two_rays").out.startswith("ACCEPTED: minimum (exact): 1 demonstration,")
    other = hornbook("check", certificate, "six_rays", "--json")
    assert (other.code, other.data["accepted"], other.data["claim"]) == (6, False, "minimum")
    assert hornbook("check", certificate, "six_rays").out.startswith("REJECTED: ")


def test_an_interval_is_certified_too(tmp_path: Path) -> None:
    """What a time limit leaves can be checked."""
    certificate = str(tmp_path / "part.cert")
    cover = affine_plane_cover()
    hornbook("teach", cover, "--time-limit", "0.3", "--certificate", certificate)
    found = hornbook("check", certificate, cover, "--json")
    assert (found.code, found.data["claim"]) == (0, "interval")


def test_a_refusal_is_certified_too(tmp_path: Path) -> None:
    """Exit code 3, and a certificate that says so: of a combination, and of a tie."""
    certificate = str(tmp_path / "not.cert")
    tie = problem_file(tmp_path / "tie.json", [[[1, 0], [1, 0]]], [0])
    for path in (unrealizable(tmp_path / "bad.json"), tie):
        taught = hornbook("teach", path, "--certificate", certificate, "--force")
        assert taught.code == 3
        assert taught.out == f"certificate written to {certificate}\n"
        found = hornbook("check", certificate, path, "--json")
        assert found.code == 0
        assert (found.data["claim"], found.data["size"]) == ("not realizable", None)
        assert hornbook("check", certificate, path).out == "ACCEPTED: not realizable (exact)\n"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b"null", b'"text"', b"\xff", b'{"claim": 1, "claim": 1}', b"[" * 100_000, b"{}"]
)
@pytest.mark.parametrize("subject", ["two_rays", "file"])
def test_what_is_no_certificate_is_rejected(content: bytes, subject: str, problem: str, tmp_path: Path) -> None:
    """Empty, cut off, another kind of JSON, no text, a key twice, too deep: exit code 6, with a reason."""
    path = tmp_path / "broken.cert"
    path.write_bytes(content)
    found = hornbook("check", str(path), problem if subject == "file" else subject, "--json")
    assert found.code == 6
    assert found.data["claim"] is None


def test_a_forged_certificate_is_rejected(problem: str, tmp_path: Path) -> None:
    """A demonstration less than was proved."""
    path = tmp_path / "six.cert"
    hornbook("teach", problem, "--certificate", str(path))
    claims = json.loads(path.read_text())
    path.write_text(json.dumps({**claims, "size": 1}))
    assert hornbook("check", str(path), problem, "--json").code == 6


def test_a_missing_or_malformed_file_is_bad_input_and_no_rejection(problem: str, tmp_path: Path) -> None:
    """Exit code 2: a certificate that is not there, a problem that is not there or is none."""
    certificate = str(tmp_path / "six.cert")
    hornbook("teach", problem, "--certificate", certificate)
    (tmp_path / "no.json").write_text("{}")
    for arguments in (
        [str(tmp_path / "nowhere"), problem],
        [str(tmp_path), problem],
        [certificate, str(tmp_path / "nowhere.npz")],
        [certificate, str(tmp_path / "no.json")],
        [certificate, "nowhere"],
    ):
        assert hornbook("check", *arguments, "--json").code == 2


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    """The old file stays, and the refusal comes before the work."""
    path = tmp_path / "old.json"
    path.write_text("old")
    for arguments in (["teach", "two_rays", "--certificate"], ["make", "two_rays", "-o"]):
        refused = hornbook(*arguments, str(path), "--json")
        assert refused.code == 2
        assert "--force" in refused.data["message"]
        assert path.read_text() == "old"
        assert hornbook(*arguments, str(path), "--force").code == 0
        assert path.read_text() != "old"
        path.write_text("old")
    assert sorted(os.listdir(tmp_path)) == ["old.json"]


def test_nothing_half_written_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate fails to be made: no file, and no scratch file."""
    monkeypatch.setattr("hornbook.lesson.Lesson.certificate", lambda lesson: 1 / 0)
    assert hornbook("teach", "two_rays", "--certificate", str(tmp_path / "c")).code == 70
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", ["-", "/nowhere/x.json", "folder"])
def test_places_where_nothing_can_be_written(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output, a missing folder, a folder: said before the work, whatever the force."""
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    monkeypatch.setattr("hornbook.teaching.teach", lambda *_, **__: 1 / 0)
    assert hornbook("teach", "two_rays", "--certificate", path, "--force", "--json").code == 2


def test_make_knows_formats_by_their_endings(tmp_path: Path) -> None:
    """An unknown ending is refused, and nothing is written."""
    assert hornbook("make", "two_rays", "-o", str(tmp_path / "two.exe"), "--json").code == 2
    assert hornbook("make", "two_rays", "-o", "-", "--json").code == 2
    assert os.listdir(tmp_path) == []


def test_a_problem_from_standard_input(tmp_path: Path) -> None:
    """With its format; without, the message asks for it."""
    text = Path(problem_file(tmp_path / "p.json", [[[1, 0], [0, 0]]], [0])).read_bytes()
    assert hornbook("teach", "-", "--format", "json", "--json", stdin=text).data["size"] == 1
    found = hornbook("teach", "-", "--json", stdin=text)
    assert found.code == 2
    assert "--format" in found.data["message"]


def test_a_file_without_an_ending_is_read_by_its_format(tmp_path: Path) -> None:
    """An existing path is a file, whatever it is called, even like an environment."""
    path = tmp_path / "two_rays"
    problem_file(path, [[[1, 0], [0, 0]]], [0])
    assert hornbook("teach", str(path), "--format", "json", "--json").data["num_states"] == 1
    assert hornbook("teach", str(path), "--json").code == 2


def test_exact_takes_floats_as_they_are_stored(tmp_path: Path) -> None:
    """Taken as the binary fractions they are, and the verdict says so; their certificate is checked as such."""
    path = problem_file(tmp_path / "float.json", [[[0.5, 0], [0, 0]]], [0])
    assert hornbook("teach", path, "--json").data["arithmetic"]["kind"] == "float64"
    certificate = str(tmp_path / "float.cert")
    found = hornbook("teach", path, "--exact", "--certificate", certificate)
    assert found.out.startswith("PROVED MINIMUM: 1 of 1 states (exact on the stored floats)")
    assert hornbook("check", certificate, path).out.startswith("ACCEPTED: minimum (exact on the stored floats)")
