"""cddlib with GMP rationals: redundant generators, one exact LP each."""

from __future__ import annotations

from importlib.metadata import version as installed
from typing import Any

import numpy as np

OPTIONS = "cdd.gmp.redundant_rows of the generators"


def version() -> str:
    return f"pycddlib {installed('pycddlib')}"


def prepare(path: str) -> Any:
    import cdd
    import cdd.gmp

    with np.load(path) as data:
        vectors = data["vectors"]
    rows = [[0, *map(int, row)] for row in vectors]
    return cdd.gmp.matrix_from_array(rows, rep_type=cdd.RepType.GENERATOR), len(rows)


def solve(prepared: Any) -> Any:
    import cdd.gmp

    matrix, count = prepared
    redundant = set(cdd.gmp.redundant_rows(matrix))
    return [row for row in range(count) if row not in redundant]
