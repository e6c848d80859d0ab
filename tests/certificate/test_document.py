"""The worked example of docs/certificate-v1.md is what it says."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from hornbook.certificate.check import Accepted, check_files

FLOATS = {"kind": "float64", "noise": "1/281474976710656", "merge": "1/68719476736", "gap": 1024}
DOCUMENT = Path(__file__).parents[2] / "docs" / "certificate-v1.md"


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("## A complete example", Accepted("minimum", 1, "1")),
        ("### An example", Accepted("minimum", 2, "2", FLOATS, "524289/262144")),
    ],
)
def test_the_examples_are_accepted(heading: str, found: Accepted, tmp_path: Path) -> None:
    """Problem, rows, hash and certificate belong together."""
    text = DOCUMENT.read_text(encoding="utf-8").partition(heading)[2].partition("\n## ")[0]
    problem, certificate = re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)
    (rows,) = re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)
    (tmp_path / "certificate.json").write_text(certificate)
    (tmp_path / "problem.json").write_text(problem)
    paths = str(tmp_path / "certificate.json"), str(tmp_path / "problem.json")
    assert check_files(*paths) == found
    assert hashlib.sha256(rows.encode()).hexdigest() == json.loads(certificate)["problem"]["sha256"]
