"""The page as a file: what it says is true, what it holds is text, and what it may load is nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import hornbook
from hornbook.cover import Branch, Leaf, SetBound
from hornbook.errors import BadProblem
from hornbook.explanations import trace_of
from hornbook.lesson import Lesson
from hornbook.problem import TeachingProblem
from hornbook.report.cone import Section
from hornbook.report.facts import Limits, page_facts
from hornbook.report.page import page, page_inline
from hornbook.report.pictures import pictured_actions
from hornbook.report.story import assumptions, lead, story
from hornbook.teaching import teach
from tests.report.hostile import HOSTILE, hostile_problem, hostile_space
from tests.test_explanations import crowded_lesson

ELEMENTS = """
    html head meta title style body a header p svg path button main section h1 h2 span dl div dt dd ol li b code details
    summary table thead tbody tr th td figure figcaption footer noscript script pre
"""
VOID = {"meta", "link", "base", "img", "input", "br", "hr", "source", "embed"}


class Elements(HTMLParser):
    """What a parser makes of the page: elements with attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in self.raw:
            self.raw[self._open[-1]].append(data)
        else:
            self.words.append(data)


@pytest.fixture(scope="module")
def hostile() -> str:
    return page(teach(hostile_problem()), title=HOSTILE[1], command=HOSTILE[1])


@pytest.fixture(scope="module")
def diamond() -> Lesson:
    return teach(hornbook.environment("diamond:6"))


def facts_in(text: str) -> Any:
    """The data that the script reads."""
    (found,) = re.findall(r'<script type="application/json" id="facts">(.*?)</script>', text, flags=re.DOTALL)
    return json.loads(found)


def floats(packed: str) -> Any:
    return np.frombuffer(base64.b64decode(packed), dtype="<f4").reshape(-1, 2)


def test_the_policy_allows_this_script_and_style_and_nothing_else(diamond: Lesson) -> None:
    """Hashes of exactly what is between the tags; a second script is data, which is not run."""
    found = Elements(page(diamond))
    (policy,) = [a["content"] for t, a in found.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    _, script = found.raw["script"]
    (style,) = found.raw["style"]
    for name, text in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert [t for t, a in found.tags if t == "script"] == ["script", "script"]


def test_the_page_names_no_place_to_load_from(diamond: Lesson) -> None:
    """No src, no url(), no import, no link to anywhere but itself; the only address is the name of SVG."""
    text = page(diamond)
    found = Elements(text)
    loading = {"src", "srcset", "action", "data", "poster", "background", "style"}
    assert [(t, a) for t, a in found.tags if loading & a.keys()] == []
    assert {a["href"] for _, a in found.tags if "href" in a} == {"#lesson"}
    assert set(re.findall(r"\w+://[^\s\"'`)<]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "url(" not in text
    assert "import(" not in text


@pytest.mark.parametrize("in_space", [False, True])
def test_hostile_names_stay_text(hostile: str, *, in_space: bool) -> None:
    """The page of forty hostile names has the elements of a page, no handler, and the same scripts as any other."""
    text = page(teach(hostile_space())) if in_space else hostile
    found = Elements(text)
    assert {t for t, _ in found.tags} <= set(ELEMENTS.split())
    assert [a for _, a in found.tags if any(key.startswith("on") for key in a)] == []
    assert len(found.raw["script"]) == 2
    assert "<!--" not in text
    assert "49" not in "".join(found.words)  # {{7*7}}
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_names_are_told_as_they_are(hostile: str) -> None:
    """Harmless does not mean lost: each printable name is on the page to read."""
    words = "".join(Elements(hostile).words)
    for name in HOSTILE:
        if name.isprintable():
            assert name in words


def test_what_the_page_says_about_any_choice_is_true() -> None:
    """Rays of states, states of rays, and who errs without a ray: all worked out again from the problem."""
    problem = hornbook.environment("six_rays")
    lesson = teach(problem)
    facts = page_facts(lesson)
    names = [state["n"] for state in facts["states"]]
    assert names[: lesson.size] == list(lesson.states)
    for ray, (where, _target, wrong) in enumerate(facts["rays"]["errs"]):
        showing = set(lesson.states_showing(ray))
        assert showing == {s["n"] for s in facts["states"] if ray in s["r"]}
        assert facts["rays"]["count"][ray] == len(showing)
        assert names[where] in showing
        told = lesson.misconception(ray)
        assert (names[where], wrong) == (told.state, told.wrong_action)
        others = [s for s in names if s not in showing]
        assert not hornbook.counterexample(problem, others)


def test_counts_are_of_all_states_not_of_those_listed() -> None:
    """The diamond has two kinds of states that show a ray, 353 and 7,824 of 15,624."""
    facts = page_facts(teach(hornbook.environment("diamond:6")))
    assert facts["rays"]["count"] == [353, 7824]
    assert facts["numKinds"] == 2
    assert facts["only"] == [[1], [0]]


@pytest.mark.parametrize("name", ["six_rays", "polygon_tower:9", "thresholds:3,index=20", "diamond:5", "two_rays"])
def test_the_picture_keeps_the_shape_of_the_cone(name: str) -> None:
    """Up to three dimensions nothing is lost: rays are the corners of the hull, everything else is inside it."""
    facts = page_facts(teach(hornbook.environment(name)))
    rays, inside = floats(facts["rays"]["uv"]), floats(facts["inside"]["uv"])
    everything = np.concatenate([rays, inside]).astype(np.float64)
    for place in rays.astype(np.float64):
        rest = everything[np.abs(everything - place).max(axis=1) > 1e-4]
        angles = np.sort(np.arctan2(*(rest - place).T))
        gaps = np.diff(np.concatenate([angles, angles[:1] + 2 * np.pi]))
        assert gaps.max() > np.pi - 1e-3, "a corner sees everything else within a half-plane"
    assert np.abs(rays).max() <= 1 + 1e-6
    assert np.linalg.norm(rays, axis=1).max() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("name", ["six_rays", "polygon_tower:9", "diamond:5"])
def test_misconceptions_are_drawn_where_they_are(name: str) -> None:
    """A misconception scores above zero on every ray but its own."""
    facts = page_facts(teach(hornbook.environment(name)))
    places = np.column_stack([floats(facts["rays"]["uv"]), np.ones(len(facts["rays"]["count"]))])
    assert facts["rays"]["told"]
    for ray, told in facts["rays"]["told"].items():
        scores = places @ np.array(told["w"])
        assert scores[int(ray)] < 1e-3
        assert np.delete(scores, int(ray)).min() > -1e-3


def test_the_quiz_asks_about_states_that_were_not_shown() -> None:
    """Every action of a state is there with its picture, and the target is where it says."""
    problem = hornbook.environment("diamond:4")
    lesson = teach(problem)
    facts = page_facts(lesson)
    assert len(facts["quiz"]) == 24
    for question in facts["quiz"]:
        state = facts["states"][question["s"]]
        assert state["n"] not in lesson.states
        assert question["a"][question["t"]] == state["a"]
        assert len(question["m"]) == len(question["a"]) == 4
        assert state["r"] == sorted(r for r in range(2) if state["n"] in set(lesson.states_showing(r)))


def test_a_problem_without_pictures_has_no_quiz() -> None:
    """There is nothing to look at."""
    assert page_facts(teach(hornbook.environment("two_rays")))["quiz"] == []


def test_a_quiz_offers_some_of_many_actions() -> None:
    """The target is among them, and no button stands twice."""
    facts = page_facts(teach(hornbook.environment("polygon_tower:20")))
    assert len(facts["quiz"]) == 9  # all that the lesson does not show
    for question in facts["quiz"]:
        assert len(set(question["a"])) == len(question["m"]) == 12
        assert question["a"][question["t"]] == "21"


def test_what_does_not_fit_is_sampled_and_counted() -> None:
    """Caps on rays, directions, states and pictures; the totals stay."""
    lesson = teach(hornbook.environment("polygon_tower:12"))
    limits = Limits(rays=10, inside=0, states=8, pictures=0, inner=0, told=2, quiz=0)
    facts = page_facts(lesson, limits=limits)
    assert facts["rays"]["total"] == len(lesson.rays) == 46
    assert len(facts["rays"]["count"]) == 10
    assert facts["rays"]["label"] == []
    assert len(facts["states"]) == 8
    assert [("p" in s) for s in facts["states"]] == [False] * 8
    some = page_facts(lesson, limits=Limits(pictures=1))  # the first picture of each kind is over the limit already
    assert [("p" in s) for s in some["states"]] == [True, *[False] * 10]
    assert [told["p"] is None for told in some["rays"]["told"].values()] == [False, *[True] * 45]
    assert max(r for s in facts["states"] for r in s["r"]) < 10
    diamond = page_facts(teach(hornbook.environment("diamond:5")), limits=Limits(inside=7, quiz=3, inner=0))
    assert (diamond["inside"]["total"], len(floats(diamond["inside"]["uv"]))) == (31, 7)
    assert len(diamond["quiz"]) == 3
    assert not any("x" in state for state in diamond["states"])


def test_more_than_three_dimensions_come_with_a_table() -> None:
    """So that the page can look along any two features; where that is too much, only along the principal ones."""
    lesson = teach(hornbook.environment("random_cone:d=5,m=300,h=12"))
    facts = page_facts(lesson)
    assert facts["rank"] == 5
    table = np.frombuffer(base64.b64decode(facts["table"]["rays"]), dtype="<f4").reshape(-1, 5)
    assert len(table) == len(lesson.rays)
    assert facts["axes"] == []
    assert page_facts(lesson, limits=Limits(table=10))["table"] is None


@pytest.mark.parametrize("rank", [0, 1])
def test_cones_that_are_no_cones(rank: int) -> None:
    """No ray at all, or a single one: nothing to draw, nothing that breaks."""
    problem = TeachingProblem(features=[[[1, 2], [0, 0]][: rank + 1]], target=[0])
    lesson = teach(problem)
    facts = facts_in(page(lesson))
    assert facts["rank"] == rank
    assert facts["rays"]["total"] == rank


def test_huge_numbers_are_drawn_too() -> None:
    """Features beyond any float still have a place in the picture."""
    big = 10**400
    problem = TeachingProblem(
        features=[[[big, 1, 0], [0, 0, 0]], [[1, big, 1], [0, 0, 0]], [[0, 1, big], [0, 0, 0]]], target=[0, 0, 0]
    )
    facts = page_facts(teach(problem))
    assert np.isfinite(floats(facts["rays"]["uv"])).all()


@pytest.mark.parametrize(("name", "rays"), [("polygon_tower:44", 604), ("polygon_tower:300", 27_398), ("diamond:8", 2)])
def test_a_page_fits_its_budget(name: str, rays: int) -> None:
    """1.5 MB plus the data; all rays are there, and the data of large problems has a limit too."""
    text = page(teach(hornbook.environment(name)))
    facts = facts_in(text)
    assert len(facts["rays"]["count"]) == facts["rays"]["total"] == rays
    data = len(json.dumps(facts))
    assert len(text) - data < 300_000
    assert data < 2_500_000


def test_a_polygon_of_many_corners_is_drawn_without_dots() -> None:
    """Sixty dots can be told apart, more cannot."""
    tower = hornbook.environment("polygon_tower:61")
    assert [len(tower.drawing(state).shapes) for state in ("60", "61")] == [62, 2]


def test_the_story_of_an_independent_set(diamond: Lesson) -> None:
    """As many misconceptions as demonstrations, and no state that refutes two."""
    told = " ".join(story(diamond, trace_of(diamond)))
    assert "names 2 misconceptions" in told
    assert "No state refutes two of them, so 2 demonstrations are needed." in told
    single = teach(hornbook.environment("two_rays"))
    assert "so 1 demonstration is needed" in " ".join(story(single, trace_of(single)))


def proof_told(proof: object) -> str:
    from dataclasses import replace

    lesson = teach(hornbook.environment("set_cover:0/1;1/2;0/2"))
    trace = trace_of(lesson)
    return " ".join(story(lesson, replace(trace, cover=replace(trace.cover, proof=proof))))


def test_the_story_of_other_proofs() -> None:
    """Weights, odd sets, branching: each has its sentence."""
    from fractions import Fraction

    half = Leaf(tuple((r, Fraction(1, 2)) for r in range(3)))
    assert "counted with weights" in proof_told(half)
    assert "groups of which no state" in proof_told(Leaf((), (SetBound((0, 1, 2), 2, Fraction(1)),)))
    assert "distinguishes 3 cases" in proof_told(Branch(0, half, Branch(1, half, half)))


def test_the_story_of_what_is_not_settled() -> None:
    """A greedy lesson that is no minimum says so."""
    rows, blocks = "0/1/2/3/4/5/6;7/8/9/10/11/12/13", "0/1/2/3/7/8/9/10;4/5/11/12;6/13"
    lesson = teach(hornbook.environment(f"set_cover:{rows};{blocks}"), teacher="greedy")
    assert "not settled" in " ".join(story(lesson, trace_of(lesson)))
    assert "costs at least 2" in lead(lesson)
    assert 'class="claim open"' in page(lesson)


def test_a_lesson_with_more_than_it_needs() -> None:
    """Its cards say that others refute the same."""
    assert "Others refute the same misconceptions." in page(crowded_lesson())


def test_the_words_of_the_verdict() -> None:
    """Nothing to show, a cheapest set, floats with and without a report."""
    nothing = teach(TeachingProblem(features=[[[1, 2]]], target=[0]))
    assert lead(nothing).startswith("Every linear learner")
    assert "nothing needs to be shown" in " ".join(story(nothing, trace_of(nothing)))
    assert "Nothing needs to be shown" in page(nothing)
    priced = teach(TeachingProblem(features=[[[1, 0], [0, 0]]], target=[0], cost=["1/3"]))
    assert "no cheaper set" in lead(priced)
    exact = [[[0.5, 0], [0, 0]], [[0, 0.25], [0, 0]]]
    floating = teach(TeachingProblem(features=exact, target=[0, 0]))
    assert any(": tau" in term for term, _ in assumptions(floating))
    silent = teach(TeachingProblem(features=exact, target=[0, 0], noise=0))
    assert not any("margin:" in term for term, _ in assumptions(silent))
    stored = teach(TeachingProblem(features=exact, target=[0, 0], exact=True))
    assert any("binary fractions" in meaning for _, meaning in assumptions(stored))


def test_without_noise_no_margin_makes_up_for_what_was_merged() -> None:
    """0.1, 0.3 and 0.3, 0.9 are parallel up to rounding; with noise zero there is neither margin nor tau to tell."""
    features = [[[0.1, 0.3], [0, 0]], [[0.3, 0.9], [0, 0]], [[0.7, 0.1], [0, 0]]]
    told = assumptions(teach(TeachingProblem(features=features, target=[0] * 3, noise=0)))
    assert not any(": tau" in term or "margin:" in term for term, _ in told)
    assert any("1 merged" in term for term, _ in told)


def test_axes_of_features_with_huge_weights() -> None:
    """A weight of 400 digits is no float, but its axis has a direction; one that is seen end on has none."""
    section = Section(3, (10**400, 1, 0), np.zeros(3), np.zeros((3, 2)))
    assert section.axis(0) == [0.0, 0.0, 1.0]
    assert section.axis(2) == []


def test_no_pictures_of_actions_where_there_are_none_of_states() -> None:
    """Not every problem can be drawn."""
    assert pictured_actions(hornbook.environment("two_rays"), "s", actions=["a"]) == []


def test_a_taken_table_is_harmless_to_a_spreadsheet(hostile: str) -> None:
    """What would be a formula is quoted."""
    words = "".join(Elements(hostile).words)
    assert "\n'=cmd|'/c calc'!A1," in words


def test_a_page_inside_a_notebook_is_the_page(diamond: Lesson) -> None:
    """The frame holds the whole page as text, so it works without a kernel."""
    found = Elements(page_inline(diamond))
    ((tag, attributes),) = found.tags
    assert tag == "iframe"
    assert attributes["srcdoc"] == page(diamond)
    assert attributes["sandbox"] == "allow-scripts allow-popups"


def test_a_missing_library_is_named(diamond: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence with the extra to install."""
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(BadProblem, match=r"pip install 'hornbook\[report\]'"):
        page(diamond)


def test_the_lead_of_floats_says_what_it_rests_on() -> None:
    """Teaching rests on what was merged; where nothing was, and for exact data, on nothing."""
    tower = lead(teach(hornbook.environment("polygon_tower:6")))
    assert "in all 5 states (provided that what was merged or assumed within the noise is so" in tower
    assert tower.endswith("and no smaller set of states does that.")
    plain = teach(TeachingProblem(features=[[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.5], [0.0, 0.0]]], target=[0, 0]))
    assert "provided" not in lead(plain)
    assert "provided" not in lead(teach(hornbook.environment("two_rays")))
