"""The same float problem told differently.  On floats only changes that round nothing keep the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.float_families.cases import FloatCase, Place, Truth


def plain(case: FloatCase, rng: Random) -> FloatCase:
    return case


def permuted(case: FloatCase, rng: Random) -> FloatCase:
    """States in another order, and the actions of each state."""
    states = rng.sample(range(len(case.features)), len(case.features))
    orders = [rng.sample(range(len(case.features[s])), len(case.features[s])) for s in states]
    moved = {(s, a): (i, j) for i, s in enumerate(states) for j, a in enumerate(orders[i])}
    bad = case.bad_at
    return replace(
        case,
        features=tuple(tuple(case.features[s][a] for a in order) for s, order in zip(states, orders, strict=True)),
        target=tuple(order.index(case.target[s]) for s, order in zip(states, orders, strict=True)),
        truths=_renamed(case.truths, moved),
        bad_at=bad and (*moved[bad[:2]], bad[2]),
    )


def _renamed(truths: tuple[Truth, ...], moved: dict[Place, Place]) -> tuple[Truth, ...]:
    return tuple(replace(t, rays=tuple(tuple(sorted(moved[p] for p in ray)) for ray in t.rays)) for t in truths)


def chunked(case: FloatCase, rng: Random) -> FloatCase:
    """Handed out a few states at a time."""
    return replace(case, chunk=rng.randint(1, len(case.features)))


def flipped(case: FloatCase, rng: Random) -> FloatCase:
    """Features in another order and mirrored."""
    d = len(case.features[0][0])
    order, signs = rng.sample(range(d), d), [rng.choice((1.0, -1.0)) for _ in range(d)]
    bad = case.bad_at and (*case.bad_at[:2], order.index(case.bad_at[2]))
    return replace(_mapped(case, order, signs), bad_at=bad)


def stretched(case: FloatCase, rng: Random) -> FloatCase:
    """Columns in other units that are powers of two, where floats can hold them."""
    if case.kind != "float64" or _extreme(case):
        return case
    d = len(case.features[0][0])
    return _mapped(case, list(range(d)), [2.0 ** rng.randint(-200, 200) for _ in range(d)])


def _mapped(case: FloatCase, order: list[int], factors: list[float]) -> FloatCase:
    features = tuple(
        tuple(tuple(f * row[j] for f, j in zip(factors, order, strict=True)) for row in actions)
        for actions in case.features
    )
    return replace(case, features=features)


def _extreme(case: FloatCase) -> bool:
    numbers = [abs(v) for actions in case.features for row in actions for v in row if v]
    return not (min(numbers, default=1.0) > 1e-200 and max(numbers, default=1.0) < 1e200)


def repeated(case: FloatCase, rng: Random) -> FloatCase:
    """Some states twice: the copies show the same rays."""
    count = len(case.features)
    again = rng.sample(range(count), rng.randint(1, min(3, count)))
    truths = tuple(replace(t, rays=tuple(_with_copies(ray, again, count) for ray in t.rays)) for t in case.truths)
    return replace(
        case,
        features=case.features + tuple(case.features[s] for s in again),
        target=case.target + tuple(case.target[s] for s in again),
        truths=truths,
    )


def _with_copies(ray: tuple[Place, ...], again: list[int], count: int) -> tuple[Place, ...]:
    copies = [(count + i, a) for i, s in enumerate(again) for state, a in ray if state == s]
    return tuple(sorted([*ray, *copies]))


RETOLD: dict[str, Callable[[FloatCase, Random], FloatCase]] = {
    "plain": plain,
    "permuted": permuted,
    "chunked": chunked,
    "flipped": flipped,
    "stretched": stretched,
    "repeated": repeated,
}
