"""Gymnasium's small tasks as exact tables; the one file that imports gymnasium (extra `rl`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from hornbook.environments._decisions import Table, best_actions
from hornbook.environments._declaration import World
from hornbook.errors import BadProblem
from hornbook.sources import ArraySource, padded

__all__ = ["Task", "task", "world_of_choices"]

_DISCOUNT = Fraction(99, 100)
_LARGEST_DENOMINATOR = 1000  # the tables store thirds as floats; this turns them back into thirds

Features = Callable[[int, int], Sequence[int]]


@dataclass(frozen=True)
class Task:
    """A task's outcomes, its map as rows of letters where it has one, and the states in which something is decided.

    Those are the states that an episode can come to and go on from.  `best` are the optimal actions of every state.
    """

    table: Table
    map: tuple[str, ...]
    decisions: tuple[int, ...]
    best: tuple[tuple[int, ...], ...]


@cache
def task(name: str) -> Task:
    """The task that gymnasium calls by this name, with its optimal actions at discount 99/100, ties exact."""
    try:
        import gymnasium
    except ImportError:
        raise BadProblem("Gymnasium's tasks need gymnasium: pip install 'hornbook[rl]'") from None
    made: Any = gymnasium.make(name).unwrapped
    table = [[[_outcome(o) for o in made.P[s][a]] for a in sorted(made.P[s])] for s in sorted(made.P)]
    letters = tuple("".join(cell.decode() for cell in row) for row in getattr(made, "desc", ()))
    starts = [int(s) for s in made.initial_state_distrib.nonzero()[0]]
    best = best_actions(table, discount=_DISCOUNT)
    return Task(table, letters, _decisions(table, starts), tuple(tuple(actions) for actions in best))


def _outcome(given: tuple[float, int, float, bool]) -> tuple[Fraction, int, Fraction, bool]:
    chance, state, reward, ends = given
    return Fraction(float(chance)).limit_denominator(_LARGEST_DENOMINATOR), int(state), Fraction(float(reward)), ends


def _decisions(table: Table, starts: list[int]) -> tuple[int, ...]:
    found, waiting = set(starts), list(starts)
    while waiting:
        outcomes = [o for action in table[waiting.pop()] for o in action]
        new = {state for _, state, _, ends in outcomes if not ends} - found
        found |= new
        waiting += new
    return tuple(sorted(found))


def world_of_choices(made: Task, names: Sequence[str], *, actions: Sequence[str], features: Features | None) -> World:
    """The states in which something is decided; the target is the first of the best actions.

    Other actions that are exactly as good are not available: a learner that takes them is not wrong, and one that does
    not is not either.  Without `features`, they are tabular: one for each state and action.
    """
    count = len(actions)
    offered = [[made.best[s][0], *(a for a in range(count) if a not in made.best[s])] for s in made.decisions]
    table = _tabular(offered, count) if features is None else _told(made, offered, features)
    vectors, available = padded(table)
    source = ArraySource.of(vectors, [0] * len(offered), available=available, exact=False)
    return World(source, names, [[actions[a] for a in row] for row in offered])


def _tabular(offered: Sequence[Sequence[int]], count: int) -> list[list[list[int]]]:
    width = len(offered) * count
    return [[[int(i == s * count + a) for i in range(width)] for a in row] for s, row in enumerate(offered)]


def _told(made: Task, offered: Sequence[Sequence[int]], features: Features) -> list[list[Sequence[int]]]:
    return [[features(s, a) for a in row] for s, row in zip(made.decisions, offered, strict=True)]
