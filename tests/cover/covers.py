"""Small cover problems, and two slow and obvious judges of covers and proofs."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import ceil, gcd, inf, lcm

from hypothesis import strategies as st

from hornbook.cover import Branch, Cover, CoverProblem, Leaf, Proof, SetBound, Unreachable, cost_unit, used_rays

COSTS = (
    st.just(Fraction(1)),
    st.integers(0, 4).map(Fraction),
    st.builds(Fraction, st.integers(0, 6), st.integers(1, 4)),
    st.sampled_from([Fraction(1), Fraction(3), Fraction(10**30)]),
    st.sampled_from([Fraction(5, 7), Fraction(2, 3), Fraction(9, 11), Fraction(1)]),
)


def problem(units: list[tuple[int, ...]], *, costs: list[int] | None = None) -> CoverProblem:
    """Unit costs unless given."""
    rays = 1 + max((ray for unit in units for ray in unit), default=-1)
    return CoverProblem(rays, tuple(units), tuple(map(Fraction, costs or [1] * len(units))))


@st.composite
def problems(draw: st.DrawFn, *, rays: int = 8, units: int = 14) -> CoverProblem:
    """Overlapping units of few rays, costs of one of several kinds."""
    ray = st.integers(0, draw(st.integers(0, rays - 1)))
    size = draw(st.integers(1, 5))
    some = draw(st.sets(st.frozensets(ray, min_size=1, max_size=size), min_size=1, max_size=units))
    names = {name: place for place, name in enumerate(sorted(frozenset().union(*some)))}
    shown = sorted(tuple(sorted(names[ray] for ray in unit)) for unit in some)
    kind = draw(st.sampled_from(COSTS))
    costs = draw(st.lists(kind, min_size=len(shown), max_size=len(shown)))
    return CoverProblem(len(names), tuple(shown), tuple(costs))


def cheapest(problem: CoverProblem) -> Fraction:
    """The minimum, by dynamic programming over sets of rays shown."""
    best = {frozenset[int](): Fraction(0)}
    for unit, cost in zip(problem.units, problem.costs, strict=True):
        for shown, paid in list(best.items()):
            more = shown | set(unit)
            best[more] = min(paid + cost, best.get(more, paid + cost))
    return best[frozenset(range(problem.num_rays))]


def bound_by_the_book(problem: CoverProblem, proof: Proof) -> Fraction:
    """What the proof proves, in the words of the interface, with sets and fractions and no regard for speed."""
    mentioned = frozenset(used_rays(proof))
    price: dict[frozenset[int], Fraction] = {}
    for unit, cost in zip(problem.units, problem.costs, strict=True):
        shown = mentioned & set(unit)
        if shown:
            price[shown] = min(cost, price.get(shown, cost))

    def walk(node: Proof, taken: frozenset[frozenset[int]], refused: frozenset[frozenset[int]]) -> Fraction | float:
        if isinstance(node, Unreachable):
            assert all(unit in refused for unit in price if node.ray in unit)
            return inf
        if isinstance(node, Leaf):
            return leaf_bound(node, price, taken, refused)
        unit = mentioned & set(problem.units[node.unit])
        done = frozenset().union(*taken)
        assert unit in price.keys() - taken - refused
        gone = {u for u in price if u not in taken and u - done <= unit - done and price[u] >= price[unit]}
        return min(walk(node.taken, taken | {unit}, refused), walk(node.refused, taken, refused | gone))

    raw = walk(proof, frozenset(), frozenset())
    assert isinstance(raw, Fraction)
    step = problem.step or cost_unit(problem.costs)
    return ceil(raw / step) * step


def leaf_bound(
    leaf: Leaf,
    price: dict[frozenset[int], Fraction],
    taken: frozenset[frozenset[int]],
    refused: frozenset[frozenset[int]],
) -> Fraction:
    """Weak duality, term by term."""
    total = sum((weight for _, weight in leaf.weights), Fraction(0))
    for bound in leaf.sets:
        assert all(len(unit & set(bound.of)) <= bound.at_most for unit in price)
        total += bound.weight * ceil(Fraction(len(bound.of), bound.at_most))
    for unit in price.keys() - refused:
        load = sum((weight for ray, weight in leaf.weights if ray in unit), Fraction(0))
        load += sum((bound.weight for bound in leaf.sets if unit & set(bound.of)), Fraction(0))
        slack = price[unit] - load
        total += slack if unit in taken else min(Fraction(0), slack)
    return total


def assert_covers(problem: CoverProblem, cover: Cover) -> None:
    """The chosen units show every ray at the cost told, and the proof proves the bound told."""
    assert list(cover.chosen) == sorted(set(cover.chosen))
    assert {ray for unit in cover.chosen for ray in problem.units[unit]} == set(range(problem.num_rays))
    assert sum((problem.costs[unit] for unit in cover.chosen), Fraction(0)) == cover.cost
    assert bound_by_the_book(problem, cover.proof) == cover.lower_bound <= cover.cost


def cycle(n: int, *, first: int = 0) -> list[tuple[int, ...]]:
    """Neighbours on a cycle of n rays: the relaxation says n/2, the minimum is ceil(n/2)."""
    return [tuple(sorted((first + ray, first + (ray + 1) % n))) for ray in range(n)]


def triples(v: int) -> list[tuple[int, ...]]:
    """The points of the Steiner triple system on 3, 9, 27, ... points by tripling, as sets of triples they hit."""
    points = 3
    system: list[tuple[int, ...]] = [(0, 1, 2)]
    while points < v:
        copies: list[tuple[int, ...]] = [
            tuple(x + shift * points for x in triple) for triple in system for shift in range(3)
        ]
        copies += [(x, x + points, x + 2 * points) for x in range(points)]
        copies += [(a, b + points, c + 2 * points) for triple in system for a, b, c in permutations(triple)]
        points, system = 3 * points, copies
    assert all(len({*one} & {*two}) < 2 for one, two in combinations(system, 2))
    return [tuple(i for i, triple in enumerate(system) if x in triple) for x in range(points)]


def tower(n: int) -> CoverProblem:
    """Unit s in 2..n shows the fractions a/s: the unique minimum is every s with 2s > n, ceil(n/2) of them."""
    name: dict[tuple[int, int], int] = {}
    units = []
    for s in range(2, n + 1):
        lowest = [(a // gcd(a, s), s // gcd(a, s)) for a in range(s)]
        units.append(tuple(sorted(name.setdefault(key, len(name)) for key in lowest)))
    return problem(units)


def greedy_trap(q: int) -> CoverProblem:
    """Greedy takes H(q) times the minimum: lcm(1..q) disjoint units of q rays, and before them in the list, for
    g = q, ..., 1, units of g rays that take one ray out of each of g of those.  Ties fall to these."""
    count = lcm(*range(1, q + 1))
    tempting = [
        tuple(q * (start + step) + q - g for step in range(g)) for g in range(q, 0, -1) for start in range(0, count, g)
    ]
    return problem([*tempting, *(tuple(range(q * unit, q * unit + q)) for unit in range(count))])


def branching() -> tuple[CoverProblem, Branch]:
    """Three rays, each two of them shown by a unit, with a proof by cases that two units are needed."""
    whole = problem([(0, 1), (0, 2), (1, 2)])
    one = Fraction(1)
    return whole, Branch(0, Leaf(((2, one),)), Branch(1, Leaf(((1, one),)), Unreachable(0)))


def triangle() -> SetBound:
    """All three rays, of which no unit shows more than two."""
    return SetBound((0, 1, 2), 2, Fraction(1))
