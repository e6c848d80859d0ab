"""Step 2 of 8: problem -> distinct directions of the differences `psi(s, b) = phi(s, pi(s)) - phi(s, b)`.

A problem is read twice: first for its distinct directions, later for who shows which (`coverage`).  Memory follows the
number of distinct directions, not of states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Vectors, from_keys, measured_integers, measured_rows, narrowed, primitive
from hornbook.errors import ConflictTerm, LimitExceeded, NotRealizable
from hornbook.problem import Batch, TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.tables import DirectionTable, RowTable, worth_compiling
from hornbook.threads import Crew, core_count, in_turn

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
    tallies = Crew(lambda: Tally(problem))
    for stop in in_turn(tallies.each(Tally.add), problem.batches(), threads=thread_count(problem)):
        progress("collecting differences", stop, problem.num_states)
    known, occurrences = _total(tallies.members)
    if bool(_ties_among(known, problem).any()):
        raise NotRealizable((_first_tie(problem),))
    return _measured(problem, known, occurrences) if problem.is_float else _exact(problem, known, occurrences)


def is_large(problem: TeachingProblem) -> bool:
    """Whether a reading is long enough for compiled kernels and for threads."""
    return worth_compiling(problem.num_states * problem.num_actions * problem.num_features)


def thread_count(problem: TeachingProblem) -> int:
    """How many threads read such a problem."""
    return core_count() if is_large(problem) else 1


class Tally:
    """Distinct directions, and how often each was met: in a table that grows, or as sorted arrays."""

    def __init__(self, problem: TeachingProblem) -> None:
        self._problem = problem
        self._known, self._occurrences = np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
        width = 2 * problem.num_features + 2 if problem.is_float else problem.num_features
        self._table = (RowTable if problem.is_float else DirectionTable)(width) if is_large(problem) else None

    def add(self, batch: Batch) -> int:
        """Count the differences of a batch; returns the row after it."""
        if isinstance(self._table, DirectionTable) and batch.features.dtype == np.int64:
            self._table.places(batch.features, batch.target, available=batch.available, adding=True)
        elif self._table is not None and self._problem.is_float:
            self._table.add(stored_keys(self._problem, batch))
        else:
            shown = directions_of(self._problem, batch)
            self._join(shown.keys, np.bincount(shown.which, minlength=len(shown.keys)))
        return batch.start + len(batch)

    def _join(self, keys: Integers, counts: npt.NDArray[np.int64]) -> None:
        self._known, self._occurrences = _joined([self._known, keys], [self._occurrences, counts])

    @property
    def result(self) -> tuple[Integers, npt.NDArray[np.int64]]:
        """The distinct rows sorted by value, and how often each was met."""
        if self._table is not None:
            self._join(self._table.rows, self._table.counts)
            self._table = None
        return self._known, self._occurrences


def _total(tallies: Sequence[Tally]) -> tuple[Integers, npt.NDArray[np.int64]]:
    results = [tally.result for tally in tallies]
    if len(results) == 1:
        return results[0]
    return _joined([keys for keys, _ in results], [counts for _, counts in results])


def _joined(
    keys: Sequence[Integers], counts: Sequence[npt.NDArray[np.int64]]
) -> tuple[Integers, npt.NDArray[np.int64]]:
    full = [part for part in keys if len(part)]
    if not full:
        return np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.int64)
    known, which = unique_rows(np.concatenate(full))
    return known, np.bincount(which, weights=np.concatenate(counts)).astype(np.int64)


def _ties_among(keys: Integers, problem: TeachingProblem) -> npt.NDArray[np.bool_]:
    """Which keys are no difference at all; of measured vectors the size does not count."""
    if problem.is_float and len(keys):
        keys = np.delete(keys, [keys.shape[1] // 2 - 1, -1], axis=1)
    return np.asarray((keys == 0).all(axis=1))


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
    states, actions = difference_places(batch)
    if problem.is_float:
        keys, which = unique_rows(stored_keys(problem, batch))
    else:
        # features stay below 2^61 in int64, so their differences cannot wrap
        distinct, first = unique_rows(batch.features[states, batch.target[states]] - batch.features[states, actions])
        keys, second = unique_rows(primitive(distinct))
        which = second[first]
    return Shown(batch.start + len(batch), states + batch.start, actions, keys, _ties_among(keys, problem), which)


def difference_places(batch: Batch) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """For each difference of a batch: which of its states, over which action."""
    wanted = batch.available.copy()
    wanted[np.arange(len(batch)), batch.target] = False
    states, actions = np.nonzero(wanted)
    return states, actions


def stored_keys(problem: TeachingProblem, batch: Batch) -> npt.NDArray[np.int64]:
    """The keys of all float differences of a batch, in the order of `difference_places`."""
    states, actions = difference_places(batch)
    target, other = batch.features[states, batch.target[states]], batch.features[states, actions]
    return measured_rows(scaled(problem, target), scaled(problem, other)).keys()


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
        return _unique_wide(rows)
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], which.reshape(-1)


def _unique_wide(rows: Integers) -> tuple[Integers, npt.NDArray[np.intp]]:
    order = row_order(rows)
    fresh = np.ones(len(rows), dtype=np.bool_)
    fresh[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    which = np.empty(len(rows), dtype=np.intp)
    which[order] = np.cumsum(fresh) - 1
    return rows[order[fresh]], which


def row_order(rows: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The order of rows by value, column after column; later columns are only looked at where earlier ones tie."""
    order = np.arange(len(rows))
    group = np.zeros(len(rows), dtype=np.intp)
    tied = np.arange(len(rows))
    for column in range(rows.shape[1]):
        values = rows[order[tied], column]
        turn = np.lexsort((values, group[tied])) if column else np.argsort(values, kind="stable")
        order[tied], values = order[tied[turn]], values[turn]
        new = np.ones(len(tied), dtype=np.bool_)
        new[1:] = (values[1:] != values[:-1]) | (group[tied[1:]] != group[tied[:-1]])
        group[tied] = tied[np.maximum.accumulate(np.where(new, np.arange(len(tied)), 0))]
        tied = tied[~new | np.append(~new[1:], False)]
        if tied.size == 0:
            break
    return order


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
