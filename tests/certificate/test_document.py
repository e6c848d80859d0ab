"""The worked example of docs/certificate-v1.md is what it says."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from hornbook.certificate.check import Accepted, check_files

DOCUMENT = Path(__file__).parents[2] / "docs" / "certificate-v1.md"


def test_the_example_is_accepted(tmp_path: Path) -> None:
    """Problem, rows, hash and certificate belong together."""
    text = DOCUMENT.read_text(encoding="utf-8").partition("## A complete example")[2]
    problem, certificate = re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)
    (rows,) = re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)
    (tmp_path / "certificate.json").write_text(certificate)
    (tmp_path / "problem.json").write_text(problem)
    paths = str(tmp_path / "certificate.json"), str(tmp_path / "problem.json")
    assert check_files(*paths) == Accepted("minimum", 1, "1")
    assert hashlib.sha256(rows.encode()).hexdigest() == json.loads(certificate)["problem"]["sha256"]
