"""The paper, run again: every table and figure from scratch, next to what the paper says.

- `plane`: the example in the plane.
- `six`: the cone with six rays in three dimensions.
- `diamond`: pick the right diamond.
- `tower`: the polygon tower.
- `hardness`: the reduction from set cover, drawn and repaired.
- `mazes`: maze lessons against random and all.
- `greedy`: the greedy teacher's worst cases.
- `beyond`: tables that the paper does not have.

`python -m paper` runs all of them and writes docs/paper/; `python -m paper NAME ...` runs some.  Each is one file with
functions that compute (tests/test_paper.py asserts what they find) and a `run` that writes.  To add one: a file, and
its name below.
"""

from __future__ import annotations

import importlib
from typing import Protocol

from paper.writing import Folder, Section

__all__ = ["EXPERIMENTS", "Experiment", "experiment"]

EXPERIMENTS = ("plane", "six", "diamond", "tower", "hardness", "mazes", "greedy", "beyond")


class Experiment(Protocol):
    """A module with a `run`."""

    def run(self, folder: Folder) -> Section: ...


def experiment(name: str) -> Experiment:
    """The module of an experiment."""
    return importlib.import_module(f"paper.{name}")  # type: ignore[return-value]
