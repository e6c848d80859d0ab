"""The teachers of the paper: the minimum lesson, the greedy one, and everything."""

from __future__ import annotations

from fractions import Fraction

from hornbook.lesson import Lesson
from hornbook.teachers._declaration import Asked, Taught, Teacher
from hornbook.teaching import teach

__all__ = ["ALL", "GREEDY", "MINIMUM"]


def _taught(lesson: Lesson) -> Taught:
    note = "proved minimum" if lesson.is_minimum else f"at least {lesson.lower_bound}"
    return Taught([d.row for d in lesson.demonstrations], Fraction(lesson.size), note=note)


def minimum(asked: Asked) -> Taught:
    """As few demonstrations as can be, with a proof."""
    return _taught(asked.lesson)


def greedy(asked: Asked) -> Taught:
    """The state that shows most rays not shown yet, again and again; at most H(most rays of a state) times too many."""
    return _taught(teach(asked.classroom.problem, teacher="greedy"))


def everything(asked: Asked) -> Taught:
    """Every state."""
    count = asked.classroom.problem.num_states
    return Taught(range(count), Fraction(count), note="every state")


MINIMUM = Teacher("minimum", minimum)
GREEDY = Teacher("greedy", greedy)
ALL = Teacher("all", everything)
