"""Hand a lesson to somebody who does not trust you: two files, and a checker that needs nothing but Python.

`check.py` is one file of the standard library.  It is copied away from hornbook here to show that it stands alone.

Prints:

    exit 0: accepted: minimum, size 1, lower bound 1
    exit 6: Rejection: a listed ray is not shown by the lesson
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import hornbook

FEATURES = [[[0, 0], [-1, 0], [0, -1]], [[0, 0], [-1, 0], [-1, -1]], [[0, 0], [0, -1], [-1, -2]]]
SOURCE = importlib.util.find_spec("hornbook.certificate.check").origin

with tempfile.TemporaryDirectory() as folder:
    place = Path(folder)
    whole = {"format": "hornbook-problem", "version": 1, "features": FEATURES, "target": [0, 0, 0]}
    (place / "problem.json").write_text(json.dumps(whole))
    lesson = hornbook.teach(hornbook.load(place / "problem.json"))
    (place / "lesson.cert").write_text(json.dumps(lesson.certificate()))
    shutil.copy(SOURCE, place / "check.py")

    def check() -> None:
        """Run the checker as a stranger would: isolated, in a folder of its own."""
        command = [sys.executable, "-I", "check.py", "lesson.cert", "problem.json"]
        run = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        print(f"exit {run.returncode}: {run.stdout.strip()}")

    check()
    forged = lesson.certificate() | {"lesson": ["1"]}
    (place / "lesson.cert").write_text(json.dumps(forged))
    check()
