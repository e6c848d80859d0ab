"""What `teach --drop-conflicts` says of the states that it left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hornbook.cli._answer import Answer

if TYPE_CHECKING:
    from hornbook.conflicts import Dropped
    from hornbook.errors import ConflictTerm
    from hornbook.problem import TeachingProblem
    from hornbook.progress import Progress

__all__ = ["dropping", "with_dropped"]

_SHOWN = 10  # states left out, and members of a conflict; --json lists them all


def dropping(subject: TeachingProblem, *, time_limit: float | None, progress: Progress) -> Dropped:
    """Leave out the fewest states; half of the time is for that."""
    from hornbook.conflicts import drop_conflicts

    return drop_conflicts(subject, time_limit=None if time_limit is None else time_limit / 2, progress=progress)


def with_dropped(answer: Answer, dropped: Dropped) -> Answer:
    """The answer about the rest, with what was left out and why."""
    first, *rest = answer.lines
    data = {**answer.data, "dropped": dropped.to_dict()}
    return replace(answer, data=data, lines=[f"{first}; {dropped.verdict}", *rest, *_lines(dropped)])


def _lines(dropped: Dropped) -> list[str]:
    shown = [_reason(dropped, state) for state in dropped.states[:_SHOWN]]
    more = len(dropped.states) - len(shown)
    lines = ["Left out:", *shown, *([f"  and {more:,} more"] if more else [])] if shown else []
    return [*lines, *(f"  {line}" for line in dropped.survey.lines)]


def _reason(dropped: Dropped, state: str) -> str:
    conflict = dropped.reasons.get(state, ())
    same = next((group for group in dropped.survey.contradictions if state in group), None)
    if same is not None:
        return f"  state {state}: the same features as {_states(same, besides=state)}, and another target"
    if len(conflict) == 1:
        return f"  state {state}: its target and action {conflict[0].action} have equal features"
    others = _states([term.state for term in conflict], besides=state)
    return f"  state {state}: {_actions(conflict, state)} contradicts {others}" if conflict else f"  state {state}"


def _actions(conflict: tuple[ConflictTerm, ...], state: str) -> str:
    actions = ", ".join(dict.fromkeys(term.action for term in conflict if term.state == state))
    return f"its preference over action {actions}"


def _states(states: tuple[str, ...] | list[str], *, besides: str) -> str:
    others = [other for other in dict.fromkeys(states) if other != besides]
    if not others:
        return "itself"
    some = ", ".join(others[:_SHOWN]) + (f" and {len(others) - _SHOWN:,} more" if len(others) > _SHOWN else "")
    return f"state {some}" if len(others) == 1 else f"states {some} together"
