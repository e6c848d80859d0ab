"""Forged certificates: each is a lie, or a valid certificate in a form the format does not allow, that one check stops.

- `maker`: small problems and their true certificates, made without hornbook.
- `certificates`: forgeries that any checker can be shown, with the valid certificate each was made from.
- `files`: malformed rows and problem files, which only the reference checker reads.

`tools/prove_checks.py` deletes each rejecting statement of `check.py` and wants one of these to be accepted.
"""

from __future__ import annotations

from tests.forgeries.certificates import FORGERIES, Forgery
from tests.forgeries.files import FILE_FORGERIES, ROW_FORGERIES, FileForgery, RowForgery

__all__ = ["FILE_FORGERIES", "FORGERIES", "ROW_FORGERIES", "FileForgery", "Forgery", "RowForgery"]
