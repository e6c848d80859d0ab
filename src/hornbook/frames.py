"""Between steps 3 and 4: the rays of a problem, exact or float, and which of its differences show them.

Rays never see a state; here their rows get names.  A conflict becomes `NotRealizable` and a doubt `Ambiguous`, told
with states and actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np

from hornbook.arithmetic import on_features, primitive_vector
from hornbook.coverage import Marks, first_shown
from hornbook.differences import Differences
from hornbook.errors import Ambiguous, ConflictTerm, LimitExceeded, NotRealizable, PriorTerm
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.rays import (
    Believed,
    Boxes,
    Conflict,
    Doubt,
    Faces,
    Labelling,
    Rays,
    canonical_margins,
    find_faces,
    find_rays,
    label,
    misconception,
)

__all__ = [
    "Frame",
    "believed_frame",
    "conflict_terms",
    "exact_rays",
    "extreme_rays",
    "misconception_weights",
    "named_conflict",
    "shown_rays",
    "unscaled",
]

_HINT = "give exact data (integers, fractions, decimal texts), or set noise and merge to what your numbers deserve"


@dataclass(frozen=True, eq=False)
class Frame:
    """The rays that every lesson must show, and the keys of the differences that show them.

    For float data `labelling` says what is certain and what is assumed, ray vectors are in scaled columns, and
    `places` are the (row, action) of the stored differences that represent the rays, `stored` these differences.
    """

    rays: Rays
    marks: Marks
    labelling: Labelling | None = None
    places: tuple[tuple[int, int], ...] = ()
    stored: tuple[tuple[float, ...], ...] = ()
    faces: Faces | None = None
    """Where the learner believes something already: what must be shown in place of rays."""

    def margins(self, boxes: Boxes, rays: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Canonical weights against some float rays, in scaled columns, certain beyond the noise."""
        if self.labelling is None:
            raise ValueError("exact rays have misconceptions, not margins")
        found = self.labelling
        return canonical_margins(
            boxes,
            found.rows,
            ray_of=found.ray_of,
            candidates=found.stored,
            wanted=rays,
            weights=found.weights,
        )


def extreme_rays(
    problem: TeachingProblem, differences: Differences, *, ray_finder: str = "auto", progress: Progress = silent
) -> Frame:
    """The rays of a problem.  `NotRealizable` if there is no cone; `Ambiguous` if floats are too close to call."""
    rays = exact_rays(problem, differences, ray_finder=ray_finder, progress=progress)
    if differences.measured is None:
        return Frame(rays, Marks.each(rays.vectors.exact))
    boxes = Boxes(differences.measured, problem.tolerances.noise)
    found = label(boxes, rays.rows, weights=rays.weights, tolerances=problem.tolerances, progress=progress)
    if isinstance(found, Doubt):
        raise _ambiguous(problem, differences, found)
    return _labelled(problem, differences, found)


def exact_rays(
    problem: TeachingProblem, differences: Differences, *, ray_finder: str = "auto", progress: Progress = silent
) -> Rays:
    """The extreme rays of the differences, floats taken as the numbers they are."""
    rays = find_rays(differences.directions, finder=ray_finder, progress=progress)
    if isinstance(rays, Conflict):
        raise NotRealizable(named_conflict(problem, differences, conflict=rays))
    return rays


def believed_frame(
    problem: TeachingProblem,
    differences: Differences,
    *,
    believed: Believed,
    ray_finder: str = "auto",
    progress: Progress = silent,
) -> Frame:
    """What must be shown to a learner that believes something already; ray i stands for face i, by its first member."""
    faces = find_faces(differences.directions, believed, finder=ray_finder, progress=progress)
    if isinstance(faces, Conflict):
        raise _contradiction(problem, differences, believed, faces)
    pairs = sorted((row, face) for face, members in enumerate(faces.members) for row in members)
    rows, which = (np.array([pair[i] for pair in pairs], dtype=np.intp) for i in (0, 1))
    first = [members[0] for members in faces.members]
    rays = Rays(differences.directions.take(first), tuple(first), faces.weights)
    return Frame(rays, Marks(differences.keys[rows], which, len(first)), faces=faces)


def _contradiction(
    problem: TeachingProblem, differences: Differences, believed: Believed, conflict: Conflict
) -> NotRealizable:
    """The conflict in terms of states and beliefs, each with its own vector."""
    order = [*np.flatnonzero(believed.strict).tolist(), *np.flatnonzero(~believed.strict).tolist()]
    count = len(differences.directions)
    members = list(zip(conflict.rows, conflict.multipliers, strict=True))
    shown = [(row, m) for row, m in members if row < count]
    places = first_shown(problem, differences.keys[[row for row, _ in shown]])
    vectors = differences.directions.take([row for row, _ in shown]).rows()
    scales = [_scale(problem, place, vector) for place, vector in zip(places, vectors, strict=True)]
    whole = primitive_vector(
        [*(m * s for (_, m), s in zip(shown, scales, strict=True)), *(m for _, m in members[len(shown) :])]
    )
    terms = sorted(zip(places, whole, strict=False), key=lambda term: (problem.rank_of(term[0][0]), term[0][1]))
    beliefs = [order[row - count] for row, _ in members[len(shown) :]]
    return NotRealizable(
        tuple(_term(problem, place, multiplier) for place, multiplier in terms),
        prior=tuple(
            PriorTerm(believed.vectors.row(i), bool(believed.strict[i]), Fraction(multiplier))
            for i, multiplier in sorted(zip(beliefs, whole[len(shown) :], strict=True))
        ),
    )


def _labelled(problem: TeachingProblem, differences: Differences, found: Labelling) -> Frame:
    """Number the rays by the value of their stored differences."""
    places = first_shown(problem, differences.keys[list(found.rows)])
    values = stored_differences(problem, places)
    order = sorted(range(len(values)), key=values.__getitem__)
    labelling = found.in_order(order)
    in_classes = np.flatnonzero(labelling.ray_of >= 0)
    marks = Marks(differences.keys[in_classes], labelling.ray_of[in_classes], len(labelling.rows))
    rays = Rays(differences.directions.take(labelling.rows), labelling.rows, labelling.weights)
    return Frame(rays, marks, labelling, tuple(places[i] for i in order), tuple(values[i] for i in order))


def shown_rays(frame: Frame) -> list[tuple[int, ...] | tuple[float, ...]]:
    """Rays as people see them: primitive integers, or the stored difference that represents a float ray."""
    return list(frame.rays.vectors.rows()) if frame.labelling is None else list(frame.stored)


def stored_differences(problem: TeachingProblem, places: Sequence[tuple[int, int]]) -> list[tuple[float, ...]]:
    """The differences of some states over some actions, as rows of floats; each state is read once."""
    found: list[tuple[float, ...]] = [()] * len(places)
    by_row = sorted(range(len(places)), key=places.__getitem__)
    for row, group in groupby(by_row, key=lambda i: places[i][0]):
        batch = problem.source.read(row, row + 1)
        mine = list(group)
        actions = [places[i][1] for i in mine]
        with np.errstate(over="ignore"):
            differences = batch.features[0, batch.target[0]] - batch.features[0, actions]
        lost = np.flatnonzero(~np.isfinite(differences).all(axis=1))
        if lost.size:
            where = f"state {problem.state_id(row)} over action {problem.action_id(row, actions[lost[0]])}"
            raise LimitExceeded(f"{where}: the difference is beyond the largest float; scale that feature down")
        for i, difference in zip(mine, differences.tolist(), strict=True):
            found[i] = tuple(difference)
    return found


def misconception_weights(
    problem: TeachingProblem, differences: Differences, *, frame: Frame, rays: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    """Weights against one ray each; for float data in scaled columns, and certain beyond the noise."""
    if differences.measured is not None:
        return frame.margins(Boxes(differences.measured, problem.tolerances.noise), rays)
    if frame.faces is not None:
        return {ray: frame.faces.misconception(ray) for ray in rays}
    known = frame.rays
    return {
        ray: misconception(differences.directions, known.rows[ray], rays=known.rows, weights=known.weights)
        for ray in rays
    }


def unscaled(problem: TeachingProblem, weights: tuple[int, ...]) -> tuple[int, ...]:
    """Weights on scaled columns as weights on the features themselves."""
    if not problem.is_float:
        return weights
    return on_features(weights, problem.column_exponents)


def named_conflict(
    problem: TeachingProblem, differences: Differences, *, conflict: Conflict
) -> tuple[ConflictTerm, ...]:
    """The conflict in terms of states and actions, with the smallest whole multipliers of their own differences."""
    rows = list(conflict.rows)
    places = first_shown(problem, differences.keys[rows])
    directions = differences.directions.take(rows).rows()
    return conflict_terms(problem, places, directions=directions, multipliers=conflict.multipliers)


def conflict_terms(
    problem: TeachingProblem,
    places: Sequence[tuple[int, int]],
    *,
    directions: Sequence[Sequence[int]],
    multipliers: Sequence[int],
) -> tuple[ConflictTerm, ...]:
    """The combination of directions, each shown at a (row, action), in terms of the differences there."""
    scales = [_scale(problem, place, vector) for place, vector in zip(places, directions, strict=True)]
    whole = primitive_vector([m * scale for m, scale in zip(multipliers, scales, strict=True)])
    terms = sorted(zip(places, whole, strict=True), key=lambda term: (problem.rank_of(term[0][0]), term[0][1]))
    return tuple(_term(problem, place, multiplier) for place, multiplier in terms)


def _term(problem: TeachingProblem, place: tuple[int, int], multiplier: int) -> ConflictTerm:
    return ConflictTerm(problem.state_id(place[0]), problem.action_id(*place), Fraction(multiplier))


def _scale(problem: TeachingProblem, place: tuple[int, int], direction: Sequence[int]) -> Fraction:
    """The factor from a difference to its direction (in scaled columns, for float data)."""
    axis = next((i for i, v in enumerate(direction) if v), None)
    if axis is None:
        return Fraction(1)  # a tie: any multiple of it is zero
    row, action = place
    batch = problem.source.read(row, row + 1)
    target, other = (_exactly(batch.features[0, a, axis]) for a in (batch.target[0], action))
    column = Fraction(2) ** int(problem.column_exponents[axis]) if problem.is_float else Fraction(1)
    return Fraction(direction[axis]) * column / (target - other)


def _exactly(number: Any) -> Fraction:
    return Fraction(int(number)) if isinstance(number, np.integer) else Fraction(number)


def _ambiguous(problem: TeachingProblem, differences: Differences, doubt: Doubt) -> Ambiguous:
    places = first_shown(problem, differences.keys[list(doubt.rows)])
    places.sort(key=lambda place: (problem.rank_of(place[0]), place[1]))
    named = tuple((problem.state_id(row), problem.action_id(row, action)) for row, action in places)
    who = " and ".join(f"state {state} over action {action}" for state, action in named)
    return Ambiguous(
        f"too close to call: {who + ': ' if who else ''}{doubt.reason}. Try: {_HINT}.", places=named, hint=_HINT
    )
