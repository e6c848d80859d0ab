"""The shape of the house: sizes, names, and what no file may do."""

from __future__ import annotations

import ast
import re
import statistics

import pytest

from tests.source import Function, Source, sources

FILES = sources()
LONGEST_FILE = 400
LONGEST_CHECKER = 499
LONGEST_FUNCTION = 50
CALLED_BY_CLICK = {"convert", "shell_complete"}  # methods whose arguments click has decided
VAGUE = {"utils", "util", "common", "helpers", "helper", "base", "misc", "core", "tools", "stuff", "manager"}
TOLERANCE_HOMES = {"arithmetic", "proposals"}
SMALLEST_PLAIN_FLOAT = 1e-3  # anything smaller, and not zero, is a tolerance

each_file = pytest.mark.parametrize("source", FILES, ids=lambda source: source.module)


def body_length(function: Function) -> int:
    """Lines of the body without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None and len(function.body) > 1 else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1


@each_file
def test_files_and_functions_are_short(source: Source) -> None:
    """A file fits in the head, a function on a screen."""
    limit = LONGEST_CHECKER if source.part == "certificate.check" else LONGEST_FILE
    assert source.text.count("\n") <= limit
    too_long = {function.name: body_length(function) for function in source.functions()}
    assert {name: length for name, length in too_long.items() if length > LONGEST_FUNCTION} == {}


def test_most_functions_are_far_shorter() -> None:
    """Half are under 10 lines, nine in ten under 30."""
    lengths = sorted(body_length(function) for source in FILES for function in source.functions())
    assert statistics.median(lengths) < 10
    assert lengths[len(lengths) * 9 // 10] < 30


@each_file
def test_names_say_something(source: Source) -> None:
    """No drawer for odds and ends."""
    names = {source.path.stem.strip("_"), source.path.parent.name}
    names |= {n.name.strip("_").lower() for n in ast.walk(source.tree) if isinstance(n, Function | ast.ClassDef)}
    assert not names & VAGUE


def positional(function: Function) -> int:
    arguments = [a.arg for a in function.args.args]  # those before a `/` have no name to be given by: callbacks
    return len([name for name in arguments if name not in ("self", "cls")])


@each_file
def test_public_functions_take_few_positional_arguments(source: Source) -> None:
    """At most two, so that a call can be read; the rest are given by name."""
    public = [f for f in source.functions() if not f.name.startswith("_") and f.name not in CALLED_BY_CLICK]
    assert {f.name: positional(f) for f in public if positional(f) > 2} == {}


@each_file
def test_nothing_is_decided_by_assert_and_nothing_is_evaluated(source: Source) -> None:
    """`python -O` removes asserts; pickle, eval and exec run what they read."""
    forbidden_calls = {"eval", "exec", "compile", "__import__", "breakpoint"}
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Assert):
            found.append(f"{node.lineno}: assert")
        if isinstance(node, ast.Global):
            found.append(f"{node.lineno}: global {', '.join(node.names)}")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in forbidden_calls:
            found.append(f"{node.lineno}: {node.func.id}(...)")
    assert found == []
    assert not {each.module.split(".")[0] for each in source.imports()} & {"pickle", "marshal", "shelve", "dill"}


@each_file
def test_nothing_is_done_at_import(source: Source) -> None:
    """A module defines; it does not act."""
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.ClassDef, *Function.__args__)
    for node in source.tree.body:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        guarded = isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
        assert text or guarded or isinstance(node, allowed), f"line {node.lineno}: {ast.unparse(node)[:80]}"


def tolerances(tree: ast.AST) -> list[str]:
    """Float literals too small to be anything else, negative powers of a float, and comparisons up to something."""
    found = []
    for node in ast.walk(tree):
        small = isinstance(node, ast.Constant) and isinstance(node.value, float)
        if small and 0 < abs(node.value) < SMALLEST_PLAIN_FLOAT:  # type: ignore[attr-defined]
            found.append(f"{node.lineno}: {ast.unparse(node)}")  # type: ignore[attr-defined]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.UnaryOp):
            found.append(f"{node.lineno}: {ast.unparse(node)}")
        if isinstance(node, ast.Attribute | ast.Name):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            if re.fullmatch(r"isclose|allclose|finfo|epsilon|nextafter|spacing", name):
                found.append(f"{node.lineno}: {name}")
    return found


@each_file
def test_tolerances_live_in_arithmetic_and_proposals(source: Source) -> None:
    """A float may suggest; only there may it say how close is close."""
    if source.part not in TOLERANCE_HOMES:
        assert tolerances(source.tree) == []


def test_the_source_tells_the_way_through() -> None:
    """`grep -rn "Step . of 8" src` prints the data flow, the steps that exist in order of their number."""
    steps = {m[1] for source in FILES if (m := re.match(r"Step ([1-8]) of 8", ast.get_docstring(source.tree) or ""))}
    assert steps >= set("1234567")


def test_every_package_has_a_catalogue() -> None:
    """A folder's `__init__` tells what is in it, and what for."""
    for source in FILES:
        if source.path.name == "__init__.py":
            assert len(ast.get_docstring(source.tree) or "") > 40, source.module
