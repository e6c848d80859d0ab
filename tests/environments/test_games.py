"""Mazes, blocks, bits and Gymnasium's tasks against simpler programs that say the same."""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import hornbook
from hornbook.environments._decisions import best_actions
from hornbook.environments.boolean_thresholds import families, functions
from hornbook.environments.falling_blocks import landings
from hornbook.errors import BadProblem, LimitExceeded, NotRealizable


def target_of(problem: hornbook.TeachingProblem, state: str) -> str:
    row = problem.row_of(state)
    return problem.action_id(row, int(problem.source.read(row, row + 1).target[0]))


@pytest.mark.parametrize(("n", "repeat"), [(2, "yes"), (4, "yes"), (4, "no")])
def test_the_driver_comes_to_the_goal(n: int, repeat: str) -> None:
    """Obeying the target from any state arrives: at most three turns in all, and no step too many."""
    problem = hornbook.environment(f"maze:{n},repeat={repeat}")
    ways = {"east": (1, 0), "north": (0, 1), "west": (-1, 0), "south": (0, -1)}
    order = list(ways)
    for row in range(problem.num_states):
        x, y, heading, _, gx, gy = problem.state_id(row).split("-")
        here, goal, turns, moves = (int(x), int(y)), (int(gx), int(gy)), 0, 0
        while here != goal:
            action = target_of(problem, f"{here[0]}-{here[1]}-{heading}-to-{gx}-{gy}")
            if action in ("left", "right"):
                heading = order[(order.index(heading) + (1 if action == "left" else -1)) % 4]
                turns += 1
            else:
                far = int(action.removeprefix("move-"))
                here = (here[0] + far * ways[heading][0], here[1] + far * ways[heading][1])
                moves += far
        assert moves == abs(int(x) - goal[0]) + abs(int(y) - goal[1])
        assert turns <= 3


@pytest.mark.parametrize("n", [2, 3, 5, 12])
def test_mazes_have_as_many_states_as_poses_and_goals(n: int) -> None:
    """4 (n^4 - n^2); names are as wide as the widest number, so that they sort as the rows do."""
    problem = hornbook.environment(f"maze:{n}")
    assert problem.num_states == 4 * (n**4 - n**2)
    last = str(n - 1)
    assert problem.state_id(problem.num_states - 1) == f"{last}-{last}-west-to-{last}-{str(n - 2).zfill(len(last))}"
    for wrong in ("0-0-east-to-0-0", "0-0-east-by-0-1", "0-0-up-to-0-1", "0-0-east", "", f"{n}-0-east-to-0-0"):
        with pytest.raises(BadProblem, match="no state"):
            problem.row_of(wrong)


def test_a_maze_from_above_shows_the_target_as_well() -> None:
    """Both views belong to the same states and targets; 24 n - 16 views occur from above, n + 1 from the seat."""
    for n in (2, 3, 4):
        local, overhead = (hornbook.environment(f"maze:{n},features={kind}") for kind in ("local", "global"))
        ours, theirs = (next(p.batches(p.num_states)) for p in (local, overhead))
        assert np.array_equal(ours.target, theirs.target)
        assert (ours.features.sum(axis=2) == 1).all()
        views = {int(v) // (n + 1) for v in np.flatnonzero(theirs.features.any(axis=(0, 1)))}
        assert len(views) == 24 * n - 16 == overhead.num_features // (n + 1)
        assert local.num_features == (n + 1) ** 2


@pytest.mark.parametrize(("n", "count"), [(1, 4), (2, 14), (3, 104), (4, 1882), (5, 94572)])
def test_threshold_functions_are_counted_right(n: int, count: int) -> None:
    """The classic counts (Muroga): the weights that are tried give every function, so none is too small."""
    assert len(functions(n)) == count


@pytest.mark.parametrize("n", [1, 2, 3])
def test_threshold_functions_are_exactly_those_with_weights(n: int) -> None:
    """Trying all integer weights up to 4 and half-integer thresholds gives the same functions."""
    cube = np.array(list(itertools.product((0, 1), repeat=n)))
    found = set()
    for weights in itertools.product(range(-4, 5), repeat=n):
        for threshold in range(-13, 14):
            found.add(tuple((2 * cube @ np.array(weights) > threshold).astype(int).tolist()))
    assert found == set(functions(n))


def test_families_count_every_function_once() -> None:
    """All permutations and exchanges of the families' members, taken together, are all functions of four bits."""
    cube = list(itertools.product((0, 1), repeat=4))
    place = {corner: i for i, corner in enumerate(cube)}
    orbits = [
        {
            tuple(family[place[tuple(corner[i] ^ swaps[i] for i in order)]] for corner in cube)
            for order in itertools.permutations(range(4))
            for swaps in cube
        }
        for family in families(4)
    ]
    assert sum(map(len, orbits)) == len(set().union(*orbits)) == 1882


def test_nested_functions_need_one_example_more_than_bits() -> None:
    """AND is nested: its dimension is n + 1; a function of all bits that is not nested needs more."""
    for n in (2, 3, 4):
        conjunction = functions(n).index((*[0] * (2**n - 1), 1))
        assert hornbook.teach(hornbook.environment(f"boolean_thresholds:{n},index={conjunction}")).size == n + 1
    majority = functions(3).index((0, 0, 0, 1, 0, 1, 1, 1))
    assert hornbook.teach(hornbook.environment(f"boolean_thresholds:3,index={majority}")).size == 6


def test_dimensions_of_boolean_thresholds_of_three_bits() -> None:
    """All 104: none below n + 1 = 4; the two constants need every corner, and so do single bits and their negations."""
    problems = [hornbook.environment(f"boolean_thresholds:3,index={i}") for i in range(104)]
    sizes = Counter(hornbook.teach(problem).size for problem in problems)
    assert (min(sizes), sizes[8], sum(sizes.values())) == (4, 2 + 6, 104)


def test_random_policies_have_random_targets_that_their_weights_realise() -> None:
    """Rows do not depend on chunks or on how many there are; other seeds give other problems."""
    first = next(hornbook.environment("random_policy:s=30,seed=3").batches(30))
    longer = next(hornbook.environment("random_policy:s=90,seed=3").batches(90))
    assert np.array_equal(first.features, longer.features[:30])
    assert len(set(longer.target.tolist())) == 4
    other = next(hornbook.environment("random_policy:s=30,seed=4").batches(30))
    assert not np.array_equal(first.features, other.features)


def played(heights: tuple[int, ...], cells: tuple[tuple[int, int], ...]) -> tuple[int, int, int, int]:
    """The features of a board, by looking at its squares one by one."""
    filled = {(x, y) for x, h in enumerate(heights) for y in range(h)} | set(cells)
    width, lines = len(heights), 0
    for y in reversed(range(20)):
        if all((x, y) in filled for x in range(width)):
            lines += 1
            filled = {(x, b - (b > y)) for x, b in filled if b != y}
    tops = [max((y + 1 for a, y in filled if a == x), default=0) for x in range(width)]
    holes = sum((x, y) not in filled for x in range(width) for y in range(tops[x]))
    return sum(tops), lines, holes, sum(abs(tops[i] - tops[i + 1]) for i in range(width - 1))


@pytest.mark.parametrize("heights", [(0, 0, 0, 0), (2, 0, 2, 2), (0, 1, 2, 0), (1, 1, 1, 0)])
def test_blocks_fall_until_they_rest(heights: tuple[int, ...]) -> None:
    """A block lies on something, in nothing, and cannot fall one further; the features are those of the board left."""
    counts = {"I": 5, "O": 3, "S": 5, "Z": 5, "L": 10, "J": 10, "T": 10}
    for piece, count in counts.items():
        found = landings(heights, piece)
        assert len(found) == len({after.cells for after in found.values()}) == count
        for after in found.values():
            assert all(y >= heights[x] for x, y in after.cells)
            assert any(y == heights[x] for x, y in after.cells)
            assert after.features == played(heights, after.cells)


def test_blocks_have_as_many_actions_as_ways_to_drop_them() -> None:
    """Ragged: between two and ten, the target first; other ties are left out."""
    problem = hornbook.environment("falling_blocks")
    batch = next(problem.batches(problem.num_states))
    counts = batch.available.sum(axis=1)
    assert (int(counts.min()), int(counts.max())) == (2, 10)
    assert len(set(counts.tolist())) > 5
    scores = batch.features @ np.array([-51, 76, -36, -18])
    assert (scores[:, 0] > np.where(batch.available, scores, -9999)[:, 1:].max(axis=1)).all()
    assert target_of(problem, "I-2-0-2-2") == "column-2-turned-90"  # the only way to two full rows


def test_blocks_conserve_squares_and_have_three_rays() -> None:
    """Height - holes + 4 lines is the same for all actions of a state; the rays are those of the docstring."""
    problem = hornbook.environment("falling_blocks")
    batch = next(problem.batches(problem.num_states))
    conserved = batch.features @ np.array([1, 4, -1, 0])
    assert all(len(set(row[there].tolist())) == 1 for row, there in zip(conserved, batch.available, strict=True))
    assert hornbook.teach(problem).rays == ((-3, 1, 1, -1), (-1, 0, -1, 4), (1, 0, 1, -7))


def test_ties_are_exact_in_planning() -> None:
    """Three thirds of a coin are a coin; a lead of a billionth is a lead."""
    third, half = Fraction(1, 3), Fraction(1, 2)
    coin = [(third, 1, Fraction(r), True) for r in (0, 0, 3)]
    same = [(Fraction(1), 1, Fraction(1), True)]
    more = [(Fraction(1), 1, 1 + Fraction(1, 10**9), True)]
    stay = [(Fraction(1), 1, Fraction(0), True)]
    assert best_actions([[coin, same], [stay, stay]], discount=half) == [[0, 1], [0, 1]]
    assert best_actions([[coin, same, more], [stay, stay, stay]], discount=half) == [[2], [0, 1, 2]]


def test_planning_goes_on_where_floats_stop() -> None:
    """Rewards that floats cannot tell apart: the proposal is wrong, exact policy iteration puts it right."""
    small = Fraction(1, 10**30)
    ends = [[(Fraction(1), 1, 1 + k * small, True)] for k in (0, 2, 1)]
    around = [(Fraction(1), 0, Fraction(0), False)]
    assert best_actions([[*ends, around], [around] * 4], discount=Fraction(9, 10))[0] == [1]


def shortest(problem: hornbook.TeachingProblem) -> set[str]:
    return {target_of(problem, problem.state_id(row)) for row in range(problem.num_states)}


def test_taxi_takes_a_shortest_way_round_the_walls() -> None:
    """Breadth-first search from the town's map, which is no part of what the environment reads."""
    rows = ["R: | : :G", " : | : : ", " : : : : ", " | : | : ", "Y| : |B: "]
    ways = {"south": (1, 0), "north": (-1, 0), "east": (0, 1), "west": (0, -1)}
    free = {(r, c): rows[r][2 * c + 1] == ":" for r in range(5) for c in range(4)}

    def after(cell: tuple[int, int], way: str) -> tuple[int, int]:
        row, column = cell[0] + ways[way][0], cell[1] + ways[way][1]
        blocked = ways[way][1] and not free.get((row, min(column, cell[1])), False)
        return cell if blocked or not 0 <= row < 5 else (row, column)

    def steps(start: tuple[int, int], goal: tuple[int, int]) -> int:
        seen, wave, count = {start}, {start}, 0
        while goal not in wave:
            wave = {after(cell, way) for cell in wave for way in ways} - seen
            seen |= wave
            count += 1
        return count

    problem = hornbook.environment("taxi")
    stops = {"red": (0, 0), "green": (0, 4), "yellow": (4, 0), "blue": (4, 3)}
    for row in range(problem.num_states):
        r, c, passenger, _, goal = problem.state_id(row).split("-")
        here, stop = (int(r), int(c)), stops[goal if passenger == "taxi" else passenger]
        action = target_of(problem, problem.state_id(row))
        if here == stop:
            assert action == ("dropoff" if passenger == "taxi" else "pickup")
        else:
            assert steps(after(here, action), stop) == steps(here, stop) - 1
    assert problem.num_states == 400


def test_the_cliff_is_passed_along_its_edge() -> None:
    """Up from the start, east above the cliff, down to the goal: 13 steps."""
    problem = hornbook.environment("cliff_walking")
    assert problem.num_states == 37
    assert target_of(problem, "3-00") == "north"
    assert {target_of(problem, f"2-{c:02}") for c in range(11)} == {"east"}
    assert {target_of(problem, f"{r}-11") for r in range(3)} == {"south"}
    assert hornbook.teach(problem).states == ("3-00",)
    assert set(hornbook.teach(problem).rays) == {(1, 0), (1, -1)}


def test_the_small_lake_is_walked_as_everybody_does() -> None:
    """The well-known optimal policy of the slippery 4 x 4 lake: away from the holes, not towards the goal."""
    problem = hornbook.environment("frozen_lake:features=tabular")
    letters = {"west": "W", "south": "S", "east": "E", "north": "N"}
    walked = {problem.state_id(row): letters[target_of(problem, problem.state_id(row))] for row in range(11)}
    rows = ["".join(walked.get(f"{r}-{c}", ".") for c in range(4)) for r in range(4)]
    assert rows == ["WNNN", "W.W.", "NSW.", ".ES."]


def test_the_large_lake_is_not_linear_in_the_small_ones_features() -> None:
    """`teach` says so, with two actions that look the same; tabular features tell everything apart."""
    assert hornbook.environment("frozen_lake:size=8,features=tabular").num_states == 53
    with pytest.raises(NotRealizable) as refused:
        hornbook.teach(hornbook.environment("frozen_lake:size=8"))
    assert len(refused.value.conflict) == 1


def test_without_gymnasium_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """One clear sentence that names the extra."""
    from hornbook.environments._gymnasium import task

    task.cache_clear()
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(BadProblem, match=r"pip install 'hornbook\[rl\]'"):
        hornbook.environment("taxi")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("maze:1", BadProblem),
        ("maze:51", LimitExceeded),
        ("maze:3,repeat=perhaps", BadProblem),
        ("boolean_thresholds:0", BadProblem),
        ("boolean_thresholds:6", LimitExceeded),
        ("boolean_thresholds:2,index=14", BadProblem),
        ("random_policy:s=0", BadProblem),
        ("random_policy:a=1001", LimitExceeded),
        ("falling_blocks:width=3", BadProblem),
        ("falling_blocks:height=9", LimitExceeded),
        ("frozen_lake:size=5", BadProblem),
    ],
)
def test_sizes_that_make_no_sense_are_refused(text: str, error: type[Exception]) -> None:
    """Too small is bad input, too large a limit."""
    with pytest.raises(error):
        hornbook.environment(text)
