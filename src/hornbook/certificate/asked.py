"""Step 7 of 8, beside the reference checker: certificates of lessons of which more was asked.

Standard library and `check` only.  What a request changes, and why the rules still suffice, is in
docs/certificate-v1.md under "Requests".  Cost: as `check`; with beliefs a product more for each misconception and
direction, and with groups what their states show is kept.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Set
from fractions import Fraction
from typing import Any

from hornbook.certificate.check import (
    Accepted,
    Number,
    Proof,
    Rejection,
    Rows,
    State,
    Unreadable,
    _direction,
    _distinct,
    _dot,
    _indices,
    _rational,
    _read,
    _states_of,
    _typed,
    _vector,
    agree,
    check_conflict,
    check_form,
    check_rows,
    read_problem,
    require,
)

STATUSES = ("must", "may_not", "given")
ASKED = {*STATUSES, "folds", "groups", "prior"}


def check_asked(certificate: Any, rows: Rows, *, identity: str | None = None, arithmetic: str = "exact") -> Accepted:
    """As `check_rows`, for certificates with and without a request."""
    if not (isinstance(certificate, dict) and "request" in certificate):
        return check_rows(certificate, rows, identity=identity, arithmetic=arithmetic)
    try:
        facts: dict[str, Any] = {"states": 0, "differences": 0, "name": None}
        request, tolerances = read_form(certificate, arithmetic)
        states: Iterable[State] = _states_of(rows, facts, floats=arithmetic.startswith("float"))
        if certificate["claim"] == "not realizable":
            check_contradiction(certificate["conflict"], states, request=request)
        else:
            places = None
            if arithmetic.startswith("float"):
                states = list(states)
                places = {(name, action): _direction(psi)[0] for name, _, rest in states for action, psi, _ in rest}
            proof = AskedProof(certificate, tolerances, request=request, places=places)
            proof.read(states)
            proof.check_all()
        if identity is not None:
            facts |= {"name": identity.split("\t")[1], "sha256": hashlib.sha256(identity.encode()).hexdigest()}
        agree(_typed(certificate["problem"], dict, {*facts}), facts)
    except Exception as error:
        raise error if isinstance(error, Rejection) else Rejection(f"{type(error).__name__}: {error}") from error
    claim, *others = (certificate.get(key) for key in Accepted._fields)
    return Accepted(str(claim), *others)


def check_asked_files(certificate: str, problem: str) -> Accepted:
    """Check a certificate file against a problem file (`.json` or `.npz`)."""
    claims, _ = _read(certificate)
    stored = isinstance(claims, dict) and claims.get("arithmetic") == "stored"
    try:
        rows, arithmetic = read_problem(problem, stored=stored)
    except Exception as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from error
    return check_asked(claims, rows, arithmetic=arithmetic)


def read_form(certificate: dict[str, Any], arithmetic: str) -> tuple[Request, Any]:
    """The request, and noise, merge and gap; what is left when `request` and `same` are gone is a plain certificate."""
    require(("same" in certificate) == (certificate["claim"] != "not realizable"), "`same` is for lessons")
    plain = {key: value for key, value in certificate.items() if key not in ("request", "same")}
    return Request(certificate["request"]), check_form(plain, arithmetic)


class Request:
    """What was asked: statuses of units, how often rays are to be shown, groups, beliefs."""

    def __init__(self, said: Any) -> None:
        folds, groups = _typed(said, dict, ASKED)["folds"], said["groups"]
        self.folds: int = _typed(folds, int)
        require(self.folds >= 1, "lessons have at least one fold")
        self.status = _distinct([(name, status) for status in STATUSES for name in _typed(said[status], list)])
        self.given: list[str] = said["given"]
        told = [_typed(group, dict, {"name", "cost", "states"}) for group in _typed(groups or [], list)]
        prices = {group["name"]: _rational(group["cost"], least=0) for group in told}
        self.groups = None if groups is None else _distinct([(g["name"], _typed(g["states"], list)) for g in told])
        self.prices: dict[str, Fraction] = prices
        self.beliefs = [_vector(vector) for vector, _ in _typed(said["prior"], list)]
        # the least integer that a product with a belief may be
        self.least = [{"weak": 0, "strict": 1}[kind] for _, kind in said["prior"]]

    def states_of(self, units: Iterable[str]) -> set[str]:
        """The states in some units."""
        return set(units) if self.groups is None else {state for unit in units for state in self.groups[unit]}


class AskedProof(Proof):
    """The evidence for a lesson with a request; here `states` are all that the learner sees."""

    def __init__(self, certificate: dict[str, Any], tolerances: Any, *, request: Request, places: Any = None) -> None:
        super().__init__(dict(certificate), tolerances, places=places, beliefs=request.beliefs)
        self.request, self.lesson, count = request, self.states, len(self.rays)
        same = [(_vector(x), ray, chosen) for x, ray, chosen in _typed(certificate["same"], list)]
        self.same = _distinct([(x, _indices([ray], count)[0]) for x, ray, _ in same])
        require(places is None or not (same or request.beliefs), "nothing is known of what is believed about floats")
        for x, ray, chosen in same:
            known = [0, *(i + 1 for i in _indices(chosen, len(request.beliefs)))]
            self.solved(self.rays[ray], known, among=[x, *request.beliefs])
            require(x in self.inside, f"{x} does as well as a ray, but is not implied")
        for x, chosen in self.inside.items():
            certain = (i < count or request.least[i - count] for i in chosen)
            require(any(certain), f"{x} is implied by weak beliefs only, so it may be a tie")
        self.index |= self.same
        taught, given = request.states_of(self.lesson), request.states_of(request.given)
        self.states = taught | given
        agree(certificate, {"size": len(taught - given)})
        self.certificate["size"] = len(self.lesson)  # as a plain lesson of so many units
        self.waiting, self.parts = dict(request.status), dict[str, tuple[int, Set[int]]]()  # units; members of groups
        self.members = request.states_of(request.groups or ())
        self.times, self.musts, self.fixed = Counter[int](), Counter[int](), set[int]()  # who shows each ray
        self.owed = Fraction(0)  # the cost of what must be shown
        self.kinds: dict[int, list[tuple[Number, bool, str]]] = {}  # free units, as many of each kind as can be of use

    def read(self, states: Iterable[State]) -> None:
        """Read the problem once, then put the units together."""
        super().read(states)
        self.finish()

    def see(self, name: str, cost: Number, *, unit: int, rays: Set[int]) -> None:
        """One more state."""
        if self.request.groups is None:
            self.meet(name, cost, unit=unit, rays=rays)
        elif name in self.members:
            self.parts[name] = unit, rays

    def meet(self, name: str, cost: Number, *, unit: int, rays: Set[int]) -> None:
        """One more unit, which shows some rays and refutes the misconceptions in `unit`."""
        multiples = math.lcm(self.step.denominator, cost.denominator)
        self.step = Fraction(math.gcd(self.step.numerator, cost.numerator), multiples)
        status, chosen = self.waiting.pop(name, "free"), name in self.lesson
        require(status == "free" or chosen == (status == "must"), f"{name!r} has the status {status}")
        if chosen:
            self.met.append(name)
            self.paid += cost
            self.times.update(rays)
        if status == "must":
            self.forced += 1
            self.owed += cost
            self.musts.update(rays)
        elif status == "given":
            self.fixed.update(rays)
        elif status == "free" and unit:
            # of equal cost those come first that the tree names
            kind = self.kinds.setdefault(unit, [])
            kind.append((cost, name not in self.branches, name))
            kind.sort()
            del kind[self.request.folds :]
            if name in self.branches:
                self.units[name] = unit

    def finish(self) -> None:
        """Put groups together; then it is known what there is to choose from, and how much of it is needed."""
        for name, states in (self.request.groups or {}).items():
            parts = [self.parts[state] for state in states]  # raises on a state that there is not
            unit, rays = 0, set[int]()
            for refuted, shown in parts:
                unit, rays = unit | refuted, rays | shown
            self.meet(name, self.request.prices[name], unit=unit, rays=rays)
        require(not self.waiting, f"there are no such units: {sorted(map(str, self.waiting))}")
        count = len(self.misconceptions)
        for unit, kind in self.kinds.items():
            for copy, (cost, _, name) in enumerate(kind):
                self.costs[unit | copy << count] = cost
                if name in self.branches:
                    self.units[name] = unit | copy << count
        left = ((ray, self.request.folds - self.musts[ray]) for ray, _ in self.misconceptions)
        self.demands = [0 if ray in self.fixed else max(0, more) for ray, more in left]

    def covered(self, chosen: Set[int]) -> int:
        """What needs no more refuting once these units are chosen; and the numbers of copies, which never count."""
        times = [sum(unit >> i & 1 for unit in chosen) for i in range(len(self.demands))]
        done = sum(1 << i for i, demand in enumerate(self.demands) if times[i] >= demand)
        return done | -1 << len(self.demands)

    def leaf(self, leaf: Any, *, chosen: Set[int], refused: Set[int]) -> Fraction:
        """What must be shown is paid for in any case."""
        return super().leaf(leaf, chosen=chosen, refused=refused) + self.owed

    def check_all(self) -> None:
        """Everything that is left once the problem is read."""
        if self.request.beliefs:
            self.check_beliefs()
        else:
            self.check_signs()
        self.check_sums()
        self.check_folds()
        self.check_claim()

    def check_beliefs(self) -> None:
        """w_0 is right on all, in accord with all beliefs; so is each misconception, but on its ray."""
        for w in (self.realizes, *(w for _, w in self.misconceptions)):
            for belief, least in zip(self.request.beliefs, self.request.least, strict=True):
                require(_dot(w, belief) >= least, f"{w} is not in accord with the belief {belief}")
        for on, w in self.misconceptions:
            require(_dot(w, self.rays[on]) <= 0, f"the misconception on ray {on} is not wrong there")
        for x, (ray, *_) in self.known.items():
            require(_dot(self.realizes, x) > 0, f"w_0 is wrong on {x}")
            for on, w in self.misconceptions:
                require(ray == on or _dot(w, x) > 0, f"the misconception on ray {on} is wrong about {x}")

    def check_folds(self) -> None:
        """Each ray is shown by something given, or often enough."""
        rays = range(len(self.rays))
        short = [ray for ray in rays if ray not in self.fixed and self.times[ray] < self.request.folds]
        require(not short, f"not often enough shown: {short}")


def check_contradiction(terms: Any, states: Iterable[State], *, request: Request) -> None:
    """A conflict of differences and beliefs, which have no state and are numbered as actions; not weak ones alone."""
    believed: Any = (None, 0, [(str(i), belief, 0) for i, belief in enumerate(request.beliefs)])
    check_conflict(terms, itertools.chain(states, [believed]))
    strict = (term["state"] is not None or request.least[int(term["action"])] for term in terms)
    require(any(strict), "weak beliefs do not contradict each other")
