"""Everything hornbook refuses, in one family: catch `HornbookError` to catch it all.

Every error says where, what, why and what to try; its evidence is an attribute too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from hornbook.text import harmless

if TYPE_CHECKING:
    from hornbook.lesson import Lesson, Misconception
    from hornbook.partial_lesson import PartialLesson

__all__ = [
    "Ambiguous",
    "BadProblem",
    "ConflictTerm",
    "HornbookError",
    "ImpossibleRequest",
    "Interrupted",
    "LimitExceeded",
    "NotRealizable",
    "PriorTerm",
    "Rejected",
]


class HornbookError(Exception):
    """A refusal with a reason.  `kind` is its name in JSON, `exit_code` the command line's exit status."""

    kind: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1


class BadProblem(HornbookError, ValueError):
    """The input is not a teaching problem; the message names the file, state, action or feature."""

    kind: ClassVar[str] = "bad_input"
    exit_code: ClassVar[int] = 2


class ImpossibleRequest(BadProblem):
    """No lesson does what is asked: `misconception` would remain, and it errs in `states`."""

    def __init__(self, message: str, *, misconception: Misconception, states: tuple[str, ...]) -> None:
        self.misconception = misconception
        self.states = states
        super().__init__(message)


@dataclass(frozen=True)
class ConflictTerm:
    """One member of a conflict: `multiplier` times the difference of `state` over `action`."""

    state: str
    action: str
    multiplier: Fraction


@dataclass(frozen=True)
class PriorTerm:
    """One member of a conflict that a learner believes: `multiplier` times `vector`."""

    vector: tuple[int, ...]
    strict: bool
    multiplier: Fraction


class NotRealizable(HornbookError):
    """No linear policy acts as the target: `conflict` is a positive combination of differences that sums to zero.

    It is irreducible: without any one of its members the rest can be satisfied.  `prior` has the members that the
    learner believes.
    """

    kind: ClassVar[str] = "not_realizable"
    exit_code: ClassVar[int] = 3

    def __init__(self, conflict: tuple[ConflictTerm, ...], *, prior: tuple[PriorTerm, ...] = ()) -> None:
        self.conflict = conflict
        self.prior = prior
        super().__init__(harmless(_tell_prior(conflict, prior) if prior else _tell(conflict)))


def _tell_prior(conflict: tuple[ConflictTerm, ...], prior: tuple[PriorTerm, ...]) -> str:
    told = [f"{_times(t.multiplier)} x (state {t.state} over action {t.action})" for t in conflict]
    told += [
        f"{_times(t.multiplier)} x (the {'strict' if t.strict else 'weak'} prior {' '.join(map(str, t.vector))})"
        for t in prior
    ]
    what = (
        "the policy contradicts what the learner believes"
        if conflict
        else "the learner's beliefs contradict each other"
    )
    return f"{what}: {' + '.join(told)} sums to zero. Drop one of these priors, or make it weak if it is strict."


def _tell(conflict: tuple[ConflictTerm, ...]) -> str:
    if len(conflict) == 1:
        (term,) = conflict
        return (
            f"the policy is not linear in these features: in state {term.state} the target and action {term.action} "
            "have equal features, so no weights can prefer the target. "
            "Add a feature that tells them apart, or drop the action or the state."
        )
    terms = " + ".join(f"{_times(t.multiplier)} x (state {t.state} over action {t.action})" for t in conflict)
    return (
        f"the policy is not linear in these features: {terms} sums to zero. "
        "Add a feature that tells these apart, or drop one of them."
    )


def _times(multiplier: Fraction) -> str:
    """The multiplier, or its length where nobody would read it (Python refuses to write above 4,300 digits)."""
    digits = max(multiplier.numerator.bit_length(), multiplier.denominator.bit_length()) * 3 // 10
    return str(multiplier) if digits <= 100 else f"(a number of about {digits} digits)"


class Ambiguous(HornbookError):
    """The numbers are too close to call within their noise: `places` says which differences, `hint` what to do."""

    kind: ClassVar[str] = "ambiguous"
    exit_code: ClassVar[int] = 4

    def __init__(self, message: str, *, places: tuple[tuple[str, str], ...], hint: str) -> None:
        self.places = places
        self.hint = hint
        super().__init__(message)


class LimitExceeded(HornbookError):
    """A limit left no answer, or the input is above a size limit."""

    kind: ClassVar[str] = "limit"
    exit_code: ClassVar[int] = 5


class Rejected(HornbookError):
    """A certificate does not prove what it claims; the message is the checker's reason."""

    kind: ClassVar[str] = "rejected"
    exit_code: ClassVar[int] = 6


class Interrupted(HornbookError, KeyboardInterrupt):
    """Stopped by Ctrl-C; `lesson` is the best set so far with its interval, or None if there is none yet."""

    kind: ClassVar[str] = "interrupted"
    exit_code: ClassVar[int] = 130

    def __init__(self, message: str, *, lesson: Lesson | PartialLesson | None = None) -> None:
        self.lesson = lesson
        super().__init__(message)
