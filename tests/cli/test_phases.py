"""The phases of a run, in this process: what the handler does in each, without a signal being sent."""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

import hornbook as package
from hornbook.cli import _interrupts
from hornbook.cli._interrupts import Interrupts
from tests.cli.running import hornbook


class Gone(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, bytes]]]:
    """What is written to file descriptors; leaving raises `Gone`."""
    written: list[tuple[int, bytes]] = []

    def leave(code: int) -> NoReturn:
        raise Gone(code)

    monkeypatch.setattr(_interrupts, "os", SimpleNamespace(**vars(os)))
    monkeypatch.setattr(_interrupts.os, "write", lambda to, text: written.append((to, text)))
    monkeypatch.setattr(_interrupts.os, "_exit", leave)
    yield written


def press(interrupts: Interrupts) -> None:
    interrupts._handle(signal.SIGINT, None)


def test_at_first_it_answers_and_leaves(said: list[tuple[int, bytes]]) -> None:
    """One object on standard output, one line on standard error, exit code 130."""
    with pytest.raises(Gone, match="130"):
        press(Interrupts(json=True))
    (error, _), (output, text) = said
    assert (error, output) == (2, 1)
    assert json.loads(text)["error"] == "interrupted"
    said.clear()
    with pytest.raises(Gone):
        press(Interrupts())
    assert said == [(2, b"interrupted: interrupted before there was an answer\n"), (1, b"")]


def test_work_is_interrupted_once(said: list[tuple[int, bytes]]) -> None:
    """The second one finds the first being dealt with."""
    interrupts = Interrupts()
    with pytest.raises(KeyboardInterrupt), interrupts.raising():
        press(interrupts)
    press(interrupts)
    assert said == []


def test_an_answer_is_not_interrupted(said: list[tuple[int, bytes]]) -> None:
    """Neither by the handler nor by the watching thread; only noted."""
    interrupts = Interrupts()
    interrupts.settle()
    interrupts.settle()
    press(interrupts)
    interrupts.leave()
    assert interrupts.noticed
    assert said == []


def test_the_watching_thread_leaves_when_nothing_is_answered(
    said: list[tuple[int, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After it has heard of a signal and waited."""
    monkeypatch.setattr(_interrupts, "_GRACE", 0)
    heard, told = os.pipe()
    os.write(told, b"\2")
    with pytest.raises(Gone):
        Interrupts()._watch(heard)
    assert len(said) == 2
    os.close(heard)
    os.close(told)


def test_lost_interrupts_are_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Other exceptions that Python ignores are."""
    lost: Any = SimpleNamespace(exc_type=ValueError, exc_value=ValueError("odd"), exc_traceback=None, err_msg=None)
    lost.object = None
    interrupts = Interrupts()
    shown: list[object] = []
    original, sys.__unraisablehook__ = sys.__unraisablehook__, shown.append  # type: ignore[assignment]
    try:
        interrupts._ignored(lost)
        interrupts.noticed = True
        interrupts._ignored(lost)
    finally:
        sys.__unraisablehook__ = original
    assert shown == [lost]


def test_installing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler, the hook and the thread that hears too."""
    seen: dict[str, Any] = {}
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(signal, "signal", lambda number, handler: seen.update({"handler": (number, handler)}))
    monkeypatch.setattr(signal, "set_wakeup_fd", lambda fd, **_: seen.update({"fd": fd}))
    monkeypatch.setattr(
        _interrupts._thread, "start_new_thread", lambda run, arguments: seen.update({"thread": (run, arguments)})
    )
    interrupts = Interrupts()
    interrupts.install()
    assert seen["handler"] == (signal.SIGINT, interrupts._handle)
    run, (heard,) = seen["thread"]
    assert run == interrupts._watch
    assert not os.get_blocking(seen["fd"])
    os.close(heard)
    os.close(seen["fd"])


def pressed_in(name: str, interrupts: Interrupts, monkeypatch: pytest.MonkeyPatch, *, swallow: bool = False) -> None:
    """Press Ctrl-C when this function of the library is called."""

    def pressed(*_: object, **__: object) -> Any:
        try:
            press(interrupts)
        except KeyboardInterrupt:
            if not swallow:
                raise
        raise ImportError("numpy was being imported")

    monkeypatch.setattr(name, pressed)


@pytest.mark.parametrize("swallow", [False, True])
def test_an_interrupt_before_there_is_a_set(swallow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """No states are given; nor is the exception that the interrupt became on its way."""
    interrupts = Interrupts(json=True)
    pressed_in("hornbook.teaching.teach", interrupts, monkeypatch, swallow=swallow)
    found = hornbook("teach", "two_rays", "--json", interrupts=interrupts)
    assert found.code == 130
    assert found.data == {"ok": False, "error": "interrupted", "message": _interrupts.NOTHING_YET}


def test_another_refusal_gives_way_to_the_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that an interrupt may have caused is not to be believed."""
    interrupts = Interrupts(json=True)

    def refused(*_: object, **__: object) -> None:
        with pytest.raises(KeyboardInterrupt):
            press(interrupts)
        raise package.BadProblem("half of a file")

    monkeypatch.setattr("hornbook.teaching.teach", refused)
    found = hornbook("teach", "two_rays", "--json", interrupts=interrupts)
    assert (found.code, found.data["error"]) == (130, "interrupted")


def test_an_interrupt_after_the_set_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The set is given, and no certificate is written."""
    for arguments in (["--json"], []):
        interrupts = Interrupts(json="--json" in arguments)
        pressed_in("hornbook.lesson.Lesson.certificate", interrupts, monkeypatch)
        path = str(tmp_path / "c")
        found = hornbook("teach", "two_rays", "--certificate", path, *arguments, interrupts=interrupts)
        assert found.code == 130
        assert os.listdir(tmp_path) == []
        if arguments:
            assert (found.data["states"], found.data["lower_bound"]) == (["s"], "1")
        else:
            assert found.out == "PROVED MINIMUM: 1 of 3 states (exact)\n  in state s do a\n"
            assert found.err == "interrupted: interrupted after the set was found; it teaches\n"


def test_a_complete_answer_is_printed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt while the answer is being printed changes the exit code only."""
    interrupts = Interrupts()
    dumps = json.dumps

    def pressing(data: object) -> str:
        press(interrupts)
        return dumps(data)

    interrupts.json = True
    monkeypatch.setattr("hornbook.cli._answer.json", SimpleNamespace(dumps=pressing))
    found = hornbook("rays", "two_rays", "--json", interrupts=interrupts)
    assert (found.code, found.data["ok"]) == (130, True)


def test_main_answers_and_ends_the_process(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """As `hornbook` and as `python -m hornbook`; nothing runs after the answer."""

    def leave(code: int) -> NoReturn:
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr(Interrupts, "install", lambda interrupts: None)
    monkeypatch.setattr(sys, "argv", ["hornbook", "rays", "two_rays", "--json"])
    monkeypatch.delitem(sys.modules, "hornbook.__main__", raising=False)
    for run in (_as_a_module, _as_a_script):
        with pytest.raises(SystemExit, match="0"):
            run()
        assert json.loads(capfdbinary.readouterr().out)["rays"] == [[0, 1], [1, 0]]


def _as_a_module() -> None:
    runpy.run_module("hornbook", run_name="__main__")


def _as_a_script() -> None:
    from hornbook.__main__ import main

    main()
