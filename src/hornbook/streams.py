"""States that are asked for when they are needed: from a function of the user's, or from a file too large for memory.

A stream is asked for the same blocks of consecutive states in every reading.  Each answer is copied and checked, and
its fingerprint kept: a second answer that differs from the first is an error, never half of one problem and half of
another.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import NotExact, are_whole
from hornbook.errors import BadProblem, HornbookError
from hornbook.sources import Batch, block_size, checked_mask, checked_targets, numbers_of, tight_array

__all__ = ["Ask", "StreamSource"]

Ask = Callable[[int, int], tuple[Any, ...]]
"""`ask(start, stop)` returns features [stop - start, actions, d], targets and, if it likes, what is available."""


@dataclass(eq=False)
class StreamSource:
    """States from a function that is asked for a block of them at a time, always in the thread that reads.

    Cost: integers are asked for twice.  Floats are asked for once more, when the problem is made: only then is it known
    whether all of them are whole numbers, which are exact data, and how large the columns are.
    """

    ask: Ask
    num_states: int
    shape: tuple[int, int]  # actions and features
    kind: np.dtype[Any]
    batch_size: int
    arithmetic: str = "exact"
    largest: npt.NDArray[np.float64] | None = None  # of each column, for float data
    origin: str = ""  # what every refusal begins with
    _prints: dict[int, bytes] = field(default_factory=dict)
    _last: tuple[int, Batch] | None = None

    @classmethod
    def of(cls, ask: Ask, num_states: int, *, exact: bool, batch_size: int | None = None) -> StreamSource:
        """Ask for the first state to learn the shape, and for all if only that tells the arithmetic."""
        for what, number, least in (("num_states", num_states, 0), ("batch_size", batch_size, 1)):
            whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool) and number >= least
            if number is not None and not whole:
                raise BadProblem(f"{what}: {str(number)[:40]!r} is not a whole number of at least {least}")
        if num_states == 0:
            return cls(ask, 0, (1, 1), np.dtype(np.int64), 1)
        with _told_of(0, 1):
            first = _table(_parts(_asked(ask, 0, 1))[0], 1)
        shape = int(first.shape[1]), int(first.shape[2])
        stream = cls(ask, int(num_states), shape, first.dtype, int(batch_size or block_size(*shape)))
        if first.dtype.kind not in "iu":
            stream._scout(exact=exact)
        return stream

    @property
    def num_actions(self) -> int:
        return self.shape[0]

    @property
    def num_features(self) -> int:
        return self.shape[1]

    @property
    def counts(self) -> Sequence[int]:
        rooms = np.arange(1, self.num_actions + 1)
        blocks = (self._block(number) for number in range(-(-self.num_states // self.batch_size)))
        return [count for block in blocks for count in (block.available * rooms).max(axis=1).tolist()]

    def read(self, start: int, stop: int) -> Batch:
        size = self.batch_size
        parts = [_cut(self._block(number), start, stop) for number in range(start // size, -(-stop // size))]
        if len(parts) == 1:
            return parts[0]
        names = ("features", "available", "target")
        features, available, target = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
        return Batch(start, features, available, target)

    def _block(self, number: int) -> Batch:
        if self._last is None or self._last[0] != number:
            start = number * self.batch_size
            stop = min(start + self.batch_size, self.num_states)
            block = self._answer(start, stop, arithmetic=self.arithmetic)
            self._recognise(number, block)
            self._last = number, block
        return self._last[1]

    def _answer(self, start: int, stop: int, *, arithmetic: str) -> Batch:
        """What is answered for some states, checked and copied."""
        with _told_of(start, stop, self.origin):
            features, target, available = _parts(_asked(self.ask, start, stop))
            table = _table(features, stop - start)
            self._check_kind(table)
            mask = checked_mask(available, table.shape[:2])
            numbers = numbers_of(table, arithmetic, first=start)
            return Batch(start, numbers, mask, checked_targets(target, mask, first=start))

    def _check_kind(self, table: npt.NDArray[Any]) -> None:
        if table.shape[1:] != self.shape:
            raise BadProblem(
                f"features: [actions, features] are {list(table.shape[1:])}, and {list(self.shape)} for the first "
                "state; fill up with actions that are not available"
            )
        if self.arithmetic == "exact" and self.kind.kind in "iu" and table.dtype.kind == "f":
            raise BadProblem("features: there are floats, and integers for the first state; give floats everywhere")
        if table.dtype.kind == self.kind.kind == "f" and table.dtype != self.kind:
            raise BadProblem(f"features: the floats are {table.dtype}, and {self.kind} for the first state")

    def _scout(self, *, exact: bool) -> None:
        """One reading to see whether all numbers are whole, and the largest of each column."""
        whole, largest = True, np.zeros(self.num_features)
        for number, start in enumerate(range(0, self.num_states, self.batch_size)):
            stop = min(start + self.batch_size, self.num_states)
            if self.kind.kind == "f":
                block = self._answer(start, stop, arithmetic="float64")
                self._recognise(number, block)
                largest = np.maximum(largest, np.abs(block.features[block.available]).max(axis=0, initial=0.0))
                whole = whole and are_whole(block.features)
            else:
                try:
                    self._answer(start, stop, arithmetic="exact")
                except NotExact:
                    whole = False
        if not whole:
            self.arithmetic = "stored" if exact else self.kind.name if self.kind.kind == "f" else "float64"
        if whole or exact:
            self._prints.clear()  # they were of floats
        elif self.kind.kind == "f":
            self.largest = largest

    def _recognise(self, number: int, block: Batch) -> None:
        """Compare a block with what it was before."""
        found = _fingerprint(block)
        if self._prints.setdefault(number, found) == found:
            return
        start, stop = block.start, block.start + len(block)
        again = self._answer(start, stop, arithmetic=self.arithmetic)
        one = ([_fingerprint(_cut(b, row, row + 1)) for b in (block, again)] for row in range(start, stop))
        row = next((start + i for i, (before, after) in enumerate(one) if before != after), None)
        where = _rows(start, stop) if row is None else f"row {row}"
        raise BadProblem(
            f"{self.origin}{where}: the answer is another one when asked again; it must always be the same"
        )


def _cut(block: Batch, start: int, stop: int) -> Batch:
    """The part of a block that is between two rows."""
    part = slice(max(start - block.start, 0), stop - block.start)
    first = block.start + part.start
    return Batch(first, block.features[part], block.available[part], block.target[part])


def _fingerprint(block: Batch) -> bytes:
    features = block.features
    numbers = repr(features.tolist()).encode() if features.dtype == object else np.ascontiguousarray(features).data
    total = hashlib.sha256(numbers)
    total.update(np.ascontiguousarray(block.target).data)
    total.update(np.packbits(block.available).tobytes())
    return total.digest()[:16]


def _rows(start: int, stop: int) -> str:
    return f"row {start}" if stop == start + 1 else f"rows {start} to {stop - 1}"


@contextmanager
def _told_of(start: int, stop: int, origin: str = "") -> Iterator[None]:
    """Refusals inside say which states they are about."""
    try:
        yield
    except BadProblem as error:
        named = re.search(r"\brows? [0-9]", str(error))
        raise BadProblem(f"{origin}{error}" if named else f"{origin}{_rows(start, stop)}: {error}") from error.__cause__


def _asked(ask: Ask, start: int, stop: int) -> Any:
    try:
        return ask(start, stop)
    except (HornbookError, MemoryError):
        raise
    except Exception as error:
        first, last = _where_it_fails(ask, start, stop)
        told = f"{type(error).__name__}: {str(error)[:200]}"
        raise BadProblem(f"{_rows(first, last)}: the function raised {told}") from error


def _where_it_fails(ask: Ask, start: int, stop: int) -> tuple[int, int]:
    """Fewer and fewer states for which the function fails: if it can be one, then one."""
    while stop - start > 1:
        middle = (start + stop) // 2
        if _fails(ask, start, middle):
            stop = middle
        elif _fails(ask, middle, stop):
            start = middle
        else:
            break
    return start, stop


def _fails(ask: Ask, start: int, stop: int) -> bool:
    try:
        ask(start, stop)
    except Exception:
        return True
    return False


def _parts(answer: Any) -> tuple[Any, Any, Any]:
    """Features, target and available (or None)."""
    if not isinstance(answer, tuple) or len(answer) not in (2, 3):
        raise BadProblem(
            f"the function must return (features, target) or (features, target, available), not {_shown(answer)}"
        )
    features, target, *rest = answer
    return features, target, rest[0] if rest else None


def _shown(answer: Any) -> str:
    kind = type(answer).__name__
    return f"a tuple of {len(answer)}" if isinstance(answer, tuple) else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _table(features: Any, count: int) -> npt.NDArray[Any]:
    table = tight_array(features)
    if table.ndim != 3 or table.shape[0] != count or 0 in table.shape:
        raise BadProblem(
            f"features: the shape is {table.shape}; it must be [{count}, actions, features], with at least one of each"
        )
    return table
