"""Prove that no check of the certificate checker is idle.

Each statement of `check.py` that rejects is deleted, one at a time, in memory; some forgery of `tests/forgeries` must
then be accepted, which nothing but the deleted statement had stopped.  Prints the table check -> forgery; exits with 1
if a check survives its deletion unnoticed, if a forgery is accepted by the whole checker, or if the checker rejects in
any other form.

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
sys.path[:0] = [str(ROOT)]

from tests.forgeries import FILE_FORGERIES, FORGERIES, ROW_FORGERIES  # noqa: E402

Attempt = tuple[str, Callable[[types.ModuleType], bool]]
MAY_RAISE = {"require", "check_rows", "check_files"}  # the last two turn whatever goes wrong into a rejection


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
    exec(compile(tree, str(CHECKER), "exec"), module.__dict__)
    return module


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
    tree = ast.parse(CHECKER.read_text(encoding="utf-8"))
    faults = list(other_forms(tree))
    with tempfile.TemporaryDirectory() as scratch:
        questions = attempts(Path(scratch))
        faults += [f"the whole checker accepts {name!r}" for name, accepted in questions if accepted(loaded(tree))]
        for check in checks(tree):
            mutant = loaded(without(tree, check.lineno))
            killer = next((name for name, accepted in questions if accepted(mutant)), None)
            says = ast.unparse(check.value.args[1])  # type: ignore[attr-defined]
            print(f"{check.lineno:4}  {says[:88]:88}  ->  {killer or 'SURVIVES'}", flush=True)
            if killer is None:
                faults.append(f"line {check.lineno}: no forgery needs this check")
    count = len(checks(tree))
    print(f"\n{count} checks, {len(questions)} forgeries: " + ("; ".join(faults) or "every check is needed"))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
