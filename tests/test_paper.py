"""Every number of the paper, as `make paper` computes it; what takes long is asked for smaller sizes here."""

from __future__ import annotations

import csv
import math
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import hornbook
from hornbook.environments.boolean_thresholds import families, functions
from hornbook.environments.thresholds import labellings
from paper import EXPERIMENTS, beyond, diamond, experiment, greedy, hardness, mazes, plane, six, tower
from paper.loop import all_differences, flat_rays_lost, minimal_extreme
from paper.timing import median_seconds
from paper.writing import RESULTS, Claim, Folder, Section, readme

ROOT = Path(__file__).resolve().parents[1]


def table(name: str) -> list[dict[str, str]]:
    """A table of docs/paper, as it was committed."""
    with (RESULTS / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_example_in_the_plane() -> None:
    """Section 2: D, D' and D'' succeed, D-flat fails, and the least is one state."""
    assert plane.verdicts() == [("s,t,u", True, 0), ("t", False, 2), ("t,u", True, 0), ("s", True, 0)]
    assert hornbook.teach(hornbook.environment("two_rays")).states == ("s",)


def test_the_cone_with_six_rays() -> None:
    """Figure and text: {s1,s3} alone has two states, {s2,s3,s5} and {s2,s4,s5} teach, and so do all six."""
    sets = six.teaching_sets()
    assert [s for s in sets if len(s) == 2] == [("s1", "s3")]
    assert {("s2", "s3", "s5"), ("s2", "s4", "s5")} <= set(sets)
    lesson = hornbook.teach(hornbook.environment("six_rays"))
    assert (lesson.counts.differences, len(lesson.rays), lesson.counts.states) == (30, 6, 6)


@pytest.mark.parametrize("slots", [2, 3, 6, 7])
def test_diamond_counts(slots: int) -> None:
    """5^n - 1 states, n-1 differences each, two rays, two states; at n = 6 there are 43 directions."""
    found = diamond.sizes(slots)
    assert (found.states, found.differences) == (5**slots - 1, (5**slots - 1) * (slots - 1))
    assert (found.rays, found.lesson, found.proved) == (2, 2, True)
    assert slots != 6 or found.directions == 43


def test_diamond_has_65_distinct_differences() -> None:
    """The dots of the paper's figure (a) at n = 6."""
    vectors = all_differences(hornbook.environment("diamond:6"))
    assert (len(vectors), len({tuple(v) for v in vectors.tolist()})) == (78_120, 65)


def test_the_papers_weights_hold_up_to_ten_slots() -> None:
    """(1, 10) is positive on (-(n-1), 1) for n <= 10 and ties at n = 11; (1, n) is always right."""
    assert [n for n in range(2, 9) if not diamond.paper_weights_hold(n)] == []
    assert [-(n - 1) + 10 for n in (10, 11)] == [1, 0]
    assert all(-(n - 1) + n == 1 for n in range(2, 50))


@pytest.mark.parametrize("n", [*tower.PAPER, 64])
def test_tower_sizes(n: int) -> None:
    """Minimum and greedy are the states that divide no other, ceil(n/2) of them; rays are the sum of Euler's phi."""
    found = tower.sizes(n)
    assert found.lesson == found.true_states
    assert found.greedy == len(found.lesson) == math.ceil(n / 2)
    assert (found.rays, found.proved) == (found.true_rays, True)
    assert {6: 12, 44: 604}.get(n, found.rays) == found.rays


def test_the_proposition_is_the_wrong_way_round() -> None:
    """The words "not divisible by any other" give the primes; those do not teach at n = 6, and {4, 5, 6} does."""
    problem = hornbook.environment("polygon_tower:6")
    assert tower.paper_rule(6) == ("2", "3", "5")
    assert not hornbook.counterexample(problem, tower.paper_rule(6)).teaches
    assert hornbook.counterexample(problem, ("4", "5", "6")).teaches


def test_bits_are_not_rays() -> None:
    """Unit vectors compared bit by bit: far more classes than the 604 rays at n = 44."""
    assert tower.true_rays(44) == 604
    assert tower.bitwise_classes(44) > 1000


@pytest.mark.parametrize("n", [3, 4, 6, 8])
def test_the_papers_loop_finds_the_rays_of_small_towers(n: int) -> None:
    """The literal loop is right where nothing is flat, so the comparison of times is of the same question."""
    assert len(minimal_extreme(all_differences(hornbook.environment(f"polygon_tower:{n}")))) == tower.true_rays(n)


def test_a_solver_alone_loses_flat_rays() -> None:
    """With defaults and at length one, the program is right at n = 6 and calls true rays redundant at n = 120."""
    assert flat_rays_lost(6) == 0
    assert flat_rays_lost(120) > 0


def test_showing_less_leaves_more() -> None:
    """Lemma 1's last inclusion: (1, -1/2) agrees with t and not with all, and what agrees with all agrees with t."""
    problem = hornbook.environment("two_rays")
    some, every = (hornbook.VersionSpace(problem, states) for states in (["t"], ["s", "t", "u"]))
    assert some.contains((2, -1))
    assert not every.contains((2, -1))
    assert all(some.contains(weights) for weights in every.sample(20).tolist())


def test_slopes_of_known_growth() -> None:
    """A fourth power has slope four, whatever the first points do."""
    assert tower.slope_of({6: 9e9, 16: 16.0**4, 24: 24.0**4, 44: 44.0**4}) == pytest.approx(4)


def test_the_reduction() -> None:
    """With integer rays a lesson is a cover; the paper's angles and index rule lose rays."""
    assert hardness.checked(25, seed=3) == 0
    assert hardness.our_dimension(hardness.DRAWN) == 3
    assert hardness.angles_by_the_paper(hardness.FEW_SETS) == 3
    assert set().union(*hardness.FEW_SETS) == set(range(6))
    assert set().union(*hardness.by_the_paper(hardness.ONE_DROPPED)) == {1, 2, 3}
    assert hardness.minimum_cover_by_trying(hardness.ONE_DROPPED) == 2


@pytest.mark.parametrize("n", [3, 4, 5])
def test_maze_sizes(n: int) -> None:
    """n + 1 demonstrations, 3 with single steps, 4 (n^4 - n^2) states, an exact expectation in between."""
    found, single = mazes.sizes(n), mazes.sizes(n, options=",repeat=no")
    assert (found.minimum, found.greedy, found.states) == (n + 1, n + 1, 4 * (n**4 - n**2))
    assert single.minimum == 3
    assert found.exact
    assert found.minimum < found.random < found.states


def test_random_draws_in_a_maze_by_hand() -> None:
    """repeat=no, n = 2: of 48 states 16 have the goal ahead, 12 not ahead but left, and 20 need a right turn."""
    chances = [Fraction(16, 48), Fraction(12, 48), Fraction(20, 48)]
    expected = sum((1 / p for p in chances), Fraction(0)) - sum(
        (1 / (a + b) for a, b in ((chances[0], chances[1]), (chances[0], chances[2]), (chances[1], chances[2]))),
        Fraction(0),
    )
    assert mazes.sizes(2, options=",repeat=no").random == pytest.approx(float(expected + 1))


@pytest.mark.parametrize(("actions", "ratio"), [(3, Fraction(3, 2)), (4, Fraction(11, 6)), (5, Fraction(25, 12))])
def test_greedy_worst_cases(actions: int, ratio: Fraction) -> None:
    """The ratios 3/2, 11/6, 25/12 are reached, equal the harmonic bound, and exceed log(|A|-1)."""
    found = greedy.worst(actions)
    assert found.ratio == ratio == found.bound
    assert found.ratio > found.promised


def test_greedy_ratio_zero_is_impossible() -> None:
    """With two actions log(|A|-1) = 0, and one demonstration is more than none."""
    found = greedy.worst(2)
    assert (found.greedy, found.promised) == (1, 0.0)


@pytest.mark.parametrize(("n", "counts"), [(2, {3: 8, 4: 6}), (3, {3: 40, 4: 18}), (4, {3: 104, 4: 70})])
def test_grid_threshold_functions(n: int, counts: dict[int, int]) -> None:
    """14, 58 and 174 functions; by families as one by one."""
    assert beyond.grid_dimensions(n) == counts
    assert sum(counts.values()) == len(labellings(n)) == {2: 14, 3: 58, 4: 174}[n]
    if n < 4:
        texts = [f"thresholds:{n},index={i}" for i in range(len(labellings(n)))]
        assert Counter(hornbook.teach(hornbook.environment(text)).size for text in texts) == counts


def test_boolean_threshold_functions() -> None:
    """4, 14, 104, 1882 functions; families counted by Chow's theorem, dimensions as one by one."""
    for n in (1, 2, 3, 4):
        assert sum(beyond.members(n, labels) for labels in families(n)) == len(functions(n))
    assert sum(beyond.members(6, labels) for labels in families(6)) == 15_028_134
    spectrum = beyond.boolean_dimensions(3)
    assert spectrum == {4: 64, 6: 32, 8: 8}
    texts = [f"boolean_thresholds:3,index={i}" for i in range(104)]
    assert Counter(hornbook.teach(hornbook.environment(text)).size for text in texts) == spectrum


def test_members_are_what_moving_bits_makes() -> None:
    """For each family of three bits: permute bits and exchange values in all ways, and count the different labels."""
    cube = list(product((0, 1), repeat=3))
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    for labels in families(3):
        label = dict(zip(cube, labels, strict=True))
        moved = {
            tuple(label[tuple(x[i] ^ swap for i, swap in zip(order, swaps, strict=True))] for x in cube)  # type: ignore[index]
            for order in orders
            for swaps in cube
        }
        assert len(moved) == beyond.members(3, labels)


def test_random_averages_stay_within_their_bounds() -> None:
    """Between rays / (A - 1) and the number of rays; with two features at most two."""
    found = beyond.average(3, 2, seeds=3)
    assert found.rays / 2 <= found.dimension <= min(2, found.rays)


def test_committed_tables_say_the_same() -> None:
    """docs/paper holds what `make paper` found: the sizes asserted above, read from the files."""
    towers = table("tower")
    assert [int(row["n"]) for row in towers][:12] == list(tower.PAPER)
    assert all(row["minimum"] == row["greedy"] == row["truth"] for row in towers)
    assert all(int(row["truth"]) == math.ceil(int(row["n"]) / 2) for row in towers)
    assert all(row["rays"] == row["sum of phi"] and row["same states"] == row["proved"] == "yes" for row in towers)
    assert [int(row["states"]) for row in table("diamond")] == [5**n - 1 for n in range(1, 11)]
    assert [int(row["minimum"]) for row in table("maze")] == [n + 1 for n in range(3, 11)]
    assert [row["ratio"] for row in table("greedy")] == ["1", "3/2", "11/6", "25/12"]
    assert [int(row["functions"]) for row in table("thresholds-grid")][:3] == [14, 58, 174]
    assert [int(row["functions"]) for row in table("thresholds-boolean")] == [4, 14, 104, 1882, 94572, 15028134]


def test_the_page_shows_every_file() -> None:
    """README.md names each figure and table of its folder, and every proof is told."""
    page = (RESULTS / "README.md").read_text(encoding="utf-8")
    for path in sorted(RESULTS.iterdir()):
        assert path.name == "README.md" or path.name in page, path.name
        assert path.stat().st_size < 200_000
    assert (
        page.count("**no**, see ") == page.partition("## Where we differ")[2].partition("\n## ")[0].count(". **") >= 11
    )


def test_a_page_is_made_of_sections() -> None:
    """Claims that differ get a number and a proof; bars within cells do not break the table."""
    page = readme([Section("Title", [Claim("log(|A|-1)", "false", "Because."), Claim("two", "2")], ["A part."])])
    assert "| log(\\|A\\|-1) | false | **no**, see 1 |" in page
    assert "| two | 2 | yes |" in page
    assert "1. Because." in page
    assert "## Title\n\nA part." in page


def test_one_experiment_writes_its_files(tmp_path: Path) -> None:
    """Figures as PNG and PDF, tables as CSV, and a section that shows them."""
    assert all(hasattr(experiment(name), "run") for name in EXPERIMENTS)
    section = plane.run(Folder(tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {"plane.png", "plane.pdf", "plane.csv"}
    assert any("plane.png" in part for part in section.parts)
    calls: list[int] = []
    assert median_seconds(lambda: calls.append(1)) >= 0
    assert len(calls) == 3


def test_every_figure_of_the_paper_has_room_for_its_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All experiments with pictures, at small sizes; figures whose labels lie on each other are refused."""
    monkeypatch.setattr(diamond, "SLOTS", tuple(range(1, 9)))
    monkeypatch.setattr(diamond, "_FIT_FROM", 100)
    monkeypatch.setattr(tower, "PAPER", (3, 4, 5, 6, 12))
    monkeypatch.setattr(tower, "BEYOND", (16, 44))
    monkeypatch.setattr(tower, "_FIT_FROM", 5)
    monkeypatch.setattr(tower, "_UNIT", 12)
    monkeypatch.setattr(mazes, "GRIDS", (3, 4, 5))
    for module in (six, diamond, tower, hardness, mazes):
        module.run(Folder(tmp_path))
    assert len(list(tmp_path.glob("*.png"))) == len(list(tmp_path.glob("*.pdf"))) == 14
    crowded = plane.cone_in_plane(hornbook.teach(hornbook.environment("two_rays")))
    crowded.text(1, 1, "one")
    crowded.text(1, 1, "two")
    with pytest.raises(ValueError, match="'one' lies on 'two'"):
        Folder(tmp_path).figure("crowded", crowded, caption="")


def test_the_command_runs_one_experiment(tmp_path: Path) -> None:
    """`python -m paper greedy`; an unknown name is refused."""
    run = [sys.executable, "-m", "paper", "--folder", str(tmp_path)]
    done = subprocess.run([*run, "greedy"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "DIFFERS  greedy is within log(|A| - 1) of the optimum: 3/2, 11/6, 25/12" in done.stdout
    wrong = subprocess.run([*run, "nonsense"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert wrong.returncode == 2
    assert "choose from plane, six" in wrong.stderr
