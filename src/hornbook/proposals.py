"""Guesses from a floating-point solver: the only file that talks to one.

Nothing here decides anything.  A guess may be wrong, stale or missing, and no status of the solver is
reported to anybody: whoever asks must turn the numbers into an exact statement and check that.  A bad guess
costs time, never correctness, which is why a stub returning random numbers can stand in for the solver in
tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["FINE", "Guess", "LinearProgram", "Relaxation", "RelaxationMaker", "Row", "highs_relaxation"]

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

FINE = 1e-6
"""Differences below this in a guess are the solver's noise."""

_SHORTEST = 0.01  # seconds: a time limit of zero is refused by the solver
_POLL = 0.1  # seconds between two looks for Ctrl-C while the solver's thread runs


@dataclass(frozen=True)
class Row:
    """One constraint: `at_least <= sum of values * variables <= at_most`."""

    variables: IntArray
    values: FloatArray
    at_least: float
    at_most: float = float("inf")


@dataclass(frozen=True)
class LinearProgram:
    """Minimise `cost @ x` over `lower <= x <= upper` and the rows."""

    cost: FloatArray
    lower: FloatArray
    upper: FloatArray
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Guess:
    """What the solver believes: values of the variables and dual values of the rows, finite or not, right or
    not."""

    variables: FloatArray
    duals: FloatArray
    exact: tuple[NDArray[np.object_], int] | None = None
    """From a solver that works in exact numbers: the duals as integers over a common denominator."""


class Relaxation(Protocol):
    """A linear program that is asked again and again with other bounds and more rows."""

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows."""

    def guess(self, lower: FloatArray, upper: FloatArray, *, seconds: float | None = None) -> Guess | None:
        """Solve within these bounds of the variables; None when the solver has no numbers to show."""


class RelaxationMaker(Protocol):
    """Opens a relaxation; `highs_relaxation` is one, tests inject others."""

    def __call__(self, program: LinearProgram) -> Relaxation:
        """Take the program in; solve nothing yet."""


def highs_relaxation(program: LinearProgram) -> Relaxation:
    """Open `program` in HiGHS, which stays warm between guesses.

    Cost and limits: a first guess on a cover of 150 rays and 800 units takes about 30 ms, later ones less;
    HiGHS drops coefficients up to 1e-9 and works to 1e-7, so numbers far below that are noise.  Imports
    highspy (70 ms).
    """
    return _Highs(program)


class _Highs:
    """HiGHS with one program inside."""

    def __init__(self, program: LinearProgram) -> None:
        import highspy

        make: Any = highspy.Highs  # partly untyped
        self._solver = make()
        for option, value in (("output_flag", False), ("threads", 1), ("random_seed", 0)):
            self._solver.setOptionValue(option, value)
        # Without this HiGHS neither runs beside us nor can be cancelled, and Ctrl-C is ignored.
        self._solver.HandleKeyboardInterrupt = True
        count = len(program.cost)
        none = np.zeros(0, dtype=np.int32)
        self._indices = np.arange(count, dtype=np.int32)
        self._solver.addCols(count, program.cost, program.lower, program.upper, 0, none, none, np.zeros(0))
        self.add(program.rows)

    def add(self, rows: Sequence[Row]) -> None:
        lengths = [len(row.variables) for row in rows]
        starts = np.concatenate(([0], np.cumsum(lengths)))[:-1].astype(np.int32)
        self._solver.addRows(
            len(rows),
            np.array([row.at_least for row in rows], dtype=np.float64),
            np.array([row.at_most for row in rows], dtype=np.float64),
            sum(lengths),
            starts,
            np.concatenate([row.variables for row in rows]).astype(np.int32),
            np.concatenate([row.values for row in rows]),
        )

    def guess(self, lower: FloatArray, upper: FloatArray, *, seconds: float | None = None) -> Guess | None:
        self._solver.changeColsBounds(len(self._indices), self._indices, lower, upper)
        # HiGHS counts its time limit from the first run, not from this one.
        limit = float("inf") if seconds is None else self._solver.getRunTime() + max(seconds, _SHORTEST)
        self._solver.setOptionValue("time_limit", limit)
        self._run()
        solution = self._solver.getSolution()
        if not (solution.value_valid and solution.dual_valid):
            return None
        return Guess(np.array(solution.col_value, dtype=np.float64), np.array(solution.row_dual, dtype=np.float64))

    def _run(self) -> None:
        done = Event()
        # An event, because an interrupted `join` takes the thread for finished while it runs on (Python 3.11)
        Thread(target=_run_and_tell, args=(self._solver, done), daemon=True).start()
        try:
            while not done.wait(_POLL):
                pass
        except KeyboardInterrupt:
            self._solver.cancelSolve()
            done.wait()
            raise


def _run_and_tell(solver: Any, done: Event) -> None:
    try:
        solver.run()
    finally:
        done.set()
