"""Step 7 of 8, for the fast checker: which states have a part in a proof, and what states refute."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hornbook.certificate.asked import AskedProof
from hornbook.certificate.check import Proof

if TYPE_CHECKING:
    from hornbook.problem import TeachingProblem

__all__ = ["Roles", "distinct_rows", "own"]

Array = npt.NDArray[Any]
_WORD = 60  # misconceptions per integer of a packed set


def own(owners: Array, state: int) -> slice:
    """Where the differences of one state are among those of a batch, which stand in the order of its states."""
    first, last = np.searchsorted(owners, [state, state + 1]).tolist()
    return slice(first, last)


def distinct_rows(rows: Array) -> tuple[list[tuple[Any, ...]], Array]:
    """The distinct rows, and for each row its place among them."""
    if rows.dtype == object or not rows.size:
        order: dict[tuple[Any, ...], int] = {}
        places = [order.setdefault(tuple(row), len(order)) for row in rows.tolist()]
        return list(order), np.array(places, dtype=np.intp)
    whole = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    return [tuple(row) for row in rows[first].tolist()], which.ravel()


@dataclass
class Roles:
    """Which states have a part in the proof, and what states refute."""

    proof: Proof
    problem: TeachingProblem

    @cached_property
    def special(self) -> set[int]:
        if not isinstance(self.proof, AskedProof):
            return {self.problem.row_of(name) for name in self.proof.states | self.proof.branches}
        named = self.proof.branches | self.proof.request.status.keys()
        return {self.problem.row_of(name) for name in self.proof.states | (self.proof.members or named)}

    @property
    def examples(self) -> int:
        """How many states of one unit need a look."""
        return self.proof.request.folds if isinstance(self.proof, AskedProof) else 1

    @cached_property
    def refutes(self) -> Array:
        """For each ray the misconception on it, if the tree has it, else -1; the last entry is for no ray."""
        refutes = np.full(len(self.proof.rays) + 1, -1, dtype=np.int64)
        for i, (ray, _) in enumerate(self.proof.misconceptions):
            refutes[ray] = i
        return refutes

    def lesson_rows(self, states: range) -> list[int]:
        return [row for row in self.special.intersection(states) if self.problem.state_id(row) in self.proof.states]

    def add_states(self, states: range, *, owners: Array, rays: Array) -> None:
        """Without costs, states of one unit are alike: only one of each, and those with a role, need a look."""
        units = _units(owners, self.refutes[rays], len(states))
        distinct, which = distinct_rows(units)
        sets = [sum(int(word) << _WORD * i for i, word in enumerate(row)) for row in distinct]
        chosen: Iterable[int] = states
        special = self.special.intersection(states)
        if not self.problem.has_costs:
            order = np.argsort(which, kind="stable")
            first = np.searchsorted(which[order], which[order])
            examples = order[np.arange(len(order)) - first < self.examples]
            chosen = {states[i] for i in examples.tolist()} | special
        for row in chosen:
            unit, mine = sets[which[row - states.start]], set[int]()
            if row in special:
                mine.update(rays[own(owners, row - states.start)].tolist())
            self.proof.see(self.problem.state_id(row), self.problem.cost_of(row), unit=unit, rays=mine)

    def finish(self) -> None:
        """Everything is read."""
        if isinstance(self.proof, AskedProof):
            self.proof.finish()
            if self.proof.request.groups is not None:
                return  # groups come in the order of the request
        self.proof.met.sort(key=lambda name: self.problem.rank_of(self.problem.row_of(name)))


def _units(owners: Array, refuted: Array, states: int) -> Array:
    """The set of misconceptions that each state refutes, as the bits of one row of words."""
    hits = refuted >= 0
    words = np.zeros((states, int(refuted.max(initial=0)) // _WORD + 1), dtype=np.int64)
    word, bit = np.divmod(refuted[hits], _WORD)
    np.bitwise_or.at(words, (owners[hits], word), np.int64(1) << bit)
    return words
