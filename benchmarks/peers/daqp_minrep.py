"""daqp's `minrep`: the redundant rows of a polytope, here of the polar of the centred cross-section; in floats."""

from __future__ import annotations

from importlib.metadata import version as installed
from typing import Any

import numpy as np

from benchmarks.sections import centred

OPTIONS = "minrep on the polar {v : <y, v> <= 1} of the centred and scaled cross-section, default options"


def version() -> str:
    return f"daqp {installed('daqp')}"


def prepare(path: str) -> Any:
    rows = centred(path)
    return np.ascontiguousarray(rows), np.ones(len(rows))


def solve(prepared: Any) -> Any:
    import daqp

    redundant = daqp.minrep(*prepared)
    return np.flatnonzero(np.asarray(redundant) == 0).tolist()
