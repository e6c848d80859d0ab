"""Step 7 of 8, the fast checker: the rules of `check.py`, applied in bulk with numpy and python-flint.

Form, header, costs and the bound are read by the reference checker's own functions; what grows with the problem is done
here another way: each batch of differences is reduced to distinct directions and looked up among the listed ones, signs
come from exact matrix products, and multipliers from one solve per index set.  Both checkers must agree on everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hornbook.certificate import check as reference
from hornbook.certificate.check import Accepted, Lesson, Rejection, State, Survey, Vector, require

if TYPE_CHECKING:
    from hornbook.problem import Batch, TeachingProblem

__all__ = ["check_fast"]

Array = npt.NDArray[Any]
_SAFE = 2**62  # sums of integers that stay below this do not wrap in int64
_WORD = 60  # misconceptions per integer of a packed set
_BLOCK = 1 << 22  # numbers in one product


def check_fast(certificate: Mapping[str, Any], problem: TeachingProblem) -> Accepted:
    """Check a certificate against a problem in memory; raises `Rejection` unless everything holds.

    Cost: some 100 ns per difference, microseconds per distinct direction, and for problems that are not built-in
    environments the hash of all rows, at a few microseconds each.  Memory: one batch, and the certificate.
    """
    try:
        if reference.check_form(certificate) == "not realizable":
            count = _check_conflict(certificate["conflict"], problem)
        else:
            count = _check_lesson(dict(certificate), problem)
        facts = {"states": problem.num_states, "differences": count, "sha256": problem.digest, "name": problem.name}
        reference.check_header(dict(certificate), facts, arithmetic=problem.arithmetic)
    except Rejection:
        raise
    except Exception as error:
        raise Rejection(f"{type(error).__name__}: {error}") from error
    return Accepted(certificate["claim"], certificate.get("size"), certificate.get("lower_bound"))


def _check_conflict(terms: Any, problem: TeachingProblem) -> int:
    """Only the states of the conflict are taken apart; returns the number of all differences."""
    wanted = {problem.row_of(term["state"]) for term in terms}
    count, states = 0, list[State]()
    for batch in problem.batches():
        owners, actions, differences = _differences(batch)
        count += len(owners)
        for i in range(len(batch.target)):
            if (row := batch.start + i) in wanted:
                own = np.flatnonzero(owners == i)
                named = [problem.action_id(row, int(a)) for a in actions[own]]
                states.append((problem.state_id(row), 0, list(zip(named, map(tuple, differences[own]), strict=True))))
    reference.check_conflict(terms, _in_python(states))
    return count


def _in_python(states: Iterable[State]) -> Iterator[State]:
    for name, cost, differences in states:
        yield name, cost, [(action, tuple(_plain(x) for x in psi)) for action, psi in differences]


def _plain(number: Any) -> int | Fraction:
    return number if isinstance(number, Fraction) else int(number)


def _check_lesson(certificate: dict[str, Any], problem: TeachingProblem) -> int:
    """Returns the number of differences."""
    lesson = reference.lesson_of(certificate)
    listed = [*lesson.rays, *(x for x, _ in lesson.inside)]
    require((_signs([lesson.realizes], listed) > 0).all(), "w_0 is wrong on a listed direction")
    survey, count = _survey(problem, lesson, listed)
    _check_inside(lesson)
    _check_misconceptions(lesson, sorted(survey.shown))
    reference.check_claim(certificate, lesson, survey=survey)
    return count


def _survey(problem: TeachingProblem, lesson: Lesson, listed: Sequence[Vector]) -> tuple[Survey, int]:
    """One reading of the problem, and the number of its differences."""
    survey, count, seen = Survey(), 0, np.zeros(len(listed), dtype=np.bool_)
    place = {x: i for i, x in enumerate(listed)}
    refutes = np.full(len(listed), -1, dtype=np.int64)
    for i in lesson.used:
        refutes[lesson.misconceptions[i][0]] = i
    special = {problem.row_of(name) for name in lesson.states | lesson.branches}
    for batch in problem.batches():
        owners, _, differences = _differences(batch)
        which = _places(differences, place)
        seen[which] = True
        count += len(owners)
        units = _units(owners, refutes[which], len(batch.target))
        _add_states(survey, problem, lesson, first=batch.start, units=units, special=special)
        for row in special.intersection(range(batch.start, batch.start + len(batch.target))):
            if problem.state_id(row) in lesson.states:
                survey.shown.update(listed[i] for i in which[owners == row - batch.start].tolist())
    survey.directions.update(listed[i] for i in np.flatnonzero(seen).tolist())
    survey.met.sort(key=lambda name: problem.rank_of(problem.row_of(name)))
    return survey, count


def _differences(batch: Batch) -> tuple[Array, Array, Array]:
    """For each difference of a batch: which of its states, over which action, and the vector."""
    there = batch.available.copy()
    there[np.arange(len(batch.target)), batch.target] = False
    owners, actions = np.nonzero(there)
    features = batch.features
    if features.dtype != object and features.size and max(int(features.max()), -int(features.min())) >= _SAFE // 2:
        features = features.astype(object)
    return owners, actions, features[owners, batch.target[owners]] - features[owners, actions]


def _places(differences: Array, place: Mapping[Vector, int]) -> Array:
    """For each difference the index of its direction among the listed ones."""
    distinct, which = _distinct_rows(differences)
    found = [place.get(_direction(row), -1) for row in distinct]
    missing = next((i for i, at in enumerate(found) if at < 0), None)
    require(missing is None, "a difference of the problem is left out")
    return np.array(found, dtype=np.intp)[which]


def _distinct_rows(rows: Array) -> tuple[list[tuple[Any, ...]], Array]:
    """The distinct rows, and for each row its place among them."""
    if rows.dtype == object or not rows.size:
        order: dict[tuple[Any, ...], int] = {}
        places = [order.setdefault(tuple(row), len(order)) for row in rows.tolist()]
        return list(order), np.array(places, dtype=np.intp)
    whole = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    return [tuple(row) for row in rows[first].tolist()], which.ravel()


def _direction(difference: tuple[Any, ...]) -> Vector:
    scale = lcm(*(x.denominator for x in difference))
    divisor = gcd(*(int(x * scale) for x in difference)) or 1
    return tuple(int(x * scale) // divisor for x in difference)


def _units(owners: Array, refuted: Array, states: int) -> Array:
    """The set of misconceptions that each state refutes, as the bits of one row of words."""
    hits = refuted >= 0
    words = np.zeros((states, int(refuted.max(initial=0)) // _WORD + 1), dtype=np.int64)
    word, bit = np.divmod(refuted[hits], _WORD)
    np.bitwise_or.at(words, (owners[hits], word), np.int64(1) << bit)
    return words


def _add_states(
    survey: Survey, problem: TeachingProblem, lesson: Lesson, *, first: int, units: Array, special: set[int]
) -> None:
    """Without costs, states of one unit are alike: only one of each, and those with a role, need a look."""
    distinct, which = _distinct_rows(units)
    sets = [sum(int(word) << _WORD * i for i, word in enumerate(row)) for row in distinct]
    rows = range(first, first + len(units))
    chosen: Iterable[int] = rows
    if not problem.has_costs:
        _, examples = np.unique(which, return_index=True)
        chosen = {first + int(i) for i in examples} | special.intersection(rows)
    for row in chosen:
        survey.add(problem.state_id(row), problem.cost_of(row), unit=sets[which[row - first]], lesson=lesson)


def _check_inside(lesson: Lesson) -> None:
    """One exact solve for all vectors with the same index set."""
    from flint import fmpz_mat

    groups: dict[tuple[int, ...], list[Vector]] = {}
    for x, chosen in lesson.inside:
        groups.setdefault(tuple(chosen), []).append(x)
    for chosen, vectors in groups.items():
        require(chosen, f"{vectors[0]} is on no listed ray and has no multipliers")
        rays = fmpz_mat([lesson.rays[i] for i in chosen])
        reduced, _, rank = rays.rref()
        require(rank == len(chosen), f"{vectors[0]} is given by rays that are not independent")
        rows = [next(j for j in range(reduced.ncols()) if reduced[i, j]) for i in range(rank)]
        square = fmpz_mat([[lesson.rays[i][j] for i in chosen] for j in rows])
        wanted = fmpz_mat([[x[j] for x in vectors] for j in rows])
        solution: Any = square.solve(wanted)
        multipliers, scale = solution.numer_denom()
        require(min(multipliers.entries()) > 0, "an inner direction needs multipliers that are not positive")
        same = rays.transpose() * multipliers == fmpz_mat(vectors).transpose() * scale
        require(same, "an inner direction is not a combination of its rays")


def _check_misconceptions(lesson: Lesson, shown: Sequence[Vector]) -> None:
    place = {x: i for i, x in enumerate(shown)}
    step = max(1, _BLOCK // max(1, len(shown)))
    for start in range(0, len(lesson.misconceptions), step):
        block = lesson.misconceptions[start : start + step]
        signs = _signs([w for _, w in block], shown)
        expected = np.ones_like(signs)
        expected[np.arange(len(block)), [place[lesson.rays[ray]] for ray, _ in block]] = -1
        require((signs == expected).all(), "a misconception is not wrong on its ray, or is wrong elsewhere too")


def _signs(left: Sequence[Vector], right: Sequence[Vector]) -> Array:
    """The sign of every product of one on the left with one on the right, exactly."""
    if not left or not right:
        return np.zeros((len(left), len(right)), dtype=np.int64)
    largest = [max(map(abs, chain(*vectors)), default=0) for vectors in (left, right)]
    if max(*largest, largest[0] * largest[1] * len(left[0])) < _SAFE:
        products: Array = np.array(left, dtype=np.int64) @ np.array(right, dtype=np.int64).T
        return np.sign(products)
    from flint import fmpz_mat

    entries = (fmpz_mat(left) * fmpz_mat(right).transpose()).entries()
    return np.array([(p > 0) - (p < 0) for p in entries], dtype=np.int64).reshape(len(left), len(right))
