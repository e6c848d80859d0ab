"""2,000 adversarial instances of all families against PPL, Normaliz, closed forms and brute-force covers."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.families import FAMILIES
from tests.instances import Instance, hand_solved
from tests.referee import Referee
from tests.sweep import Tally, compare, sweep

INSTANCES = 2000
LEAST_PER_FAMILY = 20
LEAST_ON_A_FACET = 0.30
LEAST_NOT_REALIZABLE = 0.10


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with Referee() as both:
        if both.missing():
            pytest.skip("; ".join(both.missing()))
        yield both


@pytest.fixture(scope="module")
def tally(referee: Referee) -> Tally:
    """All comparisons; a mismatch raises with the instance as JSON.  HORNBOOK_SEED tries other instances."""
    tally = Tally()
    for _ in sweep(referee, tally, numbers=range(INSTANCES), seed=int(os.environ.get("HORNBOOK_SEED", "2"))):
        pass
    return tally


def test_hornbook_agrees_with_the_oracles(tally: Tally, capsys: pytest.CaptureFixture[str]) -> None:
    """Same rays or the same refusal, least costs, irreducible conflicts; the table says what was tried."""
    with capsys.disabled():
        print(f"\n{tally.table()}")
    assert tally.total("instances") == INSTANCES


def test_every_family_is_there(tally: Tally) -> None:
    """N1 to N36, at least twenty of each."""
    assert list(tally.counts) == [f"N{i}" for i in range(1, 37)] == list(FAMILIES)
    assert {n: c["instances"] for n, c in tally.counts.items() if c["instances"] < LEAST_PER_FAMILY} == {}


def test_enough_vectors_lie_exactly_on_a_facet(tally: Tally) -> None:
    assert tally.facet_share() >= LEAST_ON_A_FACET


def test_enough_instances_are_not_realizable(tally: Tally) -> None:
    assert tally.notreal_share() >= LEAST_NOT_REALIZABLE


@pytest.mark.parametrize("instance", hand_solved(), ids=lambda i: i.name)
def test_hornbook_knows_the_hand_solved_instances(instance: Instance, referee: Referee) -> None:
    """Rays, size and conflict are those of the argument."""
    compare(referee, Tally(), instances=[instance])
