"""Forged certificates: each is a lie, or a valid certificate in a form the format does not allow, that one check stops.

- `maker`: small problems and their true certificates, made without hornbook.
- `floats`: the same for float data.
- `certificates`, `float_certificates`: forgeries that any checker can be shown, each with the valid certificate it was
  made from.
- `requests`: the same for lessons of which more was asked, which `asked.py` reads.
- `files`: malformed rows and problem files, which only the reference checker reads.

`tools/prove_checks.py` deletes each rejecting statement of `check.py` and `asked.py` and wants one of these to be
accepted.
"""

from __future__ import annotations

from tests.forgeries.certificates import FORGERIES as EXACT_FORGERIES
from tests.forgeries.certificates import VALID as EXACT_VALID
from tests.forgeries.certificates import Forgery
from tests.forgeries.files import FILE_FORGERIES, ROW_FORGERIES, FileForgery, RowForgery
from tests.forgeries.float_certificates import FLOAT_FORGERIES, FLOAT_VALID
from tests.forgeries.requests import ASKED_FORGERIES, ASKED_VALID

__all__ = [
    "ASKED_FORGERIES",
    "ASKED_VALID",
    "FILE_FORGERIES",
    "FORGERIES",
    "ROW_FORGERIES",
    "VALID",
    "FileForgery",
    "Forgery",
    "RowForgery",
]

FORGERIES = [*EXACT_FORGERIES, *FLOAT_FORGERIES]
VALID = EXACT_VALID | {f"floats, {name}": pair for name, pair in FLOAT_VALID.items()}
