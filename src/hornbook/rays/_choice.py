"""Which engine for which vectors of four dimensions and more: docs/design/0040-rays.md has the measurements."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.arithmetic import Vectors
from hornbook.progress import Progress, silent
from hornbook.rays._compiled import are_ready
from hornbook.rays._cuts import cut, share_in_own_direction
from hornbook.rays._incremental import grow_frame, grown_within
from hornbook.rays._proofs import proved_rows
from hornbook.rays._simplex import walk
from hornbook.rays._view import View

__all__ = ["suited_frame"]

_FEW = 200  # vectors: below this the exact simplex answers before floats are set up
_MANY = 0.2  # of a sample furthest out in their own direction: from here on most vectors are rays
_SMALL = 2_000_000  # numbers: where nothing is compiled yet, the exact simplex may be done with these sooner
_COMPILING = 4.0  # seconds that compiling takes, about


def suited_frame(vectors: Vectors, weights: Sequence[int], progress: Progress = silent, /) -> list[int]:
    """The rows on extreme rays, by the engine that a look at the vectors suggests.

    Cost: one product of the vectors with 256 of them, then that of the engine.  Where its loops are not compiled yet,
    the exact simplex has as long as compiling would take.
    """
    view = View.of(vectors, weights) if len(vectors) >= _FEW else None
    if view is None:
        return grow_frame(vectors, weights, progress)
    many = share_in_own_direction(view.points) > _MANY
    if not many and vectors.exact.size <= _SMALL and not are_ready():
        found = grown_within(_COMPILING, vectors, weights=weights, progress=progress)
        if found is not None:
            return found
    return proved_rows(view, cut(view, progress) if many else walk(view, progress), progress=progress)
