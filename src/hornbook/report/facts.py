"""Everything the page shows, as plain data: the script draws it and decides nothing.

What is said about sets of demonstrations follows from which state shows which ray, so it stays true for any choice made
on the page: a set teaches when it shows every ray, and for an open ray there is a learner that errs where the ray
occurs and nowhere else.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, primitive_vector
from hornbook.coverage import Kind, first_shown, see_who_shows
from hornbook.differences import directions_of
from hornbook.explanations import explain, mistake_of, rays_shown_by, trace_of
from hornbook.lesson import Lesson, Misconception, verdict_line
from hornbook.lookup import Lookup
from hornbook.problem import TeachingProblem
from hornbook.report.cone import Section, section_of
from hornbook.report.pictures import picture, pictured_actions
from hornbook.report.words import formula, mistake_sentence
from hornbook.teaching import Trace
from hornbook.text import harmless

__all__ = ["Limits", "page_facts"]

Json = dict[str, Any]


@dataclass(frozen=True)
class Limits:
    """How much goes on one page; what is left out is counted there."""

    rays: int = 30_000
    inside: int = 20_000
    states: int = 2_000
    pictures: int = 300_000  # letters for states, those of the lesson first, and as many for wrong answers
    inner: int = 60_000  # differences of listed states that are on no ray
    told: int = 64  # misconceptions with their scores
    quiz: int = 24
    playable: int = 12  # actions that fit on buttons; of more, some are offered
    table: int = 400_000  # numbers, for choosing other projections


def page_facts(lesson: Lesson, *, limits: Limits | None = None) -> Json:
    """The data of the page of a lesson."""
    facts = _Facts(lesson, trace_of(lesson), limits or Limits())
    return {
        "verdict": verdict_line(lesson),
        "size": lesson.size,
        "numStates": lesson.counts.states,
        "features": facts.feature_names,
        "rank": facts.section.rank,
        "axes": facts.axes(),
        "lesson": list(range(len(lesson.demonstrations))),
        "only": [list(each.only_shows) for each in explain(lesson)],
        "states": facts.states(),
        "numKinds": len(facts.kinds),
        "rays": facts.rays(),
        "inside": facts.inside(),
        "table": facts.table(),
        "quiz": facts.quiz(),
    }


@dataclass(frozen=True, eq=False)
class _Facts:
    lesson: Lesson
    trace: Trace
    limits: Limits
    _targets: dict[int, str] = field(default_factory=dict)

    @property
    def problem(self) -> TeachingProblem:
        return self.trace.problem

    @cached_property
    def section(self) -> Section:
        return section_of(self.trace)

    @cached_property
    def kinds(self) -> list[Kind]:
        """All kinds of states: those that show the same rays are told by one of them."""
        return list(see_who_shows(self.problem, self.trace.frame.marks).kinds)

    @property
    def feature_names(self) -> list[str]:
        names = self.problem.feature_names
        return (
            [harmless(n) for n in names] if names is not None else [f"f{i}" for i in range(self.problem.num_features)]
        )

    @cached_property
    def shown_rays(self) -> list[int]:
        """The rays that are drawn: all of them, or some evenly spread."""
        return _spread(len(self.trace.rays), self.limits.rays)

    @cached_property
    def quizzed(self) -> list[int]:
        """Rows to act on: spread over the problem, drawn, with something to choose, and not in the lesson."""
        if self.problem.drawing(0) is None if self.problem.num_states else True:
            return []
        shown = {d.row for d in self.lesson.demonstrations}
        found = []
        for row in _scattered(self.problem.num_states, 4 * self.limits.quiz):
            if row not in shown and int(self.problem.source.read(row, row + 1).available[0].sum()) >= 2:
                found.append(row)
        return found[: self.limits.quiz]

    @cached_property
    def listed(self) -> list[tuple[int, tuple[int, ...], int]]:
        """(row, rays, how many states of its kind): the lesson, then one of each kind, then the quiz."""
        counts = {kind.row: kind.count for kind in self.kinds}
        lesson = [d.row for d in self.lesson.demonstrations]
        others = [kind.row for kind in self.kinds if kind.row not in set(lesson)]
        room = max(0, self.limits.states - len(lesson) - len(self.quizzed))
        chosen = [others[i] for i in _spread(len(others), room)]
        rows = list(dict.fromkeys([*lesson, *chosen, *self.quizzed]))
        by_row = {kind.row: kind.rays for kind in self.kinds}
        strangers = [row for row in rows if row not in by_row]
        shown = rays_shown_by(self.trace, strangers)
        by_row |= {row: tuple(sorted(rays)) for row, rays in zip(strangers, shown, strict=True)}
        return [(row, by_row[row], counts.get(row, 0)) for row in rows]

    @cached_property
    def place(self) -> dict[int, int]:
        """Where a row is listed."""
        return {row: i for i, (row, _, _) in enumerate(self.listed)}

    def states(self) -> list[Json]:
        """The listed states: name, target, rays, how many are like it, differences on no ray, picture."""
        drawn = {ray: i for i, ray in enumerate(self.shown_rays)}
        room, left, found = self.limits.pictures, self.limits.inner, []
        for row, rays, count in self.listed:
            entry: Json = {"n": self._name(row), "a": self._target(row), "r": [drawn[r] for r in rays if r in drawn]}
            if count:
                entry["c"] = count
            inner = self._inner(row)
            if 0 < len(inner) <= left:
                entry["x"] = [round(v, 4) for v in inner.ravel().tolist()]
                left -= len(inner)
            drawing = self._picture(row) if room > 0 else None
            if drawing is not None:
                entry["p"] = drawing
                room -= _letters(drawing)
            found.append(entry)
        return found

    def _name(self, row: int) -> str:
        return harmless(self.problem.state_id(row))

    def _target(self, row: int) -> str:
        if row not in self._targets:
            target = int(self.problem.source.read(row, row + 1).target[0])
            self._targets[row] = harmless(self.problem.action_id(row, target))
        return self._targets[row]

    def _picture(self, row: int) -> Json | None:
        """The state with its target marked."""
        target = int(self.problem.source.read(row, row + 1).target[0])
        return picture(self.problem, self.problem.state_id(row), action=self.problem.action_id(row, target))

    def _inner(self, row: int) -> npt.NDArray[np.float64]:
        """Where the differences of a state stand that are on no ray; without them its wedge would look too wide."""
        if self.section.rank > 3:
            return np.zeros((0, 2))
        shown = directions_of(self.problem, self.problem.source.read(row, row + 1))
        places = self._direction_of(shown.keys)
        places = places[~self._on_rays[places]]
        return self.section.points(self.trace.differences.directions.take(places))

    def axes(self) -> list[Json]:
        """The features' own axes in the picture, where it is not a shadow."""
        if not 2 <= self.section.rank <= 3 or self.problem.num_features > 3:
            return []
        found = [(name, self.section.axis(i)) for i, name in enumerate(self.feature_names)]
        return [{"n": name, "d": [round(v, 4) for v in axis]} for name, axis in found if axis]

    def rays(self) -> Json:
        """Where rays are, what they are called, how many states show each, and where a learner errs that missed it."""
        chosen, vectors = self.shown_rays, self.trace.rays.vectors
        total = np.zeros(len(vectors), dtype=np.int64)
        for kind in self.kinds:
            total[list(kind.rays)] += kind.count
        named = len(chosen) <= self.limits.states
        return {
            "total": len(vectors),
            "uv": _packed(self.section.points(vectors.take(chosen)), np.float32),
            "label": [_label(self.lesson.rays[r]) for r in chosen] if named else [],
            "count": total[chosen].tolist(),
            "errs": self._errors(chosen),
            "told": self._told(chosen),
        }

    def _errors(self, rays: Sequence[int]) -> list[list[str | int]]:
        """For each ray the first state that shows it, its target and the wrong action; a listed state by its number."""
        rows = [self.trace.rays.rows[ray] for ray in rays]
        found = first_shown(self.problem, self.trace.differences.keys[rows]) if rows else []
        return [
            [self.place.get(row, self._name(row)), self._target(row), harmless(self.problem.action_id(row, action))]
            for row, action in found
        ]

    def _told(self, rays: Sequence[int]) -> Mapping[str, Json]:
        """Misconceptions with their scores: those of the proof first, then others while there is room."""
        proof = {m.ray: m for m in self.lesson.misconceptions[: self.limits.told]}
        place = {ray: i for i, ray in enumerate(rays)}
        known = {r: proof[v] for r, v in enumerate(self.lesson.rays) if v in proof and r in place}
        if len(rays) <= self.limits.told and self.problem.num_states * len(rays) <= 10**6:
            known |= {r: self.lesson.misconception(r) for r in rays if r not in known}
        found, room = {}, self.limits.pictures
        for ray, told in sorted(known.items()):
            found[str(place[ray])] = said = self._tell(told, drawn=room > 0)
            room -= _letters(said["p"]) if said["p"] else 0
        return found

    def _tell(self, told: Misconception, *, drawn: bool) -> Json:
        mistake = mistake_of(self.problem, told)
        said: Json = {
            "score": harmless(formula(self.problem, told.weights)),
            "error": harmless(mistake_sentence(mistake, told.weights)),
            "p": picture(self.problem, mistake.state, action=mistake.wrong_action) if drawn else None,
        }
        if self.section.rank not in (2, 3):
            return said
        scaled = self._scaled(told.weights)
        some = self.trace.rays.vectors.take(_spread(len(self.trace.rays), self.limits.told))
        return {**said, "w": [round(v, 4) for v in self.section.dual(scaled, some)]}

    def _scaled(self, weights: Sequence[int]) -> tuple[int, ...]:
        """Weights on the features as weights on the columns that vectors are written in."""
        if not self.problem.is_float:
            return tuple(weights)
        exponents = self.problem.column_exponents.tolist()
        lowest = min(exponents, default=0)
        return primitive_vector([w * 2 ** (e - lowest) for w, e in zip(weights, exponents, strict=True)])

    @cached_property
    def _direction_of(self) -> Lookup:
        return Lookup(self.trace.differences.keys)

    @cached_property
    def _on_rays(self) -> npt.NDArray[np.bool_]:
        """Which directions are on a ray or in its class."""
        on = np.zeros(len(self.trace.differences.keys), dtype=np.bool_)
        on[self._direction_of(self.trace.frame.marks.keys)] = True
        return on

    @cached_property
    def _inside_rows(self) -> list[int]:
        """Directions that are on no ray."""
        rows: list[int] = np.flatnonzero(~self._on_rays).tolist()
        return rows

    def _inside_vectors(self) -> Vectors:
        room = min(self.limits.inside, self.limits.table // max(1, self.problem.num_features))
        rows = self._inside_rows
        return self.trace.differences.directions.take([rows[i] for i in _spread(len(rows), room)])

    def inside(self) -> Json:
        """The other directions, or a sample of them."""
        vectors = self._inside_vectors()
        return {"total": len(self._inside_rows), "uv": _packed(self.section.points(vectors), np.float32)}

    def table(self) -> Json | None:
        """For more than three dimensions: the section itself, so that the page can project it as one likes."""
        size = self.problem.num_features * (len(self.shown_rays) + self._inside_vectors().exact.shape[0])
        if self.section.rank <= 3 or size > self.limits.table:
            return None
        rays, inside = self.trace.rays.vectors.take(self.shown_rays), self._inside_vectors()
        return {
            "rays": _packed(self.section.table(rays), np.float32),
            "inside": _packed(self.section.table(inside), np.float32),
        }

    def quiz(self) -> list[Json]:
        """States to act on, with what each action looks like."""
        return [self._question(row) for row in self.quizzed]

    def _question(self, row: int) -> Json:
        state = self.problem.state_id(row)
        batch = self.problem.source.read(row, row + 1)
        target = int(batch.target[0])
        offered = self._offered(np.flatnonzero(batch.available[0]).tolist(), target)
        actions = [self.problem.action_id(row, a) for a in offered]
        return {
            "s": self.place[row],
            "p": picture(self.problem, state),
            "a": [harmless(a) for a in actions],
            "m": pictured_actions(self.problem, state, actions=actions),
            "t": offered.index(target),
        }

    def _offered(self, available: list[int], target: int) -> list[int]:
        """The actions on buttons: all, or where they do not fit the target among some evenly spread."""
        if len(available) <= self.limits.playable:
            return available
        others = [a for a in available if a != target]
        return sorted([target, *(others[i] for i in _spread(len(others), self.limits.playable - 1))])


def _label(ray: Iterable[float]) -> str:
    """A ray as people see it."""
    values = [f"{v:.4g}" if isinstance(v, float) else str(v) for v in ray]
    return f"({', '.join(values)})" if len(values) <= 12 else f"({', '.join(values[:12])}, ...)"


def _spread(count: int, most: int) -> list[int]:
    """Up to `most` places of `count`, evenly spread."""
    if count <= most:
        return list(range(count))
    return [i * count // most for i in range(most)]


def _scattered(count: int, most: int) -> list[int]:
    """Up to `most` different places of `count` in a fixed order that looks like none: steps of the golden ratio."""
    if count <= most:
        return list(range(count))
    step = max(1, round(count * 0.6180339887))
    while np.gcd(step, count) != 1:
        step += 1
    return [(i + 1) * step % count for i in range(most)]


def _packed(values: npt.NDArray[np.float64], dtype: type[np.float32]) -> str:
    """Numbers in little-endian binary as base64."""
    return b64encode(np.ascontiguousarray(values, dtype=np.dtype(dtype).newbyteorder("<")).tobytes()).decode("ascii")


def _letters(drawing: Json) -> int:
    """About how long a picture is as text."""
    return 60 + sum(24 + 5 * len(shape[4]) for shape in drawing["s"])
