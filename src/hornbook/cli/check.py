"""`hornbook check CERTIFICATE PROBLEM`: does the certificate prove its claim about this problem?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from hornbook.cli._answer import Answer, stored_level
from hornbook.cli._options import Named, problem_argument, talk_options
from hornbook.cli._talk import Talk
from hornbook.errors import BadProblem, Rejected

if TYPE_CHECKING:
    from hornbook.certificate.check import Accepted
    from hornbook.certificate.within import AcceptedWithin

__all__ = ["command"]

_CLAIMS = ("minimum", "interval", "not realizable", "most", "most so far")


@click.command("check")
@click.argument("certificate", metavar="CERTIFICATE", type=click.Path())
@problem_argument
@click.option("--fast", is_flag=True, help="Use the compiled checker: same rules, for large problems.")
@talk_options
def command(*, talk: Talk, certificate: str, problem: Named, fast: bool) -> Answer:
    """Check a certificate without trusting what made it.

    The reference checker is one file, certificate/check.py, that imports
    nothing of hornbook; it reads problem files itself, and environments are
    streamed into it.  Exits with 6 if the certificate is rejected.

    \b
    $ hornbook teach diamond:6 --certificate diamond.cert
    PROVED MINIMUM: 2 of 15,624 states (exact)
    ...
    $ hornbook check diamond.cert diamond:6
    ACCEPTED: minimum (exact): 2 demonstrations, cost at least 2
    """
    from hornbook.certificate.within import AcceptedWithin

    claims: Any = None
    try:
        claims = _claims(certificate)
        found = _checked(certificate, claims, problem, fast=fast)
        return _accepted_within(found) if isinstance(found, AcceptedWithin) else _accepted(found, claims)
    except Rejected as rejection:
        claim = claims.get("claim") if isinstance(claims, dict) else None
        return _rejected(str(rejection), claim if claim in _CLAIMS else None)


def _claims(path: str) -> Any:
    """The JSON in the certificate file; what cannot be parsed is rejected, what is no file is bad input."""
    from hornbook.formats.files import opened, read_all

    with opened(path) as stream:
        data = read_all(stream, path)
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"the certificate cannot be read: {error}") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has the same key twice")
    return found


def _checked(certificate: str, claims: Any, problem: Named, *, fast: bool) -> Accepted | AcceptedWithin:
    """The reference checker reads files by itself; hornbook reads the rest for it, and all for `--fast`."""
    if problem.is_plain_file and not fast:
        return _by_the_reference(certificate, claims, problem.text)
    if not isinstance(claims, dict):
        raise Rejected("the certificate is not a JSON object")
    from hornbook.certificate.checking import check

    subject = problem.load()
    if claims.get("arithmetic") == "stored" and subject.is_float:  # what `--on-ambiguous accept` fell back to
        subject = subject.taken_exactly()
    return check(claims, subject, fast=fast)


def _by_the_reference(certificate: str, claims: Any, problem: str) -> Accepted | AcceptedWithin:
    from hornbook.certificate.asked import check_asked_files
    from hornbook.certificate.check import Unreadable
    from hornbook.certificate.within import check_within_files, is_budgeted
    from hornbook.formats.files import opened

    with opened(problem):  # says what is wrong with a path better than the checker does
        pass
    try:
        if is_budgeted(claims):
            return check_within_files(certificate, problem)
        return check_asked_files(certificate, problem)
    except Unreadable as error:
        raise BadProblem(f"{problem}: {error}") from None
    except Exception as error:  # whatever it is, nothing has been proved
        raise Rejected(str(error)) from None


def _accepted(found: Accepted, claims: dict[str, Any]) -> Answer:
    from hornbook.lesson import request_line

    data = {"claim": found.claim, "size": found.size, "lower_bound": found.lower_bound, "reason": None}
    request = claims.get("request")
    data |= {} if request is None else {"request": request}
    what = f"{found.claim} ({stored_level(claims['arithmetic'])}){request_line(request)}"
    if found.size is not None:
        demonstrations = "1 demonstration" if found.size == 1 else f"{found.size:,} demonstrations"
        what = f"{what}: {demonstrations}, cost at least {found.lower_bound}"
    return Answer({"ok": True, "accepted": True, **data}, lines=[f"ACCEPTED: {what}"])


def _accepted_within(found: AcceptedWithin) -> Answer:
    claim, size, budget, value, bound, arithmetic = found
    data = {"claim": claim, "size": size, "lower_bound": None, "reason": None}
    data |= {"budget": str(budget), "value": value, "upper_bound": bound}
    refuting = "1 demonstration refutes" if size == 1 else f"{size:,} demonstrations refute"
    what = f"within a budget of {budget}, {refuting} what is worth {value}, none more than {bound}"
    return Answer(
        {"ok": True, "accepted": True, **data}, lines=[f"ACCEPTED: {claim} ({stored_level(arithmetic)}): {what}"]
    )


def _rejected(reason: str, claim: str | None) -> Answer:
    data = {"claim": claim, "size": None, "lower_bound": None, "reason": reason}
    code = Rejected.exit_code
    return Answer({"ok": True, "accepted": False, **data}, lines=[f"REJECTED: {reason}"], code=code)
