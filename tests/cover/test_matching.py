"""Units of at most two rays: the smallest cover by matching, and the odd sets that prove it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.cover import CoverProblem, Leaf, Limits, minimum_cover
from hornbook.cover import _matching as matching_module
from hornbook.cover import _minimum as minimum_module
from hornbook.cover._budget import Budget
from hornbook.cover._incidence import table_of
from hornbook.cover._matching import is_matching, match_rays
from tests.cover.covers import assert_covers, cheapest, cycle, problem


@st.composite
def graphs(draw: st.DrawFn, *, rays: int = 9, units: int = 16) -> CoverProblem:
    """Pairs, loops and lonely rays."""
    ray = st.integers(0, draw(st.integers(0, rays - 1)))
    some = draw(st.lists(st.frozensets(ray, min_size=1, max_size=2), min_size=1, max_size=units, unique=True))
    names = {name: place for place, name in enumerate(sorted(frozenset().union(*some)))}
    cost = draw(st.sampled_from([1, 7, 10**30]))
    return problem([tuple(sorted(names[ray] for ray in unit)) for unit in some], costs=[cost] * len(some))


@settings(max_examples=800)
@given(graphs())
def test_a_matching_proves_itself_with_one_leaf(graph: CoverProblem) -> None:
    """Against dynamic programming, with the proof read by the book."""
    assert is_matching(table_of(graph))
    cover = minimum_cover(graph)
    assert_covers(graph, cover)
    assert cover.is_minimum
    assert cover.complete
    assert isinstance(cover.proof, Leaf)
    assert cover.cost == cheapest(graph)


@pytest.mark.parametrize("seed", range(12))
def test_larger_graphs_with_many_blossoms_are_proved(seed: int) -> None:
    """Odd circles hung on each other by single edges, shuffled: blossoms inside blossoms, as machine code too."""
    draw = random.Random(seed)
    edges, rays = [], 0
    for _ in range(60):
        size = draw.choice([3, 5, 7])
        edges += cycle(size, first=rays)
        edges += [(draw.randrange(rays), rays + draw.randrange(size)) for _ in range(draw.randint(1, 2)) if rays]
        rays += size
    name = draw.sample(range(rays), rays)
    graph = problem(sorted({tuple(sorted((name[a], name[b]))) for a, b in edges}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching_module, "_WORTH", 10**9 if seed % 2 else 0)
        patch.setattr(matching_module, "_WORK", 50)
        cover = minimum_cover(graph)
    assert cover.is_minimum
    assert_covers(graph, cover)


def test_a_star_is_proved_by_its_points() -> None:
    """Every point needs its own edge: blossoms of one ray each, as weights and not as sets."""
    cover = minimum_cover(problem([(0, ray) for ray in range(1, 8)]))
    assert isinstance(cover.proof, Leaf)
    assert [ray for ray, _ in cover.proof.weights] == list(range(1, 8))
    assert not cover.proof.sets


def test_out_of_time_half_the_rays_are_a_bound() -> None:
    """A path of an even number of rays: half of them are needed, and that is all that is known."""
    path = problem([(ray, ray + 1) for ray in range(9)] + [(0,)])
    chosen, sets = match_rays(table_of(path), Budget(Limits(seconds=0.0)))
    assert sets == [list(range(10))]
    assert {ray for unit in chosen for ray in path.units[unit]} == set(range(10))
    cover = minimum_cover(path, limits=Limits(seconds=0.0))
    assert_covers(path, cover)
    assert cover.lower_bound == 5


@pytest.mark.parametrize(
    "other",
    [
        problem([(0, 1, 2)]),
        problem([(0,), (0, 1)], costs=[1, 2]),
        problem([(0,), (0, 1)], costs=[0, 0]),
        CoverProblem(1, [(0,), (0,)], [1, 1], demands=[2]),
        CoverProblem(0, [], []),
    ],
)
def test_what_a_matching_does_not_solve(other: CoverProblem) -> None:
    """Three rays, other costs, demands, and nothing at all."""
    assert not is_matching(table_of(other))


def test_all_pieces_of_pairs_are_matched_at_once() -> None:
    """Twenty pentagons at cost 1 and twenty at cost 2 beside one piece of triples: three searches."""
    pentagons = [unit for place in range(40) for unit in cycle(5, first=5 * place)]
    triples = [(200, 201, 202), (202, 203, 204), (200, 203, 205), (201, 204, 205)]
    whole = problem([*pentagons, *triples], costs=[1] * 100 + [2] * 100 + [1] * 4)
    reduced = minimum_module.unreduced(table_of(whole))
    pieces = list(minimum_module._pieces(table_of(whole), reduced, whole.step))
    assert [part.num_rays for part, _ in pieces] == [100, 100, 6]
    cover = minimum_cover(whole)
    assert cover.is_minimum
    assert_covers(whole, cover)


def test_rays_in_a_row_need_no_round_for_each() -> None:
    """A path of 20,000 rays is matched from its ends on, without reductions."""
    count = 20_000
    cover = minimum_cover(problem([(ray, ray + 1) for ray in range(count - 1)]))
    assert cover.cost == cover.lower_bound == count // 2
    assert np.diff(cover.chosen).tolist() == [2] * (count // 2 - 1)
