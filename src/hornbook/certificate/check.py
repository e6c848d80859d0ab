"""Step 7 of 8, the reference checker: does this certificate prove its claim about this problem?

    python check.py CERTIFICATE PROBLEM

Standard library only, and nothing of hornbook: this file and docs/certificate-v1.md, which numbers the rules and proves
that they suffice, are all that must be trusted.  Prints one line; exits 0 (accepted), 6 (rejected) or 2 (unreadable).
Cost: 10 microseconds per difference, 10 (2 features) to 5,000 (32) per direction; see also `fast`.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import io
import itertools
import json
import math
import operator
import pathlib
import re
import struct
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Number = int | Fraction
Vector = tuple[int, ...]
Row = tuple[str, str, bool, bool, Number, tuple[Number, ...]]  # state, action, available, target, cost, features
Rows = Iterable[Row]
State = tuple[str, Number, list[tuple[str, tuple[Number, ...]]]]  # id, cost, psi for each action beside the target
SMALL = 2**53  # integers below this are JSON numbers, the others are texts
MAX_EXPONENT = 4_000
MAX_DEPTH = 400  # of a branching tree; Python itself stops below 1,000
MAX_RATIO, MAX_HEADER = 1_000, 10_000  # of a compressed array (deflate reaches 1,032 on zeros); of its description
INTEGER = re.compile("-?[1-9][0-9]{0,4299}")  # Python reads no longer ones
CODES = {"b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}
CODES |= {"f2": "e", "f4": "f", "f8": "d"}
RATIO = re.compile("(-?[1-9][0-9]{0,4299})/([1-9][0-9]{0,4299})")
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,6}))?|[+-]?[0-9]+/[0-9]+")
HEADER = {"format", "version", "claim", "problem", "arithmetic", "made_by"}
PROOF = {"lesson", "size", "cost", "lower_bound", "realizes", "rays", "inside", "misconceptions", "bound", "all_rays"}
MEMBERS = {"features", "target", "available", "cost", "state_names", "action_names", "feature_names"}


class Rejection(Exception):
    """The certificate does not prove its claim about this problem; the text says why."""


class Unreadable(Rejection):
    """The problem itself is malformed, so no certificate can speak about it."""


@dataclass(frozen=True)
class Accepted:
    """What has been proved; for "not realizable" there is no size and no bound."""

    claim: str
    size: int | None
    lower_bound: str | None


def require(condition: object, reason: str, *, error: type[Rejection] = Rejection) -> None:
    """The one statement that rejects: go on only if the condition holds."""
    if not condition:
        raise error(reason)


def check_rows(certificate: Any, rows: Rows, *, identity: str | None = None, arithmetic: str = "exact") -> Accepted:
    """Check a certificate against the rows of its problem (states in id order), reading them once.

    `identity`: of a built-in environment; `arithmetic`: "stored" if the numbers were floats that are not integers.
    Raises `Rejection` unless everything holds.  Memory: distinct directions and sets of misconceptions, not states.
    """
    try:
        facts: dict[str, Any] = {"states": 0, "differences": 0}
        if check_form(certificate) == "not realizable":
            check_conflict(certificate["conflict"], _states_of(rows, facts))
        else:
            lesson = lesson_of(certificate)
            survey = _survey_of(lesson, _states_of(rows, facts))
            check_evidence(lesson, survey.shown)
            check_claim(certificate, lesson, survey=survey)
        facts["name"] = None if identity is None else identity.split("\t")[1]
        facts["sha256"] = facts["sha256"] if identity is None else hashlib.sha256(identity.encode()).hexdigest()
        check_header(certificate, facts, arithmetic=arithmetic)
    except Rejection:
        raise
    except Exception as error:
        raise Rejection(f"{type(error).__name__}: {error}") from error
    return Accepted(certificate["claim"], certificate.get("size"), certificate.get("lower_bound"))


@dataclass(frozen=True)
class Lesson:
    """The evidence for a lesson, well formed but not yet believed."""

    realizes: Vector
    rays: Sequence[Vector]
    inside: Sequence[tuple[Vector, Sequence[int]]]
    misconceptions: Sequence[tuple[int, Vector]]
    states: set[str]
    branches: set[str]  # the states of the tree
    used: set[int]  # the misconceptions of the tree


def check_form(certificate: Any) -> str:
    """Known keys of a known version; returns the claim."""
    claim: str = _typed(_typed(certificate, dict)["claim"], str)
    _keys(certificate, HEADER | ({"conflict"} if claim == "not realizable" else PROOF))
    known = _same(certificate["format"], "hornbook-certificate") and _same(certificate["version"], 1)
    require(known, "it is not a hornbook certificate of version 1")
    _typed(_keys(certificate["made_by"], {"hornbook"})["hornbook"], str)
    return claim


def lesson_of(certificate: dict[str, Any]) -> Lesson:
    """The evidence for a lesson, if it has exactly the documented form."""
    rays = _increasing([_vector(ray) for ray in _typed(certificate["rays"], list)])
    inside = [(_vector(x), _indices(chosen, len(rays))) for x, chosen in _typed(certificate["inside"], list)]
    _increasing([x for x, _ in inside])
    wrong = [_keys(entry, {"ray", "w"}) for entry in _typed(certificate["misconceptions"], list)]
    on = _indices([entry["ray"] for entry in wrong], len(rays))
    misconceptions = [(ray, _vector(entry["w"])) for ray, entry in zip(on, wrong, strict=True)]
    states = set(_typed(certificate["lesson"], list))
    lesson = Lesson(_vector(certificate["realizes"]), rays, inside, misconceptions, states, set(), set())
    _tree(certificate["bound"], lesson)
    return lesson


def _tree(node: Any, lesson: Lesson, depth: int = 0) -> None:
    """The form of a tree (`Survey` reads the numbers in it); collects its states and misconceptions."""
    require(depth <= MAX_DEPTH, f"the tree is deeper than {MAX_DEPTH} branchings")
    lists: list[Any] = []
    if "state" in _typed(node, dict):
        lesson.branches.add(_keys(node, {"state", "taken", "refused"})["state"])
        _tree(node["taken"], lesson, depth + 1)
        _tree(node["refused"], lesson, depth + 1)
    elif "unreachable" in node:
        lists = [list(_keys(node, {"unreachable"}).values())]
    else:
        lists = [[i for i, _ in _typed(_keys(node, {"weights", "sets"})["weights"], list)]]
        lists += [_keys(entry, {"of", "at_most", "weight"})["of"] for entry in _typed(node["sets"], list)]
    for chosen in lists:
        lesson.used.update(_indices(chosen, len(lesson.misconceptions)))


def _same(said: object, found: object) -> bool:
    """Equality that keeps 1, 1.0 and true apart."""
    return type(said) is type(found) and said == found


def _typed(value: Any, kind: type) -> Any:
    """The value, if JSON gave it this very type (true is no integer)."""
    require(type(value) is kind, f"{str(value)[:40]!r} stands where a {kind.__name__} must")
    return value


def _keys(value: Any, names: set[str]) -> dict[str, Any]:
    wrong = _typed(value, dict).keys() ^ names
    require(not wrong, f"keys are missing or unknown: {sorted(map(str, wrong))}")
    return value  # type: ignore[no-any-return]


def _increasing(values: list[Any]) -> list[Any]:
    require(all(a < b for a, b in itertools.pairwise(values)), "a list is not strictly increasing")
    return values


def _indices(values: Any, count: int) -> list[int]:
    for i in _typed(values, list):
        require(0 <= _typed(i, int) < count, f"the index {i} is not below {count}")
    return _increasing(values)


def _vector(values: Any) -> Vector:
    return tuple(_integer(value) for value in _typed(values, list))


def _integer(value: Any) -> int:
    """A JSON number below 2^53, otherwise a decimal text."""
    number: int = int(value) if type(value) is str and INTEGER.fullmatch(value) else _typed(value, int)
    require((type(value) is str) == (abs(number) >= SMALL), "integers are texts from 2^53 up, and numbers below")
    return number


def _positive(value: Any) -> Fraction:
    """A positive rational: an integer as above, or "p/q" in lowest terms with q > 1."""
    match = RATIO.fullmatch(value) if type(value) is str else None
    p, q = map(int, match.groups()) if match else (_integer(value), 1)
    require(math.gcd(p, q) == 1 and (q > 1 or not match), f"{value!r} is not in lowest terms")
    require(p > 0, f"{value!r} must be positive")
    return Fraction(p, q)


def check_header(certificate: dict[str, Any], facts: dict[str, Any], *, arithmetic: str) -> None:
    """Problem and arithmetic are the ones the certificate was made for."""
    problem = _keys(certificate["problem"], {*facts})
    for key, value in facts.items():
        require(_same(problem[key], value), f"it is for another problem; here the {key} must be {value}")
    require(_same(certificate["arithmetic"], arithmetic), f"the arithmetic must be {arithmetic!r}")


def _states_of(rows: Rows, facts: dict[str, Any]) -> Iterator[State]:
    """The states of a problem, one at a time; `facts` are complete after the last."""
    digest = hashlib.sha256()
    for (name, cost), group in itertools.groupby(rows, key=lambda row: (row[0], row[4])):
        members = list(group)
        digest.update(b"".join(map(_line, members)))
        wanted = [row[5] for row in members if row[2] and row[3]]
        others = [(row[1], row[5]) for row in members if row[2] and not row[3]]
        require(len(wanted) == 1, f"state {name!r} has {len(wanted)} available target actions", error=Unreadable)
        require(cost >= 0, f"the cost of state {name!r} is negative", error=Unreadable)
        facts["states"] += 1
        facts["differences"] += len(others)
        yield name, cost, [(b, tuple(x - y for x, y in zip(wanted[0], phi, strict=True))) for b, phi in others]
    facts["sha256"] = digest.hexdigest()


def _line(row: Row) -> bytes:
    """The canonical text of a row; the hash of a problem is taken of these."""
    name, action, available, target, cost, features = row
    shown = (cost, *(features if available else ()))
    require(all(type(x) in (int, Fraction) for x in shown), f"state {name!r} has inexact numbers", error=Unreadable)
    cells = [json.dumps(name), json.dumps(action), str(int(available)), str(int(target)), *map(str, shown)]
    return "\t".join(cells).encode("ascii") + b"\n"


def _dot(left: Sequence[Number], right: Sequence[Number]) -> Number:
    return sum(a * b for a, b in zip(left, right, strict=True))


def _direction(difference: Sequence[Number]) -> Vector:
    """The primitive integer vector on the same ray (zero for zero)."""
    scale = math.lcm(*(x.denominator for x in difference))
    whole = [x.numerator * (scale // x.denominator) for x in difference]
    divisor = math.gcd(*whole) or 1
    return tuple(x // divisor for x in whole)


@dataclass
class Survey:
    """What one reading found.  Units are sets of misconceptions, as bits, each at the price of its cheapest state."""

    directions: set[Vector] = field(default_factory=set)
    shown: set[Vector] = field(default_factory=set)
    met: list[str] = field(default_factory=list)  # states of the lesson, in the order of the problem
    paid: Number = 0  # what they cost
    step: Number = 0  # the largest number of which every cost is an integer multiple
    costs: dict[int, Number] = field(default_factory=dict)
    units: dict[str, int] = field(default_factory=dict)  # of the states in the tree

    def add(self, name: str, cost: Number, *, unit: int, lesson: Lesson) -> None:
        """One more state, which refutes the misconceptions in `unit`."""
        top = math.gcd(self.step.numerator * cost.denominator, cost.numerator * self.step.denominator)
        self.step = Fraction(top, self.step.denominator * cost.denominator)
        if unit:
            self.costs[unit] = min(cost, self.costs.get(unit, cost))
        if name in lesson.branches:
            self.units[name] = unit
        if name in lesson.states:
            self.met.append(name)
            self.paid += cost

    def bound(self, node: Any, *, chosen: Set[int] = frozenset(), refused: Set[int] = frozenset()) -> Fraction | float:
        """What every cover costs at least that has all of `chosen` and none of `refused`; infinity if none exists."""
        if "unreachable" in node:
            i = node["unreachable"]
            require(not any(unit >> i & 1 for unit in self.costs.keys() - refused), f"{i} is not unreachable")
            return math.inf
        if "state" not in node:
            return self._leaf(node, chosen=chosen, refused=refused)
        unit = self.units.get(node["state"], 0)
        free = self.costs.keys() - chosen - refused
        require(unit in free, f"the tree branches on {node['state']!r}, which is unknown, idle or decided already")
        covered = functools.reduce(operator.or_, chosen, 0)
        # whoever shows no more that is new, for no less, can be replaced by this unit, so it goes when this goes
        worse = {u for u in free if not u & ~covered & ~unit and self.costs[u] >= self.costs[unit]}
        taken = self.bound(node["taken"], chosen=chosen | {unit}, refused=refused)
        left = self.bound(node["refused"], chosen=chosen, refused=refused | worse)
        return min(taken, left)

    def _leaf(self, leaf: Any, *, chosen: Set[int], refused: Set[int]) -> Fraction:
        """Weak duality: the weights, plus what each unit costs beyond its load (for free ones only if negative)."""
        parts = [(1 << i, 1, _positive(weight)) for i, weight in leaf["weights"]]
        for entry in leaf["sets"]:
            bits, most = sum(1 << i for i in entry["of"]), _typed(entry["at_most"], int)
            widest = max(((unit & bits).bit_count() for unit in self.costs.keys() - refused), default=1)
            require(widest <= most, f"{widest} of the misconceptions {entry['of']} are refuted at once, not {most}")
            parts.append((bits, -(-len(entry["of"]) // most), _positive(entry["weight"])))
        scale = math.lcm(*(x.denominator for x in (*self.costs.values(), *(weight for _, _, weight in parts))))
        total = sum(demand * int(weight * scale) for _, demand, weight in parts)
        loads = [(bits, int(weight * scale)) for bits, _, weight in parts]
        for unit in self.costs.keys() - refused:
            slack = int(self.costs[unit] * scale) - sum(weight for bits, weight in loads if unit & bits)
            total += slack if unit in chosen else min(0, slack)
        return Fraction(total, scale)


def _survey_of(lesson: Lesson, states: Iterable[State]) -> Survey:
    """Read the problem once; every difference must agree with w_0 and be listed."""
    listed = {*lesson.rays, *(x for x, _ in lesson.inside)}
    bits = {lesson.rays[lesson.misconceptions[i][0]]: 1 << i for i in lesson.used}
    survey = Survey()
    for name, cost, differences in states:
        seen = {_direction(psi) for _, psi in differences}
        for x in seen - survey.directions:
            require(_dot(lesson.realizes, x) > 0, f"w_0 is wrong in state {name!r}, on {x}")
            require(x in listed, f"{x}, a difference of state {name!r}, is left out")
        survey.directions |= seen
        survey.add(name, cost, unit=sum(bits.get(x, 0) for x in seen), lesson=lesson)
        if name in lesson.states:
            survey.shown |= seen
    return survey


def check_evidence(lesson: Lesson, shown: Set[Vector]) -> None:
    """Inner directions are positive combinations; misconceptions are wrong on their ray, and there only."""
    for x, chosen in lesson.inside:
        table = [list(row) for row in zip(*(lesson.rays[i] for i in chosen), x, strict=True)]
        pivots, divisor = _eliminate(table)
        require(pivots == list(range(len(chosen))), f"{x} is not a combination of independent rays")
        require(
            all(row[-1] * divisor > 0 for row in table[: len(chosen)]), f"{x} needs multipliers that are not positive"
        )
    for on, w in lesson.misconceptions:
        ray = lesson.rays[on]
        require(_dot(w, ray) < 0, f"the misconception on {ray} is not wrong there")
        require(all(_dot(w, x) > 0 for x in shown if x != ray), f"the misconception on {ray} is wrong elsewhere too")


def _eliminate(table: list[list[int]]) -> tuple[list[int], int]:
    """Fraction-free Gauss-Jordan, in place: pivot columns, and what all pivots now equal."""
    pivots: list[int] = []
    divisor = 1
    for c in range(len(table[0])):
        place = len(pivots)
        found = next((i for i in range(place, len(table)) if table[i][c]), None)
        if found is not None:
            table[place], table[found] = table[found], table[place]
            pivot = table[place]
            for i, row in enumerate(table):
                if i != place:
                    table[i] = [(pivot[c] * a - row[c] * b) // divisor for a, b in zip(row, pivot, strict=True)]
            divisor = pivot[c]
            pivots.append(c)
    return pivots, divisor


def check_claim(certificate: dict[str, Any], lesson: Lesson, *, survey: Survey) -> None:
    """The certificate says what was found, no more and no less."""
    listed, complete = len(lesson.rays) + len(lesson.inside), len(lesson.rays) == len(lesson.misconceptions)
    require(listed == len(survey.directions), f"{listed} directions listed, not {len(survey.directions)}")
    require(survey.shown.issuperset(lesson.rays), "a listed ray is not shown by the lesson")
    require(survey.directions or not survey.met, "a problem without differences needs no demonstration")
    step = survey.step or 1
    # infinity has no next multiple and raises, as some lesson exists
    bound = Fraction(math.ceil(survey.bound(certificate["bound"]) / step) * step)
    claim = "minimum" if bound == survey.paid else "interval"
    require(_same(certificate["lesson"], survey.met), "the lesson is not a list of different states in id order")
    require(_same(certificate["size"], len(survey.met)), f"the size of the lesson is {len(survey.met)}")
    require(_same(certificate["cost"], str(survey.paid)), f"the cost of the lesson is {survey.paid}")
    require(_same(certificate["lower_bound"], str(bound)), f"the lower bound that is proved is {bound}")
    require(_same(certificate["claim"], claim), f"cost {survey.paid} and lower bound {bound} are {claim!r}")
    require(_same(certificate["all_rays"], complete), f"all_rays must be {complete}")


def check_conflict(terms: Any, states: Iterable[State]) -> None:
    """The members exist, their combination is zero, and none of them can go."""
    names = {"state", "action", "multiplier"}
    wanted = {(t["state"], t["action"]): _positive(_keys(t, names)["multiplier"]) for t in _typed(terms, list)}
    differences = ((name, action, psi) for name, _, rest in states for action, psi in rest)
    found = [(wanted[name, action], psi) for name, action, psi in differences if (name, action) in wanted]
    require(len(found) == len(terms), "a member of the conflict is listed twice, or is no difference of this problem")
    multipliers, vectors = zip(*found, strict=True)  # raises on an empty conflict
    require(not any(_dot(multipliers, row) for row in zip(*vectors, strict=True)), "the conflict's sum is not zero")
    rank = len(_eliminate([list(_direction(psi)) for psi in vectors])[0])
    require(rank == len(vectors) - 1, "the conflict is not irreducible")


def check_files(certificate: str, problem: str) -> Accepted:
    """Check a certificate file against a problem file (`.json` or `.npz`)."""
    try:
        rows, arithmetic = read_problem(problem)
    except Exception as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from error
    return check_rows(_read_json(certificate), rows, arithmetic=arithmetic)


def _read_json(path: str) -> Any:
    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(len(dict(pairs)) == len(pairs), "an object has the same key twice")
        return dict(pairs)

    return json.loads(_content(path).decode("utf-8"), object_pairs_hook=distinct)


def _content(path: str) -> bytes:
    # looked at before it is opened: a pipe or a device has size 0, and opening one may wait for ever
    require(0 < pathlib.Path(path).stat().st_size <= 2**33, f"{path} is empty, above 8 GiB, or not a file")
    return pathlib.Path(path).read_bytes()


def read_problem(path: str) -> tuple[list[Row], str]:
    """The rows of a `.json` or `.npz` problem file and their arithmetic, "exact" or "stored"."""
    data = _npz(path) if path.endswith(".npz") else _read_json(path)
    if not path.endswith(".npz"):
        about = _same(data.pop("format"), "hornbook-problem") and _same(data.pop("version"), 1)
        require(about, "this is not a problem file of version 1")
    require(data.keys() <= MEMBERS, f"a problem has no such members: {sorted(data)}")
    features, target = data["features"], data["target"]
    vectors = [vector for actions in features for vector in actions if vector is not None]
    raw = [x for column in zip(*vectors, strict=True) for x in column]
    stored = any(type(x) is float and not (x.is_integer() and abs(x) < SMALL) for x in raw)
    names = data.get("state_names", [str(s) for s in range(len(features))])
    require(len(set(names)) == len(names), "two states have the same id")
    available = data.get("available", [[vector is not None for vector in actions] for actions in features])
    labels = _labels(data.get("action_names"), features, available)
    states = list(zip(names, labels, features, available, target, data.get("cost", [1] * len(names)), strict=True))
    decimal = all(re.fullmatch("[0-9]+", name) for name in names)
    states.sort(key=lambda s: (len(s[0].lstrip("0")), s[0].lstrip("0"), s[0]) if decimal else s[0])
    return [row for state in states for row in _rows(*state)], "stored" if stored else "exact"


def _labels(names: Any, features: Any, available: Any) -> list[list[str]]:
    """The action ids of each state: shared ones, or its own up to its last available action."""
    if names is None or all(type(name) is str for name in names):
        return [names or [str(a) for a in range(max(map(len, features), default=0))]] * len(features)
    last = [max((a for a, there in enumerate(flags) if there), default=-1) for flags in available]
    return [own[: end + 1] for own, end in zip(names, last, strict=True)]


def _rows(name: str, labels: list[str], vectors: Any, flags: Any, target: Any, cost: Any) -> Iterator[Row]:
    there = {a for a, flag in enumerate(flags) if flag}
    require(all(a < len(labels) for a in there), f"an action of state {name!r} has no id")
    for a, label in enumerate(labels):
        yield name, label, a in there, a == target, _number(cost), tuple(map(_number, vectors[a] if a in there else ()))


def _number(value: Any) -> Any:
    """A number of a problem file, exactly; what is none stays as it is, for `_line` to refuse."""
    if type(value) is float:  # raises on infinities and NaN
        return int(value) if value.is_integer() else Fraction(*value.as_integer_ratio())
    if type(value) is not str:
        return value
    match = DECIMAL.fullmatch(value := value.strip(" \t"))
    require(match and abs(int(match[1] or 0)) <= MAX_EXPONENT, f"{value[:40]!r} is not a number")
    return Fraction(value)


def _npz(path: str) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(_content(path))) as archive:
        entries = archive.infolist()
        require(len({entry.filename for entry in entries}) == len(entries), "the archive has a member twice")
        fits = all(entry.file_size <= MAX_RATIO * entry.compress_size for entry in entries)
        require(fits, "a member of the archive expands too much")
        return {entry.filename.removesuffix(".npy"): _npy(archive.read(entry)) for entry in entries}


def _npy(data: bytes) -> Any:
    """An array as nested lists; `struct` insists on exactly the bytes that the shape asks for."""
    require(data[:8] in [b"\x93NUMPY" + v for v in (b"\1\0", b"\2\0", b"\3\0")], "a member is not a .npy array")
    start = 10 if data[6] == 1 else 12
    end = start + int.from_bytes(data[8:start], "little")
    require(end <= MAX_HEADER, "the header of an array is too long")
    header = _keys(ast.literal_eval(data[start:end].decode("utf-8")), {"descr", "fortran_order", "shape"})
    shape, descr = header["shape"], header["descr"].replace("|", "<")
    require(all(type(n) is int and n >= 0 for n in shape), f"the shape {shape} is none")
    count, width = math.prod(shape), int(descr[2:])
    if descr[1] == "U":
        text = "".join(map(chr, struct.unpack(f"{descr[0]}{count * width}I", data[end:])))
        flat: Sequence[Any] = [text[i * width : (i + 1) * width].rstrip("\0") for i in range(count)]
    else:
        flat = struct.unpack(f"{descr[0]}{count}{CODES[descr[1:]]}", data[end:])
    if header["fortran_order"]:
        steps = [math.prod(shape[:i]) for i in range(len(shape))]
        flat = [flat[sum(map(operator.mul, place, steps))] for place in itertools.product(*map(range, shape))]
    for n in reversed(shape[1:]):
        flat = [flat[i : i + n] for i in range(0, len(flat), n or 1)]
    return flat


def main(arguments: Sequence[str]) -> int:
    """The command line; what it prints is one line of ASCII, whatever the names are."""
    try:
        require(len(arguments) == 2, "usage: python check.py CERTIFICATE PROBLEM", error=Unreadable)
        found = check_files(*arguments[:2])
        said, status = f"accepted: {found.claim}, size {found.size}, lower bound {found.lower_bound}", 0
    except Exception as error:  # of any kind: a certificate that cannot even be read is rejected
        said, status = f"{type(error).__name__}: {error}", 2 if isinstance(error, Unreadable) else 6
    print(said.encode("unicode_escape").decode("ascii"))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
