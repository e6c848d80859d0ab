"""Nothing forged is accepted, by either checker; what it was forged from is accepted by both."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.certificate import check
from hornbook.certificate.check import Accepted, Rejection, check_rows
from hornbook.certificate.fast import check_fast
from tests.certificate.given import as_problem
from tests.forgeries import FILE_FORGERIES, FORGERIES, ROW_FORGERIES, VALID, FileForgery, Forgery, RowForgery
from tests.forgeries.floats import FloatProblem
from tests.forgeries.maker import Json, Problem

ROOT = Path(__file__).parents[2]


def reference(certificate: Json, given: Problem | FloatProblem) -> Accepted:
    return check_rows(certificate, given.rows(), identity=given.identity, arithmetic=given.arithmetic)


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
