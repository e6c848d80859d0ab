"""A second checker of VIPR 1.0 files: slow, in fractions, straight from the format's description."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

Coefficients = dict[int, Fraction]
SIGN = {"G": 1, "E": 0, "L": -1}


class Wrong(Exception):
    """The file does not prove what it says."""


@dataclass(frozen=True)
class Constraint:
    sense: int
    right: Fraction
    left: Coefficients
    assumptions: frozenset[int]

    @property
    def is_absurd(self) -> bool:
        wrong = {1: self.right > 0, 0: self.right != 0, -1: self.right < 0}
        return not any(self.left.values()) and wrong[self.sense]

    def dominates(self, other: Constraint) -> bool:
        if self.is_absurd:
            return True
        if trimmed(self.left) != trimmed(other.left) or other.sense == 0 != self.sense:
            return False
        if other.sense == 1:
            return self.sense in (0, 1) and self.right >= other.right
        return self.sense in (0, -1) and self.right <= other.right


def trimmed(values: Coefficients) -> Coefficients:
    return {place: value for place, value in values.items() if value}


class Reader:
    """The words of the file, one after the other."""

    def __init__(self, text: str) -> None:
        self.words = iter([w for line in text.splitlines() if not line.startswith("%") for w in line.split()])
        self.objective: Coefficients = {}

    def word(self) -> str:
        return next(self.words)

    def expect(self, *words: str) -> None:
        for word in words:
            require(self.word() == word, f"{word} is missing")

    def integer(self) -> int:
        return int(self.word())

    def terms(self, count: int | None = None) -> Coefficients:
        count = self.integer() if count is None else count
        return {self.integer(): Fraction(self.word()) for _ in range(count)}

    def constraint(self) -> tuple[int, Fraction, Coefficients]:
        self.word()  # its name
        sense, right, size = SIGN[self.word()], Fraction(self.word()), self.word()
        return sense, right, self.objective if size == "OBJ" else self.terms(int(size))


def require(condition: object, reason: str) -> None:
    if not condition:
        raise Wrong(reason)


def check_vipr(text: str) -> tuple[Fraction, Fraction]:
    """The proved interval of the optimum, of a minimization in integers."""
    read = Reader(text)
    read.expect("VER", "1.0", "VAR")
    count = read.integer()
    names = [read.word() for _ in range(count)]
    require(len(set(names)) == count, "a name is there twice")
    read.expect("INT")
    require([read.integer() for _ in range(read.integer())] == [*range(count)], "not all variables are integers")
    read.expect("OBJ", "min")
    read.objective = read.terms()
    read.expect("CON")
    known = [Constraint(*read.constraint(), frozenset()) for _ in range((read.integer(), read.integer())[0])]
    read.expect("RTP", "range")
    low, high = Fraction(read.word()), Fraction(read.word())
    read.expect("SOL", "1")
    read.word()
    solution = read.terms()
    require(all(is_met(each, solution) for each in known), "the solution is none")
    require(value(read.objective, solution) <= high, "the solution costs more")
    read.expect("DER")
    for _ in range(read.integer()):
        known.append(derived(read, known))
    goal = Constraint(1, low, read.objective, frozenset())
    require(known[-1].dominates(goal) and not known[-1].assumptions, "the bound is not proved")
    return low, high


def value(left: Coefficients, solution: Coefficients) -> Fraction:
    return sum((c * solution.get(place, Fraction(0)) for place, c in left.items()), Fraction(0))


def is_met(constraint: Constraint, solution: Coefficients) -> bool:
    gap = value(constraint.left, solution) - constraint.right
    return {1: gap >= 0, 0: gap == 0, -1: gap <= 0}[constraint.sense]


def derived(read: Reader, known: list[Constraint]) -> Constraint:
    """One derivation, checked."""
    claim = read.constraint()
    read.expect("{")
    kind = read.word()
    if kind == "asm":
        found = Constraint(*claim, frozenset([len(known)]))
    elif kind in ("lin", "rnd"):
        found = combined(read.terms(), known, claim, is_rounded=kind == "rnd")
    else:
        require(kind == "uns", f"{kind} is no reason")
        found = joined([read.integer() for _ in range(4)], known, claim)
    read.expect("}")
    read.integer()
    return found


def combined(
    multipliers: Coefficients, known: list[Constraint], claim: tuple[int, Fraction, Coefficients], *, is_rounded: bool
) -> Constraint:
    senses = {m * known[i].sense > 0 for i, m in multipliers.items() if m * known[i].sense}
    require(len(senses) < 2, "the combination points both ways")
    sense = 0 if not senses else 1 if True in senses else -1
    left: Coefficients = {}
    for i, m in multipliers.items():
        for place, c in known[i].left.items():
            left[place] = left.get(place, Fraction(0)) + m * c
    right = sum((m * known[i].right for i, m in multipliers.items()), Fraction(0))
    if is_rounded:
        require(all(c.denominator == 1 for c in left.values()), "what is rounded has fractions")
        right = Fraction(ceil(right) if sense == 1 else floor(right))
    assumptions = frozenset[int]().union(*(known[i].assumptions for i in multipliers))
    told = Constraint(*claim, assumptions)
    require(Constraint(sense, right, left, assumptions).dominates(told), "the combination says something else")
    return told


def joined(places: list[int], known: list[Constraint], claim: tuple[int, Fraction, Coefficients]) -> Constraint:
    first, some, second, none = places
    sides = sorted((known[some], known[none]), key=lambda c: c.sense)
    below, above = sides
    require((below.sense, above.sense) == (-1, 1), "the sides are no split")
    require(trimmed(below.left) == trimmed(above.left), "the sides are about different sums")
    numbers = [*below.left.values(), below.right, above.right]
    require(all(n.denominator == 1 for n in numbers) and above.right == below.right + 1, "the sides leave a gap")
    told = Constraint(*claim, (known[first].assumptions - {some}) | (known[second].assumptions - {none}))
    require(known[first].dominates(told) and known[second].dominates(told), "a side proves less")
    return told
