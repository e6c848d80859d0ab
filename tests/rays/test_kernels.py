"""Inner loops of the float simplex on small arrays: what they say where floats are of no more help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from hornbook.progress import silent
from hornbook.rays import _compiled
from hornbook.rays._kernel import INSIDE, OPEN, REFRESH, STUCK, locate, refreshed
from hornbook.rays._kernel_sets import between, worked
from hornbook.rays._simplex import _Walk
from hornbook.rays._view import independent

NEARLY = 2.0**-38


def test_an_inverse_that_broke_leaves_the_question_stuck() -> None:
    """A drifted inverse takes a column in twice; computed anew there is none, so the basis is the one before."""
    columns = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    basis, drifted = np.array([[0, 1], [0, 1]]), np.array([[1.0, 0.0], [-0.5, 1.0]])
    answer, _, age = locate(columns, 3, np.array([1.0, -1.0]), basis, drifted, np.empty(3), REFRESH, NEARLY)
    assert (answer, age) == (STUCK, -1)
    assert basis.tolist() == [[0, 1], [0, 1]]
    assert drifted.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_where_roundings_chase_each_other_the_question_is_given_up() -> None:
    """A point on an edge, asked with no distance to spare: twins take each other's place until patience ends.  With
    the usual distance it is inside."""
    points = [
        [1, 0.2, 1.2000000000000002],
        [1, 1.4000000000000001, -0.8],
        [1, -1.0, -1.4000000000000004],
        [1, 0.5, -1.6],
    ]
    columns = np.array([*points, points[0]]).T.copy()
    asked = np.array([11.0, 3.4000000000000004, 2.0])
    answers = []
    for nearly in (0.0, NEARLY):
        basis, inverse = np.array([[3, 1, 4], [3, 1, 4]]), np.empty((3, 3))
        age = refreshed(columns, basis, inverse)
        answers.append(locate(columns, 5, asked, basis, inverse, np.empty(5), age, nearly)[0])
    assert answers == [STUCK, INSIDE]


def test_a_twin_says_nothing_about_what_is_between() -> None:
    """Weights set a point apart from the others as if its twin were not there."""
    points = np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    found = []
    for places in ([1], [2, 1]):
        weights, shares = np.zeros(2), np.zeros(len(places))
        between(points, 0, np.array(places), len(places), weights, shares, 40)
        found.append((weights.tolist(), shares.tolist()))
    assert found == [([0.0, 1.0], [1.0]), ([0.0, 1.0], [0.0, 1.0])]


@pytest.mark.parametrize(("home", "answer"), [([1, 2, 3], INSIDE), ([1, 1, 2], OPEN)])
def test_on_a_home_without_an_inverse_no_point_is_inside(home: list[int], answer: int) -> None:
    """The middle of a triangle: inside with its corners at home, open with a flat home, whatever the working set."""
    points = np.array([[1.0, 0.25, 0.25], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    known, found = np.zeros(1, dtype=np.int8), np.zeros((1, 3), dtype=np.int64)
    rows, places, taken = np.array([0]), np.array([[3]]), np.array([1])
    worked(
        *(points, rows, places, taken, np.array(home), known, found),
        *(np.zeros((1, 3)), np.zeros((1, 1)), NEARLY),
    )
    assert known.tolist() == [answer]
    assert found.tolist() == [home]


def test_room_for_candidates_grows_when_it_is_used_up() -> None:
    """Two hundred points on a circle, walked with room for one more candidate, and with plenty: all are candidates,
    in the same order."""
    turns = np.linspace(0.0, 2 * np.pi, 200, endpoint=False)
    points = np.stack([np.ones(200), np.cos(turns), np.sin(turns)], axis=1)
    plenty = _Walk.over(points, independent(points))
    tight = _Walk.over(points, independent(points))
    room = tight.count + 1
    tight = replace(tight, columns=tight.columns[:, :room].copy(), names=tight.names[:room].copy())
    for walk in (plenty, tight):
        walk.ask_all(silent)
    assert tight.columns.shape[1] > room
    assert sorted(plenty.names[: plenty.count].tolist()) == list(range(200))
    assert tight.names[: tight.count].tolist() == plenty.names[: plenty.count].tolist()


@pytest.fixture
def forgotten() -> Iterator[None]:
    """As in a process that has compiled nothing yet."""
    _compiled._compiled.cache_clear()
    yield
    _compiled._compiled.cache_clear()


@pytest.mark.usefixtures("forgotten")
def test_without_a_compiler_large_problems_run_as_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The very functions that can be read, never ready as machine code, whatever the work."""
    monkeypatch.setattr(_compiled, "is_compiling", lambda: False)
    assert _compiled.kernels(1e12).locate is locate
    assert not _compiled.are_ready()
