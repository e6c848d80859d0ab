"""Step 2 of 8: problem -> distinct directions of the differences `psi(s, b) = phi(s, pi(s)) - phi(s, b)`.

A problem is read twice: first for its distinct directions, later for who shows which (`coverage`).  Memory follows the
number of distinct directions, not of states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Vectors, from_keys, measured_integers, measured_rows, narrowed, primitive
from hornbook.errors import ConflictTerm, LimitExceeded, NotRealizable
from hornbook.problem import Batch, TeachingProblem
from hornbook.progress import Progress, silent

__all__ = ["Differences", "Shown", "collect_differences", "same_rows", "shown_directions", "unique_rows"]


@dataclass(frozen=True)
class Differences:
    """All distinct directions of a problem, and how many differences they stand for.

    `keys` are the rows by which a difference is found again: for exact data the directions themselves, sorted by value.
    Float data has `measured` vectors, each a stored difference with its size, as many as there are directions;
    `occurrences` counts the differences behind each.
    """

    directions: Vectors
    count: int
    keys: Integers
    occurrences: npt.NDArray[np.int64]
    measured: Vectors | None = None


@dataclass(frozen=True, eq=False)
class Shown:
    """The differences of one batch of states: difference i belongs to row `rows[i]` over action `actions[i]`.

    Its key is `keys[which[i]]`; the keys are distinct and sorted.
    """

    stop: int  # the row after the batch
    rows: npt.NDArray[np.intp]
    actions: npt.NDArray[np.intp]
    keys: Integers
    ties: npt.NDArray[np.bool_]  # for each key, whether it is no difference at all
    which: npt.NDArray[np.intp]


def collect_differences(problem: TeachingProblem, *, progress: Progress = silent) -> Differences:
    """The first reading.  A zero difference (a tie with the target) raises `NotRealizable`, naming it."""
    known, occurrences = np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
    tied = False
    for shown in shown_directions(problem):
        tied = tied or bool(shown.ties.any())
        new = np.bincount(shown.which, minlength=len(shown.keys))
        known, which = unique_rows(_stacked(known, shown.keys))
        occurrences = np.bincount(which, weights=np.concatenate([occurrences, new])).astype(np.int64)
        progress("collecting differences", shown.stop, problem.num_states)
    if tied:
        raise NotRealizable((_first_tie(problem),))
    return _measured(problem, known, occurrences) if problem.is_float else _exact(problem, known, occurrences)


def _exact(problem: TeachingProblem, keys: Integers, occurrences: npt.NDArray[np.int64]) -> Differences:
    directions = Vectors(narrowed(keys.reshape(-1, problem.num_features)))
    return Differences(directions, int(occurrences.sum()), directions.exact, occurrences)


def _measured(problem: TeachingProblem, keys: Integers, occurrences: npt.NDArray[np.int64]) -> Differences:
    keys = keys.reshape(-1, 2 * problem.num_features + 2)
    rows = from_keys(keys)
    place = same_rows(rows.keys(), keys)
    measured = Vectors(measured_integers(rows))
    directions = measured.columns(range(measured.dimension - 1))
    return Differences(directions, int(occurrences.sum()), rows.keys(), occurrences[place], measured)


def shown_directions(problem: TeachingProblem) -> Iterator[Shown]:
    """The differences of every state, batch by batch, reduced to primitive directions."""
    for batch in problem.batches():
        yield directions_of(problem, batch)


def directions_of(problem: TeachingProblem, batch: Batch) -> Shown:
    """The directions of one batch; repeated differences are reduced once."""
    wanted = batch.available.copy()
    wanted[np.arange(len(batch)), batch.target] = False
    states, actions = np.nonzero(wanted)
    target, other = batch.features[states, batch.target[states]], batch.features[states, actions]
    if problem.is_float:
        keys, which = unique_rows(measured_rows(scaled(problem, target), scaled(problem, other)).keys())
        size = keys.shape[1] // 2 - 1
        ties = (np.delete(keys, [size, -1], axis=1) == 0).all(axis=1)
    else:
        # features stay below 2^61 in int64, so their differences cannot wrap
        distinct, first = unique_rows(target - other)
        keys, second = unique_rows(primitive(distinct))
        which, ties = second[first], (keys == 0).all(axis=1)
    return Shown(batch.start + len(batch), states + batch.start, actions, keys, ties, which)


def scaled(problem: TeachingProblem, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Float features with the columns brought to the same size by powers of two, which is exact or refused."""
    result = np.ldexp(features, -problem.column_exponents)
    lost = np.argwhere(np.ldexp(result, problem.column_exponents) != features)
    if lost.size:
        column = int(lost[0, 1])
        raise LimitExceeded(
            f"feature {column} holds numbers more than 2^1000 times smaller than its largest; "
            "give exact data, or drop the feature"
        )
    return result


def unique_rows(rows: Integers) -> tuple[Integers, npt.NDArray[np.intp]]:
    """The distinct rows sorted by value, and for each row the place of its equal."""
    if rows.dtype != np.int64:
        return _unique_objects(rows)
    keys = _packed(rows)
    if keys is None:
        distinct, which = np.unique(rows, axis=0, return_inverse=True)
        return distinct, which.reshape(-1)
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], which.reshape(-1)


def _unique_objects(rows: Integers) -> tuple[Integers, npt.NDArray[np.intp]]:
    texts = [tuple(row) for row in rows]
    distinct = sorted(set(texts))
    place = {row: i for i, row in enumerate(distinct)}
    table = np.empty((len(distinct), rows.shape[1]), dtype=object)
    for i, row in enumerate(distinct):
        table[i] = row
    return table, np.array([place[row] for row in texts], dtype=np.intp)


def _packed(rows: Integers) -> npt.NDArray[np.int64] | None:
    """One int64 per row in the same order, when the ranges of the columns leave room for it."""
    if rows.size == 0:
        return None
    low = [int(v) for v in rows.min(axis=0)]
    sizes = [int(v) - a + 1 for v, a in zip(rows.max(axis=0), low, strict=True)]
    if any(size.bit_length() > 62 for size in sizes) or sum(size.bit_length() for size in sizes) > 62:
        return None
    keys = np.zeros(len(rows), dtype=np.int64)
    for column, (lowest, size) in enumerate(zip(low, sizes, strict=True)):
        keys = keys * size + (rows[:, column] - lowest)
    return keys


def _stacked(known: Integers, new: Integers) -> Integers:
    return np.concatenate([known, new]) if len(known) else new


def same_rows(rows: Integers, table: Integers) -> npt.NDArray[np.intp]:
    """For each row its place in a table of distinct rows, or -1."""
    distinct, which = unique_rows(np.concatenate([table, rows]))
    place = np.full(len(distinct), -1, dtype=np.intp)
    place[which[: len(table)]] = np.arange(len(table))
    return place[which[len(table) :]]


def _first_tie(problem: TeachingProblem) -> ConflictTerm:
    """The first (state, action) in id order whose features equal the target's."""
    ties = [tie for shown in shown_directions(problem) for tie in _ties(shown)]
    row, action = min(ties, key=lambda tie: (problem.rank_of(tie[0]), tie[1]))
    return ConflictTerm(problem.state_id(row), problem.action_id(row, action), Fraction(1))


def _ties(shown: Shown) -> list[tuple[int, int]]:
    tied = np.flatnonzero(shown.ties[shown.which])
    return list(zip(shown.rows[tied].tolist(), shown.actions[tied].tolist(), strict=True))
