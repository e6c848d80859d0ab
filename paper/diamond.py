"""Pick the right diamond: the cone at n = 6, the lesson, and how the time grows with the number of states."""

from __future__ import annotations

from dataclasses import dataclass

import hornbook
from hornbook.figures import Series, cone_in_plane, curves, drawn_state, fitted_slope, lesson_boards
from paper.timing import median_seconds
from paper.writing import Claim, Folder, Section

__all__ = ["Sizes", "paper_weights_hold", "run", "sizes"]

SLOTS = tuple(range(1, 11))
_UNIT = 8
_FIT_FROM = 10_000  # states; below, starting is what takes the time


@dataclass(frozen=True)
class Sizes:
    """A board of so many slots, counted."""

    slots: int
    states: int
    differences: int
    directions: int
    rays: int
    lesson: int
    proved: bool


def sizes(slots: int) -> Sizes:
    """Solve one and count."""
    lesson = hornbook.teach(hornbook.environment(f"diamond:{slots}"))
    counts = lesson.counts
    return Sizes(
        slots, counts.states, counts.differences, counts.directions, len(lesson.rays), lesson.size, lesson.is_minimum
    )


def paper_weights_hold(slots: int) -> bool:
    """Whether w = (1, 10) scores the target above all else on every board: whether it is positive on both rays."""
    rays = hornbook.teach(hornbook.environment(f"diamond:{slots}")).rays
    return all(ray[0] + 10 * ray[1] > 0 for ray in rays)


def run(folder: Folder) -> Section:
    """Figures (a) and (b) of the paper, its runtime curve, and the counts."""
    lesson = hornbook.teach(hornbook.environment("diamond:6"))
    board = drawn_state(hornbook.environment("diamond:6").drawing("3-0-5-4-5-0", "5"))
    rows = [sizes(slots) for slots in SLOTS]
    seconds = [median_seconds(lambda s=row.slots: sizes(s)) for row in rows]
    relative = [value / seconds[_UNIT - 1] for value in seconds]
    growth = Series("teach, proof included", [r.states for r in rows], relative, fit_from=_FIT_FROM)
    kept = [(r.states, t) for r, t in zip(rows, relative, strict=True) if r.states >= _FIT_FROM]
    slope = fitted_slope([a for a, _ in kept], [b for _, b in kept])
    curve = curves([growth], log="xy", x_label="states", y_label="time (n = 8 is 1)", title="Diamond, n = 1 to 10")
    head = ("n", "states", "differences", "directions", "rays", "lesson", "proved", "time (n = 8 is 1)")
    table = [
        (r.slots, r.states, r.differences, r.directions, r.rays, r.lesson, r.proved, t)
        for r, t in zip(rows, relative, strict=True)
    ]
    proof = (
        "**w = (1, 10) realizes the diamond policy only up to n = 10.** The left ray is (-(n-1), 1), and "
        "(1, 10) scores it 10 - (n-1), which is zero at n = 11: board `4` in slot 1 against `3` in slot 11 is a tie. "
        "w = (1, n) is right for every n: n - (n-1) = 1."
    )
    return Section(
        "Pick the right diamond",
        [
            Claim(
                "n = 6: 5^6 - 1 states, two extreme rays, two states teach", "15,624 states, rays (1, 0) and (-5, 1), 2"
            ),
            Claim(
                '"scales almost linearly in the size of the state space"',
                f"slope {slope:.2f} from 15,624 states to 9,765,624",
            ),
            Claim("w = (1, 10) induces the policy", "for n up to 10 only; w = (1, n) for all", proof),
        ],
        [
            folder.figure(
                "diamond-board",
                board,
                caption="A board of the game: the pentagon in slot 5 is picked, the rightmost of two",
            ),
            folder.figure(
                "diamond-cone", cone_in_plane(lesson), caption="n = 6: 78,120 differences, 65 distinct, two rays"
            ),
            folder.figure("diamond-lesson", lesson_boards(lesson), caption="The whole lesson for 15,624 boards"),
            folder.figure("diamond-time", curve, caption="Time against states, on log-log axes"),
            folder.table("diamond", head, table, caption="Counts and relative times"),
        ],
    )
