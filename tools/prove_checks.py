"""Prove that no check of the certificate checker is idle.

Each statement of `check.py` and `asked.py` that rejects is deleted, one at a time, in memory; some forgery of
`tests/forgeries` must then be accepted, which nothing but the deleted statement had stopped.  Prints the table check ->
forgery; exits with 1 if a check survives its deletion unnoticed, if a forgery is accepted by the whole checker, or if
the checker rejects in any other form.

    python tools/prove_checks.py
"""

from __future__ import annotations

import ast
import contextlib
import io
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CHECKER = ROOT / "src" / "hornbook" / "certificate" / "check.py"
ASKED = CHECKER.with_name("asked.py")
sys.path[:0] = [str(ROOT)]

from tests.forgeries import ASKED_FORGERIES, FILE_FORGERIES, FORGERIES, ROW_FORGERIES  # noqa: E402

Attempt = tuple[str, Callable[[types.ModuleType], bool]]
# all but the first turn whatever goes wrong into a rejection
MAY_RAISE = {"require", "check_rows", "check_files", "check_asked", "check_asked_files"}


def checks(tree: ast.AST) -> list[ast.Expr]:
    """The statements that reject: each is one call of `require` and nothing else."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and is_require(node.value)]
    return sorted(found, key=lambda node: node.lineno)


def is_require(node: ast.AST) -> bool:
    """Whether this is a call of `require`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "require"


def other_forms(tree: ast.Module) -> Iterator[str]:
    """Rejections that no deletion would reach: a `raise` of their own, or `require` inside an expression."""
    if sum(map(is_require, ast.walk(tree))) != len(checks(tree)):
        yield "`require` is used inside another expression"
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name not in MAY_RAISE:
            yield from (f"line {n.lineno} raises by itself" for n in ast.walk(function) if isinstance(n, ast.Raise))
        if isinstance(function, ast.Assert):
            yield f"line {function.lineno} asserts"


def without(tree: ast.Module, line: int) -> ast.Module:
    """The tree with the check on this line replaced by `pass`."""
    copy = deepcopy(tree)
    for node in ast.walk(copy):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list):
                block[:] = [ast.Pass() if s in checks_of_block(block, line) else s for s in block]
    return ast.fix_missing_locations(copy)


def checks_of_block(block: list[ast.stmt], line: int) -> list[ast.stmt]:
    """The check on this line, if it stands in this block."""
    return [s for s in block if isinstance(s, ast.Expr) and is_require(s.value) and s.lineno == line]


def loaded(tree: ast.Module) -> types.ModuleType:
    """The checker that this tree is."""
    module = types.ModuleType("checker_under_proof")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    exec(compile(tree, "<checker under proof>", "exec"), module.__dict__)
    return module


def asked_attempts() -> list[Attempt]:
    """The same for requests."""

    def attempt(forgery: Any) -> Callable[[types.ModuleType], bool]:
        def accepts(checker: types.ModuleType) -> bool:
            given = forgery.problem
            try:
                checker.check_asked(forgery.forged, given.rows(), identity=given.identity, arithmetic=given.arithmetic)
            except checker.Rejection:
                return False
            return True

        return accepts

    return [(forgery.name, attempt(forgery)) for forgery in ASKED_FORGERIES]


def attempts(folder: Path) -> list[Attempt]:
    """Every forgery, as a question to a checker: do you accept it?"""

    def by_rows(certificate: Any, rows: Any, **about: Any) -> Callable[[types.ModuleType], bool]:
        def attempt(checker: types.ModuleType) -> bool:
            try:
                checker.check_rows(certificate, rows, **about)
            except checker.Rejection:
                return False
            return True

        return attempt

    def by_file(write: Callable[[Path], tuple[str, ...]], place: Path) -> Callable[[types.ModuleType], bool]:
        def attempt(checker: types.ModuleType) -> bool:
            place.mkdir(exist_ok=True)
            for old in place.iterdir():
                old.unlink()
            with contextlib.redirect_stdout(io.StringIO()):
                return bool(checker.main(write(place)) == 0)

        return attempt

    found: list[Attempt] = []
    for forgery in FORGERIES:
        given = forgery.problem
        about = {"identity": given.identity, "arithmetic": given.arithmetic}
        found.append((forgery.name, by_rows(forgery.forged, given.rows(), **about)))
    found += [(forgery.name, by_rows(forgery.certificate, forgery.rows)) for forgery in ROW_FORGERIES]
    found += [(each.name, by_file(each.write, folder / str(i))) for i, each in enumerate(FILE_FORGERIES)]
    return found


def main() -> int:
    """Delete every check in turn."""
    with tempfile.TemporaryDirectory() as scratch:
        faults = prove(CHECKER, attempts(Path(scratch)))
    faults += prove(ASKED, asked_attempts())
    print("; ".join(faults) or "every check is needed")
    return int(bool(faults))


def prove(checker: Path, questions: list[Attempt]) -> list[str]:
    """What is wrong with the checks of one file."""
    tree = ast.parse(checker.read_text(encoding="utf-8"))
    faults = list(other_forms(tree))
    faults += [f"the whole checker accepts {name!r}" for name, accepted in questions if accepted(loaded(tree))]
    for check in checks(tree):
        mutant = loaded(without(tree, check.lineno))
        killer = next((name for name, accepted in questions if accepted(mutant)), None)
        says = ast.unparse(check.value.args[1])  # type: ignore[attr-defined]
        print(f"{checker.name}:{check.lineno:4}  {says[:80]:80}  ->  {killer or 'SURVIVES'}", flush=True)
        if killer is None:
            faults.append(f"{checker.name}:{check.lineno}: no forgery needs this check")
    print(f"\n{checker.name}: {len(checks(tree))} checks, {len(questions)} forgeries")
    return faults


if __name__ == "__main__":
    sys.exit(main())
