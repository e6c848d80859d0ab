"""Float views of exact vectors: true up to one rounding, and none where floats would see something else."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from hornbook.arithmetic import Vectors, balanced, section
from hornbook.arithmetic.sections import framed, surely_combined


def test_a_balanced_table_is_true_up_to_one_rounding() -> None:
    """Rows times powers of two and columns times powers of two, nothing else, also beyond the largest float."""
    rows = [(3, 2**500 + 1, 5), (-7, 2**499 + 12345, 2**40 + 1)]
    found = balanced(Vectors.of(rows, 3))
    assert found is not None
    table, columns = found
    for row, given in zip(table.tolist(), rows, strict=True):
        ratios = [Fraction(v) * Fraction(2) ** int(c) / x for v, c, x in zip(row, columns, given, strict=True)]
        assert all(abs(ratio / ratios[0] - 1) < Fraction(1, 2**51) for ratio in ratios)
        assert max(map(abs, row)) <= 1


def test_entries_of_too_many_sizes_have_no_table() -> None:
    """A zero is fine; an entry that is tiny in its row and its column could be lost."""
    assert balanced(Vectors.of([(1, 0), (0, 1)], 2)) is not None
    assert balanced(Vectors.of([(1, 2**450), (2**450, 1)], 2)) is None


def test_points_of_a_section_lie_around_the_middle() -> None:
    """First coordinate 1, the others with mean zero and unit spread."""
    rows = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 5)]
    table, columns = balanced(Vectors.of(rows, 3)) or (None, None)
    seen = section(table, columns, weights=(1, 1, 1))  # type: ignore[arg-type]
    assert seen is not None
    assert (seen.points[:, 0] == 1).all()
    assert np.allclose(seen.points[:, 1:].mean(axis=0), 0)
    assert np.allclose(seen.points[:, 1:].T @ seen.points[:, 1:] / 4, np.eye(2))


def test_there_is_no_section_where_floats_see_no_plane() -> None:
    """Heights that cancel, points on a flat, and points further out than floats reach."""
    for rows, weights in (
        ([(2**40 + 1, -(2**40)), (0, 1)], (1, 1)),
        ([(1, 1, 0), (1, 2, 0), (1, 3, 0)], (1, 0, 0)),
        ([(0, 1), (1, 1)], (2**600, 1)),
    ):
        table, columns = balanced(Vectors.of(rows, len(weights))) or (None, None)
        assert table is not None
        assert section(table, columns, weights=weights) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("line", [[(1, 1, 1), (1, 3, 3)], [(1, 1, 1), (1, 2, 2), (1, 3, 3)]])
def test_a_frame_on_a_line_makes_no_section(line: list[tuple[int, ...]]) -> None:
    """Vectors that span the space, the first of which lie on one line of the plane: a section, but none framed by
    these, whether floats see the line as it is or all but so."""
    rows = [*line, (1, 1, 0)]
    table, columns = balanced(Vectors.of(rows, 3)) or (None, None)
    assert table is not None
    assert columns is not None
    assert section(table, columns, weights=(1, 0, 0)) is not None
    assert framed(table, columns, count=len(line), weights=(1, 0, 0)) is None
    assert framed(table, columns, count=len(rows), weights=(1, 0, 0)) is not None


def test_dependent_rows_say_nothing_about_any_sum() -> None:
    """Where one of the bases has no inverse, none of the sums is taken for proved."""
    table, vector = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]), np.array([[1.0, 1.0]])
    assert surely_combined(table, np.array([[0, 1]]), vectors=vector).tolist() == [True]
    assert surely_combined(table, np.array([[0, 1], [0, 2]]), vectors=vector.repeat(2, axis=0)).tolist() == [False] * 2
