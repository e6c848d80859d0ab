"""Step 3 of 8: directions -> the extreme rays of their cone.  Rays never see a state.

A lesson must show every extreme ray and nothing else (Lemmas 1 and 2 of the paper).  Finders take vectors that all
have a positive product with some weights, no two of them on one ray, and return the rows on extreme rays.  When to use
which:

- `with_private_coordinates`: no finder, but what is asked first: one-hot features are done with then.
- `angle_ends`: one or two dimensions; two exact minima.
- `polygon_corners`: three dimensions; sorting and an exact orientation test.
- `walk_frame`: four dimensions and more, rays few among many vectors; a float simplex guesses, proofs follow in bulk.
- `cut_apart`: the same where most vectors are rays; guesses come from matrix products.
- `grow_frame`: any dimension, exact throughout; for few vectors, and for numbers that floats cannot tell apart.
- `minimal_extreme`: the paper's own loop, literal and slow; the reference for the others.

`find_rays` chooses among them after dropping dependent columns; `realize` decides whether there are weights at all;
`misconception` and `combinations` give the evidence for rays and for all other vectors.  For float data, `label` says
which rays are certain beyond the noise.  `find_faces` says what to show a learner that believes
something already, `needed_groups`, without finding rays, which groups of vectors have one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np

from hornbook.arithmetic import Vectors
from hornbook.errors import BadProblem
from hornbook.progress import Progress, silent
from hornbook.rays._beliefs import Believed, Faces, believed_sums, find_faces, retold
from hornbook.rays._certain import Boxes
from hornbook.rays._choice import suited_frame
from hornbook.rays._cone import Cone, Inside, Outside
from hornbook.rays._cuts import cut_apart
from hornbook.rays._elimination import minimal_extreme
from hornbook.rays._evidence import combinations, outside
from hornbook.rays._groups import Needs, needed_groups
from hornbook.rays._guessed import Compromise, guessed_compromise, guessed_conflict
from hornbook.rays._hull import polygon_corners
from hornbook.rays._implied import approximations
from hornbook.rays._incremental import grow_frame
from hornbook.rays._labelling import Doubt, Labelling, label
from hornbook.rays._margins import canonical_margins
from hornbook.rays._misconceptions import misconception
from hornbook.rays._planar import angle_ends
from hornbook.rays._private import with_private_coordinates
from hornbook.rays._rank import spanning_columns
from hornbook.rays._realize import Conflict, realize, realizing, rounded
from hornbook.rays._simplex import walk_frame

__all__ = [
    "RAY_FINDERS",
    "Believed",
    "Boxes",
    "Compromise",
    "Cone",
    "Conflict",
    "Doubt",
    "Faces",
    "Inside",
    "Labelling",
    "Needs",
    "Outside",
    "RayFinder",
    "Rays",
    "approximations",
    "believed_sums",
    "canonical_margins",
    "combinations",
    "find_faces",
    "find_rays",
    "guessed_compromise",
    "guessed_conflict",
    "label",
    "misconception",
    "needed_groups",
    "outside",
    "realize",
    "retold",
    "rounded",
    "spanning_columns",
]


class RayFinder(Protocol):
    """Rows on extreme rays, increasing; `weights` has a positive product with every vector."""

    def __call__(self, vectors: Vectors, weights: Sequence[int], progress: Progress, /) -> list[int]: ...


@dataclass(frozen=True)
class _Regime:
    finder: RayFinder
    dimensions: range  # ranks on which the finder works


_ANY = range(1, 1 << 30)

RAY_FINDERS: Mapping[str, _Regime] = MappingProxyType(
    {
        "planar": _Regime(angle_ends, range(1, 3)),
        "hull": _Regime(polygon_corners, range(3, 4)),
        "suited": _Regime(suited_frame, range(4, 1 << 30)),
        "simplex": _Regime(walk_frame, range(4, 1 << 30)),
        "cuts": _Regime(cut_apart, range(4, 1 << 30)),
        "incremental": _Regime(grow_frame, _ANY),
        "elimination": _Regime(minimal_extreme, _ANY),
    }
)


@dataclass(frozen=True)
class Rays:
    """The extreme rays of some vectors: `rows` says which vectors they are, `vectors` holds them, sorted by value.

    `weights` has a positive product with every vector: the cone is pointed, and these weights teach the target.
    """

    vectors: Vectors
    rows: tuple[int, ...]
    weights: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.rows)


def find_rays(directions: Vectors, *, finder: str = "auto", progress: Progress = silent) -> Rays | Conflict:
    """The extreme rays of the cone of distinct primitive directions sorted by value, or why there is no such cone.

    >>> from hornbook.arithmetic import Vectors
    >>> find_rays(Vectors.of([[0, 1], [1, 0], [1, 1], [2, 1]], 2)).vectors.rows()
    [(0, 1), (1, 0)]
    """
    weights = realize(directions)
    if isinstance(weights, Conflict):
        return weights
    rows = _all_rows_on_rays(directions, weights, finder, progress=progress)
    vectors = directions.take(rows)
    canonical = realizing(vectors)  # from the rays alone, so that it does not depend on the finder
    return Rays(vectors, tuple(rows), canonical)


def _all_rows_on_rays(directions: Vectors, weights: Sequence[int], finder: str, *, progress: Progress) -> list[int]:
    """Those that are seen at once, and those that a finder finds among the others; a finder asked by name sees all."""
    private = with_private_coordinates(directions) if finder == "auto" else np.zeros(len(directions), dtype=np.bool_)
    rest = np.flatnonzero(~private)
    found = _rows_on_rays(directions.take(rest), weights, finder, progress=progress) if rest.size else []
    return sorted([*np.flatnonzero(private).tolist(), *rest[found].tolist()])


def _rows_on_rays(directions: Vectors, weights: Sequence[int], finder: str, *, progress: Progress) -> list[int]:
    columns = spanning_columns(directions)
    regime = _regime(finder, len(columns))
    if len(columns) < directions.dimension:
        directions = directions.columns(columns)
        weights = realizing(directions)
    return regime.finder(directions, weights, progress)


def _regime(finder: str, rank: int) -> _Regime:
    if finder == "auto":
        return next(regime for regime in RAY_FINDERS.values() if rank in regime.dimensions)
    if finder not in RAY_FINDERS:
        raise BadProblem(f"there is no ray finder {finder!r}; choose from {', '.join(RAY_FINDERS)} or auto")
    regime = RAY_FINDERS[finder]
    if rank not in regime.dimensions:
        raise BadProblem(f"the finder {finder!r} does not work on vectors of rank {rank}")
    return regime
