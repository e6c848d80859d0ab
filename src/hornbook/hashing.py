"""Kernels that tell rows of whole numbers apart by hashing: one pass, and memory for what is distinct.

A table of rows is an array `rows` and an array `slots`, a power of two long, with the place of a row plus one, or zero;
collisions go to the next slot.  Differences repeat a lot, so the last ones are remembered as they are (`seen`), with
the place of their direction (`place_of`), and only what is not remembered is reduced to a direction.

Equality is always decided on all numbers of a row; the hash only says where to look.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["add_rows", "directions_in", "find_rows", "fresh_slots", "group_sets"]

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def fresh_slots(capacity: int) -> Whole:
    """Empty slots for so many rows, at most half of them in use."""
    return np.zeros(1 << max(4, (2 * capacity - 1).bit_length()), dtype=np.int64)


def _mixed(row: Whole, length: int) -> Any:
    """A hash of the first numbers of a row; products wrap, as they do in machine code."""
    total = row[0] * 0
    for j in range(length):
        total = (total ^ row[j]) * -7046029254386353131  # 2^64 over the golden ratio: Fibonacci hashing
        total ^= total >> 29
    return total


def _place_of_row(row: Whole, rows: Whole, slots: Whole) -> Any:
    """The place of a row in a table, or minus one minus the slot where it belongs."""
    mask = len(slots) - 1
    slot = _mixed(row, len(row)) & mask
    while slots[slot] != 0:
        place = slots[slot] - 1
        same = True
        for j in range(len(row)):
            if rows[place, j] != row[j]:
                same = False
                break
        if same:
            return place
        slot = (slot + 1) & mask
    return -1 - slot


def add_rows(new: Whole, rows: Whole, *, slots: Whole, used: int, which: Whole) -> int:
    """Look up rows and add what is new; `which[i]` is the place of row i.  Returns how many rows are in the table."""
    for i in range(len(new)):
        place = _place_of_row(new[i], rows, slots)
        if place < 0:
            rows[used] = new[i]
            slots[-1 - place] = used + 1
            place = used
            used += 1
        which[i] = place
    return used


def find_rows(asked: Whole, rows: Whole, *, slots: Whole, which: Whole) -> None:
    """Look up rows; `which[i]` is the place of row i, or -1."""
    for i in range(len(asked)):
        which[i] = max(-1, _place_of_row(asked[i], rows, slots))


def _to_direction(row: Whole) -> None:
    """Divide a row by the greatest common divisor of its numbers; zeros stay."""
    divisor = row[0] * 0
    for j in range(len(row)):
        rest = abs(row[j])
        while rest != 0:
            divisor, rest = rest, divisor % rest
        if divisor == 1:
            return
    if divisor > 1:
        for j in range(len(row)):
            row[j] //= divisor


def directions_in(
    features: Whole,
    available: Flags,
    *,
    target: Whole,
    rows: Whole,
    slots: Whole,
    seen: Whole,
    place_of: Whole,
    counts: Whole,
    which: Whole,
    first: int,
    used: int,
    adding: bool,
) -> tuple[int, int]:
    """Look up the direction of each difference of some states, from state `first` on: `which[s, a]` is its place.

    It is -1 where there is no difference, or none in the table and `adding` is false.  `counts` says how often each
    was met.  Returns the state before which the table was too full to go on, and how many rows it has.
    """
    states, actions, width = features.shape
    row = np.empty(width, dtype=np.int64)
    mask = len(place_of) - 1
    for state in range(first, states):
        if adding and used + actions > len(rows):
            return state, used
        goal = target[state]
        for action in range(actions):
            which[state, action] = -1
            if action == goal or not available[state, action]:
                continue
            for j in range(width):
                row[j] = features[state, goal, j] - features[state, action, j]
            spot = _mixed(row, width) & mask
            place = place_of[spot]
            if place >= -1:
                for j in range(width):
                    if seen[spot, j] != row[j]:
                        place = -2
                        break
            if place == -2:
                seen[spot] = row
                _to_direction(row)
                place = _place_of_row(row, rows, slots)
                if place < 0 and adding:
                    rows[used] = row
                    slots[-1 - place] = used + 1
                    place = used
                    used += 1
                place = max(-1, place)
                place_of[spot] = place
            if place >= 0:
                counts[place] += 1
            which[state, action] = place
    return states, used


def group_sets(which: Whole, ray_of: Whole, *, kind_of: Whole, starts: Whole, items: Whole, slots: Whole) -> int:
    """Group states by the set of rays at their places: `kind_of[s]` is the kind of state s, or -1 for none.

    Kind k is the set `items[starts[k] : starts[k + 1]]`, increasing.  Returns how many kinds there are.
    """
    states, actions = which.shape
    mask = len(slots) - 1
    kinds = 0
    for state in range(states):
        begin = starts[kinds]
        end = begin
        for action in range(actions):
            place = which[state, action]
            if place >= 0 and ray_of[place] >= 0:
                items[end] = ray_of[place]
                end += 1
        kind_of[state] = -1
        if end == begin:
            continue
        items[begin:end].sort()
        size = 1
        for i in range(begin + 1, end):
            if items[i] != items[begin + size - 1]:
                items[begin + size] = items[i]
                size += 1
        slot = _mixed(items[begin : begin + size], size) & mask
        while slots[slot] != 0:
            kind = slots[slot] - 1
            same = starts[kind + 1] - starts[kind] == size
            for i in range(size):
                if not same:
                    break
                same = items[starts[kind] + i] == items[begin + i]
            if same:
                kind_of[state] = kind
                break
            slot = (slot + 1) & mask
        if kind_of[state] < 0:
            slots[slot] = kinds + 1
            kind_of[state] = kinds
            kinds += 1
            starts[kinds] = begin + size
    return kinds
