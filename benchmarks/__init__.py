"""How fast, against whom: `python -m benchmarks [--full] [FAMILY ...]`, or `make bench` and `make bench-full`.

A *family* is a list of cases: data, and who solves it.  A *peer* is one file in `peers/` that solves a case; ours are
peers like the others.  Each peer runs in a process of its own with a time limit.  Answers are compared before times:
a peer that is wrong is marked wrong, one that raises is an error and never a win, and one that runs out of time shows
its limit as a lower bound.  Runs alternate between ours and the peers; a figure is the median of the repeats and the
ratio to ours in the same run.

Adding a family is one file here and one line in `FAMILIES`; adding a peer is one file in `peers/` and its name in the
families that want it.  Results go to `results/`: one JSON file and one Markdown table for each family.
"""

from __future__ import annotations

from importlib import import_module

from benchmarks.cases import Case, Family

__all__ = ["FAMILIES", "Case", "Family", "family"]

FAMILIES = {
    "planted": "cones with planted rays among interior vectors, exact integers",
    "gaussian": "Gaussian cross-sections: many rays",
    "covers": "covers from teaching problems: private rays, rays at random",
    "published": "published covers and Steiner triple systems",
    "degenerate": "one-hot, Kesler, lattices, cubes, moment curves, next to generic data of the same size",
    "floats": "float data next to exact data of the same size, and the paper's towers",
    "page": "the page of a lesson in a browser, next to a blank one",
}
"""Family -> what it measures.  `benchmarks/<name>.py` holds it as `FAMILY`."""


def family(name: str) -> Family:
    """The family of this name."""
    return import_module(f"benchmarks.{name}").FAMILY
