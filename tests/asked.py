"""Small problems with every kind of request, judged straight from the definitions: no rays, only exact inequalities.

`python -m tests.asked --count 100000` looks for wrong answers at random; `make sweep` runs it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import hornbook
from hornbook.problem import TeachingProblem
from tests.certificate.given import as_problem
from tests.forgeries.maker import Problem, problem
from tests.oracles import Vector, primitive, solve_inequalities

COSTS = ([1], [1], [0, 1, 2, 3], [Fraction(1, 2), Fraction(2, 3), 1, 2])
Names = frozenset[str]


@dataclass(frozen=True)
class Question:
    """A problem and what is asked of its lesson, as `hornbook.teach` takes it."""

    given: Problem
    asked: Mapping[str, Any] = field(default_factory=dict)

    @property
    def teachable(self) -> TeachingProblem:
        return as_problem(self.given)

    @cached_property
    def units(self) -> dict[str, tuple[Names, Fraction]]:
        """States and cost of each unit."""
        groups = self.asked.get("groups")
        if groups is None:
            return {s: (frozenset({s}), Fraction(self.given.cost(s))) for s in self.given.states}
        return {name: (frozenset(g["states"]), Fraction(g["cost"])) for name, g in groups.items()}

    def prior(self, kind: str) -> list[Vector]:
        return [primitive(v) for v, k in self.asked.get("prior", ()) if k == kind]

    def named(self, what: str) -> Names:
        return frozenset(self.asked.get(what, ()))

    @property
    def free(self) -> list[str]:
        """Units that may be chosen or not."""
        taken = self.named("must") | self.named("may_not") | self.named("given")
        return [unit for unit in self.units if unit not in taken]

    def states_of(self, units: Iterable[str]) -> Names:
        return frozenset(state for unit in units for state in self.units[unit][0])

    def cost(self, units: Iterable[str]) -> Fraction:
        return sum((self.units[unit][1] for unit in units), Fraction(0))

    def is_realizable(self) -> bool:
        strict = [*self.given.all_directions, *self.prior("strict")]
        weak = self.prior("weak")
        return not strict or solve_inequalities([*strict, *weak], [1] * len(strict) + [0] * len(weak)) is not None

    def teaches(self, states: Names) -> bool:
        """Every w in accord with these demonstrations and the prior is right about every difference."""
        return self._right(frozenset(x for state in states for x in self.given.directions(state)))

    @cached_property
    def _known(self) -> dict[frozenset[Vector], bool]:
        return {}

    def _right(self, shown: frozenset[Vector]) -> bool:
        if shown not in self._known:
            strict, weak = [*sorted(shown), *self.prior("strict")], self.prior("weak")
            bounds = [1] * len(strict) + [0] * len(weak) + [0]
            wrong = (
                solve_inequalities([*strict, *weak, tuple(-v for v in x)], bounds)
                for x in self.given.all_directions
                if x not in shown
            )
            self._known[shown] = all(w is None for w in wrong)
        return self._known[shown]

    def does(self, units: Names) -> bool:
        """Whether these units, with those given, teach whatever `folds - 1` of them get lost."""
        fixed, folds = self.states_of(self.named("given")), self.asked.get("folds", 1)
        return all(
            self.teaches(fixed | self.states_of(units - set(lost)))
            for lost in combinations(sorted(units), min(folds - 1, len(units)))
        )

    def allowed(self) -> Iterator[Names]:
        for size in range(len(self.free) + 1):
            yield from (self.named("must") | set(some) for some in combinations(self.free, size))

    def least_cost(self) -> Fraction | None:
        """By trying all allowed choices; None if none does."""
        choices = sorted(self.allowed(), key=self.cost)
        return next((self.cost(units) for units in choices if self.does(units)), None)


def question(seed: int) -> Question:
    """A random problem of few states with a random request."""
    draw = random.Random(seed)
    width, high = draw.randint(1, 4), draw.choice([1, 2, 3])
    low = draw.choice([0, 0, -1, -high])

    def vectors(count: int) -> list[Vector]:
        some = (tuple(draw.randint(low, high) for _ in range(width)) for _ in range(count))
        return [v for v in some if any(v)]

    states = {name: vectors(draw.randint(0, 3)) or [(1,) * width] for name in "abcdef"[: draw.randint(1, 6)]}
    prices = draw.choice(COSTS)
    costs = {name: draw.choice(prices) for name in states} if len(prices) > 1 else {}
    return Question(problem(states, **costs), _request(draw, sorted(states), vectors))


def _request(draw: random.Random, states: Sequence[str], vectors: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    units = states
    if draw.random() < 0.3:
        some = ((g, draw.sample(states, draw.randint(1, len(states)))) for g in "UVWXY"[: draw.randint(0, 5)])
        asked["groups"] = {
            g: {"states": members, "cost": draw.choice([1, 1, 2, Fraction(1, 2)])} for g, members in some
        }
        units = sorted(asked["groups"])
    if draw.random() < 0.6:
        for unit in units:
            status = draw.choice(["", "", "", "must", "may_not", "given"])
            if status:
                asked.setdefault(status, []).append(unit)
    if draw.random() < 0.4:
        asked["folds"] = draw.choice([1, 2, 2, 3])
    if draw.random() < 0.5:
        prior = [(v, draw.choice(["strict", "weak", "weak"])) for v in vectors(draw.randint(0, 3))]
        if draw.random() < 0.4:
            prior += (
                [(tuple(int(i == j) for j in range(len(prior[0][0]))), "weak") for i in range(len(prior[0][0]))]
                if prior
                else []
            )
        if prior and draw.random() < 0.2:
            prior.append((tuple(-v for v in prior[0][0]), "weak"))
        asked["prior"] = prior
    return asked


def judge(asked: Question) -> str:
    """What came of it, once everything claimed was found true; AssertionError otherwise."""
    subject = asked.teachable
    try:
        lesson = hornbook.teach(subject, **asked.asked)
    except hornbook.NotRealizable as refusal:
        assert not asked.is_realizable()
        assert refusal.conflict or refusal.prior
        return "not realizable"
    except hornbook.ImpossibleRequest as refusal:
        assert asked.is_realizable()
        assert asked.least_cost() is None
        judge_misconception(asked, refusal)
        return "impossible"
    assert asked.is_realizable()
    best = asked.least_cost()
    assert lesson.cost == lesson.lower_bound == best, (lesson.cost, lesson.lower_bound, best)
    chosen = frozenset(lesson.states if lesson.groups is None else lesson.groups)
    assert asked.named("must") <= chosen <= asked.named("must") | set(asked.free)
    assert asked.cost(chosen) == lesson.cost
    assert asked.does(chosen)
    assert set(lesson.states) == asked.states_of(chosen) - asked.states_of(asked.named("given"))
    certificate = lesson.certificate()
    for fast in (False, True):
        found = hornbook.check(certificate, subject, fast=fast)
        assert (found.claim, found.size, found.lower_bound) == ("minimum", lesson.size, str(best))
    assert certificate.get("request") == lesson.request
    return "lesson" if asked.asked else "plain"


def judge_misconception(asked: Question, refusal: hornbook.ImpossibleRequest) -> None:
    """It accords with the prior and with what is given, is wrong in the states named, and too few may refute it."""
    w = refusal.misconception.weights

    def times(x: Sequence[Any]) -> Any:
        return sum(a * b for a, b in zip(w, x, strict=True))

    assert all(times(p) > 0 for p in asked.prior("strict"))
    assert all(times(p) >= 0 for p in asked.prior("weak"))
    wrong = {s for s, differences in asked.given.states.items() if any(times(x) <= 0 for x in differences)}
    assert wrong == set(refusal.states)
    assert not wrong & asked.states_of(asked.named("given"))
    refuting = [u for u in [*asked.free, *asked.named("must")] if wrong & asked.units[u][0]]
    assert len(refuting) < asked.asked.get("folds", 1)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.asked", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args(arguments)
    outcomes: Counter[str] = Counter()
    for seed in range(options.first, options.first + options.count):
        try:
            outcomes[judge(question(seed))] += 1
        except Exception as error:
            print(f"WRONG: seed {seed}: {question(seed)}: {type(error).__name__}: {error}")
            return 1
    print(f"{options.count:,} requests, 0 wrong: {dict(sorted(outcomes.items()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
