"""One page that holds a lesson, its proof in words and pictures to play with; the one file that imports jinja2.

The page is one file that loads nothing: its policy forbids everything but its own script and style, which it names by
their hashes.  Names are data of others: the template escapes them, and the script only ever makes text of them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

import hornbook
from hornbook.errors import BadProblem
from hornbook.explanations import Explained, explain, mistake_of, trace_of
from hornbook.lesson import Lesson, Misconception, verdict_line
from hornbook.report.facts import Limits, page_facts
from hornbook.report.story import assumptions, counts, lead, lesson_words, story
from hornbook.report.take import taken_files
from hornbook.report.words import formula, mistake_sentence
from hornbook.text import harmless

__all__ = ["page", "page_inline"]

_CARDS, _WRONG = 12, 6  # demonstrations and misconceptions with a card; the rest is listed or counted


def page(lesson: Lesson, *, title: str | None = None, command: str | None = None, limits: Limits | None = None) -> str:
    """The page of a lesson, one HTML text; `title` and `command` default to the environment's name.

    Cost: the problem is read a few times more; the page grows with the rays, up to `limits`.
    """
    if lesson.request is not None:
        raise BadProblem(
            "the page tells the story of a smallest lesson, and more was asked of this one; "
            "print it, or read its certificate"
        )
    trace = trace_of(lesson)
    name = title or trace.problem.name or "A lesson"
    assets = {kind: _asset(f"page.{kind}") for kind in ("js", "css")}
    facts = page_facts(lesson, limits=limits)
    cards = [_card(lesson, each) for each in explain(lesson)]
    told = lesson.misconceptions
    text: str = _template().render(
        policy=_policy(assets["js"], assets["css"]),
        version=hornbook.__version__,
        title=harmless(name),
        verdict=verdict_line(lesson),
        proved=lesson.is_minimum,
        lead=lead(lesson),
        counts=counts(lesson),
        lesson_words=lesson_words(lesson),
        cards=cards[:_CARDS],
        more_cards=cards[_CARDS:],
        story=story(lesson, trace),
        misconceptions=[_wrong(lesson, m) for m in told[:_WRONG]],
        more_misconceptions=f"{len(told) - _WRONG:,}" if len(told) > _WRONG else "",
        terms=assumptions(lesson),
        files=taken_files(lesson, title=name, command=command),
        digest=trace.problem.digest,
        data=_Markup(_embedded(facts)),
        script=_Markup(assets["js"]),
        style=_Markup(assets["css"]),
    )
    return text


def page_inline(lesson: Lesson, *, height: int = 720) -> str:
    """The page inside a frame, for a notebook: it needs no kernel and no network afterwards."""
    words = escape(verdict_line(lesson), quote=True)
    style = f"width:100%;height:{height}px;border:1px solid #8884;border-radius:8px"
    content = escape(page(lesson), quote=True)
    return (
        f'<iframe title="{words}" srcdoc="{content}" sandbox="allow-scripts allow-popups" '
        f'loading="lazy" style="{style}"></iframe>'
    )


@dataclass(frozen=True)
class _Markup:
    """Text that is markup already, and is not escaped: our own assets and pictures, and data without angle brackets."""

    text: str

    def __html__(self) -> str:
        return self.text


def _template() -> Any:
    try:
        import jinja2
    except ImportError:
        raise BadProblem("the page needs jinja2: pip install 'hornbook[report]'") from None
    surroundings = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return surroundings.from_string(_asset("page.html.jinja"))


def _asset(name: str) -> str:
    return files("hornbook.report").joinpath("assets", name).read_text(encoding="utf-8").strip()


def _policy(script: str, style: str) -> str:
    """Nothing is allowed but this script and this style."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _embedded(facts: Mapping[str, Any]) -> str:
    """JSON that no browser can mistake for markup: letters that could end a script are written as escapes."""
    text = json.dumps(facts, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _card(lesson: Lesson, each: Explained) -> dict[str, object]:
    shown, alone = each.demonstration, len(each.only_shows)
    why = "It alone refutes 1 misconception." if alone == 1 else f"It alone refutes {alone:,} misconceptions."
    if alone == 0:
        why = "Others refute the same misconceptions."
    drawing = trace_of(lesson).problem.draw_state(shown.id, shown.action)
    return {"state": harmless(shown.id), "action": harmless(shown.action), "why": why, "svg": _drawn(drawing)}


def _wrong(lesson: Lesson, told: Misconception) -> dict[str, object]:
    problem = trace_of(lesson).problem
    mistake = mistake_of(problem, told)
    return {
        "score": harmless(formula(problem, told.weights)),
        "error": harmless(mistake_sentence(mistake, told.weights)),
        "refuted": f"Refuted by showing {_listed(told.refuted_by)}.",
        "svg": _drawn(problem.draw_state(mistake.state, mistake.wrong_action)),
    }


def _listed(states: Sequence[str]) -> str:
    some = ", ".join(harmless(state) for state in states[:3])
    return some if len(states) <= 3 else f"{some} or others"


def _drawn(svg: str | None) -> _Markup | None:
    return None if svg is None else _Markup(svg)
