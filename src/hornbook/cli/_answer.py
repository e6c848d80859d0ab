"""What a command answers, and how an answer is printed: as one JSON object or as lines of text."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TextIO

from hornbook.errors import Ambiguous, HornbookError, ImpossibleRequest, Interrupted, LimitExceeded, NotRealizable
from hornbook.text import harmless

if TYPE_CHECKING:
    from hornbook.lesson import Lesson
    from hornbook.partial_lesson import PartialLesson
    from hornbook.problem import TeachingProblem

__all__ = ["Answer", "lesson_lines", "level", "partial_lines", "publish", "ratio", "refused", "stored_level", "whole"]

_PLAIN = 2**53  # integers from here up are written as texts: other languages read JSON numbers as doubles


@dataclass(frozen=True)
class Answer:
    """How a command ends: what `--json` prints, the lines printed otherwise, what is said aside, the code."""

    data: Mapping[str, Any] = field(default_factory=dict)
    lines: Sequence[str] = ()
    aside: Sequence[str] = ()
    code: int = 0


def refused(error: HornbookError) -> Answer:
    """The answer to a refusal: its kind, its reason, and its evidence."""
    kind = error.kind.replace("_", " ")
    found = error.lesson if isinstance(error, Interrupted) else None
    return Answer(
        data={"ok": False, "error": error.kind, "message": str(error), **_evidence(error)},
        lines=() if found is None else _lines_of(found),
        aside=(f"{kind}: {error}",),
        code=error.exit_code,
    )


def _lines_of(lesson: Lesson | PartialLesson) -> list[str]:
    from hornbook.lesson import Lesson

    return lesson_lines(lesson) if isinstance(lesson, Lesson) else partial_lines(lesson)


def _evidence(error: HornbookError) -> dict[str, Any]:
    if isinstance(error, NotRealizable):
        return _contradiction(error)
    if isinstance(error, ImpossibleRequest):
        told = error.misconception
        wrong = {"state": told.state, "action": told.action, "wrong_action": told.wrong_action}
        remaining = {"w": [whole(v) for v in told.weights], **wrong}
        return {"misconception": remaining, "wrong_states": list(error.states)}
    if isinstance(error, Ambiguous):
        return {"pair": [{"state": s, "action": a} for s, a in error.places], "hint": error.hint}
    if isinstance(error, Interrupted) and error.lesson is not None:
        bound = "lower_bound" if hasattr(error.lesson, "lower_bound") else "upper_bound"
        return {"states": list(error.lesson.states), bound: str(getattr(error.lesson, bound))}
    return {}


def _contradiction(error: NotRealizable) -> dict[str, Any]:
    conflict = [
        {"state": term.state, "action": term.action, "multiplier": ratio(term.multiplier)} for term in error.conflict
    ]
    prior = [
        {
            "vector": [whole(v) for v in term.vector],
            "kind": "strict" if term.strict else "weak",
            "multiplier": ratio(term.multiplier),
        }
        for term in error.prior
    ]
    return {"conflict": conflict, **({"prior": prior} if prior else {})}


def ratio(value: Fraction) -> str:
    """`p` or `p/q`, of any length: decimals are written where Python's integers stop at 4,300 digits."""
    above, below = Decimal(value.numerator), Decimal(value.denominator)
    return str(above) if below == 1 else f"{above}/{below}"


def lesson_lines(lesson: Lesson) -> list[str]:
    """The verdict and the demonstrations."""
    from hornbook.lesson import promise_lines, verdict_line

    return [verdict_line(lesson), *promise_lines(lesson), *_demonstrations(lesson)]


def partial_lines(lesson: PartialLesson) -> list[str]:
    """The verdict within a budget, and the demonstrations."""
    from hornbook.partial_lesson import partial_verdict

    return [partial_verdict(lesson), *_demonstrations(lesson)]


def _demonstrations(lesson: Lesson | PartialLesson) -> list[str]:
    return [f"  in state {d.id} do {d.action}" for d in lesson.demonstrations]


def level(problem: TeachingProblem) -> str:
    """Which question is asked of a problem, as verdicts say it."""
    if problem.is_float:
        return f"{problem.arithmetic}, noise {float(problem.tolerances.noise):.2g}"
    return stored_level(problem.arithmetic)


def stored_level(arithmetic: str | Mapping[str, Any]) -> str:
    """The same from what a certificate says."""
    from hornbook.arithmetic import exact_number
    from hornbook.lesson import arithmetic_line

    if isinstance(arithmetic, str):
        return arithmetic_line(arithmetic)
    return f"{arithmetic['kind']}, noise {float(exact_number(arithmetic['noise'])):.2g}"


def whole(value: int) -> int | str:
    """An integer as JSON: a number where every reader agrees what it is, else text."""
    if -_PLAIN < value < _PLAIN:
        return value
    try:
        return str(value)
    except ValueError:
        digits = value.bit_length() * 3 // 10
        raise LimitExceeded(f"a number of the answer has about {digits} digits, too many to print") from None


def publish(answer: Answer, *, json_wanted: bool, out: TextIO | None, err: TextIO | None) -> None:
    """Print an answer.  Names may be hostile: text passes through `harmless` here and nowhere else."""
    if json_wanted and answer.data:
        _write(out, [json.dumps(answer.data)])
    elif answer.lines:
        first, *rest = map(harmless, answer.lines)
        _write(out, [f"\x1b[1m{first}\x1b[0m" if _styled(out) else first, *rest])
    _write(err, [harmless(line) for line in answer.aside])


def _styled(out: TextIO | None) -> bool:
    if out is None or not out.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write(stream: TextIO | None, lines: Sequence[str]) -> None:
    """Bytes at once: a letter that the stream's encoding lacks is written out instead of failing half way."""
    if lines and stream is not None:  # a closed stream is None
        text = "".join(f"{line}\n" for line in lines)
        stream.buffer.write(text.encode(stream.encoding, "backslashreplace"))
        stream.buffer.flush()
