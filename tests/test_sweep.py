"""The sweep resumes, counts, and stops at the first mismatch with an instance that can be replayed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import sweep
from tests.instances import BAD, by_differences, singletons, to_json
from tests.oracles import NOTREAL
from tests.referee import Answer, Referee

LIE = by_differences([[(1, 0)], [(0, 1)]], expected=((1, 0),), argument="a lie", family="N1", name="a lie")


@pytest.fixture(autouse=True)
def _libraries() -> None:
    with Referee() as referee:
        if referee.missing():
            pytest.skip("; ".join(referee.missing()))


def test_a_stopped_sweep_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two rounds of 72 in two runs are the same counts as in one run."""
    arguments = ["--oracles-only", "--round-size", "72", "--seed", "4"]
    assert sweep.main([*arguments, "--state", str(tmp_path / "two")]) == 0
    assert sweep.main([*arguments, "--state", str(tmp_path / "two")]) == 0
    assert sweep.main([*arguments, "--state", str(tmp_path / "one"), "--rounds", "2"]) == 0
    two, one = (json.loads((tmp_path / name).read_text()) for name in ("two", "one"))
    assert two == one
    assert two["done"] == 144
    assert "144 of 144 instances, 0 wrong" in capsys.readouterr().out


def test_a_mismatch_is_printed_and_can_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "lie.json"
    saved.write_text(to_json(LIE))
    assert sweep.main(["--oracles-only", "--replay", str(saved)]) == 1
    assert to_json(LIE) in capsys.readouterr().out
    saved.write_text(to_json(singletons(3)))
    assert sweep.main(["--oracles-only", "--replay", str(saved)]) == 0


def test_a_wrong_product_stops_the_sweep(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is asked, this product says bad input: wrong on the first instance, which has no state."""
    monkeypatch.setattr(sweep, "ask_hornbook", lambda instance, finder: Answer(BAD))
    assert sweep.main(["--round-size", "36"]) == 1
    assert "WRONG after 0 right ones: N1 index 0" in capsys.readouterr().out


def test_an_exception_or_a_hang_of_the_product_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(instance: object, finder: str) -> Answer:
        raise ZeroDivisionError("by zero")

    def hang(instance: object, finder: str) -> Answer:
        while True:
            pass

    with Referee() as referee:
        for product, complaint in (
            (crash, "ZeroDivisionError: by zero"),
            (hang, "TimeoutError: no answer in 1 s"),
        ):
            monkeypatch.setattr(sweep, "ask_hornbook", product)
            monkeypatch.setattr(sweep, "PATIENCE", 1)
            with pytest.raises(sweep.Mismatch, match=complaint):
                sweep.compare(referee, sweep.Tally(), instances=[singletons(3)])


def test_the_table_counts_outcomes_facets_and_calls(capsys: pytest.CaptureFixture[str]) -> None:
    """One square with edge midpoints and one conflict: half on a facet, half not realizable."""
    corners = [(1, 1, 1), (1, -1, 1), (-1, 1, 1), (-1, -1, 1)]
    square = by_differences([[x] for x in (*corners, (0, 1, 1))], argument="", family="N30")
    clash = by_differences([[(1,)], [(-1,)]], argument="", family="N4", expected=NOTREAL)
    tally = sweep.Tally()
    with Referee() as referee:
        sweep.compare(referee, tally, instances=[square, clash], product=False)
    assert (tally.facet_share(), tally.notreal_share()) == (0.5, 0.5)
    rows = {row.split()[0]: row.split()[1:] for row in tally.table().splitlines()}
    assert rows["N30"] == ["1", "1", "0", "0", "1", "1", "1", "1", "3:1"]
    assert rows["N4"] == ["1", "0", "1", "0", "0", "1", "1", "1", "1:1"]
