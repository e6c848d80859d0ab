"""Step 7 of 8, the fast checker: the rules of `check.py`, applied in bulk with numpy and python-flint.

Form, costs, the bound and sums of float data are read by the reference checker's own functions; what grows with the
problem is done here another way: each batch of differences is reduced to distinct ones and looked up among the listed,
signs come from exact matrix products or from floats with a proved bound, and multipliers from one solve per index set.
Both checkers must agree on everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import StoredRows, Vectors, column_exponents, measured_integers, measured_rows, sine_squared
from hornbook.arithmetic.sections import not_surely_combined
from hornbook.arithmetic.solving import integer_matrix
from hornbook.certificate import check as reference
from hornbook.certificate.asked import AskedProof, Request, check_contradiction, read_form
from hornbook.certificate.check import Accepted, Proof, Rejection, State, Vector, agree, require
from hornbook.certificate.roles import Roles, distinct_rows, own
from hornbook.certificate.within import AcceptedWithin, PartialProof, accepted, is_budgeted, plain_of

if TYPE_CHECKING:
    from hornbook.problem import Batch, TeachingProblem

__all__ = ["check_fast"]

Array = npt.NDArray[Any]
_Tolerances = tuple[Fraction, Fraction, int]
_SAFE = 2**62  # sums of integers that stay below this do not wrap in int64
_BLOCK = 1 << 22  # numbers in one product


def check_fast(certificate: Mapping[str, Any], problem: TeachingProblem) -> Accepted | AcceptedWithin:
    """Check a certificate against a problem in memory; raises `Rejection` unless everything holds.

    Cost: some 100 ns per difference, microseconds per distinct direction, and for problems that are not built-in
    environments the hash of all rows, at a few microseconds each; floats cost some 100 microseconds per direction.
    Memory: one batch, and the certificate; for floats, all distinct differences.
    """
    try:
        request, tolerances = None, None
        if is_budgeted(certificate):
            plain = plain_of(certificate, floats=problem.is_float)
            tolerances = reference.check_form(plain, problem.arithmetic)
        elif "request" in certificate:
            request, tolerances = read_form(dict(certificate), problem.arithmetic)
        else:
            tolerances = reference.check_form(certificate, problem.arithmetic)
        if certificate["claim"] == "not realizable":
            count = _check_conflict(certificate["conflict"], problem, request)
        elif problem.is_float:
            count = _check_floats(dict(certificate), problem, tolerances, request)
        else:
            count = _check_lesson(_proof(certificate, tolerances, request), problem)
        facts = {"states": problem.num_states, "differences": count, "sha256": problem.digest, "name": problem.name}
        require(certificate["problem"].keys() == facts.keys(), "the problem is described in another way")
        agree(certificate["problem"], facts)
    except Rejection:
        raise
    except Exception as error:
        raise Rejection(f"{type(error).__name__}: {error}") from error
    return accepted(certificate)


def _proof(certificate: Mapping[str, Any], tolerances: Any, request: Request | None, places: Any = None) -> Proof:
    if is_budgeted(certificate):
        plain = plain_of(certificate, floats=places is not None)
        return PartialProof(dict(certificate), plain, tolerances, places=places)
    if request is None:
        return Proof(dict(certificate), tolerances, places=places)
    return AskedProof(dict(certificate), tolerances, request=request, places=places)


def _check_conflict(terms: Any, problem: TeachingProblem, request: Request | None) -> int:
    """Only the states of the conflict are taken apart; returns the number of all differences."""
    wanted = {problem.row_of(term["state"]) for term in terms if request is None or term["state"] is not None}
    count, states = 0, list[State]()
    for batch in problem.batches():
        owners, actions = _places(batch)
        count += len(owners)
        for i in range(len(batch.target)):
            if (row := batch.start + i) in wanted:
                goal = [Fraction(v) for v in batch.features[i, batch.target[i]].tolist()]
                named = [
                    (problem.action_id(row, a), _minus(goal, batch.features[i, a].tolist()), 0)
                    for a in actions[owners == i].tolist()
                ]
                states.append((problem.state_id(row), 0, named))
    if request is None:
        reference.check_conflict(terms, states)
    else:
        check_contradiction(terms, states, request=request)
    return count


def _minus(goal: Sequence[Fraction], other: Sequence[Any]) -> tuple[Fraction, ...]:
    return tuple(g - Fraction(v) for g, v in zip(goal, other, strict=True))


def _check_lesson(proof: Proof, problem: TeachingProblem) -> int:
    """Exact data; returns the number of differences."""
    listed = [*proof.rays, *proof.inside]
    require((_signs([proof.realizes], listed) > 0).all(), "w_0 is wrong on a listed direction")
    count = _survey(problem, proof, listed)
    _check_inside(proof)
    if isinstance(proof, AskedProof) and proof.request.beliefs:
        proof.check_beliefs()
    else:
        _check_misconceptions(proof, listed if isinstance(proof, PartialProof) else sorted(proof.shown))
    _check_claim(proof)
    return count


def _check_claim(proof: Proof) -> None:
    if isinstance(proof, AskedProof):
        proof.check_folds()
    proof.check_claim()


def _survey(problem: TeachingProblem, proof: Proof, listed: Sequence[Vector]) -> int:
    """One reading of the problem; returns the number of its differences."""
    place, counts = {x: i for i, x in reversed(list(enumerate(listed)))}, np.zeros(len(listed), dtype=np.int64)
    rays = np.arange(len(listed))
    rays[len(proof.rays) :] = [proof.index.get(x, -1) if proof.same else -1 for x in proof.inside]
    roles = Roles(proof, problem)
    for batch in problem.batches():
        owners, actions = _places(batch)
        which = _found(_subtracted(batch, owners, actions), place)
        counts += np.bincount(which, minlength=len(listed))
        states = range(batch.start, batch.start + len(batch))
        roles.add_states(states, owners=owners, rays=rays[which])
        for row in roles.lesson_rows(states):
            mine = which[own(owners, row - batch.start)].tolist()
            proof.shown.update(listed[i] for i in mine)
            proof.first |= {int(rays[i]): (listed[i], 0) for i in mine}
    for i in np.flatnonzero(counts).tolist():
        proof.known[listed[i]] = int(rays[i]), 0, 0, int(counts[i])
    roles.finish()
    return int(counts.sum())


def _places(batch: Batch) -> tuple[Array, Array]:
    """For each difference of a batch: which of its states, over which action."""
    there = batch.available.copy()
    there[np.arange(len(batch.target)), batch.target] = False
    owners, actions = np.nonzero(there)
    return owners, actions


def _subtracted(batch: Batch, owners: Array, actions: Array) -> Array:
    features = batch.features
    if features.dtype != object and features.size and max(int(features.max()), -int(features.min())) >= _SAFE // 2:
        features = features.astype(object)
    return np.asarray(features[owners, batch.target[owners]] - features[owners, actions])


def _found(differences: Array, place: Mapping[Vector, int]) -> Array:
    """For each difference the index of its direction among the listed ones."""
    distinct, which = distinct_rows(differences)
    found = [place.get(_direction(row), -1) for row in distinct]
    missing = next((i for i, at in enumerate(found) if at < 0), None)
    require(missing is None, "a difference of the problem is left out")
    return np.array(found, dtype=np.intp)[which]


def _direction(difference: tuple[Any, ...]) -> Vector:
    scale = lcm(*(x.denominator for x in difference))
    divisor = gcd(*(int(x * scale) for x in difference)) or 1
    return tuple(int(x * scale) // divisor for x in difference)


def _check_inside(proof: Proof) -> None:
    """One exact solve for all vectors with the same index set."""
    groups: dict[tuple[int, ...], list[Vector]] = {}
    for x, indices in not_surely_combined(proof.vectors, proof.inside):
        groups.setdefault(tuple(indices), []).append(x)
    for chosen, vectors in groups.items():
        require(chosen, f"{vectors[0]} is on no listed ray and has no multipliers")
        rays = integer_matrix([proof.vectors[i] for i in chosen])
        reduced, _, rank = rays.rref()
        require(rank == len(chosen), f"{vectors[0]} is given by rays that are not independent")
        rows = [next(j for j in range(reduced.ncols()) if reduced[i, j]) for i in range(rank)]
        square = integer_matrix([[proof.vectors[i][j] for i in chosen] for j in rows])
        wanted = integer_matrix([[x[j] for x in vectors] for j in rows])
        solution: Any = square.solve(wanted)
        multipliers, scale = solution.numer_denom()
        require(min(multipliers.entries()) > 0, "an inner direction needs multipliers that are not positive")
        same = rays.transpose() * multipliers == integer_matrix(vectors).transpose() * scale
        require(same, "an inner direction is not a combination of its rays")


def _check_misconceptions(proof: Proof, shown: Sequence[Vector]) -> None:
    place = {x: i for i, x in enumerate(shown)}
    step = max(1, _BLOCK // max(1, len(shown)))
    for start in range(0, len(proof.misconceptions), step):
        block = proof.misconceptions[start : start + step]
        signs = _signs([w for _, w in block], shown)
        expected = np.ones_like(signs)
        expected[np.arange(len(block)), [place[proof.rays[ray]] for ray, _ in block]] = -1
        require((signs == expected).all(), "a misconception is not wrong on its ray, or is wrong elsewhere too")


def _check_floats(
    certificate: dict[str, Any], problem: TeachingProblem, tolerances: _Tolerances, request: Request | None
) -> int:
    """Float data; returns the number of differences."""
    stored = _Stored(problem, tolerances[0])
    rays = {place: stored.find(*place) for place in map(tuple, certificate["rays"])}
    vectors = {place: stored.directions[i] for place, i in rays.items()}
    proof = _proof(certificate, tolerances, request, vectors)
    ray_of = stored.classes([rays[tuple(place)] for place in certificate["rays"]], tolerances)
    for x, radius, ray, count in zip(stored.directions, stored.radii, ray_of.tolist(), stored.counts(), strict=True):
        require(ray >= 0 or x in proof.inside or x in proof.assumed, f"{x} is left out")
        _, least, most, others = proof.known.get(x, (ray, radius, radius, 0))
        proof.known[x] = ray, min(least, radius), max(most, radius), others + count
    _see_states(stored, proof, ray_of)
    _check_margins(stored, proof, ray_of)
    proof.check_sums()
    _check_claim(proof)
    return sum(stored.counts())


def _see_states(stored: _Stored, proof: Proof, ray_of: Array) -> None:
    """Who refutes what, and the first difference of each class that the lesson shows."""
    roles, shown = Roles(proof, stored.problem), dict[int, list[int]]()
    for states, owners, _, which in stored.batches:
        roles.add_states(states, owners=owners, rays=ray_of[which])
        shown |= {row: which[own(owners, row - states.start)].tolist() for row in roles.lesson_rows(states)}
    for row in sorted(shown, key=stored.problem.rank_of):
        for i in shown[row]:
            proof.first.setdefault(int(ray_of[i]), (stored.directions[i], stored.radii[i]))
    roles.finish()


def _check_margins(stored: _Stored, proof: Proof, ray_of: Array) -> None:
    """`<w, x>` beyond `noise * size * |w|_1`, as signs of products with measured vectors."""
    measured = stored.measured

    def margin(w: Vector, side: int) -> list[int]:
        return [*(side * v * proof.noise.denominator for v in w), -sum(map(abs, w)) * proof.noise.numerator]

    require((measured.signs([margin(proof.realizes, 1)]) > 0).all(), "w_0 is wrong on a difference, or not certain")
    step = max(1, _BLOCK // max(1, len(measured)))
    for start in range(0, len(proof.misconceptions), step):
        block = proof.misconceptions[start : start + step]
        right = measured.signs([margin(w, 1) for _, w in block]) > 0
        for column, (ray, w) in enumerate(block):
            own = np.flatnonzero(ray_of == ray)
            right[own, column] = measured.take(own).signs([margin(w, -1)])[:, 0] > 0
        require(right.all(), "a misconception is not wrong on its class, or is wrong elsewhere too, or not certain")


class _Stored:
    """All distinct float differences of a problem, measured, and where the problem has them."""

    def __init__(self, problem: TeachingProblem, noise: Fraction) -> None:
        self.problem = problem
        self.batches: list[tuple[range, Array, Array, Array]] = []  # states; owner, action and place of each difference
        known: dict[bytes, int] = {}
        parts = [StoredRows(*np.zeros((2, 0, problem.num_features + 1)))]
        exponents = _exponents(problem)
        for batch in problem.batches():
            owners, actions = _places(batch)
            target, other = (batch.features[owners, a] for a in (batch.target[owners], actions))
            rows = measured_rows(_scaled(target, exponents), _scaled(other, exponents))
            keys = rows.keys()
            texts = [key.tobytes() for key in keys]
            before = len(known)
            which = np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.intp)
            fresh, first = np.unique(which, return_index=True)
            parts.append(rows.take(first[fresh >= before]))
            self.batches.append((range(batch.start, batch.start + len(batch)), owners, actions, which))
        self.rows = StoredRows(np.concatenate([p.high for p in parts]), np.concatenate([p.low for p in parts]))
        self.measured = Vectors(measured_integers(self.rows))
        found = [_reduced(*row) for row in self.measured.rows()]
        self.directions, self.radii = [x for x, _ in found], [noise * size for _, size in found]

    def counts(self) -> list[int]:
        """How many differences each stands for."""
        places = [which for _, _, _, which in self.batches]
        counts = np.bincount(np.concatenate([*places, np.zeros(0, np.intp)]), minlength=len(self.directions))
        return [int(count) for count in counts]

    def find(self, state: str, action: str) -> int:
        """The difference of a state over an action, by their ids."""
        require(isinstance(state, str), "a ray is not named by a state and an action")
        row = self.problem.row_of(state)
        states, owners, actions, which = next(batch for batch in self.batches if row in batch[0])
        mine = np.flatnonzero(owners == row - states.start)
        return int(which[next(i for i in mine if self.problem.action_id(row, int(actions[i])) == action)])

    def classes(self, rays: Sequence[int], tolerances: _Tolerances) -> Array:
        """For each difference the ray in whose class it is, or -1; every annulus must be empty."""
        _, merge, gap = tolerances
        if not merge:
            index = {self.directions[r]: i for i, r in enumerate(rays)}
            return np.array([index.get(x, -1) for x in self.directions], dtype=np.int64)
        units = self.rows.high[:, :-1] / np.linalg.norm(self.rows.high[:, :-1], axis=1, keepdims=True)
        along = np.sqrt(np.arange(2.0, units.shape[1] + 2.0))
        heights = units @ (along / np.linalg.norm(along))
        order = np.argsort(heights, kind="stable")
        # a chord is below 1.5 times the sine (below 90 degrees), and heights differ by no more
        reach = 1.5 * float(merge * gap) + units.shape[1] / 2**40
        ray_of = np.full(len(units), -1, dtype=np.int64)
        for i, r in enumerate(rays):
            low, high = np.searchsorted(heights[order], [heights[r] - reach, heights[r] + reach])
            close = order[low:high]
            near, wide = (close[self._within(units, r, close, sine)] for sine in (merge, merge * gap))
            require(len(near) == len(wide), f"a difference is just outside the class of ray {i}")
            require((ray_of[near] < 0).all(), "a difference is in two classes")
            ray_of[near] = i
        return ray_of

    def _within(self, units: Array, ray: int, others: Array, limit: Fraction) -> Array:
        """Which of some vectors are within an angle of one, given by its sine; exactly where floats cannot tell."""
        cosine = units[others] @ units[ray]
        sine = np.linalg.norm(units[others] - cosine[:, None] * units[ray], axis=1)
        # each number carries a few roundings per coordinate, of numbers below 2
        error = (units.shape[1] + 16) / 2**50
        within = (cosine > 0) & (sine <= float(limit))
        for i in np.flatnonzero((np.abs(cosine) <= error) | (np.abs(sine - float(limit)) <= error)).tolist():
            within[i] = sine_squared(self.directions[ray], self.directions[others[i]]) <= limit**2
        return np.asarray(within)


def _exponents(problem: TeachingProblem) -> Array:
    """One reading for the largest feature of each column."""
    largest = np.zeros(problem.num_features)
    for batch in problem.batches():
        largest = np.maximum(largest, np.abs(batch.features[batch.available]).max(axis=0, initial=0.0))
    return column_exponents(largest)


def _scaled(features: Array, exponents: Array) -> Array:
    result = np.ldexp(features, -exponents)
    require((np.ldexp(result, exponents) == features).all(), "a column has numbers too far apart for float64")
    return np.asarray(result)


def _reduced(*measured: int) -> tuple[Vector, Fraction]:
    """A primitive direction, and its size scaled alike."""
    *x, size = measured
    divisor = gcd(*x) or 1
    return tuple(v // divisor for v in x), Fraction(size, divisor)


def _signs(left: Sequence[Vector], right: Sequence[Vector]) -> Array:
    """The sign of every product of one on the left with one on the right, exactly."""
    if not left or not right:
        return np.zeros((len(left), len(right)), dtype=np.int64)
    largest = [max(map(abs, chain(*vectors)), default=0) for vectors in (left, right)]
    if max(*largest, largest[0] * largest[1] * len(left[0])) < _SAFE:
        products: Array = np.array(left, dtype=np.int64) @ np.array(right, dtype=np.int64).T
        return np.sign(products)
    entries = (integer_matrix(left) * integer_matrix(right).transpose()).entries()
    return np.array([(p > 0) - (p < 0) for p in entries], dtype=np.int64).reshape(len(left), len(right))
