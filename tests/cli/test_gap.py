"""`--gap` and `teach(gap=...)`: an interval that will do."""

from __future__ import annotations

from fractions import Fraction

import pytest

import hornbook
from hornbook.errors import BadProblem
from tests.cli.running import hornbook as command
from tests.cover.covers import triples

STEINER = "set_cover:" + ";".join("/".join(map(str, unit)) for unit in triples(9))


def test_an_interval_that_will_do_ends_the_search() -> None:
    """Five of nine points meet all triples; that four do not takes branching, which a gap of a half spares."""
    subject = hornbook.environment(STEINER)
    assert hornbook.teach(subject).is_minimum
    for gap in (0.5, "1/2", Fraction(1, 2)):
        lesson = hornbook.teach(subject, gap=gap)
        assert not lesson.is_minimum
        assert lesson.cost / 2 <= lesson.lower_bound < lesson.cost
        hornbook.check(lesson.certificate(), subject)


@pytest.mark.parametrize("gap", [-1, 1.5, "much", float("nan"), float("inf"), "1/0"])
def test_what_is_no_gap(gap: object) -> None:
    """From 0 to 1."""
    with pytest.raises(BadProblem, match="from 0"):
        hornbook.teach(hornbook.environment("two_rays"), gap=gap)  # type: ignore[arg-type]


def test_the_command_line_takes_a_gap() -> None:
    """For whole lessons."""
    answer = command("teach", STEINER, "--gap", "0.5", "--json")
    assert answer.code == 0
    assert answer.data["lower_bound"] != answer.data["cost"]
    assert answer.data["size"] == 5
    assert command("teach", STEINER, "--gap", "2").code == 2
    refused = command("teach", STEINER, "--gap", "0.5", "--budget", "2")
    assert refused.code == 2
    assert "--gap is for whole lessons" in refused.err
