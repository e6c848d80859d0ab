"""A lesson's proof that fewer cannot do, as a file that other programs check: VIPR, for integer programs."""

from __future__ import annotations

from fractions import Fraction

from hornbook.cover import Costs, CoverProblem, RaySets, vipr_text
from hornbook.coverage import Coverage
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.lesson import Lesson
from hornbook.teaching import Trace, cost_step

__all__ = ["vipr"]


def vipr(lesson: Lesson) -> str:
    """The cover problem of a lesson, the lesson, and the proof of its lower bound, in VIPR 1.0.

    A variable is a kind of states, named `s` and the row of the state that stands for it; a row of the program is an
    extreme ray.  That these rays must be shown is what the certificate proves, not this file.  Cost: each leaf of the
    proof is a line with up to a number for each kind.

    >>> import hornbook
    >>> print("".join(vipr(hornbook.teach(hornbook.environment("two_rays"))).splitlines(keepends=True)[1:4]), end="")
    VER 1.0
    VAR 3
    s0
    """
    trace = lesson.evidence
    if not isinstance(trace, Trace):
        raise BadProblem("a loaded lesson does not hold its problem; teach the problem again to write its proof")
    if trace.request is not None or not isinstance(trace.coverage, Coverage):
        raise BadProblem("VIPR files are for plain lessons, of which nothing more was asked")
    kinds, step = trace.coverage.kinds, cost_step(trace.problem)
    costs = Costs.equal(len(kinds)) if kinds.costs is None else Costs.of(list(map(Fraction, kinds.costs)), step)
    problem = CoverProblem(trace.coverage.num_rays, RaySets(kinds.start, kinds.rays), costs, step)
    try:
        return vipr_text(problem, trace.cover, names=[f"s{row}" for row in kinds.rows.tolist()])
    except ValueError as error:
        raise LimitExceeded(f"this proof cannot be written in VIPR: {error}") from None
