"""The paper's learner at its worst: of all weights that agree, those that err most."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.classroom import Weights
from hornbook.learners._declaration import Learner, Seen
from hornbook.rays import Boxes

__all__ = ["WORST_CASE"]

_TRIED = 64


def worst_case(seen: Seen) -> list[Weights]:
    """Weights that agree with every demonstration and err if any such weights do.

    To err as much as possible is a hard problem; the worst of a few candidates is taken, one for each direction that
    the demonstrations leave open (at most 64, evenly spread).  For float data, one for each class they do not show.
    """
    boxes = seen.classroom.boxes
    candidates = [seen.rays.weights, *(_misled(seen) if boxes is None else _certain(seen, boxes))]
    return [max(candidates, key=seen.classroom.errors)]


def _misled(seen: Seen) -> Iterator[tuple[int, ...]]:
    """Separating weights, tilted a little into the version space: they still get that direction wrong."""
    doubtful = list(seen.classroom.doubtful(seen.shows).items())
    inside = seen.rays.weights
    for place, separating in doubtful[:: 1 + len(doubtful) // _TRIED]:
        direction = seen.classroom.directions.row(place)
        below = -sum(a * b for a, b in zip(separating, direction, strict=True))
        above = max(1, sum(a * b for a, b in zip(inside, direction, strict=True)))
        yield tuple(2 * above * s + below * w for s, w in zip(separating, inside, strict=True))


def _certain(seen: Seen, boxes: Boxes) -> Iterator[tuple[int, ...]]:
    """Weights that are wrong beyond the noise on one class that is not shown, and right beyond it elsewhere."""
    frame = seen.classroom.frame
    missing = sorted(set(range(len(frame.rays))) - seen.shows.rays)
    yield from frame.margins(boxes, missing[:: 1 + len(missing) // _TRIED]).values()


WORST_CASE = Learner("worst case", worst_case)
