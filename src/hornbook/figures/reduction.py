"""Why the fewest demonstrations are hard to find: any set-cover instance is a teaching problem, drawn side by side."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.figures._canvas import BLUE, FAINT, INK, RED, SKY, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["hardness_reduction"]


def hardness_reduction(sets: Sequence[Sequence[int]], *, cover: Collection[int] = (), ax: Axes | None = None) -> Axes:
    """Left, sets and the elements they hold; right, the same as states and the rays (1, k, k^2) that they show.

    The rays are drawn where they meet the plane on which the first feature is 1: on a parabola, so each is a corner.
    The sets in `cover`, and what they hold, are red and drawn thick.
    """
    elements = sorted({k for members in sets for k in members})
    drawn = axes(ax, width=7.6, height=3.9)
    rows = np.linspace(1, 0, max(len(sets), 2))[: len(sets)]
    marks = dict(zip(elements, np.linspace(1, 0, max(len(elements), 2)), strict=False))
    for number, members in enumerate(sets):
        ours = number in cover
        for k in members:
            look = {"color": RED, "lw": 1.8} if ours else {"color": FAINT, "lw": 0.9, "ls": (0, (4, 2))}
            drawn.plot([0.12, 0.8], [rows[number], marks[k]], zorder=1, **look)
        words = f"$V_{{{number}}}$, state {number}"
        drawn.text(0.08, rows[number], words, ha="right", va="center", fontsize=9, color=RED if ours else INK)
        drawn.plot(0.12, rows[number], "s" if ours else "o", ms=8, color=RED if ours else BLUE, zorder=2)
    for k, height in marks.items():
        drawn.plot(0.8, height, "D", ms=7, color=INK, zorder=2)
        drawn.text(0.88, height, f"{k}", ha="left", va="center", fontsize=9)
    _parabola(drawn, elements, sets)
    for x, words in (
        (-0.1, "sets = states"),
        (0.8, "elements = rays"),
        (2.05, "the section of the cone, every ray a corner"),
    ):
        drawn.text(x, 1.2, words, ha="center", va="center", fontsize=9, fontweight="bold")
    drawn.set_xlim(-0.7, 3.0)
    drawn.set_ylim(-0.24, 1.3)
    drawn.set_axis_off()
    return drawn  # type: ignore[no-any-return]


def _parabola(ax: Any, elements: Sequence[int], sets: Sequence[Sequence[int]]) -> None:
    """The points (k, k^2), scaled to the panel, each with its number and the states that show it."""
    values = np.array(elements, dtype=float)
    span = float(np.ptp(values)) or 1.0
    x = 1.35 + 1.25 * (values - values.min()) / span
    across = (values - values.mean()) ** 2
    y = 0.05 + 0.85 * across / (across.max() or 1.0)
    ax.fill(x, y, facecolor=SKY, alpha=0.3, edgecolor=BLUE, lw=1.0)
    for k, a, b in zip(elements, x, y, strict=True):
        shown = [number for number, members in enumerate(sets) if k in members]
        ax.plot(a, b, "D", ms=7, color=INK, zorder=3)
        states = ", ".join(f"{number}" for number in shown)
        right = a >= 1.97
        place = (a + 0.06, b - 0.03) if right else (a - 0.06, b - 0.03)
        words = f"$\\psi_{{{k}}}$: {states}"
        ax.text(*place, words, fontsize=9, ha="left" if right else "right", va="top", color=INK)
