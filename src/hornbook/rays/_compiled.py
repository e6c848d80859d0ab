"""Machine code for the loops of `_kernel` and its like, made when a problem is large enough to be worth it.

numba compiles once for each machine and keeps the result on disk, as `hornbook.compiling` says.  If nothing can be
written there, it compiles again in every process (some 10 s); without numba the loops run as plain Python, some 200
times slower.  Results are the same bits.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

from hornbook.compiling import is_compiling, machine_code
from hornbook.rays import _kernel, _kernel_proofs, _kernel_sets

__all__ = ["Kernels", "kernels"]

Kernels = SimpleNamespace
_ALL = (*_kernel.KERNELS, *_kernel_sets.KERNELS, *_kernel_proofs.KERNELS)
_WORTH = 500_000  # elementary steps; plain Python does some ten million in a second


def kernels(work: float) -> Kernels:
    """The loops, compiled if so many elementary steps are expected of them that compiling, or loading, pays."""
    return _compiled() if work > _WORTH else _plain()


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
        loose = {"nnan", "nsz"} if kernel in _kernel.REORDERED else False
        made[kernel.__name__] = machine_code(copy, error_model="numpy", fastmath=loose)
    return SimpleNamespace(**made)
