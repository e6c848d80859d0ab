"""The two checkers decide alike: on random problems, where both accept, and on random mutants, most of them lies."""

from __future__ import annotations

import random
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.certificate.check import Accepted, Rejection, check_rows
from hornbook.certificate.fast import check_fast
from tests.certificate.given import as_problem
from tests.forgeries import VALID
from tests.forgeries.floats import FloatProblem
from tests.forgeries.maker import Json, Number, Problem, certify, problem

MUTANTS = 1000
SPARE = [0, 1, 2, -1, "1", "1/2", "2", True, None, [], {}, "s", "0", 1.0, 2**53, str(2**53)]


def verdicts(certificate: Any, given: Problem | FloatProblem) -> tuple[Accepted | None, Accepted | None]:
    """What the reference and the fast checker say; None for a rejection."""
    try:
        slow = check_rows(certificate, given.rows(), identity=given.identity, arithmetic=given.arithmetic)
    except Rejection:
        slow = None
    try:
        return slow, check_fast(certificate, as_problem(given))
    except Rejection:
        return slow, None


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a certificate."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [pair for key in keys for pair in [(value, key), *places(value[key])]]


def mutate(certificate: Json, chance: random.Random) -> None:
    container, key = chance.choice(places(certificate))
    old, kind = container[key], chance.randrange(4)
    if kind == 0 and isinstance(container, list):
        container.insert(key, deepcopy(chance.choice(container)))
    elif kind == 1:
        del container[key]
    elif kind == 2 and type(old) is int:
        container[key] = old + chance.choice((-1, 1))
    else:
        container[key] = chance.choice((*SPARE, deepcopy(chance.choice(places(certificate))[0])))


@pytest.mark.parametrize("name", VALID)
def test_both_checkers_agree_on_mutants(name: str) -> None:
    """One to three random changes: accepted by both or by none."""
    given, valid = VALID[name]
    chance = random.Random(name)
    for _ in range(MUTANTS // len(VALID) + 1):
        mutant = deepcopy(valid)
        for _ in range(chance.randint(1, 3)):
            mutate(mutant, chance)
        slow, fast = verdicts(mutant, given)
        assert slow == fast, mutant


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A few states with small differences that (1, ..., 1) realizes, with costs for some."""
    width = draw(st.integers(1, 3))
    entry = st.integers(-2, 4) | st.fractions(-1, 2, max_denominator=3)
    vectors = st.lists(entry, min_size=width, max_size=width).filter(lambda x: sum(x) > 0)
    states = draw(st.lists(st.lists(vectors, max_size=3), min_size=1, max_size=5))
    prices = draw(st.lists(st.sampled_from([Fraction(n, 2) for n in (0, 1, 2, 4)]), max_size=len(states)))
    costs: dict[str, Number] = {str(i): price for i, price in enumerate(prices)}
    return problem({str(i): state for i, state in enumerate(states)}, **costs)


@settings(max_examples=60)
@given(problems())
def test_both_accept_the_certificate_of_the_slow_maker(given: Problem) -> None:
    """A true certificate made without hornbook passes."""
    certificate = certify(given)
    slow, fast = verdicts(certificate, given)
    assert slow is not None
    assert slow == fast


@settings(max_examples=60)
@given(problems(), st.integers(0, 10**6))
def test_both_reject_a_certificate_for_another_problem(given: Problem, seed: int) -> None:
    """Change one feature, and the certificate no longer speaks of the problem."""
    chance = random.Random(seed)
    states: dict[str, Any] = {name: [list(x) for x in xs] for name, xs in given.states.items()}
    changeable = [x for xs in states.values() for x in xs]
    if changeable:
        x = chance.choice(changeable)
        x[chance.randrange(len(x))] += chance.choice((-1, 1))
        assert verdicts(certify(given), Problem(states, given.costs)) == (None, None)
