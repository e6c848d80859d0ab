"""Small problems written down as lists of differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbook.environments._declaration import World
from hornbook.sources import ArraySource

__all__ = ["world_of_differences"]


def world_of_differences(
    rows: Sequence[Sequence[Sequence[int]]],
    *,
    state_names: Sequence[str] | None = None,
    action_names: Sequence[str] | None = None,
) -> World:
    """One list of differences per state: action 0 is the target, with zeros; each other action is a negative.

    Rows of different length are padded with unavailable actions.  Cost: memory for the whole table.
    """
    width = 1 + max(len(row) for row in rows)
    features = np.zeros((len(rows), width, len(rows[0][0])), dtype=np.int64)
    available = np.zeros((len(rows), width), dtype=np.bool_)
    for state, row in enumerate(rows):
        features[state, 1 : 1 + len(row)] = -np.array(row, dtype=np.int64)
        available[state, : 1 + len(row)] = True
    source = ArraySource.of(features, np.zeros(len(rows), dtype=np.intp), available=available, exact=False)
    return World(source, state_names, action_names)
