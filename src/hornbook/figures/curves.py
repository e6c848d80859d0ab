"""Curves: several series against one quantity, told apart without colour, with fitted slopes where growth is meant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.figures._canvas import BLUE, FAINT, GOLD, GREEN, INK, PURPLE, RED, axes, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Series", "curves", "fitted_slope"]

_LOOKS = (
    (BLUE, "o", "-"),
    (RED, "s", "--"),
    (GREEN, "^", "-."),
    (PURPLE, "D", ":"),
    (GOLD, "v", "-"),
    (INK, "x", "--"),
)
_APART = 0.09  # of the axis, between two ticks
_LONG = 100_000  # from here on numbers are written with a power of ten


@dataclass(frozen=True)
class Series:
    """One curve.  `fit_from`: fit a straight line in log-log coordinates to the points from this x on, and tell it."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    fit_from: float | None = None


def fitted_slope(x: Sequence[float], y: Sequence[float]) -> float:
    """The slope of log y against log x, by least squares: the exponent of growth.

    >>> round(fitted_slope([1, 10, 100], [3, 300, 30000]), 6)
    2.0
    """
    return float(np.polyfit(np.log(np.asarray(x, dtype=float)), np.log(np.asarray(y, dtype=float)), 1)[0])


def curves(
    series: Sequence[Series],
    *,
    x_label: str = "",
    y_label: str = "",
    log: str = "",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Lines with markers, each series with its own of both; `log` is "", "x", "y" or "xy".

    Later series have smaller markers, so that curves that lie on each other can all be seen.
    """
    drawn = axes(ax, width=4.8, height=3.6)
    for place, (each, (colour, marker, dashes)) in enumerate(zip(series, _repeated(len(series)), strict=True)):
        name = each.name
        if each.fit_from is not None:
            kept = [(a, b) for a, b in zip(each.x, each.y, strict=True) if a >= each.fit_from]
            slope = fitted_slope([a for a, _ in kept], [b for _, b in kept])
            name = f"{name}: slope {slope:.2f}"
            middle = math.exp(np.mean([math.log(b) - slope * math.log(a) for a, b in kept]))
            ends = [kept[0][0], kept[-1][0]]
            drawn.plot(ends, [middle * a**slope for a in ends], color=colour, lw=4, alpha=0.22, solid_capstyle="round")
        look = {"color": colour, "marker": marker, "linestyle": dashes, "mec": "white", "mew": 0.6}
        drawn.plot(each.x, each.y, ms=max(4.0, 9 - 2.5 * place), lw=1.5, label=name, **look)
    _scale(drawn, sorted({x for each in series for x in each.x}), log)
    quiet(drawn)
    drawn.set_xlabel(x_label, fontsize=9)
    drawn.set_ylabel(y_label, fontsize=9)
    drawn.set_title(title, fontsize=10, loc="left")
    drawn.grid(color=FAINT, alpha=0.25, lw=0.5)
    if series:
        drawn.legend(loc="best", fontsize=8, frameon=True, framealpha=0.9, edgecolor="none")
    return drawn  # type: ignore[no-any-return]


def _scale(ax: Any, places: Sequence[float], log: str) -> None:
    """A logarithmic x axis has ticks where there are points, as far as they keep apart."""
    if "y" in log:
        ax.set_yscale("log")
    if "x" in log:
        ax.set_xscale("log")
        kept = [x for i, x in enumerate(places) if i == 0]
        for x in places[1:]:
            kept += [x] if math.log(x / kept[-1]) > _APART * math.log(places[-1] / places[0]) else []
        ax.set_xticks(kept, [f"{x:,g}" if x < _LONG else f"{x:.0e}".replace("e+0", "e") for x in kept])
        ax.tick_params(axis="x", which="minor", labelbottom=False)


def _repeated(count: int) -> list[tuple[str, str, str]]:
    return [_LOOKS[i % len(_LOOKS)] for i in range(count)]
