"""Machine code for the loops of `_kernel` and its like, made when a problem is large enough to be worth it.

numba compiles once for each machine and keeps the result on disk, as `hornbook.compiling` says.  That takes some 5 s,
so what plain Python does in less is left to it as long as nothing has been compiled.  If nothing can be written on
disk, every process compiles again; without numba the loops run as plain Python, some 200 times slower.  Results are the
same bits.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

from hornbook.compiling import is_compiling, is_ready, machine_code
from hornbook.rays import _kernel, _kernel_proofs, _kernel_sets

__all__ = ["Kernels", "are_ready", "kernels"]

Kernels = SimpleNamespace
_ALL = (*_kernel.KERNELS, *_kernel_sets.KERNELS, *_kernel_proofs.KERNELS)
_WORTH = 500_000  # elementary steps that are worth loading machine code; plain Python does ten million in a second
_WORTH_COMPILING = 2_000_000


def kernels(work: float) -> Kernels:
    """The loops, compiled if so many elementary steps are expected of them that loading, or even compiling, pays."""
    return _compiled() if work > _WORTH and (work > _WORTH_COMPILING or are_ready()) else _plain()


def are_ready() -> bool:
    """Whether the loops can be had as machine code without compiling them first."""
    return is_ready(_compiled().sweep)


@cache
def _plain() -> Kernels:
    return SimpleNamespace(**{kernel.__name__: kernel for kernel in _ALL})


@cache
def _compiled() -> Kernels:
    if not is_compiling():
        return _plain()
    made: dict[str, Any] = {}
    for kernel in _ALL:
        # a copy whose globals are the compiled loops made so far
        copy = FunctionType(kernel.__code__, {**kernel.__globals__, **made}, kernel.__name__)
        copy.__module__ = kernel.__module__
        loose = {"nnan", "nsz"} if kernel in _kernel.REORDERED else False
        made[kernel.__name__] = machine_code(copy, error_model="numpy", fastmath=loose)
    return SimpleNamespace(**made)
