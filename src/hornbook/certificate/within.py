"""Step 7 of 8, beside the reference checker: certificates of lessons within a budget.

Standard library and `check` only.  What they claim, and why the rules suffice, is in docs/certificate-v1.md under
"Budgets".  Cost: as `check`, and a product for each misconception and direction.

    python -m hornbook.certificate.within CERTIFICATE PROBLEM
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, NamedTuple

from hornbook.certificate.check import (
    Accepted,
    Number,
    Proof,
    Rejection,
    Rows,
    State,
    Unreadable,
    _direction,
    _rational,
    _read,
    _shares,
    _states_of,
    _typed,
    agree,
    check_form,
    read_problem,
    require,
)

CLAIMS = ("most", "most so far")
BUDGETED = {"budget", "per", "value", "upper_bound", "worth"}


class AcceptedWithin(NamedTuple):
    """What has been proved: so many demonstrations refute what is worth `value`, and none more than `upper_bound`."""

    claim: str
    size: int
    budget: int | str
    value: str
    upper_bound: str
    arithmetic: Any = "exact"


def is_budgeted(certificate: Any) -> bool:
    """Whether this is about a budget."""
    return isinstance(certificate, Mapping) and certificate.get("claim") in CLAIMS


def check_within(
    certificate: Any, rows: Rows, *, identity: str | None = None, arithmetic: str = "exact"
) -> AcceptedWithin:
    """As `check.check_rows`, for a lesson within a budget."""
    try:
        facts: dict[str, Any] = {"states": 0, "differences": 0, "name": None}
        plain = plain_of(certificate, floats=arithmetic.startswith("float"))
        tolerances = check_form(plain, arithmetic)
        states: Iterable[State] = _states_of(rows, facts, floats=arithmetic.startswith("float"))
        places = None
        if arithmetic.startswith("float"):
            states = list(states)
            places = {(name, action): _direction(psi)[0] for name, _, rest in states for action, psi, _ in rest}
        proof = PartialProof(certificate, plain, tolerances, places=places)
        proof.read(states)
        proof.check_signs()
        proof.check_sums()
        proof.check_claim()
        if identity is not None:
            facts |= {"name": identity.split("\t")[1], "sha256": hashlib.sha256(identity.encode()).hexdigest()}
        agree(_typed(certificate["problem"], dict, {*facts}), facts)
    except Exception as error:
        raise error if isinstance(error, Rejection) else Rejection(f"{type(error).__name__}: {error}") from error
    return AcceptedWithin(*(certificate[key] for key in AcceptedWithin._fields))


def accepted(certificate: Mapping[str, Any]) -> Accepted | AcceptedWithin:
    """What a certificate of either kind has proved, once everything is checked."""
    if is_budgeted(certificate):
        return AcceptedWithin(*(certificate[key] for key in AcceptedWithin._fields))
    claim, *others = (certificate.get(key) for key in Accepted._fields)
    return Accepted(str(claim), *others)


def plain_of(certificate: Mapping[str, Any], *, floats: bool) -> dict[str, Any]:
    """The certificate as a plain one says it."""
    require(not certificate.keys() & {"lower_bound", "tau"}, "a budget has no lower bound, and asks for no margin")
    plain = {key: value for key, value in certificate.items() if key not in BUDGETED} | {"lower_bound": "0"}
    return plain | ({"tau": "0"} if floats else {})


class PartialProof(Proof):
    """The evidence for a lesson within a budget."""

    def __init__(self, claims: dict[str, Any], plain: dict[str, Any], tolerances: Any, *, places: Any = None) -> None:
        super().__init__(plain, tolerances, places=places)
        self.claims, self.floats = claims, places is not None
        self.counts = {"cost": False, "demonstration": True}[claims["per"]]  # raises on anything else
        self.budget = Fraction(_rational(claims["budget"], least=0))
        self.worth = [_rational(value) for value in _typed(claims["worth"], list)]
        self.value_of = dict(zip((ray for ray, _ in self.misconceptions), self.worth, strict=True))

    def see(self, name: str, cost: Number, *, unit: int, rays: Set[int]) -> None:
        """One more state; if demonstrations count, each costs one."""
        super().see(name, 1 if self.counts else cost, unit=unit, rays=rays)

    def check_signs(self) -> None:
        """Each misconception is right on all directions of the problem but its own, not only on those shown."""
        self.shown = set(self.known)
        super().check_signs()

    def check_sums(self) -> None:
        """As for exact data: nothing is said to teach, so no margin is asked of imitators."""
        self.places = None
        super().check_sums()

    def bound(self, node: Any, *, chosen: Set[int] = frozenset(), refused: Set[int] = frozenset()) -> Fraction:
        """Minus what no choice is worth more than."""
        if "state" in node:
            return super().bound(node, chosen=chosen, refused=refused)
        return self.leaf(node, chosen=chosen, refused=refused)

    def leaf(self, leaf: Any, *, chosen: Set[int], refused: Set[int]) -> Fraction:
        """Minus what no choice exceeds that has all of `chosen` and none of `refused`: `bound` takes the least."""
        weights = _shares(_typed(leaf, dict, {"weights", "theta"})["weights"], len(self.worth))
        theta = _rational(leaf["theta"], least=0)
        require(
            all(y <= self.worth[i] for i, y in weights.items()), "a weight is above what its misconception is worth"
        )
        left = self.budget - sum(self.costs[unit] for unit in chosen)
        total = sum(self.worth, Fraction(0)) - sum(weights.values()) + theta * left
        for unit in self.costs.keys() - refused:
            load = sum((y for i, y in weights.items() if unit >> i & 1), Fraction(0))
            if unit in chosen:
                total += load
            elif self.costs[unit] <= left:
                total += max(Fraction(0), load - theta * self.costs[unit])
        return -total

    def check_claim(self) -> None:
        """The certificate says what was found, no more and no less."""
        classed = [count for ray, _, _, count in self.known.values() if ray >= 0]
        listed = len(classed) + len(self.inside) + len(self.assumed)
        require(listed == len(self.known), f"{listed} directions listed, not {len(self.known)}")
        require(self.paid <= self.budget, "the lesson costs more than the budget")
        step = self.step or Fraction(1)
        self.budget = math.floor(self.budget / step) * step  # what is paid is such a multiple
        unit = Fraction(
            math.gcd(*(value.numerator for value in self.worth)) or 1,
            math.lcm(*(value.denominator for value in self.worth)),
        )
        bound = math.floor(-self.bound(self.claims["bound"]) / unit) * unit
        value = sum((worth for ray, worth in self.value_of.items() if ray in self.first), Fraction(0))
        found = {"lesson": self.met, "size": len(self.met), "cost": str(self.paid), "value": str(value)}
        found |= {"upper_bound": str(bound), "claim": CLAIMS[value != bound]}
        found["all_rays"] = len(self.rays) == len(self.misconceptions)
        if self.floats:
            found["merged"] = sum(classed) - len(self.rays)
            found["assumed_inside"] = sum(self.known[x][3] for x in self.assumed)
        agree(self.claims, found)


def check_within_files(certificate: str, problem: str) -> AcceptedWithin:
    """Check a certificate file against a problem file (`.json` or `.npz`)."""
    claims, _ = _read(certificate)
    stored = isinstance(claims, dict) and claims.get("arithmetic") == "stored"
    try:
        rows, arithmetic = read_problem(problem, stored=stored)
    except Exception as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from error
    return check_within(claims, rows, arithmetic=arithmetic)


def main(arguments: Sequence[str]) -> int:
    """One line; exits 0 (accepted), 6 (rejected) or 2 (unreadable)."""
    try:
        require(
            len(arguments) == 2, "usage: python -m hornbook.certificate.within CERTIFICATE PROBLEM", error=Unreadable
        )
        found = check_within_files(*arguments[:2])
        said, status = f"accepted: {found.claim}, value {found.value}, at most {found.upper_bound}", 0
    except Exception as error:  # of any kind: a certificate that cannot even be read is rejected
        said, status = f"{type(error).__name__}: {error}", 2 if isinstance(error, Unreadable) else 6
    print(said.encode("unicode_escape").decode("ascii"))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
