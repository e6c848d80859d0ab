"""What a float lesson's report says: what was merged and assumed, the smallest margin, and the margin imitators need.

(U) of docs/floats.md: with x = sum l_f f + e over shown differences f, an imitator whose relative margin on these
exceeds tau = max over x of (|e| + rho_x + sum l_f rho_f) / (sum l_f rho_f) is right everywhere, whatever classes hide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import ENOUGH, ROUNDING, Integers, Vectors, share_bounds
from hornbook.differences import directions_of, same_rows
from hornbook.rays import Cone, Inside, Labelling, combinations

if TYPE_CHECKING:
    from hornbook.differences import Differences
    from hornbook.frames import Frame
    from hornbook.problem import TeachingProblem
    from hornbook.rays import Rays
    from hornbook.teaching import Trace

Places = npt.NDArray[np.intp]
_BLOCK = 1 << 22  # products held at once
_MOST = 1000  # places that are looked at exactly for the smallest margin of a block
_PLAIN = 2**450  # integers below this have floats

__all__ = ["Sum", "Surveyed", "float_report", "implied_sums", "labelling_of", "needed_margin"]


class Surveyed(Protocol):
    """A problem whose rays are known, as the trace of any run holds it."""

    @property
    def problem(self) -> TeachingProblem: ...

    @property
    def differences(self) -> Differences: ...

    @property
    def frame(self) -> Frame: ...

    @property
    def rays(self) -> Rays: ...

    @property
    def float_sums(self) -> list[Sum]: ...


def float_report(trace: Trace) -> dict[str, Any]:
    """The numbers of a float lesson, as `lesson.arithmetic` and the command line show them."""
    labelling, tolerances = labelling_of(trace), trace.problem.tolerances
    occurrences = trace.differences.occurrences
    in_classes = int(occurrences[labelling.ray_of >= 0].sum())
    tau = needed_margin(trace)
    return {
        "kind": trace.problem.arithmetic,
        "noise": float(tolerances.noise),
        "merge": float(tolerances.merge),
        "merged": in_classes - len(labelling.rows),
        "assumed_inside": int(occurrences[sorted(labelling.assumed)].sum()),
        "smallest_margin": _smallest_margin(trace),
        "tau": None if tau is None else float(tau),
    }


def labelling_of(trace: Surveyed) -> Labelling:
    """The labelling of a float lesson."""
    if trace.frame.labelling is None:
        raise ValueError("exact data needs no report: every answer is a theorem")
    return trace.frame.labelling


def _smallest_margin(trace: Trace) -> float | None:
    """How many times the noise would fit between the proof's weights and the nearest difference."""
    measured, noise = _measured(trace), trace.problem.tolerances.noise
    weights = [labelling_of(trace).weights, *trace.proof_weights.values()]
    if noise == 0 or len(measured) == 0:
        return None
    table = Vectors.of(weights, measured.dimension - 1).shapes
    relative = table / np.abs(table).sum(axis=1)[:, None]
    vectors = measured.shapes[:, :-1] / measured.shapes[:, -1:]
    least = (Fraction(1), 0, 0)
    step = max(1, _BLOCK // len(measured))
    for start in range(0, len(relative), step):
        margins = np.abs(vectors @ relative[start : start + step].T)
        # floats find the place, unless that is so close to zero that their rounding counts
        sure = float(margins.min()) + ROUNDING * vectors.shape[1]
        for row, i in np.argwhere(margins <= sure)[:_MOST].tolist():
            least = min(least, (_relative_margin(measured.row(row), weights[start + i]), row, start + i))
    return float(f"{float(least[0] / noise):.3g}")


def _relative_margin(measured: Sequence[int], weights: Sequence[int]) -> Fraction:
    """|<w, x>| over the size of x and the length of w."""
    *centre, size = measured
    product = sum(w * x for w, x in zip(weights, centre, strict=True))
    return Fraction(abs(product), size * sum(map(abs, weights)))


def _measured(trace: Surveyed) -> Vectors:
    if trace.differences.measured is None:
        raise ValueError("exact data has no measured vectors")
    return trace.differences.measured


def needed_margin(trace: Trace) -> Fraction | None:
    """tau, rounded up a little; None if no margin is enough: without noise nothing may be off, and nobody knows what
    merging over wide angles does.
    """
    measured = _measured(trace)
    if len(measured) == 0:
        return Fraction(0)
    substitutes = _Substitutes(measured, labelling_of(trace), _first_shown_rows(trace))
    noise = trace.problem.tolerances.noise
    if not substitutes.are_positive:
        return None
    if noise == 0:
        return Fraction(0) if substitutes.are_exact else None
    rest = substitutes.of_the_rest(trace.float_sums, noise)
    return _rounded_up(max([*substitutes.of_members(noise), *rest]))


def _rounded_up(value: float) -> Fraction:
    """To at most 20 binary digits, upwards: tau is a report, and short numbers are easier to read."""
    fraction, exponent = math.frexp(value)
    return Fraction(math.floor(math.ldexp(fraction, 20)) + 1) * Fraction(2) ** (exponent - 20)


def _first_shown_rows(trace: Trace) -> list[int]:
    """For each ray the first difference in its class that is shown (states in id order, then actions)."""
    problem, labelling = trace.problem, labelling_of(trace)
    parts = [directions_of(problem, problem.source.read(row, row + 1)) for row in trace.shown_rows]
    places = same_rows(np.concatenate([shown.keys[shown.which] for shown in parts]), trace.differences.keys)
    rays, first = np.unique(labelling.ray_of[places], return_index=True)
    return [int(place) for ray, place in zip(rays, places[first], strict=True) if ray >= 0]


@dataclass(frozen=True)
class Sum:
    """A primitive direction in no class, and rays that add up to it, exactly or within the radii of its differences.

    `rows` are the measured vectors on it; `largest_size` is the largest of their sizes, scaled as the primitive vector
    is.  `given` are multipliers where the sum is not exact; `basis` says that all d rays take part.
    """

    vector: tuple[int, ...]
    support: tuple[int, ...]
    rows: tuple[int, ...]
    largest_size: Fraction
    rays: Vectors
    given: Mapping[int, Fraction] | None = None
    is_basis: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the rays add up to it exactly."""
        return self.given is None

    @cached_property
    def shares(self) -> Mapping[int, Fraction]:
        """The multipliers of the rays' representatives as they are measured."""
        return _solved(self.rays, self.support, self.vector) if self.given is None else self.given


def implied_sums(trace: Surveyed) -> list[Sum]:
    """Every direction in no class, sorted by value, each with one sum that certificate and report share."""
    measured, labelling, rays = _measured(trace), labelling_of(trace), trace.rays.vectors
    rest = np.flatnonzero(labelling.ray_of < 0)
    places: dict[tuple[int, ...], list[tuple[Fraction, int]]] = {}
    for i, (*centre, size) in enumerate(measured.exact[rest].tolist()):
        divisor = math.gcd(*centre)
        places.setdefault(tuple(v // divisor for v in centre), []).append((Fraction(size, divisor), i))
    basis = {v: _basis(labelling, [i for _, i in found]) for v, found in places.items()}
    assumed = {v: int(rest[min(found)[1]]) for v, found in places.items()}
    assumed = {v: row for v, row in assumed.items() if row in labelling.assumed}
    left = sorted(v for v in places if not basis[v] and v not in assumed)
    found_sets = combinations(rays, Vectors.of(left, measured.dimension - 1))
    support = {**basis, **dict(zip(left, found_sets, strict=True))}
    sums = []
    for vector in sorted(places):
        given = _assumed(trace, assumed[vector]) if vector in assumed else None
        sums.append(
            Sum(
                vector=vector,
                support=support[vector] if given is None else tuple(given),
                rows=tuple(int(rest[i]) for _, i in places[vector]),
                largest_size=max(places[vector])[0],
                rays=rays,
                given=given,
                is_basis=bool(basis[vector]),
            )
        )
    return sums


def _basis(labelling: Labelling, places: Sequence[int]) -> tuple[int, ...]:
    """The rays that were found at once to add up to the first of these vectors, if they were."""
    return next((tuple(sorted(labelling.bases[i].tolist())) for i in places if labelling.bases[i][0] >= 0), ())


def _assumed(trace: Surveyed, row: int) -> dict[int, Fraction]:
    """The sum that is within the radius of a measured vector, for its primitive vector."""
    divisor = math.gcd(*_measured(trace).row(row)[:-1])
    return {ray: share / divisor for ray, share in sorted(labelling_of(trace).assumed[row].items())}


class _Substitutes:
    """Every direction in terms of the first shown difference f of each class, in integers.

    With c the axis of f's largest entry, v = (v_c / f_c) f + e.
    """

    def __init__(self, measured: Vectors, labelling: Labelling, shown: Sequence[int]) -> None:
        self.measured, self.labelling = measured, labelling
        self.shown = measured.take(shown).exact.astype(object)
        self.axis = np.abs(self.shown[:, :-1]).argmax(axis=1)
        self.members = np.flatnonzero(labelling.ray_of >= 0)

    def _split(self, rows: Places) -> tuple[Integers, Integers, Integers]:
        """For members of classes v_c and f_c, mirrored so that f_c > 0, and the largest entry of f_c e."""
        ray = self.labelling.ray_of[rows]
        vectors, shown = self.measured.exact[rows].astype(object), self.shown[ray]
        place = np.arange(len(rows))
        own, other = vectors[place, self.axis[ray]], shown[place, self.axis[ray]]
        error = vectors[:, :-1] * other[:, None] - shown[:, :-1] * own[:, None]
        side = np.sign(other)
        return own * side, other * side, np.abs(error).max(axis=1)

    @property
    def are_positive(self) -> bool:
        """Whether each class points the way that its shown difference does, along the axis of that."""
        own, *_ = self._split(self.members)
        return bool((own > 0).all())

    @property
    def are_exact(self) -> bool:
        """Whether nothing was merged or assumed but exact multiples and sums."""
        *_, error = self._split(self.members)
        return not error.any() and not self.labelling.assumed

    def of_members(self, noise: Fraction) -> Iterator[float]:
        """(|e| + rho_v + l rho_f) / (l rho_f) for everything in a class, each a single rounding of the true ratio."""
        own, other, error = self._split(self.members)
        sizes = self.measured.exact[self.members, -1].astype(object)
        rest = own * self.shown[self.labelling.ray_of[self.members], -1] * noise.numerator
        top = error * noise.denominator + sizes * other * noise.numerator + rest
        for above, below in zip(top.tolist(), rest.tolist(), strict=True):
            yield above / below

    def of_the_rest(self, sums: Sequence[Sum], noise: Fraction) -> Iterator[float]:
        """The same for sums of rays, each ray r replaced by l f + e in its turn."""
        bounds = self._bounds(sums, float(noise))
        yield from bounds.values()
        own, other, _ = self._split(np.array(self.labelling.rows, dtype=np.intp))
        for each in (each for i, each in enumerate(sums) if i not in bounds):
            error, rest = [Fraction(v) for v in each.vector], Fraction(0)
            for ray, share in each.shares.items():
                factor = share * Fraction(own[ray], other[ray])
                rest += factor * noise * self.shown[ray][-1]
                error = [e - factor * f for e, f in zip(error, self.shown[ray], strict=False)]
            top = max(map(abs, error)) + noise * each.largest_size + rest
            yield float(top / rest) if rest else math.inf

    def _bounds(self, sums: Sequence[Sum], noise: float) -> dict[int, float]:
        """Upper bounds for those sums where floats tell: place -> hardly more than the ratio."""
        chosen = [i for i, each in enumerate(sums) if each.is_basis]
        if not chosen or self.measured.largest >= _PLAIN:
            return {}
        which = np.repeat(np.arange(len(chosen)), [len(sums[i].rows) for i in chosen])
        vectors = self.measured.shapes[[row for i in chosen for row in sums[i].rows]]
        bases = np.array([sums[i].support for i in chosen], dtype=np.intp)[which]
        rows = np.array(self.labelling.rows, dtype=np.intp)
        own, other, error = self._split(rows)
        rays, sizes = self.measured.shapes[rows], self.measured.exact[rows, -1].astype(object)
        missed = rays[:, -1] * np.asarray(error / (other * sizes), dtype=np.float64)
        lent = rays[:, -1] * np.asarray(own * self.shown[:, -1] / (other * sizes), dtype=np.float64)
        found: dict[int, float] = {}
        step = max(1, _BLOCK // bases.shape[1] ** 2)
        for start in range(0, len(bases), step):
            part = slice(start, start + step)
            low, high = share_bounds(rays[bases[part], :-1], vectors[part, :-1])
            sure = np.flatnonzero((low > 0).all(axis=1))
            above = (high * missed[bases[part]]).sum(axis=1)[sure] + noise * vectors[part][sure, -1]
            below = noise * (low * lent[bases[part]]).sum(axis=1)[sure]
            for i, ratio in zip(which[part][sure].tolist(), (above / below).tolist(), strict=True):
                found[chosen[i]] = max(found.get(chosen[i], 0.0), 1 + ratio * ENOUGH)
        return found


def _solved(rays: Vectors, support: Sequence[int], vector: Sequence[int]) -> dict[int, Fraction]:
    """The multipliers with which independent rays add up to a vector."""
    answer = Cone(rays.take(support)).locate(vector)
    if not isinstance(answer, Inside):
        raise ArithmeticError(f"rays {support} do not add up to a vector that they were found to hold")
    return {
        support[i]: Fraction(m, answer.denominator) for i, m in zip(answer.support, answer.multipliers, strict=True)
    }
