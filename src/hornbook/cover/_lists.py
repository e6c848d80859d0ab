"""Many short lists and many costs as flat arrays that read like Python sequences.

A million sets of rays as tuples of tuples take seconds to make and half a gigabyte to keep; as two arrays they cost
what their numbers cost.  `problem.units[7]` is still a tuple of ints, `problem.costs[7]` still a Fraction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from math import gcd, lcm
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

__all__ = ["Costs", "IntArray", "Mask", "RaySets", "cost_unit", "expand", "first_of_equal", "order_by", "starts_of"]

IntArray = NDArray[np.int64]
Mask = NDArray[np.bool_]

_WORD_BITS = 61  # sums of costs below this bit length are added up in int64


def starts_of(lengths: IntArray) -> IntArray:
    """Where each list starts when they stand one after the other; one entry more, for the end."""
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def expand(starts: IntArray, which: IntArray) -> tuple[IntArray, IntArray]:
    """Positions of the flat entries of the lists `which`, one list after the other, and their lengths."""
    lengths = starts[which + 1] - starts[which]
    ends = np.cumsum(lengths)
    offsets = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
    return np.repeat(starts[which], lengths) + offsets, lengths


def order_by(keys: IntArray, *, below: int) -> NDArray[np.intp]:
    """The stable order of keys from 0 up to `below`, 16 bits at a time: ten times as fast as sorting whole words."""
    order = np.argsort((keys & 0xFFFF).astype(np.uint16), kind="stable")
    for shift in range(16, max(1, below - 1).bit_length(), 16):
        digits = ((keys >> shift) & 0xFFFF).astype(np.uint16)
        order = order[np.argsort(digits[order], kind="stable")]
    return order


class RaySets(Sequence[tuple[int, ...]]):
    """Set u is `rays[start[u]:start[u+1]]`."""

    def __init__(self, start: IntArray, rays: IntArray) -> None:
        self.start, self.rays = start, rays

    @classmethod
    def of(cls, sets: Sequence[Sequence[int]]) -> RaySets:
        """From any sequence of sequences; itself if it is one already."""
        if isinstance(sets, RaySets):
            return sets
        lengths = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
        rays = np.fromiter(chain.from_iterable(sets), dtype=np.int64, count=int(lengths.sum()))
        return cls(starts_of(lengths), rays)

    def __len__(self) -> int:
        return len(self.start) - 1

    @overload
    def __getitem__(self, place: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> list[tuple[int, ...]]: ...

    def __getitem__(self, place: int | slice) -> tuple[int, ...] | list[tuple[int, ...]]:
        if isinstance(place, slice):
            return [self[u] for u in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(f"there is no set {place}: they are numbered from 0 to {len(self) - 1}")
        return tuple(self.rays[self.start[place] : self.start[place + 1]].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        starts = self.start.tolist()
        for u in range(len(self)):
            yield tuple(self.rays[starts[u] : starts[u + 1]].tolist())

    @property
    def sizes(self) -> IntArray:
        """How many rays each set has."""
        return np.diff(self.start)

    def owners(self) -> IntArray:
        """For each entry of `rays`, its set."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def take(self, which: IntArray) -> RaySets:
        """These sets, in this order."""
        places, lengths = expand(self.start, which)
        return RaySets(starts_of(lengths), self.rays[places])


class Costs(Sequence[Fraction]):
    """Cost u is `counts[u] * step`: integers underneath, in machine words where their sum fits, else Python's."""

    def __init__(self, counts: NDArray[Any], step: Fraction) -> None:
        self.counts, self.step = counts, step

    @classmethod
    def of(cls, costs: Sequence[Fraction | int], step: Fraction | None = None) -> Costs:
        """In multiples of `step`, by default the largest that divides them all; ValueError if it does not."""
        if isinstance(costs, Costs) and step in (None, costs.step):
            return costs
        exact = list(map(Fraction, costs))
        step = cost_unit(exact) if step is None else step
        counts = []
        for unit, cost in enumerate(exact):
            if step <= 0 or (cost / step).denominator > 1:
                raise ValueError(f"the cost {cost} of unit {unit} is not a multiple of the step {step}")
            counts.append((cost / step).numerator)
        return cls(_packed(counts), step)

    @classmethod
    def equal(cls, count: int) -> Costs:
        """So many costs of 1."""
        return cls(np.ones(count, dtype=np.int64), Fraction(1))

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, place: int) -> Fraction: ...

    @overload
    def __getitem__(self, place: slice) -> list[Fraction]: ...

    def __getitem__(self, place: int | slice) -> Fraction | list[Fraction]:
        if isinstance(place, slice):
            return [count * self.step for count in self.counts[place].tolist()]
        return int(self.counts[place]) * self.step

    def total(self, which: Iterable[int]) -> Fraction:
        """The sum of these costs."""
        chosen = np.fromiter(which, dtype=np.int64)
        return int(self.counts[chosen].sum()) * self.step if len(chosen) else Fraction(0)


def _packed(counts: list[int]) -> NDArray[Any]:
    fits = sum(map(abs, counts)).bit_length() <= _WORD_BITS
    return np.array(counts, dtype=np.int64 if fits else object)


def cost_unit(costs: Sequence[Fraction]) -> Fraction:
    """The largest rational of which every cost is an integer multiple (1 when every cost is zero).

    For fractions in lowest terms that is the gcd of the numerators over the lcm of the denominators.
    """
    numerator = gcd(*(cost.numerator for cost in costs))
    return Fraction(numerator, lcm(*(cost.denominator for cost in costs))) if numerator else Fraction(1)


def first_of_equal(sets: RaySets) -> IntArray:
    """For each set, none of them empty, the lowest index of a set with the same rays.

    Sets are sorted by a sum of mixed numbers and neighbours compared; should two different sets share a sum, by value.
    """
    sums = np.add.reduceat(_mixed(sets.rays), sets.start[:-1]) if len(sets) else np.zeros(0, dtype=np.uint64)
    order = np.argsort(sums, kind="stable")
    alike = np.flatnonzero(sums[order][1:] == sums[order][:-1])
    left, right = order[alike], order[alike + 1]
    same = sets.sizes[left] == sets.sizes[right]
    if same.all():
        same = np.array_equal(sets.take(left).rays, sets.take(right).rays)
    if not np.all(same):
        return _first_by_value(sets)
    fresh = np.ones(len(sets), dtype=np.bool_)
    fresh[alike + 1] = False
    first = np.empty(len(sets), dtype=np.int64)
    first[order] = order[np.flatnonzero(fresh)[np.cumsum(fresh) - 1]] if len(sets) else order
    return first


def _mixed(numbers: IntArray) -> NDArray[np.uint64]:
    """Numbers that look random, one for each (Steele, Lea and Flood 2014, "SplitMix")."""
    mixed = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def _first_by_value(sets: RaySets) -> IntArray:
    first: dict[tuple[int, ...], int] = {}
    return np.array([first.setdefault(rays, place) for place, rays in enumerate(sets)], dtype=np.int64)
