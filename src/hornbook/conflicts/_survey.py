"""What a table of states holds: how many say the same, which contradict each other outright, and which say nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hornbook.problem import Batch, TeachingProblem

__all__ = ["Survey", "survey"]


@dataclass(frozen=True)
class Survey:
    """Counts over a whole problem.

    `duplicates`: states that repeat an earlier one, with the same features and the same target.  `contradictions`:
    groups of states with the same features and different targets, by id.  `vacuous`: states with one action, which have
    nothing to teach.  `merged`: differences that lie on the direction of another.
    """

    duplicates: int
    contradictions: tuple[tuple[str, ...], ...]
    vacuous: int
    merged: int

    @property
    def lines(self) -> list[str]:
        """In words, what there is to tell."""
        told = [
            (self.duplicates, "states that repeat another one, target and all"),
            (len(self.contradictions), "groups of states with the same features and different targets"),
            (self.vacuous, "states with one action, which have nothing to teach"),
            (self.merged, "differences on the direction of another"),
        ]
        return [f"{what}: {count:,}" for count, what in told if count]


def survey(problem: TeachingProblem, *, directions: int) -> Survey:
    """Read the problem once, states in row order; memory for one fingerprint per distinct state."""
    seen: dict[tuple[bytes, ...] | bytes, dict[int, list[int]]] = {}
    vacuous = differences = 0
    for batch in problem.batches():
        others = batch.available.sum(axis=1) - 1
        vacuous += int((others == 0).sum())
        differences += int(others.sum())
        for i, mark in enumerate(_fingerprints(batch)):
            seen.setdefault(mark, {}).setdefault(int(batch.target[i]), []).append(batch.start + i)
    duplicates = sum(len(rows) - 1 for targets in seen.values() for rows in targets.values())
    apart = [
        sorted((row for rows in t.values() for row in rows), key=problem.rank_of) for t in seen.values() if len(t) > 1
    ]
    apart.sort(key=lambda rows: problem.rank_of(rows[0]))
    contradictions = tuple(tuple(problem.state_id(row) for row in rows) for rows in apart)
    return Survey(duplicates, contradictions, vacuous, differences - directions)


def _fingerprints(batch: Batch) -> Iterator[bytes]:
    """For each state of a batch something that only states with the same actions and features share."""
    features = np.where(batch.available[:, :, None], batch.features, 0)
    if features.dtype == object:
        features = np.array([[[str(v) for v in vector] for vector in state] for state in features.tolist()])
        yield from (
            repr((state.tolist(), there.tolist())).encode()
            for state, there in zip(features, batch.available, strict=True)
        )
        return
    for state, there in zip(features + 0, batch.available, strict=True):
        yield state.tobytes() + there.tobytes()
