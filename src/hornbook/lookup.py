"""Rows of a table found again, a few at a time and often: where sorting the table each time would be waste."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Lookup"]


class Lookup:
    """The places of rows in a table of distinct rows.

    >>> Lookup(np.array([[1, 2], [3, 4]]))(np.array([[3, 4], [4, 3]])).tolist()
    [1, -1]
    """

    def __init__(self, table: npt.NDArray[Any]) -> None:
        self._place = {key: place for place, key in enumerate(map(tuple, table.tolist()))}

    def __call__(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
        """For each row its place in the table, or -1.  Cost: one look into a dictionary for each."""
        return np.array([self._place.get(key, -1) for key in map(tuple, rows.tolist())], dtype=np.intp)
