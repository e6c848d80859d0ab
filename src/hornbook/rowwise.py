"""Beside step 6: lessons of labelled rows, decided row by row.

In Kesler's construction a difference names its row: the column of ones tells rows with other inputs apart.  So every
extreme ray is shown by equal rows only, the fewest rows are exactly those that show a ray, and no ray has to be found
to know them: a row is needed if some classifier agrees with all others and not with it.  In many dimensions that is
far less work than finding all rays, and where it is too much the rows in doubt stay, with a proved bound.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from hornbook.arithmetic import primitive_vector
from hornbook.cloning import consistent_scores
from hornbook.cover import Cover, Leaf
from hornbook.coverage import Coverage, Marks, see_who_shows
from hornbook.differences import Differences, collect_differences
from hornbook.errors import BadProblem, NotRealizable
from hornbook.frames import Frame, named_conflict
from hornbook.lesson import Counts, Demonstration, Lesson, Misconception
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.rays import Conflict, Needs, Rays, guessed_conflict, needed_groups, realize
from hornbook.teaching import Trace

__all__ = ["teach_rows"]

_PASSES = 100


def teach_rows(problem: TeachingProblem, *, time_limit: float | None = None, progress: Progress = silent) -> Lesson:
    """The fewest rows of a problem of `from_classification`, its numbers exact; or few of them, with a proved bound.

    As `teach`, but `lesson.rays` are only the rays that the proof needs, one for each row that is proved to be needed.
    After `time_limit` seconds, and where linear programs would be too large, rows in doubt stay in the lesson.
    """
    began = time.monotonic()
    differences = collect_differences(problem, progress=progress)
    weights = _realizing(problem, differences)
    coverage = see_who_shows(problem, Marks.each(differences.keys), progress=progress)
    owner = np.empty(len(differences.directions), dtype=np.intp)
    owner[coverage.kinds.rays] = np.repeat(np.arange(len(coverage.kinds)), np.diff(coverage.kinds.start))
    left = None if time_limit is None else max(0.0, time_limit - (time.monotonic() - began))
    if len(coverage.kinds):
        needs = needed_groups(differences.directions, owner.tolist(), weights=weights, seconds=left, progress=progress)
    else:
        needs = Needs({}, {})
    trace = _trace(problem, differences, coverage, weights=weights, needs=needs)
    return _lesson(trace, seconds=time.monotonic() - began)


def _realizing(problem: TeachingProblem, differences: Differences) -> tuple[int, ...]:
    """Weights that agree with every row, or `NotRealizable`."""
    directions = differences.directions
    scores = consistent_scores(problem, max_iter=_PASSES)
    if not scores.wrong:
        return primitive_vector([Fraction(value) for value in scores.weights.ravel().tolist()])
    found = guessed_conflict(directions) or realize(directions)
    if isinstance(found, Conflict):
        raise NotRealizable(named_conflict(problem, differences, conflict=found))
    return found


def _trace(
    problem: TeachingProblem, differences: Differences, coverage: Coverage, *, weights: Sequence[int], needs: Needs
) -> Trace:
    """What stays is a frame: its directions are not all extreme, but the others are sums of them."""
    directions = differences.directions
    kept = [row for row in range(len(directions)) if row not in needs.sums]
    place = {row: i for i, row in enumerate(kept)}
    rays = Rays(directions.take(kept), tuple(kept), tuple(weights))
    marks = Marks.each(rays.vectors.exact)
    seen = see_who_shows(problem, marks)
    witnesses = {place[row]: w for row, w in needs.witness.values()}
    proof = Leaf(tuple((ray, Fraction(1)) for ray in sorted(witnesses)))
    size, bound = Fraction(len(seen.kinds)), Fraction(len(witnesses))
    cover = Cover(tuple(range(len(seen.kinds))), size, bound, proof, complete=size == bound)
    sums = {row: [place[member] for member in members] for row, members in needs.sums.items()}
    return Trace(problem, differences, Frame(rays, marks), seen, cover, witnesses, sums)


@dataclass(frozen=True, eq=False)
class _Proved:
    """The evidence of a lesson whose rays are those of the proof."""

    trace: Trace

    def misconceptions(self) -> tuple[Misconception, ...]:
        return self.trace.misconceptions()

    def misconception(self, ray: int) -> Misconception:
        return self.misconceptions()[self._checked(ray)]

    def states_showing(self, ray: int) -> Iterator[str]:
        return self.trace.states_showing(self.trace.proof_rays[self._checked(ray)])

    def certificate(self) -> dict[str, Any]:
        return self.trace.certificate()

    def _checked(self, ray: int) -> int:
        count = len(self.trace.proof_rays)
        if not 0 <= ray < count:
            raise BadProblem(f"there is no ray {ray}: the rays of the proof run from 0 to {count - 1}")
        return ray


def _lesson(trace: Trace, *, seconds: float) -> Lesson:
    problem, vectors = trace.problem, trace.rays.vectors
    rows = trace.chosen_rows
    shown = [(row, int(problem.source.read(row, row + 1).target[0])) for row in rows]
    return Lesson(
        demonstrations=tuple(Demonstration(problem.state_id(r), problem.action_id(r, t), r) for r, t in shown),
        cost=trace.cover.cost,
        lower_bound=trace.cover.lower_bound,
        rays=tuple(vectors.row(ray) for ray in trace.proof_rays),
        counts=Counts(problem.num_states, trace.differences.count, len(trace.differences.directions)),
        arithmetic=problem.arithmetic,
        evidence=_Proved(trace),
        seconds={"rows": seconds},
    )
