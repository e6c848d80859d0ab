"""Figures: nothing lies on anything else, nothing global changes, bytes repeat, and what is drawn is what is true."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

import hornbook
from hornbook import figures
from hornbook.errors import BadProblem
from hornbook.figures import Series
from hornbook.figures.plane import _between, _fan


def lesson(text: str) -> hornbook.Lesson:
    return hornbook.teach(hornbook.environment(text))


def some_curves() -> Any:
    return figures.curves(
        [Series("one", (1, 2, 3, 4, 5), (1, 4, 9, 16, 25), fit_from=2), Series("two", (1, 2, 4), (5, 6, 7))],
        log="xy",
        x_label="n",
        y_label="time",
        title="growth",
    )


SETS = [[0, 1, 2], [2, 3, 4], [4, 5, 0], [1, 3, 5], [0, 3]]
FIGURES: dict[str, Callable[[], Any]] = {
    "plane": lambda: figures.cone_in_plane(lesson("two_rays")),
    "plane-part": lambda: figures.cone_in_plane(lesson("two_rays"), states=["t"]),
    "plane-none": lambda: figures.cone_in_plane(lesson("two_rays"), states=[]),
    "diamond": lambda: figures.cone_in_plane(lesson("diamond:4")),
    "space": lambda: figures.cone_in_space(lesson("six_rays")),
    "space-floats": lambda: figures.cone_in_space(lesson("polygon_tower:6")),
    "section": lambda: figures.cross_section(lesson("six_rays")),
    "section-many": lambda: figures.cross_section(lesson("random_cone:d=6,m=60,h=30")),
    "section-plane": lambda: figures.cross_section(lesson("diamond:4"), label_states=False),
    "top": lambda: figures.top_view(lesson("polygon_tower:6")),
    "top-bare": lambda: figures.top_view(lesson("polygon_tower:9"), label_states=False),
    "matrix": lambda: figures.coverage_matrix(lesson("six_rays")),
    "matrix-kinds": lambda: figures.coverage_matrix(lesson("diamond:4")),
    "matrix-large": lambda: figures.coverage_matrix(lesson("random_cone:d=5,m=100,h=50")),
    "boards": lambda: figures.lesson_boards(lesson("diamond:6")),
    "mazes": lambda: figures.lesson_boards(lesson("maze:4"), columns=2),
    "taxi": lambda: figures.lesson_boards(lesson("taxi"), most=2),
    "bits": lambda: figures.lesson_boards(lesson("boolean_thresholds:3")),
    "blocks": lambda: figures.lesson_boards(lesson("falling_blocks")),
    "grid": lambda: figures.lesson_boards(lesson("thresholds:3,index=20")),
    "state": lambda: figures.drawn_state(hornbook.environment("maze:3").drawing(0, "left")),
    "curves": some_curves,
    "curves-none": lambda: figures.curves([]),
    "hardness": lambda: figures.hardness_reduction(SETS, cover=[0, 1, 2]),
    "hardness-small": lambda: figures.hardness_reduction([[7]]),
    "nothing": lambda: figures.cross_section(hornbook.teach(hornbook.TeachingProblem(features=[[[1.0]]], target=[0]))),
}


@pytest.mark.parametrize("name", FIGURES)
def test_no_label_lies_on_another_or_beyond_the_edge(name: str, tmp_path: Path) -> None:
    """The boxes of all texts are apart; the file is small; and matplotlib's settings are as before."""
    before = dict(mpl.rcParams)
    ax = FIGURES[name]()
    assert figures.overlaps(ax) == []
    figures.save(ax, tmp_path / "figure.png")
    assert 1_000 < (tmp_path / "figure.png").stat().st_size < 200_000
    assert dict(mpl.rcParams) == before
    assert "matplotlib.pyplot" not in sys.modules or sys.modules["matplotlib.pyplot"].get_fignums() == []


def test_overlaps_are_found() -> None:
    """A check that cannot fail checks nothing: two texts at one place, one over the edge, ticks too close."""
    ax = figures.curves([Series("one", (1, 2), (1, 2))])
    assert figures.overlaps(ax) == []
    ax.text(1.5, 1.5, "here")
    ax.text(1.5, 1.5, "there")
    assert figures.overlaps(ax) == [("here", "there")]
    ax.texts[0].remove()
    ax.text(9.0, 1.5, "far away").set_in_layout(False)  # else room is made for it
    assert figures.overlaps(ax) == [("far away", "the edge")]
    ax.texts[1].remove()
    ax.set_xticks([1.5, 1.51], ["a long label", "another"])
    assert figures.overlaps(ax) == [("a long label", "another")]
    ax.set_axis_off()
    assert figures.overlaps(ax) == []


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_the_same_figure_has_the_same_bytes(kind: str, tmp_path: Path) -> None:
    """No date, no random names."""
    for name in ("first", "second"):
        figures.save(figures.cone_in_plane(lesson("two_rays")), tmp_path / f"{name}.{kind}")
    assert (tmp_path / f"first.{kind}").read_bytes() == (tmp_path / f"second.{kind}").read_bytes()


def test_figures_go_into_axes_that_one_has() -> None:
    """`ax=` is drawn into and returned."""
    own = figures.curves([])
    assert figures.cone_in_plane(lesson("two_rays"), ax=own) is own
    assert own.lines


def test_the_sectors_are_the_cone_and_its_dual() -> None:
    """Whatever lies between the edges of the version space has a positive product with both rays, and only that."""
    vectors = np.array([[1.0, 0.0], [-5.0, 1.0], [0.0, 2.0]])
    low, high = _fan(vectors)
    start, stop = _between(low, high)
    for angle in np.arange(-math.pi, math.pi, 0.0101):
        inside = any(start < angle + turn < stop for turn in (0.0, 2 * math.pi))
        assert inside == bool((vectors @ [math.cos(angle), math.sin(angle)] > 0).all())


def test_red_is_what_is_on_a_ray() -> None:
    """Of the thirty differences of `six_rays`, told by the lesson: those on a ray, and only those, are diamonds."""
    ax: Any = figures.cone_in_space(lesson("six_rays"))
    inside, on = (each.get_offsets() for each in ax.collections if each.get_label().startswith(("inside", "on an")))
    vectors = [d for state in _six() for d in state]
    rays = {(1, 0, 2), (1, 1, 2), (0, 1, 2), (-1, 0, 2), (-1, -1, 2), (0, -1, 2)}
    multiples = {tuple(k * v for v in ray) for ray in rays for k in (1, 2, 3)}
    assert len(on) == len({v for v in vectors if v in multiples})
    assert len(inside) == len({v for v in vectors if v not in multiples})


def _six() -> list[list[tuple[int, ...]]]:
    problem = hornbook.environment("six_rays")
    batch = problem.source.read(0, 6)
    return [[tuple((-f).tolist()) for f in state[1:]] for state in batch.features]


def test_every_state_that_shows_a_ray_is_named_at_it() -> None:
    """The labels of the tower from above are the divisors' multiples: the fraction 1/2 is shown by 2, 4, 6."""
    ax = figures.top_view(lesson("polygon_tower:6"))
    texts = sorted(text.get_text() for text in ax.texts)
    assert texts == sorted(["2, 3, 4, 5, 6", "2, 4, 6", *["3, 6"] * 2, *["4"] * 2, *["5"] * 4, *["6"] * 2])


def test_many_states_are_counted() -> None:
    """Seven names or more would not be read."""
    ax = figures.cross_section(lesson("diamond:4"))
    assert sorted(text.get_text() for text in ax.texts) == ["224 states", "29 states"]  # counted board by board


def test_slopes_are_fitted_and_told() -> None:
    """A power law comes back, and the legend says it; what lies before `fit_from` does not count."""
    assert figures.fitted_slope([1, 2, 4], [5, 40, 320]) == pytest.approx(3)
    ax = figures.curves([Series("cubic", (1, 2, 4, 8), (99, 8, 64, 512), fit_from=2)], log="xy")
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["cubic: slope 3.00"]


def test_what_cannot_be_drawn_is_refused() -> None:
    """With what to do instead."""
    with pytest.raises(BadProblem, match="needs 2 features, and the problem has 3; try cross_section"):
        figures.cone_in_plane(lesson("six_rays"))
    with pytest.raises(BadProblem, match="needs 3 features"):
        figures.cone_in_space(lesson("two_rays"))
    with pytest.raises(BadProblem, match="all differences are positive"):
        figures.top_view(lesson("six_rays"), up=0)
    with pytest.raises(BadProblem, match="no pictures"):
        figures.lesson_boards(lesson("six_rays"))


def test_without_matplotlib_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence that names the extra."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(BadProblem, match=r"pip install 'hornbook\[plot\]'"):
        figures.curves([])
