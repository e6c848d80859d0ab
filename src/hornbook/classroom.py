"""Where lessons are tried: who shows what, who errs where, and what some consistent learner may still do.

Weights are judged exactly, on every state, whoever made them.  States that show the same differences are
interchangeable and counted together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, exact_number, primitive_vector
from hornbook.coverage import Kinds, Marks, see_who_shows
from hornbook.differences import Differences, collect_differences, directions_of, same_rows
from hornbook.frames import Frame, exact_rays, extreme_rays
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.rays import Boxes, Rays, approximations, outside

__all__ = ["Classroom", "Shows", "Weights"]

Places = npt.NDArray[np.intp]
Weights = Sequence[float] | Sequence[int] | npt.NDArray[np.float64]
"""Weights on directions: for float data on columns that were scaled by powers of two."""


@dataclass(frozen=True, eq=False)
class Shows:
    """What some demonstrations show: the places of the directions, and of the rays, among all of the problem."""

    directions: Places
    rays: frozenset[int]


@dataclass(frozen=True, eq=False)
class Classroom:
    """A problem, its rays, and its states grouped by all the directions that they show.

    Cost: two readings of the problem, as `teach`, and memory for each kind of state with its directions.
    """

    problem: TeachingProblem
    differences: Differences
    frame: Frame
    kinds: Kinds

    @classmethod
    def of(cls, problem: TeachingProblem, *, progress: Progress = silent) -> Classroom:
        """Lay out a problem; raises `NotRealizable` where there is nothing to teach."""
        differences = collect_differences(problem, progress=progress)
        frame = extreme_rays(problem, differences, progress=progress)
        kinds = see_who_shows(problem, Marks.each(differences.keys), progress=progress).kinds
        return cls(problem, differences, frame, kinds)

    @property
    def directions(self) -> Vectors:
        """Every distinct direction of the problem."""
        return self.differences.directions

    @cached_property
    def units(self) -> npt.NDArray[np.float64]:
        """The directions at length one, rounded: for learners and pictures, not for decisions."""
        shapes = self.directions.shapes
        return np.asarray(shapes / np.linalg.norm(shapes, axis=1, keepdims=True))

    @cached_property
    def ray_of(self) -> Places:
        """The ray on which each direction lies, or -1."""
        ray = np.full(len(self.directions), -1, dtype=np.intp)
        ray[same_rows(self.frame.marks.keys, self.differences.keys)] = self.frame.marks.ray
        return ray

    @cached_property
    def kind_of(self) -> Places:
        """For each entry of `kinds.rays` the kind that it belongs to."""
        return np.repeat(np.arange(len(self.kinds)), np.diff(self.kinds.start))

    def shows(self, rows: Iterable[int]) -> Shows:
        """What demonstrating the states in these rows shows."""
        rows = list(rows)
        if len(rows) == self.problem.num_states:
            places = np.arange(len(self.directions))
        else:
            parts = [directions_of(self.problem, self.problem.source.read(row, row + 1)).keys for row in rows]
            found = [same_rows(keys, self.differences.keys) for keys in parts if len(keys)]
            places = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.intp)
        return Shows(places, frozenset(self.ray_of[places].tolist()) - {-1})

    def teaches(self, shows: Shows) -> bool:
        """Whether every ray is shown."""
        return len(shows.rays) == len(self.frame.rays)

    def rays_of(self, shows: Shows) -> Rays:
        """The extreme rays of what is shown, floats taken as the numbers they are."""
        directions = self.directions.take(shows.directions)
        part = Differences(directions, len(directions), directions.exact, np.ones(len(directions), dtype=np.int64))
        return exact_rays(self.problem, part)

    @cached_property
    def boxes(self) -> Boxes | None:
        """For float data the differences with their noise."""
        measured = self.differences.measured
        return None if measured is None else Boxes(measured, self.problem.tolerances.noise)

    def doubtful(self, shows: Shows) -> dict[int, tuple[int, ...]]:
        """The directions that what is shown does not imply, each with weights that separate it (for float data: beyond
        the noise, from the classes shown)."""
        if self.teaches(shows):
            return {}
        if self.boxes is None:
            return outside(self.rays_of(shows).vectors, self.directions)
        rays = self.frame.rays.vectors.take(sorted(shows.rays))
        rest = np.flatnonzero(~np.isin(self.ray_of, sorted(shows.rays)))
        separated = {int(rest[i]): weights for i, weights in outside(rays, self.directions.take(rest)).items()}
        near = approximations(rays, self.boxes, rows=sorted(separated))
        return {place: weights for place, weights in separated.items() if near[place] is None}

    def undecided(self, shows: Shows) -> int:
        """In how many states some consistent learner may do something else than the target."""
        return self.states_with(list(self.doubtful(shows)))

    def states_with(self, directions: Sequence[int] | Places) -> int:
        """How many states show any of these directions."""
        wanted = np.zeros(len(self.directions), dtype=np.bool_)
        wanted[np.asarray(directions, dtype=np.intp)] = True
        hit = np.zeros(len(self.kinds), dtype=np.bool_)
        hit[self.kind_of[wanted[self.kinds.rays]]] = True
        return int(self.kinds.counts[hit].sum())

    def errors(self, weights: Weights) -> int:
        """In how many states these weights do not score the target above all else; ties are errors.

        For float data only errors beyond the noise count (weights that are all zero err everywhere).
        """
        integers = _integers(weights)
        if self.boxes is None or not any(integers):
            wrong = self.directions.signs([integers])[:, 0] <= 0
        else:
            wrong = self.boxes.measured.signs([self.boxes.margin_weights(integers, side=-1)])[:, 0] > 0
        return self.states_with(np.flatnonzero(wrong))

    def agrees(self, weights: Weights, shows: Shows, *, margin: Fraction = Fraction(1)) -> bool:
        """Whether these weights are consistent with what is shown, exactly.

        For float data: whether their relative margin on it is more than `margin` times the noise.
        """
        integers = _integers(weights)
        if self.boxes is None:
            return bool((self.directions.take(shows.directions).signs([integers]) > 0).all())
        boxes = Boxes(self.boxes.measured.take(shows.directions), self.boxes.noise * margin)
        return bool(boxes.are_certain([integers], negative=[np.zeros(0, dtype=np.intp)])[0])

    def on_directions(self, weights: Weights) -> tuple[int, ...]:
        """Weights on features as weights on directions."""
        if not self.problem.is_float:
            return _integers(weights)
        exponents = self.problem.column_exponents.tolist()
        return primitive_vector(
            [Fraction(float(w)) * Fraction(2) ** e for w, e in zip(weights, exponents, strict=True)]
        )


def _integers(weights: Weights) -> tuple[int, ...]:
    """Weights as whole numbers in the same proportion: floats are taken as the binary fractions they are."""
    return primitive_vector([exact_number(w, stored=True) for w in weights])
