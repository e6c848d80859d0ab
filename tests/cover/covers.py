"""Small cover problems, and two slow and obvious judges of covers and proofs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil, gcd, inf, lcm

from hypothesis import strategies as st

from hornbook.cover import Branch, Cover, CoverProblem, Leaf, Proof, SetBound, Unreachable, used_rays

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
def problems(draw: st.DrawFn, *, rays: int = 8, units: int = 14, most: int = 1) -> CoverProblem:
    """Overlapping units of few rays, costs of one of several kinds, demands up to `most`; equal units if that is
    above 1."""
    ray = st.integers(0, draw(st.integers(0, rays - 1)))
    unit = st.frozensets(ray, min_size=1, max_size=draw(st.integers(1, 5)))
    some = draw(st.lists(unit, min_size=1, max_size=units, unique=most == 1))
    names = {name: place for place, name in enumerate(sorted(frozenset().union(*some)))}
    shown = sorted(tuple(sorted(names[ray] for ray in unit)) for unit in some)
    kind = draw(st.sampled_from(COSTS))
    costs = draw(st.lists(kind, min_size=len(shown), max_size=len(shown)))
    count = Counter(ray for unit in shown for ray in unit)
    demands = [draw(st.integers(1, min(most, count[ray]))) for ray in range(len(names))]
    return CoverProblem(len(names), shown, costs, demands=demands)


def cheapest(problem: CoverProblem) -> Fraction:
    """The minimum, by dynamic programming over what the rays still need."""
    best = {tuple(problem.demands.tolist()): Fraction(0)}
    for unit, cost in zip(problem.units, problem.costs, strict=True):
        for need, paid in list(best.items()):
            less = tuple(max(0, n - (ray in unit)) for ray, n in enumerate(need))
            best[less] = min(paid + cost, best.get(less, paid + cost))
    return best[(0,) * problem.num_rays]


def bound_by_the_book(problem: CoverProblem, proof: Proof) -> Fraction:
    """What the proof proves, in the words of the interface, with sets and fractions and no regard for speed."""
    mentioned = frozenset(used_rays(proof))
    demand = {ray: int(problem.demands[ray]) for ray in mentioned}
    shows = {unit: mentioned & set(rays) for unit, rays in enumerate(problem.units) if mentioned & set(rays)}
    price = dict(enumerate(problem.costs))
    kinds: dict[frozenset[int], list[int]] = {}
    for unit in sorted(shows, key=lambda unit: price[unit]):
        kinds.setdefault(frozenset(shows[unit]), []).append(unit)
    kept = {unit for rays, units in kinds.items() for unit in units[: max(demand[ray] for ray in rays)]}

    def walk(node: Proof, taken: frozenset[int], refused: frozenset[int]) -> Fraction | float:
        if isinstance(node, Unreachable):
            assert sum(node.ray in shows[unit] for unit in kept - refused) < demand[node.ray]
            return inf
        if isinstance(node, Leaf):
            return leaf_bound(node, taken, refused)
        need = {ray for ray in mentioned if sum(ray in shows[unit] for unit in taken) < demand[ray]}
        assert node.unit in shows
        unit = node.unit if node.unit in kept else kinds[frozenset(shows[node.unit])][0]
        assert unit in kept - taken - refused
        assert need & shows[unit]
        gone = {u for u in kept - taken if need & shows[u] <= shows[unit] and price[u] >= price[unit]}
        return min(walk(node.taken, taken | {unit}, refused), walk(node.refused, taken, refused | gone))

    def leaf_bound(leaf: Leaf, taken: frozenset[int], refused: frozenset[int]) -> Fraction:
        total = sum((weight * demand[ray] for ray, weight in leaf.weights), Fraction(0))
        for bound in leaf.sets:
            assert all(len(shows[unit] & set(bound.of)) <= bound.at_most for unit in kept - refused)
            total += bound.weight * ceil(Fraction(sum(demand[ray] for ray in bound.of), bound.at_most))
        for unit in kept - refused:
            load = sum((weight for ray, weight in leaf.weights if ray in shows[unit]), Fraction(0))
            load += sum((bound.weight for bound in leaf.sets if shows[unit] & set(bound.of)), Fraction(0))
            total += price[unit] - load if unit in taken else min(Fraction(0), price[unit] - load)
        return total

    raw = walk(proof, frozenset(), frozenset())
    assert isinstance(raw, Fraction)
    return ceil(raw / problem.step) * problem.step


def assert_covers(problem: CoverProblem, cover: Cover) -> None:
    """The chosen units show every ray at the cost told, and the proof proves the bound told."""
    assert list(cover.chosen) == sorted(set(cover.chosen))
    shown = Counter(ray for unit in cover.chosen for ray in problem.units[unit])
    assert all(shown[ray] >= demand for ray, demand in enumerate(problem.demands.tolist()))
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
