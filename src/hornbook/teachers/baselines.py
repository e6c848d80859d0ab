"""What practitioners do with a budget: typical states, or the states that the learner is least sure of.

Both get as many demonstrations as the minimum lesson has, so that the difference can be seen.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.classroom import Classroom
from hornbook.teachers._declaration import Asked, Taught, Teacher

__all__ = ["KMEANS", "MOST_UNCERTAIN"]

_ROUNDS = 50

Floats = npt.NDArray[np.float64]


def kmeans(asked: Asked) -> Taught:
    """A coreset: k-means among the states, each placed at the mean of its differences at length one; one state for
    each centre, the nearest that is not taken yet."""
    room, budget = asked.classroom, asked.lesson.size
    places, weights = _places(room), room.kinds.counts.astype(np.float64)
    centres = _centres(places, weights, budget, np.random.Generator(np.random.PCG64(asked.seed)))
    taken: list[int] = []
    for centre in centres:
        nearest = np.argsort(((places - centre) ** 2).sum(axis=1), kind="stable").tolist()
        taken += [place for place in nearest if place not in taken][:1]
    return Taught(_rows(room, taken), Fraction(budget), note="as many as the minimum, the most typical")


def _places(room: Classroom) -> Floats:
    if len(room.kinds) == 0:
        return np.zeros((0, room.directions.dimension))
    sums = np.add.reduceat(room.units[room.kinds.rays], room.kinds.start[:-1], axis=0)
    return np.asarray(sums / np.diff(room.kinds.start)[:, None])


def _centres(places: Floats, weights: Floats, budget: int, generator: np.random.Generator) -> Floats:
    """k-means++ and Lloyd's rounds."""
    centres = places[:0]
    for _ in range(min(budget, len(places))):
        chance = weights * (_distances(places, centres).min(axis=1) if len(centres) else 1.0)
        chance = chance if chance.sum() > 0 else weights
        centres = np.vstack([centres, places[generator.choice(len(places), p=chance / chance.sum())]])
    for _ in range(_ROUNDS if len(centres) else 0):
        nearest = _distances(places, centres).argmin(axis=1)
        mass = np.bincount(nearest, weights=weights, minlength=len(centres))
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, places * weights[:, None])
        centres = np.where(mass[:, None] > 0, sums / np.maximum(mass, 1)[:, None], centres)
    return centres


def _distances(places: Floats, centres: Floats) -> Floats:
    return np.stack([((places - centre) ** 2).sum(axis=1) for centre in centres], axis=1)


def most_uncertain(asked: Asked) -> Taught:
    """Active learning: again and again the state where the target and another action score most alike, by the mean of
    the differences seen so far; it begins with the first state."""
    room, budget = asked.classroom, asked.lesson.size
    taken: list[int] = []
    for _ in range(min(budget, len(room.kinds))):
        doubt = _doubts(room, _rows(room, taken)) if taken else np.arange(len(room.kinds))
        taken.append(next(int(k) for k in np.argsort(doubt, kind="stable") if k not in taken))
    return Taught(_rows(room, taken), Fraction(budget), note="as many as the minimum, the least certain")


def _doubts(room: Classroom, rows: list[int]) -> Any:
    """For each kind the smallest difference of scores between the target and another action."""
    weights = room.units[room.shows(rows).directions].mean(axis=0)
    return np.minimum.reduceat(np.abs(room.units @ weights)[room.kinds.rays], room.kinds.start[:-1])


def _rows(room: Classroom, taken: list[int]) -> list[int]:
    return sorted(int(room.kinds.rows[place]) for place in taken)


KMEANS = Teacher("k-means", kmeans, aims_to_teach=False)
MOST_UNCERTAIN = Teacher("most uncertain", most_uncertain, aims_to_teach=False)
