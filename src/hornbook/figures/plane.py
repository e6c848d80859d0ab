"""The cone of differences and the version space of a problem with two features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.figures._canvas import BLUE, FAINT, GREEN, INK, SKY, axes, quiet
from hornbook.figures._shown import Floats, features_named, rays_of, stored
from hornbook.lesson import Lesson

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cone_in_plane"]

_FULL = 2 * math.pi


def cone_in_plane(lesson: Lesson, *, states: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """The differences as dots, their cone in blue, and in green and hatched the weights that agree with them.

    With `states`, the cone and the version space are those after showing these states only, and what they do not show
    is drawn hollow.  The version space is open: its edges are dashed, since a tie is a mistake.
    """
    rays_of(lesson, dimension=2)
    everything, shown = stored(lesson), stored(lesson, states=states)
    drawn = axes(ax, width=4.2, height=4.0)
    reach = 1.12 * max(1.0, float(np.abs(everything).max(initial=0.0)))
    low, high = _fan(shown)
    start, stop = _between(low, high)
    seen = np.vstack([everything, _edge(low, high, reach=reach), _edge(start, stop, reach=reach)])
    _sector(drawn, low, high, reach=reach, facecolor=SKY, alpha=0.38, zorder=1)
    _sector(drawn, start, stop, reach=reach, facecolor="none", edgecolor=GREEN, hatch="////", linewidth=0, zorder=2)
    _sector(drawn, start, stop, reach=reach, facecolor=GREEN, alpha=0.16, zorder=1)
    for angle in (start, stop):
        _line(drawn, angle, reach=reach, color=GREEN, linestyle=(0, (4, 3)), linewidth=1.3)
    for angle in (low, high):
        _line(drawn, angle, reach=reach, color=BLUE, linewidth=1.8)
    hidden = everything[~(everything[:, None] == shown[None]).all(axis=2).any(axis=1)]
    drawn.plot(*hidden.T, "o", ms=4.5, mfc="white", mec=FAINT, zorder=4)
    drawn.plot(*shown.T, "o", ms=4.5, color=BLUE, mec="white", mew=0.5, zorder=5)
    drawn.plot(0, 0, "+", ms=8, color=INK, zorder=6)
    _frame(drawn, lesson, low=seen.min(axis=0) - 0.12 * reach, reach=reach)
    return drawn  # type: ignore[no-any-return]


def _fan(vectors: Floats) -> tuple[float, float]:
    """The angles between which all vectors lie: the complement of the widest gap (a quarter turn if there are none)."""
    if len(vectors) == 0:
        return math.nan, math.nan
    angles = np.unique(np.arctan2(vectors[:, 1], vectors[:, 0]))
    gaps = np.diff(np.append(angles, angles[0] + _FULL))
    last = int(np.argmax(gaps))
    low = float(angles[(last + 1) % len(angles)])
    return low, low + _FULL - float(gaps[last])


def _between(low: float, high: float) -> tuple[float, float]:
    """The angles of weights less than a right angle from both; all of them where nothing was shown."""
    return (0.0, _FULL) if math.isnan(low) else (high - math.pi / 2, low + math.pi / 2)


def _edge(start: float, stop: float, *, reach: float) -> Floats:
    """The part of the square's edge between two angles, from the middle and back."""
    turns = np.zeros(0) if math.isnan(start) else np.linspace(start, stop, 241)
    scale = reach / np.maximum(np.abs(np.cos(turns)), np.abs(np.sin(turns)))
    return np.vstack([[0.0, 0.0], np.column_stack([np.cos(turns) * scale, np.sin(turns) * scale])])


def _sector(ax: Any, start: float, stop: float, *, reach: float, **look: Any) -> None:
    ax.fill(*_edge(start, stop, reach=reach).T, **look)


def _line(ax: Any, angle: float, *, reach: float, **look: Any) -> None:
    if not math.isnan(angle):
        ax.plot([0, 2 * reach * math.cos(angle)], [0, 2 * reach * math.sin(angle)], zorder=3, **look)


def _frame(ax: Any, lesson: Lesson, *, low: Floats, reach: float) -> None:
    ax.set_xlim(max(-reach, low[0]), reach)
    ax.set_ylim(max(-reach, low[1]), reach)
    quiet(ax, equal=True)
    names = features_named(lesson)
    ax.set_xlabel(f"{names[0]} (difference or weight)", fontsize=9)
    ax.set_ylabel(f"{names[1]} (difference or weight)", fontsize=9)
    ax.fill([], [], facecolor=SKY, alpha=0.38, label="cone of differences")
    ax.fill([], [], facecolor="none", edgecolor=GREEN, hatch="////", linewidth=0, label="version space")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.12), ncols=2, fontsize=8, frameon=False, columnspacing=1.2)
