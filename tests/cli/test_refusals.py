"""Every way to be refused: its exit code, one line of reason, JSON when asked for, and never a traceback."""

from __future__ import annotations

import io
import random
import sys
from pathlib import Path

import pytest

from hornbook.cli._answer import Answer, publish
from hornbook.errors import Ambiguous
from hornbook.text import harmless
from tests.cli.running import hornbook, problem_file

HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\u202egnol\u2066",
    "two\nlines\r\b",
    "\x00\x07\x9b31m\x85",
    "caf\u00e9 \u96ea",
    "\ufeff\u2028",
]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nope"],
        ["teach"],
        ["teach", "two_rays", "--nope"],
        ["teach", "two_rays", "extra"],
        ["teach", "two_rays", "--teacher", "nobody"],
        ["teach", "two_rays", "--time-limit", "nan"],
        ["teach", "two_rays", "--time-limit", "inf"],
        ["teach", "two_rays", "--time-limit", "-1"],
        ["teach", "two_rays", "--time-limit", "soon"],
        ["rays", "two_rays", "--finder", "nobody"],
        ["make", "two_rays"],
        ["teach", "nowhere"],
        ["teach", "diamond:x"],
        ["teach", "nowhere.json"],
        ["teach", "nowhere.csv"],
        ["teach", "http://example.org/x.json"],
        ["make", "nowhere", "-o", "x.json"],
    ],
)
def test_bad_usage_and_bad_input_exit_with_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In words on standard error; with --json anywhere, also as an object on standard output."""
    monkeypatch.chdir(tmp_path)
    told = hornbook(*arguments)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("bad input: ")
    found = hornbook(*arguments, "--json")
    assert (found.code, found.data["error"]) == (2, "bad_input")
    assert "Traceback" not in told.err + found.err


def test_the_usage_of_a_command_is_pointed_to() -> None:
    """Where help is."""
    assert hornbook("teach").err.splitlines()[1] == "see 'hornbook teach --help'"
    assert hornbook("nope").err.splitlines()[1] == "see 'hornbook --help'"


def test_above_a_size_limit_is_exit_5() -> None:
    """5^52 boards are not tried."""
    assert hornbook("teach", "diamond:52", "--json").code == 5


def test_ambiguous_is_exit_4(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever refuses so."""

    def ambiguous(*_: object, **__: object) -> None:
        raise Ambiguous("too close to call", places=(("s", "b"), ("t", "c")), hint="give exact data")

    monkeypatch.setattr("hornbook.teaching.teach", ambiguous)
    found = hornbook("teach", "two_rays", "--json")
    assert (found.code, found.data["error"]) == (4, "ambiguous")
    assert found.data["pair"] == [{"state": "s", "action": "b"}, {"state": "t", "action": "c"}]
    assert found.data["hint"] == "give exact data"


@pytest.mark.parametrize(
    ("error", "code", "kind"),
    [(ZeroDivisionError("no"), 70, "internal"), (RecursionError(), 70, "internal"), (MemoryError(), 5, "limit")],
)
def test_bugs_and_memory(error: BaseException, code: int, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is one line that asks for a report; running out of memory is a limit."""

    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("hornbook.teaching.teach", broken)
    monkeypatch.delenv("HORNBOOK_DEBUG", raising=False)
    found = hornbook("teach", "two_rays", "--json")
    assert (found.code, found.data["error"]) == (code, kind)
    assert "Traceback" not in found.err
    monkeypatch.setenv("HORNBOOK_DEBUG", "1")
    assert ("Traceback" in hornbook("teach", "two_rays").err) == (kind == "internal")


def test_version_and_help_exit_with_0() -> None:
    """Even beside --json, they print what they print."""
    import hornbook as package

    assert hornbook("--version").out == f"hornbook {package.__version__}\n"
    assert hornbook("teach", "--help", "--json").out.startswith("Usage: hornbook teach ")


def hostile_problem(path: Path) -> str:
    states = [[[k + 1, 1], [0, 0]] for k in range(len(HOSTILE))]
    actions = [[name, name + "!"] for name in HOSTILE]
    return problem_file(path, states, [0] * len(HOSTILE), state_names=HOSTILE, action_names=actions)


def test_hostile_names_come_out_harmless(tmp_path: Path) -> None:
    """Whatever the names say, a terminal gets printable characters and our own line ends."""
    path = hostile_problem(tmp_path / "\x1b[32mhostile.json")
    tie = problem_file(
        tmp_path / "tie.json", [[[1], [1]]], [0], state_names=[HOSTILE[0]], action_names=[HOSTILE[1], HOSTILE[2]]
    )
    runs = [
        ["teach", path],
        ["teach", path, "--certificate", str(tmp_path / "\x1b[33m.cert")],
        ["check", str(tmp_path / "\x1b[33m.cert"), path],
        ["check", str(tmp_path / "\x1b[33m.cert"), "two_rays"],
        ["test", path, "--states", ""],
        ["test", path, "--state", HOSTILE[3]],
        ["test", path, "--state", "\x1b[34mnobody"],
        ["teach", tie],
        ["teach", "\x1b[35m"],
        ["teach", "two_rays", "--\x1b[36m"],
        ["\x1b[36m"],
        ["make", "two_rays", "-o", str(tmp_path / "\x1b[37m.json")],
    ]
    for arguments in runs:
        found = hornbook(*arguments)
        for line in (found.out + found.err).splitlines():
            assert line.isprintable(), (arguments, line)
    assert "caf\u00e9 \u96ea" in hornbook("test", path, "--states", "").out  # letters stay letters
    data = hornbook("test", path, "--states", "", "--json")
    assert sorted(data.data["undecided"]) == sorted(HOSTILE)
    assert data.out.isascii()


def test_harmless_leaves_letters_alone() -> None:
    """Only what is not printable is written out."""
    assert harmless("caf\u00e9 - \u96ea \U0001f40e") == "caf\u00e9 - \u96ea \U0001f40e"
    assert harmless("a\x1b[0m\u202e\udc80\u200b") == r"a\x1b[0m\u202e\udc80\u200b"


def test_letters_that_the_stream_lacks_are_written_out() -> None:
    """An ASCII terminal gets escapes instead of an error."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    publish(Answer(lines=["caf\u00e9"]), json_wanted=False, out=stream, err=None)
    assert stream.buffer.getvalue() == b"caf\\xe9\n"  # type: ignore[attr-defined]


def test_the_verdict_is_bold_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless NO_COLOR is set, or the terminal is dumb."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    bold = "\x1b[1mPROVED MINIMUM: 1 of 3 states (exact)\x1b[0m\n"
    assert hornbook("teach", "two_rays", "--quiet", terminal=True).out.startswith(bold)
    assert "\x1b" not in hornbook("teach", "two_rays").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in hornbook("teach", "two_rays", "--quiet", terminal=True).out
    monkeypatch.setenv("NO_COLOR", "")  # empty counts as not set
    assert "\x1b" in hornbook("teach", "two_rays", "--quiet", terminal=True).out
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in hornbook("teach", "two_rays", "--quiet", terminal=True).out


class Broken(io.TextIOWrapper):
    """A stream that cannot be written to."""

    error: OSError = BrokenPipeError()

    @property
    def buffer(self) -> io.BytesIO:  # type: ignore[override]
        raise self.error

    def write(self, text: str) -> int:
        raise self.error


@pytest.mark.parametrize("arguments", [["teach", "two_rays"], ["teach", "two_rays", "--json"], ["--help"]])
def test_a_reader_who_has_gone_is_no_error(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`hornbook ... | head -1` ends in silence."""
    from hornbook.cli._entry import run
    from hornbook.cli._interrupts import Interrupts

    monkeypatch.setattr(sys, "stdout", Broken(io.BytesIO()))
    assert run(arguments, interrupts=Interrupts(json="--json" in arguments)) == 0


def test_a_full_disk_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 74, said on standard error if that works."""
    from hornbook.cli._entry import run
    from hornbook.cli._interrupts import Interrupts

    class Full(Broken):
        error = OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full(io.BytesIO()))
    assert run(["teach", "two_rays"], interrupts=Interrupts()) == 74
    assert capsys.readouterr().err == "the answer cannot be written: No space left on device\n"
    monkeypatch.setattr(sys, "stderr", Full(io.BytesIO()))
    assert run(["teach", "two_rays"], interrupts=Interrupts()) == 74


def test_a_disk_that_is_full_before_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate or a help text that cannot be written: exit code 74, without a traceback."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hornbook.lesson.Lesson.certificate", full)
    found = hornbook("teach", "two_rays", "--certificate", str(tmp_path / "c"), "--json")
    assert found.code == 74
    assert found.data["message"].startswith("input or output failed: ")


def test_closed_streams_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has None for them."""
    from hornbook.cli._entry import run
    from hornbook.cli._interrupts import Interrupts

    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert run(["teach", "two_rays"], interrupts=Interrupts()) == 0
    assert run(["teach", "nowhere"], interrupts=Interrupts(json=True)) == 2


def test_a_conflict_of_long_numbers_is_told(tmp_path: Path) -> None:
    """Multipliers above the digits that Python writes: complete in JSON, by their length in words."""
    generator = random.Random(2)
    vectors = [[generator.randrange(-(10**3500), 10**3500) for _ in range(2)] for _ in range(2)]
    p, q = generator.randrange(10**3400, 10**3500), generator.randrange(10**3400, 10**3500)
    vectors.append([-(p * a + q * b) // 10**3500 for a, b in zip(*vectors, strict=True)])
    path = tmp_path / "long.json"
    states = [[list(map(str, vector)), ["0", "0"]] for vector in vectors]
    found = hornbook("rays", problem_file(path, states, [0] * 3), "--json")
    assert (found.code, found.data["error"]) == (3, "not_realizable")
    assert "(a number of about" in found.data["message"]
    assert max(len(term["multiplier"]) for term in found.data["conflict"]) > 4300
    told = hornbook("teach", str(path), "--certificate", str(tmp_path / "long.cert"))
    assert (told.code, (tmp_path / "long.cert").exists()) == (3, False)
    assert "no certificate written: a number of the proof has about" in told.err
