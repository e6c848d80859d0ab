"""The page of a lesson, opened in a browser."""

from __future__ import annotations

from typing import Any

from benchmarks.browsers import Browser, problem_named

OPTIONS = "the page as hornbook report writes it"
_OPEN: list[Browser] = []


def version() -> str:
    return _OPEN[0].version


def prepare(path: str) -> Browser:
    import hornbook
    from hornbook.report.page import page

    _OPEN.append(Browser(page(hornbook.teach(hornbook.environment(problem_named(path))))))
    return _OPEN[0]


def solve(browser: Browser) -> tuple[dict[str, Any], str]:
    return browser.open(), "opened"
