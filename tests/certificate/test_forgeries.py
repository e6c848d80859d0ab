"""Nothing forged is accepted, by either checker; what it was forged from is accepted by both."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.certificate import check
from hornbook.certificate.asked import check_asked, check_asked_files
from hornbook.certificate.check import Accepted, Rejection, check_rows
from hornbook.certificate.fast import check_fast
from tests.certificate.given import as_problem
from tests.certificate.test_check import as_json, written
from tests.forgeries import (
    ASKED_FORGERIES,
    ASKED_VALID,
    FILE_FORGERIES,
    FORGERIES,
    ROW_FORGERIES,
    VALID,
    FileForgery,
    Forgery,
    RowForgery,
)
from tests.forgeries.floats import FloatProblem
from tests.forgeries.maker import Json, Problem

ROOT = Path(__file__).parents[2]


def reference(certificate: Json, given: Problem | FloatProblem) -> Accepted:
    return check_rows(certificate, given.rows(), identity=given.identity, arithmetic=given.arithmetic)


def asked(certificate: Json, given: Problem | FloatProblem) -> Accepted:
    return check_asked(certificate, given.rows(), identity=given.identity, arithmetic=given.arithmetic)


@pytest.mark.parametrize("name", ASKED_VALID)
def test_both_accept_what_is_true_of_a_request(name: str) -> None:
    """Lessons made by hand, of which more was asked."""
    given, valid = ASKED_VALID[name]
    accepted = asked(valid, given)
    found = (accepted.claim, accepted.size, accepted.lower_bound)
    assert found == (valid["claim"], valid.get("size"), valid.get("lower_bound"))
    assert check_fast(valid, as_problem(given)) == accepted


@pytest.mark.parametrize("forgery", ASKED_FORGERIES, ids=lambda forgery: forgery.name)
def test_both_reject_a_forged_request(forgery: Forgery) -> None:
    """One change, and neither accepts; the checker of plain lessons accepts no request at all."""
    assert asked(forgery.valid, forgery.problem)
    with pytest.raises(Rejection):
        asked(forgery.forged, forgery.problem)
    with pytest.raises(Rejection):
        check_fast(forgery.forged, as_problem(forgery.problem))
    with pytest.raises(Rejection):
        reference(forgery.forged, forgery.problem)


@pytest.mark.parametrize("name", [name for name in VALID if not name.startswith("floats")])
def test_without_a_request_nothing_changes(name: str) -> None:
    """The checker of requests leaves plain certificates to the other one."""
    given, valid = VALID[name]
    assert asked(valid, given) == reference(valid, given)


def test_files_with_requests_are_read_as_others_are(tmp_path: Path) -> None:
    """Whatever is wrong with a problem is its own fault, not the certificate's."""
    given, valid = ASKED_VALID["given"]
    certificate, whole = written(tmp_path, valid, json.dumps(as_json(given)).encode(), ".json")
    assert check_asked_files(certificate, whole).size == 1
    with pytest.raises(check.Unreadable):
        check_asked_files(certificate, certificate)


@pytest.mark.parametrize("name", VALID)
def test_both_accept_what_is_true(name: str) -> None:
    """The untouched certificate of the slow maker passes, and both checkers report the same."""
    given, valid = VALID[name]
    accepted = reference(valid, given)
    assert accepted.claim == valid["claim"]
    assert (accepted.size, accepted.lower_bound) == (valid.get("size"), valid.get("lower_bound"))
    assert check_fast(valid, as_problem(given)) == accepted


@pytest.mark.parametrize("given", [given for given, _ in VALID.values()])
def test_both_hash_the_same_rows(given: Problem | FloatProblem) -> None:
    """The hash is of the rows in id order, whatever order they were given in."""
    from tests.forgeries.maker import hash_of

    assert as_problem(given).digest == hash_of(given.rows(), given.identity)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_both_reject_a_forgery(forgery: Forgery) -> None:
    """One change to a valid certificate, and neither checker accepts it."""
    assert reference(forgery.valid, forgery.problem)
    with pytest.raises(Rejection):
        reference(forgery.forged, forgery.problem)
    with pytest.raises(Rejection):
        check_fast(forgery.forged, as_problem(forgery.problem))


@pytest.mark.parametrize("forgery", ROW_FORGERIES, ids=lambda forgery: forgery.name)
def test_malformed_rows_are_rejected(forgery: RowForgery) -> None:
    """Rows that are no problem have no valid certificate."""
    with pytest.raises(check.Unreadable):
        check_rows(forgery.certificate, forgery.rows)


@pytest.mark.parametrize("forgery", FILE_FORGERIES, ids=lambda forgery: forgery.name)
def test_malformed_files_are_rejected(forgery: FileForgery, tmp_path: Path) -> None:
    """One line, and the exit status that says whether the certificate or the problem is to blame."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert check.main(forgery.write(tmp_path)) == forgery.status
    assert printed.getvalue().count("\n") == 1
    assert printed.getvalue().isascii()


def test_every_check_is_needed() -> None:
    """Deleting any rejecting statement of the reference checker lets a forgery through."""
    script = ROOT / "tools" / "prove_checks.py"
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
