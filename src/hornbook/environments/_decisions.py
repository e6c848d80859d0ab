"""Exact planning in finite decision processes: which actions are best, and which tie for it.

A floating value iteration proposes a policy; exact policy iteration finishes it, so that a tie is a tie and a lead is a
lead however small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

__all__ = ["Table", "best_actions"]

Outcome = tuple[Fraction, int, Fraction, bool]  # probability, next state, reward, whether the episode ends
Table = Sequence[Sequence[Sequence[Outcome]]]  # [state][action] -> outcomes

_SWEEPS = 2000


def best_actions(table: Table, *, discount: Fraction) -> list[list[int]]:
    """For each state the actions of highest discounted return under optimal play, all of them.

    Cost: an exact solution of one linear equation per state, by elimination that keeps sparse rows sparse.
    """
    policy = _proposed(table, float(discount))
    while True:
        values = _values_of(table, policy, discount)
        worth = [[_worth(outcomes, values, discount) for outcomes in row] for row in table]
        best = [[a for a, w in enumerate(row) if w == max(row)] for row in worth]
        if all(chosen in among for chosen, among in zip(policy, best, strict=True)):
            return best
        policy = [among[0] if chosen not in among else chosen for chosen, among in zip(policy, best, strict=True)]


def _proposed(table: Table, discount: float) -> list[int]:
    rows = [[[(float(p), s, float(r), end) for p, s, r, end in o] for o in row] for row in table]
    values = [0.0] * len(table)
    worth: list[list[float]] = []
    for _ in range(_SWEEPS):
        worth = [[sum(p * (r + (0 if end else discount * values[s])) for p, s, r, end in o) for o in a] for a in rows]
        new = [max(row) for row in worth]
        if new == values:
            break
        values = new
    return [row.index(max(row)) for row in worth]


def _worth(outcomes: Sequence[Outcome], values: Mapping[int, Fraction], discount: Fraction) -> Fraction:
    return sum((p * (r + (0 if end else discount * values[s])) for p, s, r, end in outcomes), start=Fraction(0))


def _values_of(table: Table, policy: Sequence[int], discount: Fraction) -> dict[int, Fraction]:
    """Solve value(s) = reward(s) + sum of weight x value(s') for all states: eliminate from the front, then go back."""
    rows: list[tuple[Fraction, dict[int, Fraction]]] = []
    for state, action in enumerate(policy):
        constant, weights = Fraction(0), dict[int, Fraction]()
        for p, s, r, end in table[state][action]:
            constant += p * r
            if not end:
                weights[s] = weights.get(s, Fraction(0)) + discount * p
        rows.append(_reduced(state, constant, weights, rows))
    values: dict[int, Fraction] = {}
    for state in reversed(range(len(rows))):
        constant, weights = rows[state]
        values[state] = constant + sum(w * values[s] for s, w in weights.items())
    return values


def _reduced(
    state: int, constant: Fraction, weights: dict[int, Fraction], rows: Sequence[tuple[Fraction, dict[int, Fraction]]]
) -> tuple[Fraction, dict[int, Fraction]]:
    """Put in the rows of the states before, which speak of later states only, then solve for the state itself."""
    while weights and min(weights) < state:
        earlier = min(weights)
        factor = weights.pop(earlier)
        constant += factor * rows[earlier][0]
        for s, w in rows[earlier][1].items():
            weights[s] = weights.get(s, Fraction(0)) + factor * w
    own = 1 - weights.pop(state, Fraction(0))
    return constant / own, {s: w / own for s, w in weights.items()}
