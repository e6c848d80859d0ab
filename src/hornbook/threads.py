"""Two cores where it pays: the next batch is read while the last ones are worked on."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

__all__ = ["Crew", "core_count", "in_turn"]

Item = TypeVar("Item")
Result = TypeVar("Result")
Member = TypeVar("Member")


def core_count() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Crew(Generic[Member]):
    """What threads work with, one each: a member is made when none is idle."""

    def __init__(self, make: Callable[[], Member]) -> None:
        self.members: list[Member] = []
        self._make = make
        self._idle: list[Member] = []

    def each(self, work: Callable[[Member, Item], Result]) -> Callable[[Item], Result]:
        """The work as a function of the item alone."""

        def with_a_member(item: Item) -> Result:
            try:
                member = self._idle.pop()
            except IndexError:
                member = self._make()
                self.members.append(member)
            result = work(member, item)
            self._idle.append(member)
            return result

        return with_a_member


def in_turn(work: Callable[[Item], Result], items: Iterable[Item], *, threads: int) -> Iterator[Result]:
    """The results in the order of the items, which this thread makes while others work; with one thread, as `map`.

    So what makes the items need not know of threads, and only a few are alive at a time.
    """
    if threads < 2:
        yield from map(work, items)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    waiting: deque[Future[Result]] = deque()
    crew = ThreadPoolExecutor(threads)
    try:
        for item in items:
            waiting.append(crew.submit(work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        crew.shutdown(cancel_futures=True)
