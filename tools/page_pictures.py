"""Photograph the page at three widths, for the README and docs/page.md; needs chromium and playwright.

`python tools/page_pictures.py docs/pictures`
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import hornbook
from hornbook.report.page import page

QUIET = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
]
SHOTS = (  # width, height, problem, what is at the top, colours
    (360, 780, "diamond:6", "#lesson", "light"),
    (768, 860, "six_rays", "#see", "dark"),
    (1280, 900, "polygon_tower:44", "#see", "light"),
)


def photograph(browser: Browser, shot: tuple[int, int, str, str, str]) -> Image.Image:
    """One part of one page as it stands on a screen of this size."""
    width, height, problem, part, colours = shot
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lesson.html"
        file.write_text(page(hornbook.teach(hornbook.environment(problem))), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=colours)
        tab = context.new_page()
        tab.goto(file.as_uri())
        tab.wait_for_selector("html[data-ready=yes]")
        tab.evaluate(f"document.querySelector('{part}').scrollIntoView()")
        tab.wait_for_timeout(500)
        picture = Image.open(io.BytesIO(tab.screenshot()))
        picture.load()
        context.close()
    return picture.convert("RGB").quantize(96)


def main(folder: Path) -> None:
    """Write page-WIDTH.png for each width."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        for shot in SHOTS:
            photograph(browser, shot).save(folder / f"page-{shot[0]}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
