"""Prove that no check of the certificate checker is idle.

Each statement of `check.py` and `asked.py` that rejects is deleted, one at a time, in memory: calls of `require`, every
call that stands alone of a function that can reject, and every `raise`.  Some forgery of `tests/forgeries` must then be
accepted, which nothing but the deleted statement had stopped.  (A few deletions break the checker instead: what is
valid is rejected, or the wrong file blamed; the table says so in brackets.)  Prints the table check -> forgery; exits
with 1 if a check survives its deletion unnoticed, if a forgery is accepted by the whole checker, or if the checker
rejects in any other form.

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

from tests.forgeries import (  # noqa: E402
    ASKED_FORGERIES,
    ASKED_VALID,
    FILE_FORGERIES,
    FORGERIES,
    ROW_FORGERIES,
    VALID,
    FileForgery,
)

Attempt = tuple[str, Callable[[types.ModuleType], bool]]
# all but the first turn whatever goes wrong into a rejection
MAY_RAISE = {"require", "check_rows", "check_files", "check_asked", "check_asked_files"}


def checks(tree: ast.AST) -> list[ast.stmt]:
    """The statements that do nothing but reject: a call of `require` or of what calls it, or a `raise`."""
    rejecting = can_reject(tree)
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and called(node.value) in rejecting)
    ]
    return sorted(found, key=lambda node: node.lineno)


def can_reject(tree: ast.AST) -> set[str]:
    """The functions that call `require`, directly or through others."""
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    calls = {name: {called(part) for part in ast.walk(node)} for name, node in functions.items()}
    found = {"require"}
    while new := {name for name, others in calls.items() if others & found} - found:
        found |= new
    return found


def called(node: ast.AST) -> str:
    """The name of the function that is called here, if one is."""
    function = node.func if isinstance(node, ast.Call) else None
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def is_require(node: ast.AST) -> bool:
    """Whether this is a call of `require`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "require"


def other_forms(tree: ast.Module) -> Iterator[str]:
    """Rejections that no deletion would reach: a `raise` of their own, or `require` inside an expression."""
    alone = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and is_require(node.value)]
    if sum(map(is_require, ast.walk(tree))) != len(alone):
        yield "`require` is used inside another expression"
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name not in MAY_RAISE:
            yield from (f"line {n.lineno} raises by itself" for n in ast.walk(function) if isinstance(n, ast.Raise))
        if isinstance(function, ast.Assert):
            yield f"line {function.lineno} asserts"


def without(tree: ast.Module, line: int) -> ast.Module:
    """The tree with the check on this line replaced by `pass`."""
    copy = deepcopy(tree)
    gone = {check for check in checks(copy) if check.lineno == line}
    for node in ast.walk(copy):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list):
                block[:] = [ast.Pass() if s in gone else s for s in block]
    return ast.fix_missing_locations(copy)


def loaded(tree: ast.Module) -> types.ModuleType:
    """The checker that this tree is."""
    module = types.ModuleType("checker_under_proof")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    exec(compile(tree, "<checker under proof>", "exec"), module.__dict__)
    return module


def by_rows(certificate: Any, rows: Any, **about: Any) -> Callable[[types.ModuleType], bool]:
    """Is this certificate accepted for these rows?"""

    def attempt(checker: types.ModuleType) -> bool:
        try:
            checker.check_rows(certificate, rows, **about)
        except checker.Rejection:
            return False
        return True

    return attempt


def by_request(certificate: Any, given: Any) -> Callable[[types.ModuleType], bool]:
    """Is this certificate with a request accepted?"""

    def attempt(checker: types.ModuleType) -> bool:
        try:
            checker.check_asked(certificate, given.rows(), identity=given.identity, arithmetic=given.arithmetic)
        except checker.Rejection:
            return False
        return True

    return attempt


def unblamed(checker: types.ModuleType) -> bool:
    """Is a problem that cannot be read anything but its own fault?"""
    with tempfile.TemporaryDirectory() as scratch:
        empty = Path(scratch) / "empty.json"
        empty.write_text("{}")
        try:
            checker.check_asked_files(str(empty), str(empty))
        except checker.Unreadable:
            return False
        except Exception:
            return True
    return True


def by_file(forgery: FileForgery, place: Path, *statuses: int) -> Callable[[types.ModuleType], bool]:
    """Does the checker, run on these files, exit with one of these?"""

    def attempt(checker: types.ModuleType) -> bool:
        place.mkdir(exist_ok=True)
        for old in place.iterdir():
            old.unlink()
        with contextlib.redirect_stdout(io.StringIO()):
            return checker.main(forgery.write(place)) in statuses

    return attempt


def attempts(folder: Path) -> list[Attempt]:
    """Every forgery, as a question to a checker: do you accept it?"""
    found: list[Attempt] = []
    for forgery in FORGERIES:
        given = forgery.problem
        about = {"identity": given.identity, "arithmetic": given.arithmetic}
        found.append((forgery.name, by_rows(forgery.forged, given.rows(), **about)))
    found += [(forgery.name, by_rows(forgery.certificate, forgery.rows)) for forgery in ROW_FORGERIES]
    return found + [(each.name, by_file(each, folder / str(i), 0)) for i, each in enumerate(FILE_FORGERIES)]


def refused(accepted: Callable[[types.ModuleType], bool]) -> Callable[[types.ModuleType], bool]:
    """The opposite answer."""
    return lambda checker: not accepted(checker)


def damages(folder: Path) -> list[Attempt]:
    """What may go wrong instead, where nothing forged gets through: is the valid rejected, or another file blamed?"""
    found: list[Attempt] = []
    for name, (given, valid) in VALID.items():
        about = {"identity": given.identity, "arithmetic": given.arithmetic}
        found.append((f"(the valid {name!r} is rejected)", refused(by_rows(valid, given.rows(), **about))))
    for i, each in enumerate(FILE_FORGERIES):
        blamed = by_file(each, folder / str(i), 8 - each.status)  # 6 is the certificate's fault, 2 the problem's
        found.append((f"(the wrong file is blamed for {each.name!r})", blamed))
    return found


def main() -> int:
    """Delete every check in turn."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        faults = prove(CHECKER, attempts(folder), damages(folder))
    forged = [(forgery.name, by_request(forgery.forged, forgery.problem)) for forgery in ASKED_FORGERIES]
    lost = [(f"(the valid {name!r} is rejected)", refused(by_request(v, g))) for name, (g, v) in ASKED_VALID.items()]
    faults += prove(ASKED, forged, [*lost, ("(a broken problem is not blamed)", unblamed)])
    print("; ".join(faults) or "every check is needed")
    return int(bool(faults))


def prove(checker: Path, questions: list[Attempt], damage: list[Attempt]) -> list[str]:
    """What is wrong with the checks of one file."""
    tree = ast.parse(checker.read_text(encoding="utf-8"))
    faults, wanted = list(other_forms(tree)), questions + damage
    faults += [f"of the whole checker: {name}" for name, happens in wanted if happens(loaded(tree))]
    for check in checks(tree):
        mutant = loaded(without(tree, check.lineno))
        killer = next((name for name, happens in wanted if happens(mutant)), None)
        call = check.value if isinstance(check, ast.Expr) else None
        says = ast.unparse(call.args[1] if call is not None and is_require(call) else check)  # type: ignore[attr-defined]
        print(f"{checker.name}:{check.lineno:4}  {says[:80]:80}  ->  {killer or 'SURVIVES'}", flush=True)
        if killer is None:
            faults.append(f"{checker.name}:{check.lineno}: no forgery needs this check")
    print(f"\n{checker.name}: {len(checks(tree))} checks, {len(questions)} forgeries")
    return faults


if __name__ == "__main__":
    sys.exit(main())
