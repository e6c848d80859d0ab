"""The same problem told differently: rearranged, in chunks, in wider types, along other axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

import numpy as np

from tests.instances import BAD, Instance, Number
from tests.oracles import Rays

T = TypeVar("T")
WIDER = {
    "int8": ("int16", "int64", "object", None),
    "int16": ("int32", "int64", "object", None),
    "uint8": ("uint16", "int64", "uint64", "object", None),
    "int64": ("object", None),
    "uint64": ("object", None),
    "float16": ("float32", "float64"),
    "float32": ("float64",),
    None: ("object",),
}


def plain(instance: Instance, rng: Random) -> Instance:
    return instance


def permuted(instance: Instance, rng: Random) -> Instance:
    """States in another order, and the actions of each state; rays and size stay."""
    states = rng.sample(range(len(instance.features)), len(instance.features))
    orders = [rng.sample(range(len(instance.features[s])), len(instance.features[s])) for s in states]
    bad = instance.bad_at
    if bad is not None:
        row = states.index(bad[0])
        bad = (row, orders[row].index(bad[1]), bad[2])
    return replace(
        instance,
        features=tuple(_pick(instance.features[s], order) for s, order in zip(states, orders, strict=True)),
        target=tuple(order.index(instance.target[s]) for s, order in zip(states, orders, strict=True)),
        available=instance.available
        and tuple(_pick(instance.available[s], order) for s, order in zip(states, orders, strict=True)),
        cost=instance.cost and _pick(instance.cost, states),
        bad_at=bad,
    )


def chunked(instance: Instance, rng: Random) -> Instance:
    """Handed out a few states at a time; what is refused at the door cannot be."""
    if instance.expected == BAD:
        return instance
    return replace(instance, chunk=rng.randint(1, max(1, len(instance.features))))


def widened(instance: Instance, rng: Random) -> Instance:
    """The same numbers in a wider type, a padded array, or nested lists (where every action is available)."""
    wider = [t for t in WIDER.get(instance.dtype, ()) if t is not None or _fits_lists(instance)]
    return replace(instance, dtype=rng.choice(wider)) if wider else instance


def flipped(instance: Instance, rng: Random) -> Instance:
    """Axes swapped, and mirrored where the type can hold it; the rays move along."""
    order = rng.sample(range(instance.width), instance.width)
    signs = [rng.choice((1, -1)) if _mirrors(instance, j) else 1 for j in order]

    def move(x: Sequence[Number]) -> tuple[Number, ...]:
        return tuple(sign * x[j] for sign, j in zip(signs, order, strict=True))

    expected: Rays | str | None = instance.expected
    if isinstance(expected, tuple):
        expected = tuple(move(ray) for ray in expected)
    bad = instance.bad_at and (*instance.bad_at[:2], order.index(instance.bad_at[2]))
    features = tuple(tuple(map(move, actions)) for actions in instance.features)
    return replace(instance, features=features, expected=expected, bad_at=bad)


VARIANTS: dict[str, Callable[[Instance, Random], Instance]] = {
    "plain": plain,
    "permuted": permuted,
    "chunked": chunked,
    "widened": widened,
    "flipped": flipped,
}


def variants(instance: Instance, rng: Random) -> dict[str, Instance]:
    """All variants of one instance, by name."""
    return {name: vary(instance, rng) for name, vary in VARIANTS.items()}


def _pick(items: Sequence[T], order: Sequence[int]) -> tuple[T, ...]:
    return tuple(items[i] for i in order)


def _fits_lists(instance: Instance) -> bool:
    return instance.available is None and bool(instance.features)


def _mirrors(instance: Instance, column: int) -> bool:
    if instance.dtype is None or not instance.dtype.lstrip("u").startswith("int"):
        return True
    low, high = np.iinfo(instance.dtype).min, np.iinfo(instance.dtype).max
    return all(low <= -row[column] <= high for actions in instance.features for row in actions)
