"""Step 7 of 8, the reference checker: does this certificate prove its claim about this problem?

`python check.py CERTIFICATE PROBLEM` prints one line; exits 0 (accepted), 6 (rejected) or 2 (unreadable).  Standard
library only, and nothing of hornbook: this file and docs/certificate-v1.md, which numbers the rules and proves that
they suffice, are all that must be trusted; with `asked` beside it for lessons of which more was asked.
Cost: 10 microseconds per difference (floats: 100), 10 (2 features) to 5,000 (32) per direction; see also `fast`.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import math
import pathlib
import re
import struct
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, NamedTuple

Number = int | Fraction
Vector = tuple[int, ...]
Rows = Iterable[tuple[str, str, bool, bool, Number, tuple[Any, ...]]]  # state, action, available, target, cost, phi
# id, cost, and for each action beside the target: id, psi, size (the largest features of both actions, added)
State = tuple[str, Number, Sequence[tuple[str, tuple[Number, ...], Number]]]
SMALL = 2**53  # integers below this are JSON numbers, the others are texts
MAX_EXPONENT, MAX_DEPTH = 4_000, 400  # of a number; of a branching tree: Python itself stops below 1,000
MAX_RATIO = 1_000  # of a compressed array; deflate reaches 1,032 on zeros
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,6}))?|[+-]?[0-9]+/[0-9]+")
NPY = rb"(?s)\A\x93NUMPY[\x01-\x03]\x00.{2,4}?{'descr': '([<>|])([A-Za-z])([0-9]+)', 'fortran_order': (True|False), "
NPY += rb"'shape': \(([0-9, ]*)\), } *\n(.*)"
CODES = dict(zip(["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"], "?bhiqBHIQefd", strict=True))
HEADER = {"format", "version", "claim", "problem", "arithmetic", "made_by"}
PROOF = {"lesson", "size", "cost", "lower_bound", "realizes", "rays", "inside", "misconceptions", "bound", "all_rays"}
ROUNDED = {"assumed", "merged", "assumed_inside", "tau"}  # more keys of a proof about floats
EXACTLY = {"noise": 0, "merge": 0, "gap": 1}
ABOUT = {"format": "hornbook-problem", "version": 1}
MEMBERS = {"features", "target", "available", "cost", "state_names", "action_names", "feature_names", "noise", "merge"}


class Rejection(Exception):
    """The certificate does not prove its claim about this problem; the text says why."""


class Unreadable(Rejection):
    """The problem itself is malformed, so no certificate can speak about it."""


class Accepted(NamedTuple):
    """What has been proved: "not realizable" has no size, bound and tau, and exact data no tau."""

    claim: str
    size: int | None
    lower_bound: str | None
    arithmetic: Any = "exact"
    tau: str | None = None


def require(condition: object, reason: str, *, error: type[Rejection] = Rejection) -> None:
    """The one statement that rejects: go on only if the condition holds."""
    if not condition:
        raise error(reason)


def agree(said: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """What is said is what was found; 1, 1.0 and true are not the same."""
    for key, value in found.items():
        require(type(said[key]) is type(value) and said[key] == value, f"{key} must be {value!r}")


def check_rows(certificate: Any, rows: Rows, *, identity: str | None = None, arithmetic: str = "exact") -> Accepted:
    """Check a certificate against the rows of its problem (states in id order), or raise `Rejection`.

    `arithmetic` is "float64" and so on for floats, "stored" for their exact values.  Memory: directions, all floats.
    """
    try:
        facts: dict[str, Any] = {"states": 0, "differences": 0, "name": None}
        floats, tolerances, places = arithmetic.startswith("float"), check_form(certificate, arithmetic), None
        states: Iterable[State] = _states_of(rows, facts, floats=floats)
        if certificate["claim"] == "not realizable":
            check_conflict(certificate["conflict"], states)
        else:
            if floats:
                states = list(states)
                places = {(name, action): _direction(psi)[0] for name, _, rest in states for action, psi, _ in rest}
            proof = Proof(certificate, tolerances, places=places)
            proof.read(states)
            proof.check_signs()
            proof.check_sums()
            proof.check_claim()
        if identity is not None:
            facts |= {"name": identity.split("\t")[1], "sha256": hashlib.sha256(identity.encode()).hexdigest()}
        agree(_typed(certificate["problem"], dict, {*facts}), facts)
    except Exception as error:
        raise error if isinstance(error, Rejection) else Rejection(f"{type(error).__name__}: {error}") from error
    return Accepted(*(certificate.get(key) for key in Accepted._fields))


def check_form(certificate: Any, arithmetic: str) -> tuple[Fraction, Fraction, int]:
    """Known keys of a known version, for such data; returns noise, merge and gap, which exact data has not."""
    floats, refusal = arithmetic.startswith("float"), _typed(certificate, dict)["claim"] == "not realizable"
    _typed(certificate, dict, HEADER | ({"conflict"} if refusal else PROOF | ROUNDED if floats else PROOF))
    _typed(_typed(certificate["made_by"], dict, {"hornbook"})["hornbook"], str)
    said = certificate["arithmetic"] if floats else {"kind": certificate["arithmetic"], **EXACTLY}
    found = {"format": "hornbook-certificate", "version": 1, "kind": arithmetic}
    agree({**certificate, **_typed(said, dict, {"kind", *EXACTLY})}, found)
    noise, merge, gap = _rational(said["noise"], least=0), _rational(said["merge"], least=0), _typed(said["gap"], int)
    require(noise < 1 <= gap and merge * gap < 1, "noise, and merge times gap, must be below 1, and gap at least 1")
    return noise, merge, gap


def _typed(value: Any, kind: type, keys: set[str] | None = None) -> Any:  # JSON gave it this type: true is no integer
    require(type(value) is kind, f"{str(value)[:40]!r} stands where a {kind.__name__} must")
    require(keys is None or value.keys() == keys, f"keys are not {sorted(keys or ())}")
    return value


def _increasing(values: Any) -> Any:
    require(all(a < b for a, b in itertools.pairwise(values)), "a list is not strictly increasing")
    return values


def _distinct(pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    require(len(dict(pairs)) == len(pairs), "something is listed twice")
    return dict(pairs)


def _indices(values: Any, count: int) -> list[int]:
    for i in _typed(values, list):
        require(0 <= _typed(i, int) < count, f"the index {i} is not below {count}")
    return _increasing(values)  # type: ignore[no-any-return]


def _shares(pairs: Any, count: int) -> dict[int, Fraction]:  # [[index, positive rational], ...]
    chosen = _indices([i for i, _ in _typed(pairs, list)], count)
    return dict(zip(chosen, [_rational(share) for _, share in pairs], strict=True))


def _vector(values: Any) -> Vector:
    return tuple(map(_integer, _typed(values, list)))


def _integer(value: Any) -> int:
    number: int = int(value) if type(value) is str else _typed(value, int)
    canonical = str(value) == str(number) and (type(value) is str) == (abs(number) >= SMALL)
    require(canonical, "integers are decimal texts from 2^53 up, and numbers below")
    return number


def _rational(value: Any, *, least: int = 1) -> Fraction:
    """An integer as above, or "p/q" in lowest terms with q > 1; the numerator is at least so much."""
    number = Fraction(value) if type(value) is str and "/" in value else Fraction(_integer(value))
    require(str(number) == str(value), f"{value!r} is not in lowest terms")
    require(number.numerator >= least, f"{value!r} is too small")
    return number


def _states_of(rows: Rows, facts: dict[str, Any], *, floats: bool) -> Iterator[State]:
    """The states of a problem, one at a time, floats scaled by columns; `facts` are complete after the last."""
    digest, scale, kinds = hashlib.sha256(), list[Fraction](), {float} if floats else {int, Fraction}
    if floats:
        rows = list(rows)
        columns = zip(*(row[5] for row in rows if row[2]), strict=True)
        scale = [Fraction(2) ** (1 - math.frexp(_largest(column))[1]) for column in columns]
    for (name, cost), group in itertools.groupby(rows, key=lambda row: (row[0], row[4])):
        require(type(cost) in (int, Fraction) and cost >= 0, f"the cost of state {name!r} is no cost", error=Unreadable)
        wanted, others = list[Any](), list[Any]()
        for _, action, available, target, _, phi in group:
            shown = phi if available else ()
            require(kinds.issuperset(map(type, shown)), f"state {name!r} has other numbers", error=Unreadable)
            cells = [*map(json.dumps, (name, action)), *map(str, (int(available), int(target), cost))]
            cells += [x.hex() if floats else str(x) for x in shown]
            digest.update("\t".join(cells).encode("ascii") + b"\n")
            if available:
                exact = tuple(Fraction(x) * c for x, c in zip(phi, scale, strict=True)) if floats else phi
                (wanted if target else others).append((action, exact, _largest(exact)))
        require(len(wanted) == 1, f"state {name!r} has {len(wanted)} available target actions", error=Unreadable)
        facts["states"] += 1
        facts["differences"] += len(others)
        _, goal, top = wanted[0]
        psi = (tuple(x - y for x, y in zip(goal, phi, strict=True)) for _, phi, _ in others)
        yield name, cost, [(b, x, top + most) for x, (b, _, most) in zip(psi, others, strict=True)]
    facts["sha256"] = digest.hexdigest()


def _dot(left: Iterable[Any], right: Iterable[Any]) -> Any:
    return sum(a * b for a, b in zip(left, right, strict=True))


def _largest(vector: Iterable[Any]) -> Any:
    return max(map(abs, vector), default=0)


def _distance(x: Vector, terms: Iterable[tuple[Fraction, Vector]]) -> Any:
    return _largest(v - sum(m * y[c] for m, y in terms) for c, v in enumerate(x))


def _direction(difference: Sequence[Number], radius: Number = 0) -> tuple[Vector, Number]:
    """The primitive integer vector on the same ray (zero for zero), and the radius scaled alike."""
    scale = math.lcm(*(x.denominator for x in difference))
    whole = [x.numerator * (scale // x.denominator) for x in difference]
    divisor = math.gcd(*whole) or 1
    return tuple(x // divisor for x in whole), radius and radius * Fraction(scale, divisor)


def _eliminate(table: list[list[int]]) -> tuple[list[int], int]:
    """Fraction-free Gauss-Jordan, in place: pivot columns, and what all pivots now equal."""
    pivots, divisor = list[int](), 1
    for c in range(len(table[0])):
        place = len(pivots)
        found = next((i for i in range(place, len(table)) if table[i][c]), None)
        if found is not None:
            table[place], table[found] = table[found], table[place]
            pivot = table[place]
            for row in table[:place] + table[place + 1 :]:
                row[:] = [(pivot[c] * a - row[c] * b) // divisor for a, b in zip(row, pivot, strict=True)]
            divisor = pivot[c]
            pivots.append(c)
    return pivots, divisor


def _branches(node: Any, depth: int = 0) -> set[str]:
    """The states that a tree branches on."""
    require(depth <= MAX_DEPTH, f"the tree is deeper than {MAX_DEPTH} branchings")
    sides = [_branches(node[side], depth + 1) for side in ("taken", "refused") if "state" in node]
    return {node["state"]}.union(*sides) if sides else set()


class Proof:
    """The evidence for a lesson, not yet believed, and what is found; units are sets of misconceptions, as bits."""

    def __init__(self, certificate: dict[str, Any], tolerances: Any, *, places: Any = None, beliefs: Any = ()) -> None:
        self.certificate, self.places = certificate, places
        self.noise, self.merge, self.gap = tolerances
        rays = [_typed(ray, list) for ray in _typed(certificate["rays"], list)]
        exact = places is None
        self.rays = _increasing([*map(_vector, rays)]) if exact else [places[state, action] for state, action in rays]
        self.vectors, count = [*self.rays, *beliefs], len(rays) + len(beliefs)
        self.index = {x: i for i, x in enumerate(self.rays)}
        self.outlines = [[v / _largest(x) for v in x] for x in self.rays] if self.merge else []
        self.realizes = _vector(certificate["realizes"])
        inside, assumed = (_typed(certificate.get(key, []), list) for key in ("inside", "assumed"))
        self.inside = _increasing(_distinct([(_vector(x), _indices(chosen, count)) for x, chosen in inside]))
        self.assumed = _increasing(_distinct([(_vector(x), _shares(pairs, len(rays))) for x, pairs in assumed]))
        wrong = [_typed(entry, dict, {"ray", "w"}) for entry in _typed(certificate["misconceptions"], list)]
        on = _indices([entry["ray"] for entry in wrong], len(rays))
        self.misconceptions = list(zip(on, [_vector(entry["w"]) for entry in wrong], strict=True))
        self.bits, self.demands = {ray: 1 << i for i, ray in enumerate(on)}, [1] * len(on)
        self.tau = Fraction(*map(int, certificate["tau"].split("/"))) if self.noise else Fraction(0)  # never of 1e9999
        self.states = set(_typed(certificate["lesson"], list))
        self.branches = _branches(certificate["bound"])
        # of each direction: the ray in whose class it is, or -1; least and largest radius; number of differences
        self.known: dict[Vector, tuple[int, Number, Number, int]] = {}
        self.shown, self.same = set[Vector](), dict[Vector, Any]()  # by the lesson; what does as well as a ray
        self.first = dict[int, tuple[Vector, Number]]()  # of these in each class, with its radius
        self.met, self.paid, self.forced = list[str](), Fraction(0), 0  # the lesson, its cost, how much of it had to be
        self.step = Fraction(0)  # the largest number of which every cost is an integer multiple
        self.costs, self.units = dict[int, Number](), dict[str, int]()  # of units; of the states in the tree

    def read(self, states: Iterable[State]) -> None:
        """Read the problem once; every difference must be in a class or listed."""
        for name, cost, differences in states:
            rays = set[int]()
            for _, psi, size in differences:
                x, radius = _direction(psi, self.noise and self.noise * size)
                ray, least, most, count = self.known.get(x) or (self.ray_of(x), radius, radius, 0)
                self.known[x] = ray, min(least, radius), max(most, radius), count + 1
                require(ray >= 0 or x in self.inside or x in self.assumed, f"{x}, of state {name!r}, is left out")
                rays.add(ray)
                if name in self.states:
                    self.shown.add(x)
                    self.first.setdefault(ray, (x, radius))
            self.see(name, cost, unit=sum(self.bits.get(ray, 0) for ray in rays), rays=rays)

    def ray_of(self, x: Vector) -> int:
        """The ray to which x is parallel as far as floats can tell, or -1; exact data can tell exactly."""
        if not self.merge:
            return self.index.get(x, -1)
        # outlines are no further apart than 3 d times the sine (below 90 degrees); rounding adds less than d / 2^50
        outline, reach = [v / _largest(x) for v in x], len(x) * (3 * float(self.merge * self.gap) + 1 / 2**40)
        close = [(i, y) for i, y in enumerate(self.rays) if math.dist(self.outlines[i], outline) <= reach]
        sines = {i: 1 - Fraction(max(0, _dot(x, y)) ** 2, _dot(x, x) * _dot(y, y)) for i, y in close}  # squared
        near, wide = ([i for i in sines if sines[i] <= t**2] for t in (self.merge, self.merge * self.gap))
        require(wide == near[:1], f"{x} is just outside the class of a ray, or in two classes")
        return near[0] if near else -1

    def see(self, name: str, cost: Number, *, unit: int, rays: Set[int]) -> None:
        """One more state, which shows some rays and refutes the misconceptions in `unit`."""
        multiples = math.lcm(self.step.denominator, cost.denominator)
        self.step = Fraction(math.gcd(self.step.numerator, cost.numerator), multiples)
        if unit:
            self.costs[unit] = min(cost, self.costs.get(unit, cost))
        if name in self.branches:
            self.units[name] = unit
        if name in self.states:
            self.met.append(name)
            self.paid += cost

    def bound(self, node: Any, *, chosen: Set[int] = frozenset(), refused: Set[int] = frozenset()) -> Fraction:
        """What every cover costs at least that has all of `chosen` and none of `refused`."""
        if "state" not in node:
            return self.leaf(_typed(node, dict, {"weights", "sets"}), chosen=chosen, refused=refused)
        unit = self.units.get(_typed(node, dict, {"state", "taken", "refused"})["state"], 0)
        free = self.costs.keys() - chosen - refused
        require(unit in free, f"the tree branches on {node['state']!r}, which is unknown, idle or decided already")
        covered = self.covered(chosen)
        # whoever shows no more that is new, for no less, can be replaced by this unit, so it goes when this goes
        worse = {u for u in free if not u & ~covered & ~unit and self.costs[u] >= self.costs[unit]}
        taken = self.bound(node["taken"], chosen=chosen | {unit}, refused=refused)
        return min(taken, self.bound(node["refused"], chosen=chosen, refused=refused | worse))

    def covered(self, chosen: Set[int]) -> int:  # the misconceptions that need no more units
        return functools.reduce(int.__or__, chosen, 0)

    def leaf(self, leaf: Any, *, chosen: Set[int], refused: Set[int]) -> Fraction:
        # weak duality: the weights, plus what each unit costs beyond its load (for free ones only if negative)
        count = len(self.misconceptions)
        parts = [(1 << i, self.demands[i], y) for i, y in _shares(leaf["weights"], count).items()]
        for entry in _typed(leaf["sets"], list):
            members = _indices(_typed(entry, dict, {"of", "at_most", "weight"})["of"], count)
            bits, most = sum(1 << i for i in members), _typed(entry["at_most"], int)
            widest = max(((unit & bits).bit_count() for unit in self.costs.keys() - refused), default=1)
            require(widest <= most, f"{widest} of the misconceptions {members} are refuted at once, not {most}")
            parts.append((bits, -(-sum(self.demands[i] for i in members) // most), _rational(entry["weight"])))
        scale = math.lcm(*(x.denominator for x in (*self.costs.values(), *(y for _, _, y in parts))))
        loads = [(bits, int(y * scale)) for bits, _, y in parts]
        total = sum(demand * load for (_, demand, _), (_, load) in zip(parts, loads, strict=True))
        for unit in self.costs.keys() - refused:
            slack = int(self.costs[unit] * scale) - sum(load for bits, load in loads if unit & bits)
            total += slack if unit in chosen else min(0, slack)
        return Fraction(total, scale)

    def check_signs(self) -> None:
        """w_0 is right on all differences, each misconception wrong on its ray only; on floats, beyond the noise."""
        wrong = [(on, w, sum(map(abs, w))) for on, w in self.misconceptions]
        size = sum(map(abs, self.realizes))
        for x, (ray, _, most, _) in self.known.items():
            require(_dot(self.realizes, x) > most * size, f"w_0 is wrong on {x}, or not certain")
            for on, w, length in wrong if self.places is not None or x in self.shown else ():
                product = -_dot(w, x) if ray == on else _dot(w, x)
                require(product > most * length, f"the misconception on ray {on} is wrong about {x}")

    def check_sums(self) -> None:
        """The rays imply what is in no class; floats: within its radius, and the margin tau makes up for the rest."""
        for x, (ray, least, most, _) in self.known.items():
            shares = self.solved(x, self.inside[x], among=self.vectors) if x in self.inside else self.assumed.get(x, {})
            parts = [(m, i, self.vectors[i]) for i, m in shares.items()] if ray < 0 else [(Fraction(1), ray, x)]
            if x in self.assumed:
                far = _distance(x, [(m, y) for m, _, y in parts])
                require(far <= least, f"{x} is further than its radius from what is assumed")
            if self.places is not None:
                first = [self.first[i] for _, i, _ in parts]
                axes = [[*map(abs, f)].index(_largest(f)) for f, _ in first]
                ratios = [m * Fraction(y[c], f[c]) for (m, _, y), (f, _), c in zip(parts, first, axes, strict=True)]
                far = _distance(x, [(m, f) for m, (f, _) in zip(ratios, first, strict=True)])
                lent = _dot(ratios, [radius for _, radius in first])
                require(far + most + lent <= self.tau * lent, f"tau is too small for {x}")

    def solved(self, x: Vector, chosen: Sequence[int], *, among: Sequence[Vector]) -> dict[int, Fraction]:
        """With what independent vectors add up to x, all positive."""
        table = [list(row) for row in zip(*(among[i] for i in chosen), x, strict=True)]
        pivots, divisor = _eliminate(table)
        require(pivots == list(range(len(chosen))), f"{x} is not a combination of independent rays")
        shares = {i: Fraction(row[-1], divisor) for i, row in zip(chosen, table, strict=False)}
        require(all(m > 0 for m in shares.values()), f"{x} needs multipliers that are not positive")
        return shares

    def check_claim(self) -> None:
        """The certificate says what was found, no more and no less."""
        classed = [count for x, (ray, _, _, count) in self.known.items() if ray >= 0 and x not in self.same]
        listed = len(classed) + len(self.inside) + len(self.assumed)
        require(listed == len(self.known), f"{listed} directions listed, not {len(self.known)}")
        require(self.first.keys() >= {*range(len(self.rays))}, "a listed ray is not shown by the lesson")
        require(self.known or len(self.met) <= self.forced, "a problem without differences needs no demonstration")
        step = self.step or 1
        bound = Fraction(math.ceil(self.bound(self.certificate["bound"]) / step) * step)
        found = {"lesson": self.met, "size": len(self.met), "cost": str(self.paid), "lower_bound": str(bound)}
        found["claim"] = "minimum" if bound == self.paid else "interval"
        found["all_rays"] = len(self.rays) == len(self.misconceptions)
        if self.places is not None:
            found["merged"], found["tau"] = sum(classed) - len(self.rays), str(max(self.tau, Fraction(0)))
            found["assumed_inside"] = sum(self.known[x][3] for x in self.assumed)
        agree(self.certificate, found)


def check_conflict(terms: Any, states: Iterable[State]) -> None:
    """The members exist, their combination is zero, and none of them can go."""
    members = [_typed(term, dict, {"state", "action", "multiplier"}) for term in _typed(terms, list)]
    wanted = {(term["state"], term["action"]): _rational(term["multiplier"]) for term in members}
    differences = ((name, action, psi) for name, _, rest in states for action, psi, _ in rest)
    found = [(wanted[name, action], psi) for name, action, psi in differences if (name, action) in wanted]
    require(len(found) == len(terms), "a member of the conflict is listed twice, or is no difference of this problem")
    multipliers, vectors = zip(*found, strict=True)  # raises on an empty conflict
    require(not any(_dot(multipliers, row) for row in zip(*vectors, strict=True)), "the conflict's sum is not zero")
    pivots, _ = _eliminate([list(_direction(psi)[0]) for psi in vectors])
    require(len(pivots) == len(vectors) - 1, "the conflict is not irreducible")


def check_files(certificate: str, problem: str) -> Accepted:
    """Check a certificate file against a problem file (`.json` or `.npz`)."""
    claims, _ = _read(certificate)
    stored = isinstance(claims, dict) and claims.get("arithmetic") == "stored"
    try:
        rows, arithmetic = read_problem(problem, stored=stored)
    except Exception as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from error
    return check_rows(claims, rows, arithmetic=arithmetic)


def _read(path: str) -> tuple[Any, int]:  # and how many bits a feature has, if it is a float
    # looked at before it is opened: a pipe or a device has size 0, and opening one may wait for ever
    require(0 < pathlib.Path(path).stat().st_size <= 2**33, f"{path} is empty, above 8 GiB, or not a file")
    if not path.endswith(".npz"):
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"), object_pairs_hook=_distinct), 64
    with zipfile.ZipFile(path) as archive:
        small = all(entry.file_size <= MAX_RATIO * entry.compress_size for entry in archive.infolist())
        require(small, "a member of the archive expands too much")
        arrays = _distinct([(e.filename.removesuffix(".npy"), _npy(archive.read(e))) for e in archive.infolist()])
    return {name: array for name, (array, _) in arrays.items()}, arrays["features"][1]


def read_problem(path: str, *, stored: bool = False) -> tuple[Rows, str]:
    """The rows of a `.json` or `.npz` problem file and their arithmetic; `stored` asks for floats as fractions."""
    data, bits = _read(path)
    agree({**ABOUT, **data} if path.endswith(".npz") else data, ABOUT)
    require(data.keys() <= MEMBERS | ABOUT.keys(), f"a problem has no such members: {sorted(data)}")
    features = data["features"]
    vectors = [vector for actions in features for vector in actions if vector is not None]
    raw = [x for column in zip(*vectors, strict=True) for x in column]
    exact = all(type(x) is not float or (x.is_integer() and abs(x) < SMALL) for x in raw)
    names = data.get("state_names", [str(s) for s in range(len(features))])
    require(len(set(names)) == len(names), "two states have the same id")
    available = data.get("available", [[vector is not None for vector in actions] for actions in features])
    labels = data.get("action_names") or [str(a) for a in range(max(map(len, features), default=0))]
    shared, costs = all(type(label) is str for label in labels), data.get("cost", [1] * len(names))
    labels = [labels] * len(names) if shared else labels
    states = list(zip(names, labels, features, available, data["target"], costs, strict=True))
    decimal = all(re.fullmatch("[0-9]+", name) for name in names)
    states.sort(key=lambda s: (len(s[0].lstrip("0")), s[0].lstrip("0"), s[0]) if decimal else s[0])
    rows, floats = list[Any](), not exact and not stored
    for name, ids, phi, flags, goal, cost in states:
        there = {a for a, flag in enumerate(flags) if flag}
        require(max(there, default=-1) < len(ids), f"an action of state {name!r} has no id")
        # an id of its own has each action up to the last that is available
        for a, action in enumerate(ids if shared else ids[: max(there, default=-1) + 1]):
            vector = tuple(_number(x, floats=floats) for x in phi[a]) if a in there else ()
            rows.append((name, action, a in there, a == goal, _number(cost, floats=False), vector))
    return rows, "exact" if exact else "stored" if stored else f"float{bits}"


def _number(value: Any, *, floats: bool) -> Any:
    """A number of a problem file, exactly unless it is among floats; what is none stays, for `_states_of` to refuse."""
    if type(value) is str:
        match = DECIMAL.fullmatch(value := value.strip(" \t"))
        require(match and abs(int(match[1] or 0)) <= MAX_EXPONENT, f"{value[:40]!r} is not a number")
    elif type(value) is not float:
        return float(value) if floats and type(value) is int else value
    exact = Fraction(value)  # raises on infinities and NaN
    return exact if not floats else value if type(value) is float else float(exact)


def _npy(data: bytes) -> tuple[Any, int]:
    """Nested lists, and bits per number; `struct` insists on exactly the bytes that the shape asks for."""
    [(*header, body)] = re.findall(NPY, data)
    order, kind, size, fortran, sizes = (part.decode().replace("|", "<") for part in header)
    shape = [int(n) for n in sizes.split(",") if n.strip()]
    count, width = math.prod(shape), int(size)
    if kind == "U":
        text = "".join(map(chr, struct.unpack(f"{order}{count * width}I", body)))
        flat: Sequence[Any] = [text[i * width : (i + 1) * width].rstrip("\0") for i in range(count)]
    else:
        flat = struct.unpack(f"{order}{count}{CODES[kind + size]}", body)
    if fortran == "True":
        steps = [math.prod(shape[:i]) for i in range(len(shape))]
        flat = [flat[_dot(place, steps)] for place in itertools.product(*map(range, shape))]
    for n in reversed(shape[1:]):
        flat = [flat[i : i + n] for i in range(0, len(flat), n or 1)]
    return flat, 8 * width


def main(arguments: Sequence[str]) -> int:
    """The command line; what it prints is one line of ASCII, whatever the names are."""
    try:
        require(len(arguments) == 2, "usage: python check.py CERTIFICATE PROBLEM", error=Unreadable)
        found = check_files(*arguments[:2])
        said, status = f"accepted: {found.claim}, size {found.size}, lower bound {found.lower_bound}", 0
        said += f", {json.dumps(found.arithmetic)}, tau {found.tau}" if type(found.arithmetic) is dict else ""
    except Exception as error:  # of any kind: a certificate that cannot even be read is rejected
        said, status = f"{type(error).__name__}: {error}", 2 if isinstance(error, Unreadable) else 6
    print(said.encode("unicode_escape").decode("ascii"))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
