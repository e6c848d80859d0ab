"""The answer within a budget: which states to demonstrate, what they refute, and how much more could be refuted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hornbook.arithmetic import Number, number_text
from hornbook.lesson import Counts, Demonstration, arithmetic_line
from hornbook.text import harmless

if TYPE_CHECKING:
    from hornbook.budgets import PartialTrace

__all__ = ["Curve", "PartialLesson", "partial_verdict"]


@dataclass(frozen=True, eq=False)
class PartialLesson:
    """States within a budget that refute many misconceptions, with a proved bound on what any such states refute.

    It need not teach: `decided` counts the states where every consistent learner is right after these demonstrations.
    That number is exact, but nothing is claimed about other states that might decide more.
    """

    demonstrations: tuple[Demonstration, ...]
    budget: Number
    per: str
    """What counts against the budget: `cost`, or `demonstration` where each counts one."""
    cost: Number
    """What these demonstrations count against it."""
    value: Number
    """What the refuted misconceptions are worth together; their number unless weights were given."""
    upper_bound: Number
    """No demonstrations within the budget refute misconceptions worth more."""
    total: Number
    """What all misconceptions are worth."""
    refuted: tuple[int, ...]
    """The numbers of the rays whose misconceptions are refuted, as `hornbook rays` counts them, from 0."""
    num_rays: int
    counts: Counts
    arithmetic: str | Mapping[str, Any]
    trace: PartialTrace = field(repr=False)
    seconds: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def states(self) -> tuple[str, ...]:
        """The ids of the states to demonstrate, in id order."""
        return tuple(d.id for d in self.demonstrations)

    @property
    def size(self) -> int:
        """How many demonstrations there are."""
        return len(self.demonstrations)

    @property
    def is_most(self) -> bool:
        """Whether the proved bound equals the value."""
        return self.value == self.upper_bound

    @property
    def teaches(self) -> bool:
        """Whether every misconception is refuted, so that these demonstrations teach the policy."""
        return len(self.refuted) == self.num_rays

    @cached_property
    def decided(self) -> int:
        """In how many states every learner consistent with the demonstrations acts as the target; exact.

        For float data, beyond the noise, as `counterexample` says it.  Cost: two readings of the problem.
        """
        return self.counts.states - self.trace.count_undecided(self.states)

    def certificate(self) -> dict[str, Any]:
        """A proof that can be checked without this program; its format is docs/certificate-v1.md."""
        from hornbook.certificate.build import build_partial

        return build_partial(self)

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON data, the same as `hornbook teach --budget --json` prints."""
        return {
            "ok": True,
            "per": self.per,
            **self.point(),
            "demonstrations": [{"id": d.id, "name": d.name, "action": d.action} for d in self.demonstrations],
            "total": number_text(self.total),
            "rays": self.num_rays,
            "directions": self.counts.directions,
            "differences": self.counts.differences,
            "num_states": self.counts.states,
            "arithmetic": self.arithmetic if isinstance(self.arithmetic, str) else dict(self.arithmetic),
            "seconds": {name: round(value, 6) for name, value in self.seconds.items()},
        }

    def point(self) -> dict[str, Any]:
        """What a curve says of each budget, as JSON data."""
        return {
            "budget": number_text(self.budget),
            "size": self.size,
            "cost": number_text(self.cost),
            "value": number_text(self.value),
            "upper_bound": number_text(self.upper_bound),
            "proved": self.is_most,
            "refuted": len(self.refuted),
            "teaches": self.teaches,
            "decided": self.decided,
            "states": list(self.states),
        }

    def __repr__(self) -> str:
        lines = [f"PartialLesson: {partial_verdict(self)}"]
        lines += [f"  state {harmless(d.id)}: {harmless(d.action)}" for d in self.demonstrations[:12]]
        if self.size > 12:
            lines.append(f"  ... and {self.size - 12:,} more")
        return "\n".join(lines)


def partial_verdict(lesson: PartialLesson) -> str:
    """The first line of the answer: what was found and how far it is proved.  It never says that the states teach."""
    counted = lesson.value == len(lesson.refuted) and lesson.total == lesson.num_rays
    bound = number_text(lesson.upper_bound)
    what = f"{len(lesson.refuted):,} of {lesson.num_rays:,} misconceptions"
    if not counted:
        what += f", worth {number_text(lesson.value)} of {number_text(lesson.total)}"
    if not lesson.is_most:
        what += f", at most {bound}" if counted else f", at most worth {bound}"
    head = "PROVED MOST" if lesson.is_most else "BEST SO FAR"
    states = f"{lesson.size:,} of {lesson.counts.states:,} states"
    return f"{head}: {states} refute {what} ({arithmetic_line(lesson.arithmetic)})"


@dataclass(frozen=True, eq=False)
class Curve:
    """The most that each of several budgets buys, each point a `PartialLesson` with its own proof."""

    points: tuple[PartialLesson, ...]

    def to_dict(self) -> dict[str, Any]:
        """The curve as JSON data, the same as `hornbook curve --json` prints."""
        whole = self.points[-1].to_dict()
        kept = ("per", "total", "rays", "directions", "differences", "num_states", "arithmetic", "seconds")
        return {"ok": True, "points": [p.point() for p in self.points], **{key: whole[key] for key in kept}}

    def __repr__(self) -> str:
        lines = [f"Curve: {len(self.points)} points"]
        for p in self.points:
            interval = f"[{number_text(p.value)}, {number_text(p.upper_bound)}]"
            lines.append(f"  budget {number_text(p.budget)}: {interval} of {number_text(p.total)}")
        return "\n".join(lines)
