"""Many small covers against brute force: `make sweep` runs these, `make test` does not."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from hornbook.cover import CoverProblem, Limits, PartialCoverProblem, cover_within
from tests.cover.test_enumeration import expanded, lean_and_cheapest, pieces_of
from tests.cover.test_partial import assert_sound, most

ROUND = 100_000
COSTS = ([1], [0, 1, 2, 3], [Fraction(1, 2), Fraction(2, 3), Fraction(5)], [1, 3, 10**30])


def units_of(chance: random.Random, *, rays: int, most_units: int) -> list[tuple[int, ...]]:
    count = chance.randint(1, most_units)
    return [tuple(sorted(chance.sample(range(rays), chance.randint(1, min(rays, 4))))) for _ in range(count)]


@pytest.mark.sweep
def test_a_hundred_thousand_budgets() -> None:
    """Costs, values and budgets of several kinds; stopped after a few nodes now and then."""
    for seed in range(ROUND):
        chance = random.Random(seed)
        rays = chance.randint(1, 7)
        units = sorted(set(units_of(chance, rays=rays, most_units=7)))
        costs = [chance.choice(chance.choice(COSTS)) for _ in units]
        values = [chance.choice([1, 1, 1, 2, Fraction(3, 2), 10**20]) for _ in range(rays)]
        budget = chance.choice([Fraction(chance.randint(0, 4)), Fraction(chance.randint(0, 20), 3)])
        problem = PartialCoverProblem(units, costs, values, budget)
        nodes = chance.choice([None, None, 0, 1])
        found = cover_within(problem, limits=Limits(nodes=nodes))
        assert_sound(problem, found)
        truth = most(problem)
        assert found.value <= truth <= found.upper_bound, seed
        assert nodes is not None or found.is_most, seed


@pytest.mark.sweep
def test_a_hundred_thousand_enumerations() -> None:
    """All cheapest covers, each once, at costs of several kinds."""
    for seed in range(ROUND):
        chance = random.Random(seed)
        some = units_of(chance, rays=chance.randint(1, 6), most_units=7)
        place = {ray: i for i, ray in enumerate(sorted({ray for unit in some for ray in unit}))}
        units = [tuple(place[ray] for ray in unit) for unit in some]
        whole = CoverProblem(len(place), units, [chance.choice(chance.choice(COSTS)) for _ in units])
        assert expanded(pieces_of(whole)) == lean_and_cheapest(whole), seed
