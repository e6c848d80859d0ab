"""2,000 adversarial instances of all families against PPL, Normaliz, closed forms and brute-force covers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import AT_THE_END
from tests.families import FAMILIES
from tests.instances import Instance, hand_solved
from tests.referee import Referee
from tests.sweep import Tally, compare, sweep

INSTANCES = 2000


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


def test_hornbook_agrees_with_the_oracles(tally: Tally, record_property: Callable[[str, object], None]) -> None:
    """Same rays or the same refusal, least costs, irreducible conflicts; the run ends with the table of what was
    tried."""
    record_property(AT_THE_END, tally.table())
    assert tally.total("instances") == INSTANCES


def test_every_family_is_there(tally: Tally) -> None:
    """N1 to N36, at least twenty of each, enough of them on a facet and enough that are not realizable."""
    assert list(tally.counts) == [f"N{i}" for i in range(1, 37)] == list(FAMILIES)
    assert tally.shortfalls() == []


def test_too_few_instances_are_noticed() -> None:
    """The limits are checked: a tally of nothing but one family falls short of them all."""
    tally = Tally()
    tally.counts["N1"].update({"instances": 100})
    assert len(tally.shortfalls()) == 35 + 2


@pytest.mark.parametrize("instance", hand_solved(), ids=lambda i: i.name)
def test_hornbook_knows_the_hand_solved_instances(instance: Instance, referee: Referee) -> None:
    """Rays, size and conflict are those of the argument."""
    compare(referee, Tally(), instances=[instance])
