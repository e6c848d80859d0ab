"""Rays of float data: which differences are parallel, which rays are certain, and what is assumed.

A labelling is a set of stored differences, one for each ray, such that (a) what is within the merge angle of a ray is
its *class*, and nothing is just outside; (b) some weights are negative beyond the noise on the class and positive
beyond it on everything else; (c) everything in no class is within its radius of the cone of the rays.  There is at most
one, up to the choice inside a class.  The proof and what follows from a labelling are in docs/floats.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Tolerances, Vectors, parallel_pairs, sine_squared
from hornbook.progress import Progress, silent
from hornbook.rays._bases import bases_around
from hornbook.rays._certain import Boxes, Clash, tightened
from hornbook.rays._evidence import outside
from hornbook.rays._implied import Approximation, approximations, shortfall
from hornbook.rays._margins import margins
from hornbook.rays._middle import certain_everywhere

__all__ = ["Doubt", "Labelling", "label"]


@dataclass(frozen=True)
class Doubt:
    """Why there is no labelling: the measured vectors concerned, and what is too close to call."""

    rows: tuple[int, ...]
    reason: str


@dataclass(frozen=True, eq=False)
class Labelling:
    """Certain rays: `rows[i]` represents ray i, `ray_of[x]` is the ray whose class x is in, or -1.

    `certain[i]` are the weights of (b), `weights` realize everything beyond the noise, `assumed` are the vectors that
    are implied only up to the noise, with their combinations of rays.  Of the vectors in no class, in order, `bases`
    has d rays that add up to each, or a row of -1 where none were found at once.  `stored` are the rows on extreme rays
    of the stored numbers.
    """

    rows: tuple[int, ...]
    stored: tuple[int, ...]
    ray_of: npt.NDArray[np.intp]
    certain: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]
    assumed: dict[int, Approximation]
    bases: npt.NDArray[np.int32]

    def in_order(self, order: Sequence[int]) -> Labelling:
        """The same with the rays numbered otherwise: new ray i is the old `order[i]`."""
        place = {old: new for new, old in enumerate(order)}
        numbers = np.array([*(place[old] for old in range(len(order))), -1], dtype=np.intp)
        return Labelling(
            rows=tuple(self.rows[old] for old in order),
            stored=self.stored,
            ray_of=numbers[self.ray_of],
            certain=tuple(self.certain[old] for old in order),
            weights=self.weights,
            bases=numbers[self.bases].astype(np.int32),
            assumed={row: {place[ray]: m for ray, m in sums.items()} for row, sums in self.assumed.items()},
        )


def label(
    boxes: Boxes,
    candidates: Sequence[int],
    *,
    weights: Sequence[int],
    tolerances: Tolerances,
    progress: Progress = silent,
) -> Labelling | Doubt:
    """The labelling of measured vectors, or what prevents one.

    `candidates` are the rows on extreme rays of the stored numbers, of which every class has one; `weights` realize the
    stored numbers.  Every decision is exact, so neither the order of the vectors nor the way the candidates were found
    matters.  Cost: one product of all candidate classes with all vectors, and exact work for what that leaves open.
    """
    certain_all = certain_everywhere(boxes, candidates, guess=tuple(weights))
    if isinstance(certain_all, Clash):
        return Doubt(certain_all.rows, _told_clash(tightened(boxes, certain_all), tolerances))
    groups = _groups(boxes.centres, candidates, tolerances)
    found = margins(
        boxes,
        [g.members for g in groups],
        rows=[g.row for g in groups],
        candidates=candidates,
        weights=certain_all,
        progress=progress,
    )
    rays = [(g, w) for g, w in zip(groups, found, strict=True) if w is not None]
    for group, _ in rays:
        if group.stranger is not None:
            return Doubt((group.row, group.stranger), _told_angle(boxes.centres, group.row, group.stranger, tolerances))
    ray_of = np.full(len(boxes), -1, dtype=np.intp)
    for i, (group, _) in enumerate(rays):
        ray_of[group.members] = i
    rows, certain = tuple(g.row for g, _ in rays), tuple(w for _, w in rays)
    rest = np.flatnonzero(ray_of < 0)
    bases = bases_around(boxes.centres.take(rows), boxes.centres.take(rest), weights=certain_all)
    assumed = _assumed(boxes, rows, rest[(bases < 0).any(axis=1)])
    if isinstance(assumed, Doubt):
        return assumed
    return Labelling(rows, tuple(candidates), ray_of, certain, certain_all, assumed, bases)


@dataclass(frozen=True, eq=False)
class _Group:
    """A candidate with everything parallel to it, and something that is almost parallel (the annulus), if any."""

    row: int
    members: npt.NDArray[np.intp]
    stranger: int | None


def _groups(vectors: Vectors, candidates: Sequence[int], tolerances: Tolerances) -> list[_Group]:
    """The candidates in order, each representing those that are parallel to it and come later."""
    ordered = sorted(candidates)
    near, wide = parallel_pairs(vectors, ordered, tolerances=tolerances)
    grouped: set[int] = set()
    groups = []
    for row, members in zip(ordered, near, strict=True):
        if row not in grouped:
            group = _Group(row, members, wide.get(row))
            group = group if group.stranger is None else _better_placed(vectors, group, tolerances)
            grouped.update(group.members.tolist())
            groups.append(group)
    return groups


def _better_placed(vectors: Vectors, group: _Group, tolerances: Tolerances) -> _Group:
    """The same represented by another member, around which the annulus is empty, if there is one."""
    near, wide = parallel_pairs(vectors, group.members.tolist(), tolerances=tolerances)
    for row, members in zip(group.members.tolist(), near, strict=True):
        if row not in wide:
            return _Group(row, members, None)
    return group


def _told_clash(clash: Clash, tolerances: Tolerances) -> str:
    return (
        "no weights prefer the target everywhere beyond the noise, yet no conflict is exactly zero: here the target "
        f"could be ahead by a relative {float(clash.most):.3g} at most, and the noise is {float(tolerances.noise):.3g}"
    )


def _told_angle(vectors: Vectors, first: int, second: int, tolerances: Tolerances) -> str:
    angle = float(sine_squared(vectors.row(first), vectors.row(second))) ** 0.5
    merge = float(tolerances.merge)
    return f"their angle {angle:.3g} is above merge ({merge:.3g}) but not above {tolerances.gap} times merge"


def _assumed(boxes: Boxes, rows: Sequence[int], rest: npt.NDArray[np.intp]) -> dict[int, Approximation] | Doubt:
    """Of the rest, what the rays imply only up to the noise, or what they do not even imply so."""
    rays = boxes.centres.take(rows)
    beyond = [int(rest[i]) for i in outside(rays, boxes.centres.take(rest))] if rest.size else []
    assumed: dict[int, Approximation] = {}
    for row, found in approximations(rays, boxes, rows=beyond).items():
        if found is None:
            needed, noise = float(shortfall(rays, boxes, row=row)), float(boxes.noise)
            return Doubt(
                (row,),
                "it is neither a certain ray nor within the noise of what the certain rays imply: for that its "
                f"features would have to be off by a relative {needed:.3g}, and the noise is {noise:.3g}",
            )
        assumed[row] = found
    return assumed
