"""One call to check a certificate against a problem in memory, by the reference rules or the fast ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hornbook.errors import Rejected

if TYPE_CHECKING:
    from hornbook.certificate.check import Accepted
    from hornbook.certificate.within import AcceptedWithin
    from hornbook.problem import TeachingProblem

__all__ = ["check"]


def check(certificate: Mapping[str, Any], problem: TeachingProblem, *, fast: bool = False) -> Accepted | AcceptedWithin:
    """Accept what the certificate claims of this problem, or raise `Rejected` with the checker's reason.

    The reference checker reads the problem row by row and recomputes everything in Python integers; `fast=True` applies
    the same rules in bulk.

    >>> import hornbook
    >>> problem = hornbook.environment("two_rays")
    >>> hornbook.check(hornbook.teach(problem).certificate(), problem).claim
    'minimum'
    """
    from hornbook.certificate.asked import check_asked
    from hornbook.certificate.check import Rejection
    from hornbook.certificate.within import check_within, is_budgeted

    if not isinstance(certificate, Mapping):
        raise Rejected(f"a certificate is an object with keys, not {str(certificate)[:40]!r}")
    try:
        if fast:
            from hornbook.certificate.fast import check_fast

            return check_fast(dict(certificate), problem)
        check_this: Any = check_within if is_budgeted(certificate) else check_asked
        return check_this(  # type: ignore[no-any-return]
            dict(certificate), problem.rows(), identity=problem.identity, arithmetic=problem.arithmetic
        )
    except Rejection as rejection:
        raise Rejected(str(rejection)) from None
