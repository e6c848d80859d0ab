"""Step 7 of 8: from the trace of a run to a certificate: what is claimed, and everything needed to check it.

The evidence is recomputed here from the sorted rays and directions in one canonical pass, so that the certificate's
bytes do not depend on how the rays were found.  The format is docs/certificate-v1.md.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

import hornbook
from hornbook.arithmetic import Number, Vectors, narrowed, number_text
from hornbook.assurance import Sum, Surveyed, float_report, needed_margin
from hornbook.cover import Ceiling, CeilingProof, Leaf, Proof, Unreachable
from hornbook.errors import LimitExceeded, NotRealizable
from hornbook.problem import TeachingProblem
from hornbook.rays import Believed, Faces, believed_sums, combinations, retold
from hornbook.requests import Belief, Request

if TYPE_CHECKING:
    from hornbook.budgets import PartialTrace
    from hornbook.partial_lesson import PartialLesson
    from hornbook.teaching import Trace

__all__ = ["build_certificate", "build_partial", "build_refusal", "certificate_text"]

Json = dict[str, Any]
_PLAIN = 2**53  # integers from here up are written as texts: other languages read JSON numbers as doubles
_DEPTH = 400  # the deepest tree that the reference checker reads
_DIGITS = 4300  # what Python (and so the reference checker) reads as one integer


def build_certificate(trace: Trace) -> Json:
    """The certificate of a lesson: realizable, it teaches, fewer cannot."""
    rays = trace.proof_rays
    minimum = trace.cover.is_minimum
    return {
        **_heading(trace.problem, "minimum" if minimum else "interval", differences=trace.differences.count),
        "lesson": [trace.unit_name(unit) for unit in trace.cover.chosen],
        "size": len(trace.chosen_rows),
        "cost": number_text(trace.cover.cost),
        "lower_bound": number_text(trace.cover.lower_bound),
        "realizes": _vector(trace.rays.weights),
        **_teaching(trace),
        "misconceptions": [{"ray": ray, "w": _vector(trace.proof_weights[ray])} for ray in rays],
        "bound": _node(trace, trace.cover.proof, {ray: i for i, ray in enumerate(rays)}),
        "all_rays": len(rays) == len(trace.rays),
    }


def _teaching(trace: Trace) -> Json:
    """Why the lesson teaches."""
    if trace.request is None:
        return _exact_teaching(trace, trace.known_sums) if trace.frame.labelling is None else _float_teaching(trace)
    asked = {"request": trace.request.to_dict(), "same": []}
    if trace.frame.faces is not None:
        return asked | _believed_teaching(trace, trace.request.believed, trace.frame.faces)
    return asked | (_exact_teaching(trace) if trace.frame.labelling is None else _float_teaching(trace))


def _believed_teaching(trace: Trace, believed: Believed, faces: Faces) -> Json:
    """Every direction but the listed ones as a sum of these and beliefs; and which others do as well as those."""
    rays, directions, beliefs = trace.rays, trace.differences.directions, believed.vectors
    generators = Vectors(narrowed(np.concatenate([rays.vectors.exact, beliefs.exact])))
    strict = [True] * len(rays) + believed.strict.tolist()
    rest = sorted(set(range(len(directions))) - set(rays.rows))
    vectors = directions.take(rest)
    sums = zip(vectors.rows(), believed_sums(generators, vectors, strict=strict), strict=True)
    same = [
        [
            _vector(directions.row(row)),
            ray,
            list(retold(beliefs, directions.row(row), vector=rays.vectors.row(ray)) or ()),
        ]
        for row, ray in sorted((row, ray) for ray, members in enumerate(faces.members) for row in members[1:])
    ]
    listed = [_vector(row) for row in rays.vectors.rows()]
    return {"rays": listed, "inside": [[_vector(v), list(support)] for v, support in sums], "same": same}


def build_partial(lesson: PartialLesson) -> Json:
    """The certificate of a lesson within a budget: what it refutes, and that no other refutes more."""
    trace, rays = lesson.trace, lesson.trace.market.valued
    claim = "most" if lesson.is_most else "most so far"
    return {
        **_heading(trace.problem, claim, differences=trace.differences.count),
        "lesson": list(lesson.states),
        "size": lesson.size,
        "cost": number_text(lesson.cost),
        "budget": _number(lesson.budget),
        "per": lesson.per,
        "value": number_text(lesson.value),
        "upper_bound": number_text(lesson.upper_bound),
        "realizes": _vector(trace.rays.weights),
        **(_exact_teaching(trace) if trace.frame.labelling is None else _partial_floats(lesson)),
        "misconceptions": [{"ray": ray, "w": _vector(trace.proof_weights[ray])} for ray in rays],
        "worth": [_number(trace.market.values[ray]) for ray in rays],
        "bound": _ceiling_node(trace, trace.cover.proof),
        "all_rays": len(rays) == len(trace.rays),
    }


def _partial_floats(lesson: PartialLesson) -> Json:
    """As for a lesson, but for the margin: nothing is said to teach, so none is asked of imitators."""
    report: Any = lesson.arithmetic
    counts = {key: report[key] for key in ("merged", "assumed_inside")}
    return {**_float_rays(lesson.trace), **counts}


def _exact_teaching(trace: Surveyed, known: Mapping[int, Sequence[int]] | None = None) -> Json:
    """The rays, and every direction that is not a ray with the rays that add up to it."""
    on_rays = set(trace.rays.rows)
    rest = [row for row in range(len(trace.differences.directions)) if row not in on_rays]
    vectors = trace.differences.directions.take(rest)
    index_sets = [known[row] for row in rest] if known else combinations(trace.rays.vectors, vectors)
    return {
        "rays": [_vector(row) for row in trace.rays.vectors.rows()],
        "inside": [[_vector(v), list(rays)] for v, rays in zip(vectors.rows(), index_sets, strict=True)],
    }


def _float_teaching(trace: Trace) -> Json:
    """Representatives by their place, directions in no class as sums of them, exactly or within the noise."""
    report, tau = float_report(trace), needed_margin(trace)
    if tau is None:
        raise LimitExceeded(
            "no margin is enough for what was merged: noise is zero, or merge too wide; give exact data instead"
        )
    counts = {key: report[key] for key in ("merged", "assumed_inside")}
    return {**_float_rays(trace), **counts, "tau": number_text(tau)}


def _float_rays(trace: Surveyed) -> Json:
    problem = trace.problem
    return {
        "rays": [[problem.state_id(row), problem.action_id(row, action)] for row, action in trace.frame.places],
        "inside": [[_vector(s.vector), list(s.support)] for s in trace.float_sums if s.is_exact],
        "assumed": [[_vector(s.vector), _shares(trace, s)] for s in trace.float_sums if not s.is_exact],
    }


def _shares(trace: Surveyed, implied: Sum) -> list[list[int | str]]:
    """Multipliers relative to the primitive directions of the rays."""
    divisors = {ray: math.gcd(*trace.rays.vectors.row(ray)) for ray in implied.shares}
    return [[ray, _number(share * divisors[ray])] for ray, share in sorted(implied.shares.items())]


def build_refusal(problem: TeachingProblem, refusal: NotRealizable, *, differences: int) -> Json:
    """The certificate that no linear policy acts as the target, or none that is in accord with what is believed."""
    terms: list[Json] = [
        {"state": term.state, "action": term.action, "multiplier": _number(term.multiplier)}
        for term in refusal.conflict
    ]
    if refusal.prior:
        beliefs = tuple(Belief(term.vector, term.strict) for term in refusal.prior)
        terms += [
            {"state": None, "action": str(i), "multiplier": _number(term.multiplier)}
            for i, term in enumerate(refusal.prior)
        ]
        asked = {"request": Request(prior=beliefs).to_dict()}
        return {**_heading(problem, "not realizable", differences=differences), "conflict": terms, **asked}
    return {**_heading(problem, "not realizable", differences=differences), "conflict": terms}


def certificate_text(certificate: Mapping[str, Any]) -> str:
    """The canonical bytes: sorted keys, no spaces, one line."""
    return json.dumps(certificate, sort_keys=True, separators=(",", ":"), ensure_ascii=True) + "\n"


def _heading(problem: TeachingProblem, claim: str, *, differences: int) -> Json:
    return {
        "format": "hornbook-certificate",
        "version": 1,
        "claim": claim,
        "problem": {
            "sha256": problem.digest,
            "states": problem.num_states,
            "differences": differences,
            "name": problem.name,
        },
        "arithmetic": _arithmetic(problem),
        "made_by": {"hornbook": hornbook.__version__},
    }


def _arithmetic(problem: TeachingProblem) -> str | Json:
    if not problem.is_float:
        return problem.arithmetic
    noise, merge, gap = problem.tolerances.noise, problem.tolerances.merge, problem.tolerances.gap
    return {"kind": problem.arithmetic, "noise": _number(noise), "merge": _number(merge), "gap": gap}


def _node(trace: Trace, proof: Proof, index: Mapping[int, int], depth: int = 0) -> Json:
    _require_shallow(depth)
    if isinstance(proof, Leaf):
        weights = sorted((index[ray], weight) for ray, weight in proof.weights)
        sets = [
            {"of": sorted(index[ray] for ray in s.of), "at_most": s.at_most, "weight": _number(s.weight)}
            for s in proof.sets
        ]
        return {"weights": [[i, _number(weight)] for i, weight in weights], "sets": sets}
    if isinstance(proof, Unreachable):  # nobody is left to carry this weight, which is more than any bound
        return {"weights": [[index[proof.ray], _number(max(trace.cover.cost, Fraction(1)))]], "sets": []}
    state = trace.unit_name(proof.unit)
    taken = _node(trace, proof.taken, index, depth + 1)
    refused = _node(trace, proof.refused, index, depth + 1)
    return {"state": state, "taken": taken, "refused": refused}


def _ceiling_node(trace: PartialTrace, proof: CeilingProof, depth: int = 0) -> Json:
    """The cover numbers rays of value from 0, as the certificate numbers their misconceptions."""
    _require_shallow(depth)
    if isinstance(proof, Ceiling):
        return {"weights": [[i, _number(y)] for i, y in proof.weights], "theta": _number(proof.theta)}
    state = trace.problem.state_id(trace.row_of_unit(proof.unit))
    sides = {"taken": proof.taken, "refused": proof.refused}
    return {"state": state, **{key: _ceiling_node(trace, side, depth + 1) for key, side in sides.items()}}


def _require_shallow(depth: int) -> None:
    if depth > _DEPTH:
        raise LimitExceeded(f"the proof branches more than {_DEPTH} times in a row, deeper than a certificate may")


def _vector(vector: Sequence[int]) -> list[int | str]:
    return [_number(v) for v in vector]


def _number(value: Number) -> int | str:
    """A JSON integer where every reader agrees what it is, else text."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{_digits(value.numerator)}/{_digits(value.denominator)}"
    whole = int(value)
    return whole if -_PLAIN < whole < _PLAIN else _digits(whole)


def _digits(value: int) -> str:
    if value.bit_length() > 3 * _DIGITS:
        raise LimitExceeded(
            f"a number of the proof has about {value.bit_length() // 3} digits, more than the {_DIGITS} that a "
            "certificate holds; give features with fewer digits"
        )
    return str(value)
