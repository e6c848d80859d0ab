"""All minimum lessons: how many there are, which they are, and whether a state stands in every, some or none of them.

By search, on all states and not on reduced ones: states that show the same of what matters at the same least cost can
stand for each other, so they are counted and listed without being searched.  No part of the certificate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice, product
from typing import Any

from hornbook.arithmetic import number_text
from hornbook.cover import Costs, CoverProblem, Limits, Piece, RaySets, cheapest_covers, standing
from hornbook.coverage import Coverage, states_of_kinds, states_showing
from hornbook.errors import BadProblem
from hornbook.lesson import Lesson, arithmetic_line
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.teaching import Trace, teach

__all__ = ["MinimumLessons", "lessons_verdict", "minimum_lessons"]

_NODES = 100_000  # of the search for all covers
_TO_DECIDE = Limits(nodes=200)  # for each search for one more cover, where not all are known


def minimum_lessons(
    problem: TeachingProblem,
    *,
    limit: int = 1000,
    time_limit: float | None = None,
    node_limit: int | None = _NODES,
    progress: Progress = silent,
) -> MinimumLessons:
    """All lessons of least cost of which no state can be left out.

    For each part of the problem at most `limit` ways to cover it are looked for, and `node_limit` nodes are searched;
    beyond, the count is None.  `time_limit` is for finding and proving the minimum.  Refusals are those of `teach`.

    >>> from hornbook.environments import environment
    >>> found = minimum_lessons(environment("set_cover:0/1;1/2;0/2"))
    >>> found.count, list(found.lessons), found.status("0")
    (3, [('0', '1'), ('0', '2'), ('1', '2')], 'some')
    """
    if limit < 1:
        raise BadProblem(f"limit is {limit}; it must be at least 1")
    lesson = teach(problem, time_limit=time_limit, progress=progress)
    trace: Any = lesson.evidence
    if not lesson.is_minimum:
        return MinimumLessons(lesson, trace, None, limit)
    pieces = cheapest_covers(
        _all_kinds(trace.coverage), trace.cover.chosen, limit=limit, limits=Limits(nodes=node_limit)
    )
    return MinimumLessons(lesson, trace, pieces, limit)


def _all_kinds(coverage: Coverage) -> CoverProblem:
    """The cover problem before any reduction."""
    kinds = coverage.kinds
    costs = Costs.equal(len(kinds)) if kinds.costs is None else Costs.of([Fraction(cost) for cost in kinds.costs])
    return CoverProblem(coverage.num_rays, RaySets(kinds.start, kinds.rays), costs)


@dataclass(frozen=True, eq=False)
class MinimumLessons:
    """The lessons of least cost; `lesson` is the one that `teach` returns."""

    lesson: Lesson
    trace: Trace
    pieces: tuple[Piece, ...] | None
    """What can be covered part by part; None if the minimum is not proved."""
    limit: int

    @property
    def is_complete(self) -> bool:
        """Whether all of them are known."""
        return self.pieces is not None and all(piece.complete for piece in self.pieces)

    @cached_property
    def count(self) -> int | None:
        """How many there are, exactly; None if that is not known."""
        if self.pieces is None or not self.is_complete:
            return None
        ways = [[[len(self._rows[n, i]) for i in cover] for cover in p.covers] for n, p in enumerate(self.pieces)]
        return math.prod(sum(map(math.prod, covers)) for covers in ways)

    @property
    def lessons(self) -> Iterator[tuple[str, ...]]:
        """Those that are known, each as ids in id order, one after the other; at most `limit` of them."""
        return islice(self._all(), self.limit)

    def _all(self) -> Iterator[tuple[str, ...]]:
        problem = self.trace.problem
        for covers in product(*(piece.covers for piece in self.pieces or ())) if self.pieces is not None else ():
            parts = [self._rows[n, i] for n, cover in enumerate(covers) for i in cover]
            for rows in product(*parts):
                yield tuple(problem.state_id(row) for row in sorted(rows, key=problem.rank_of))

    @cached_property
    def always(self) -> tuple[str, ...]:
        """The states in every minimum lesson, in id order, as far as that is known without further search."""
        rows = [
            self._rows[n, i][0]
            for n, piece in enumerate(self.pieces or ())
            for i in _of_interest(piece)
            if piece.complete and len(self._rows[n, i]) == 1 and all(i in cover for cover in piece.covers)
        ]
        problem = self.trace.problem
        return tuple(problem.state_id(row) for row in sorted(rows, key=problem.rank_of))

    def status(self, state: str | int) -> str:
        """Whether a state stands in "every", in "some" (not every) or in "no" minimum lesson, or "unknown".

        Where not all lessons are known, short searches for one with it and one without it try to decide.
        """
        row = self.trace.problem.row_of(state)
        if self.pieces is None:
            showing = states_showing(self.trace.problem, self.trace.frame.marks.keys)
            return "unknown" if row in showing else "no"
        for (n, i), rows in self._rows.items():
            if row in rows:
                return standing(self.pieces[n], i, several=len(rows) > 1, limits=_TO_DECIDE)
        return "no"

    @cached_property
    def _rows(self) -> dict[tuple[int, int], list[int]]:
        """For each choice of each piece the states that can play its part, in id order; reads the problem again."""
        coverage: Any = self.trace.coverage  # of single states: nothing more was asked
        problem, kinds = self.trace.problem, coverage.kinds
        pieces = enumerate(self.pieces or ())
        choices = {(n, i): p.choices[i] for n, p in pieces for i in _of_interest(p)}
        units = sorted(set(chain.from_iterable(choices.values())))
        found = states_of_kinds(problem, self.trace.frame.marks, sets=[kinds[unit].rays for unit in units])
        members = {unit: rows.tolist() for unit, rows in zip(units, found, strict=True)}

        def cheapest(some: tuple[int, ...]) -> list[int]:
            rows = [row for unit in some for row in members[unit]]
            least = kinds[some[0]].cost
            return sorted((row for row in rows if problem.cost_of(row) == least), key=problem.rank_of)

        return {place: cheapest(some) for place, some in choices.items()}

    def to_dict(self, states: tuple[str, ...] = ()) -> dict[str, Any]:
        """The answer as JSON data, the same as `hornbook lessons --json` prints."""
        listed = [list(lesson) for lesson in self.lessons]
        count = self.count
        return {
            "ok": True,
            "size": self.lesson.size,
            "cost": number_text(self.lesson.cost),
            "proved": self.lesson.is_minimum,
            "complete": self.is_complete,
            "count": None if count is None else str(count),
            "lessons": listed,
            "always": list(self.always),
            "statuses": {state: self.status(state) for state in states},
            "num_states": self.lesson.counts.states,
        }

    def __repr__(self) -> str:
        return f"MinimumLessons: {lessons_verdict(self)}"


def _of_interest(piece: Piece) -> list[int]:
    """The choices that stand in some cover; where not all are known, any may."""
    return sorted(set(chain.from_iterable(piece.covers))) if piece.complete else list(range(len(piece.choices)))


def lessons_verdict(found: MinimumLessons) -> str:
    """The first line of the answer."""
    lesson = found.lesson
    how = arithmetic_line(lesson.arithmetic)
    if found.pieces is None:
        return f"UNKNOWN: the minimum lies between {lesson.lower_bound} and {lesson.cost} ({how})"
    price = f"{lesson.size:,} of {lesson.counts.states:,} states"
    price += "" if lesson.cost == lesson.size else f" at cost {number_text(lesson.cost)}"
    if found.count is None:
        return f"SOME OF THE MINIMUM LESSONS: {price} ({how})"
    head = "THE ONLY MINIMUM LESSON" if found.count == 1 else f"ALL {found.count:,} MINIMUM LESSONS"
    return f"{head}: {price} ({how})"
