"""Who shows what: states against rays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.explanations import trace_of
from hornbook.figures._canvas import BLUE, FAINT, INK, RED, axes
from hornbook.figures._shown import vector_text
from hornbook.lesson import Lesson
from hornbook.text import harmless

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["coverage_matrix"]

_MOST_ROWS = 40
_MOST_NAMED = 16  # rays whose vectors are written out
_LONGEST = 24  # characters of a state's name


def coverage_matrix(lesson: Lesson, *, ax: Axes | None = None) -> Axes:
    """Rays across, kinds of states down; a square where a state shows a ray, and the lesson's states marked.

    States that show the same rays are one line, told of by the first and counted; the lesson's come first, and at most
    40 lines are drawn.
    """
    trace = trace_of(lesson)
    kinds, chosen = trace.kinds, set(trace.cover.chosen)
    order = sorted(range(len(kinds)), key=lambda place: (place not in chosen, place))[:_MOST_ROWS]
    across = len(lesson.rays)
    drawn = axes(ax, width=2.0 + min(9.0, max(1.2, 0.27 * across)), height=1.5 + 0.24 * len(order))
    for line, place in enumerate(order):
        kind, ours = kinds[place], place in chosen
        look = {"color": RED, "marker": "s"} if ours else {"color": BLUE, "marker": "o"}
        drawn.scatter(kind.rays, [line] * len(kind.rays), s=_dot(across), zorder=3, linewidths=0, **look)
    names = [_told(lesson, kinds[place].row, kinds[place].count) for place in order]
    drawn.set_yticks(range(len(order)), names, fontsize=8)
    for label, place in zip(drawn.get_yticklabels(), order, strict=True):
        label.set_color(RED if place in chosen else INK)
        label.set_fontweight("bold" if place in chosen else "normal")
    _frame(drawn, lesson, len(order))
    return drawn  # type: ignore[no-any-return]


def _dot(across: int) -> float:
    return float(np.clip(2400 / max(across, 1), 4, 60))


def _told(lesson: Lesson, row: int, count: int) -> str:
    name = harmless(trace_of(lesson).problem.state_id(row))
    name = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    return name if count == 1 else f"{name} and {count - 1:,} more"


def _frame(ax: Any, lesson: Lesson, lines: int) -> None:
    across = len(lesson.rays)
    ax.set_xlim(-0.7, max(across, 1) - 0.3)
    ax.set_ylim(max(lines, 1) - 0.4, -0.6)
    if across <= _MOST_NAMED:
        ax.set_xticks(range(across), [vector_text(ray) for ray in lesson.rays], rotation=90, fontsize=8)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.set_xlabel(f"{across} extreme rays", fontsize=9)
    ax.set_ylabel("states (lesson: red)", fontsize=9)
    ax.tick_params(length=0)
    ax.set_axisbelow(True)
    ax.grid(color=FAINT, alpha=0.35, lw=0.5)
    for spine in ax.spines.values():
        spine.set_visible(False)
