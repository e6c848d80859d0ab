"""Inner loops of the cutting planes: working sets of many points, each looked at alone.  They guess."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.rays._kernel import INSIDE, OPEN, locate, refreshed

__all__ = ["KERNELS"]

Array = Any  # numba finds the types by itself


def judged(values: Array, own: Array, least: Array, room: int, places: Array, taken: Array, top: Array, /) -> None:
    """The highest value of each row but its own, and the places of some of the highest, `room` of them or fewer.

    Places where the value is below the row's `least` are not taken; those taken before are not taken twice.
    """
    for i in range(values.shape[0]):
        first = taken[i]
        stop = min(first + room, places.shape[1])
        at, bar, top[i] = first, least[i], -np.inf
        for j in range(values.shape[1]):
            value = values[i, j]
            if value > bar and j != own[i]:
                top[i] = max(top[i], value)
                again = False
                for k in range(first):
                    again = again or places[i, k] == j
                if not again and stop > first:
                    here = min(at, stop - 1)
                    while here > first and values[i, places[i, here - 1]] < value:
                        places[i, here] = places[i, here - 1]
                        here -= 1
                    places[i, here] = j
                    at = min(at + 1, stop)
                    if at == stop:
                        bar = max(bar, values[i, places[i, at - 1]])
        taken[i] = at


def between(points: Array, own: int, places: Array, count: int, weights: Array, shares: Array, rounds: int, /) -> None:
    """Weights on which `own` is higher by one than some others, as short as a few rounds find (dual coordinate ascent).

    `shares` are the multipliers of the differences `points[own] - points[places[j]]` whose sum the weights are.
    """
    d = points.shape[1]
    for _ in range(rounds):
        moved = 0.0
        for j in range(count):
            value, size = 0.0, 0.0
            for k in range(d):
                apart = points[own, k] - points[places[j], k]
                value += weights[k] * apart
                size += apart * apart
            if size > 0.0:
                step = max((1.0 - value) / size, -shares[j])
                shares[j] += step
                moved = max(moved, abs(step) * size)
                if step != 0.0:
                    for k in range(d):
                        weights[k] += step * (points[own, k] - points[places[j], k])
        if moved < 0.01:
            break


def gathered(points: Array, own: int, home: Array, places: Array, taken: int, columns: Array, names: Array, /) -> int:
    """The points of a home basis and of a working set as columns, without `own`; returns how many they are."""
    count = 0
    for j in range(len(home) + taken):
        name = home[j] if j < len(home) else places[j - len(home)]
        if name != own:
            names[count] = name
            for k in range(points.shape[1]):
                columns[k, count] = points[name, k]
            count += 1
    return count


def worked(
    points: Array,
    rows: Array,
    places: Array,
    taken: Array,
    home: Array,
    known: Array,
    found: Array,
    weights: Array,
    shares: Array,
    nearly: float,
    /,
) -> None:
    """For each row: is it in the cone of its working set?  `found` says how; if not, `weights` set it apart."""
    d, room = points.shape[1], places.shape[1] + points.shape[1]
    columns, prices, names = np.empty((d, room)), np.empty(room), np.empty(room, dtype=np.int64)
    basis, inverse = np.empty((2, d), dtype=np.int64), np.empty((d, d))
    for i in range(rows.shape[0]):
        count = gathered(points, rows[i], home, places[i], taken[i], columns, names)
        for j in range(d):
            basis[0, j] = basis[1, j] = j
        answer = OPEN
        age = refreshed(columns, basis, inverse)
        if age == 0:
            answer, _, _ = locate(columns, count, points[rows[i]], basis, inverse, prices, age, nearly)
        known[i] = INSIDE if answer == INSIDE else OPEN
        for k in range(d):
            found[i, k] = names[basis[0, k]]
        if answer != INSIDE:
            between(points, rows[i], places[i], taken[i], weights[i], shares[i], 40)


KERNELS = (judged, between, gathered, worked)
"""In the order of their calls, after those of `_kernel`."""
