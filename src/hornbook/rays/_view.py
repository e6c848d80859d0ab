"""Vectors as the float engines see them, and what they guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import NEARLY, Section, Vectors, balanced, section
from hornbook.rays._central import central_weights

__all__ = ["Floats", "Guesses", "Places", "View", "independent"]

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class View:
    """Some vectors, their float table for proofs, their section for guesses, and rows that span it."""

    vectors: Vectors
    table: Floats
    section: Section
    spanning: Places

    @classmethod
    def of(cls, vectors: Vectors, weights: Sequence[int]) -> View | None:
        """None where floats see nothing: entries or heights of too many sizes, or all points on a flat."""
        table = balanced(vectors)
        seen = None if table is None else section(*table, weights=central_weights(vectors, weights))
        if table is None or seen is None:
            return None
        spanning = independent(seen.points)
        return cls(vectors, table[0], seen, spanning) if len(spanning) == vectors.dimension else None

    @property
    def points(self) -> Floats:
        """The section's points, one per vector; the first coordinate is 1."""
        return self.section.points


@dataclass(frozen=True, eq=False)
class Guesses:
    """Of every row of some vectors: in the cone of the d others `bases[i]`, or a ray as `witness[i]` says, or stuck.

    No order is needed among rows that lean on each other: whatever is in the cone of others on other rays is no ray.
    """

    inside: Places
    bases: npt.NDArray[np.int32]
    rays: Places
    witness: Floats  # weights on points: negative on the ray, at least nearly not so on every other
    stuck: Places


def independent(points: Floats) -> Places:
    """Rows that span: the longest, then whichever is furthest from the span of those before; fewer where none is."""
    rest, chosen = points.copy(), []
    for _ in range(points.shape[1]):
        sizes = np.einsum("ij,ij->i", rest, rest)
        if not sizes.max() > NEARLY**2:
            break
        chosen.append(int(sizes.argmax()))
        unit = rest[chosen[-1]] / np.sqrt(sizes[chosen[-1]])
        rest = rest - np.outer(rest @ unit, unit)
    return np.array(chosen, dtype=np.intp)
