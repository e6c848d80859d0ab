"""The fewest states to leave out: hit every conflict, and look for conflicts that are not hit yet.

An implicit hitting set.  The fewest states that hit the conflicts known so far are a lower bound; if what they leave
can be realized, they are the answer; if not, what they leave has a conflict to add.  A floating solver proposes
conflicts and weights, and each is checked in integers before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from hornbook.conflicts._kinds import Kinds
from hornbook.cover import Cover, CoverProblem, Leaf, Limits, Proof, greedy_cover, minimum_cover
from hornbook.progress import Progress
from hornbook.rays import Conflict, guessed_compromise, guessed_conflict, realize

__all__ = ["KindConflict", "Search"]

_TRIES = 6  # rounds of the heuristic that finds a first set
_MOST_PAIRS = 2_000  # opposite pairs that are taken as conflicts before any is searched for
_EXACT_DIMENSIONS = 64  # up to here an exact simplex decides where the solver was no help


@dataclass(frozen=True)
class KindConflict:
    """Directions that sum to zero with these multipliers; each is shown by one of the kinds."""

    directions: tuple[int, ...]
    multipliers: tuple[int, ...]
    kinds: tuple[int, ...]


class _Unknown(Exception):
    """Neither solver could tell whether some kinds can be realized."""


@dataclass
class Search:
    """A search that a limit may end between any two steps; its fields tell what is known then.

    `best` are kinds whose absence makes the rest realizable, `lower_bound` is how many states must go, by `proof` over
    the conflicts.  `reasons` has for each kind of `best` a conflict with kinds that stay.
    """

    kinds: Kinds
    progress: Progress
    round_limit: int | None = None
    time_limit: float | None = None
    conflicts: list[KindConflict] = field(default_factory=list)
    best: frozenset[int] | None = None
    reasons: dict[int, KindConflict] = field(default_factory=dict)
    lower_bound: int = 0
    proof: Proof = field(default_factory=Leaf)
    _start: float = field(default_factory=time.monotonic)
    _rounds: int = 0

    def run(self) -> None:
        """Until the set is the fewest, or until a limit."""
        everything = frozenset(range(len(self.kinds)))
        self._propose(everything)
        if self.best:
            self._add([*self._ties(), *self._opposites()])
            with suppress(_Unknown):
                self._narrow(everything)
            if self.best and self.conflicts:
                self._bound(Limits(nodes=1))
                self._put_back(everything)

    @property
    def cost(self) -> int:
        """How many states the best set has."""
        return self.kinds.count(self.best or ())

    def _narrow(self, everything: frozenset[int]) -> None:
        """Close in from both sides: conflicts that a greedy set leaves, then those that a smallest set leaves."""
        new = self._conflicts_among(everything)
        if not new:
            self.best = frozenset()  # the solver could not show it, but exact arithmetic could
            return
        while not self._is_over():
            self._add(new)
            new = self._left_by(greedy_cover(self._cover_problem()), everything)
            if not new and not self._is_over():
                cover = self._bound(Limits(seconds=self._left()))
                new = self._left_by(cover, everything) if self.lower_bound < self.cost else []
                if not new and not cover.is_minimum:
                    return

    def _is_over(self) -> bool:
        self.progress("looking for conflicts", len(self.conflicts), None)
        self._rounds += 1
        out = self._left() == 0 or (self.round_limit is not None and self._rounds > self.round_limit)
        return out or self.lower_bound >= self.cost

    def _left(self) -> float | None:
        return None if self.time_limit is None else max(0.0, self.time_limit - (time.monotonic() - self._start))

    def _propose(self, everything: frozenset[int]) -> None:
        """A first set, by weights that are wrong about few kinds."""
        found = self._compromise(everything, tries=_TRIES)
        self.best = everything if found is None else found

    def _compromise(self, among: Iterable[int], *, tries: int) -> frozenset[int] | None:
        """Some of these kinds without which the others are realized."""
        some = sorted(among)
        if not some:
            return frozenset()
        directions, owners = self.kinds.members(some)
        place = {kind: i for i, kind in enumerate(some)}
        found = guessed_compromise(
            self.kinds.vectors.take(directions),
            [place[kind] for kind in owners.tolist()],
            costs=self.kinds.counts(some),
            rounds=tries,
            seconds=self._left(),
        )
        return None if found is None else frozenset(some[i] for i in found.wrong)

    def _left_by(self, cover: Cover, everything: frozenset[int]) -> list[KindConflict]:
        """Conflicts that this hitting set leaves; if there are none, it is as good as the best."""
        out = frozenset(self._units[unit] for unit in cover.chosen)
        found = self._conflicts_among(everything - out)
        if not found and self.kinds.count(out) < self.cost:
            self.best = out
        return found

    def _conflicts_among(self, among: frozenset[int]) -> list[KindConflict]:
        """Conflicts without a common kind; none only if these kinds are realized."""
        found: list[KindConflict] = []
        while conflict := self._conflict(among):
            found.append(conflict)
            among = among - set(conflict.kinds)
            self.progress("looking for conflicts", len(self.conflicts) + len(found), None)
        if not found and self._compromise(among, tries=1) != frozenset():
            return self._decided(among)
        return found

    def _conflict(self, among: frozenset[int]) -> KindConflict | None:
        """One conflict of these kinds, if the solver points at one."""
        directions = np.unique(self.kinds.members(among)[0])
        if directions.size == 0:
            return None
        found = guessed_conflict(self.kinds.vectors.take(directions), seconds=self._left())
        return None if found is None else self._of_kinds(found, directions.tolist(), among)

    def _decided(self, among: frozenset[int]) -> list[KindConflict]:
        """The same without the solver's help, where that can be done."""
        if self.kinds.vectors.dimension > _EXACT_DIMENSIONS:
            raise _Unknown
        directions = np.unique(self.kinds.members(among)[0])
        found = realize(self.kinds.vectors.take(directions))
        return [self._of_kinds(found, directions.tolist(), among)] if isinstance(found, Conflict) else []

    def _of_kinds(self, conflict: Conflict, directions: list[int], among: frozenset[int]) -> KindConflict:
        """A kind for each direction, few of them."""
        members = [directions[row] for row in conflict.rows]
        able = {direction: [k for k in self.kinds.showing[direction] if k in among] for direction in members}
        uses: dict[int, int] = {}
        for kinds in able.values():
            for kind in kinds:
                uses[kind] = uses.get(kind, 0) + 1
        chosen: set[int] = set()
        for direction in sorted(members, key=lambda d: len(able[d])):
            if not chosen.intersection(able[direction]):
                chosen.add(max(able[direction], key=lambda k: (uses[k], -k)))
        return KindConflict(tuple(members), conflict.multipliers, tuple(sorted(chosen)))

    def _ties(self) -> list[KindConflict]:
        """Kinds with a difference that is zero."""
        zero = np.flatnonzero((self.kinds.directions.exact == 0).all(axis=1)).tolist()
        return [KindConflict((i,), (1,), (kind,)) for i in zero for kind in self.kinds.showing[i]]

    def _opposites(self) -> list[KindConflict]:
        """Pairs of directions that are each other's negative, and so pairs of kinds (or one kind with both)."""
        found: list[KindConflict] = []
        for i, j in self.kinds.opposites:
            for first in self.kinds.showing[i]:
                for second in self.kinds.showing[j]:
                    found.append(KindConflict((i, j), (1, 1), tuple(sorted({first, second}))))
                    if len(found) == _MOST_PAIRS:
                        return found
        return found

    def _add(self, conflicts: Iterable[KindConflict]) -> None:
        known = {conflict.kinds for conflict in self.conflicts}
        for conflict in conflicts:
            if conflict.kinds not in known:
                known.add(conflict.kinds)
                self.conflicts.append(conflict)

    @property
    def _units(self) -> list[int]:
        """The kinds that are in some conflict: what may be left out."""
        return sorted({kind for conflict in self.conflicts for kind in conflict.kinds})

    def _cover_problem(self) -> CoverProblem:
        units = self._units
        hits: dict[int, list[int]] = {kind: [] for kind in units}
        for i, conflict in enumerate(self.conflicts):
            for kind in conflict.kinds:
                hits[kind].append(i)
        return CoverProblem(len(self.conflicts), list(hits.values()), self.kinds.counts(units))

    def _bound(self, limits: Limits) -> Cover:
        """The fewest that hit the conflicts known, which bounds the answer from below."""
        cover = minimum_cover(self._cover_problem(), limits=limits)
        if cover.interrupted:
            raise KeyboardInterrupt
        if cover.lower_bound > self.lower_bound:
            self.lower_bound, self.proof = int(cover.lower_bound), cover.proof
        return cover

    def _put_back(self, everything: frozenset[int]) -> None:
        """Return what contradicts nothing that stays; the others get the conflict as their reason."""
        for kind in sorted(self.best or (), key=lambda k: (-len(self.kinds.rows[k]), k)):
            staying = everything - (self.best or frozenset())
            reason = self._conflict(staying | {kind})
            if reason is None and self._compromise(staying | {kind}, tries=1) == frozenset():
                self.best = (self.best or frozenset()) - {kind}
                continue
            known = (conflict for conflict in self.conflicts if kind in conflict.kinds)
            if told := reason or next(known, None):
                self.reasons[kind] = told
