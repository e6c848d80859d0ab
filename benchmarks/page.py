"""The page in a browser, next to a blank one; drawing is done in software, as on a machine without a graphics card."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from benchmarks.cases import Case, Family

__all__ = ["FAMILY"]

_PROBLEMS = {"diamond:6": 2, "polygon_tower:44": 604, "random_cone:d=3,m=30000,h=40": 40}


def _made(problem: str) -> Mapping[str, Any]:
    return {"problem": problem}


FAMILY = Family(
    "page",
    "Opening the page of a lesson in headless Chromium, then turning its cone; seconds are for all of it.",
    [
        Case(problem, {"rays": rays}, partial(_made, problem), ("ours_page", "blank_page"))
        for problem, rays in _PROBLEMS.items()
    ],
)
