"""How many draws with replacement it takes until every ray has been shown: exactly, by inclusion and exclusion.

The time until ray r is shown is geometric, by the number of states that show it.  The time until all are shown is a
maximum of these; maxima are alternating sums of minima, and the minimum over a set R of rays is geometric again, by the
number of states that show any ray of R.  Sums over all sets of rays are kept as polynomials: the coefficient of x^q is
the sum of the signs of those sets that q states show.  Rays that no state links to each other multiply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Draws", "expected_draws"]

_MOST_SETS = 1 << 14  # of rays in one linked group, up to those shown by the same states
_MOST_TERMS = 2_000_000  # products of terms in all

Polynomial = dict[int, int]


@dataclass(frozen=True)
class Draws:
    """Mean and variance of the number of draws."""

    mean: Fraction
    variance: Fraction


def expected_draws(kinds: Sequence[tuple[frozenset[int], int]], num_states: int) -> Draws | None:
    """For kinds of states (the rays that they show, how many they are); None where the sums are too many.

    >>> expected_draws([(frozenset({0, 1}), 1), (frozenset({0}), 1), (frozenset({1}), 1)], 3).mean
    Fraction(2, 1)
    """
    total: Polynomial = {0: 1}
    work = 0
    for part in _parts(kinds):
        factor = _alternating(part, kinds)
        work += 0 if factor is None else len(total) * len(factor)
        if factor is None or work > _MOST_TERMS:
            return None
        total = _product(total, factor)
    chances = [(Fraction(states, num_states), -sign) for states, sign in total.items() if states]
    mean = sum((sign / p for p, sign in chances), start=Fraction(0))
    square = sum((sign * (2 - p) / p**2 for p, sign in chances), start=Fraction(0))
    return Draws(mean, square - mean**2)


def _parts(kinds: Sequence[tuple[frozenset[int], int]]) -> list[list[int]]:
    """Groups of rays that states link, each given by the sets of kinds (as bits) that show its rays."""
    showing: dict[int, int] = {}
    for place, (rays, _) in enumerate(kinds):
        for ray in rays:
            showing[ray] = showing.get(ray, 0) | 1 << place
    waiting = set(showing.values())  # rays shown by the same states are one
    parts = []
    while waiting:
        part = new = [waiting.pop()]
        while new:
            together = _union(part)
            new = [mask for mask in waiting if mask & together]
            waiting.difference_update(new)
            part = part + new
        parts.append(sorted(part))
    return sorted(parts)


def _union(masks: Iterable[int]) -> int:
    together = 0
    for mask in masks:
        together |= mask
    return together


def _alternating(part: Sequence[int], kinds: Sequence[tuple[frozenset[int], int]]) -> Polynomial | None:
    """The sum over all sets of these rays of (-1)^(their number) x^(how many states show any of them)."""
    signs: dict[int, int] = {0: 1}
    for mask in part:
        grown = dict(signs)
        for kinds_hit, sign in signs.items():
            hit = kinds_hit | mask
            grown[hit] = grown.get(hit, 0) - sign
        signs = {hit: sign for hit, sign in grown.items() if sign}
        if len(signs) > _MOST_SETS:
            return None
    result: Polynomial = {}
    for hit, sign in signs.items():
        states = sum(kinds[place][1] for place in range(hit.bit_length()) if hit >> place & 1)
        result[states] = result.get(states, 0) + sign
    return result


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            result[a + b] = result.get(a + b, 0) + x * y
    return {states: sign for states, sign in result.items() if sign}
