"""The paper's learner: after some demonstrations it may hold any w in VS(D), and act on any of them.

Everything is exact: "undecided" is about what the worst consistent learner may still do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Number, Vectors, exact_number, narrowed, primitive, primitive_vector
from hornbook.coverage import states_showing
from hornbook.differences import Differences, collect_differences, directions_of, unique_rows
from hornbook.errors import BadProblem
from hornbook.frames import exact_rays
from hornbook.problem import TeachingProblem
from hornbook.rays import Cone, Outside, Rays, outside

__all__ = ["VersionSpace", "hit_and_run"]


class VersionSpace:
    """All weights that are consistent with demonstrating `states` (ids or row numbers).

    Floats count as the numbers they are: this is about one stored problem, not about all problems within its noise.

    >>> from hornbook.environments import environment
    >>> problem = environment("two_rays")
    >>> VersionSpace(problem, ["s"]).undecided(), VersionSpace(problem, ["t"]).undecided()
    ((), ('s', 'u'))
    """

    def __init__(self, problem: TeachingProblem, states: Sequence[str | int]) -> None:
        if isinstance(states, str):
            raise BadProblem(f"states: {states[:40]!r} is one text; give a list of ids, such as [{states[:40]!r}]")
        self.problem = problem.taken_exactly() if problem.is_float else problem
        self.rows = sorted({problem.row_of(state) for state in states}, key=problem.rank_of)
        self.shown = _shown_by(self.problem, self.rows)
        self.rays = exact_rays(self.problem, self.shown)

    def contains(self, weights: Sequence[object] | npt.NDArray[Any]) -> bool:
        """Whether these weights are consistent, ties being mistakes; floats are taken as the numbers they are."""
        if len(weights) != self.problem.num_features:
            raise BadProblem(f"weights: there are {len(weights)} for {self.problem.num_features} features")
        integers = primitive_vector([_weight(v, place) for place, v in enumerate(weights)])
        return bool((self.shown.directions.signs([integers]) > 0).all())

    def interior_point(self) -> tuple[int, ...]:
        """Some consistent weights."""
        return self.rays.weights

    def sample(self, count: int, *, seed: int = 0) -> npt.NDArray[np.float64]:
        """`count` consistent weights of length below one, by hit-and-run from the interior point; each one is checked.

        Cost: ten steps a sample, each a product with the extreme rays shown.  Very thin version spaces yield samples
        that differ little.
        """
        if count < 0:
            raise BadProblem(f"there are no {count} samples; ask for 0 or more")
        generator = np.random.Generator(np.random.PCG64(seed))
        walk = hit_and_run(self.rays, generator)
        found = list(islice(filter(self.contains, walk), count))
        return np.array(found).reshape(count, self.problem.num_features)

    def actions(self, state: str | int) -> tuple[str, ...]:
        """The actions that some consistent weights score highest in this state, ties included."""
        row = self.problem.row_of(state)
        batch = self.problem.source.read(row, row + 1)
        available = np.flatnonzero(batch.available[0]).tolist()
        possible = [a for a in available if self._can_win(batch.features[0], a, available)]
        return tuple(self.problem.action_id(row, action) for action in possible)

    def _can_win(self, features: Integers, action: int, available: list[int]) -> bool:
        """Strictly positive on all that was shown and nowhere below in this state (Motzkin's transposition theorem)."""
        if len(self.rays) == 0:
            return True  # w = 0 is consistent with nothing and ties everywhere
        rivals = np.array([b for b in available if b != action], dtype=np.intp)
        weak = primitive(narrowed(features[action] - features[rivals]))
        strict = self.rays.vectors.exact
        lifted = np.concatenate([_with_height(strict, 1), _with_height(weak, 0)])
        apex = [0] * self.problem.num_features + [1]
        return isinstance(Cone(Vectors(narrowed(lifted))).locate(apex), Outside)

    def undecided(self) -> tuple[str, ...]:
        """The states where some consistent learner may do something else than the target, in id order."""
        doubtful, _ = self.doubtful
        rows = sorted(states_showing(self.problem, doubtful.exact), key=self.problem.rank_of)
        return tuple(self.problem.state_id(row) for row in rows)

    @cached_property
    def doubtful(self) -> tuple[Vectors, list[tuple[int, ...]]]:
        """The directions of the whole problem that the demonstrations do not imply, with separating weights."""
        directions = collect_differences(self.problem).directions
        separated = outside(self.rays.vectors, directions)
        return directions.take(list(separated)), list(separated.values())


def _shown_by(problem: TeachingProblem, rows: Sequence[int]) -> Differences:
    """The differences that these rows show."""
    parts = [directions_of(problem, problem.source.read(row, row + 1)).keys for row in rows]
    empty = np.zeros((0, problem.num_features), dtype=np.int64)
    keys, which = unique_rows(np.concatenate(parts) if parts else empty)
    directions = Vectors(narrowed(keys))
    return Differences(directions, len(which), directions.exact, np.bincount(which, minlength=len(keys)))


def _weight(value: object, place: int) -> Number:
    try:
        return exact_number(value, stored=True)
    except ValueError as error:
        raise BadProblem(f"weights: number {place}: {error}") from None


def _with_height(vectors: Integers, height: int) -> Integers:
    column = np.full((len(vectors), 1), height, dtype=vectors.dtype)
    return np.hstack([vectors, column])


def hit_and_run(rays: Rays, generator: np.random.Generator) -> Iterator[npt.NDArray[np.float64]]:
    """Points of {w : <w, ray> > 0, |w| < 1}, every tenth step of a random walk along chords."""
    scale = [max(map(abs, ray)) for ray in rays.vectors.rows()]
    facets = np.array(
        [[v / s for v in ray] for ray, s in zip(rays.vectors.rows(), scale, strict=True)], dtype=np.float64
    )
    size = max(map(abs, rays.weights)) if any(rays.weights) else 1
    point = np.array([v / size for v in rays.weights], dtype=np.float64)
    point *= 0.5 / max(1.0, float(np.linalg.norm(point)))
    while True:
        for _ in range(10):
            point = _step(point, facets, generator)
        yield point.copy()


def _step(
    point: npt.NDArray[np.float64], facets: npt.NDArray[np.float64], generator: np.random.Generator
) -> npt.NDArray[np.float64]:
    direction = generator.standard_normal(point.size)
    direction /= np.linalg.norm(direction)
    along = float(point @ direction)
    reach = float(np.sqrt(max(0.0, along * along + 1.0 - float(point @ point))))
    low, high = -along - reach, -along + reach
    if len(facets):
        speed, room = facets @ direction, facets @ point
        with np.errstate(divide="ignore", invalid="ignore"):
            limits = -room / speed
        low = max([low, *limits[speed > 0].tolist()])
        high = min([high, *limits[speed < 0].tolist()])
    return point + generator.uniform(low, max(low, high)) * direction
