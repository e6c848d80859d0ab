"""Pictures of states: a few shapes with a title, drawn by environments, shown as SVG or by matplotlib.

A shape says what it means (`role`), not how it looks, so that a page in the dark and a figure in print can each choose.
Colours are told apart by the colour-blind, and whatever is chosen is marked by its outline too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType

from hornbook.text import harmless

__all__ = ["LOOKS", "Draw", "Drawing", "Look", "Point", "Shape", "box", "regular", "svg"]

Point = tuple[float, float]


@dataclass(frozen=True)
class Look:
    """How a role is drawn: fill and stroke (None for none), the stroke's width, how opaque.

    "ink" is the colour of the text around: the page's own in SVG, black in print.
    """

    fill: str | None
    stroke: str | None
    width: float = 0.03
    opacity: float = 1.0


LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "line": Look(None, "ink"),
        "faint": Look(None, "ink", 0.02, 0.35),
        "thing": Look("#56b4e9", "ink"),
        "goal": Look("#e69f00", "ink"),
        "wall": Look("ink", None, 0.0, 0.55),
        "chosen": Look(None, "#d55e00", 0.09),
        "label": Look("ink", None, 0.0),
        "quiet": Look("ink", None, 0.0, 0.6),
    }
)
"""What shapes mean: outlines, what lies about, where to go, what is in the way, the action in question, words."""


@dataclass(frozen=True)
class Shape:
    """One shape: a `polygon` or `line` through points, a `circle` around one, or a `text` centred on one.

    `size` is a circle's radius or a text's height; y grows downwards, and one unit is about one field of a board.
    """

    kind: str
    points: tuple[Point, ...]
    role: str
    size: float = 0.0
    text: str = ""


@dataclass(frozen=True)
class Drawing:
    """A picture `width` units wide and `height` units high, with what it shows in words."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]


Draw = Callable[[str, str | None], Drawing]
"""What an environment gives: the picture of the state with this id, with this action marked if one is named."""


def regular(corners: int, centre: Point, *, radius: float) -> tuple[Point, ...]:
    """The corners of a regular polygon, one of them at the top."""
    turns = [2 * math.pi * k / corners for k in range(corners)]
    return tuple((centre[0] + radius * math.sin(t), centre[1] - radius * math.cos(t)) for t in turns)


def box(corner: Point, *, width: float = 1.0, height: float = 1.0, role: str = "line") -> Shape:
    """A rectangle by its upper left corner."""
    x, y = corner
    return Shape("polygon", ((x, y), (x + width, y), (x + width, y + height), (x, y + height)), role)


def svg(drawing: Drawing, *, scale: float = 40.0) -> str:
    """The picture as one `<svg>` element without ids, links or styles of its own, for any page.

    >>> print(svg(Drawing("a <dot>", 1, 1, (Shape("circle", ((0.5, 0.5),), "thing", 0.4),)), scale=10))
    <svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="-0.1 -0.1 1.2 1.2" width="12" height="12">\
<title>a &lt;dot&gt;</title><circle cx="0.5" cy="0.5" r="0.4" fill="#56b4e9" stroke="currentColor" \
stroke-width="0.03"/></svg>
    """
    width, height = drawing.width + 0.2, drawing.height + 0.2
    size = f'viewBox="-0.1 -0.1 {_number(width)} {_number(height)}"'
    pixels = f'width="{_number(width * scale)}" height="{_number(height * scale)}"'
    inside = "".join([f"<title>{_words(drawing.title)}</title>", *map(_element, drawing.shapes)])
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {pixels}>{inside}</svg>'


def _element(shape: Shape) -> str:
    look = _attributes(LOOKS[shape.role])
    x, y = (_number(v) for v in shape.points[0])
    if shape.kind == "circle":
        return f'<circle cx="{x}" cy="{y}" r="{_number(shape.size)}" {look}/>'
    if shape.kind == "text":
        place = f'x="{x}" y="{y}" font-size="{_number(shape.size)}" font-family="sans-serif"'
        centred = 'text-anchor="middle" dominant-baseline="central"'
        return f"<text {place} {centred} {look}>{_words(shape.text)}</text>"
    points = " ".join(f"{_number(a)},{_number(b)}" for a, b in shape.points)
    return f'<{"polygon" if shape.kind == "polygon" else "polyline"} points="{points}" {look}/>'


def _attributes(look: Look) -> str:
    parts = [f'fill="{_colour(look.fill)}"']
    if look.stroke is not None:
        parts += [f'stroke="{_colour(look.stroke)}"', f'stroke-width="{_number(look.width)}"']
    if look.opacity < 1:
        parts.append(f'opacity="{_number(look.opacity)}"')
    return " ".join(parts)


def _colour(colour: str | None) -> str:
    return "none" if colour is None else "currentColor" if colour == "ink" else colour


def _number(value: float) -> str:
    return f"{round(value, 3) + 0.0:g}"


def _words(text: str) -> str:
    return escape(harmless(text))
