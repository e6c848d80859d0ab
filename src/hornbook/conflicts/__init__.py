"""Policies that no weights realize: which states to leave out so that the rest can be taught.

- `drop_conflicts`: the fewest states, or a set with a proved bound; a `Dropped` problem with the reasons.
- `survey`: how many states repeat or contradict each other outright.

Dropping the fewest is NP-hard (it is the largest feasible subsystem of Kesler's inequalities).  The search hits exact
conflicts, found many at a time, with the fewest states (`hornbook.cover`), until what is left can be realized.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hornbook.conflicts._kinds import Kinds, kinds_of, primitive_rows
from hornbook.conflicts._search import KindConflict, Search
from hornbook.conflicts._survey import Survey, survey
from hornbook.cover import Proof, used_rays
from hornbook.differences import directions_of
from hornbook.errors import ConflictTerm
from hornbook.frames import conflict_terms
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.selection import leave_out

__all__ = ["Dropped", "Survey", "drop_conflicts", "survey"]

Conflict = tuple[ConflictTerm, ...]


@dataclass(frozen=True, eq=False)
class Dropped:
    """A problem without the states that stood in the way.

    `states` were left out, in id order; `reasons` has for each of them a conflict: a positive combination of
    differences that sums to zero, whose other members stay (where the search had the time to find such a one).  No
    realizable part of the problem leaves out fewer than `lower_bound` states: `proof` weighs `conflicts`, each of which
    needs one of its states out.  `problem` is the rest, and `survey` counts what the whole holds.
    """

    problem: TeachingProblem
    states: tuple[str, ...]
    lower_bound: int
    survey: Survey
    _evidence: _Evidence = field(repr=False)

    @property
    def is_fewest(self) -> bool:
        """Whether it is proved that no fewer will do."""
        return self.lower_bound == len(self.states)

    @property
    def proof(self) -> Proof:
        """Weights on the conflicts, as in `hornbook.cover`: ray i is conflict i, a unit is a state or several alike."""
        return self._evidence.search.proof

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """All conflicts that the search met, irreducible, in the order in which it met them."""
        return tuple(map(self._evidence.told, self._evidence.search.conflicts))

    @cached_property
    def reasons(self) -> dict[str, Conflict]:
        """For each state left out, why."""
        found = self._evidence.reasons()
        return {state: found[state] for state in self.states if state in found}

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints: the states with their reasons, and the conflicts that the bound rests on."""
        used = used_rays(self.proof)
        return {
            "states": [{"id": state, "conflict": _terms(self.reasons.get(state, ()))} for state in self.states],
            "lower_bound": self.lower_bound,
            "proved": self.is_fewest,
            "conflicts": [_terms(self._evidence.told(self._evidence.search.conflicts[i])) for i in used],
            "duplicates": self.survey.duplicates,
            "contradictions": [list(group) for group in self.survey.contradictions],
            "vacuous": self.survey.vacuous,
            "merged": self.survey.merged,
        }

    @property
    def verdict(self) -> str:
        """How many states were left out, and whether that is the fewest."""
        count, whole = len(self.states), len(self.states) + self.problem.num_states
        if not count:
            return f"no conflict among {whole:,} states"
        known = "the fewest" if self.is_fewest else f"at least {self.lower_bound:,} must be"
        return f"{count:,} of {whole:,} states left out ({known})"


def _terms(conflict: Conflict) -> list[dict[str, str]]:
    return [{"state": t.state, "action": t.action, "multiplier": str(t.multiplier)} for t in conflict]


@dataclass(frozen=True, eq=False)
class _Evidence:
    """The search, and the names of what it found."""

    whole: TeachingProblem
    kinds: Kinds
    search: Search

    def reasons(self) -> dict[str, Conflict]:
        return {
            self.whole.state_id(row): self.told(conflict, instead=(kind, row))
            for kind, conflict in self.search.reasons.items()
            for row in self.kinds.rows[kind]
        }

    def told(self, conflict: KindConflict, *, instead: tuple[int, int] | None = None) -> Conflict:
        """The conflict by names; of each kind the first state speaks, or the row that is given `instead`."""
        kind_of = {d: k for k in conflict.kinds for d in conflict.directions if d in self.kinds.shown[k]}
        rows = [self._speaker(kind_of[d], instead) for d in conflict.directions]
        directions = [self.kinds.directions.row(d) for d in conflict.directions]
        places = [(row, self._action(row, direction)) for row, direction in zip(rows, directions, strict=True)]
        return conflict_terms(self.whole, places, directions=directions, multipliers=conflict.multipliers)

    def _speaker(self, kind: int, instead: tuple[int, int] | None) -> int:
        return instead[1] if instead is not None and instead[0] == kind else self.kinds.rows[kind][0]

    def _action(self, row: int, direction: tuple[int, ...]) -> int:
        """The first action over which this row shows the direction."""
        shown = directions_of(self.whole, self.whole.source.read(row, row + 1))
        rows = [tuple(int(v) for v in vector) for vector in primitive_rows(self.whole, shown.keys).tolist()]
        return next(int(a) for a, key in zip(shown.actions, shown.which, strict=True) if rows[key] == direction)


def drop_conflicts(
    problem: TeachingProblem,
    *,
    time_limit: float | None = None,
    round_limit: int | None = None,
    progress: Progress = silent,
) -> Dropped:
    """Leave out the fewest states such that the rest is realizable; floats are taken as the numbers they are.

    A limit, in seconds or in rounds of the search, ends it with a set that will do and a proved bound.

    Cost and limits: NP-hard.  Each conflict costs a linear program over the distinct differences (0.1 s for 600 states
    and 30 features).  A dozen states among hundreds are found and proved in seconds; where many more must go, expect
    an interval.

    >>> noisy = TeachingProblem.from_classification([[0], [1], [2], [3], [9]], ["a", "a", "b", "b", "a"])
    >>> dropped = drop_conflicts(noisy)
    >>> dropped.states, dropped.is_fewest, dropped.problem.num_states
    (('4',), True, 4)
    """
    kinds = kinds_of(problem, progress=progress)
    search = Search(kinds, progress, round_limit=round_limit, time_limit=time_limit)
    search.run()
    gone = sorted((row for kind in search.best or () for row in kinds.rows[kind]), key=problem.rank_of)
    return Dropped(
        problem=leave_out(problem, gone) if gone else problem,
        states=tuple(map(problem.state_id, gone)),
        lower_bound=search.lower_bound,
        survey=survey(problem, directions=len(kinds.directions)),
        _evidence=_Evidence(problem, kinds, search),
    )
