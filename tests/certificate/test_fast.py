"""What only the fast checker does: packed sets, exact products of large numbers, batches."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hornbook.certificate.check import Rejection, check_rows
from hornbook.certificate.fast import _signs, check_fast
from hornbook.certificate.roles import distinct_rows
from hornbook.problem import TeachingProblem
from tests.certificate.given import as_problem
from tests.forgeries.certificates import deep, moment
from tests.forgeries.maker import certify, problem


def test_more_misconceptions_than_bits_in_a_word() -> None:
    """400 branchings on states that each refute one misconception, packed in seven words."""
    given, valid = deep(400)
    assert check_fast(valid, as_problem(given)) == check_rows(valid, given.rows())


def test_numbers_beyond_any_machine_word() -> None:
    """Features near 2^61, 2^63 and 10^40 are differenced, reduced and multiplied exactly."""
    for size in (2**60, 2**61 - 1, 2**63, 10**40):
        given = problem({"s": [(size, 1, 0), (0, 1, size)], "t": [(size - 1, 3, size + 1), (2 * size, 2, 0)]})
        valid = certify(given)
        assert check_fast(valid, as_problem(given)) == check_rows(valid, given.rows())


def test_features_that_would_wrap() -> None:
    """A source may hand out any int64: differences are taken exactly."""
    low, high = -(2**62), 2**62
    features = np.array([[[high, 0], [low, 0], [high, -1]]], dtype=np.int64)
    wide = TeachingProblem(features=features.astype(object), target=[0])
    given = problem({"0": [(high - low, 0), (0, 1)]})
    valid = certify(given)
    valid["problem"]["sha256"] = wide.digest
    object.__setattr__(wide.source, "features", features)
    assert check_fast(valid, wide).size == 1


def test_many_states_of_one_kind_and_many_batches() -> None:
    """Without costs one state of each unit is looked at; a lesson state is looked at always."""
    names = {f"{i:02}": moment(*{i % 3, (i + 1) % 3}) for i in range(30)}
    valid = certify(problem(names), lesson=["00", "29"])
    assert check_fast(valid, as_problem(problem(names))).size == 2
    many = as_problem(problem(names))
    batches = many.batches
    many.batches = lambda size=None: batches(4)  # type: ignore[method-assign]
    assert check_fast(valid, many).size == 2


def test_costs_are_all_looked_at() -> None:
    """The cheapest state of a unit counts, and every cost takes part in the common unit."""
    given = problem({"a": [(1, 0), (0, 1)], "b": [(1, 0), (0, 1)], "c": []}, a=3, b=2, c=Fraction(1, 3))
    valid = certify(given)
    assert valid["lesson"] == ["b"]
    assert check_fast(valid, as_problem(given)) == check_rows(valid, given.rows())


def test_a_certificate_that_is_none() -> None:
    """Whatever it is, it is rejected and not a crash."""
    given = problem({"s": [(1, 0)]})
    nonsenses: list[Any] = [None, [], 3, {"claim": "not realizable"}, {"claim": ["minimum"]}]
    for nonsense in nonsenses:
        with pytest.raises(Rejection):
            check_fast(nonsense, as_problem(given))


def test_rows_are_told_apart() -> None:
    """Distinct rows and their places, for machine integers and for objects."""
    rows = np.array([[3, 0], [1, 2], [3, 0]], dtype=np.int64)
    for table in (rows, rows.astype(object)):
        distinct, which = distinct_rows(table)
        assert [distinct[i] for i in which] == [(3, 0), (1, 2), (3, 0)]
        assert len(distinct) == 2


def test_signs_are_exact() -> None:
    """Products that cancel to one in a hundred digits keep their sign."""
    big = 10**50
    assert _signs([(big, -1)], [(1, big + 1), (1, big), (1, big - 1)]).tolist() == [[-1, 0, 1]]
    assert _signs([(2, -1)], [(1, 3), (1, 2), (1, 1)]).tolist() == [[-1, 0, 1]]
    assert _signs([], [(1, 1)]).shape == (0, 1)
