"""hornbook: the fewest demonstrations that teach a policy, proved.

A problem is states, actions, features and one target action per state.  `teach` returns the smallest set of states
after whose demonstration every consistent linear imitator acts as the target everywhere, with a certificate.

- `TeachingProblem`, `load`, `from_table`, `environment`: make a problem from arrays, a file, a data frame, or a name.
- `drop_conflicts`, `leave_out`: the fewest states without which a policy can be taught, and a problem without them.
- `teach`: the smallest lesson, a `Lesson` with `Misconception`s and a certificate.
- `minimum_lessons`: all lessons of least cost, and whether a state stands in every, some or none of them.
- `teach_within`, `curve`: the most that a budget allows, a `PartialLesson`, and what each further demonstration adds.
- `check`: check a certificate against a problem with the independent checker.
- `counterexample`, `VersionSpace`: what a learner may still do after some demonstrations.
- `HornbookError` and its children: every refusal, with its reason and evidence.

>>> import hornbook
>>> hornbook.teach(hornbook.environment("diamond:6"))
Lesson: PROVED MINIMUM: 2 of 15,624 states (exact)
  state 0-0-0-0-3-3: 6
  state 4-0-0-0-0-3: 1
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know the name; importing typing would double the time to import this

if TYPE_CHECKING:
    from hornbook.all_lessons import MinimumLessons, minimum_lessons
    from hornbook.budgets import curve, teach_within
    from hornbook.certificate.checking import check
    from hornbook.conflicts import Dropped, drop_conflicts
    from hornbook.environments import environment
    from hornbook.errors import (
        Ambiguous,
        BadProblem,
        HornbookError,
        ImpossibleRequest,
        Interrupted,
        LimitExceeded,
        NotRealizable,
        Rejected,
    )
    from hornbook.formats import from_table, load
    from hornbook.lesson import Lesson, Misconception
    from hornbook.partial_lesson import Curve, PartialLesson
    from hornbook.problem import TeachingProblem
    from hornbook.selection import leave_out
    from hornbook.teaching import teach
    from hornbook.verdicts import Verdict, counterexample
    from hornbook.version_space import VersionSpace

__version__ = "0.1.0"

__all__ = [
    "Ambiguous",
    "BadProblem",
    "Curve",
    "Dropped",
    "HornbookError",
    "ImpossibleRequest",
    "Interrupted",
    "Lesson",
    "LimitExceeded",
    "MinimumLessons",
    "Misconception",
    "NotRealizable",
    "PartialLesson",
    "Rejected",
    "TeachingProblem",
    "Verdict",
    "VersionSpace",
    "check",
    "counterexample",
    "curve",
    "drop_conflicts",
    "environment",
    "from_table",
    "leave_out",
    "load",
    "minimum_lessons",
    "teach",
    "teach_within",
]

_HOMES = {
    "check": "certificate.checking",
    "Dropped": "conflicts",
    "drop_conflicts": "conflicts",
    "environment": "environments",
    "from_table": "formats",
    "leave_out": "selection",
    "load": "formats",
    "Lesson": "lesson",
    "Misconception": "lesson",
    "MinimumLessons": "all_lessons",
    "minimum_lessons": "all_lessons",
    "Curve": "partial_lesson",
    "PartialLesson": "partial_lesson",
    "curve": "budgets",
    "teach_within": "budgets",
    "TeachingProblem": "problem",
    "teach": "teaching",
    "Verdict": "verdicts",
    "VersionSpace": "version_space",
    "counterexample": "verdicts",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that importing hornbook costs next to nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'hornbook' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"hornbook.{_HOMES.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
