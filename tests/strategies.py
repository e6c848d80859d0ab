"""Hypothesis strategies for small exact teaching problems (as `Instance`), vectors and covers.

Numbers are small on purpose: ties, duplicates, parallel and opposite differences and vectors on facets are
the rule.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from tests.instances import Instance, Number

LAYOUTS = (None, "object")


def integers() -> st.SearchStrategy[int]:
    return st.integers(-3, 3)


def fractions() -> st.SearchStrategy[Fraction]:
    return st.builds(Fraction, st.integers(-6, 6), st.integers(1, 4))


def numbers() -> st.SearchStrategy[int | Fraction]:
    """Mostly small integers, some fractions, now and then one that no 64-bit integer holds."""
    return st.one_of(integers(), integers(), fractions(), st.sampled_from((2**63, -(2**63), 2**64 - 1, 10**20)))


def costs() -> st.SearchStrategy[Fraction]:
    return st.builds(Fraction, st.integers(0, 6), st.integers(1, 3))


def vectors(*, d: int, at_most: int = 8) -> st.SearchStrategy[list[tuple[int, ...]]]:
    """One or more integer vectors of one length, often parallel, opposite or zero."""
    return st.lists(st.tuples(*[integers()] * d), min_size=1, max_size=at_most)


@st.composite
def cones(draw: st.DrawFn, *, at_most: int = 8) -> list[tuple[int, ...]]:
    """One or more nonzero vectors strictly on one side of a hyperplane."""
    d = draw(st.integers(1, 4))
    w = draw(st.tuples(*[integers()] * (d - 1), st.integers(1, 3)))
    chosen = []
    for x in draw(vectors(d=d, at_most=at_most)):
        side = sum(a * b for a, b in zip(w, x, strict=True))
        chosen.append(x if side > 0 else tuple(-entry for entry in x) if side else w)
    return chosen


@st.composite
def problems(draw: st.DrawFn, *, max_states: int = 5, max_actions: int = 4, max_features: int = 3) -> Instance:
    """Any small problem: realizable or not, ragged or padded, with ties, duplicates, costs, fractions."""
    d = draw(st.integers(1, max_features))
    row = st.tuples(*[draw(st.sampled_from((integers(), integers(), numbers())))] * d)
    actions = st.lists(row, min_size=1, max_size=max_actions)
    states = draw(st.lists(actions, min_size=1, max_size=max_states))
    if draw(st.booleans()) and len(states) < max_states:
        states.append(draw(st.sampled_from(states)))
    target = [draw(st.integers(0, len(state) - 1)) for state in states]
    return _instance(draw, states, target=target)


@st.composite
def realizable_problems(
    draw: st.DrawFn, *, max_states: int = 5, max_actions: int = 4, max_features: int = 3
) -> Instance:
    """A problem that some w realizes: the target wins strictly, actions that tie with it are dropped."""
    d = draw(st.integers(1, max_features))
    row = st.tuples(*[draw(st.sampled_from((integers(), integers(), fractions())))] * d)
    w = draw(st.tuples(*[st.integers(-5, 5)] * d))
    states, target = [], []
    for rows in draw(st.lists(st.lists(row, min_size=1, max_size=max_actions), min_size=1, max_size=max_states)):
        values = [sum(a * b for a, b in zip(w, x, strict=True)) for x in rows]
        best = values.index(max(values))
        kept = [x for i, x in enumerate(rows) if i == best or values[i] < values[best]]
        states.append(kept)
        target.append(kept.index(rows[best]))
    return _instance(draw, states, target=target)


def _instance(draw: st.DrawFn, states: list[list[tuple[Number, ...]]], *, target: list[int]) -> Instance:
    known: dict[str, Any] = {"dtype": draw(st.sampled_from(LAYOUTS))}
    if draw(st.booleans()):
        known["cost"] = tuple(draw(costs()) for _ in states)
    if known["dtype"] and draw(st.booleans()):
        known["available"] = tuple(
            tuple(a == t or draw(st.booleans()) for a in range(len(rows)))
            for rows, t in zip(states, target, strict=True)
        )
    return Instance(
        tuple(tuple(rows) for rows in states),
        tuple(target),
        "drawn by hypothesis",
        len(states[0][0]),
        **known,
    )


@st.composite
def covers(
    draw: st.DrawFn, *, max_elements: int = 7, max_sets: int = 8
) -> tuple[int, list[tuple[int, ...]], list[Fraction]]:
    """(number of elements, distinct nonempty sorted sets that cover them all, costs)."""
    count = draw(st.integers(1, max_elements))
    members = st.sets(st.integers(0, count - 1), min_size=1, max_size=4).map(lambda s: tuple(sorted(s)))
    sets = draw(st.lists(members, min_size=1, max_size=max_sets, unique=True))
    lost = set(range(count)).difference(*sets)
    sets += [(k,) for k in sorted(lost)]
    price = st.just(Fraction(1)) if draw(st.booleans()) else costs()
    return count, sets, [draw(price) for _ in sets]
