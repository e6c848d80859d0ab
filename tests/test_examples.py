"""Every example prints what its docstring says."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_it_says(path: Path, tmp_path: Path) -> None:
    """Run in a process of its own, in an empty folder."""
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    expected = textwrap.dedent(told.partition("Prints:\n")[2]).strip()
    run = [sys.executable, str(path), str(tmp_path)]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == expected
    assert expected


def test_examples_are_numbered() -> None:
    """01 to 07 tell the exact story from the first lesson on; further numbers belong to further rooms."""
    numbers = [int(path.name[:2]) for path in EXAMPLES]
    assert numbers[:7] == [1, 2, 3, 4, 5, 6, 7]
    assert len({*numbers}) == len(numbers)
