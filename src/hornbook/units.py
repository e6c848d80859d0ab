"""Beside step 4: the units that a request speaks of, what each shows, costs, and whether it may be chosen.

Free states that show the same rays are interchangeable up to their cost, so only as many of each kind are kept as a ray
may need: the cheapest, of equal cost the first in id order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Number
from hornbook.cover import FREE, GIVEN, MAY_NOT, MUST, AskedCover, Costs, RaySets, cost_unit
from hornbook.coverage import Marks, see_who_shows, shown_by
from hornbook.problem import TeachingProblem
from hornbook.progress import Progress, silent
from hornbook.requests import Group, Request

__all__ = ["Units", "see_units"]

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Units:
    """Unit u is a state in row `rows[u]`, or group u of the request; it shows `sets[u]` and has a status.

    Units stand in id order.  Free states of which others do as well are left out.
    """

    problem: TeachingProblem
    request: Request
    cover: AskedCover
    rows: Rows

    def name(self, unit: int) -> str:
        """The id of the state, or the name of the group."""
        groups = self.request.groups
        return self.problem.state_id(int(self.rows[unit])) if groups is None else groups[unit].name

    def rows_of(self, units: Sequence[int]) -> list[int]:
        """The rows of the states of some units, each once, in id order."""
        groups = self.request.groups
        if groups is None:
            rows = {int(self.rows[unit]) for unit in units}
        else:
            rows = {self.problem.row_of(state) for unit in units for state in groups[unit].states}
        return sorted(rows, key=self.problem.rank_of)

    @cached_property
    def given_rows(self) -> list[int]:
        """The rows of states that are given, in id order."""
        return self.rows_of(np.flatnonzero(self.cover.status == GIVEN).tolist())

    def showing(self, ray: int, *, chosen: Sequence[int]) -> list[int]:
        """The units that show a ray, among those chosen and those given."""
        seen = self.cover.status == GIVEN
        seen[list(chosen)] = True
        units = self.cover.units
        showing = np.unique(units.owners()[units.rays == ray])
        return [unit for unit in showing.tolist() if seen[unit]]


def see_units(problem: TeachingProblem, marks: Marks, *, request: Request, progress: Progress = silent) -> Units:
    """The second reading, for a request: what each unit shows.

    Cost: one reading for units with a status or groups, and one for each fold.
    """
    if request.groups is not None:
        return _of_groups(problem, marks, request=request, groups=request.groups)
    special, status = _with_status(problem, request)
    order = np.argsort(special)
    start, shown = shown_by(problem, marks, owners=order, rows=special[order])
    parts = [(special, RaySets(start, shown), status)]
    skipped = np.sort(special)
    for _ in range(request.folds):
        kinds = see_who_shows(problem, marks, skipped=skipped, progress=progress).kinds
        if not len(kinds):
            break
        parts.append((kinds.rows, RaySets(kinds.start, kinds.rays), np.full(len(kinds), FREE)))
        skipped = np.union1d(skipped, kinds.rows)
    rows = np.concatenate([rows for rows, _, _ in parts])
    place = np.argsort(rows if problem.id_ranks is None else problem.id_ranks[rows])
    sets = _joined([sets for _, sets, _ in parts]).take(place)
    costs = Costs.equal(len(rows))
    if problem.has_costs:
        costs = Costs.of([Fraction(problem.cost_of(row)) for row in rows[place].tolist()], _step(problem.costs))
    status = np.concatenate([status for _, _, status in parts])[place]
    return Units(problem, request, AskedCover(marks.num_rays, sets, costs, status, request.folds), rows[place])


def _with_status(problem: TeachingProblem, request: Request) -> tuple[Rows, npt.NDArray[np.int64]]:
    """The rows that are not free, and their statuses."""
    named = [(name, status) for status, names in _statuses(request) for name in names]
    rows = np.array([problem.row_of(name) for name, _ in named], dtype=np.intp)
    return rows, np.array([status for _, status in named], dtype=np.int64)


def _statuses(request: Request) -> Iterator[tuple[int, tuple[str, ...]]]:
    yield from ((MUST, request.must), (MAY_NOT, request.may_not), (GIVEN, request.given))


def _of_groups(problem: TeachingProblem, marks: Marks, *, request: Request, groups: Sequence[Group]) -> Units:
    """Groups are units as they are, in order of their names."""
    members = [(problem.row_of(state), g) for g, group in enumerate(groups) for state in group.states]
    pairs = np.array(sorted(members), dtype=np.intp).reshape(-1, 2)
    start, shown = shown_by(problem, marks, owners=pairs[:, 1], rows=pairs[:, 0])
    place = {group.name: g for g, group in enumerate(groups)}
    status = np.full(len(groups), FREE)
    for which, names in _statuses(request):
        status[[place[name] for name in names]] = which
    prices = [group.cost for group in groups]
    costs = Costs.of(list(map(Fraction, prices)), _step(prices))
    none = np.full(len(groups), -1)
    return Units(
        problem, request, AskedCover(marks.num_rays, RaySets(start, shown), costs, status, request.folds), none
    )


def _joined(sets: Sequence[RaySets]) -> RaySets:
    """All sets, one list after the other."""
    sizes = np.concatenate([each.sizes for each in sets])
    return RaySets(np.concatenate([[0], np.cumsum(sizes)]), np.concatenate([each.rays for each in sets]))


def _step(costs: Sequence[Number]) -> Fraction:
    """What the cost of every choice is a multiple of."""
    return cost_unit([Fraction(cost) for cost in costs])
