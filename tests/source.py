"""The package's source as data: which file imports what, and how long its parts are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "hornbook"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Import:
    """One imported module; `lazy` inside a function, `typing` under `if TYPE_CHECKING`."""

    module: str
    line: int
    lazy: bool
    typing: bool


@dataclass(frozen=True)
class Source:
    """One file of the package."""

    path: Path

    @property
    def module(self) -> str:
        parts = self.path.relative_to(PACKAGE.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def part(self) -> str:
        """The room of the house it belongs to: `rays`, `problem`, ...; `certificate.check` is one of its own."""
        names = self.module.split(".")[1:]
        return ".".join(names[:2] if names[:1] == ["certificate"] else names[:1]) or "hornbook"

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    def functions(self) -> Iterator[Function]:
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                yield node

    def imports(self) -> list[Import]:
        return list(_imports(self.tree, self.module, lazy=False, typing=False))


def sources() -> list[Source]:
    return [Source(path) for path in sorted(PACKAGE.rglob("*.py"))]


def _imports(node: ast.AST, module: str, *, lazy: bool, typing: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, child.lineno, lazy, typing)
        elif isinstance(child, ast.ImportFrom):
            if child.level:
                raise ValueError(f"{module}:{child.lineno} has a relative import; write it out")
            yield from (Import(name, child.lineno, lazy, typing) for name in _from(child))
        else:
            in_function = lazy or isinstance(child, Function)
            for_types = typing or (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING")
            yield from _imports(child, module, lazy=in_function, typing=for_types)


def _from(node: ast.ImportFrom) -> Iterator[str]:
    """`from a import b` imports a.b when that is a module, else a."""
    base = node.module or ""
    for alias in node.names:
        inner = PACKAGE.parent / Path(*base.split("."), alias.name)
        yield f"{base}.{alias.name}" if inner.is_dir() or inner.with_suffix(".py").is_file() else base
