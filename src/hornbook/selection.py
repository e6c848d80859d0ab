"""Beside step 1: a problem without some of its states; the others keep their ids, costs and actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from hornbook.problem import TeachingProblem
from hornbook.sources import Batch, KeslerSource, Source

__all__ = ["leave_out"]


@dataclass(frozen=True, eq=False)
class SelectedSource:
    """Some rows of another source, in their order."""

    whole: Source
    kept: npt.NDArray[np.intp]

    @property
    def num_states(self) -> int:
        return len(self.kept)

    @property
    def num_actions(self) -> int:
        return self.whole.num_actions

    @property
    def num_features(self) -> int:
        return self.whole.num_features

    @property
    def arithmetic(self) -> str:
        return self.whole.arithmetic

    @property
    def counts(self) -> Sequence[int]:
        every = self.whole.counts
        return [every[row] for row in self.kept.tolist()]

    def read(self, start: int, stop: int) -> Batch:
        """Few rows are missing, so those between the first and the last are read and sieved."""
        rows = self.kept[start:stop]
        first = int(rows[0]) if rows.size else 0
        batch = self.whole.read(first, int(rows[-1]) + 1 if rows.size else 0)
        part = rows - first
        return replace(
            batch,
            start=start,
            features=batch.features[part],
            available=batch.available[part],
            target=batch.target[part],
        )


def _selected(source: Source, kept: npt.NDArray[np.intp]) -> Source:
    """Labelled rows stay labelled rows, of the same classes."""
    if isinstance(source, KeslerSource):
        return replace(source, inputs=source.inputs[kept], target=source.target[kept])
    return SelectedSource(source, kept)


def leave_out(problem: TeachingProblem, states: Iterable[str | int]) -> TeachingProblem:
    """The problem without these states (ids or row numbers).

    The others keep their ids.  The hash is that of the rows that stay, also for a built-in environment.

    >>> import hornbook
    >>> leave_out(hornbook.environment("six_rays"), ["s1", "s2"]).num_states
    4
    """
    gone = [problem.row_of(state) for state in states]
    kept = np.setdiff1d(np.arange(problem.num_states), gone)
    rows = kept.tolist()
    names = problem.action_names
    own = bool(names) and not isinstance(names[0], str)  # type: ignore[index]
    rest = TeachingProblem.from_source(
        _selected(problem.source, kept),
        cost=[problem.cost_of(row) for row in rows] if problem.has_costs else None,
        state_names=[problem.state_id(row) for row in rows],
        action_names=([names[row] for row in rows] or None) if own else names,  # type: ignore[index]
        feature_names=problem.feature_names,
    )
    if not problem.is_float:
        return rest
    return rest.with_tolerances(noise=problem.tolerances.noise, merge=problem.tolerances.merge)
