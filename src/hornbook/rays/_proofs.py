"""Float guesses about a cone, proved: signs with a bound on their error, whole numbers, then exact arithmetic.

A vector is inside if the multipliers of some basis of candidates are not negative; a candidate is a ray if some weights
are negative on it and positive on all others.  Both are proved for all at once; what floats cannot tell is left open,
and `Cone` decides it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import UNIT, Vectors, combined_by
from hornbook.progress import Progress
from hornbook.rays._compiled import kernels
from hornbook.rays._cone import Cone, Inside
from hornbook.rays._view import Floats, Guesses, Places, View

__all__ = ["insides", "proved_rows"]

_WHOLE = 2.0**53  # sums of whole numbers below this are exact in floats
_SEVERAL = 1000  # vectors that are worth a kernel for whole numbers
_BLOCK = 1 << 22  # products held at once


def proved_rows(view: View, guesses: Guesses, *, progress: Progress) -> list[int]:
    """The rows on extreme rays, exactly, whatever the guesses are worth."""
    proved = insides(view.vectors, view.table, rows=guesses.inside, bases=guesses.bases)
    open_rows = np.concatenate([guesses.inside[~proved], guesses.stuck])
    kept = _with_outsiders(view.vectors, guesses.rays, open_rows)
    doubtful = np.ones(len(kept), dtype=np.bool_)
    doubtful[: len(guesses.rays)] = ~_witnessed(view, guesses, kept)
    return _without_doubtful(view.vectors, kept, doubtful, progress)


def insides(vectors: Vectors, table: Floats, *, rows: Places, bases: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Which rows are proved to be in the cones of their bases (rows of the same vectors)."""
    d = table.shape[1]
    proved = np.zeros(len(rows), dtype=np.bool_)
    step = max(1, 20_000_000 // d**3)
    loops = kernels(len(rows) * d * d * d)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        loops.surely_inside(table, bases[part], table[rows[part]], UNIT, proved[part])
    left = np.flatnonzero(~proved)
    if left.size > _SEVERAL and vectors.largest < _WHOLE:
        done = np.zeros(left.size, dtype=np.bool_)
        signs = np.zeros((left.size, d), dtype=np.int8)
        whole = vectors.floats
        loops.wholly_inside(whole, bases[left], whole[rows[left]], _WHOLE, done, signs)
        proved[left] = done
    _solve(vectors, rows, bases, proved=proved)
    return proved


def _solve(vectors: Vectors, rows: Places, bases: npt.NDArray[np.int32], *, proved: npt.NDArray[np.bool_]) -> None:
    """What is not proved yet, in integers: all vectors of one basis together."""
    members: dict[bytes, list[int]] = {}
    for i in np.flatnonzero(~proved).tolist():
        members.setdefault(bases[i].tobytes(), []).append(i)
    for some in members.values():
        proved[some] = combined_by(vectors.take(bases[some[0]]), vectors.take(rows[some]))


def _with_outsiders(vectors: Vectors, rays: Places, open_rows: Places) -> Places:
    """The rays and those open rows that are not in their cone."""
    cone = Cone(vectors.take(rays))
    outside = [row for row in open_rows.tolist() if not isinstance(cone.locate(vectors.row(row)), Inside)]
    return np.concatenate([rays, np.array(sorted(set(outside)), dtype=np.intp)])


def _witnessed(view: View, guesses: Guesses, kept: Places) -> npt.NDArray[np.bool_]:
    """Which rows have weights that are surely negative on them and positive on everything else that is kept."""
    weights = view.section.on_table(_tilted(view.points[guesses.rays], guesses.witness))
    sure = np.zeros(len(weights), dtype=np.bool_)
    step = max(1, _BLOCK // max(1, len(kept)))
    rows = view.table[kept]
    for start in range(0, len(weights), step):
        some = weights[start : start + step]
        value = some @ rows.T
        own = np.arange(len(some))
        value[own, own + start] *= -1
        sure[start : start + step] = _surely_positive(value, some, rows)
    return sure


def _surely_positive(value: Floats, weights: Floats, rows: Floats) -> npt.NDArray[np.bool_]:
    """For which weights all computed products are positive beyond their rounding, of at most (d + 3) u sum |w_i x_i|.

    That sum is at most |w| |x|, which is quickly compared; where this is not enough, the sum itself is.
    """
    slack = (rows.shape[1] + 32) * UNIT  # with room for the roundings of the bounds themselves
    lengths = np.linalg.norm(rows, axis=1) * slack
    sure = np.asarray((value > np.linalg.norm(weights, axis=1)[:, None] * lengths).all(axis=1))
    rest = np.flatnonzero(~sure)
    if rest.size:
        sure[rest] = (value[rest] > np.abs(weights[rest]) @ np.abs(rows).T * slack).all(axis=1)
    return sure


def _tilted(points: Floats, witness: Floats) -> Floats:
    """Weights lifted until only half of the depth below their own point is left."""
    depth = np.einsum("ij,ij->i", points, witness)
    tilted = witness.copy()
    tilted[:, 0] -= depth / 2
    return tilted


def _without_doubtful(vectors: Vectors, kept: Places, doubtful: npt.NDArray[np.bool_], progress: Progress) -> list[int]:
    """Ask the exact simplex about each doubtful row whether the others span it."""
    left = kept.tolist()
    asked = kept[doubtful].tolist()
    for done, row in enumerate(asked):
        others = [other for other in left if other != row]
        if isinstance(Cone(vectors.take(others)).locate(vectors.row(row)), Inside):
            left = others
        progress("making sure of extreme rays", done + 1, len(asked))
    return sorted(left)
