"""Draw the pictures of docs/floats.md: a class, an annulus, a margin.

`python tools/float_pictures.py` writes docs/pictures/float-class.svg, float-annulus.svg and float-margin.svg.
"""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
BLUE, ORANGE, GREEN, INK, PALE = "#0072b2", "#d55e00", "#009e73", "#222222", "#dcdcdc"  # Okabe and Ito
CORNERS = ((90.0, 215.0), (150.0, 85.0), (300.0, 62.0), (385.0, 165.0), (270.0, 250.0))
AROUND = ((0, 0), (7, 4), (-5, 6))  # where the members of a class are, far too large to be true

Point = tuple[float, float]


def dot(at: Point, colour: str, *, radius: float = 4) -> str:
    """A filled circle: a difference."""
    return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius}" fill="{colour}" stroke="#fff"/>'


def square(at: Point, half: float, colour: str) -> str:
    """The noise around a difference: a box, since the noise is measured entry by entry."""
    x, y = at[0] - half, at[1] - half
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{2 * half}" height="{2 * half}" fill="{colour}" fill-opacity="0.15" '
        f'stroke="{colour}"/>'
    )


def text(at: Point, words: str, *, colour: str = INK, bold: bool = False, anchor: str = "start") -> str:
    """One line of text."""
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{at[0]}" y="{at[1]}" fill="{colour}" text-anchor="{anchor}"{weight}>{words}</text>'


def line(start: Point, stop: Point, style: str) -> str:
    """A straight line."""
    return f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{stop[0]:.1f}" y2="{stop[1]:.1f}" {style}/>'


def polygon(points: tuple[Point, ...], style: str) -> str:
    """A closed outline."""
    return f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" {style}/>'


def between(a: Point, b: Point, share: float) -> Point:
    """The point that divides a line."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def framed(title: str, parts: list[str], *, width: int = 790, height: int = 300) -> str:
    """The picture as SVG, with its title as the text for those who cannot see it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{title}" font-family="sans-serif" font-size="14">'
    )
    ground = '<rect width="100%" height="100%" fill="#fafafa"/>'
    return "\n".join([head, ground, text((20, 28), title, bold=True), *parts, "</svg>"]) + "\n"


def a_class() -> str:
    """The cone cut across: five corners, each with the differences that are one ray up to rounding."""
    parts = [polygon(CORNERS, f'fill="#eef4f8" stroke="{INK}"')]
    for corner in CORNERS:
        parts.append(f'<circle cx="{corner[0]}" cy="{corner[1]}" r="16" fill="none" stroke="{BLUE}" stroke-width="2"/>')
        parts += [dot((corner[0] + dx, corner[1] + dy), BLUE) for dx, dy in AROUND]
    inner = ((200, 150), (207, 153), (255, 190), (290, 140), (230, 110))
    parts += [dot(point, "#888888") for point in inner]
    parts += [
        text((430, 80), "blue: a class", colour=BLUE, bold=True),
        text((430, 100), "differences within the angle merge"),
        text((430, 118), "of each other count as one ray"),
        text((430, 160), "grey: inside", colour="#666666", bold=True),
        text((430, 180), "implied by the rays; that two of"),
        text((430, 198), "them nearly agree does not matter"),
        text((430, 250), "Circles are drawn a billion times too large."),
    ]
    return framed("A class: what counts as one ray", parts)


def an_annulus() -> str:
    """One corner, close up: the class, the ring that must be empty, and a difference that is in it."""
    centre = (190.0, 165.0)
    hatch = (
        '<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<rect width="8" height="8" fill="#fff6ee"/><line x1="0" y1="0" x2="0" y2="8" stroke="{ORANGE}" '
        'stroke-opacity="0.45" stroke-width="2"/></pattern></defs>'
    )
    stranger = (centre[0] + 72 * cos(-pi / 5), centre[1] + 72 * sin(-pi / 5))
    cross = f'stroke="{ORANGE}" stroke-width="4" stroke-linecap="round"'
    parts = [
        hatch,
        f'<circle cx="{centre[0]}" cy="{centre[1]}" r="115" fill="url(#hatch)" stroke="{ORANGE}" stroke-width="1.5"/>',
        f'<circle cx="{centre[0]}" cy="{centre[1]}" r="30" fill="#eaf3f9" stroke="{BLUE}" stroke-width="2"/>',
        *(dot((centre[0] + 1.6 * dx, centre[1] + 1.6 * dy), BLUE) for dx, dy in AROUND),
        line((stranger[0] - 7, stranger[1] - 7), (stranger[0] + 7, stranger[1] + 7), cross),
        line((stranger[0] - 7, stranger[1] + 7), (stranger[0] + 7, stranger[1] - 7), cross),
        dot((340, 225), "#888888"),
        text((352, 230), "far enough: another vector", colour="#666666"),
        text((400, 80), "blue disc: the class", colour=BLUE, bold=True),
        text((400, 100), "within the angle merge of the ray"),
        text((400, 132), "hatched: the annulus", colour=ORANGE, bold=True),
        text((400, 152), "up to 1,024 times merge: must be empty"),
        text((400, 184), "cross: one ray or two?", colour=ORANGE, bold=True),
        text((400, 204), "nobody can tell, so hornbook refuses"),
        text((400, 270), "Not to scale: the ring is 1,024 times as wide."),
    ]
    return framed("An annulus: the gap that tells one ray from two", parts)


def a_margin() -> str:
    """Boxes of noise, a line that keeps one class from all others, and a point on a face."""
    tip, rest = CORNERS[3], (*CORNERS[:3], CORNERS[4])
    on_face = between(CORNERS[0], CORNERS[1], 0.5)
    outer = (on_face[0] - 5, on_face[1] - 3)
    parts = [polygon(CORNERS, f'fill="#eef4f8" stroke="{INK}"')]
    parts += [square(point, 11, BLUE) + dot(point, BLUE) for point in rest]
    parts += [square(point, 11, "#888888") + dot(point, "#888888") for point in ((215, 150), (270, 175))]
    parts += [square(outer, 11, GREEN), dot(outer, GREEN), square(tip, 11, ORANGE), dot(tip, ORANGE)]
    dashed = f'stroke="{INK}" stroke-width="2" stroke-dasharray="7 5"'
    parts += [
        line((372, 60), (322, 275), dashed),
        text((330, 290), "w", bold=True),
        text((440, 75), "boxes: the noise of each difference", bold=True),
        text((440, 107), "dashed: the weights w of a margin", bold=True),
        text((440, 127), "orange on one side, all else on the"),
        text((440, 145), "other, with whole boxes: a ray beyond"),
        text((440, 163), "doubt, whatever the noise was"),
        text((440, 200), "green: assumed", colour=GREEN, bold=True),
        text((440, 220), "its box meets the face: on it or just"),
        text((440, 238), "outside? taken as on it, and counted"),
    ]
    return framed("A margin: a ray that no noise can hide, and a point that is only assumed", parts)


def main() -> None:
    """Write the three files."""
    for name, picture in (("class", a_class()), ("annulus", an_annulus()), ("margin", a_margin())):
        (PICTURES / f"float-{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
