"""Progress: on a terminal only, on standard error, with the time that is left."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from typing import Any

import pytest

from hornbook.cli import _talk
from hornbook.progress import Progress
from tests.cli.running import hornbook

SLOW = ["rays", "random_cone:d=7,m=20000,h=120"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show everything at once."""
    monkeypatch.setattr(_talk, "_PATIENCE", 0)
    monkeypatch.setattr(_talk, "_BETWEEN", 0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A teacher that takes its time in two stages."""
    from hornbook.teaching import teach

    def slow(problem: Any, *, progress: Progress, **others: Any) -> Any:
        for stage in ("looking", "finding"):
            for done in range(3):
                progress(stage, done, 3)
        return teach(problem, **others)

    monkeypatch.setattr("hornbook.teaching.teach", slow)


@pytest.mark.usefixtures("impatient", "staged")
def test_progress_is_shown_on_a_terminal_and_removed() -> None:
    """Stages come one after the other, and the cursor is never hidden."""
    found = hornbook("teach", "two_rays", terminal=True)
    assert found.code == 0
    assert "looking" in found.err
    assert "finding" in found.err
    assert "left" in found.err
    assert "\x1b[?25l" not in found.err
    assert "looking" not in found.out


@pytest.mark.usefixtures("staged")
def test_a_short_answer_shows_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing flashes up before some patience is used."""
    monkeypatch.setattr(_talk, "_PATIENCE", 1000)
    assert hornbook("teach", "two_rays", terminal=True).err == ""


@pytest.mark.usefixtures("impatient", "staged")
def test_quiet_and_pipes_show_no_progress() -> None:
    """Standard error stays empty."""
    assert hornbook("teach", "two_rays", "--quiet", terminal=True).err == ""
    assert hornbook("teach", "two_rays").err == ""


def test_a_real_terminal() -> None:
    """A process of its own, standard error on a pseudo-terminal: progress there, one JSON object on standard output."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "hornbook", *SLOW, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        seen = _all_of(ours)
        assert process.stdout is not None
        out = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    assert len(json.loads(out)["rays"]) == 120
    assert re.search(rb"rays.*%", seen), seen[-300:]


def _all_of(terminal: int) -> bytes:
    seen = b""
    try:
        while part := os.read(terminal, 4096):
            seen += part
    except OSError:  # Linux says so when the other end is closed
        pass
    return seen
