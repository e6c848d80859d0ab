"""Where rays and directions stand in a picture: up to three coordinates each, rounded, for eyes only.

Every difference has a positive product with the realizing weights, so the cone is cut by the plane where that product
is 1.  The points of the section are centred and stretched along their principal axes until they fill a disc: a linear
change of coordinates, under which straight stays straight and inside stays inside.  Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, quotients
from hornbook.rays import spanning_columns
from hornbook.teaching import Trace

__all__ = ["Section", "section_of"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Section:
    """How a problem is drawn.

    `rank` is the dimension of the cone.  A vector is drawn at (u, v) on the plane at height 1; up to rank 3 nothing is
    lost, above that it is a shadow.
    """

    rank: int
    weights: tuple[int, ...]
    middle: Floats
    axes: Floats  # d x 2: from the centred section to (u, v)

    def points(self, vectors: Vectors) -> Floats:
        """The places of vectors, one row (u, v) each."""
        return self.table(vectors) @ self.axes

    def table(self, vectors: Vectors) -> Floats:
        """The points of the section in the features' own coordinates, centred, one column per feature."""
        return _cut(vectors, self.weights) - self.middle

    def axis(self, feature: int) -> list[float]:
        """The direction of a feature's axis as (u, v, height), of length one."""
        largest = max(map(abs, self.weights))
        height = self.weights[feature] / largest  # one rounding, however long the integers are
        unit = np.zeros(len(self.middle))
        unit[feature] = 1 / largest
        direction = np.append(unit @ self.axes - self.middle * height @ self.axes, height)
        length = float(np.linalg.norm(direction))
        return (direction / length).tolist() if length > 0.0 else []

    def dual(self, weights: Sequence[int], vectors: Vectors) -> list[float]:
        """Weights as (a, b, c), so that a u + b v + c is their score on the section; only up to rank 3."""
        scores = np.array(quotients(vectors.products(weights).tolist(), vectors.products(self.weights).tolist()))
        places = np.column_stack([self.points(vectors), np.ones(len(vectors))])
        solution = np.linalg.lstsq(places, scores, rcond=None)[0]
        length = float(np.linalg.norm(solution))
        return (solution / length).tolist() if length > 0.0 else []


def section_of(trace: Trace) -> Section:
    """The section of a problem's cone, from its rays alone."""
    rays, weights = trace.rays.vectors, trace.rays.weights
    rank = len(spanning_columns(rays)) if len(rays) else 0
    if len(rays) == 0:
        return Section(0, weights, np.zeros(rays.dimension), np.zeros((rays.dimension, 2)))
    cut = _cut(rays, weights)
    middle = (cut.min(axis=0) + cut.max(axis=0)) / 2 if rank <= 2 else cut.mean(axis=0)
    return Section(rank, weights, middle, _stretched(cut - middle, min(rank - 1, 2)))


def _cut(vectors: Vectors, weights: Sequence[int]) -> Floats:
    """Each vector divided by its product with the weights, a rounding of the exact quotients."""
    heights = vectors.products(weights).tolist()
    columns = [quotients(column, heights) if column else [] for column in vectors.exact.T.tolist()]
    return np.array(columns, dtype=np.float64).reshape(vectors.dimension, len(vectors)).T


def _stretched(cut: Floats, wanted: int) -> Floats:
    """The principal axes, scaled so that points reach from -1 to 1 along each, and stay within the unit disc."""
    axes = np.zeros((cut.shape[1], 2))
    if wanted == 0:
        return axes
    scale = np.abs(cut).max(axis=0)
    scale[scale == 0] = 1.0
    _, _, turned = np.linalg.svd(cut / scale, full_matrices=False)
    found = (turned[:wanted] / scale).T
    found = found * np.sign(found[np.abs(found).argmax(axis=0), np.arange(found.shape[1])])
    spread = np.sqrt(np.mean((cut @ found) ** 2, axis=0))
    spread[spread == 0] = 1.0
    found = found / spread
    reach = np.linalg.norm(cut @ found, axis=1).max(initial=0.0)
    axes[:, : found.shape[1]] = found / (reach or 1.0)
    return axes
