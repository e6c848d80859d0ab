"""Learners of libraries that are no dependency: `tools/optional_learners.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "optional_learners.py"


def test_optional_learners_are_asked_or_named() -> None:
    """Each library is either judged on every problem, or said to be missing; neither is a failure."""
    run = [sys.executable, "-W", "ignore", str(TOOL)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for library in ("cvxpy", "statsmodels", "imitation"):
        assert f"{library} is not installed" in done.stdout or f"{library}, " in done.stdout
