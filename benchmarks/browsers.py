"""A real browser for the page: how long until it can be used, and how long a picture takes that is turned."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["Browser", "problem_named"]

_QUIET = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
]
_TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_TURNED = """async () => {
    const canvas = document.querySelector('#cone canvas');
    const frame = () => new Promise(done => requestAnimationFrame(done));
    const times = [];
    for (let i = 0; canvas && i < 30; i++) {
        canvas.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}));
        const start = performance.now();
        await frame();
        times.push(performance.now() - start);
    }
    return times;
}"""


def problem_named(path: str) -> str:
    """The environment that a case is about."""
    with np.load(path) as data:
        return str(data["problem"])


class Browser:
    """Chromium, drawing in software, and one page on disk."""

    def __init__(self, text: str) -> None:
        from playwright.sync_api import sync_playwright

        self._folder = tempfile.TemporaryDirectory()
        self._file = Path(self._folder.name) / "page.html"
        self._file.write_text(text, encoding="utf-8")
        self._play = sync_playwright().start()
        self._chromium = self._play.chromium.launch(executable_path=shutil.which("chromium"), args=_QUIET)

    @property
    def version(self) -> str:
        """Which chromium it is."""
        return f"chromium {self._chromium.version}"

    def open(self) -> dict[str, Any]:
        """Open the page, wait until it is drawn; then turn the cone, if there is one, thirty times."""
        tab = self._chromium.new_page(viewport={"width": 1200, "height": 900})
        tab.goto(self._file.as_uri())
        tab.wait_for_selector("html[data-ready=yes]")
        tab.evaluate(_TWO_FRAMES)
        ready = tab.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
        times = tab.evaluate(_TURNED)
        tab.close()
        told = {"ms until it can be used": round(ready)}
        return {**told, "ms for a turned picture": round(statistics.median(times), 1)} if times else told
