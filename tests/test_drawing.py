"""Pictures of states: well-formed, inside their frame, harmless, and different when something else is chosen."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

import hornbook
from hornbook.drawing import LOOKS, Drawing, Shape, svg
from hornbook.errors import BadProblem
from tests.environments import EXAMPLES

DRAWN = [text for text in EXAMPLES if hornbook.environment(text).drawing(0) is not None]
SVG = "{http://www.w3.org/2000/svg}"


def elements(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text))


@pytest.mark.parametrize("text", DRAWN)
def test_every_state_is_drawn_inside_its_frame(text: str) -> None:
    """Each shape has a known role and lies within the picture, give or take the width of a line."""
    problem = hornbook.environment(text)
    for row in {0, problem.num_states // 2, problem.num_states - 1}:
        for action in (None, *{problem.action_id(row, a) for a in available(problem, row)}):
            drawing = problem.drawing(row, action)
            assert drawing is not None
            for shape in drawing.shapes:
                assert shape.role in LOOKS
                for x, y in shape.points:
                    reach = shape.size if shape.kind == "circle" else 0.0
                    assert x - reach >= -0.1
                    assert x + reach <= drawing.width + 0.1
                    assert y - reach >= -0.1
                    assert y + reach <= drawing.height + 0.1


def available(problem: hornbook.TeachingProblem, row: int) -> list[int]:
    return [a for a, there in enumerate(problem.source.read(row, row + 1).available[0].tolist()) if there]


@pytest.mark.parametrize("text", DRAWN)
def test_svg_is_one_element_with_a_title_and_nothing_that_acts(text: str) -> None:
    """A screen reader is told what is seen; there are no ids to clash, no links, scripts or styles."""
    problem = hornbook.environment(text)
    picture = problem.draw_state(0)
    assert picture is not None
    root = ElementTree.fromstring(picture)
    assert (root.tag, root.get("role")) == (f"{SVG}svg", "img")
    first, *shapes = list(root)
    assert first.tag == f"{SVG}title"
    assert first.text
    assert {each.tag for each in shapes} <= {f"{SVG}{kind}" for kind in ("polygon", "polyline", "circle", "text")}
    assert not {"id", "href", "style", "class", "onclick"} & {key for each in root.iter() for key in each.attrib}


@pytest.mark.parametrize("text", DRAWN)
def test_a_chosen_action_can_be_seen_and_is_told(text: str) -> None:
    """Different actions give different pictures, each with another title than the bare state's."""
    problem = hornbook.environment(text)
    row = problem.num_states - 1
    actions = {problem.action_id(row, a) for a in available(problem, row)}
    bare = problem.drawing(row)
    chosen = [problem.drawing(row, action) for action in sorted(actions)]
    assert bare is not None
    assert all(each is not None and each.title != bare.title and each.shapes != bare.shapes for each in chosen)


def test_a_board_looks_like_its_edges() -> None:
    """Five edges are a pentagon, an empty slot is empty, and one edge, which no polygon has, is a number."""
    shapes = hornbook.environment("diamond:3,edges=0/1/5").drawing("0-1-5").shapes  # type: ignore[union-attr]
    things = [shape for shape in shapes if shape.role == "thing"]
    assert [len(shape.points) for shape in things] == [5]
    assert [shape.text for shape in shapes if shape.role == "label"] == ["1"]


def test_problems_without_pictures_say_so() -> None:
    """Data of one's own has no picture; what is not there is refused all the same."""
    problem = hornbook.TeachingProblem(features=[[[1], [0]]], target=[0])
    assert problem.draw_state(0) is None
    with pytest.raises(BadProblem, match="no state 'x'"):
        problem.draw_state("x")
    with pytest.raises(BadProblem, match="no action 'up'"):
        problem.draw_state(0, "up")


def test_hostile_words_come_out_harmless() -> None:
    """Markup, marks of direction and what XML forbids are written out."""
    words = "</title><script>alert(1)</script>\x1b[31m\u202e\x00&"
    drawing = Drawing(words, 1, 1, (Shape("text", ((0.5, 0.5),), "label", 0.2, words),))
    title, text = elements(svg(drawing))
    assert title.text == text.text == "</title><script>alert(1)</script>\\x1b[31m\\u202e\\x00&"
