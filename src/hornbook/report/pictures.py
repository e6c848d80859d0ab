"""Drawings as data: few letters for the page's script, which makes shapes of them and never reads markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hornbook.drawing import Drawing, Shape
from hornbook.problem import TeachingProblem
from hornbook.text import harmless

__all__ = ["picture", "pictured_actions"]


def picture(problem: TeachingProblem, state: str, *, action: str | None = None) -> dict[str, Any] | None:
    """The drawing of a state as data; None where the problem has no pictures.

    >>> from hornbook.environments import environment
    >>> picture(environment("diamond:1"), "3")["s"][0]
    ['polygon', 'line', 0, '', [0, 0, 1, 0, 1, 1, 0, 1]]
    """
    drawing = problem.drawing(state, action)
    return None if drawing is None else _data(drawing, drawing.shapes)


def pictured_actions(problem: TeachingProblem, state: str, *, actions: Sequence[str]) -> list[Any]:
    """What marking each action adds to the drawing of a state, with the words that say so."""
    plain = problem.drawing(state)
    marked = [problem.drawing(state, action) for action in actions]
    if plain is None:
        return []
    return [[each.title, _shapes(_added(plain, each))] for each in marked if each is not None]


def _added(plain: Drawing, marked: Drawing) -> list[Shape]:
    return [shape for shape in marked.shapes if shape not in plain.shapes]


def _data(drawing: Drawing, shapes: Sequence[Shape]) -> dict[str, Any]:
    return {"t": harmless(drawing.title), "w": drawing.width, "h": drawing.height, "s": _shapes(shapes)}


def _shapes(shapes: Sequence[Shape]) -> list[Any]:
    return [
        [each.kind, each.role, _short(each.size), harmless(each.text), [_short(v) for p in each.points for v in p]]
        for each in shapes
    ]


def _short(value: float) -> float | int:
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded
