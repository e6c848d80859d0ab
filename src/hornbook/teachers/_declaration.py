"""What a teacher is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from hornbook.classroom import Classroom
from hornbook.lesson import Lesson
from hornbook.teaching import teach

__all__ = ["Asked", "Taught", "Teacher"]


@dataclass(frozen=True, eq=False)
class Asked:
    """A problem laid out, and a seed for teachers that draw lots."""

    classroom: Classroom
    seed: int = 0

    @cached_property
    def lesson(self) -> Lesson:
        """The minimum lesson; teachers with a budget get as many demonstrations as it has."""
        return teach(self.classroom.problem)


@dataclass(frozen=True)
class Taught:
    """The states shown, as rows, and how many demonstrations that took (an expectation where lots are drawn).

    `spread` is the standard deviation of that number; `note` says in a few words how the numbers were found.
    """

    rows: Sequence[int]
    size: Fraction
    spread: float = 0.0
    note: str = field(default="", compare=False)


@dataclass(frozen=True)
class Teacher:
    """`teach` chooses the states.  `aims_to_teach` says whether they are meant to teach, or only to fill a budget."""

    name: str
    teach: Callable[[Asked], Taught]
    aims_to_teach: bool = True
