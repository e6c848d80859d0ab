"""Draw the README's picture from the lesson itself.

`python tools/readme_picture.py > docs/pictures/diamond-lesson.svg`
"""

from __future__ import annotations

from math import cos, pi, sin

import hornbook

CELL, TOP, LEFT = 64, 44, 16
COLOURS = {3: "#0072b2", 4: "#009e73", 5: "#cc79a7", 6: "#e69f00"}  # Okabe and Ito: told apart by everybody


def _diamond(edges: int, x: float, y: float) -> str:
    turn = -pi / 2 if edges % 2 else -pi / 2 + pi / edges
    corners = [(x + 20 * cos(turn + 2 * pi * k / edges), y + 20 * sin(turn + 2 * pi * k / edges)) for k in range(edges)]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return f'<polygon points="{points}" fill="{COLOURS[edges]}" stroke="#222"/>'


def _board(state: str, action: str, top: int) -> list[str]:
    parts = []
    for slot, edges in enumerate(map(int, state.split("-")), start=1):
        x = LEFT + (slot - 1) * CELL
        chosen = str(slot) == action
        line = 'stroke="#d55e00" stroke-width="4"' if chosen else 'stroke="#888"'
        parts.append(
            f'<rect x="{x + 3}" y="{top + 3}" width="{CELL - 6}" height="{CELL - 6}" rx="6" fill="#fff" {line}/>'
        )
        if edges:
            parts.append(_diamond(edges, x + CELL / 2, top + CELL / 2))
    parts.append(f'<text x="{LEFT + 6 * CELL + 12}" y="{top + 38}" fill="#d55e00">take slot {action}</text>')
    return parts


def picture() -> str:
    """The lesson of the six-slot game as an SVG text."""
    lesson = hornbook.teach(hornbook.environment("diamond:6"))
    title = f"The whole lesson: {lesson.size} of {lesson.counts.states:,} boards, and no single board would do"
    height = TOP + lesson.size * (CELL + 12) + 8
    body = [f'<text x="{LEFT}" y="28" font-weight="600" fill="#222">{title}</text>']
    for i, shown in enumerate(lesson.demonstrations):
        body += _board(shown.id, shown.action, TOP + i * (CELL + 12))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 580 {height}" width="580" height="{height}" '
        f'role="img" aria-label="{title}" font-family="sans-serif" font-size="15">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fafafa"/>', *body, "</svg>"]) + "\n"


if __name__ == "__main__":
    print(picture(), end="")
