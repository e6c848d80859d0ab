"""Cover problems for everybody: distinct units as flat arrays, and the judge of what a peer says about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["agree", "answer", "folder", "published", "random_cover", "steiner", "weights_of"]

Arrays = Mapping[str, Any]


def _arrays(units: Iterable[Sequence[int]], costs: Iterable[int], seconds: float) -> Arrays:
    """Each set of rays once, at its least cost, in order; rays are named anew."""
    price: dict[tuple[int, ...], int] = {}
    for unit, cost in zip(units, costs, strict=True):
        key = tuple(sorted(unit))
        price[key] = min(cost, price.get(key, cost))
    kept = sorted(unit for unit in price if unit)
    flat = np.array([ray for unit in kept for ray in unit], dtype=np.int64)
    names, rays = np.unique(flat, return_inverse=True)
    start = np.concatenate(([0], np.cumsum([len(unit) for unit in kept])))
    return {
        "start": start,
        "rays": rays,
        "costs": np.array([price[unit] for unit in kept]),
        "num_rays": len(names),
        "seconds": seconds,
    }


def random_cover(
    *, states: int, actions: int, rays: int, private: float = 0.0, weighted: bool = False, seconds: float, seed: int = 0
) -> Arrays:
    """Each state shows `actions - 1` rays at random; a ray is `private` to one state with that probability."""
    draw = np.random.default_rng(seed)
    shown = draw.integers(0, rays, (states, actions - 1))
    alone = draw.random(rays) < private
    shown[alone[shown]] = -1
    own = np.flatnonzero(alone)
    shown[draw.integers(0, states, len(own)), draw.integers(0, actions - 1, len(own))] = own
    shown = np.unique(np.sort(shown, axis=1), axis=0)
    costs = draw.integers(1, 101, len(shown)) if weighted else np.ones(len(shown), dtype=np.int64)
    units = ({ray for ray in unit if ray >= 0} for unit in shown.tolist())
    return _arrays((tuple(unit) for unit in units), costs.tolist(), seconds)


def folder() -> Path | None:
    """Where the OR-Library's instances are."""
    named = os.environ.get("HORNBOOK_DATA")
    return Path(named) / "setcover" if named else None


def published(name: str, *, unicost: bool, seconds: float) -> Arrays:
    """An instance of the OR-Library: rows and columns, the costs, then for each row its columns."""
    numbers = list(map(int, ((folder() or Path()) / f"{name}.txt").read_text().split()))
    rows, columns = numbers[:2]
    shown: list[list[int]] = [[] for _ in range(columns)]
    place = 2 + columns
    for row in range(rows):
        for column in numbers[place + 1 : place + 1 + numbers[place]]:
            shown[column - 1].append(row)
        place += 1 + numbers[place]
    return _arrays(shown, [1] * columns if unicost else numbers[2 : 2 + columns], seconds)


def steiner(points: int, *, seconds: float) -> Arrays:
    """The Steiner triple system on 3, 9, 27, ... points by tripling: points that meet all triples."""
    count, system = 3, [(0, 1, 2)]
    while count < points:
        copies = [tuple(x + shift * count for x in triple) for triple in system for shift in range(3)]
        copies += [(x, x + count, x + 2 * count) for x in range(count)]
        copies += [(a, b + count, c + 2 * count) for triple in system for a, b, c in permutations(triple)]
        count, system = 3 * count, copies  # type: ignore[assignment]
    return _arrays([[i for i, t in enumerate(system) if x in t] for x in range(count)], [1] * count, seconds)


def weights_of(path: str) -> Any:
    """The arrays of a case: units as lists of rays, costs, the number of rays, and the time limit."""
    with np.load(path) as data:
        start, rays = data["start"].tolist(), data["rays"].tolist()
        units = [rays[a:b] for a, b in pairwise(start)]
        return units, data["costs"].tolist(), int(data["num_rays"]), float(data["seconds"])


def answer(problem: Any, chosen: Sequence[int], lower: float) -> Any:
    """What a peer says, its cover looked at and counted by us: the interval, its lower end rounded up."""
    units, costs, num_rays, _ = problem
    if len({ray for unit in chosen for ray in units[unit]}) != num_rays:
        raise ValueError("the units chosen are no cover")
    upper = sum(costs[unit] for unit in chosen)
    low = int(np.ceil(lower - 1e-5 * max(1.0, abs(lower))))
    return {"lower": low, "upper": upper}, [low, upper]


def agree(ours: Any, theirs: Any) -> str | None:
    """Intervals around the same minimum overlap."""
    if max(ours[0], theirs[0]) <= min(ours[1], theirs[1]):
        return None
    return f"{theirs[0]} to {theirs[1]}, but {ours[0]} to {ours[1]} is proved"
