"""Ctrl-C at any time: exit code 130, one JSON object, no traceback, within two seconds."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from hornbook import counterexample, environment
from tests.cli.running import affine_plane_cover, check_shape

CONE = "random_cone:d=7,m=4000,h=100"
COVER = affine_plane_cover()
COMMANDS = {
    "teach": ["teach", COVER, "--certificate", "{folder}/c", "--force"],
    "test": ["test", CONE, "--states", "1,2,3"],
    "check": ["check", "{certificate}", CONE],
    "rays": ["rays", CONE],
    "make": ["make", "random_cone:d=8,m=20000,h=200", "-o", "{folder}/c.json", "--force"],
}
TIMES = 20
LATEST = 0.6  # seconds after the start: longer than most of these commands take
PROMISE = 2.0

# From the moment that main() is called Ctrl-C is ours; before, it is Python's.  So it says when it is about to.
START = "import os; from hornbook.__main__ import main; os.write(2, b'ready\\n'); main()"
STUCK = """
import time
import hornbook.teaching
def teach(*arguments, **options):
    while True:
        try:
            time.sleep(0.01)
        except KeyboardInterrupt:
            pass
hornbook.teaching.teach = teach
"""


@dataclass(frozen=True)
class Ended:
    code: int
    out: bytes
    err: bytes
    seconds: float  # from the signal to the end


def interrupted(arguments: Sequence[str], *, after: float, before: str = "", signals: int = 1) -> Ended:
    """Start the command as a process of its own, send SIGINT after so many seconds, and wait."""
    command = [sys.executable, "-c", before + START, *arguments]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}  # at full speed
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=plain) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"ready\n"
        time.sleep(after)
        sent = time.monotonic()
        for _ in range(signals):
            process.send_signal(signal.SIGINT)
            time.sleep(0.001 if signals > 1 else 0)
        out, err = process.communicate(timeout=60)
    return Ended(process.returncode, out, err, time.monotonic() - sent)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("certificate") / "cone.cert")
    subprocess.run([sys.executable, "-m", "hornbook", "teach", CONE, "--certificate", path, "--json"], check=True)
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_interrupts_at_random_times(command: str, certificate: str, tmp_path: Path) -> None:
    """Twenty of them: either it was through already, or this is how it ends; and nothing half written stays."""
    arguments = [a.format(folder=tmp_path, certificate=certificate) for a in COMMANDS[command]]
    generator = random.Random(command)
    times = [generator.uniform(0, LATEST) for _ in range(TIMES)]
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda after: interrupted([*arguments, "--json"], after=after), times))
    for run in runs:
        data = json.loads(run.out)
        check_shape(command, data)
        assert run.code == 130 or data["ok"], run
        assert data["ok"] or data["error"] == "interrupted", run
        assert run.seconds < PROMISE or data["ok"], run
        assert b"Traceback" not in run.err + run.out
        assert run.err in (b"", b"interrupted: " + data.get("message", "").encode() + b"\n"), run
    assert any(run.code == 130 for run in runs)
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".part")]


def interrupted_with_a_set(arguments: Sequence[str]) -> Ended:
    """Wait longer where the machine is slow: the first set may take a while."""
    runs = (interrupted(arguments, after=after) for after in (1.0, 2.0, 4.0, 8.0))
    return next(run for run in runs if b"interrupted before" not in run.out + run.err)


def test_the_set_found_so_far_is_given() -> None:
    """It teaches, and the bound is one: the optimum of this cover is 18."""
    run = interrupted_with_a_set(["teach", COVER, "--json"])
    data = json.loads(run.out)
    assert (run.code, data["error"]) == (130, "interrupted")
    assert Fraction(data["lower_bound"]) <= 18 <= len(data["states"])
    assert counterexample(environment(COVER), data["states"]).teaches


def test_the_set_found_so_far_is_told_in_text() -> None:
    """The verdict first, as always; the interrupt on standard error."""
    run = interrupted_with_a_set(["teach", COVER])
    assert run.code == 130
    assert run.out.startswith(b"BEST SO FAR: ")
    assert run.err.startswith(b"interrupted: ")


@pytest.mark.parametrize("after", [0.0, 0.05, 0.3])
def test_many_interrupts_are_like_one(after: float) -> None:
    """A held-down key: one object all the same."""
    run = interrupted(["teach", COVER, "--json"], after=after, signals=20)
    assert (run.code, json.loads(run.out)["error"]) == (130, "interrupted")
    assert run.seconds < PROMISE


def test_a_lost_interrupt_is_seen_to() -> None:
    """Whatever swallows the KeyboardInterrupt, the other thread ends the process in time."""
    run = interrupted(["teach", "two_rays", "--json"], after=0.5, before=STUCK)
    assert (run.code, json.loads(run.out)["error"]) == (130, "interrupted")
    assert run.seconds < PROMISE
