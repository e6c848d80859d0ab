"""The picture of a state in a terminal: shapes drawn in braille dots, words as letters.

Two dots across and four down fit one character, so lines stay fine enough to tell a pentagon from a hexagon.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from hornbook.drawing import Drawing, Point, Shape

__all__ = ["sketch"]

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # Unicode's bit for (row, column) within a character
_BLANK = 0x2800
_BOLD = ("chosen",)
_FULL = ("thing", "goal")


def sketch(drawing: Drawing, *, width: int = 72) -> list[str]:
    """The lines of the picture, at most `width` characters wide.

    >>> from hornbook.drawing import box
    >>> sketch(Drawing("a box", 1, 1, (box((0, 0)),)), width=5)
    ['⡏⠉⠉⠉⢹', '⡇⠀⠀⠀⢸', '⠓⠒⠒⠒⠚']
    """
    across = min(2 * width - 1, round(14 * drawing.width))
    canvas = _Canvas(drawing, scale=across / drawing.width)
    for shape in drawing.shapes:
        canvas.draw(shape)
    return canvas.lines()


class _Canvas:
    """Dots, and letters over them; `scale` is how many dots a unit of the drawing has."""

    def __init__(self, drawing: Drawing, *, scale: float) -> None:
        self.scale = scale
        self.columns = round(drawing.width * scale) // 2 + 1
        self.rows = round(drawing.height * scale) // 4 + 1
        self.cells = [[_BLANK] * self.columns for _ in range(self.rows)]
        self.letters: dict[tuple[int, int], str] = {}

    def draw(self, shape: Shape) -> None:
        """Put one shape on the canvas; what matters is drawn twice as thick."""
        if shape.kind == "text":
            self._write(shape)
            return
        if shape.kind == "circle" and shape.role in _FULL:
            self._fill(shape)
        if shape.role == "faint":  # a grid in the background would drown what matters, its corners do not
            for corner in _outline(shape):
                self._dot(*corner)
            return
        outlines = [_outline(shape)]
        if shape.role in _BOLD:
            step = 1 / self.scale
            outlines += [[(x + step, y) for x, y in outlines[0]], [(x, y + step) for x, y in outlines[0]]]
        for outline in outlines:
            for start, stop in pairwise(outline):
                self._line(start, stop)

    def _fill(self, shape: Shape) -> None:
        """Full circles are full: on some boards that is what tells them apart."""
        (x, y), reach = shape.points[0], math.ceil(shape.size * self.scale)
        for right in range(-reach, reach + 1):
            for down in range(-reach, reach + 1):
                if math.hypot(right, down) <= shape.size * self.scale:
                    self._dot(x + right / self.scale, y + down / self.scale)

    def _line(self, start: Point, stop: Point) -> None:
        steps = max(1, math.ceil(math.dist(start, stop) * self.scale))
        for i in range(steps + 1):
            share = i / steps
            self._dot(*(a + (b - a) * share for a, b in zip(start, stop, strict=True)))

    def _dot(self, x: float, y: float) -> None:
        column, row = round(x * self.scale), round(y * self.scale)
        if 0 <= column < 2 * self.columns and 0 <= row < 4 * self.rows:
            self.cells[row // 4][column // 2] |= _DOTS[row % 4][column % 2]

    def _write(self, shape: Shape) -> None:
        x, y = shape.points[0]
        row = min(self.rows - 1, int(y * self.scale) // 4)
        first = max(0, round(x * self.scale / 2 - len(shape.text) / 2))
        self.letters.update({(row, first + i): letter for i, letter in enumerate(shape.text)})

    def lines(self) -> list[str]:
        """The characters, row by row, without what is blank at the end."""
        return ["".join(self._characters(row)).rstrip(chr(_BLANK)) for row in range(self.rows)]

    def _characters(self, row: int) -> Iterator[str]:
        for column in range(self.columns):
            yield self.letters.get((row, column), chr(self.cells[row][column]))


def _outline(shape: Shape) -> list[Point]:
    """The shape as a chain of points."""
    if shape.kind == "circle":
        (x, y), turns = shape.points[0], [2 * math.pi * k / 24 for k in range(25)]
        return [(x + shape.size * math.cos(t), y + shape.size * math.sin(t)) for t in turns]
    closing = shape.points[:1] if shape.kind == "polygon" else ()
    return [*shape.points, *closing]
