"""What figures ask of a lesson: the differences as stored, the rays in floats, and who shows each ray."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from hornbook.differences import directions_of, same_rows
from hornbook.errors import BadProblem
from hornbook.explanations import trace_of
from hornbook.lesson import Lesson
from hornbook.problem import TeachingProblem
from hornbook.sources import Batch
from hornbook.teaching import Trace
from hornbook.text import harmless

__all__ = ["features_named", "rays_of", "showing", "stored", "told_apart", "vector_text"]

Floats = npt.NDArray[np.float64]


def stored(lesson: Lesson, *, states: Iterable[str | int] | None = None) -> Floats:
    """The distinct differences of some states, or of all, in floats: for eyes, not for decisions.

    Cost: one reading of the problem.
    """
    return told_apart(lesson, states=states)[0]


def told_apart(lesson: Lesson, *, states: Iterable[str | int] | None = None) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The same, and which of them lie on an extreme ray: as the lesson found, not as floats would have it."""
    trace = trace_of(lesson)
    problem = trace.problem
    batches = problem.batches() if states is None else [_one(problem, state) for state in states]
    parts = [np.unique(_marked(batch, trace), axis=0) for batch in batches]
    table = np.unique(np.concatenate([np.zeros((0, problem.num_features + 1)), *parts]), axis=0)
    return table[:, :-1], table[:, -1] > 0


def _one(problem: TeachingProblem, state: str | int) -> Batch:
    row = problem.row_of(state)
    return problem.source.read(row, row + 1)


def _marked(batch: Batch, trace: Trace) -> Floats:
    """The differences of a batch, with a last column that is 1 for those on a ray."""
    shown = directions_of(trace.problem, batch)
    rows = shown.rows - batch.start
    target = batch.features[rows, batch.target[rows]].astype(np.float64)
    differences = target - batch.features[rows, shown.actions].astype(np.float64)
    on_ray = same_rows(shown.keys, trace.frame.marks.keys)[shown.which] >= 0
    return np.column_stack([differences, on_ray])


def rays_of(lesson: Lesson, *, dimension: int) -> Floats:
    """The rays of a lesson in so many features; another number of features is refused."""
    found = trace_of(lesson).problem.num_features
    if found != dimension:
        raise BadProblem(f"this figure needs {dimension} features, and the problem has {found}; try cross_section")
    return np.array(lesson.rays, dtype=np.float64).reshape(-1, dimension)


def showing(lesson: Lesson) -> list[list[str]]:
    """For each ray the states that show it, in id order."""
    return [list(lesson.states_showing(ray)) for ray in range(len(lesson.rays))]


def features_named(lesson: Lesson) -> list[str]:
    """What axes are called: the features' names, or their numbers."""
    names = trace_of(lesson).problem.feature_names
    count = trace_of(lesson).problem.num_features
    return [f"feature {i + 1}" for i in range(count)] if names is None else [harmless(name) for name in names]


def vector_text(vector: Sequence[float]) -> str:
    """A ray in few characters: `(1, -5)`."""
    return f"({', '.join(f'{value:.4g}' for value in vector)})"
