"""`boolean_thresholds:n[,index=i]`: threshold functions of n bits, the classic of specifying functions by examples."""

from __future__ import annotations

from functools import cache, partial
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import numpy.typing as npt

from hornbook.drawing import Drawing, Shape, box
from hornbook.environments._declaration import Environment, Parameter, World, whole
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.sources import ArraySource

__all__ = ["BOOLEAN_THRESHOLDS", "families", "functions"]

_LARGEST_WEIGHT = {1: 1, 2: 1, 3: 2, 4: 3, 5: 5, 6: 9}
"""Integer weights up to these give every threshold function of so many bits (Muroga); the counts in the tests agree."""

_MOST_LISTED = 5  # 94,572 functions; with six bits there are 15,028,134

Labels = tuple[int, ...]


def corners(n: int) -> npt.NDArray[np.int64]:
    """The points of the cube {0,1}^n in order: the first bit counts most."""
    return np.array(list(product((0, 1), repeat=n)), dtype=np.int64)


def families(n: int) -> list[Labels]:
    """One threshold function of each family: those with weights w1 >= w2 >= ... >= wn >= 0, as labels of all corners.

    A family is what permuting bits and exchanging 0 and 1 in some of them makes of one function.  Every threshold
    function can be brought to such weights in this way, and in one way only up to bits that behave alike.

    >>> [len(families(n)) for n in (1, 2, 3, 4, 5)]
    [3, 5, 10, 27, 119]
    """
    found: set[Labels] = set()
    for weights in combinations_with_replacement(range(_LARGEST_WEIGHT[n], -1, -1), n):
        scores = corners(n) @ np.array(weights)
        for threshold in range(int(scores.max()) + 2):
            found.add(tuple((scores >= threshold).astype(int).tolist()))
    return sorted(found)


def functions(n: int) -> list[Labels]:
    """All threshold functions of n bits, sorted; there are 4, 14, 104, 1882, 94572 of them for n = 1 to 5.

    >>> [len(functions(n)) for n in (1, 2, 3, 4)]
    [4, 14, 104, 1882]
    """
    return [tuple(row) for row in _table(n).tolist()]


@cache
def _table(n: int) -> npt.NDArray[np.int8]:
    """Every member of every family: labels looked up where a permutation and exchanges take each corner."""
    cube, place = corners(n), 1 << np.arange(n)[::-1]
    moves = np.array([(cube[:, list(order)] ^ swaps) @ place for order in permutations(range(n)) for swaps in cube])
    members = np.array(families(n), dtype=np.int8)[:, moves].reshape(-1, 2**n)
    packed = np.unique(members @ (1 << np.arange(2**n, dtype=np.int64)[::-1]))
    return ((packed[:, None] >> np.arange(2**n)[::-1]) & 1).astype(np.int8)


def _bits(state: str, action: str | None, *, labels: dict[str, int]) -> Drawing:
    """The bits as a row of squares, full for 1, with the label below."""
    shapes = [box((i, 0.0), role="thing" if bit == "1" else "line") for i, bit in enumerate(state)]
    shapes += [Shape("text", ((i + 0.5, 0.5),), "label", 0.4, bit) for i, bit in enumerate(state)]
    middle = (len(state) / 2, 1.6)
    shapes.append(Shape("text", (middle,), "label", 0.4, f"{labels[state]}" if action is None else action))
    title = f"The bits {' '.join(state)}"
    if action is not None:
        shapes.append(Shape("circle", (middle,), "chosen", 0.35))
        title += f" get label {action}"
    return Drawing(title, len(state), 2.0, tuple(shapes))


def boolean_thresholds(n: int, index: int) -> World:
    """The states are the corners of the cube {0,1}^n, the actions the labels 0 and 1; function `index` of all, sorted.

    Label 1 at x has features (x, 1), label 0 zeros, so the differences are (x, 1) or its negative, one a state, and the
    teaching dimension is the number of extreme rays: the specification number of Anthony, Brightwell, Shawe-Taylor.
    Answer: it is at least n+1, since the differences span n+1 dimensions; n+1 for nested functions, such as AND; and
    2^n for the two constants, where every corner is needed: a threshold function can differ from a constant at any one
    corner alone.
    Cost: all functions are listed, which is why n ends at 5.
    """
    if n < 1:
        raise BadProblem("environment boolean_thresholds: n must be at least 1; try boolean_thresholds:3")
    if n > _MOST_LISTED:
        raise LimitExceeded(f"environment boolean_thresholds: n is {n}, above the limit of {_MOST_LISTED}")
    table = _table(n)
    if index >= len(table):
        raise BadProblem(
            f"environment boolean_thresholds: index is {index}, but n={n} has {len(table)} functions, counted from 0"
        )
    return _labelled(n, table[index])


def _labelled(n: int, labels: npt.NDArray[np.int8]) -> World:
    cube = corners(n)
    features = np.zeros((2**n, 2, n + 1), dtype=np.int64)
    features[:, 1, :n], features[:, 1, n] = cube, 1
    available = np.ones((2**n, 2), dtype=np.bool_)
    source = ArraySource.of(features, labels.astype(np.intp), available=available, exact=False)
    names = ["".join(map(str, corner)) for corner in cube.tolist()]
    draw = partial(_bits, labels=dict(zip(names, labels.tolist(), strict=True)))
    return World(source, names, ["0", "1"], [*(f"x{i}" for i in range(1, n + 1)), "1"], draw=draw)


BOOLEAN_THRESHOLDS = Environment(
    name="boolean_thresholds",
    make=boolean_thresholds,
    parameters=(Parameter("n", whole), Parameter("index", whole, 0)),
)
