"""What a float case is: stored numbers, and the truth of the construction they were rounded from.

A case is made of *spots*: a difference in floats with the number of the true ray it is on, or None.  Where two tellings
of the truth are within the noise (nearly parallel rays may be one ray), a spot has a label for each telling.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

OK, AMBIG, LIMIT = "OK", "AMBIG", "LIMIT"
NOISE, MERGE, GAP = 2.0**-48, 2.0**-36, 2.0**10  # the defaults of float64
CLEAR = 1e-7  # angles and margins above this must not be called ambiguous

Floats = npt.NDArray[np.float64]
Place = tuple[int, int]
Vector = Sequence[float]
Label = int | None


@dataclass(frozen=True)
class Spot:
    """A difference: the float vector, and for each telling of the truth the ray it is on."""

    x: tuple[float, ...]
    labels: tuple[Label, ...]


def spot(x: Iterable[float], *labels: Label) -> Spot:
    return Spot(tuple(map(float, x)), labels)


@dataclass(frozen=True)
class Truth:
    """One telling: the places (state, action) on each ray; rays in `maybe` stick out by no more than the noise."""

    rays: tuple[tuple[Place, ...], ...]
    maybe: tuple[int, ...] = ()


@dataclass(frozen=True)
class FloatCase:
    """A float problem, what it may be answered with, and the truth."""

    features: tuple[tuple[tuple[float, ...], ...], ...]  # [state][action][feature]
    target: tuple[int, ...]
    truths: tuple[Truth, ...]
    allowed: tuple[str, ...]
    argument: str
    kind: str = "float64"
    noise: float | None = None
    merge: float | None = None
    bad_at: tuple[int, int, int] | None = None
    chunk: int | None = None
    family: str = ""
    name: str = ""

    @property
    def clear(self) -> bool:
        """Whether refusing it as ambiguous is a fault: its angles and margins are large enough, or small enough."""
        return self.allowed == (OK,)


@dataclass(frozen=True)
class Deal:
    """How differences become features: around which target, at what cost of rounding."""

    offset: float = 0.0  # how large the target's features are; the difference is rounded accordingly
    most: int = 4  # differences per state
    states: Sequence[Sequence[Spot]] | None = None  # or dealt already
    scale: Floats | None = None  # of the columns
    kind: str = "float64"
    known: dict[str, Any] = field(default_factory=dict)


def make(
    rng: Random,
    spots: Sequence[Spot],
    *,
    argument: str,
    allowed: Sequence[str] = (OK,),
    maybe: Sequence[Label] = (),
    deal: Deal | None = None,
) -> FloatCase:
    """Spots dealt to states at random; `maybe` are labels of the first telling whose rays may be within the noise."""
    deal = deal or Deal()
    hands = deal.states or _hands(rng, spots, deal.most)
    features, target, places = [], [], []
    for state, hand in enumerate(hands):
        at = np.array([deal.offset * rng.randint(-8, 8) / 4 for _ in hand[0].x])
        goal = rng.randint(0, len(hand))
        rows = [at - np.array(each.x) for each in hand]
        rows.insert(goal, at)
        features.append(tuple(_row(row, deal) for row in rows))
        target.append(goal)
        places += [((state, i + (i >= goal)), each.labels) for i, each in enumerate(hand)]
    truths = _truths(places, maybe)
    return FloatCase(tuple(features), tuple(target), truths, tuple(allowed), argument, kind=deal.kind, **deal.known)


def _hands(rng: Random, spots: Sequence[Spot], most: int) -> list[list[Spot]]:
    pool = rng.sample(list(spots), len(spots))
    hands = []
    while pool:
        take = rng.randint(1, most)
        hands.append(pool[:take])
        pool = pool[take:]
    return hands


def _row(row: Floats, deal: Deal) -> tuple[float, ...]:
    scaled = row if deal.scale is None else row * deal.scale
    return tuple(scaled.astype(deal.kind).tolist())


def _truths(places: Sequence[tuple[Place, tuple[Label, ...]]], maybe: Sequence[Label]) -> tuple[Truth, ...]:
    truths = []
    for telling in range(len(places[0][1])):
        rays: dict[int, list[Place]] = {}
        for place, labels in places:
            label = labels[min(telling, len(labels) - 1)]
            if label is not None:
                rays.setdefault(label, []).append(place)
        doubtful = [i for i, label in enumerate(rays) if label in maybe] if telling == 0 else []
        truths.append(Truth(tuple(tuple(sorted(p)) for p in rays.values()), tuple(doubtful)))
    return tuple(truths)


def to_json(case: FloatCase) -> str:
    """One line that `from_json` reads back; floats in hexadecimal."""
    record = asdict(case)
    record["features"] = [[[v.hex() for v in row] for row in actions] for actions in case.features]
    return json.dumps(record)


def from_json(text: str) -> FloatCase:
    record = json.loads(text)
    record["features"] = tuple(
        tuple(tuple(map(float.fromhex, row)) for row in actions) for actions in record["features"]
    )
    record["truths"] = tuple(
        Truth(tuple(tuple(map(tuple, ray)) for ray in truth["rays"]), tuple(truth["maybe"]))
        for truth in record["truths"]
    )
    for key in ("target", "allowed", "bad_at"):
        record[key] = None if record[key] is None else tuple(record[key])
    return FloatCase(**record)
