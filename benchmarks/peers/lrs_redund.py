"""lrslib's `redund`: exact redundancy removal, one LP for each row.  A program of its own, started for each run."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

OPTIONS = "redund on the generators (starting the program is some milliseconds of its time)"


def version() -> str:
    said = subprocess.run(["lrs"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return next((line.strip("*") for line in said.stdout.splitlines() if "lrslib" in line), "lrslib")


def prepare(path: str) -> Any:
    with np.load(path) as data:
        vectors = data["vectors"]
    lines = [" ".join(["0", *map(str, row)]) for row in vectors.tolist()]
    head = ["V-representation", "begin", f"{len(lines)} {vectors.shape[1] + 1} integer"]
    file = Path(tempfile.mkdtemp()) / "cone.ext"
    file.write_text("\n".join([*head, *lines, "end", ""]))
    return file, len(lines)


def solve(prepared: Any) -> Any:
    file, count = prepared
    said = subprocess.run(["redund", str(file)], capture_output=True, text=True, check=True).stdout
    redundant: set[int] = set()
    after = said.split("redundant row(s) found:")
    if len(after) > 1:
        for line in after[1].splitlines():
            if line.startswith("*"):
                break
            redundant |= {int(word) - 1 for word in line.split()}
    return [row for row in range(count) if row not in redundant]
