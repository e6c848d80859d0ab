"""Examples 40 to 49: each prints what its docstring says."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("4*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_it_says(path: Path, tmp_path: Path) -> None:
    """Run in a process of its own, in an empty folder."""
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    expected = textwrap.dedent(told.partition("Prints:\n")[2]).strip()
    run = [sys.executable, str(path), str(tmp_path)]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == expected
    assert expected


def test_there_are_examples() -> None:
    """Five of them."""
    assert len(EXAMPLES) >= 5


def test_optional_learners_are_asked_or_named() -> None:
    """Each library is either judged on every problem, or said to be missing; neither is a failure."""
    tool = EXAMPLES[0].parents[1] / "tools" / "optional_learners.py"
    run = [sys.executable, "-W", "ignore", str(tool)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for library in ("cvxpy", "statsmodels", "imitation"):
        assert f"{library} is not installed" in done.stdout or f"{library}, " in done.stdout
