"""A cover problem with its proof as a file in VIPR format, which other programs check (github.com/scipopt/vipr).

The file states the problem as an integer program: a variable for each unit, its cost in steps as objective, a row for
each ray.  Three kinds of derivation make up the proof.  A set bound is a Chvatal-Gomory cut of its rows.  A leaf adds
up rows, cuts and assumptions so that no coefficient exceeds its cost, and is rounded up.  A branching splits on a sum
of variables: `unit` together with every free unit D that it could replace is taken at least once, or not at all.

Why that says the same as the proof's own branching, which takes `unit` or refuses all of these: where at least one is
taken, the leaves below put weight only on rays that `unit` does not show.  The others of D show none of those either,
and none is cheaper, so each of them may carry the price of `unit` in its place.  Weights on rays that are shown
already, and such members of sets, never raise a bound, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from hornbook.cover._proofs import used_rays
from hornbook.cover.problem import Cover, CoverProblem, Leaf, Proof, Unreachable

__all__ = ["vipr_text"]

_DEPTH = 400  # of branchings, as in a certificate

Sum: TypeAlias = dict[int, Fraction]
"""Coefficients by variable, or multipliers by constraint."""


def vipr_text(problem: CoverProblem, cover: Cover, *, names: Sequence[str]) -> str:
    """The whole file; `names` are those of the units, without spaces.

    ValueError for rays that demand more than one unit, and for a proof that does not tell its bound without counting
    equal units once.  Cost: each leaf is a line with a number for each unit.
    """
    if (problem.demands > 1).any():
        raise ValueError("VIPR files are for proofs in which each ray needs one unit")
    writer = _Writer(problem, cover)
    bound, target = writer.derive(cover.proof), cover.lower_bound / problem.step
    if bound is not None and bound < target:
        raise ValueError(f"the proof tells {bound} steps here, not {target}: it counts equal units once")
    parts = (_heading(problem, cover, names), writer.lines)
    return "\n".join(line for part in parts for line in part) + "\n"


def _heading(problem: CoverProblem, cover: Cover, names: Sequence[str]) -> Iterator[str]:
    """Everything up to the derivations."""
    count, rays = len(problem.units), problem.num_rays
    yield f"% the costs count steps of {problem.step}"
    yield "VER 1.0"
    yield f"VAR {count}"
    yield from names
    yield f"INT {count}"
    yield " ".join(map(str, range(count)))
    yield "OBJ min"
    yield _terms({unit: Fraction(int(cost)) for unit, cost in enumerate(problem.costs.counts)})
    yield f"CON {2 * count + rays} {2 * count}"
    yield from (f"lower{unit} G 0 1 {unit} 1" for unit in range(count))
    yield from (f"upper{unit} L 1 1 {unit} 1" for unit in range(count))
    shown: list[list[int]] = [[] for _ in range(rays)]
    for unit, members in enumerate(problem.units):
        for ray in members:
            shown[ray].append(unit)
    yield from (f"ray{ray} G 1 {_terms(dict.fromkeys(units, Fraction(1)))}" for ray, units in enumerate(shown))
    yield f"RTP range {cover.lower_bound / problem.step} {cover.cost / problem.step}"
    yield "SOL 1"
    yield f"cover {_terms(dict.fromkeys(cover.chosen, Fraction(1)))}"


def _terms(values: Sum) -> str:
    """How many, then index and number of each that is not zero."""
    some = [f"{place} {value}" for place, value in sorted(values.items()) if value]
    return " ".join([str(len(some)), *some])


@dataclass(frozen=True)
class _State:
    """What is assumed on the way to a node; sets of rays are the bits of integers."""

    missing: int
    taken: tuple[tuple[int, int, frozenset[int]], ...] = ()  # cost of the unit, assumption, who stands for it
    refused: tuple[tuple[int, frozenset[int]], ...] = ()  # assumption, and whom it is about


class _Writer:
    """Writes derivations, and knows the number of the next constraint."""

    def __init__(self, problem: CoverProblem, cover: Cover) -> None:
        self._count = len(problem.units)
        self._step = problem.step
        self._costs = [int(cost) for cost in problem.costs.counts]
        self._first = 2 * self._count + problem.num_rays
        self._place = {ray: i for i, ray in enumerate(used_rays(cover.proof))}
        self._rays = list(self._place)
        self._masks = [sum(1 << self._place[r] for r in rays if r in self._place) for rays in problem.units]
        self._derived: list[str] = []

    @property
    def lines(self) -> Iterator[str]:
        """The section of derivations."""
        yield f"DER {len(self._derived)}"
        yield from self._derived

    def _write(self, claim: str, reason: str) -> int:
        """One more constraint; returns its number."""
        number = self._first + len(self._derived)
        self._derived.append(f"d{number} {claim} {{ {reason} }} -1")
        return number

    def derive(self, proof: Proof) -> int | None:
        """Write the proof; returns the bound in steps, None if there is no cover at all."""
        return self._node(proof, _State((1 << len(self._rays)) - 1), 0)[1]

    def _node(self, proof: Proof, state: _State, depth: int) -> tuple[int, int | None]:
        """The number of the constraint that tells the bound of a node, and the bound."""
        if depth > _DEPTH:
            raise ValueError(f"the proof branches more than {_DEPTH} times in a row, deeper than a file may")
        if isinstance(proof, Unreachable):
            return self._unreachable(proof.ray, state), None
        if isinstance(proof, Leaf):
            return self._leaf(proof, state)
        unit = self._cheapest_like(proof.unit)
        alike = self._replaceable(unit, state)
        if unit not in alike:  # decided already, or shows nothing new
            return self._node(proof.refused, state, depth + 1)
        terms = _terms(dict.fromkeys(alike, Fraction(1)))
        some = self._write(f"G 1 {terms}", "asm")
        taken = _State(
            state.missing & ~self._masks[unit], (*state.taken, (self._costs[unit], some, alike)), state.refused
        )
        first, low = self._node(proof.taken, taken, depth + 1)
        none = self._write(f"L 0 {terms}", "asm")
        refused = _State(state.missing, state.taken, (*state.refused, (none, alike)))
        second, high = self._node(proof.refused, refused, depth + 1)
        bounds = [bound for bound in (low, high) if bound is not None]
        claim = f"G {min(bounds)} OBJ" if bounds else "G 1 0"
        return self._write(claim, f"uns {first} {some} {second} {none}"), min(bounds, default=None)

    def _cheapest_like(self, unit: int) -> int:
        """Of the units that show the same of the rays mentioned, the cheapest, which stands for all."""
        same = (other for other in range(self._count) if self._masks[other] == self._masks[unit])
        return min(same, key=lambda other: (self._costs[other], other != unit, other))

    def _replaceable(self, unit: int, state: _State) -> frozenset[int]:
        """The free units that show something new, all of which `unit` shows too, at no greater cost."""
        groups = [units for _, _, units in state.taken] + [units for _, units in state.refused]
        decided = frozenset[int]().union(*groups)
        beyond = state.missing & ~self._masks[unit]
        return frozenset(
            other
            for other in range(self._count)
            if other not in decided
            and self._masks[other] & state.missing
            and not self._masks[other] & beyond
            and self._costs[other] >= self._costs[unit]
        )

    def _unreachable(self, ray: int, state: _State) -> int:
        """All units that show the ray are refused: their row says 0 >= 1."""
        bit = 1 << self._place[ray]
        multipliers: Sum = {2 * self._count + ray: Fraction(1)}
        for number, units in state.refused:
            if any(self._masks[unit] & bit for unit in units):
                multipliers[number] = Fraction(-1)
                multipliers |= {unit: Fraction(1) for unit in units if not self._masks[unit] & bit}
        return self._write("G 1 0", f"lin {_terms(multipliers)}")

    def _leaf(self, leaf: Leaf, state: _State) -> tuple[int, int | None]:
        """Rows and cuts by their weights, prices of what is taken, and whatever makes coefficients equal to costs."""
        multipliers: Sum = {}
        carried = [Fraction(0)] * self._count
        total = Fraction(0)
        for ray, weight in leaf.weights:
            bit = 1 << self._place[ray]
            if state.missing & bit:
                multipliers[2 * self._count + ray] = weight / self._step
                self._carry(carried, weight / self._step, bit)
                total += weight / self._step
        for bound in leaf.sets:
            bits = state.missing & sum(1 << self._place[ray] for ray in bound.of)
            if bits:
                number, need, touching = self._cut(bits, state)
                multipliers[number] = multipliers.get(number, Fraction(0)) + bound.weight / self._step
                for unit in touching:
                    carried[unit] += bound.weight / self._step
                total += need * bound.weight / self._step
        for price, number, units in state.taken:
            multipliers[number] = Fraction(price)
            for unit in units:
                carried[unit] += price
            total += price
        for number, units in state.refused:
            over = [carried[unit] - self._costs[unit] for unit in units]
            excess = max([Fraction(0), *over])
            multipliers[number] = -excess
            for unit in units:
                carried[unit] -= excess
        for unit, load in enumerate(carried):
            beyond = load - self._costs[unit]
            multipliers[unit if beyond < 0 else self._count + unit] = -beyond
            total -= max(beyond, Fraction(0))
        return self._write(f"G {ceil(total)} OBJ", f"rnd {_terms(multipliers)}"), ceil(total)

    def _carry(self, carried: list[Fraction], weight: Fraction, bit: int) -> None:
        """Add a weight to all units that show a ray."""
        for unit, mask in enumerate(self._masks):
            if mask & bit:
                carried[unit] += weight

    def _cut(self, bits: int, state: _State) -> tuple[int, int, list[int]]:
        """At least so many units touch a set of rays: the constraint, the number, and who touches it."""
        gone = frozenset[int]().union(*(units for _, units in state.refused))
        touching = [u for u, mask in enumerate(self._masks) if mask & bits and u not in gone]
        most = max((self._masks[unit] & bits).bit_count() for unit in touching)
        need = -(-bits.bit_count() // most)
        multipliers: Sum = {2 * self._count + ray: Fraction(1, most) for ray, i in self._place.items() if bits >> i & 1}
        share: list[Fraction] = [Fraction((mask & bits).bit_count(), most) for mask in self._masks]
        multipliers |= {unit: 1 - share[unit] for unit in touching}
        for number, units in state.refused:
            excess = max([share[unit] for unit in units])
            multipliers[number] = -excess
            multipliers |= {unit: excess - share[unit] for unit in units}
        terms = _terms(dict.fromkeys(touching, Fraction(1)))
        return self._write(f"G {need} {terms}", f"rnd {_terms(multipliers)}"), need, touching
