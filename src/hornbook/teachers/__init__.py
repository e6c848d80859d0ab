"""Teachers: which states are shown.  Each answers with the states and with how many demonstrations that takes.

- `minimum`: as few as can be, proved.  The one to use.
- `greedy`: the state that shows most, again and again; fast, sometimes a few too many.
- `random`: draws with replacement until taught; what demonstrations from play amount to.
- `all`: every state, what behaviour cloning usually does.
- `kmeans`, `most_uncertain`: baselines with the budget of the minimum lesson; they leave states undecided.

To add one: a file, and a line in `TEACHERS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hornbook.teachers._declaration import Asked, Taught, Teacher
from hornbook.teachers.baselines import KMEANS, MOST_UNCERTAIN
from hornbook.teachers.optimal import ALL, GREEDY, MINIMUM
from hornbook.teachers.random import RANDOM

__all__ = ["TEACHERS", "Asked", "Taught", "Teacher"]

TEACHERS: Mapping[str, Teacher] = MappingProxyType(
    {
        "minimum": MINIMUM,
        "greedy": GREEDY,
        "random": RANDOM,
        "all": ALL,
        "kmeans": KMEANS,
        "most_uncertain": MOST_UNCERTAIN,
    }
)
"""Every teacher by name."""
