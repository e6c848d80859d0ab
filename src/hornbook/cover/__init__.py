"""Step 5 of 8: sets of rays -> chosen sets and a proved bound.

A `CoverProblem` says which rays each unit shows, what the unit costs and how often each ray must be shown.  A solver
returns a `Cover`: chosen units, and a `Proof` that no cover costs less than `lower_bound`.  Whatever made the proof,
`proof_bound` reads the bound off it in exact numbers, by the rule that the certificate's checker applies.

Solvers:

* `minimum_cover`: when the smallest set is wanted; stops with a proved interval at a limit or on Ctrl-C.
* `greedy_cover`: when the problem is too large for that, or to compare; at most `greedy_guarantee(problem)`
  times the minimum.

`vipr_text` writes a problem with its proof in a format that other programs check.

`cheapest_covers` finds all covers as cheap as the cheapest, and `standing` says where a unit stands in them.

Units that must, may not or need not be chosen are an `AskedCover`: `cover_as_asked` leaves the solver what is free.

Within a budget that is too small for all rays, `cover_within` shows the most that it allows: a `PartialCover` with a
proved bound of its own kind, a `Ceiling` (see `partial.py`).

A new solver is a file here and a line in `COVER_SOLVERS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from hornbook.cover._bounds import proof_bound
from hornbook.cover._enumeration import Piece, cheapest_covers
from hornbook.cover._greedy import greedy_cover, greedy_guarantee
from hornbook.cover._minimum import minimum_cover
from hornbook.cover._partial_search import cover_within
from hornbook.cover._proofs import used_rays
from hornbook.cover._standing import standing
from hornbook.cover._statuses import FREE, GIVEN, MAY_NOT, MUST, AskedCover, OutOfReach, cover_as_asked
from hornbook.cover._vipr import vipr_text
from hornbook.cover.partial import (
    Ceiling,
    CeilingProof,
    PartialCover,
    PartialCoverProblem,
    Split,
    ceiling_bound,
    distinct_units,
)
from hornbook.cover.problem import (
    Branch,
    Costs,
    Cover,
    CoverProblem,
    Leaf,
    Limits,
    Progress,
    Proof,
    RaySets,
    SetBound,
    Stop,
    Unreachable,
    cost_unit,
)

__all__ = [
    "COVER_SOLVERS",
    "FREE",
    "GIVEN",
    "MAY_NOT",
    "MUST",
    "AskedCover",
    "Branch",
    "Ceiling",
    "CeilingProof",
    "Costs",
    "Cover",
    "CoverProblem",
    "CoverSolver",
    "Leaf",
    "Limits",
    "OutOfReach",
    "PartialCover",
    "PartialCoverProblem",
    "Piece",
    "Progress",
    "Proof",
    "RaySets",
    "SetBound",
    "Split",
    "Stop",
    "Unreachable",
    "ceiling_bound",
    "cheapest_covers",
    "cost_unit",
    "cover_as_asked",
    "cover_within",
    "distinct_units",
    "greedy_cover",
    "greedy_guarantee",
    "minimum_cover",
    "proof_bound",
    "standing",
    "used_rays",
    "vipr_text",
]


class CoverSolver(Protocol):
    """From a problem to chosen units with a proved bound."""

    def __call__(
        self,
        problem: CoverProblem,
        *,
        limits: Limits | None = None,
        progress: Progress | None = None,
        stop: Stop | None = None,
    ) -> Cover:
        """Cover every ray; stop early where a limit or `stop` says so."""


COVER_SOLVERS: Mapping[str, CoverSolver] = MappingProxyType({"minimum": minimum_cover, "greedy": greedy_cover})
"""By name, as the command line and `teach` know them."""
