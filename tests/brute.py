"""Answers straight from the definitions, for tiny problems: no rays, only exact inequalities.

A problem is given here as `states`: for every state the list of its differences (`by_state` makes it from an
instance).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

from tests.instances import Instance, differences, is_available
from tests.oracles import Vector, primitive, solve_inequalities

States = Sequence[Sequence[Vector]]


def by_state(instance: Instance) -> list[list[Vector]]:
    """Differences of each state at integer length, which changes no inequality."""
    return [[primitive(x) for _, x in state] for state in differences(instance)]


def wrong_somewhere(states: States, taught: Sequence[int]) -> tuple[Fraction, ...] | None:
    """A w that agrees with the demonstrations of `taught` and errs somewhere, or None."""
    shown = [x for s in taught for x in states[s]]
    for x in dict.fromkeys(x for state in states for x in state):
        w = solve_inequalities([*shown, tuple(-entry for entry in x)], [1] * len(shown) + [0])
        if w is not None:
            return w
    return None


def teaches(states: States, taught: Sequence[int]) -> bool:
    """Every w that agrees with the demonstrations acts as the target everywhere (realizable only)."""
    return wrong_somewhere(states, taught) is None


def cheapest_lesson(states: States, costs: Sequence[Fraction] | None = None) -> tuple[Fraction, tuple[int, ...]]:
    """The least cost of a teaching set, and one; tries all 2^S subsets, cheapest first."""
    price = costs or [Fraction(1)] * len(states)
    subsets = [c for size in range(len(states) + 1) for c in combinations(range(len(states)), size)]
    priced = sorted(((sum((price[s] for s in c), Fraction(0)), c) for c in subsets), key=lambda item: item[0])
    return next((cost, subset) for cost, subset in priced if teaches(states, subset))


def possible_actions(instance: Instance, taught: Sequence[int], *, state: int) -> set[int]:
    """Actions of a state that some w of the version space of `taught` has in its argmax, ties included.

    Empty exactly when the version space is.
    """
    states = by_state(instance)
    shown = [x for s in taught for x in states[s]]
    rows = instance.features[state]
    actions = [a for a in range(len(rows)) if is_available(instance, state=state, action=a)]
    return {a for a in actions if _can_win(shown, rows[a], others=[rows[b] for b in actions if b != a])}


def _can_win(shown: list[Vector], winner: Sequence, *, others: Sequence[Sequence]) -> bool:
    ahead = [primitive([Fraction(p) - Fraction(q) for p, q in zip(winner, row, strict=True)]) for row in others]
    if not shown and not ahead:
        return True
    return solve_inequalities([*shown, *ahead], [1] * len(shown) + [0] * len(ahead)) is not None


class TooLarge(Exception):
    """The search was given up: this is brute force."""


def cheapest_cover(
    elements: Sequence[object],
    sets: Sequence[Sequence[object]],
    *,
    costs: Sequence[Fraction] | None = None,
    most: int = 5000,
) -> Fraction | None:
    """The least cost of sets that cover all elements, or None; gives up after `most` subproblems.

    Some set must cover the rarest missing element: try each that does.  Subproblems are remembered.
    """
    place = {element: i for i, element in enumerate(elements)}
    price = costs or [Fraction(1)] * len(sets)
    masks = [sum(1 << place[x] for x in set(members)) for members in sets]
    useful = _undominated(masks, price)
    owners = [[s for s in useful if masks[s] >> i & 1] for i in range(len(elements))]
    by_rarity = sorted(range(len(elements)), key=lambda i: len(owners[i]))

    @cache
    def best(missing: int) -> Fraction | None:
        if best.cache_info().misses > most:
            raise TooLarge
        if not missing:
            return Fraction(0)
        rarest = next(i for i in by_rarity if missing >> i & 1)
        rests = [(price[s], best(missing & ~masks[s])) for s in owners[rarest]]
        return min((p + rest for p, rest in rests if rest is not None), default=None)

    return best((1 << len(elements)) - 1)


def _undominated(masks: Sequence[int], price: Sequence[Fraction]) -> list[int]:
    """Sets that no other set, at most as dear, contains (of equals, the first)."""
    order = sorted(range(len(masks)), key=lambda s: (price[s], -masks[s].bit_count()))
    kept: list[int] = []
    for s in order:
        if masks[s] and all(masks[s] & ~masks[t] for t in kept):
            kept.append(s)
    return kept
