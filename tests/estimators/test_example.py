"""The example of famous data runs, and breaks no promise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "10_rows_that_teach.py"


def test_rows_that_teach_iris() -> None:
    pytest.importorskip("sklearn")
    done = subprocess.run([sys.executable, EXAMPLE, "iris"], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    first, *learners = done.stdout.splitlines()
    assert first.startswith("iris: PROVED MINIMUM: 47 of 150")
    assert learners == [
        f"  {name}: agrees with its rows; 0 of 150 labels wrong"
        for name in (
            "logistic",
            "crammer_singer",
            "perceptron",
        )
    ]
