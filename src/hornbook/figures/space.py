"""A cone of three features, as it stands in space, cut by a plane, and seen from above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.errors import BadProblem
from hornbook.explanations import trace_of
from hornbook.figures._canvas import BLUE, INK, RED, SKY, axes, faces, quiet
from hornbook.figures._shown import Floats, features_named, rays_of, showing, stored, told_apart
from hornbook.lesson import Lesson
from hornbook.report.cone import section_of
from hornbook.text import harmless

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cone_in_space", "cross_section", "top_view"]

_MOST_LABELS = 24
_MOST_STATES = 6  # in one label


def cone_in_space(lesson: Lesson, *, ax: Axes | None = None) -> Axes:
    """The differences as dots, the extreme rays as lines, and the cone between them; for three features.

    Differences on a ray are red diamonds, all others blue dots.
    """
    rays = rays_of(lesson, dimension=3)
    dots, on = told_apart(lesson)
    drawn = axes(ax, width=5.0, height=4.6, space=True)
    up = np.array(trace_of(lesson).rays.weights, dtype=np.float64)
    up /= np.linalg.norm(up)
    height = 1.05 * float((dots @ up).max(initial=1.0))
    corners = rays / (rays @ up)[:, None] * height
    around = corners[_turned(corners, up)]
    edges = list(zip(around, np.roll(around, -1, axis=0), strict=True))
    faces(drawn, [np.array([np.zeros(3), *edge]) for edge in edges], color=SKY, alpha=0.2)
    for edge in edges:
        drawn.plot(*np.column_stack(edge), color=BLUE, lw=1.0)
    for corner in corners:
        drawn.plot(*np.column_stack([np.zeros(3), corner]), color=RED, lw=1.1, alpha=0.85)
    drawn.scatter(*dots[~on].T, s=14, color=BLUE, depthshade=False, label="inside or on a face")
    drawn.scatter(*dots[on].T, s=26, color=RED, marker="D", depthshade=False, label="on an extreme ray")
    names = features_named(lesson)
    drawn.set_xlabel(names[0], fontsize=8, labelpad=-10)
    drawn.set_ylabel(names[1], fontsize=8, labelpad=-10)
    drawn.set_zlabel(names[2], fontsize=8, labelpad=-12)
    for axis in (drawn.xaxis, drawn.yaxis, drawn.zaxis):
        axis.set_ticks([])
        axis.pane.set_facecolor("white")
        axis.pane.set_edgecolor("#dddddd")
    drawn.grid(visible=False)
    drawn.view_init(elev=24, azim=-58)
    drawn.legend(loc="upper left", fontsize=8, frameon=False)
    return drawn  # type: ignore[no-any-return]


def _turned(corners: Floats, up: Floats) -> list[int]:
    """The corners in the order in which one meets them going round the cone."""
    side = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    side /= np.linalg.norm(side)
    middle = corners - corners.mean(axis=0) if len(corners) else corners
    angles = np.arctan2(middle @ np.cross(up, side), middle @ side)
    return [int(i) for i in np.argsort(angles, kind="stable")]


def cross_section(lesson: Lesson, *, label_states: bool = True, ax: Axes | None = None) -> Axes:
    """The cone cut by a plane across it: rays are the corners, labelled by the states that show them.

    For more than three dimensions this is a shadow of the section, in which corners may lie inside.  More than 24
    labels are left out, since nobody could read them.
    """
    trace = trace_of(lesson)
    section = section_of(trace)
    drawn = axes(ax, width=4.4, height=4.4)
    corners, dots = section.points(trace.rays.vectors), section.points(trace.differences.directions)
    if section.rank <= 3:
        _polygon(drawn, corners)
    drawn.plot(*dots.T, "o", ms=3.5, color=BLUE, alpha=0.75, zorder=2, label="direction of a difference")
    _corners(drawn, corners, _labels(lesson) if label_states else [])
    quiet(drawn, equal=True, bare=True)
    drawn.margins(0.24)
    drawn.legend(loc="upper center", bbox_to_anchor=(0.5, 1.1), ncols=2, fontsize=8, frameon=False)
    return drawn  # type: ignore[no-any-return]


def top_view(lesson: Lesson, *, up: int = 2, label_states: bool = True, ax: Axes | None = None) -> Axes:
    """Three features seen along the axis of feature `up`: every ray where it is one high, with the states that show it.

    Differences are where they meet that height, as blue dots.
    """
    rays, dots = rays_of(lesson, dimension=3), stored(lesson)
    if not 0 <= up < 3 or bool((dots[:, up] <= 0).any()):
        raise BadProblem("a top view needs a feature in which all differences are positive; try cross_section")
    seen = [i for i in range(3) if i != up]
    drawn = axes(ax, width=4.6, height=4.6)
    corners = rays[:, seen] / rays[:, [up]]
    _polygon(drawn, corners)
    drawn.plot(*(dots[:, seen] / dots[:, [up]]).T, "o", ms=3.5, color=BLUE, zorder=2, label="difference")
    _corners(drawn, corners, _labels(lesson) if label_states else [])
    quiet(drawn, equal=True)
    drawn.margins(0.2)
    names = features_named(lesson)
    drawn.set_xlabel(f"{names[seen[0]]} at {names[up]} 1", fontsize=9)
    drawn.set_ylabel(f"{names[seen[1]]} at {names[up]} 1", fontsize=9)
    drawn.legend(loc="upper center", bbox_to_anchor=(0.5, 1.1), ncols=2, fontsize=8, frameon=False)
    return drawn  # type: ignore[no-any-return]


def _polygon(ax: Any, corners: Floats) -> None:
    middle = corners - corners.mean(axis=0) if len(corners) else corners
    around = corners[np.argsort(np.arctan2(middle[:, 1], middle[:, 0]), kind="stable")]
    ax.fill(*around.T, facecolor=SKY, alpha=0.25, edgecolor="none", zorder=1)
    ax.plot(*np.vstack([around, around[:1]]).T, color=BLUE, lw=1.0, zorder=1)


def _corners(ax: Any, corners: Floats, labels: Sequence[str]) -> None:
    """The rays as red diamonds, each with its label outside of the polygon."""
    ax.plot(*corners.T, "D", ms=6, color=RED, mec="white", mew=0.6, zorder=3, label="extreme ray")
    middle = corners.mean(axis=0) if len(corners) else np.zeros(2)
    for corner, label in zip(corners, labels, strict=False):
        x, y = corner - middle
        length = math.hypot(x, y) or 1.0
        place = (9 * x / length, 9 * y / length)
        align = "left" if x > 0.3 * length else "right" if x < -0.3 * length else "center"
        lift = "bottom" if y > 0.3 * length else "top" if y < -0.3 * length else "center"
        ax.annotate(
            *(label, tuple(corner), place), textcoords="offset points", ha=align, va=lift, fontsize=8, color=INK
        )


def _labels(lesson: Lesson) -> list[str]:
    """The states that show each ray; many states are counted; none where there are too many rays."""
    if len(lesson.rays) > _MOST_LABELS:
        return []
    lists = showing(lesson)
    return [
        ", ".join(map(harmless, states)) if len(states) <= _MOST_STATES else f"{len(states):,} states"
        for states in lists
    ]
