"""Which groups of vectors are needed: those with a vector outside the cone of all other groups.

Where each direction belongs to one group alone, as for labelled rows, the needed groups are those with an extreme ray,
and no ray has to be found for that.  A group is asked for in two ways.  From the analytic centre, weights are tilted
against its vector that sticks out most, in the metric of the centre: where that vector is the first to change sign, it
is a ray.  What is left over is asked of a linear program.  Both only propose; signs of integers decide.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import NEARLY, Vectors, primitive_vector
from hornbook.progress import Progress, silent
from hornbook.proposals import FINE, LinearProgram, Relaxation, Row, highs_relaxation
from hornbook.rays._cone import Cone, Inside
from hornbook.rays._realize import rounded

__all__ = ["Needs", "needed_groups"]

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
_STEPS = 30  # of Newton towards the centre, which needs about ten
_BLOCK = 64  # candidates whose signs are decided together
_SHORT, _LONG = 20, 50  # bits to which guessed weights are rounded
_FEW = 16  # dimensions, up to which exact arithmetic alone decides what the solver gets wrong
_LARGEST = 1 << 21  # numbers in the linear program, above which it is asked only as long as a limit says


@dataclass(frozen=True)
class Needs:
    """`witness[g]` shows that group g is needed: a vector of it and weights that are negative on this vector alone.

    `sums[v]` are vectors of groups that stay whose cone contains v, for every vector of a group that is not needed.
    Groups in neither are open: they stay, but nobody knows whether they must.
    """

    witness: dict[int, tuple[int, tuple[int, ...]]]
    sums: dict[int, tuple[int, ...]]


def needed_groups(
    vectors: Vectors,
    groups: Sequence[int],
    *,
    weights: Sequence[int],
    seconds: float | None = None,
    progress: Progress = silent,
) -> Needs:
    """Vector i belongs to group `groups[i]`; `weights` have a positive product with all vectors.

    Cost: a dozen least-squares problems of all vectors, one product of each group with all vectors, and for groups that
    this leaves open up to two linear programs per vector.
    """
    search = _Search.of(vectors, groups, weights=weights, seconds=seconds, progress=progress)
    search.from_centre()
    if seconds is not None or search.table.size <= _LARGEST:
        search.by_programs()
    return Needs(search.witness, search.sums)


@dataclass
class _Search:
    vectors: Vectors
    groups: Places
    weights: tuple[int, ...]
    table: Floats  # the vectors at length one, columns of one size
    columns: Floats  # what the columns were divided by
    inner: Floats  # the realizing weights on the table
    until: float | None
    progress: Progress
    witness: dict[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    sums: dict[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        vectors: Vectors,
        groups: Sequence[int],
        *,
        weights: Sequence[int],
        seconds: float | None,
        progress: Progress,
    ) -> _Search:
        shapes = vectors.shapes / np.linalg.norm(vectors.shapes, axis=1, keepdims=True)
        columns = np.abs(shapes).max(axis=0, initial=0.0)
        columns[columns == 0] = 1.0
        inner = Vectors.of([weights], vectors.dimension).shapes[0] * columns
        until = None if seconds is None else time.monotonic() + seconds
        owners = np.asarray(groups, dtype=np.intp)
        return cls(vectors, owners, tuple(weights), shapes / columns, columns, inner, until, progress)

    def from_centre(self) -> None:
        """One try for each group."""
        if bool((self.table @ self.inner <= 0).any()):
            return  # floats see nothing here
        centre, heights = self._centre()
        sections = self.table / heights[:, None]
        inverse = np.linalg.pinv(sections.T @ sections, hermitian=True)
        turned = sections @ inverse
        first = self._first(-np.einsum("ij,ij->i", turned, sections))
        for start in range(0, len(first), _BLOCK):
            some = first[start : start + _BLOCK]
            self._try_all(self.groups[some].tolist(), -turned[some], inner=centre)
            self.progress("seeing which rows are needed", min(start + _BLOCK, len(first)), len(first))

    def _first(self, order: Floats) -> Places:
        """The least vector of each group."""
        by_group = np.lexsort((order, self.groups))
        return by_group[np.unique(self.groups[by_group], return_index=True)[1]]

    def _centre(self) -> tuple[Floats, Floats]:
        """Weights well inside: Newton's method on the sum of logarithms, kept from running away by their length."""
        weights = self.inner / (self.table @ self.inner).min()
        heights = self.table @ weights
        pull = NEARLY * len(self.table)
        for _ in range(_STEPS):
            sections = self.table / heights[:, None]
            slope = pull * weights - sections.sum(axis=0)
            step = -np.linalg.solve(sections.T @ sections + pull * np.eye(len(weights)), slope)
            gain = -float(slope @ step)
            rise, size = self.table @ step, 1.0
            while size > NEARLY and not _is_better(heights, rise * size, gain * size):
                size /= 2
            weights, heights = weights + size * step, heights + size * rise
            if gain < 1 / _STEPS:
                break
        return weights, heights

    def _try_all(self, groups: Sequence[int], directions: Floats, *, inner: Floats) -> None:
        """Keep those tilts of inner weights that are negative on one vector alone."""
        heights = self.table @ inner
        if bool((heights <= 0).any()):
            return
        falls = -(self.table @ directions.T) / heights[:, None]
        tilts = [self._tilt(group, falls[:, i]) for i, group in enumerate(groups)]
        found = [
            (group, row, (direction + share * inner) / self.columns)
            for group, direction, (row, share) in zip(groups, directions, tilts, strict=True)
            if share > 0
        ]
        for bits in (_SHORT, _LONG):
            found = [each for each in found if each[0] not in self.witness]
            if found:
                self._keep([(group, row, _whole(guess, bits)) for group, row, guess in found])

    def _keep(self, found: Sequence[tuple[int, int, tuple[int, ...]]]) -> None:
        signs = self.vectors.signs([weights for _, _, weights in found])
        for i, (group, row, weights) in enumerate(found):
            if signs[row, i] == -1 and int((signs[:, i] == 1).sum()) == len(self.vectors) - 1:
                self.witness[group] = row, weights

    def _tilt(self, group: int, falls: Floats) -> tuple[int, float]:
        """The vector of a group that changes sign before all others, and how much of the inner weights is left when it
        has and they have not; nothing is left if there is none."""
        row = int(np.where(self.groups == group, falls, -np.inf).argmax())
        rest = float(np.delete(falls, row).max(initial=0.0))
        return row, (float(falls[row]) + rest) / 2 if falls[row] > rest else 0.0

    def by_programs(self) -> None:
        """Ask about the groups that are left, then make sure that those which seem implied are."""
        program = _Program.over(self.table)
        left = [group for group in np.unique(self.groups).tolist() if group not in self.witness]
        implied = []
        for done, group in enumerate(left):
            if self._is_over():
                return
            if self._seems_implied(group, program):
                implied.append(group)
            self.progress("seeing which rows are needed", len(self.witness) + done, len(self.witness) + len(left))
        staying = ~np.isin(self.groups, implied)
        for group in implied:
            members = np.flatnonzero(self.groups == group).tolist()
            found = {row: self._sum(row, staying, program) for row in members if not self._is_over()}
            sums = {row: rows for row, rows in found.items() if rows is not None}
            if len(sums) == len(members):
                self.sums.update(sums)
            else:
                staying[members] = True

    def _is_over(self) -> bool:
        return self.until is not None and time.monotonic() > self.until

    def _left(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    def _seems_implied(self, group: int, program: _Program) -> bool:
        """Whether no vector of the group was found outside the cone of the others."""
        others = self.groups != group
        for row in np.flatnonzero(~others).tolist():
            answer = program.ask(row, others, seconds=self._left())
            if answer is None:
                return False
            self._try_all([group, group], np.stack([answer.direction, -answer.direction]), inner=self.inner)
            if group in self.witness or answer.missing > FINE:
                return False
        return True

    def _sum(self, row: int, staying: npt.NDArray[np.bool_], program: _Program) -> tuple[int, ...] | None:
        """Vectors that stay whose cone contains this one, decided exactly."""
        answer = program.ask(row, staying, seconds=self._left())
        if answer is None or answer.support.size == 0:
            return None
        if _adds_up(self.vectors.take(answer.support), self.vectors.row(row)):
            return tuple(answer.support.tolist())
        return self._exactly(row, np.flatnonzero(staying) if self.vectors.dimension <= _FEW else answer.support)

    def _exactly(self, row: int, others: Places) -> tuple[int, ...] | None:
        """The same by the exact simplex; if the vector is outside after all, its group may be seen to be needed."""
        found = Cone(self.vectors.take(others)).locate(self.vectors.row(row))
        if isinstance(found, Inside):
            return tuple(int(others[i]) for i in found.support)
        self._tilt_exactly(int(self.groups[row]), found.weights)
        return None

    def _tilt_exactly(self, group: int, weights: Sequence[int]) -> None:
        """As `_tilt`, in integers."""
        changes = [-p for p in self.vectors.products(weights).tolist()]
        falls = [Fraction(p, h) for p, h in zip(changes, self.vectors.products(self.weights).tolist(), strict=True)]
        row = max(np.flatnonzero(self.groups == group).tolist(), key=lambda member: falls[member])
        rest = max([Fraction(0), *(fall for other, fall in enumerate(falls) if other != row)])
        if falls[row] > rest:
            share = (falls[row] + rest) / 2
            tilted = primitive_vector([w + share * v for w, v in zip(weights, self.weights, strict=True)])
            self.witness[group] = row, rounded(tilted, self.vectors, negative=[row])


def _is_better(heights: Floats, rise: Floats, gain: float) -> bool:
    """Whether a step stays inside and the logarithms grow by a fair part of what its slope promises."""
    change = rise / heights
    return bool((change > -1).all()) and float(np.log1p(change).sum()) > gain / 4


def _whole(guess: Floats, bits: int) -> tuple[int, ...]:
    return primitive_vector([int(v) for v in np.rint(np.ldexp(guess / np.abs(guess).max(), bits)).tolist()])


def _adds_up(members: Vectors, vector: Sequence[int]) -> bool:
    """Whether the members are independent and the vector is exactly a sum of positive multiples of them.

    The only shares that could do it come from the members' products with each other and with the vector.
    """
    from flint import fmpz_mat

    table, across = fmpz_mat(members.rows()), fmpz_mat(members.exact.T.tolist())
    target = fmpz_mat([[value] for value in vector])
    gram = table * across
    if gram.det() == 0:
        return False
    shares: Any = gram.solve(table * target)
    positive = all(share[0] > 0 for share in shares.table())
    return positive and (across * shares).table() == [[value] for value in vector]


@dataclass(frozen=True)
class _Said:
    missing: float  # how far the vector is from the cone
    support: Places  # members that add up to it, if nothing is missing
    direction: Floats  # weights that tell it apart, if something is


@dataclass(frozen=True)
class _Program:
    """One linear program for all questions: shares of all vectors, that of the vector in question being -1, and what
    is missing in each coordinate, which is to be as little as possible."""

    count: int
    dimension: int
    relaxation: Relaxation

    @classmethod
    def over(cls, table: Floats) -> _Program:
        count, dimension = table.shape
        rows = []
        for axis in range(dimension):
            places = np.flatnonzero(table[:, axis])
            ends = [count + axis, count + dimension + axis]
            values = np.append(table[places, axis], [1.0, -1.0])
            rows.append(Row(np.append(places, ends), values, 0.0, 0.0))
        cost = np.append(np.zeros(count), np.ones(2 * dimension))
        lower, upper = np.zeros(len(cost)), np.full(len(cost), np.inf)
        return cls(count, dimension, highs_relaxation(LinearProgram(cost, lower, upper, tuple(rows))))

    def ask(self, row: int, others: npt.NDArray[np.bool_], *, seconds: float | None) -> _Said | None:
        """How the solver believes that a vector stands to the cone of some others."""
        lower, upper = np.zeros(self.count + 2 * self.dimension), np.full(self.count + 2 * self.dimension, np.inf)
        upper[: self.count][~others] = 0.0
        lower[row] = upper[row] = -1.0
        guess = self.relaxation.guess(lower, upper, seconds=seconds)
        if guess is None or not bool(np.isfinite(guess.variables).all() and np.isfinite(guess.duals).all()):
            return None
        shares, missing = guess.variables[: self.count], float(guess.variables[self.count :].sum())
        return _Said(missing, np.flatnonzero(shares > 0), guess.duals)
