"""`thresholds:n[,index=i]`: linear threshold functions of a grid, a classic of teaching theory."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from hornbook.drawing import Drawing, Shape
from hornbook.environments._declaration import Environment, Parameter, World, whole
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.sources import ArraySource

__all__ = ["THRESHOLDS", "labellings"]

_LARGEST_GRID = 12  # the labellings are listed in Python: about 4 n^4 / 3 cuts of n^2 labels each


def labellings(n: int) -> list[tuple[int, ...]]:
    """All labellings of the points (x, y), 0 <= x, y < n, by a line through none of them, sorted.

    Labels 0 and 1 stand in the order (0,0), (0,1), ..., (n-1,n-1).  A separating line can be moved until it touches two
    points; turned back a little, it cuts the order of all points by (distance from that line, place along it), one way
    along or the other.  So every labelling is a cut of such an order, and every cut is a labelling.

    >>> [len(labellings(n)) for n in (2, 3, 4)]
    [14, 58, 174]

    Cost: O(n^4) cuts of n^2 labels; meant for n up to about 12.
    """
    points = [(x, y) for x in range(n) for y in range(n)]
    steps = range(1 - n, n)
    directions = [(p, q) for p in steps for q in steps if math.gcd(p, q) == 1]
    found = set()
    for p, q in directions:
        for way in (1, -1):
            order = sorted(range(n * n), key=lambda i: _place(points[i], (p, q), way=way))
            label = [1] * (n * n)
            found.add(tuple(label))
            for point in order:
                label[point] = 0
                found.add(tuple(label))
    return sorted(found)


def _place(point: tuple[int, int], direction: tuple[int, int], *, way: int) -> tuple[int, int]:
    (x, y), (p, q) = point, direction
    return p * y - q * x, way * (p * x + q * y)


def thresholds(n: int, index: int) -> World:
    """The states are the points of the n x n grid, the actions the labels 0 and 1.

    Label 1 at (x, y) has features (x, y, 1), label 0 zeros, so the differences are (x, y, 1) or its negative.
    Answer: there are 14, 58, 174, ... functions for n = 2, 3, 4, and every one has teaching dimension 3 or 4: its
    version space is a cone with three or four facets, and each is shown by one point.
    """
    if n < 2:
        raise BadProblem("environment thresholds: n must be at least 2; try thresholds:3")
    if n > _LARGEST_GRID:
        raise LimitExceeded(f"environment thresholds: n is {n}, above the limit of {_LARGEST_GRID}")
    functions = labellings(n)
    if index >= len(functions):
        raise BadProblem(f"environment thresholds: index is {index}, but n={n} has {len(functions)} functions")
    return _labelled(n, functions[index])


def _grid(state: str, action: str | None, *, n: int, labels: tuple[int, ...]) -> Drawing:
    """The grid with y upwards: full points have label 1, open ones 0; the point in question is ringed."""
    x, y = map(int, state.split("-"))
    points = [((a + 0.5, n - b - 0.5), labels[a * n + b]) for a in range(n) for b in range(n)]
    shapes = [Shape("circle", (place,), "thing" if label else "line", 0.2) for place, label in points]
    here = (x + 0.5, n - y - 0.5)
    shapes.append(Shape("circle", (here,), "chosen", 0.36))
    if action is not None:
        shapes.append(Shape("text", (here,), "label", 0.3, action))
    said = "" if action is None else f" gets label {action}"
    return Drawing(f"Point ({x}, {y}) of a {n} x {n} grid{said}", n, n, tuple(shapes))


def _labelled(n: int, labels: tuple[int, ...]) -> World:
    features = np.zeros((n * n, 2, 3), dtype=np.int64)
    features[:, 1] = [(x, y, 1) for x in range(n) for y in range(n)]
    available = np.ones((n * n, 2), dtype=np.bool_)
    source = ArraySource.of(features, np.array(labels, dtype=np.intp), available=available, exact=False)
    names = [f"{x}-{y}" for x in range(n) for y in range(n)]
    draw = partial(_grid, n=n, labels=labels)
    return World(source, names, action_names=["0", "1"], feature_names=["x", "y", "1"], draw=draw)


THRESHOLDS = Environment(
    name="thresholds",
    make=thresholds,
    parameters=(Parameter("n", whole), Parameter("index", whole, 0)),
)
