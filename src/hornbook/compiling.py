"""Compiled kernels: plain loops over arrays that numba turns into machine code, kept on disk for the next time.

A kernel is an ordinary function, so that it can be read, tested and counted without a compiler; `compiled` makes the
fast one when it is first wanted.  Compiled code is kept in `NUMBA_CACHE_DIR`, or else in the `hornbook` folder of
`XDG_CACHE_HOME` (`~/.cache`).  Where there is no numba, or nothing can be written, everything works, only slower.
Cost: numba takes 0.2 s to import and 0.2 s to find a kernel on disk, so small problems do without.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

__all__ = ["compiled", "is_compiling", "is_ready", "machine_code"]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


@lru_cache(maxsize=1)
def is_compiling() -> bool:
    """Whether kernels can be compiled here.  `NUMBA_DISABLE_JIT=1` says no."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return False
    try:
        import numba
    except ImportError:
        return False
    if not getattr(numba.config, "CACHE_DIR", ""):
        setattr(numba.config, "CACHE_DIR", str(_cache_folder()))  # noqa: B010  (it comes without types)
    return True


def _cache_folder() -> Path:
    """Where compiled kernels are kept; numba looks for another place if nothing can be written there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hornbook"


@cache
def compiled(kernel: Kernel) -> Kernel:
    """The kernel as machine code, which runs without Python's lock; or itself where nothing can be compiled.

    A kernel may call other kernels of its module; they are compiled along with it.
    """
    if not is_compiling() or not isinstance(kernel, FunctionType):
        return kernel
    scope = dict(kernel.__globals__)
    for name in kernel.__code__.co_names:
        part = scope.get(name)
        if isinstance(part, FunctionType) and part.__module__ == kernel.__module__:
            scope[name] = compiled(part)
    whole = FunctionType(kernel.__code__, scope, kernel.__name__, kernel.__defaults__)
    whole.__module__, whole.__qualname__ = kernel.__module__, kernel.__qualname__
    return machine_code(cast(Kernel, whole))


def machine_code(loop: Kernel, **options: Any) -> Kernel:
    """This one function compiled, with numba's own options; only where `is_compiling` says that there is a compiler."""
    import numba

    try:
        return cast(Kernel, numba.njit(cache=True, nogil=True, **options)(loop))
    except RuntimeError:  # no folder that can be written
        return cast(Kernel, numba.njit(nogil=True, **options)(loop))


def is_ready(kernel: Callable[..., Any]) -> bool:
    """Whether this machine code is loaded, or lies on disk: else its first call compiles it, which takes seconds."""
    if getattr(kernel, "signatures", ()):
        return True
    folder = getattr(getattr(kernel, "stats", None), "cache_path", None)
    place = f"{kernel.__module__.rpartition('.')[2]}.{kernel.__qualname__}-*.nbi"
    return folder is not None and any(Path(folder).glob(place))
