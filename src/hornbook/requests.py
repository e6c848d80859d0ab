"""Beside step 1: what is asked of a lesson beyond being the smallest.

States, or groups of them such as trajectories, are *units*.  A unit must be shown, may not be shown, is given (shown
already: it costs nothing and cannot be lost) or free.  An r-fold lesson still teaches when any r - 1 of its units get
lost.  A prior is a half-space that the learner's weights are known to lie in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from hornbook.arithmetic import Number, Vectors, exact_number, number_text, primitive_vector
from hornbook.errors import BadProblem
from hornbook.names import id_order
from hornbook.problem import TeachingProblem
from hornbook.rays import Believed

__all__ = ["Belief", "Group", "Request", "asked"]

_STATUSES = ("must", "may_not", "given")
_KINDS = ("strict", "weak")
_PLAIN = 2**53  # integers from here up are written as texts, as everywhere in certificates


@dataclass(frozen=True)
class Group:
    """States that are shown together or not at all, and what that costs."""

    name: str
    states: tuple[str, ...]
    cost: Number


@dataclass(frozen=True)
class Belief:
    """The learner's weights have a positive product with this vector; if not `strict`, at least not a negative one."""

    vector: tuple[int, ...]
    strict: bool


@dataclass(frozen=True)
class Request:
    """What is asked, in canonical order: ids of units in id order, groups by name, beliefs by vector."""

    must: tuple[str, ...] = ()
    may_not: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    folds: int = 1
    groups: tuple[Group, ...] | None = None
    prior: tuple[Belief, ...] = ()

    @property
    def believed(self) -> Believed:
        """The prior as vectors."""
        vectors = [belief.vector for belief in self.prior]
        return Believed(Vectors.of(vectors, len(vectors[0])), np.array([belief.strict for belief in self.prior]))

    def to_dict(self) -> dict[str, Any]:
        """As JSON data: the part `request` of a certificate."""
        groups = [{"name": g.name, "cost": _number(g.cost), "states": list(g.states)} for g in self.groups or ()]
        return {
            "must": list(self.must),
            "may_not": list(self.may_not),
            "given": list(self.given),
            "folds": self.folds,
            "groups": None if self.groups is None else groups,
            "prior": [[[_number(v) for v in b.vector], _KINDS[not b.strict]] for b in self.prior],
        }


def asked(
    problem: TeachingProblem,
    *,
    must: Sequence[str | int] = (),
    may_not: Sequence[str | int] = (),
    given: Sequence[str | int] = (),
    folds: int = 1,
    groups: Mapping[str, Any] | None = None,
    prior: Iterable[tuple[Sequence[object], str]] = (),
) -> Request | None:
    """The request that these make, checked against the problem; None where nothing is asked."""
    parts = None if groups is None else _groups(problem, groups)
    named = {"must": must, "may_not": may_not, "given": given}
    statuses = {what: _units(problem, parts, units, what) for what, units in named.items()}
    _check_disjoint(statuses)
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 1:
        raise BadProblem(f"folds: {str(folds)[:40]!r} is not a whole number of at least 1")
    request = Request(**statuses, folds=folds, groups=parts, prior=_prior(problem, prior))
    return None if request == Request() else request


def _check_disjoint(statuses: Mapping[str, Sequence[str]]) -> None:
    known: dict[str, str] = {}
    for what, units in statuses.items():
        for unit in units:
            if known.setdefault(unit, what) != what:
                raise BadProblem(f"{unit!r} is in {known[unit]} and in {what}; a state (or group) has one status")


def _units(
    problem: TeachingProblem, groups: tuple[Group, ...] | None, units: Sequence[str | int], what: str
) -> tuple[str, ...]:
    """The names of units without repetition, in id order."""
    if isinstance(units, str):
        raise BadProblem(f"{what}: {units[:40]!r} is one text; give a list of ids, such as [{units[:40]!r}]")
    if groups is None:
        rows = {_row_of(problem, unit, what) for unit in units}
        return tuple(problem.state_id(row) for row in sorted(rows, key=problem.rank_of))
    names = [group.name for group in groups]
    unknown = next((unit for unit in units if unit not in names), None)
    if unknown is not None:
        raise BadProblem(f"{what}: there is no group {str(unknown)[:40]!r}; with groups, {what} names groups")
    return tuple(name for name in names if name in units)


def _row_of(problem: TeachingProblem, state: str | int, what: str) -> int:
    try:
        return problem.row_of(state)
    except BadProblem as error:
        raise BadProblem(f"{what}: {error}") from None


def _groups(problem: TeachingProblem, groups: Mapping[str, Any]) -> tuple[Group, ...]:
    if not isinstance(groups, Mapping):
        raise BadProblem("groups: give a mapping from names to lists of states")
    names = list(groups)
    wrong = next((name for name in names if not isinstance(name, str)), None)
    if wrong is not None:
        raise BadProblem(f"groups: {str(wrong)[:40]!r} is no name; names are texts")
    return tuple(_group(problem, names[i], groups[names[i]]) for i in id_order(names))


def _group(problem: TeachingProblem, name: str, told: Any) -> Group:
    """A list of states, or a mapping with `states` and perhaps `cost` (1 unless given)."""
    where = f"group {name!r}"
    if isinstance(told, Mapping):
        unknown = sorted(map(str, told.keys() - {"states", "cost"}))
        if unknown or "states" not in told:
            raise BadProblem(
                f"{where}: give states and, if you like, cost" + (f", not {unknown[0]}" if unknown else "")
            )
    states, cost = (told["states"], told.get("cost", 1)) if isinstance(told, Mapping) else (told, 1)
    if isinstance(states, str) or not isinstance(states, Iterable):
        raise BadProblem(f"{where}: {str(states)[:40]!r} is no list of states")
    rows = {_row_of(problem, state, where) for state in states}
    if not rows:
        raise BadProblem(f"{where}: there is no state in it; leave it out")
    ids = tuple(problem.state_id(row) for row in sorted(rows, key=problem.rank_of))
    return Group(name, ids, _cost(cost, where))


def _cost(cost: object, where: str) -> Number:
    try:
        number = exact_number(cost, stored=True)
    except ValueError as error:
        raise BadProblem(f"{where}: cost: {error}") from None
    if number < 0:
        raise BadProblem(f"{where}: the cost {number} is negative; costs are at least 0")
    return number


def _prior(problem: TeachingProblem, prior: Iterable[tuple[Sequence[object], str]]) -> tuple[Belief, ...]:
    """Distinct primitive vectors by value; what is believed strictly need not be believed weakly too."""
    strict: dict[tuple[int, ...], bool] = {}
    for place, told in enumerate(prior):
        vector, kind = _half_space(problem, told, f"prior {place}")
        strict[vector] = strict.get(vector, False) or kind == "strict"
    if strict and problem.is_float:
        raise BadProblem(
            "prior: what a learner believes needs exact data; give exact numbers, or take the floats as exact "
            "(exact=True, --exact)"
        )
    return tuple(Belief(vector, strict[vector]) for vector in sorted(strict))


def _half_space(problem: TeachingProblem, told: object, where: str) -> tuple[tuple[int, ...], str]:
    if isinstance(told, str) or not isinstance(told, Sequence) or len(told) != 2 or told[1] not in _KINDS:
        raise BadProblem(f"{where}: give a pair (vector, 'strict') or (vector, 'weak')")
    vector, kind = told
    if isinstance(vector, str) or not isinstance(vector, Iterable):
        raise BadProblem(f"{where}: {str(vector)[:40]!r} is no vector")
    try:
        numbers = [exact_number(value, stored=True) for value in vector]
    except ValueError as error:
        raise BadProblem(f"{where}: {error}") from None
    if len(numbers) != problem.num_features:
        raise BadProblem(f"{where}: the vector has {len(numbers)} numbers for {problem.num_features} features")
    if not any(numbers):
        raise BadProblem(f"{where}: the zero vector says nothing about weights; leave it out")
    return primitive_vector([Fraction(number) for number in numbers]), str(kind)


def _number(value: Number) -> int | str:
    """As certificates write numbers: an integer where every reader agrees what it is, else text."""
    return value if isinstance(value, int) and -_PLAIN < value < _PLAIN else number_text(value)
