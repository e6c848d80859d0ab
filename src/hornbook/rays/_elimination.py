"""The paper's MinimalExtreme, line by line: the reference that every other finder is compared with."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.arithmetic import Vectors
from hornbook.progress import Progress, silent
from hornbook.rays._cone import Cone, Inside

__all__ = ["minimal_extreme"]


def minimal_extreme(vectors: Vectors, weights: Sequence[int], progress: Progress = silent, /) -> list[int]:
    """Test every vector, the first included, against all that are left; drop it when they already span it.

    LP(x, X) of the paper is positive exactly when x is in the cone of the others, which `Cone.locate` decides in
    integers.  `weights` (a realizing w) is not needed here.  Cost: m questions to a cone of up to m generators, so
    about m^2 d per pivot.  Use it to check other finders, not on more than a few hundred vectors.
    """
    left = list(range(len(vectors)))
    for j in range(len(vectors)):
        others = [i for i in left if i != j]
        if isinstance(Cone(vectors.take(others)).locate(vectors.row(j)), Inside):
            left = others
        progress("finding extreme rays", j + 1, len(vectors))
    return left
