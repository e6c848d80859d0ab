"""Pictures in a terminal: what is drawn is where it should be."""

from __future__ import annotations

from hornbook.drawing import Drawing, Shape, box
from hornbook.report.sketch import sketch

INK = {0x2800}


def dots(lines: list[str]) -> int:
    return sum((ord(letter) - 0x2800).bit_count() for line in lines for letter in line if letter > "\u27ff")


def test_a_picture_fits_its_width() -> None:
    """A board of thirty fields is squeezed into the columns there are."""
    lines = sketch(Drawing("long", 30, 1, tuple(box((i, 0)) for i in range(30))), width=40)
    assert max(map(len, lines)) <= 40


def test_full_and_empty_circles_differ() -> None:
    """Thresholds tell labels apart by them."""
    full, empty = (
        sketch(Drawing("a point", 1, 1, (Shape("circle", ((0.5, 0.5),), role, 0.3),))) for role in ("thing", "line")
    )
    assert dots(full) > 1.4 * dots(empty)


def test_the_chosen_action_is_bold() -> None:
    """Twice as thick as an ordinary line, so that it is seen without colour."""
    plain, bold = (
        sketch(Drawing("a box", 1, 1, (box((0.2, 0.2), width=0.6, height=0.6, role=r),))) for r in ("line", "chosen")
    )
    assert dots(bold) > 1.5 * dots(plain)


def test_faint_lines_are_only_corners_and_words_are_letters() -> None:
    """A grid in the background would drown what matters; its corners tell where things are."""
    shapes = (box((0, 0), role="faint"), Shape("text", ((0.5, 0.5),), "label", 0.3, "ok"))
    lines = sketch(Drawing("a word", 1, 1, shapes))
    assert dots(lines) == 4
    assert "ok" in "".join(lines)


def test_shapes_beyond_the_frame_are_cut() -> None:
    """Nothing wraps around."""
    lines = sketch(Drawing("half a box", 1, 1, (box((0.5, 0.5)),)))
    assert lines[0] == ""
    assert max(map(len, lines)) <= 8
