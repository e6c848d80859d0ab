"""What experiments write: figures, tables, and a section of docs/paper/README.md."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hornbook.figures import overlaps, save

__all__ = ["Claim", "Folder", "Section", "panels", "readme"]

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "paper"

_HEAD = """# The paper, run again

Everything that *Optimally Teaching a Linear Behavior Cloning Agent* (Bharti, Wright, Singla, Zhu) claims with a number or
a picture, computed from scratch by `make paper`, and some tables beyond it. Each figure is a PNG and a PDF, each table a
CSV, in this folder; `tests/test_paper.py` asserts the numbers. Runtimes are given relative to one of the same run, since
seconds belong to a machine.

## Claims side by side

| the paper says | we find | agrees |
|---|---|---|
"""


@dataclass(frozen=True)
class Claim:
    """What the paper says, what we find, and the proof where these differ (empty where they agree)."""

    paper: str
    ours: str
    proof: str = ""


@dataclass
class Section:
    """One experiment as README.md tells it: claims, and figures or tables with a caption each."""

    title: str
    claims: list[Claim] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Folder:
    """Where results go."""

    path: Path = RESULTS

    def figure(self, name: str, ax: Any, *, caption: str) -> str:
        """Save as PNG and PDF; returns the Markdown that shows it.  Labels that lie on each other are refused."""
        if crowded := overlaps(ax):
            raise ValueError(f"figure {name}: {crowded[0][0]!r} lies on {crowded[0][1]!r}")
        for kind in ("png", "pdf"):
            save(ax, self.path / f"{name}.{kind}")
        return f"![{caption}]({name}.png)\n\n*{caption}* ({{download}}`PDF <{name}.pdf>`)"

    def table(self, name: str, head: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str) -> str:
        """Save as CSV; returns the Markdown that shows it."""
        cells = [[_text(cell) for cell in row] for row in rows]
        with (self.path / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head)
            writer.writerows(cells)
        shown = "\n".join(map(_bar, [list(head), ["---:"] * len(head), *cells]))
        return f"{shown}\n\n*{caption}* ({{download}}`CSV <{name}.csv>`)"


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _bar(cells: Sequence[str]) -> str:
    """A line of a Markdown table; bars within cells are written so that they stay there."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def panels(count: int, *, columns: int, width: float, height: float) -> list[Any]:
    """Axes for several panels of one figure, with letters."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = -(-count // columns)
    figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
    FigureCanvasAgg(figure)
    return [figure.add_subplot(rows, columns, place + 1) for place in range(count)]


def readme(sections: Sequence[Section]) -> str:
    """The whole page."""
    lines, proofs = [_HEAD.rstrip()], list[str]()
    for claim in (claim for section in sections for claim in section.claims):
        verdict = "yes"
        if claim.proof:
            proofs.append(claim.proof)
            verdict = f"**no**, see {len(proofs)}"
        lines.append(_bar([claim.paper, claim.ours, verdict]))
    lines += ["", "## Where we differ, and why", ""]
    lines += [f"{number}. {proof}" for number, proof in enumerate(proofs, 1)]
    for section in sections:
        lines += ["", f"## {section.title}"]
        for part in section.parts:
            lines += ["", part]
    return "\n".join(lines) + "\n"
