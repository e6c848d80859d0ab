"""The paper's learner: after some demonstrations it may hold any w in VS(D), and act on any of them.

Everything is exact.  "Undecided" and "counterexample" are about what the worst consistent learner may still do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Integers, Number, Vectors, exact_number, narrowed, primitive, primitive_vector
from hornbook.coverage import first_shown, states_showing
from hornbook.differences import Differences, collect_differences, directions_of, unique_rows
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.rays import Cone, Outside, Rays, combinations, outside, rounded
from hornbook.teaching import extreme_rays

__all__ = ["Counterexample", "Implied", "Verdict", "VersionSpace", "counterexample"]


@dataclass(frozen=True)
class Counterexample:
    """A consistent learner that errs: it agrees with all demonstrations, but prefers `wrong_action` in `state`."""

    weights: tuple[int, ...]
    state: str
    action: str
    wrong_action: str


@dataclass(frozen=True)
class Implied:
    """Why a set teaches: each direction of the problem is a positive combination of those that the set shows.

    `combinations[i]` says which rows of `shown` add up to direction `directions[i]`.
    """

    shown: tuple[tuple[int, ...], ...]
    directions: tuple[tuple[int, ...], ...]
    combinations: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Verdict:
    """Whether a set teaches: with `evidence` if it does, with a `counterexample` if not."""

    teaches: bool
    evidence: Implied | None
    counterexample: Counterexample | None
    undecided: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.teaches


class VersionSpace:
    """All weights that are consistent with demonstrating `states` (ids or row numbers).

    >>> from hornbook.environments import environment
    >>> problem = environment("two_rays")
    >>> VersionSpace(problem, ["s"]).undecided(), VersionSpace(problem, ["t"]).undecided()
    ((), ('s', 'u'))
    """

    def __init__(self, problem: TeachingProblem, states: Sequence[str | int]) -> None:
        self.problem = problem
        self.rows = sorted({problem.row_of(state) for state in states}, key=problem.rank_of)
        self.shown = _shown_by(problem, self.rows)
        self._rays = extreme_rays(problem, Differences(self.shown, len(self.shown)))

    def contains(self, weights: Sequence[object] | npt.NDArray[Any]) -> bool:
        """Whether these weights are consistent, ties being mistakes; floats are taken as the numbers they are."""
        integers = primitive_vector([exact_number(v, stored=True) for v in weights])
        return bool((self.shown.signs([integers]) > 0).all())

    def interior_point(self) -> tuple[int, ...]:
        """Some consistent weights."""
        return self._rays.weights

    def sample(self, count: int, *, seed: int = 0) -> npt.NDArray[np.float64]:
        """`count` consistent weights of length below one, by hit-and-run from the interior point; each one is checked.

        Cost: ten steps a sample, each a product with the extreme rays shown.  Very thin version spaces yield samples
        that differ little.
        """
        generator = np.random.Generator(np.random.PCG64(seed))
        walk = _hit_and_run(self._rays, generator)
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
        if len(self._rays) == 0:
            return True  # w = 0 is consistent with nothing and ties everywhere
        rivals = np.array([b for b in available if b != action], dtype=np.intp)
        weak = primitive(narrowed(features[action] - features[rivals]))
        strict = self._rays.vectors.exact
        lifted = np.concatenate([_with_height(strict, 1), _with_height(weak, 0)])
        apex = [0] * self.problem.num_features + [1]
        return isinstance(Cone(Vectors(narrowed(lifted))).locate(apex), Outside)

    def undecided(self) -> tuple[str, ...]:
        """The states where some consistent learner may do something else than the target, in id order."""
        return _undecided_states(self.problem, self._doubtful[0])

    @cached_property
    def _doubtful(self) -> tuple[Vectors, list[tuple[int, ...]]]:
        """The directions of the whole problem that the demonstrations do not imply, with separating weights."""
        directions = collect_differences(self.problem).directions
        separated = outside(self._rays.vectors, directions)
        return directions.take(list(separated)), list(separated.values())


def counterexample(problem: TeachingProblem, states: Sequence[str | int], *, progress: Progress = silent) -> Verdict:
    """Does demonstrating these states teach the policy?  Either way with evidence that can be checked by hand.

    Raises `NotRealizable` if there is no policy to teach.  Cost: one question to the cone of the shown rays for each
    distinct direction of the problem.

    >>> from hornbook.environments import environment
    >>> verdict = counterexample(environment("two_rays"), ["t"])
    >>> verdict.teaches, verdict.counterexample.state
    (False, 's')
    """
    differences = collect_differences(problem, progress=progress)
    everything = extreme_rays(problem, differences, progress=progress)
    space = VersionSpace(problem, states)
    doubtful, separating = space._doubtful
    if len(doubtful) == 0:
        return Verdict(True, _implied(space, differences), None, ())
    error = _first_error(space, doubtful.row(0), separating[0], everything.weights)
    return Verdict(False, None, error, space.undecided())


def _implied(space: VersionSpace, differences: Differences) -> Implied:
    shown, directions = space._rays.vectors, differences.directions
    return Implied(tuple(shown.rows()), tuple(directions.rows()), tuple(combinations(shown, directions)))


def _first_error(
    space: VersionSpace, direction: tuple[int, ...], separating: tuple[int, ...], realizing: tuple[int, ...]
) -> Counterexample:
    """Tilt the separating weights a little into the interior, so that they are strictly consistent and still wrong."""
    below = -sum(a * b for a, b in zip(separating, direction, strict=True))
    above = sum(a * b for a, b in zip(realizing, direction, strict=True))
    tilted = primitive_vector([2 * above * s + below * w for s, w in zip(separating, realizing, strict=True)])
    both = Vectors.of([*space._rays.vectors.rows(), direction], len(direction))
    weights = rounded(tilted, both, negative=[len(both) - 1])
    row, _ = first_shown(space.problem, [direction])[0]
    return _told(space.problem, row, weights)


def _told(problem: TeachingProblem, row: int, weights: tuple[int, ...]) -> Counterexample:
    """The error in words: which action these weights prefer in the state (the first of the best)."""
    batch = problem.source.read(row, row + 1)
    available = np.flatnonzero(batch.available[0]).tolist()
    scores = {a: _score(weights, batch.features[0, a]) for a in available}
    wrong = max(available, key=lambda a: scores[a])
    return Counterexample(
        weights, problem.state_id(row), problem.action_id(row, int(batch.target[0])), problem.action_id(row, wrong)
    )


def _score(weights: Sequence[int], features: Integers) -> Number:
    total: Number = 0
    for weight, feature in zip(weights, features.tolist(), strict=True):
        total += weight * feature
    return total


def _shown_by(problem: TeachingProblem, rows: Sequence[int]) -> Vectors:
    """The distinct directions that these rows show."""
    parts = [directions_of(problem.source.read(row, row + 1)).directions for row in rows]
    empty = np.zeros((0, problem.num_features), dtype=np.int64)
    return Vectors(narrowed(unique_rows(np.concatenate(parts) if parts else empty)[0]))


def _undecided_states(problem: TeachingProblem, directions: Vectors) -> tuple[str, ...]:
    rows = sorted(states_showing(problem, directions), key=problem.rank_of)
    return tuple(problem.state_id(row) for row in rows)


def _with_height(vectors: Integers, height: int) -> Integers:
    column = np.full((len(vectors), 1), height, dtype=vectors.dtype)
    return np.hstack([vectors, column])


def _hit_and_run(rays: Rays, generator: np.random.Generator) -> Iterator[npt.NDArray[np.float64]]:
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
