"""Figures for papers and notebooks: one function each, which returns matplotlib axes (extra `plot`).

- `cone_in_plane`: two features; the differences, their cone and the version space, of a lesson or of some states.
- `cone_in_space`: three features; the cone with its extreme rays.
- `cross_section`: the cone cut across, any number of features; corners are rays, with the states that show them.
- `top_view`: three features seen along one of them, as the paper draws its tower.
- `coverage_matrix`: which states show which rays, and which of them the lesson takes.
- `lesson_boards`: the demonstrations as their environment draws them; `drawn_state` for one of them.
- `curves`: series told apart without colour, with fitted slopes; `Series`, `fitted_slope`.
- `hardness_reduction`: a set-cover instance next to the teaching problem that it is.
- `save`: PNG, PDF or SVG without dates; `overlaps`: texts that lie on each other, for tests of figures.

Each takes `ax=` to draw into axes of your own.  No figure changes matplotlib's settings.
"""

from __future__ import annotations

from hornbook.figures._canvas import overlaps, save
from hornbook.figures.boards import drawn_state, lesson_boards
from hornbook.figures.curves import Series, curves, fitted_slope
from hornbook.figures.matrix import coverage_matrix
from hornbook.figures.plane import cone_in_plane
from hornbook.figures.reduction import hardness_reduction
from hornbook.figures.space import cone_in_space, cross_section, top_view

__all__ = [
    "Series",
    "cone_in_plane",
    "cone_in_space",
    "coverage_matrix",
    "cross_section",
    "curves",
    "drawn_state",
    "fitted_slope",
    "hardness_reduction",
    "lesson_boards",
    "overlaps",
    "save",
    "top_view",
]
