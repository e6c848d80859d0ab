"""What a learner is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors
from hornbook.classroom import Classroom, Shows, Weights
from hornbook.rays import Rays

__all__ = ["Learner", "Seen"]


@dataclass(frozen=True, eq=False)
class Seen:
    """Some demonstrations as a learner sees them: the differences that they show, at length one."""

    classroom: Classroom
    rows: Sequence[int]
    shows: Shows
    seed: int = 0

    @cached_property
    def vectors(self) -> Vectors:
        """The distinct directions, exact."""
        return self.classroom.directions.take(self.shows.directions)

    @cached_property
    def units(self) -> npt.NDArray[np.float64]:
        """The distinct directions at length one."""
        return self.classroom.units[self.shows.directions]

    @cached_property
    def rays(self) -> Rays:
        """Their extreme rays, with weights from the inside of the version space."""
        return self.classroom.rays_of(self.shows)


def _nothing() -> None:
    """Most learners need nothing."""


@dataclass(frozen=True)
class Learner:
    """`learn` returns the weights it may end with: one for most, several for a sampler, none if it cannot learn this.

    `promises` says whether it sets out to agree with every demonstration; whether it does is judged on its weights.
    """

    name: str
    learn: Callable[[Seen], Sequence[Weights]]
    promises: bool = True
    prepare: Callable[[], object] = _nothing
    """Imports what the learner needs; refuses with what to install where that is missing."""
