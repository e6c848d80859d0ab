"""Running the peers of a case: alternated, limited, compared."""

from __future__ import annotations

import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cases import Case

__all__ = ["PEERS_PYTHON", "Figure", "measured"]

ROOT = Path(__file__).resolve().parent.parent
PEERS_PYTHON = Path(os.environ.get("HORNBOOK_PEERS_PYTHON", ROOT / "build" / "peers" / "bin" / "python"))
_START = 180.0  # seconds for loading and compiling
_ENOUGH = 2.0  # a run this long needs no second repeat: the median of one


@dataclass
class Figure:
    """What one peer did on one case: times, or in `status` what came in their place."""

    peer: str
    status: str = "right"
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak_mb: int = 0
    version: str = ""
    options: str = ""
    warm_up: float = 0.0
    told: dict[str, Any] = field(default_factory=dict)
    answer: Any = None

    @property
    def median(self) -> float | None:
        return statistics.median(self.seconds) if self.seconds else None

    def line(self) -> str:
        """For whoever waits."""
        seconds = "" if self.median is None else f"{self.median:.4g} s"
        return f"  {self.peer:14} {seconds:12} {self.status} {self.told or ''}"

    def record(self) -> dict[str, Any]:
        """The figure as plain data, without the answer itself."""
        kept = {key: value for key, value in vars(self).items() if key != "answer"}
        times = {key: [round(v, 6) for v in kept[key]] for key in ("seconds", "cpu")}
        return {**kept, **times, "median": self.median}


def measured(case: Case) -> list[Figure]:
    """Every peer of a case, in the order of the case."""
    figures = {peer: Figure(peer) for peer in case.peers}
    with tempfile.TemporaryDirectory() as folder:
        path, data = Path(folder) / "case.npz", case.make()
        np.savez(path, **{name: np.asarray(value) for name, value in data.items()})
        workers = _started(figures, path)
        try:
            for _ in range(case.repeats):  # one after the other, again and again: what slows the machine slows all
                for peer, worker in list(workers.items()):
                    if not _run(figures[peer], worker, case.seconds):
                        workers.pop(peer).stop()
        finally:
            for worker in workers.values():
                worker.stop()
        _compare(case, figures, data)
    return list(figures.values())


def _started(figures: Mapping[str, Figure], path: Path) -> dict[str, _Worker]:
    workers = {}
    for peer, figure in figures.items():
        worker = _Worker(peer, path)
        hello = worker.receive(_START)
        if "ready" in hello:
            figure.version, figure.options, figure.warm_up = (hello[k] for k in ("version", "options", "warm_up"))
            workers[peer] = worker
        else:
            figure.status = f"error: {hello['failed']}"
            worker.stop()
    return workers


def _run(figure: Figure, worker: _Worker, limit: float) -> bool:
    """One more repeat; False when there is to be none after it."""
    if figure.seconds and sum(figure.seconds) > _ENOUGH:
        return True
    worker.send("run")
    reply = worker.receive(limit)
    if "failed" in reply:
        figure.status = f"limit: more than {limit:g} s" if reply["failed"] == "slow" else f"error: {reply['failed']}"
        figure.seconds = [limit] if reply["failed"] == "slow" else []
        return False
    figure.seconds.append(reply["seconds"])
    figure.cpu.append(reply["cpu"])
    figure.peak_mb, figure.answer, figure.told = reply["peak_mb"], reply["answer"], reply["told"]
    return True


def _compare(case: Case, figures: Mapping[str, Figure], data: Mapping[str, Any]) -> None:
    answered = [figure for figure in figures.values() if figure.answer is not None]
    if not answered:
        return
    truth = answered[0].answer if case.truth is None else case.truth(data)
    for figure in answered:
        difference = case.compare(truth, figure.answer)
        if difference is not None:
            figure.status = f"wrong: {difference}"


class _Worker:
    """A peer's process and the thread that listens to it."""

    def __init__(self, peer: str, path: Path) -> None:
        python = sys.executable if peer.startswith("ours") or not PEERS_PYTHON.exists() else PEERS_PYTHON
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115, closed in `stop`
        self._process = subprocess.Popen(
            [str(python), "-m", "benchmarks.worker", peer, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=ROOT,
            start_new_session=True,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line)
        self._lines.put(None)

    def send(self, line: str) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def receive(self, seconds: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return {"failed": "slow"}
        return json.loads(line) if line else {"failed": self._last_words()}

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines() or [f"exit {self._process.returncode}"]
        return lines[-1][:200]

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._errors.close()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue  # it died with something unsaid
