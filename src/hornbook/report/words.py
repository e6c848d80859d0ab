"""Sentences about lessons: the same in the terminal and on the page.

Numbers are written as they are while a person would read them, and rounded with "about" beyond that.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hornbook.explanations import ConflictStep, ImpliedDifference, Mistake
from hornbook.problem import TeachingProblem

__all__ = ["conflict_story", "formula", "implied_sentence", "mistake_sentence", "number", "times"]

_LONG = 10**7  # longer numbers are rounded
_TERMS = 8  # longer formulas are cut
_ROUND = 4  # significant digits of what is rounded
_MORE = range(_ROUND + 1, 18)  # and of two numbers that would look the same


def number(value: Fraction | int) -> str:
    """A number to read: exact while it is short, else rounded.

    >>> number(Fraction(7, 3)), number(Fraction(1, 10**9)), number(123456789)
    ('7/3', 'about 1e-09', 'about 1.235e+08')
    """
    value = Fraction(value)
    exact = f"{value.numerator}/{value.denominator}" if _is_short(value) else ""
    if exact:
        return exact.removesuffix("/1")
    return f"about {_rounded(value)}"


def _is_short(value: Fraction) -> bool:
    return abs(value.numerator) < _LONG and value.denominator < _LONG


def _rounded(value: Fraction, digits: int = _ROUND) -> str:
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return f"10^{len(str(int(abs(value)))) - 1}" if value > 0 else f"-10^{len(str(int(abs(value)))) - 1}"


def formula(problem: TeachingProblem, weights: Sequence[Fraction | int]) -> str:
    """A linear score in the names of the features, the largest terms first where there are many.

    >>> from hornbook.environments import environment
    >>> formula(environment("diamond:6"), (-1, 16)), formula(environment("two_rays"), (10**9, -(10**9)))
    ('-slot + 16*edges', 'about 1*f0 - 1*f1')
    """
    unit = _unit(weights)
    values, lead = [w / unit for w in weights], "" if unit == 1 else "about "
    places = [i for i, w in enumerate(values) if w]
    if len(places) > _TERMS:
        places = sorted(sorted(places, key=lambda i: -abs(values[i]))[:_TERMS])
    rest = sum(1 for w in values if w) - len(places)
    terms = [_term(values[i], _feature(problem, i), plain=not lead) for i in places]
    text = " ".join(terms).removeprefix("+ ")
    text = "-" + text[2:] if text.startswith("- ") else text or "0"
    return lead + text + (f" + {rest:,} smaller terms" if rest else "")


def _unit(weights: Sequence[Fraction | int]) -> Fraction:
    """What weights are divided by to be read: 1 while all are short, else the largest of them."""
    values = [Fraction(w) for w in weights]
    return Fraction(1) if all(map(_is_short, values)) else max(map(abs, values))


def _term(weight: Fraction, feature: str, *, plain: bool) -> str:
    sign = "-" if weight < 0 else "+"
    size = number(abs(weight)) if plain else _rounded(abs(weight))
    return f"{sign} {feature}" if plain and size == "1" else f"{sign} {size}*{feature}"


def _feature(problem: TeachingProblem, column: int) -> str:
    return problem.feature_names[column] if problem.feature_names is not None else f"f{column}"


def mistake_sentence(mistake: Mistake, weights: Sequence[Fraction | int]) -> str:
    """What goes wrong in a state, with the scores that the formula of these weights gives."""
    unit = _unit(weights)
    wrong, right = _told_apart(mistake.wrong_score / unit, mistake.score / unit)
    return (
        f"in state {mistake.state} it prefers action {mistake.wrong_action} (score {wrong}) "
        f"to {mistake.action} (score {right})"
    )


def _told_apart(one: Fraction, other: Fraction) -> tuple[str, str]:
    """Two numbers to read, with as many digits as it takes to see which is larger, if floats can tell at all."""
    pairs = [
        (number(one), number(other)),
        *((f"about {_rounded(one, d)}", f"about {_rounded(other, d)}") for d in _MORE),
    ]
    return next((pair for pair in pairs if len({text.removeprefix("about ") for text in pair}) > 1), pairs[0])


def implied_sentence(implied: ImpliedDifference, action: str) -> str:
    """Why a difference need not be shown: the sum of shown differences that it is."""
    parts = [f"{times(t.multiplier)} (over {t.action} in state {t.state})" for t in implied.terms]
    off = f", up to {_rounded(implied.remainder)} in each feature" if implied.remainder else ""
    return f"{action} over {implied.action} = {' + '.join(parts)}{off}"


def times(multiplier: Fraction) -> str:
    """A multiplier in front of something in brackets."""
    return f"{number(multiplier)} x"


def conflict_story(problem: TeachingProblem, steps: Sequence[ConflictStep]) -> list[str]:
    """A conflict as a short story: what each demonstration asks, and how it adds up to nothing."""
    lines = [
        f"  in state {s.state} (row {s.row}) {s.target} must beat {s.action}: "
        f"{formula(problem, s.difference)} must be above 0"
        for s in steps
    ]
    if len(steps) == 1:
        return [*lines, "The two actions have the same features, so no weights can tell them apart."]
    total = " + ".join(f"{times(s.multiplier)} (state {s.state} over {s.action})" for s in steps)
    return [
        *lines,
        f"Yet {total} is zero in every feature,",
        "so no weights can do all of this; with any one of these left out, some can.",
    ]
