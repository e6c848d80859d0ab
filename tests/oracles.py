"""Exact answers that owe nothing to hornbook: PPL, Normaliz, and a slow oracle in plain Python.

The question: given integer vectors, which primitive vectors generate the extreme rays of their cone?  Or is
there no w with <w, x> > 0 for every x (NOTREAL: a vector is zero, or the cone contains a line)?

    with Oracle("ppl") as oracle:
        oracle.rays([[(1, 0), (0, 1), (1, 1)]])      # [((0, 1), (1, 0))]

`start` and `finish` split `rays`, so that both libraries can work while the caller does something else.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from pathlib import Path

Vector = tuple[int, ...]
Rays = tuple[Vector, ...]
NOTREAL = "NOTREAL"
LIBRARIES = ("ppl", "normaliz")


@dataclass(frozen=True)
class NoAnswer:
    """The library crashed, raised or ran out of time on this instance."""

    reason: str


@dataclass(frozen=True)
class Truth:
    """What an oracle says; `facet` (PPL only): a vector that is no ray lies on a facet of the cone."""

    rays: Rays | str | NoAnswer
    facet: bool | None = None


def primitive(vector: Sequence[int | Fraction]) -> Vector:
    """The shortest integer vector on the ray of a rational vector; zero stays zero."""
    scale = lcm(*(Fraction(entry).denominator for entry in vector))
    whole = [int(entry * scale) for entry in vector]
    divisor = gcd(*whole) or 1
    return tuple(entry // divisor for entry in whole)


class Oracle:
    """One library in its own process, restarted when it dies; every cone gets an answer or a `NoAnswer`."""

    def __init__(self, library: str, *, timeout: float = 30.0) -> None:
        self.library = library
        self.timeout = timeout
        self.calls = 0
        self.restarts = 0
        self._worker: _Worker | None = None
        self._requests: list[str] = []

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def available(self) -> tuple[bool, str]:
        """Whether the library can be used, and if not why; the caller decides to skip or to fail."""
        worker = self._ready()
        return worker.reason is None, worker.reason or ""

    def rays(self, cones: Sequence[Sequence[Vector]]) -> list[Rays | str | NoAnswer]:
        return [truth.rays for truth in self.truths(cones)]

    def truths(self, cones: Sequence[Sequence[Vector]]) -> list[Truth]:
        self.start(cones)
        return self.finish()

    def start(self, cones: Sequence[Sequence[Vector]]) -> None:
        self.start_requests([{"rows": [list(map(str, row)) for row in rows]} for rows in cones])

    def start_requests(self, requests: Sequence[dict[str, object]]) -> None:
        self._requests = [json.dumps(request) for request in requests]
        self._ready().send(self._requests)

    def finish(self) -> list[Truth]:
        answers: list[Truth] = []
        while len(answers) < len(self._requests):
            answer = self._ready().receive(self.timeout)
            if isinstance(answer, NoAnswer):
                self.restarts += 1
                self.close()
                self._ready().send(self._requests[len(answers) + 1 :])
            answers.append(_truth(answer))
        self.calls += len(answers)
        return answers

    def _ready(self) -> _Worker:
        if self._worker is None:
            self._worker = _Worker(self.library, self.timeout)
        return self._worker


class _Worker:
    """The process and the two threads that keep its pipes from filling up."""

    def __init__(self, library: str, timeout: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("oracle_worker.py")), library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # a Ctrl-C for the tests must not kill the oracle in mid-sentence
        )
        self._replies: queue.Queue[str | None] = queue.Queue()
        self._threads: list[threading.Thread] = []
        self._spawn(self._read)
        hello = self.receive(timeout)
        self.reason: str | None
        if isinstance(hello, NoAnswer):
            self.reason = hello.reason
        else:
            self.reason = None if hello["ready"] else f"{library}: {hello['reason']}"

    def send(self, lines: Sequence[str]) -> None:
        self._spawn(self._write, lines)

    def receive(self, timeout: float) -> dict[str, object] | NoAnswer:
        try:
            line = self._replies.get(timeout=timeout)
        except queue.Empty:
            return NoAnswer(f"no answer in {timeout:g} s")
        return NoAnswer("the process died") if line is None else json.loads(line)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        self._process.stdout.close()
        with suppress(OSError):  # what was still to be sent has nowhere to go
            self._process.stdin.close()

    def _spawn(self, work: Callable[..., None], *arguments: object) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        self._threads[-1].start()

    def _write(self, lines: Sequence[str]) -> None:
        with suppress(OSError):  # the reader sees the end of the other pipe and reports it
            for line in lines:
                self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        for line in self._process.stdout:
            self._replies.put(line)
        self._replies.put(None)


def _truth(answer: dict[str, object] | NoAnswer) -> Truth:
    if isinstance(answer, NoAnswer):
        return Truth(answer)
    if "error" in answer:
        return Truth(NoAnswer(str(answer["error"])))
    if answer["rays"] is None:
        return Truth(NOTREAL, facet=False)
    return Truth(tuple(sorted(tuple(map(int, ray)) for ray in answer["rays"])), answer.get("facet"))


# The slow oracle: one exact simplex and what follows from it.


def nonnegative_solution(columns: Sequence[Vector], right: Vector) -> tuple[list[Fraction] | None, Vector]:
    """Multipliers l >= 0 with columns * l = right; or None and a y with y * columns <= 0 < y * right.

    Phase 1 of the simplex method on integers (Edmonds: every entry stays a minor of the input), with Bland's
    rule, so it ends.  Cost: one full table per pivot, exponentially many pivots at worst; meant for a dozen
    columns.
    """
    signs = [-1 if entry < 0 else 1 for entry in right]
    m, n = len(right), len(columns)
    table = [
        [sign * column[i] for column in columns] + [int(i == j) for j in range(m)] + [sign * right[i]]
        for i, sign in enumerate(signs)
    ]
    objective = [sum(row[j] for row in table) for j in range(n)] + [0] * m + [sum(row[-1] for row in table)]
    basis, scale = list(range(n, n + m)), 1
    while (enter := next((j for j in range(n) if objective[j] > 0), None)) is not None:
        leave = _leaving_row(table, enter, basis=basis)
        scale = _pivot([*table, objective], (leave, enter), scale=scale)
        basis[leave] = enter
    if objective[-1] > 0:  # the objective row under the artificial columns is (dual - 1) * scale, up to sign
        return None, tuple(sign * (scale + objective[n + i]) for i, sign in enumerate(signs))
    solution = [Fraction(0)] * (n + m)
    for row, column in zip(table, basis, strict=True):
        solution[column] = Fraction(row[-1], scale)
    return solution[:n], ()


def _leaving_row(table: list[list[int]], enter: int, *, basis: list[int]) -> int:
    candidates = [i for i, row in enumerate(table) if row[enter] > 0]
    return min(candidates, key=lambda i: (Fraction(table[i][-1], table[i][enter]), basis[i]))


def _pivot(rows: list[list[int]], place: tuple[int, int], *, scale: int) -> int:
    leave, enter = place
    pivot_row, pivot = rows[leave], rows[leave][enter]
    for i, row in enumerate(rows):
        if i != leave:
            factor = row[enter]
            row[:] = [(pivot * a - factor * b) // scale for a, b in zip(row, pivot_row, strict=True)]
    return pivot


def solve_inequalities(rows: Sequence[Vector], at_least: Sequence[int]) -> tuple[Fraction, ...] | None:
    """A w with <row, w> >= at_least for every row; or None: some y >= 0 has y*rows = 0, y*at_least = 1."""
    columns = [(*row, bound) for row, bound in zip(rows, at_least, strict=True)]
    width = len(rows[0]) if rows else 0
    multipliers, certificate = nonnegative_solution(columns, (*[0] * width, 1))
    if multipliers is not None:
        return None
    *w, s = certificate
    return tuple(Fraction(-entry, s) for entry in w)


def realizing(vectors: Sequence[Vector]) -> tuple[Fraction, ...] | None:
    """A w with <w, x> >= 1 for every x, or None when there is none."""
    return solve_inequalities(vectors, [1] * len(vectors))


def slow_rays(vectors: Sequence[Vector]) -> Rays | str:
    """The definition, one exact LP each: a ray is no nonnegative combination of the other directions."""
    if realizing(vectors) is None:
        return NOTREAL
    directions = sorted(set(map(primitive, vectors)))
    return tuple(x for x in directions if not _inside(x, [y for y in directions if y != x]))


def slow_facet(vectors: Sequence[Vector], rays: Rays) -> bool:
    """Does some w >= 0 on the cone, not zero on all of it, vanish on a direction that is no ray?"""
    middle = tuple(map(sum, zip(*rays, strict=True)))
    others = set(map(primitive, vectors)).difference(rays)
    return any(
        solve_inequalities([*rays, tuple(-c for c in x), middle], [0] * (len(rays) + 1) + [1]) is not None
        for x in others
    )


def _inside(x: Vector, others: Sequence[Vector]) -> bool:
    return nonnegative_solution(others, x)[0] is not None


def each_without(items: Sequence[Vector]) -> Iterator[list[Vector]]:
    """The sequence without its first member, without its second, and so on."""
    for i in range(len(items)):
        yield [*items[:i], *items[i + 1 :]]
