"""N1-N8 and N25-N29: degenerate problems, conflicts, bad numbers, silent columns."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from tests.families.cones import (
    Point,
    combine,
    cone,
    deal,
    dimension,
    faced,
    hands,
    inside,
    lift,
    negative,
    problem,
    scaled,
    sheared,
    spoiled,
    vector,
)
from tests.instances import BAD, Instance
from tests.oracles import NOTREAL


def no_state(rng: Random) -> Instance:
    """N1: nothing to teach."""
    return Instance((), (), "no state: the empty lesson", rng.randint(1, 6), expected=(), size=0, dtype="int64")


def one_difference(rng: Random) -> Instance:
    """N2: one state with two actions."""
    d = rng.randint(1, 6)
    x = vector(rng, d)
    while not any(x):
        x = vector(rng, d)
    return deal(rng, [[x]], expected=(x,), size=1, argument="one difference is one ray", cost=None)


def one_action(rng: Random) -> Instance:
    """N3: the target is the only available action in every state."""
    d, count = rng.randint(1, 6), rng.randint(1, 9)
    most = rng.choice((1, 1, 3))
    features = tuple(tuple(vector(rng, d) for _ in range(most)) for _ in range(count))
    target = tuple(rng.randrange(most) for _ in range(count))
    allowed = tuple(tuple(a == t for a in range(most)) for t in target)
    return Instance(features, target, "no difference", d, expected=(), size=0, available=allowed, dtype="object")


def on_a_line(rng: Random) -> Instance:
    """N4: d = 1, all of one sign, or of both."""
    sign = rng.choice((1, -1))
    vectors: list[Point] = [(sign * rng.randint(1, 99),) for _ in range(rng.randint(1, 8))]
    if rng.random() < 0.4:
        clash = [*vectors, (-sign * rng.randint(1, 99),)]
        return problem(rng, clash, expected=NOTREAL, conflict_terms=2, argument="both signs on a line")
    return problem(rng, vectors, expected=((sign,),), size=1, argument="one sign on a line", cost=None)


def no_feature(rng: Random) -> Instance:
    """N5: d = 0 is refused."""
    actions = rng.randint(1, 3)
    count = rng.randint(1, 5)
    features = tuple(tuple(() for _ in range(actions)) for _ in range(count))
    return Instance(features, (0,) * count, "no feature", 0, expected=BAD, dtype=rng.choice((None, "int64")))


def tie(rng: Random) -> Instance:
    """N6: one action has the features of the target; the rest is realizable, so this is the only conflict."""
    vectors = faced(rng, dimension(rng), count=rng.randint(4, 12))
    zero = (0,) * len(vectors[0])
    return problem(rng, [*vectors, zero], expected=NOTREAL, conflict_terms=1, argument="a zero difference")


def opposites(rng: Random) -> Instance:
    """N7: x and -c x far apart; every other vector is on one side of a hyperplane through them."""
    d = dimension(rng)
    (x,) = cone(rng, d - 1, count=1)
    first, *rest = sheared(rng, [(0, *x), *lift(rng, d, count=rng.randint(3, 20))])
    states = [[first], *hands(rng, rest), [scaled(-rng.randint(1, 9), first)]]
    return deal(rng, states, expected=NOTREAL, conflict_terms=2, argument="x and -cx", chunk=rng.choice((1, 2, 3)))


def circuit(rng: Random) -> Instance:
    """N8: k vectors sum to zero with positive multipliers; the others are on one side of their span."""
    d = dimension(rng)
    k = rng.randint(2, d + 1)
    units = [tuple(int(i == j) for j in range(1, d + 1)) for i in range(d + 2 - k, d + 1)]
    ring = [scaled(rng.randint(1, 5), u) for u in units]
    ring.append(negative(combine([rng.randint(1, 5) for _ in units], units)))
    others = lift(rng, d, count=rng.randint(1, 10)) if k <= d else []
    mixed = sheared(rng, [*ring, *others])
    return problem(
        rng,
        mixed,
        expected=NOTREAL,
        conflict_terms=k,
        argument=f"{k} vectors around the origin of their span",
    )


def negative_zero(rng: Random) -> Instance:
    """N25: -0.0 is 0."""
    vectors = sheared(rng, faced(rng, dimension(rng), count=rng.randint(4, 14)))
    whole = problem(rng, vectors, argument="integral floats with negative zeros", dtype="float64")
    signed = tuple(
        tuple(tuple(-0.0 if x == 0 and rng.random() < 0.7 else float(x) for x in row) for row in actions)
        for actions in whole.features
    )
    return replace(whole, features=signed)


def not_finite(rng: Random) -> Instance:
    """N26: NaN or infinity anywhere, in an unused action too."""
    d, count, actions = rng.randint(1, 5), rng.randint(1, 8), rng.randint(2, 4)
    features = [[list(map(float, vector(rng, d))) for _ in range(actions)] for _ in range(count)]
    s, a, j = rng.randrange(count), rng.randrange(actions), rng.randrange(d)
    features[s][a][j] = rng.choice((float("nan"), float("inf"), float("-inf")))
    target = [rng.randrange(actions) for _ in range(count)]
    unused = rng.random() < 0.5 and a != target[s]
    return Instance(
        tuple(tuple(map(tuple, rows)) for rows in features),
        tuple(target),
        "not a finite number, unused" if unused else "not a finite number",
        d,
        expected=BAD,
        bad_at=(s, a, j),
        available=tuple(tuple((i, b) != (s, a) or not unused for b in range(actions)) for i in range(count)),
        dtype=rng.choice(("float64", "float32", "float16")),
        exact=rng.random() < 0.7,
    )


def silent_columns(rng: Random) -> Instance:
    """N27: dependent, constant and zero columns change no answer."""
    vectors = faced(rng, rng.choice((3, 3, 4)), count=rng.randint(4, 16))
    d = len(vectors[0])
    recipes = [rng.choice(((0,) * d, vector(rng, d, high=2))) for _ in range(rng.randint(1, 3))]
    wide = [(*x, *(sum(a * b for a, b in zip(r, x, strict=True)) for r in recipes)) for x in vectors]
    order = rng.sample(range(len(wide[0])), len(wide[0]))
    return problem(rng, [tuple(x[i] for i in order) for x in wide], argument="rank below d")


def few_vectors(rng: Random) -> Instance:
    """N28: many features, few vectors; independent ones are all rays, sums of them are on facets."""
    d = rng.randint(6, 10)
    count = rng.randint(3, 5)
    basis = [(*(int(i == j) for j in range(count)), *vector(rng, d - count)) for i in range(count)]
    basis = sheared(rng, basis)
    extra = inside(rng, basis, count=rng.randint(0, 4))
    if rng.random() < 0.15:
        return problem(rng, spoiled(rng, basis + extra), expected=NOTREAL, argument="a combination cancelled")
    return problem(rng, basis + extra, expected=tuple(basis), argument="independent vectors and their sums")


def rank_one(rng: Random) -> Instance:
    """N29: all vectors on one line."""
    d = rng.randint(2, 8)
    x = vector(rng, d)
    x = x if any(x) else (1,) * d
    factors = [Fraction(rng.randint(1, 30), rng.randint(1, 9)) for _ in range(rng.randint(2, 12))]
    if rng.random() < 0.35:
        clash = [scaled(f, x) for f in (*factors, -factors[0])]
        return problem(rng, clash, expected=NOTREAL, conflict_terms=2, argument="both ways along a line")
    return problem(rng, [scaled(f, x) for f in factors], expected=(x,), size=1, argument="one ray", cost=None)
