"""Maze lessons against demonstrations at random and of everything."""

from __future__ import annotations

from dataclasses import dataclass

import hornbook
from hornbook.classroom import Classroom
from hornbook.figures import Series, curves, lesson_boards
from hornbook.teachers import TEACHERS, Asked
from paper.writing import Claim, Folder, Section

__all__ = ["Sizes", "run", "sizes"]

GRIDS = tuple(range(3, 11))


@dataclass(frozen=True)
class Sizes:
    """Demonstrations on an n x n grid: the minimum, the expected number at random with its spread, and all states."""

    n: int
    minimum: int
    greedy: int
    random: float
    spread: float
    exact: bool
    states: int


def sizes(n: int, *, options: str = "") -> Sizes:
    """Ask the teachers."""
    asked = Asked(Classroom.of(hornbook.environment(f"maze:{n}{options}")))
    drawn, greedy = TEACHERS["random"].teach(asked), TEACHERS["greedy"].teach(asked)
    exact = drawn.note == "exact expectation of draws"
    states = asked.classroom.problem.num_states
    return Sizes(n, asked.lesson.size, int(greedy.size), float(drawn.size), drawn.spread, exact, states)


def run(folder: Folder) -> Section:
    """Two kinds of views, n = 3 to 10."""
    rows = [sizes(n) for n in GRIDS]
    single = [sizes(n, options=",repeat=no") for n in GRIDS]
    drawn = curves(
        [
            Series("all states", GRIDS, [r.states for r in rows]),
            Series("random, expected", GRIDS, [r.random for r in rows]),
            Series("minimum: n + 1", GRIDS, [r.minimum for r in rows]),
            Series("minimum, single steps: 3", GRIDS, [r.minimum for r in single]),
        ],
        log="y",
        x_label="n, for an n x n grid",
        y_label="demonstrations",
    )
    head = ("n", "states", "minimum", "greedy", "random, expected", "sd", "single steps: minimum", "random, expected")
    table = [
        (r.n, r.states, r.minimum, r.greedy, r.random, r.spread, s.minimum, s.random)
        for r, s in zip(rows, single, strict=True)
    ]
    boards = lesson_boards(hornbook.teach(hornbook.environment("maze:4")))
    return Section(
        "Mazes",
        [
            Claim(
                "(beyond the text) a maze lesson against random and all",
                "n + 1 demonstrations, 3 with single steps; all: 4(n^4 - n^2)",
            )
        ],
        [
            folder.figure("maze-sizes", drawn, caption="Demonstrations needed: expectations at random are exact"),
            folder.figure("maze-lesson", boards, caption="The whole lesson of the 4 x 4 maze: five of 960 states"),
            folder.table("maze", head, table, caption="Minimum, random and all"),
        ],
    )
