"""`diamond:n[,edges=...]`: pick the right diamond, the paper's running example."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from hornbook.environments._declaration import Environment, Parameter, World, numbers, whole
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.sources import Batch

__all__ = ["DIAMOND"]

_MOST_STATES = 2**53
_TOGETHER = 4096  # boards of a few slots that are written out once


@dataclass(frozen=True)
class _Boards:
    """All boards in id order: row `i` is the number `i + skipped` written with one digit per slot."""

    slots: int
    kinds: tuple[int, ...]  # in id order
    skipped: int  # 1 where the empty board would come first
    arithmetic: str = "exact"

    @property
    def num_states(self) -> int:
        return int(len(self.kinds) ** self.slots - self.skipped)

    @property
    def num_actions(self) -> int:
        return self.slots

    @property
    def num_features(self) -> int:
        return 2

    @property
    def counts(self) -> list[int]:
        return [self.slots] * self.num_states

    def read(self, start: int, stop: int) -> Batch:
        features = np.empty((stop - start, self.slots, 2), dtype=np.int64)
        features[:, :, 0] = np.arange(1, self.slots + 1)
        best, target = np.full(stop - start, -1, dtype=np.int64), np.zeros(stop - start, dtype=np.intp)
        for first, written, digits in self._parts(start, stop - start):
            features[:, first : first + written.boards.shape[1], 1] = written.boards[digits]
            most = written.most[digits]
            target = np.where(most >= best, written.rightmost[digits] + first, target)  # of equals the right part wins
            best = np.maximum(best, most)
        return Batch(start, features, np.ones(features.shape[:2], dtype=np.bool_), target)

    def edges(self, start: int, count: int) -> npt.NDArray[np.int64]:
        """The boards of rows start .. start+count-1, one slot per column."""
        return np.concatenate([part.boards[digits] for _, part, digits in self._parts(start, count)], axis=1)

    def _parts(self, start: int, count: int) -> list[tuple[int, _Part, npt.NDArray[np.int64]]]:
        """A few slots at a time from left to right: the first of them, all their boards, and which each row has."""
        width, stop = _slots_together(len(self.kinds)), self.slots
        rest = np.arange(start + self.skipped, start + self.skipped + count, dtype=np.int64)
        parts = []
        while stop > 0:
            part = _part(self.kinds, min(width, stop))
            quotient = rest // len(part.most)
            parts.append((stop - part.boards.shape[1], part, rest - quotient * len(part.most)))
            rest, stop = quotient, stop - part.boards.shape[1]
        return parts[::-1]


@dataclass(frozen=True, eq=False)
class _Part:
    """All boards of a few slots, in order, with the most edges and the rightmost slot that has them."""

    boards: npt.NDArray[np.int64]
    most: npt.NDArray[np.int64]
    rightmost: npt.NDArray[np.intp]


def _slots_together(kinds: int) -> int:
    """How many slots have a few thousand boards."""
    width = 1
    while kinds ** (width + 1) <= _TOGETHER and width < 12:
        width += 1
    return width


@lru_cache(maxsize=8)
def _part(kinds: tuple[int, ...], slots: int) -> _Part:
    digits = np.indices((len(kinds),) * slots, dtype=np.intp).reshape(slots, -1).T
    boards = np.array(kinds, dtype=np.int64)[digits]
    # argmax takes the first of equals, and the rule the rightmost: look from the right
    return _Part(boards, boards.max(axis=1), slots - 1 - np.argmax(boards[:, ::-1], axis=1))


@dataclass(frozen=True)
class _BoardNames:
    """A board is called by its edge counts slot by slot, `0-0-3-4-6-6`; no list of names ever exists."""

    boards: _Boards
    ordered: bool = True

    def __len__(self) -> int:
        return self.boards.num_states

    def __getitem__(self, row: int) -> str:
        if not 0 <= row < len(self):
            raise IndexError(row)
        return "-".join(str(kind) for kind in self.boards.edges(row, 1)[0])

    def index(self, name: str) -> int:
        """The row of the board with this name; `ValueError` if there is none."""
        texts = [str(kind) for kind in self.boards.kinds]
        slots = name.split("-")
        code = 0
        for text in slots:
            code = code * len(texts) + texts.index(text)
        row = code - self.boards.skipped
        if len(slots) != self.boards.slots or row < 0:
            raise ValueError(name)
        return row


def diamond(n: int, edges: tuple[int, ...]) -> World:
    """Boards of n slots with a diamond of so many edges in each (0: empty), not all empty.

    Action a picks slot a, with features [a, edges at a]; the target is the slot with most edges, the rightmost on ties.
    Answer, for the default edges: the rays are (1, 0), from a tie decided to the right, and (-(n-1), 1), from the best
    diamond in slot 1 and one with an edge less in slot n: among the differences [a - b, edges at a - edges at b] these
    are the two of extreme slope.  No board shows both (its target would be slot 1 and right of another), so the
    teaching dimension is 2 for n >= 2; for n = 1 there is one action and nothing to teach.  In general the second ray
    is (-(n-1), smallest gap between kinds).  w = [1, n] realises the policy.
    Cost: boards are counted out in batches; names are computed when asked for.
    """
    if n < 1:
        raise BadProblem("environment diamond: n must be at least 1; try diamond:6")
    if len(set(edges)) < len(edges):
        raise BadProblem("environment diamond: edges has a number twice")
    if n > 52 or len(edges) ** n > _MOST_STATES:
        raise LimitExceeded(f"environment diamond: {len(edges)}^{n} boards are above the limit of 2^53")
    # '-' sorts before every digit, so boards sort by their slots' texts; with one slot, ids are numbers and sort so
    kinds = tuple(sorted(edges, key=str)) if n > 1 else tuple(sorted(edges))
    boards = _Boards(slots=n, kinds=kinds, skipped=int(0 in edges))
    slots = [str(slot) for slot in range(1, n + 1)]
    return World(boards, _BoardNames(boards), action_names=slots, feature_names=["slot", "edges"])


DIAMOND = Environment(
    name="diamond",
    make=diamond,
    parameters=(Parameter("n", whole), Parameter("edges", numbers, (0, 3, 4, 5, 6))),
)
