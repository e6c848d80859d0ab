"""The page in a real browser: it is quiet, it asks for nothing, and everything on it does what it says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hornbook
from hornbook.problem import TeachingProblem
from hornbook.report.page import page, page_inline
from hornbook.teaching import teach
from tests.report.hostile import HOSTILE, hostile_problem, hostile_space

pytest.importorskip("playwright.sync_api", reason="playwright is not installed: the page is not opened in a browser")

QUIET = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
NO_WEBGL = ["--disable-3d-apis"]
STALLS = "GPU stall due to ReadPixels"  # what software drawing says of every screenshot


@cache
def page_of(problem: str) -> str:
    """The page of an environment, or of one of the hostile problems; made once."""
    makers = {"hostile_problem": hostile_problem, "hostile_space": hostile_space}
    return page(teach(makers[problem]() if problem in makers else hornbook.environment(problem)))


@dataclass
class Visit:
    """An open page, and what it said and asked for since."""

    page: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def check(self) -> None:
        """Nothing was said, nothing was asked for but the page itself, and no name has run."""
        assert self.said == []
        assert len(self.asked) == 1, self.asked
        assert self.page.evaluate("window.pwned") is None


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Debian's browser with WebGL drawn in software, and without any."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed: the page is not opened in a browser")
    with sync_playwright() as play:
        kinds = {
            name: play.chromium.launch(executable_path=path, args=[*QUIET, *more])
            for name, more in (("webgl", WEBGL), ("plain", NO_WEBGL))
        }
        yield kinds
        for browser in kinds.values():
            browser.close()


class Opener:
    """Opens pages of problems, one context each."""

    def __init__(self, kinds: Any, folder: Path) -> None:
        self.kinds, self.folder = kinds, folder
        self.visits: list[Visit] = []

    def __call__(self, problem: str | TeachingProblem, *, kind: str = "webgl", width: int = 1200, **how: Any) -> Visit:
        text = page_of(problem) if isinstance(problem, str) else page(teach(problem))
        return self.show(text, kind=kind, width=width, **how)

    def show(self, text: str, *, kind: str = "webgl", width: int = 1200, **how: Any) -> Visit:
        file = self.folder / "lesson.html"
        file.write_text(text, encoding="utf-8")
        context = self.kinds[kind].new_context(viewport={"width": width, "height": 900}, **how)
        visit = Visit(context.new_page())
        visit.page.on("console", lambda m: visit.said.append(m.text) if STALLS not in m.text else None)
        visit.page.on("pageerror", lambda error: visit.said.append(str(error)))
        visit.page.on("request", lambda request: visit.asked.append(request.url))
        visit.page.goto(file.as_uri())
        visit.page.wait_for_selector("html[data-ready=yes]", timeout=10_000)
        self.visits.append(visit)
        return visit


@pytest.fixture
def visit(chromium: Any, tmp_path: Path) -> Iterator[Opener]:
    """Every page that a test opens must have been quiet to its end."""
    opener = Opener(chromium, tmp_path)
    yield opener
    for each in opener.visits:
        each.check()
        each.page.context.close()


def ink(visit: Visit, selector: str) -> int:
    """How many different colours a part of the page shows: a blank one shows one."""
    import io

    from PIL import Image

    shot = Image.open(io.BytesIO(visit.page.locator(selector).screenshot()))
    return len(np.unique(np.asarray(shot.convert("RGB")).reshape(-1, 3), axis=0))


@pytest.mark.parametrize("name", ["diamond:6", "six_rays", "random_cone:d=5,m=300,h=12", "diamond:1"])
@pytest.mark.parametrize("kind", ["webgl", "plain"])
def test_pages_are_quiet(visit: Opener, name: str, kind: str) -> None:
    """With two, three, five and no dimensions, with WebGL and without: no error, no request."""
    found = visit(name, kind=kind)
    if name in ("six_rays", "random_cone:d=5,m=300,h=12"):
        expected = "webgl" if kind == "webgl" else "svg"
        assert found.page.get_attribute("#cone", "data-painter") == expected
        found.page.locator("#cone").scroll_into_view_if_needed()
        found.page.wait_for_timeout(150)
        assert ink(found, "#cone") > 30
        assert ink(found, "#space") > 10


def test_the_cone_turns_by_mouse_and_by_keys(visit: Opener) -> None:
    """The picture changes when dragged and when an arrow key is pressed, and stays as it is otherwise."""
    found = visit("six_rays")
    cone = found.page.locator("#cone canvas")
    cone.scroll_into_view_if_needed()
    found.page.wait_for_timeout(150)
    start = cone.screenshot()
    assert cone.screenshot() == start
    box = cone.bounding_box()
    x, y = box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.9
    found.page.mouse.move(x, y)
    found.page.mouse.down()
    found.page.mouse.move(x - 90, y - 30, steps=4)
    found.page.mouse.up()
    found.page.wait_for_timeout(100)
    dragged = cone.screenshot()
    assert dragged != start
    cone.focus()
    found.page.keyboard.press("ArrowLeft")
    found.page.wait_for_timeout(100)
    assert cone.screenshot() != dragged


def test_rays_are_told_by_keys(visit: Opener) -> None:
    """N and P step through the rays, Escape lets go; the panel names the states that show the ray."""
    lesson = teach(hornbook.environment("six_rays"))
    found = visit("six_rays")
    found.page.locator("#cone canvas").focus()
    for ray in range(6):
        found.page.keyboard.press("n")
        text = found.text("#about")
        assert f"Ray {ray + 1} of 6" in text
        for state in lesson.states_showing(ray):
            assert state in text
    found.page.keyboard.press("p")
    assert "Ray 5 of 6" in found.text("#about")
    found.page.keyboard.press("Escape")
    assert "2 demonstrations: this teaches." in found.text("#about")


def test_rays_are_told_by_pointing(visit: Opener) -> None:
    """Somewhere on the rim of the picture there is a ray under the pointer."""
    found = visit("polygon_tower:9")
    box = found.page.locator("#cone").bounding_box()
    found.page.locator("#cone").scroll_into_view_if_needed()
    box = found.page.locator("#cone").bounding_box()
    seen = set()
    for i in range(12):
        found.page.mouse.move(box["x"] + box["width"] * (0.1 + 0.07 * i), box["y"] + box["height"] * 0.22)
        seen |= set(re.findall(r"Ray \d+ of 28", found.text("#about")))
    assert seen


def test_choosing_demonstrations(visit: Opener) -> None:
    """Nothing, one, enough: the words follow, and agree with what `hornbook test` says."""
    found = visit("six_rays")
    found.page.click("text=Nothing")
    assert "0 demonstrations: this does not teach." in found.text("#about")
    assert "6 rays are open" in found.text("#about")
    problem = hornbook.environment("six_rays")
    for chosen in (["s2"], ["s2", "s5"], ["s2", "s5", "s6"], ["s1", "s3"]):
        found.page.click("text=Nothing")
        for state in chosen:
            found.page.locator("#choose label", has_text=re.compile(rf"^{state}")).click()
        found.page.mouse.move(0, 0)
        teaches = hornbook.counterexample(problem, chosen).teaches
        assert ("this teaches." in found.text("#about")) == teaches
    found.page.click("text=Nothing")
    for _ in range(6):
        found.page.click("text=One more, greedily")
    assert "this teaches." in found.text("#about")


def test_the_version_space_shrinks(visit: Opener) -> None:
    """Playing and sliding change the picture; after the last demonstration nothing errs."""
    found = visit("six_rays")
    slider = found.page.locator("#steps input")
    slider.focus()
    shapes = [found.page.inner_html("#space")]
    for _ in range(2):
        found.page.keyboard.press("ArrowLeft")
        shapes.append(found.page.inner_html("#space"))
    assert len(set(shapes)) == 3
    assert "0 of 2" in found.text("#steps")
    assert "may believe anything" in found.text("#space-words")
    found.page.click("#steps button")
    found.page.locator("#steps output", has_text="2 of 2").wait_for(timeout=8000)
    assert "Every weight left acts as the target everywhere." in found.text("#space-words")


def test_the_game_is_played_by_mouse(visit: Opener) -> None:
    """Ten answers, the tally is right, and then one may teach with fewer."""
    found = visit("diamond:5")
    found.page.click("text=I have seen it")
    right = 0
    for i in range(10):
        name = re.search(rf"State {i + 1} of 10: (\S+)", found.text("#game"))
        assert name is not None
        edges = [int(e) for e in name[1].split("-")]
        best = max(range(5), key=lambda slot: (edges[slot], slot))
        answer = best if i % 2 == 0 else 0
        right += answer == best
        found.page.locator(".answers button").nth(answer).click()
    assert f"{right} of 10" in found.text(".tally")
    assert "10 of 10\nworst consistent learner" in found.text(".tally")
    found.page.click("text=Now teach it with fewer")
    assert "0 demonstrations: this does not teach." in found.text("#about")
    found.page.click("text=One more, greedily")
    words = found.text("#about")
    assert "1 demonstration: this does not teach." in words
    assert re.search(r"In state [\d-]+ it prefers \d to \d\. It errs in [\d,]+ states of 3,124", words)


def test_the_game_is_played_by_keys(visit: Opener) -> None:
    """Number keys answer; Enter begins."""
    found = visit("thresholds:3,index=20")
    found.page.focus("#game button")
    found.page.keyboard.press("Enter")
    for _ in range(5):
        found.page.keyboard.press("1")
    assert "of 5" in found.text(".tally")


def test_everything_is_reached_by_the_tab_key(visit: Opener) -> None:
    """The order of the page: theme, cone, choices, version space, game, matrix, copies."""
    found = visit("diamond:4")
    reached = []
    for _ in range(80):
        found.page.keyboard.press("Tab")
        reached.append(
            found.page.evaluate(
                "(() => { const e = document.activeElement; return e.id || (e.closest('[id]') ?? e).id })()"
            )
        )
    order = ["theme", "cone", "choose", "steps", "space", "game", "matrix"]
    assert set(order) <= set(reached)
    assert [name for name in dict.fromkeys(reached) if name in ("theme", "cone", "choose", "game", "matrix")] == [
        *("theme", "cone", "choose", "game", "matrix")
    ]


@pytest.mark.parametrize("kind", ["webgl", "plain"])
def test_dark_and_light(visit: Opener, kind: str) -> None:
    """The system's wish, and the button above it."""
    paper = "getComputedStyle(document.body).backgroundColor"
    dark, light = visit("six_rays", kind=kind, color_scheme="dark"), visit("six_rays", kind=kind, color_scheme="light")
    night, day = dark.page.evaluate(paper), light.page.evaluate(paper)
    assert sum(map(int, re.findall(r"\d+", night))) < 150 < 600 < sum(map(int, re.findall(r"\d+", day)))
    for expected, words in ((day, "light"), (night, "dark"), (night, "auto")):
        dark.page.click("#theme")
        assert dark.page.evaluate(paper) == expected
        assert dark.text("#theme") == f"Colours: {words}"


def test_words_have_contrast(visit: Opener) -> None:
    """Every colour of text stands out from what is below it at least 4.5 to 1, by day and by night."""
    for scheme in ("light", "dark"):
        found = visit("diamond:4", color_scheme=scheme)
        names = ["--ink", "--soft", "--shown", "--open", "--good"]
        colours = found.page.evaluate(
            "names => names.map(n => getComputedStyle(document.documentElement).getPropertyValue(n).trim())",
            [*names, "--paper", "--card"],
        )
        *words, paper, card = map(luminance, colours)
        for name, word in zip(names, words, strict=True):
            for below in (paper, card):
                high, low = max(word, below), min(word, below)
                assert (high + 0.05) / (low + 0.05) >= 4.5, (scheme, name)


def luminance(colour: str) -> float:
    """Of a colour in hexadecimal, by the rule of the accessibility guidelines."""
    digits = colour.lstrip("#")
    digits = "".join(2 * d for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_screen(visit: Opener, width: int) -> None:
    """On a telephone, a tablet and a desk."""
    for name in ("diamond:6", "polygon_tower:9"):
        found = visit(name, width=width)
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("name", "kind"), [("hostile_problem", "webgl"), ("hostile_space", "webgl"), ("hostile_space", "plain")]
)
def test_hostile_names_run_nothing(visit: Opener, name: str, kind: str) -> None:
    """In every place: titles, cards, scores, lists, axes, the panel, the search, the copies."""
    found = visit(name, kind=kind)
    for i in range(found.page.locator("#choose label").count()):
        if i < 12:
            found.page.locator("#choose label").nth(i).hover()
    for details in found.page.locator("details").all():
        details.locator("summary").click()
    if name == "hostile_space":
        found.page.locator("#cone [tabindex]").focus()
        for _ in range(3):
            found.page.keyboard.press("n")
        assert "<script>" in found.text("#about")
    found.page.click("text=Nothing")
    assert "<" in found.text("#about")
    assert found.page.locator("main script, main iframe, main img, main form, main object").count() == 0


def test_hostile_names_run_nothing_where_states_are_drawn(visit: Opener) -> None:
    """Names and words inside pictures and the game."""
    from hornbook.drawing import Drawing, Shape

    marks = (Shape("text", ((0.5, 0.5),), "label", 0.3, HOSTILE[1]),)
    features = [[[0, 0], [1, 0]]] + [[[0, 0], [1, i]] for i in range(1, 20)]
    drawn = TeachingProblem(features=features, target=[1] * 20, state_names=HOSTILE[:20], action_names=HOSTILE[:2])
    drawn._draw = lambda state, action: Drawing(f"{state} {action}", 1, 1, marks)
    found = visit(drawn)
    found.page.click("#game button")
    for _ in range(10):
        found.page.keyboard.press("1")
    assert "0 of 10" in found.text(".tally")
    assert "</script><script>" in str(found.page.locator("#lesson svg text").first.text_content())


def test_nothing_moves_while_a_tower_is_read(visit: Opener) -> None:
    """604 rays and 22 demonstrations: what is there stays where it is (how soon it is there is a benchmark)."""
    found = visit("polygon_tower:44")
    shifts = found.page.evaluate(
        """new Promise(done => {
            let total = 0;
            new PerformanceObserver(list => { for (const e of list.getEntries()) total += e.value; })
                .observe({type: 'layout-shift', buffered: true});
            setTimeout(() => done(total), 300);
        })"""
    )
    assert shifts < 0.01


def test_twenty_thousand_points_turn(visit: Opener) -> None:
    """The page says how many points it shows of how many, and every key turns them (how fast is a benchmark)."""
    found = visit("random_cone:d=3,m=30000,h=40")
    assert re.search(r"dots: showing 20,000 of [\d,]+ other directions", found.text("#cone-words"))
    cone = found.page.locator("#cone canvas")
    cone.focus()
    seen = set()
    for _ in range(4):
        found.page.keyboard.press("ArrowLeft")
        found.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        seen.add(cone.screenshot())
    assert len(seen) == 4


def test_a_page_inside_a_notebook(visit: Opener) -> None:
    """In the frame of a notebook the page works, and still asks for nothing."""
    frame = page_inline(teach(hornbook.environment("six_rays")))
    found = visit.show(f"<!DOCTYPE html><html data-ready=yes><body>{frame}</body></html>")
    inner = found.page.frame_locator("iframe")
    inner.locator("html[data-ready=yes]").wait_for(timeout=10_000)
    inner.locator("text=Nothing").first.click()
    assert "0 demonstrations: this does not teach." in inner.locator("#about").inner_text()
    found.asked[:] = [url for url in found.asked if url != "about:srcdoc"]


def test_copies(visit: Opener) -> None:
    """The button copies what is shown."""
    found = visit("two_rays", permissions=["clipboard-read", "clipboard-write"])
    found.page.click("summary:has-text('CSV')")
    found.page.click("text=Copy CSV")
    found.page.locator("#copied", has_text="CSV: copied.").wait_for(timeout=4000)
    assert found.page.evaluate("navigator.clipboard.readText()") == "state,action\ns,a\n"


def test_without_a_script_the_words_remain(chromium: Any, tmp_path: Path) -> None:
    """Verdict, lesson and proof are there before any script runs."""
    file = tmp_path / "lesson.html"
    file.write_text(page(teach(hornbook.environment("diamond:4"))), encoding="utf-8")
    context = chromium["plain"].new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto(file.as_uri())
    assert "PROVED MINIMUM: 2 of 624 states (exact)" in still.inner_text("main")
    assert "No state refutes two of them" in still.inner_text("#proof")
    assert still.locator("#lesson svg").count() == 2
    assert not still.locator("#see").is_visible()
    context.close()


def test_printed(visit: Opener) -> None:
    """On paper there are no buttons, and the lesson is on the first page of a few."""
    found = visit("diamond:6")
    paper = found.page.pdf(format="A4")
    assert paper.startswith(b"%PDF")
    assert 1 <= paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") + paper.count(b"/Type/Page/") <= 8
    found.page.emulate_media(media="print")
    assert not found.page.locator("#theme").is_visible()
    assert found.page.locator("#cone").is_visible()


def test_less_motion(visit: Opener) -> None:
    """Who asks for less motion sees steps instead of a slide."""
    found = visit("six_rays", reduced_motion="reduce")
    assert found.page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    assert found.page.evaluate("getComputedStyle(document.querySelector('.meter i')).transitionDuration") == "0s"
