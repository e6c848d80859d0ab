"""Prove that every gate can fail: `make prove-gates`.

In a scratch copy each gate is run, must be green, gets one fault planted, is run again and must be red.  Then
`tools/prove_checks.py` deletes each rejecting statement of the certificate checker, one at a time, and expects a forged
certificate to slip through.  Prints a table; the exit status is 1 when a gate stays green.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", ".*_cache", ".hypothesis")

TESTED = ("TESTS=tests/formats",)  # enough to see whether the gate sees
COVERED = ("TESTS=tests/test_drawing.py", "COVERED=drawing.py")  # a file that its own tests cover


@dataclass(frozen=True)
class Fault:
    """One mistake: `text` put in the place of `old` in a file (`old` empty: at its end), and the gate to notice it."""

    gate: str
    what: str
    file: str
    text: str
    old: str = ""
    run: tuple[str, ...] = ()  # gates to run instead of the one that is proved, in order, with variables

    @property
    def targets(self) -> tuple[str, ...]:
        return self.run or (f"gate-{self.gate}",)


FAULTS = (
    Fault("lint", "an unused import", "src/hornbook/errors.py", "\nimport os\n"),
    Fault("lint", "an assert in the source", "src/hornbook/errors.py", "\nassert True\n"),
    Fault("format", "a badly set line", "src/hornbook/errors.py", "\nspaced  =  'out'\n"),
    Fault("types", "a wrong type", "src/hornbook/errors.py", '\nnumber: int = "three"\n'),
    Fault("types", "an untyped function", "src/hornbook/errors.py", "\ndef untyped(x):\n    return x\n"),
    Fault(
        "architecture",
        "a reversed arrow: rays see a problem",
        "src/hornbook/rays/__init__.py",
        "\nfrom hornbook.problem import TeachingProblem  # noqa: E402, F401\n",
    ),
    Fault(
        "architecture",
        "a checker that imports hornbook",
        "src/hornbook/certificate/check.py",
        "\nfrom hornbook.errors import Rejected  # noqa: E402, F401\n",
    ),
    Fault("architecture", "a drawer for odds and ends", "src/hornbook/utils.py", '"""Odds and ends."""\n'),
    Fault(
        "tests",
        "a wrong answer in the source",
        "src/hornbook/formats/npz.py",
        "_MOST_RATIO = 10**9",
        old="_MOST_RATIO = 1000",
        run=("gate-tests", *TESTED),
    ),
    Fault(
        "tests",
        "a warning",
        "tests/formats/test_formats.py",
        '\n\ndef test_warns() -> None:\n    import warnings\n\n    warnings.warn("old", stacklevel=1)\n',
        run=("gate-tests", *TESTED),
    ),
    Fault(
        "tests",
        "an expected failure that passes",
        "tests/formats/test_formats.py",
        "\n\n@pytest.mark.xfail\ndef test_passes_after_all() -> None:\n    pass\n",
        run=("gate-tests", *TESTED),
    ),
    Fault(
        "tests",
        "a skipped test, where everything is required",
        "tests/formats/test_formats.py",
        '\n\ndef test_skips() -> None:\n    pytest.importorskip("no_such_library")\n',
        run=("gate-tests", *TESTED),
    ),
    Fault(
        "coverage",
        "a function that no test calls",
        "src/hornbook/drawing.py",
        "\n\ndef never_called() -> int:\n    return 1\n",
        run=("gate-tests", "gate-coverage", *COVERED),
    ),
    Fault(
        "doctests",
        "a docstring whose example is wrong",
        "src/hornbook/environments/__init__.py",
        "15625",
        old="15624",
    ),
    Fault("doctests", "a page whose example is wrong", "README.md", "\n```python\n>>> 1 + 1\n3\n\n```\n"),
    Fault("docs", "a link to nowhere", "docs/index.md", "\nSee [the missing page](missing.md).\n"),
)


def plant(fault: Fault, copy: Path) -> None:
    """Put the fault into the copy."""
    path = copy / fault.file
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if fault.old not in before:
        sys.exit(f"{fault.file} has no {fault.old!r} any more: mend the fault {fault.what!r} in {__file__}")
    after = before.replace(fault.old, fault.text, 1) if fault.old else before + fault.text
    path.write_text(after, encoding="utf-8")


def passes(targets: tuple[str, ...], copy: Path, venv: Path) -> tuple[bool, str]:
    """Whether the gate is green in the copy, with the copy's own source in place of the installed wheel."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "HORNBOOK_REQUIRE_ALL": "1"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # a planted fault may have the size and second of what it replaces
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        environment.pop(name, None)
    gates = [target for target in targets if "=" not in target]
    variables = [target for target in targets if "=" in target]
    said = ""
    for gate in gates:
        command = ["make", "--no-print-directory", gate, f"VENV={venv}", f"PYTHON={sys.executable}", *variables]
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        if done.returncode:
            return False, said
    return True, said


def prove(fault: Fault, venv: Path, *, green: dict[tuple[str, ...], str]) -> str:
    """The verdict on one gate: "red" is what is wanted."""
    with tempfile.TemporaryDirectory(prefix="hornbook-gates-") as scratch:
        copy = Path(scratch) / "hornbook"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        if fault.targets not in green:
            passed, said = passes(fault.targets, copy, venv)
            green[fault.targets] = "" if passed else said
        if green[fault.targets]:
            tail = "\n".join(green[fault.targets].splitlines()[-15:])
            return f"RED BEFORE ANY FAULT\n{tail}"
        plant(fault, copy)
        passed, _ = passes(fault.targets, copy, venv)
        return "STAYED GREEN" if passed else "red"


def prove_checks(venv: Path) -> bool:
    """Run the proof of the checker's statements, where it is."""
    script = ROOT / "tools" / "prove_checks.py"
    if not script.exists():
        print("tools/prove_checks.py is missing")
        return False
    print("\nEach rejecting statement of the checker, deleted:", flush=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run([venv / "bin" / "python", script], cwd=ROOT, env=environment, check=False).returncode == 0


def main() -> int:
    """Prove every gate, then every check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venv", type=Path, required=True, help="the environment that `make test` made")
    parser.add_argument("--gate", help="prove this gate only, and not the checker")
    options = parser.parse_args()
    venv = Path(os.path.abspath(options.venv))  # not resolved: an environment is known by the path of its python
    green: dict[tuple[str, ...], str] = {}
    failed = 0
    for fault in FAULTS:
        if options.gate in (None, fault.gate):
            start = time.monotonic()
            verdict = prove(fault, venv, green=green)
            failed += verdict != "red"
            print(f"{fault.gate:14}{fault.what:48}{verdict}  ({time.monotonic() - start:.0f} s)", flush=True)
    if options.gate is None and not prove_checks(venv):
        failed += 1
    print("\nevery gate noticed its faults" if not failed else f"\n{failed} gates are not proved")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
