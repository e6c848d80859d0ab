"""`hornbook compare` and its tables."""

from __future__ import annotations

import csv
import json
import sys

import pytest

from hornbook.cli._tables import TABLES, Table
from tests.cli.running import hornbook

HOSTILE = Table(("teacher", "demonstrations"), (("=cmd()|\x1b[31m", "1"), ("<b>, \u202e\n", "2")))


def test_json_has_a_row_for_each_pair() -> None:
    """Teachers times learners, as the schema says; the negative control errs."""
    done = hornbook("compare", "diamond:3", "--json", "--learners", "worst_case,soft_svc", "--seed", "1")
    assert done.code == 0
    assert len(done.data["rows"]) == 6 * 2
    assert [c["learner_errors"]["worst_case"] > 0 for c in done.data["controls"]] == [True, True]
    assert {row["promise"] for row in done.data["rows"] if row["learner"] == "soft_svc"} == {False}


def test_stars_and_exclamation_marks() -> None:
    """A penalised learner has a star; weights that disagree with a demonstration an exclamation mark."""
    rows = [[[100, k], [0, 0]] for k in range(-30, 31)] + [[[-1, 1000], [0, 0]], [[2, -1000], [0, 0]]]
    problem = json.dumps({"format": "hornbook-problem", "version": 1, "features": rows, "target": [0] * len(rows)})
    done = hornbook(
        *("compare", "-", "--format", "json", "--teachers", "all", "--learners", "soft_svc", "--controls", "0"),
        stdin=problem.encode(),
    )
    assert "soft_svc*" in done.out
    assert done.out.splitlines()[-1] == "* no promise: a penalty may overrule a demonstration"
    assert any(word.endswith("!") for word in done.out.split())


def test_a_sheet_spells_out_that_nothing_is_promised() -> None:
    """In CSV there is no line below the table, so the head says it; times are there, too."""
    done = hornbook("compare", "two_rays", "--table", "csv", "--learners", "soft_svc", "--teachers", "minimum")
    head, line, *_ = list(csv.reader(done.out.splitlines()))
    assert head == ["teacher", "demonstrations", "undecided", "soft_svc (no promise)", "seconds"]
    assert float(line[-1]) >= 0


def test_left_out_learners_are_told_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where scikit-learn is missing, standard error says what to install."""
    for module in ("sklearn", "sklearn.svm", "sklearn.linear_model"):
        monkeypatch.setitem(sys.modules, module, None)
    done = hornbook("compare", "two_rays", "--teachers", "minimum")
    assert done.code == 0
    assert "left out perceptron, " in done.err
    assert "pip install 'hornbook[sklearn]'" in done.err


def test_tables_of_classification_data_have_a_hole_where_nothing_was_left() -> None:
    """Every form of table holds the same cells."""
    for form, mark in (("csv", ","), ("markdown", "|"), ("text", "  ")):
        done = hornbook("compare", "two_rays", "--table", form, "--learners", "worst_case", "--teachers", "minimum")
        assert "without s" in done.out
        assert mark in done.out.splitlines()[-1]
        assert "100" in done.out.splitlines()[-1]


def test_without_one_demonstration_the_worst_case_always_errs() -> None:
    """The share is told for each learner, and left open for one that cannot learn this kind of problem."""
    done = hornbook("compare", "diamond:3", "--learners", "worst_case,crammer_singer", "--teachers", "minimum")
    assert done.out.splitlines()[-1].split() == ["errs", "without", "one", "100%"]


def test_hostile_names_do_nothing_in_any_table() -> None:
    """No escape, no formula, no markup, and one line each."""
    text, sheet, marked = (TABLES[form](HOSTILE) for form in ("text", "csv", "markdown"))
    assert text[1].startswith("=cmd()|\\x1b[31m")
    assert [row[0] for row in csv.reader(sheet)][1:] == ["'=cmd()|\\x1b[31m", "<b>, \\u202e\\n"]
    assert marked[2].startswith("| =cmd\\(\\)\\|\\\\x1b\\[31m |")
    assert "&lt;b&gt;" in marked[3]
    assert all(line.isprintable() for lines in (text, sheet, marked) for line in lines)
