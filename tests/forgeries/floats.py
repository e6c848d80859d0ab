"""A second maker of certificates for float data: tiny, slow, straight from the definitions, and without hornbook.

It makes a labelling by trying everything: which groups of nearly parallel differences have weights of their own, and
which combinations of their representatives come close to the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import frexp
from typing import Any

from tests.forgeries.maker import Json, Number, Row, Units, hash_of, index_set, number, step_of, whole
from tests.oracles import Vector, nonnegative_solution, primitive, solve_inequalities

Exact = tuple[Fraction, ...]


@dataclass(frozen=True)
class Difference:
    """A stored difference by its place, as a primitive direction, with its radius scaled alike."""

    state: str
    action: str
    direction: Vector
    radius: Fraction


@dataclass(frozen=True)
class FloatProblem:
    """States in id order, each with the features of its actions; action 0 is the target."""

    states: Mapping[str, Sequence[Sequence[float]]]
    noise: Fraction = Fraction(1, 2**48)
    merge: Fraction = Fraction(1, 2**36)
    gap: int = 2**10
    arithmetic: str = "float64"
    costs: Mapping[str, Number] = field(default_factory=dict)
    name: str | None = None
    identity: str | None = None

    def cost(self, state: str) -> Number:
        return self.costs.get(state, 1)

    def features(self, state: str) -> Sequence[Sequence[float]]:
        return self.states[state]

    def rows(self) -> list[Row]:
        return [
            (state, str(a), True, a == 0, self.cost(state), tuple(phi))
            for state, actions in self.states.items()
            for a, phi in enumerate(actions)
        ]

    @cached_property
    def differences(self) -> list[Difference]:
        """In id order."""
        vectors = [phi for actions in self.states.values() for phi in actions]
        scale = [Fraction(2) ** (1 - frexp(max(map(abs, column)))[1]) for column in zip(*vectors, strict=True)]
        found = []
        for state, actions in self.states.items():
            goal, *others = ([Fraction(v) * s for v, s in zip(phi, scale, strict=True)] for phi in actions)
            for a, phi in enumerate(others, 1):
                size = max(map(abs, goal)) + max(map(abs, phi))
                psi = [x - y for x, y in zip(goal, phi, strict=True)]
                direction = primitive(psi)
                length = next((Fraction(v) / x for v, x in zip(direction, psi, strict=True) if x), Fraction(1))
                found.append(Difference(state, str(a), direction, self.noise * size * length))
        return found

    def radii(self, direction: Vector) -> list[Fraction]:
        return [each.radius for each in self.differences if each.direction == direction]

    def heading(self, claim: str) -> Json:
        return {
            "format": "hornbook-certificate",
            "version": 1,
            "claim": claim,
            "problem": {
                "sha256": hash_of(self.rows(), self.identity),
                "states": len(self.states),
                "differences": len(self.differences),
                "name": self.name,
            },
            "arithmetic": {
                "kind": self.arithmetic,
                "noise": number(self.noise),
                "merge": number(self.merge),
                "gap": self.gap,
            },
            "made_by": {"hornbook": "0"},
        }


def within(x: Vector, y: Vector, sine: Fraction) -> bool:
    dot, one, two = (sum(a * b for a, b in zip(u, v, strict=True)) for u, v in ((x, y), (x, x), (y, y)))
    return dot > 0 and 1 - Fraction(dot * dot, one * two) <= sine**2


def separator(given: FloatProblem, negative: set[Vector]) -> Vector | None:
    """Weights that are positive beyond the noise on everything else: on each corner of the box around it."""
    corners = []
    for x in sorted({each.direction for each in given.differences}):
        rho, side = max(given.radii(x)), -1 if x in negative else 1
        for signs in product((1, -1), repeat=len(x)):
            corners.append(primitive([side * v - rho * sign for v, sign in zip(x, signs, strict=True)]))
    w = solve_inequalities(corners, [1] * len(corners))
    return None if w is None else primitive(w)


def classes_of(given: FloatProblem) -> list[tuple[Difference, set[Vector], Vector]]:
    """For each ray its first difference, its class, and weights against it alone."""
    found: list[tuple[Difference, set[Vector], Vector]] = []
    directions = {each.direction for each in given.differences}
    for each in given.differences:
        own = {x for x in directions if within(x, each.direction, given.merge)}
        w = separator(given, own)
        if w is not None and not any(own & other for _, other, _ in found):
            found.append((each, own, w))
    return found


def residue(x: Vector, shares: Mapping[int, Fraction], rays: Sequence[Vector]) -> Fraction:
    return max(abs(v - sum(m * rays[i][c] for i, m in shares.items())) for c, v in enumerate(x))


def nearly(x: Vector, rays: Sequence[Vector]) -> dict[int, Fraction]:
    """The closest combination among those that some rows of a few rays have exactly."""
    found = []
    for size in range(1, len(x)):
        for chosen in combinations(range(len(rays)), size):
            for rows in combinations(range(len(x)), size):
                m, _ = nonnegative_solution([tuple(rays[i][r] for r in rows) for i in chosen], [x[r] for r in rows])
                if m is not None and all(m):
                    found.append(dict(zip(chosen, map(Fraction, m), strict=True)))
    return min(found, key=lambda shares: residue(x, shares, rays))


def margin(given: FloatProblem, lesson: Sequence[str], rays: Sequence[Any], made_of: Mapping[Vector, Any]) -> Fraction:
    """tau, by its definition."""
    first = [
        next(each for each in given.differences if each.state in lesson and each.direction in own) for _, own, _ in rays
    ]

    def ratio(x: Vector, i: int) -> Fraction:
        f = first[i].direction
        c = max(range(len(f)), key=lambda c: (abs(f[c]), -c))
        return Fraction(x[c], f[c])

    worst = Fraction(0)
    for x in {each.direction for each in given.differences}:
        shares = {i: ratio(x, i) for i, (_, own, _) in enumerate(rays) if x in own}
        shares = shares or {i: m * ratio(rays[i][0].direction, i) for i, m in made_of[x].items()}
        lent = sum(m * first[i].radius for i, m in shares.items())
        need = residue(x, shares, [each.direction for each in first]) + max(given.radii(x)) + lent
        worst = max(worst, need / lent) if lent else worst
    return worst


def units_of(given: FloatProblem, classes: Sequence[set[Vector]]) -> Units:
    """Who shows which rays."""
    costs: dict[frozenset[int], Number] = {}
    example: dict[frozenset[int], str] = {}
    for state in given.states:
        mine = [each.direction for each in given.differences if each.state == state]
        unit = frozenset(i for i, own in enumerate(classes) if own.intersection(mine))
        if unit and given.cost(state) < costs.get(unit, given.cost(state) + 1):
            costs[unit], example[unit] = given.cost(state), state
    return Units(costs, example)


def certify_floats(given: FloatProblem, *, lesson: Sequence[str] = (), tau: Fraction | None = None) -> Json:
    """The certificate of a minimal lesson, or of one's own."""
    rays = classes_of(given)
    vectors = [each.direction for each, _, _ in rays]
    directions = sorted({each.direction for each in given.differences})
    rest = [x for x in directions if not any(x in own for _, own, _ in rays)]
    inside, assumed = {}, {}
    for x in rest:
        try:
            chosen = index_set(x, vectors)
            inside[x] = dict(zip(chosen, nonnegative_solution([vectors[i] for i in chosen], x)[0] or (), strict=True))
        except ValueError:
            assumed[x] = nearly(x, vectors)
    units = units_of(given, [own for _, own, _ in rays])
    best = units.cheapest(len(rays))
    states = [s for s in given.states if s in (lesson or [units.example[u] for u in best])]
    cost, least = Fraction(sum(map(given.cost, states))), Fraction(sum(units.costs[u] for u in best))
    enough = least - step_of([given.cost(s) for s in given.states]) / 2
    in_classes = sum(any(each.direction in own for _, own, _ in rays) for each in given.differences)
    needed = margin(given, states, rays, inside | assumed) if tau is None else tau
    realizes = separator(given, set()) or (0,)
    return given.heading("minimum" if least == cost else "interval") | {
        "lesson": states,
        "size": len(states),
        "cost": str(cost),
        "lower_bound": str(least),
        "realizes": whole(realizes),
        "rays": [[each.state, each.action] for each, _, _ in rays],
        "inside": [[whole(x), list(shares)] for x, shares in inside.items()],
        "assumed": [[whole(x), [[i, number(m)] for i, m in shares.items()]] for x, shares in assumed.items()],
        "merged": in_classes - len(rays),
        "assumed_inside": sum(each.direction in assumed for each in given.differences),
        "tau": str(needed),
        "misconceptions": [{"ray": i, "w": whole(w)} for i, (_, _, w) in enumerate(rays)],
        "bound": units.tree(len(rays), least=enough),
        "all_rays": True,
    }
