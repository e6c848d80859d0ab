"""`falling_blocks[:width=4,height=2]`: where to drop a block of four, judged by the board that it leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

from hornbook.drawing import Drawing, box
from hornbook.environments._declaration import Environment, Parameter, World, whole
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.sources import ArraySource, padded

__all__ = ["FALLING_BLOCKS", "Afterstate", "landings"]

Cell = tuple[int, int]
Piece = tuple[Cell, ...]

_PIECES: dict[str, Piece] = {
    "I": ((0, 0), (1, 0), (2, 0), (3, 0)),
    "J": ((0, 0), (1, 0), (2, 0), (0, 1)),
    "L": ((0, 0), (1, 0), (2, 0), (2, 1)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "S": ((0, 0), (1, 0), (1, 1), (2, 1)),
    "T": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "Z": ((1, 0), (2, 0), (0, 1), (1, 1)),
}
_WEIGHTS = (-51, 76, -36, -18)  # total height, lines, holes, bumpiness: Lee's near-perfect player, in hundredths
_FEATURES = ("total height", "lines", "holes", "bumpiness")
_MOST_STATES = 50_000  # boards are played out in Python


@dataclass(frozen=True)
class Afterstate:
    """Where the block came to rest, and the board's features after full rows have gone."""

    cells: Piece
    features: tuple[int, int, int, int]


def _turned(piece: Piece) -> Piece:
    """A quarter turn to the left, back at the origin."""
    cells = [(-y, x) for x, y in piece]
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return tuple(sorted((x - left, y - low) for x, y in cells))


def _turns(piece: Piece) -> list[Piece]:
    """The different ways to hold a piece: one, two or four."""
    ways = [tuple(sorted(piece))]
    while (turned := _turned(ways[-1])) != ways[0]:
        ways.append(turned)
    return ways


def landings(heights: tuple[int, ...], piece: str) -> dict[str, Afterstate]:
    """What each action does: the block is turned, held over a column and dropped.

    >>> landings((0, 1, 0), "O")["column-1"].features
    (6, 0, 1, 3)
    """
    found = {}
    for turns, cells in enumerate(_turns(_PIECES[piece])):
        reach = 1 + max(x for x, _ in cells)
        for column in range(len(heights) - reach + 1):
            rest = max(heights[column + x] - y for x, y in cells)
            name = f"column-{column + 1}" + (f"-turned-{90 * turns}" if turns else "")
            found[name] = _settled(heights, tuple((column + x, rest + y) for x, y in cells))
    return found


def _settled(heights: tuple[int, ...], cells: Piece) -> Afterstate:
    filled = {(x, y) for x, height in enumerate(heights) for y in range(height)} | set(cells)
    width, top = len(heights), 1 + max(y for _, y in filled)
    rows = [[(x, y) in filled for x in range(width)] for y in range(top)]
    left = [row for row in rows if not all(row)]
    after = [max((y + 1 for y, row in enumerate(left) if row[x]), default=0) for x in range(width)]
    holes = sum(after) - sum(map(sum, left))
    bumps = sum(abs(a - b) for a, b in zip(after[1:], after[:-1], strict=True))
    return Afterstate(cells, (sum(after), len(rows) - len(left), holes, bumps))


def _offered(heights: tuple[int, ...], piece: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The best action first, then all that are worse; others as good as the best are left out."""
    scored = [
        (sum(w * f for w, f in zip(_WEIGHTS, after.features, strict=True)), name, after.features)
        for name, after in landings(heights, piece).items()
    ]
    best, name, features = max(scored, key=lambda each: each[0])
    yield name, features
    yield from ((name, features) for score, name, features in scored if score < best)


def _field(state: str, action: str | None, *, width: int, height: int) -> Drawing:
    """The board with its columns; the falling block stands above it or, with an action, where that one drops it."""
    piece, *rest = state.split("-")
    heights = tuple(map(int, rest))
    tall = height + 5
    settled = [(x + 0.04, tall - 0.96 - y) for x, full in enumerate(heights) for y in range(full)]
    board = [box(place, width=0.92, height=0.92, role="wall") for place in settled]
    start = tuple((x, tall - 1 - y) for x, y in _PIECES[piece])
    if action is not None:
        start = landings(heights, piece)[action].cells
    block = [box((x, tall - 1 - y), role="thing") for x, y in start]
    frame = [box((0, 0), width=width, height=tall, role="faint")]
    title = f"A {piece} block over columns of height {', '.join(rest)}"
    if action is None:
        return Drawing(title, width, tall, (*frame, *board, *block))
    rings = [box((x + 0.1, tall - 0.9 - y), width=0.8, height=0.8, role="chosen") for x, y in start]
    said = action.replace("-", " ")
    return Drawing(f"{title}, dropped at {said}", width, tall, (*frame, *board, *block, *rings))


def falling_blocks(width: int, height: int) -> World:
    """States: columns of height 0 to `height` without holes, and one of the seven blocks of four squares.

    Actions: every way to turn the block and every column where it fits, between 3 and 10 for width 4.  The features of
    an action are those of the board that it leaves: total height, full rows that went, holes, bumpiness.  The target is
    the best by fixed weights (-51, 76, -36, -18), so it is realizable; actions as good as the best are left out.
    Answer: squares are conserved, so total height - holes + width x lines is the same for all actions of a state, and
    the differences lie in three dimensions.  For width 4 and height 2 their cone has three rays, (-3, 1, 1, -1),
    (-1, 0, -1, 4) and (1, 0, 1, -7): a line against a hole, height against bumps, and bumps against height.  No state
    shows two of them, so the teaching dimension is 3.
    Cost: every landing is played out, about 40 for each of (height+1)^width boards.
    """
    if width < 4:
        raise BadProblem("environment falling_blocks: width must be at least 4, as wide as the longest block")
    if 7 * (height + 1) ** width > _MOST_STATES:
        raise LimitExceeded(f"environment falling_blocks: 7 x {height + 1}^{width} states are above {_MOST_STATES:,}")
    states = [(piece, heights) for piece in _PIECES for heights in product(range(height + 1), repeat=width)]
    offered = [list(_offered(heights, piece)) for piece, heights in states]
    table, available = padded([[features for _, features in row] for row in offered])
    source = ArraySource.of(table, [0] * len(states), available=available, exact=False)
    names = ["-".join([piece, *map(str, heights)]) for piece, heights in states]
    draw = partial(_field, width=width, height=height)
    return World(source, names, [[name for name, _ in row] for row in offered], _FEATURES, draw=draw)


FALLING_BLOCKS = Environment(
    name="falling_blocks",
    make=falling_blocks,
    parameters=(Parameter("width", whole, 4), Parameter("height", whole, 2)),
)
