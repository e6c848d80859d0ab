"""A second maker of certificates: tiny, slow, straight from the definitions, and without hornbook.

It serves problems of a dozen differences: rays, w_0 and misconceptions from exact linear programs, index sets and
lessons by trying them all, and as lower bound a tree that branches until linear programming does.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import Any

from tests.oracles import Vector, nonnegative_solution, primitive, solve_inequalities

Json = dict[str, Any]
Number = int | Fraction
Row = tuple[str, str, bool, bool, Number, tuple[Any, ...]]


@dataclass(frozen=True)
class Problem:
    """States in id order, each with its differences; action 0 is the target and has zero features."""

    states: Mapping[str, Sequence[Sequence[Number]]]
    costs: Mapping[str, Number]
    name: str | None = None
    identity: str | None = None
    arithmetic: str = "exact"

    def cost(self, state: str) -> Number:
        return self.costs.get(state, 1)

    def directions(self, state: str) -> set[Vector]:
        return {primitive(x) for x in self.states[state]}

    @property
    def all_directions(self) -> list[Vector]:
        return sorted({x for state in self.states for x in self.directions(state)})

    @property
    def width(self) -> int:
        return max((len(x) for xs in self.states.values() for x in xs), default=1)

    def features(self, state: str) -> list[list[Number]]:
        return [[0] * self.width, *([-v for v in x] for x in self.states[state])]

    def rows(self) -> list[Row]:
        return [
            (state, str(a), True, a == 0, self.cost(state), tuple(phi))
            for state in self.states
            for a, phi in enumerate(self.features(state))
        ]


def problem(states: Mapping[str, Sequence[Sequence[Number]]], **costs: Number) -> Problem:
    """States given in any order; costs by state."""
    decimal = all(re.fullmatch("[0-9]+", name) for name in states)
    ordered = sorted(states, key=lambda name: (int(name) if decimal else 0, name))
    return Problem({name: states[name] for name in ordered}, costs)


def called(given: Problem, name: str) -> Problem:
    """The same problem as a built-in environment."""
    return replace(given, name=name, identity=f"environment\t{name}\t1")


def line(row: Row) -> str:
    """The canonical text of a row, as docs/certificate-v1.md says."""
    state, action, available, target, cost, features = row
    numbers = [x.hex() if isinstance(x, float) else str(x) for x in (cost, *(features if available else ()))]
    return "\t".join([json.dumps(state), json.dumps(action), str(int(available)), str(int(target)), *numbers])


def hash_of(rows: Sequence[Row], identity: str | None = None) -> str:
    text = "".join(line(row) + "\n" for row in rows) if identity is None else identity
    return hashlib.sha256(text.encode()).hexdigest()


def number(value: Number) -> int | str:
    if isinstance(value, Fraction) and value.denominator > 1:
        return str(value)
    return int(value) if -(2**53) < value < 2**53 else str(int(value))


def whole(w: Sequence[Number]) -> list[int | str]:
    return [number(v) for v in primitive(w)]


def heading(given: Problem, claim: str) -> Json:
    return {
        "format": "hornbook-certificate",
        "version": 1,
        "claim": claim,
        "problem": {
            "sha256": hash_of(given.rows(), given.identity),
            "states": len(given.states),
            "differences": sum(map(len, given.states.values())),
            "name": given.name,
        },
        "arithmetic": given.arithmetic,
        "made_by": {"hornbook": "0"},
    }


def refusal(given: Problem, terms: Sequence[tuple[str, str, Number]]) -> Json:
    """The certificate of a problem that cannot be realized."""
    conflict = [{"state": s, "action": a, "multiplier": number(m)} for s, a, m in terms]
    return {**heading(given, "not realizable"), "conflict": conflict}


def rays_of(directions: Sequence[Vector]) -> list[Vector]:
    return [x for x in directions if separator(x, directions) is not None]


def separator(ray: Vector, directions: Sequence[Vector]) -> Sequence[Fraction] | None:
    """A w that is negative on the ray only."""
    rest = [x for x in directions if x != ray]
    return solve_inequalities([*rest, tuple(-v for v in ray)], [1] * (len(rest) + 1))


def index_set(x: Vector, rays: Sequence[Vector]) -> list[int]:
    """The smallest, first set of rays that has x in its inside."""
    for size in range(1, len(x) + 1):
        for chosen in combinations(range(len(rays)), size):
            found, _ = nonnegative_solution([rays[i] for i in chosen], x)
            if found is not None and all(found):
                return list(chosen)
    raise ValueError(f"{x} is in no cone of the rays")


Taken = frozenset[frozenset[int]]
NONE: Taken = frozenset()


@dataclass(frozen=True)
class Units:
    """Who shows which rays (by number), each set at its cheapest cost, with an example of each."""

    costs: Mapping[frozenset[int], Number]
    example: Mapping[frozenset[int], str]

    @classmethod
    def of(cls, given: Problem, rays: Sequence[Vector]) -> Units:
        costs: dict[frozenset[int], Number] = {}
        example: dict[frozenset[int], str] = {}
        for state in given.states:
            unit = frozenset(i for i, ray in enumerate(rays) if ray in given.directions(state))
            if unit and given.cost(state) < costs.get(unit, given.cost(state) + 1):
                costs[unit], example[unit] = given.cost(state), state
        return cls(costs, example)

    def cheapest(self, count: int) -> list[frozenset[int]]:
        """The cheapest cover, by trying all."""
        covers = [
            list(some)
            for size in range(len(self.costs) + 1)
            for some in combinations(self.costs, size)
            if len(frozenset().union(*some)) == count
        ]
        return min(covers, key=lambda some: Fraction(sum(self.costs[u] for u in some)))

    def weights(self, count: int, *, taken: Taken, refused: Taken, least: Fraction) -> list[Fraction] | None:
        """Weights on the rays that prove at least so much here, with no unit loaded beyond its cost; or None."""
        free = [u for u in self.costs if u not in taken | refused]
        rows = [tuple(int(i == j) for j in range(count)) for i in range(count)]
        rows += [tuple(-int(i in u) for i in range(count)) for u in free]
        rows.append(tuple(1 - sum(i in u for u in taken) for i in range(count)))
        missing = least - sum(self.costs[u] for u in taken)
        bounds = [Fraction(0)] * count + [-Fraction(self.costs[u]) for u in free] + [missing]
        scale = lcm(*(bound.denominator for bound in bounds))
        found = solve_inequalities(rows, [int(bound * scale) for bound in bounds])
        return None if found is None else [y / scale for y in found]

    def tree(self, count: int, *, taken: Taken = NONE, refused: Taken = NONE, least: Fraction) -> Json:
        """A bound of at least so much: a leaf where linear programming reaches it, otherwise a branching."""
        covered = frozenset[int]().union(*taken)
        free = [u for u in self.costs if u not in taken | refused]
        lost = [i for i in range(count) if i not in covered and not any(i in u for u in free)]
        if lost:
            return {"weights": [[lost[0], number(max(sum(self.costs.values(), Fraction(1)), least))]], "sets": []}
        y = self.weights(count, taken=taken, refused=refused, least=least)
        if y is not None:
            return {"weights": [[i, number(v)] for i, v in enumerate(y) if v], "sets": []}
        first = next(u for u in free if u - covered)
        # whoever it can replace at no greater cost goes with it
        worse = {u for u in free if u - covered <= first and self.costs[u] >= self.costs[first]}
        return {
            "state": self.example[first],
            "taken": self.tree(count, taken=taken | {first}, refused=refused, least=least),
            "refused": self.tree(count, taken=taken, refused=refused | worse, least=least),
        }


def step_of(costs: Sequence[Number]) -> Fraction:
    """The largest number of which all costs are integer multiples; 1 if all are zero."""
    scale = lcm(*(Fraction(c).denominator for c in costs))
    return Fraction(gcd(*(int(c * scale) for c in costs)) or 1, scale)


def certify(given: Problem, *, lesson: Sequence[str] | None = None, bound: Json | None = None, low: str = "") -> Json:
    """The certificate of a lesson.  A bound of one's own must come with its value, `low`."""
    directions = given.all_directions
    rays = rays_of(directions)
    units = Units.of(given, rays)
    best = units.cheapest(len(rays))
    states = [s for s in given.states if s in (lesson or [units.example[u] for u in best])]
    cost = Fraction(sum(given.cost(s) for s in states))
    least = Fraction(low) if low else Fraction(sum(units.costs[u] for u in best))
    # rounding up to the step does the rest
    enough = Fraction(sum(units.costs[u] for u in best)) - step_of([given.cost(s) for s in given.states]) / 2
    realizes = solve_inequalities(directions, [1] * len(directions)) or (0,) * given.width
    return {
        **heading(given, "minimum" if least == cost else "interval"),
        "lesson": states,
        "size": len(states),
        "cost": str(cost),
        "lower_bound": str(least),
        "realizes": whole(realizes),
        "rays": [whole(ray) for ray in rays],
        "inside": [[whole(x), index_set(x, rays)] for x in directions if x not in rays],
        "misconceptions": [{"ray": i, "w": whole(separator(r, directions) or ())} for i, r in enumerate(rays)],
        "bound": bound or units.tree(len(rays), least=enough),
        "all_rays": True,
    }
