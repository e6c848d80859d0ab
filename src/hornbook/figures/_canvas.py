"""Axes, colours and files; the one file that imports matplotlib (extra `plot`).

Figures are made without pyplot and without touching its settings: nothing global, nothing to close.  Colours are Okabe
and Ito's, told apart by everybody; where a colour matters a marker, a line or a hatch says the same, for grey print.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.errors import BadProblem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "BLUE",
    "FAINT",
    "GOLD",
    "GREEN",
    "INK",
    "PURPLE",
    "RED",
    "SKY",
    "axes",
    "disc",
    "faces",
    "overlaps",
    "quiet",
    "save",
]

BLUE, SKY, GREEN, GOLD, RED, PURPLE = "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7"
INK, FAINT = "#222222", "#9a9a9a"

_DOTS = 160  # per inch, in PNG
_TIGHT: dict[str, Any] = {"bbox_inches": "tight", "pad_inches": 0.06}
_TOUCH = 0.5  # dots by which the boxes of two texts may meet before they count as overlapping


def axes(ax: Axes | None, *, width: float, height: float, space: bool = False) -> Any:
    """The axes given, or new ones of so many inches in a figure of their own; `space` for three dimensions."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        if space:
            import mpl_toolkits.mplot3d  # noqa: F401  (makes the projection known)
    except ImportError:
        raise BadProblem("figures need matplotlib: pip install 'hornbook[plot]'") from None
    if ax is not None:
        return ax
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure.add_subplot(projection="3d" if space else None)


def quiet(ax: Any, *, equal: bool = False, bare: bool = False) -> None:
    """No more lines than needed: two spines, or none and no ticks; `equal` keeps angles true."""
    for side in ("top", "right", *(("left", "bottom") if bare else ())):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(FAINT)
    ax.tick_params(colors=INK, labelsize=8, color=FAINT)
    if bare:
        ax.set_xticks([])
        ax.set_yticks([])
    if equal:
        ax.set_aspect("equal")


def disc(ax: Any, centre: tuple[float, float], *, radius: float, **look: Any) -> None:
    """A circle in the coordinates of the axes."""
    from matplotlib.patches import Circle

    ax.add_patch(Circle(centre, radius, **look))


def faces(ax: Any, corners: Sequence[Any], *, color: str, alpha: float) -> None:
    """Flat pieces of a surface in space, each by its corners."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    ax.add_collection3d(Poly3DCollection(list(corners), facecolor=color, alpha=alpha, edgecolor="none"))


def save(ax: Axes, path: str | Path) -> None:
    """Write the figure of these axes, as PNG, PDF or SVG by the name; no date goes in, so the bytes can be repeated."""
    import matplotlib

    kind = Path(path).suffix.lower()
    nameless = {".png": {"Software": None}, ".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
    with matplotlib.rc_context({"pdf.fonttype": 42, "svg.hashsalt": "hornbook"}):
        metadata: dict[str, Any] | None = nameless.get(kind)
        ax.get_figure(root=True).savefig(path, dpi=_DOTS, metadata=metadata, **_TIGHT)  # type: ignore[union-attr]


def overlaps(ax: Axes) -> list[tuple[str, str]]:
    """Pairs of texts in the figure of these axes that lie on each other, or beyond its edge (then the edge is named).

    >>> from hornbook.figures import curves
    >>> ax = curves([])
    >>> _ = ax.text(0.5, 0.5, "here"), ax.text(0.5, 0.5, "there")
    >>> overlaps(ax)
    [('here', 'there')]
    """
    figure: Any = ax.get_figure(root=True)
    figure.canvas.draw()
    texts = [text for each in figure.axes for text in _drawn(each) if text.get_visible() and text.get_text().strip()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    found = [(a, b) for (a, box), (b, other) in combinations(boxes, 2) if _meet(box, other)]
    return found + [(a, "the edge") for a, box in boxes if not _within(box, figure.bbox)]


def _drawn(ax: Any) -> list[Any]:
    """The texts of these axes that can be seen, those of ticks within the limits among them."""
    legend = ax.get_legend()
    texts = [*ax.texts, ax.title, ax._left_title, *(legend.get_texts() if legend else [])]
    for axis in _sides(ax) if ax.axison else []:
        low, high = sorted(axis.get_view_interval())
        ticks = [tick for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()) if low <= tick.get_loc() <= high]
        texts += [axis.label, *(label for tick in ticks for label in (tick.label1, tick.label2))]
    return texts


def _sides(ax: Any) -> list[Any]:
    return [axis for name in ("xaxis", "yaxis", "zaxis") if (axis := getattr(ax, name, None)) is not None]


def _meet(a: Any, b: Any) -> bool:
    across, down = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    return bool(min(across, down) > _TOUCH)


def _within(box: Any, edge: Any) -> bool:
    inside = box.x0 >= edge.x0 - _TOUCH and box.y0 >= edge.y0 - _TOUCH
    return bool(inside and box.x1 <= edge.x1 + _TOUCH and box.y1 <= edge.y1 + _TOUCH)
