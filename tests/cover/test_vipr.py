"""Proofs of covers in VIPR format, read by a checker of our own and, where it is installed, by viprchk."""

from __future__ import annotations

import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

import hornbook
from hornbook.cover import Branch, Cover, CoverProblem, Leaf, Limits, SetBound, Unreachable, minimum_cover, vipr_text
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.lesson import Lesson
from hornbook.vipr import vipr
from tests.cli.running import hornbook as command
from tests.cover.covers import branching, cycle, problem, problems, tower, triangle, triples
from tests.cover.vipr_checker import Wrong, check_vipr

ONE = Fraction(1)
VIPRCHK = shutil.which("viprchk")


def names(whole: CoverProblem) -> list[str]:
    return [f"u{unit}" for unit in range(len(whole.units))]


def assert_proved(whole: CoverProblem, cover: Cover) -> str:
    """The file proves the interval of the cover, in steps."""
    text = vipr_text(whole, cover, names=names(whole))
    assert check_vipr(text) == (cover.lower_bound / whole.step, cover.cost / whole.step)
    return text


def assert_viprchk_agrees(text: str, folder: Path) -> None:
    """Where the checker of the people who made the format is installed, it says the same."""
    if VIPRCHK is not None:
        (folder / "cover.vipr").write_text(text)
        run = subprocess.run([VIPRCHK, str(folder / "cover.vipr")], capture_output=True, text=True, check=False)
        assert "Successfully verified" in run.stdout


@settings(max_examples=200)
@given(problems())
def test_files_prove_what_the_proof_proves(whole: CoverProblem) -> None:
    """Whatever units cost."""
    assert_proved(whole, minimum_cover(whole))


@pytest.mark.parametrize("whole", [problem(cycle(7)), problem(triples(9)), tower(20)], ids=["cycle", "sts9", "tower"])
def test_cuts_trees_and_reductions(whole: CoverProblem, tmp_path: Path) -> None:
    """An odd set, a search tree, essential rays; proved, and stopped after one node."""
    for limits in (None, Limits(nodes=1)):
        assert_viprchk_agrees(assert_proved(whole, minimum_cover(whole, limits=limits)), tmp_path)


def test_a_proof_by_cases_with_an_end_out_of_reach() -> None:
    """The last case refuses both units that show ray 0."""
    whole, proof = branching()
    assert_proved(whole, Cover((0, 1), Fraction(2), Fraction(2), proof))


def test_trees_with_costs() -> None:
    """The points of the affine plane at several costs, where the relaxation is not tight."""
    trees = 0
    for seed in range(20):
        draw = random.Random(seed)
        whole = problem(triples(9), costs=[draw.randint(1, 4) for _ in range(9)])
        cover = minimum_cover(whole)
        assert_proved(whole, cover)
        trees += isinstance(cover.proof, Branch)
    assert trees


def test_branches_that_decide_nothing_are_left_out() -> None:
    """A branch on a unit that is refused already, or shows nothing new, is its refused side."""
    whole = problem([(0, 1), (1, 2), (0, 2)])
    leaf = Leaf((), (triangle(),))
    idle = Branch(0, Leaf(((2, ONE),)), Branch(0, leaf, Branch(1, Leaf(((0, ONE), (2, ONE))), leaf)))
    text = assert_proved(whole, Cover((0, 1), Fraction(2), Fraction(2), idle))
    assert text.count("uns") == 2


def test_ends_that_earlier_decisions_do_not_touch() -> None:
    """A ray out of reach where a unit that never showed it is refused too; a set of which every ray is shown."""
    whole = problem([(0, 1), (1, 2), (0, 2)])
    shown = Leaf(((2, ONE),), (SetBound((0, 1), 2, ONE),))
    stranded = Branch(1, Leaf(((0, ONE),)), Branch(0, shown, Branch(2, Leaf(((1, ONE),)), Unreachable(0))))
    text = assert_proved(whole, Cover((0, 1), Fraction(2), Fraction(2), stranded))
    assert text.count("uns") == 3


def test_cuts_where_units_are_refused() -> None:
    """A set of five rays on a cycle, after a neighbour was refused and after one was taken."""
    whole = problem(cycle(5))
    odd = Leaf((), (SetBound((0, 1, 2, 3, 4), 2, ONE),))
    cover = Cover((0, 1, 3), Fraction(3), Fraction(3), Branch(0, odd, odd))
    assert_proved(whole, cover)


def test_what_cannot_be_told() -> None:
    """Demands above one; a proof that relies on equal units being counted once; a tree that is too deep."""
    double = CoverProblem(1, [(0,), (0,)], [1, 1], demands=[2])
    with pytest.raises(ValueError, match="each ray needs one unit"):
        vipr_text(double, minimum_cover(double), names=["a", "b"])
    equal = CoverProblem(1, [(0,), (0,)], [1, 1])
    heavy = Cover((0,), ONE, ONE, Leaf(((0, Fraction(2)),)))
    with pytest.raises(ValueError, match="it counts equal units once"):
        vipr_text(equal, heavy, names=["a", "b"])
    proof: Branch | Leaf = Leaf()
    for unit in range(402):
        proof = Branch(unit, Leaf(((unit, ONE),)), proof)
    deep = problem([(ray,) for ray in range(402)])
    with pytest.raises(ValueError, match="deeper than a file may"):
        vipr_text(deep, Cover(tuple(range(402)), Fraction(402), Fraction(0), proof), names=names(deep))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RTP range 2 2", "RTP range 3 2"),
        ("RTP range 2 2", "RTP range 2 1"),
        ("cover 2 0 1 1 1", "cover 1 0 1"),
        ("{ rnd ", "{ lin "),
        ("VER 1.0", "VER 2.0"),
    ],
)
def test_the_second_checker_can_say_no(old: str, new: str) -> None:
    """A bound too high, a solution too dear or none, a rounding that is called none."""
    whole = problem(cycle(3))
    text = vipr_text(whole, minimum_cover(whole), names=names(whole))
    assert old in text
    with pytest.raises(Wrong):
        check_vipr(text.replace(old, new))


def test_lessons_can_be_exported(tmp_path: Path) -> None:
    """From the library and the command line; a loaded lesson, one of which more was asked, and one within a budget
    cannot."""
    lesson = hornbook.teach(hornbook.environment("set_cover:0/1;1/2;0/2"))
    assert check_vipr(vipr(lesson)) == (2, 2)
    lesson.save(tmp_path / "lesson.json")
    with pytest.raises(BadProblem, match="loaded lesson"):
        vipr(Lesson.load(tmp_path / "lesson.json"))
    with pytest.raises(BadProblem, match="for plain lessons"):
        vipr(hornbook.teach(hornbook.environment("set_cover:0/1;1/2;0/2"), folds=2))
    path = tmp_path / "lesson.vipr"
    found = command("teach", "set_cover:0/1;1/2;0/2", "--vipr", str(path))
    assert found.out.splitlines()[-1] == f"proof written to {path}"
    assert path.read_text() == vipr(lesson)
    assert command("teach", "set_cover:0/1", "--vipr", str(tmp_path / "b.vipr"), "--budget", "1").code == 2


def test_costs_are_counted_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirds; and what the file cannot tell is refused with its reason."""
    features = [[[0, 0], [-1, 0]], [[0, 0], [0, -1]]]
    lesson = hornbook.teach(hornbook.TeachingProblem(features=features, target=[0, 0], cost=["1/3", "2/3"]))
    text = vipr(lesson)
    assert text.startswith("% the costs count steps of 1/3\n")
    assert check_vipr(text) == (3, 3)
    monkeypatch.setattr("hornbook.cover._vipr._DEPTH", -1)
    with pytest.raises(LimitExceeded, match="cannot be written in VIPR"):
        vipr(lesson)
