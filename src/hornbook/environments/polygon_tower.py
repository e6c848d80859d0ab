"""`polygon_tower:n`: regular polygons with more and more corners, the paper's example of many rays, in floats."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from hornbook.drawing import Drawing, Shape
from hornbook.environments._declaration import Environment, Parameter, World, whole
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.sources import Batch

__all__ = ["POLYGON_TOWER"]

_LARGEST = 10_000  # actions per state: a batch of one state is still small
_DOTTED = 60  # corners that can be told apart in a picture
_TERMS = 10  # of the series on [0, pi/4]: the next one is below a tenth of a unit in the last place

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


def circle_points(steps: Whole, corners: Whole) -> tuple[Floats, Floats]:
    """Cosine and sine of the angles 2 pi steps/corners, for steps from 0 to corners - 1.

    Angles are reduced to the first octant in whole numbers, and the quotient of equal fractions is the same float: so
    equal angles have the same bits, and mirrored ones have them up to sign and order.  Only the four operations of
    arithmetic are used, so the bits are the same on every machine too.
    """
    octant, within = np.divmod(8 * steps, corners)
    odd = octant % 2 == 1
    angle = np.where(odd, corners - within, within) / corners * (math.pi / 4)
    near = _series(angle, start=1)
    far = np.where(odd & (within == 0), near, angle * _series(angle, start=2))  # on a diagonal they are equal
    swapped = (octant % 4 == 1) | (octant % 4 == 2)
    x, y = np.where(swapped, far, near), np.where(swapped, near, far)
    return np.where((octant >= 2) & (octant <= 5), -x, x), np.where(octant >= 4, -y, y)


def _series(angle: Floats, *, start: int) -> Floats:
    """1 - t^2/(k(k+1)) (1 - t^2/((k+2)(k+3)) (...)): the cosine of t for k = 1, the sine over t for k = 2."""
    square = angle * angle
    total = np.ones_like(angle)
    for k in range(start + 2 * _TERMS, start - 1, -2):
        total = 1 - square / (k * (k + 1)) * total
    return total


@dataclass(frozen=True)
class _Tower:
    """State s, at row s - 2, is a polygon with s corners; action a looks at corner a modulo s, action n+1 up."""

    n: int
    arithmetic: str = "float64"
    num_features: int = 3

    @property
    def num_states(self) -> int:
        return self.n - 1

    @property
    def num_actions(self) -> int:
        return self.n + 1

    @property
    def counts(self) -> list[int]:
        return [self.num_actions] * self.num_states

    def read(self, start: int, stop: int) -> Batch:
        corners = np.arange(start + 2, stop + 2, dtype=np.int64)[:, None]
        x, y = circle_points(np.arange(1, self.n + 1, dtype=np.int64) % corners, corners)
        features = np.zeros((stop - start, self.num_actions, 3))
        features[:, :-1, 0] = -corners * x + 0.0  # no negative zeros
        features[:, :-1, 1] = -corners * y + 0.0
        features[:, -1, 2] = corners[:, 0]
        available = np.ones(features.shape[:2], dtype=np.bool_)
        return Batch(start, features, available, np.full(stop - start, self.n, dtype=np.intp))


def _polygon(state: str, action: str | None, *, n: int) -> Drawing:
    """The polygon from above: corner a points along action a, the target is up, out of its middle."""
    corners = int(state)
    turns = [2 * math.pi * k / corners for k in range(corners)]
    ring = tuple((1.2 + math.cos(t), 1.2 - math.sin(t)) for t in turns)
    shapes = [Shape("polygon", ring, "line")]
    if corners <= _DOTTED:
        shapes += [Shape("circle", (p,), "thing", 0.06) for p in ring]
    shapes.append(Shape("circle", ((1.2, 1.2),), "goal", 0.1))
    title = f"A polygon with {corners} corners"
    if action is not None:
        up = int(action) == n + 1
        shapes.append(Shape("circle", ((1.2, 1.2) if up else ring[int(action) % corners],), "chosen", 0.18))
        title += "; up is chosen" if up else f"; corner {int(action) % corners} is chosen"
    return Drawing(title, 2.4, 2.4, tuple(shapes))


def polygon_tower(n: int) -> World:
    """States s = 2..n, actions 1..n+1; the target n+1 has features (0, 0, s), action a -s (cos, sin, 0) of 2 pi a/s.

    Answer: the differences are s (cos, sin, 1), all on one circular cone, where different angles are different extreme
    rays.  The angles are the fractions a/s of the circle; a fraction p/q in lowest terms is shown by exactly the states
    that q divides.  So there are phi(1) + ... + phi(n) rays (Euler's function; 12 for n = 6, 604 for n = 44).  A state
    q with 2q > n is alone in showing 1/q, hence needed; any other number has a multiple among these.  So they are the
    only minimum: ceil(n/2) states.  The flattest ray is only about (2 pi)^2 / (2 n^4) outside the others.
    Cost: features are made in batches, n+1 actions for each state.
    """
    if n < 2:
        raise BadProblem("environment polygon_tower: n must be at least 2; try polygon_tower:6")
    if n > _LARGEST:
        raise LimitExceeded(f"environment polygon_tower: n is {n}, above the limit of {_LARGEST}")
    states = [str(s) for s in range(2, n + 1)]
    actions = [str(a) for a in range(1, n + 2)]
    return World(_Tower(n), states, actions, ["x", "y", "height"], draw=partial(_polygon, n=n))


POLYGON_TOWER = Environment(name="polygon_tower", make=polygon_tower, parameters=(Parameter("n", whole),))
