"""The states of a lesson as their environment draws them, each with the action to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hornbook.drawing import LOOKS, Drawing, Shape
from hornbook.errors import BadProblem
from hornbook.explanations import trace_of
from hornbook.figures._canvas import INK, axes, disc
from hornbook.lesson import Lesson
from hornbook.text import harmless

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["drawn_state", "lesson_boards"]

_INCH = 0.42  # a field of a board
_GAP = 0.9
_POINTS = 72 * _INCH  # points to a field


def lesson_boards(lesson: Lesson, *, columns: int | None = None, most: int = 24, ax: Axes | None = None) -> Axes:
    """The demonstrations in rows of `columns`, the first `most` of them, each with its name and action below."""
    problem = trace_of(lesson).problem
    found = [problem.drawing(d.id, d.action) for d in lesson.demonstrations[:most]]
    pictures = [each for each in found if each is not None]
    if len(pictures) < len(found):
        raise BadProblem("the states of this problem have no pictures; environments that do are told in docs/cli.md")
    columns = columns or max(1, min(len(pictures), int(14 / max((p.width for p in pictures), default=14)), 6))
    wide = max((p.width for p in pictures), default=1.0) + _GAP
    tall = max((p.height for p in pictures), default=1.0) + _GAP + 0.4
    rows = -(-len(pictures) // columns)
    width, height = columns * wide - _GAP, max(rows, 1) * tall
    drawn = axes(ax, width=_INCH * (width + 0.4), height=_INCH * (height + 0.2))
    for place, (picture, shown) in enumerate(zip(pictures, lesson.demonstrations, strict=False)):
        left, top = (place % columns) * wide, (place // columns) * tall
        drawn_state(picture, ax=drawn, at=(left, top))
        words = f"{harmless(shown.id)}: {harmless(shown.action)}"
        drawn.text(left + picture.width / 2, top + picture.height + 0.35, words, ha="center", va="center", fontsize=8)
    drawn.set_xlim(-0.2, width + 0.2)
    drawn.set_ylim(height, -0.2)
    drawn.set_aspect("equal")
    drawn.set_axis_off()
    return drawn  # type: ignore[no-any-return]


def drawn_state(picture: Drawing, *, ax: Axes | None = None, at: tuple[float, float] = (0.0, 0.0)) -> Axes:
    """The picture of one state (`problem.drawing(state, action)`), its upper left corner at `at`; y grows downwards."""
    drawn = axes(ax, width=_INCH * (picture.width + 0.2), height=_INCH * (picture.height + 0.2))
    for shape in picture.shapes:
        _draw(drawn, shape, at)
    if ax is None:
        drawn.set_xlim(-0.1, picture.width + 0.1)
        drawn.set_ylim(picture.height + 0.1, -0.1)
        drawn.set_aspect("equal")
        drawn.set_axis_off()
    return drawn  # type: ignore[no-any-return]


def _draw(ax: Any, shape: Shape, at: tuple[float, float]) -> None:
    """One shape in the colours of its role."""
    look = LOOKS[shape.role]
    fill, edge = (INK if colour == "ink" else colour for colour in (look.fill, look.stroke))
    style = {"alpha": look.opacity, "linewidth": look.width * _POINTS, "zorder": 3 if shape.role == "chosen" else 2}
    x, y = ([p[i] + at[i] for p in shape.points] for i in (0, 1))
    if shape.kind == "text":
        size = shape.size * _POINTS
        ax.text(x[0], y[0], harmless(shape.text), ha="center", va="center", fontsize=size, color=fill, zorder=4)
    elif shape.kind == "circle":
        disc(ax, (x[0], y[0]), radius=shape.size, facecolor=fill or "none", edgecolor=edge or "none", **style)
    elif shape.kind == "polygon":
        ax.fill(x, y, facecolor=fill or "none", edgecolor=edge or "none", joinstyle="round", **style)
    else:
        ax.plot(x, y, color=edge, solid_joinstyle="round", solid_capstyle="round", **style)
