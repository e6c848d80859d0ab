"""The answer: which states to demonstrate, how few that is known to be, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from hornbook.arithmetic import Number, exact_number, number_text
from hornbook.errors import BadProblem
from hornbook.text import harmless

__all__ = [
    "Counts",
    "Demonstration",
    "Evidence",
    "Lesson",
    "Misconception",
    "StoredEvidence",
    "arithmetic_line",
    "promise_lines",
    "request_line",
    "verdict_line",
]

_FORMAT, _VERSION = "hornbook-lesson", 1
_SHOWN_INLINE = 1_000_000  # differences; the page of a larger problem takes seconds, so it is made when it is asked for
Ray = tuple[int, ...] | tuple[float, ...]
"""A ray as people see it: a primitive integer vector, or the stored difference that represents it for float data."""


@dataclass(frozen=True)
class Demonstration:
    """Show the learner `action` in state `id` (`row` of the problem)."""

    id: str
    action: str
    row: int

    @property
    def name(self) -> str:
        """The state's name, which is its id."""
        return self.id


@dataclass(frozen=True)
class Misconception:
    """A policy that agrees with every demonstration except those that show `ray`, and is wrong where the ray occurs.

    `weights` has a positive product with every difference of the problem that is not on the ray.  In state `state` it
    scores `wrong_action` above the target `action`.  `refuted_by` are the lesson's states that show the ray.
    """

    ray: Ray
    weights: tuple[int, ...]
    refuted_by: tuple[str, ...]
    state: str
    action: str
    wrong_action: str


@dataclass(frozen=True)
class Counts:
    """How large the problem was: states, differences, and distinct directions among these."""

    states: int
    differences: int
    directions: int


class Evidence(Protocol):
    """What a lesson can be asked beyond its numbers."""

    def misconceptions(self) -> tuple[Misconception, ...]:
        """The misconceptions of the proof."""
        ...

    def misconception(self, ray: int) -> Misconception:
        """The misconception of any ray."""
        ...

    def certificate(self) -> dict[str, Any]:
        """The certificate, as JSON data."""
        ...

    def states_showing(self, ray: int) -> Iterator[str]:
        """The ids of all states that show a ray."""
        ...


@dataclass(frozen=True, eq=False)
class Lesson:
    """A set of states that teaches, with a proved interval for the least cost of any such set.

    `states` are ids in id order; `rays` are the extreme rays (primitive integer vectors, sorted) that a lesson must
    show; `seconds` says how long each step took and is no part of the answer.  `guarantee` is what the greedy teacher
    promises: its cost is at most so many times the minimum; `factor` is what the proved bound says of this lesson.
    """

    demonstrations: tuple[Demonstration, ...]
    cost: Number
    lower_bound: Number
    rays: tuple[Ray, ...]
    counts: Counts
    arithmetic: str | Mapping[str, Any]
    evidence: Evidence = field(repr=False)
    seconds: Mapping[str, float] = field(default_factory=dict, repr=False)
    request: Mapping[str, Any] | None = None
    """What was asked beyond the smallest lesson (docs/requests.md), as the certificate has it."""
    groups: tuple[str, ...] | None = None
    """The names of the groups to show, where states are shown in groups."""
    guarantee: Number | None = None

    @property
    def factor(self) -> Fraction | None:
        """How many times the minimum the cost is at most, by the proved bound; None where that is zero."""
        if self.is_minimum:
            return Fraction(1)
        return Fraction(self.cost) / self.lower_bound if self.lower_bound else None

    @property
    def states(self) -> tuple[str, ...]:
        """The ids of the states to demonstrate."""
        return tuple(d.id for d in self.demonstrations)

    @property
    def size(self) -> int:
        """How many demonstrations there are."""
        return len(self.demonstrations)

    @property
    def is_minimum(self) -> bool:
        """Whether the proved lower bound equals the cost."""
        return self.lower_bound == self.cost

    @property
    def verdict(self) -> str:
        """One line: how many demonstrations, how far that is proved, and which question was answered."""
        return verdict_line(self)

    @cached_property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """The misconceptions the proof rests on: any teaching set must refute each of them."""
        return self.evidence.misconceptions()

    def misconception(self, ray: int) -> Misconception:
        """The misconception of ray number `ray`, whether or not the proof needs it."""
        return self.evidence.misconception(ray)

    def states_showing(self, ray: int) -> Iterator[str]:
        """The ids of all states that show ray number `ray`, by reading the problem again."""
        return self.evidence.states_showing(ray)

    def certificate(self) -> dict[str, Any]:
        """A proof that can be checked without this program; its format is docs/certificate-v1.md."""
        return self.evidence.certificate()

    def to_dict(self) -> dict[str, Any]:
        """The lesson as JSON data, the same as `hornbook teach --json` prints."""
        return {
            "ok": True,
            "size": self.size,
            "cost": number_text(self.cost),
            "lower_bound": number_text(self.lower_bound),
            "proved": self.is_minimum,
            "states": list(self.states),
            "demonstrations": [{"id": d.id, "name": d.name, "action": d.action} for d in self.demonstrations],
            "rays": len(self.rays),
            "directions": self.counts.directions,
            "differences": self.counts.differences,
            "num_states": self.counts.states,
            "arithmetic": self.arithmetic if isinstance(self.arithmetic, str) else dict(self.arithmetic),
            **({} if self.request is None else {"request": dict(self.request)}),
            **({} if self.groups is None else {"groups": list(self.groups)}),
            "seconds": {name: round(value, 6) for name, value in self.seconds.items()},
            **self._promise(),
        }

    def _promise(self) -> dict[str, Any]:
        """Of the greedy teacher only."""
        if self.guarantee is None:
            return {}
        factor = self.factor
        return {
            "guarantee": number_text(self.guarantee),
            "factor": None if factor is None else number_text(factor),
        }

    def __repr__(self) -> str:
        lines = [f"Lesson: {verdict_line(self)}", *(f"  {line}" for line in promise_lines(self))]
        lines += [f"  state {harmless(d.id)}: {harmless(d.action)}" for d in self.demonstrations[:12]]
        if self.size > 12:
            lines.append(f"  ... and {self.size - 12:,} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The page, where a notebook can hold it; a table for a problem that is too large or not at hand."""
        if self.counts.differences <= _SHOWN_INLINE:
            from hornbook.report.page import page_inline

            with suppress(BadProblem):  # a loaded lesson has no problem, and jinja2 may not be installed
                return page_inline(self)
        return self._table()

    def _table(self) -> str:
        from html import escape

        cells = [(escape(harmless(d.id)), escape(harmless(d.action))) for d in self.demonstrations[:50]]
        rows = "".join(f"<tr><td>{state}</td><td>{action}</td></tr>" for state, action in cells)
        more = f"<p>... and {self.size - 50:,} more</p>" if self.size > 50 else ""
        head = "<tr><th scope='col'>state</th><th scope='col'>action</th></tr>"
        return f"<p><strong>{escape(verdict_line(self))}</strong></p><table>{head}{rows}</table>{more}"

    def save(self, path: str | Path) -> None:
        """Write the lesson with its certificate and misconceptions as JSON, to be read by `Lesson.load`."""
        data = {
            "format": _FORMAT,
            "version": _VERSION,
            "lesson": {**self.to_dict(), "seconds": {}},
            "rows": [d.row for d in self.demonstrations],
            "rays": [list(map(_ray_text, ray)) for ray in self.rays],
            "misconceptions": [_misconception_data(m) for m in self.misconceptions],
            "certificate": self.certificate(),
        }
        Path(path).write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Lesson:
        """Read what `save` wrote.  It is a record: check its certificate against the problem to trust it."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
            if data["format"] != _FORMAT or data["version"] != _VERSION:
                raise BadProblem(f"{path}: not a lesson of version {_VERSION}")
            return _from_data(data)
        except (KeyError, TypeError, ValueError) as error:
            raise BadProblem(f"{path}: not a saved lesson ({type(error).__name__}: {error})") from None


@dataclass(frozen=True)
class StoredEvidence:
    """Evidence read from a file: what was saved, and nothing that would need the problem again."""

    saved: tuple[Misconception, ...]
    proof: dict[str, Any]

    def misconceptions(self) -> tuple[Misconception, ...]:
        return self.saved

    def misconception(self, ray: int) -> Misconception:
        raise BadProblem(
            "a loaded lesson holds the misconceptions of its proof only; teach the problem again for others"
        )

    def certificate(self) -> dict[str, Any]:
        return self.proof

    def states_showing(self, ray: int) -> Iterator[str]:
        raise BadProblem("a loaded lesson does not hold its problem; teach the problem again to list states")


def verdict_line(lesson: Lesson) -> str:
    """The first line of every answer: what was found, how far it is proved, and what else was asked."""
    how = f"({arithmetic_line(lesson.arithmetic)}){request_line(lesson.request)}"
    count, what = (lesson.size, "states") if lesson.groups is None else (len(lesson.groups), "groups")
    shown = "" if lesson.groups is None else f" with {lesson.size:,} states"
    if lesson.is_minimum:
        price = "" if lesson.cost == count else f" at cost {number_text(lesson.cost)}"
        return f"PROVED MINIMUM: {count:,} of {_available(lesson):,} {what}{shown}{price} {how}"
    if lesson.cost == count:
        return f"BEST SO FAR: {count:,} {what}{shown}, at least {number_text(lesson.lower_bound)} {how}"
    interval = f"cost {number_text(lesson.cost)}, at least {number_text(lesson.lower_bound)}"
    return f"BEST SO FAR: {count:,} {what}{shown}, {interval} {how}"


def _available(lesson: Lesson) -> int:
    groups = None if lesson.request is None else lesson.request["groups"]
    return lesson.counts.states if groups is None else len(groups)


def request_line(request: Mapping[str, Any] | None) -> str:
    """What was asked beyond the smallest lesson, in a few words after the verdict; nothing where nothing was."""
    if request is None:
        return ""
    named = (("must", "must be shown"), ("may_not", "may not be shown"), ("given", "given"))
    parts = [f"{len(request[key]):,} {words}" for key, words in named if request[key]]
    parts += [f"{request['folds']}-fold"] if request["folds"] > 1 else []
    parts += ["in groups"] if request["groups"] is not None else []
    kinds = [kind for _, kind in request["prior"]]
    parts += [f"{kinds.count(kind):,} {kind} prior" for kind in ("strict", "weak") if kind in kinds]
    return f", asked: {', '.join(parts)}"


def promise_lines(lesson: Lesson) -> list[str]:
    """What the greedy teacher promises, and what the proved bound makes of it; nothing for other teachers."""
    if lesson.guarantee is None:
        return []
    factor = "no factor" if lesson.factor is None else f"a factor of {number_text(lesson.factor)}"
    return [f"greedy: at most {number_text(lesson.guarantee)} times the minimum; the proved bound gives {factor}"]


def arithmetic_line(arithmetic: str | Mapping[str, Any]) -> str:
    """Which question was answered, in a few words."""
    if isinstance(arithmetic, str):
        return {"exact": "exact", "stored": "exact on the stored floats"}[arithmetic]
    parts = [arithmetic["kind"], f"noise {arithmetic['noise']:.2g}", f"{arithmetic['merged']:,} merged"]
    if arithmetic["assumed_inside"]:
        parts.append(f"{arithmetic['assumed_inside']:,} assumed inside")
    return ", ".join(parts)


def _misconception_data(m: Misconception) -> dict[str, Any]:
    return {
        "ray": list(map(_ray_text, m.ray)),
        "weights": list(map(str, m.weights)),
        "refuted_by": list(m.refuted_by),
        "state": m.state,
        "action": m.action,
        "wrong_action": m.wrong_action,
    }


def _ray_text(value: float) -> str:
    """Integers as they are, floats in hexadecimal so that none is rounded."""
    return value.hex() if isinstance(value, float) else str(value)


def _ray(texts: Sequence[str]) -> Ray:
    if any("x" in text for text in texts):
        return tuple(float.fromhex(text) for text in texts)
    return _integers(texts)


def _integers(texts: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(text) for text in texts)


def _from_data(data: Mapping[str, Any]) -> Lesson:
    lesson = data["lesson"]
    demonstrations = zip(lesson["demonstrations"], data["rows"], strict=True)
    misconceptions = tuple(
        Misconception(
            _ray(m["ray"]),
            _integers(m["weights"]),
            tuple(m["refuted_by"]),
            m["state"],
            m["action"],
            m["wrong_action"],
        )
        for m in data["misconceptions"]
    )
    return Lesson(
        demonstrations=tuple(Demonstration(d["id"], d["action"], row) for d, row in demonstrations),
        cost=exact_number(lesson["cost"]),
        lower_bound=exact_number(lesson["lower_bound"]),
        rays=tuple(_ray(ray) for ray in data["rays"]),
        counts=Counts(lesson["num_states"], lesson["differences"], lesson["directions"]),
        arithmetic=lesson["arithmetic"],
        evidence=StoredEvidence(misconceptions, data["certificate"]),
        guarantee=exact_number(lesson["guarantee"]) if "guarantee" in lesson else None,
        request=lesson.get("request"),
        groups=tuple(lesson["groups"]) if "groups" in lesson else None,
    )
