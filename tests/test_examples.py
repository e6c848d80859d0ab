"""Every example runs, and prints what the page of examples shows."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


def shown(name: str) -> str:
    """What the page says this example prints."""
    _, _, after = (FOLDER / "README.md").read_text(encoding="utf-8").partition(f"$ python examples/{name}\n")
    return after.partition("```")[0]


def test_examples_are_numbered() -> None:
    """1, 2, 3, ...: in the order in which to read them."""
    assert [int(path.name[:2]) for path in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_is_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Run as a script; its first line of documentation is its heading on the page."""
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out == shown(path.name)
    said = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").splitlines()[0]
    assert said in (FOLDER / "README.md").read_text(encoding="utf-8")
