"""Vectors with a coordinate of their own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hornbook
from hornbook.arithmetic import Vectors
from hornbook.rays import Rays, find_rays
from hornbook.rays._private import with_private_coordinates


def test_layers_are_taken_off_one_after_the_other() -> None:
    """The second has a coordinate of its own once the first is gone; the last two share both of theirs."""
    vectors = Vectors.of([[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 1, 1, 1], [0, 0, 0, 1, 2], [0, 0, 0, 2, 1]], 5)
    assert with_private_coordinates(vectors).tolist() == [True, True, True, False, False]


@given(st.lists(st.lists(st.integers(-1, 2), min_size=6, max_size=6), min_size=1, max_size=9))
def test_what_is_seen_at_once_is_what_the_paper_finds(rows: list[list[int]]) -> None:
    """On sparse vectors, in the half-space of their first coordinate, the loop over all vectors finds the same rays."""
    table = np.unique(np.array([[3, *row] for row in rows]), axis=0)
    vectors = Vectors(table[np.gcd.reduce(table, axis=1) == 1])
    found = [find_rays(vectors, finder=finder) for finder in ("auto", "elimination")]
    assert [rays.rows for rays in found if isinstance(rays, Rays)] == [found[1].rows] * 2


@pytest.mark.parametrize(("name", "size"), [("maze:4,features=global", 80), ("taxi:features=tabular", 400)])
def test_one_hot_features_by_the_thousand(name: str, size: int) -> None:
    """Every direction has a coordinate of its own: 400 and 2,400 columns, and no finder is asked."""
    lesson = hornbook.teach(hornbook.environment(name))
    assert (lesson.size, lesson.is_minimum, len(lesson.rays)) == (size, True, lesson.counts.directions)
