"""Sentences stay short, and say when they round."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hornbook.explanations import ImpliedDifference, Mistake, Term
from hornbook.problem import TeachingProblem
from hornbook.report.words import formula, implied_sentence, mistake_sentence, number


def problem_with(names: list[str]) -> TeachingProblem:
    width = len(names)
    return TeachingProblem(features=[[[1] * width, [0] * width]], target=[0], feature_names=names)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(-5, 2), "-5/2"),
        (Fraction(10**7 - 1), "9999999"),
        (Fraction(10**7), "about 1e+07"),
        (Fraction(1, 10**7), "about 1e-07"),
        (Fraction(10**400), "about 10^400"),
        (Fraction(-(10**400)), "about -10^400"),
    ],
)
def test_numbers_are_exact_while_they_are_short(value: Fraction, text: str) -> None:
    """Seven digits; beyond that "about" says so, even where a float would overflow."""
    assert number(value) == text


def test_a_formula_uses_the_names_of_the_features() -> None:
    """Zero terms are left out, a factor of one is not written, and nothing at all is 0."""
    problem = problem_with(["a", "b", "c"])
    assert formula(problem, [1, 0, -2]) == "a - 2*c"
    assert formula(problem, [0, -1, Fraction(1, 2)]) == "-b + 1/2*c"
    assert formula(problem, [0, 0, 0]) == "0"
    assert formula(problem, [10**9, 1, 0]) == "about 1*a + 1e-09*b"


def test_a_long_formula_keeps_its_largest_terms() -> None:
    """Eight of twelve, in the order of the features."""
    problem = problem_with([f"x{i}" for i in range(12)])
    told = formula(problem, list(range(1, 13)))
    assert told == "5*x4 + 6*x5 + 7*x6 + 8*x7 + 9*x8 + 10*x9 + 11*x10 + 12*x11 + 4 smaller terms"


def test_scores_are_those_of_the_formula_that_is_told() -> None:
    """Where weights are told divided by the largest, so are the scores, with digits enough to see which is larger."""
    mistake = Mistake("s", "a", "b", Fraction(2 * 10**9), Fraction(2 * 10**9 + 1))
    assert mistake_sentence(mistake, [2, 1]) == (
        "in state s it prefers action b (score about 2000000001) to a (score about 2000000000)"
    )
    assert mistake_sentence(mistake, [10**9, 7]) == (
        "in state s it prefers action b (score about 2.000000001) to a (score about 2)"
    )
    beyond = Mistake("s", "a", "b", Fraction(10**400), Fraction(10**400 + 1))
    assert "(score about 10^400) to a (score about 10^400)" in mistake_sentence(beyond, [1])


def test_a_sum_says_by_how_much_it_is_off() -> None:
    """Only where it is."""
    terms = (Term("s", "b", Fraction(1, 2)),)
    assert implied_sentence(ImpliedDifference("c", terms, Fraction(0)), "a") == "a over c = 1/2 x (over b in state s)"
    off = implied_sentence(ImpliedDifference("c", terms, Fraction(1, 2**50)), "a")
    assert off.endswith(", up to 8.882e-16 in each feature")
