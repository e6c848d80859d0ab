"""`hornbook report`: a file is written, and it is the page."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbook as library
from hornbook.report.page import page
from tests.cli.running import hornbook, problem_file, unrealizable


def test_the_page_is_written(tmp_path: Path) -> None:
    """The same page as the library's."""
    path = tmp_path / "lesson.html"
    found = hornbook("report", "six_rays", "-o", str(path))
    assert found.out == f"written to {path}: PROVED MINIMUM: 2 of 6 states (exact)\n"
    assert path.read_text(encoding="utf-8") == page(library.teach(library.environment("six_rays")))


def test_in_json(tmp_path: Path) -> None:
    """The path, as it was given."""
    path = str(tmp_path / "lesson.html")
    assert hornbook("report", "two_rays", "-o", path, "--json").data == {"ok": True, "written": path}


def test_the_command_on_the_page_makes_it_again(tmp_path: Path) -> None:
    """With every option that changes the answer, quoted for a shell."""
    problem = problem_file(tmp_path / "my problem.json", [[[0.5, 0], [0, 0]], [[0, 1], [0, 0]]], [0, 0])
    options = ["--title", "It's <mine>", "--teacher", "greedy", "--time-limit", "9", "--noise", "1e-12"]
    path = tmp_path / "lesson.html"
    assert hornbook("report", problem, "-o", str(path), *options).code == 0
    text = path.read_text(encoding="utf-8")
    assert "<title>It&#39;s &lt;mine&gt;: PROVED MINIMUM" in text
    assert "--noise 1e-12" in text
    assert "--teacher greedy --time-limit 9" in text
    exact = tmp_path / "exact.html"
    assert hornbook("report", problem, "-o", str(exact), "--exact").code == 0
    assert "my problem.json&#39; --exact -o lesson.html</pre>" in exact.read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [[], ["--force"]])
def test_an_existing_file_is_kept(tmp_path: Path, options: list[str]) -> None:
    """Unless --force says otherwise."""
    path = tmp_path / "lesson.html"
    path.write_text("mine")
    found = hornbook("report", "two_rays", "-o", str(path), *options)
    assert found.code == (0 if options else 2)
    assert (path.read_text() == "mine") == (not options)


def test_what_cannot_be_taught_has_no_page(tmp_path: Path) -> None:
    """Exit code 3, and no file."""
    path = tmp_path / "lesson.html"
    assert hornbook("report", unrealizable(tmp_path / "bad.json"), "-o", str(path)).code == 3
    assert not path.exists()
