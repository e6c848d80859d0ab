"""A page with nothing on it: what opening any page costs."""

from __future__ import annotations

from typing import Any

from benchmarks.browsers import Browser

OPTIONS = "one empty paragraph"
_OPEN: list[Browser] = []


def version() -> str:
    return _OPEN[0].version


def prepare(path: str) -> Browser:
    _OPEN.append(Browser("<!DOCTYPE html><html data-ready=yes><title>blank</title><p></p></html>"))
    return _OPEN[0]


def solve(browser: Browser) -> tuple[dict[str, Any], str]:
    return browser.open(), "opened"
