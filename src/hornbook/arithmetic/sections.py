"""Vectors as float points of a rounded cross-section, to guess on, and as a float table, to prove guesses on.

Scaling rows and columns by powers of two rounds nothing and changes no cone, so the *balanced table* of some vectors is
true up to one rounding per entry.  A *section* is the plane `<w, x> = 1` seen so that the points have mean zero and
unit spread in every direction: good for guessing, and proving nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic.vectors import Vectors

__all__ = ["ENOUGH", "NEARLY", "ROUNDING", "UNIT", "Section", "balanced", "framed", "section", "share_bounds"]

Floats = npt.NDArray[np.float64]
Row = tuple[int, ...]

NEARLY = 2.0**-38
"""On a section, distances below this are not told apart in guesses."""
UNIT = 2.0**-53
ROUNDING = 2.0**-50
"""Sums of d products of numbers up to 2 are off by less than d times this."""
ENOUGH = 1 + 2.0**-32
"""More than some thousand roundings of positive numbers can make of a sum or a quotient of theirs."""
_PLAIN = 2**450  # integers below this have floats
_SHALLOW = 2.0**-30  # heights that cancel further than this make no plane
_FLAT = 2.0**-20  # frames thinner than this, once their columns are of one size, are not guessed about
_BLOCK = 1 << 20  # numbers of bases that are inverted at once
_DEEPEST = -400  # entries below 2^-400 of their row and column, or products of two, could be lost in underflow


@dataclass(frozen=True, eq=False)
class Section:
    """`points` (first coordinate 1) are multiples of `table @ turn`, the rest around zero with unit spread."""

    points: Floats
    turn: Floats

    def on_table(self, weights: Floats) -> Floats:
        """Weights on points as weights on the rows of the table."""
        return np.asarray(weights @ self.turn.T)


def balanced(vectors: Vectors) -> tuple[Floats, npt.NDArray[np.int64]] | None:
    """The float table, entries at most 1 and off by at most a relative 2^-53, and the exponents its columns went down.

    None when some entry is too small for its row and column.
    """
    mantissas, exponents = _parts(vectors)
    there = mantissas != 0.0
    lowest = np.iinfo(np.int64).min // 4
    size = np.where(there, exponents, lowest)
    columns = np.where(there.any(axis=0), size.max(axis=0, initial=lowest), 0)
    size = np.where(there, size - columns, lowest)
    rows = np.where(there.any(axis=1), size.max(axis=1, initial=lowest), 0)
    size = np.where(there, size - rows[:, None], 0)
    if size.min(initial=0) < _DEEPEST:
        return None
    return np.ldexp(mantissas, size), columns


def _parts(vectors: Vectors) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Each entry as mantissa times a power of two, one rounding each."""
    if vectors.largest < _PLAIN:
        mantissas, exponents = np.frexp(vectors.floats)
        return mantissas, exponents.astype(np.int64)
    shift = np.array([[max(0, abs(v).bit_length() - 64) for v in row] for row in vectors.exact.tolist()])
    # of the 65th bit on nothing is kept: less than a thousandth of a rounding, for which proofs have room
    mantissas, exponents = np.frexp((vectors.exact >> shift.astype(object)).astype(np.float64))
    return mantissas, exponents + shift


def section(table: Floats, columns: npt.NDArray[np.int64], *, weights: Sequence[int]) -> Section | None:
    """The plane on which `weights` (on the vectors themselves) are 1; None when floats see no such plane.

    Cost: a few products of the table with d x d matrices.
    """
    d = table.shape[1]
    mantissas, exponents = _parts(Vectors.of([weights], d))
    scaled = exponents[0] + columns
    upright = np.ldexp(mantissas[0], np.maximum(scaled - scaled.max(), -1000))
    heights = table @ upright
    if bool((heights <= np.abs(table) @ np.abs(upright) * _SHALLOW).any()):
        return None
    # one coordinate follows from the others and the height: the one that the height says most about
    turn = np.delete(np.eye(d), int(np.argmax(np.abs(upright))), axis=1)
    with np.errstate(over="ignore", invalid="ignore"):  # numbers too large for floats are seen below
        points = (table @ turn) / heights[:, None]
        for _ in range(2):  # the second time mends what the first lost to rounding
            middle = points.mean(axis=0)
            points = points - middle
            scatter = points.T @ points / max(1, len(points))
            if not np.isfinite(scatter).all():
                return None
            values, axes = np.linalg.eigh(scatter)
            if d > 1 and not 0 < values[0] < np.inf:
                return None
            spread = axes / np.sqrt(values)
            points = points @ spread
            turn = (turn - np.outer(upright, middle)) @ spread
    return Section(np.hstack([np.ones((len(points), 1)), points]), np.hstack([upright[:, None], turn]))


def framed(table: Floats, columns: npt.NDArray[np.int64], *, count: int, weights: Sequence[int]) -> Section | None:
    """A section in which the first `count` of the vectors, the frame, have mean zero and unit spread.

    The same bits wherever it is made: it takes plain operations in a fixed order, and the few numbers that libraries
    add up in orders of their own are rounded to 20 bits.  None when the frame is flat.
    """
    seen = section(table, columns, weights=weights)
    if seen is None:
        return None
    upright = seen.turn[:, 0]
    kept = np.delete(np.arange(len(upright)), int(np.argmax(np.abs(upright))))
    plane = table[:, kept] / _product(table, upright[:, None])
    middle = plane[:count].mean(axis=0)
    arms = plane[:count] - middle
    spread = np.abs(arms).max(axis=0, initial=0.0)
    if not spread.all():
        return None
    shape = _triangle(arms / spread)
    if shape is None:
        return None
    turn, middle = _rounded(shape / spread).T, spread * _rounded(middle / spread)
    points = _product(plane - middle, turn)
    whole = np.zeros((len(upright), len(kept)))
    whole[kept] = turn
    whole -= np.outer(upright, middle @ turn)
    return Section(np.hstack([np.ones((len(points), 1)), points]), np.hstack([upright[:, None], whole]))


def _triangle(arms: Floats) -> Floats | None:
    """A triangular matrix that gives these arms unit spread: unlike axes, there is only one, which depends smoothly on
    them."""
    try:
        shape = np.linalg.inv(np.linalg.cholesky(arms.T @ arms / max(1, len(arms))))
    except np.linalg.LinAlgError:
        return None
    return None if np.abs(shape).max(initial=0.0) * _FLAT > 1 else np.asarray(shape)


def _rounded(values: Floats) -> Floats:
    """To 20 bits."""
    mantissas, exponents = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(mantissas * 2.0**20), exponents - 20))


def _product(left: Floats, right: Floats) -> Floats:
    """A matrix product in a fixed order of sums."""
    total = left[:, :1] * right[0]
    for k in range(1, len(right)):
        total += left[:, k : k + 1] * right[k]
    return np.asarray(total)


def share_bounds(bases: Floats, vectors: Floats) -> tuple[Floats, Floats]:
    """Bounds on the multipliers with which d rows add up to a vector, for each of many: `bases[i]` and `vectors[i]`.

    Entries are true ones up to a relative error of u = 2^-53.  With C a float inverse of the basis B and |CB - I| at
    most r by rows, the multipliers l solve (CB) l = Cx: so |l - Cx| <= r max|l|, and max|l| is at most max|Cx| / (1 -
    max r).  Products and their sums carry at most d + 3 roundings each.  Where floats cannot tell, bounds are infinite.
    """
    d = vectors.shape[1]
    slack = (d + 16) * UNIT
    matrix = bases.transpose(0, 2, 1)
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:  # one of them, so none is believed
        return np.full_like(vectors, -np.inf), np.full_like(vectors, np.inf)
    spread = np.abs(inverse @ matrix - np.eye(d)).sum(axis=2)
    spread += slack * (np.abs(inverse) @ np.abs(matrix)).sum(axis=2) + slack
    value = np.einsum("ijk,ik->ij", inverse, vectors)
    size = slack * np.einsum("ijk,ik->ij", np.abs(inverse), np.abs(vectors))
    largest = (np.abs(value) + size).max(axis=1, keepdims=True)
    error = np.where(spread.max(axis=1, keepdims=True) < 0.25, 1.5 * spread * largest + 2 * size, np.inf)
    return value - error, value + error


def surely_combined(table: Floats, bases: npt.NDArray[np.integer], *, vectors: Floats) -> npt.NDArray[np.bool_]:
    """For which vectors all multipliers of the rows `bases[i]` of the table are surely positive.

    True says that these rows are independent, too; False says nothing.  Entries are as those of `share_bounds`.
    """
    sure = np.zeros(len(vectors), dtype=np.bool_)
    step = max(1, _BLOCK // max(1, table.shape[1]) ** 2)
    for start in range(0, len(vectors), step):
        some = slice(start, start + step)
        low, _ = share_bounds(table[bases[some]], vectors[some])
        sure[some] = (low > 0).all(axis=1)
    return sure


def not_surely_combined(rays: Sequence[Row], sums: Mapping[Row, Sequence[int]]) -> list[tuple[Row, Sequence[int]]]:
    """Of the vectors that are said to be sums of some rays each, those for which floats do not prove it.

    They prove it for vectors that need as many rays as there are dimensions.
    """
    listed, width = list(sums.items()), len(rays[0]) if rays else 0
    whole = [i for i, (_, chosen) in enumerate(listed) if len(chosen) == width]
    table = balanced(Vectors.of([*rays, *(listed[i][0] for i in whole)], width)) if whole else None
    if table is None:
        return listed
    bases = np.array([listed[i][1] for i in whole], dtype=np.intp)
    sure = surely_combined(table[0][: len(rays)], bases, vectors=table[0][len(rays) :])
    done = {whole[i] for i in np.flatnonzero(sure).tolist()}
    return [each for i, each in enumerate(listed) if i not in done]
