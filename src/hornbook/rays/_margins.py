"""The weights that make each class of float differences certain, for all classes at once.

Guesses come first: for every class, weights that separate its representative from the other representatives.  One
product of many guesses with all vectors says, with a proved error bound, which of them are certain.  What that leaves
open is decided exactly, one class at a time.  Guesses may differ between machines; which classes are certain may not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, balanced, framed, primitive_vector
from hornbook.progress import Progress, silent
from hornbook.rays._bases import own_directions
from hornbook.rays._certain import Boxes, certain_weights
from hornbook.rays._hull import polygon_walk
from hornbook.rays._middle import ROOM
from hornbook.rays._misconceptions import separating_weights, tilted
from hornbook.rays._nearby import Neighbourhoods
from hornbook.rays._simplex import leave_out

__all__ = ["canonical_margins", "margins"]

Members = npt.NDArray[np.intp]
Weights = tuple[int, ...]
Judge = Callable[[Sequence[Weights], Sequence[int], int], npt.NDArray[np.bool_]]
"""Which of some weights are certain against their rays alone, with so many times the noise: always an exact answer."""
Tilt = Callable[[int, int], Weights | None]
"""Weights for a ray, each closer to it than the one before."""
_NOBODY = np.zeros(0, dtype=np.intp)
_MANY = 1 << 21  # classes times vectors: from here on a polygon is looked at place by place
_BLOCK = 1 << 22  # products of guesses and vectors that are held at once
_FEW = 256  # numbers in all rays: up to here each is set apart exactly, which gives weights of fewer digits


def margins(
    boxes: Boxes,
    classes: Sequence[Members],
    *,
    rows: Sequence[int],
    candidates: Sequence[int],
    weights: Weights,
    progress: Progress = silent,
) -> list[Weights | None]:
    """For each class certain weights against it alone, or None where there are none (an exact answer either way).

    `rows` are the representatives among the `candidates`, the stored rays; `weights` are certain on everything.  Cost:
    a product of all classes with all vectors; in three dimensions a few products for each vector.
    """
    class_of = np.full(len(boxes), -1, dtype=np.intp)
    class_of[np.concatenate([*classes, _NOBODY])] = np.repeat(np.arange(len(classes)), [len(c) for c in classes])
    judge = _judge(
        boxes,
        class_of,
        dict(enumerate(classes)),
        candidates=candidates,
        count=len(classes),
        weights=weights,
        progress=progress,
    )
    rays = boxes.centres.take(rows)
    guesses = _guesses(rays, weights)

    def _closer(ray: int, number: int) -> Weights:
        left = Fraction(1, 16**number)
        return guesses[ray] if left == 1 else tilted(guesses[ray], weights, ray=rays.row(ray), left=left)

    found = _first_certain(judge, range(len(rows)), _closer, rounds=4)
    return [
        found[i] if i in found else certain_weights(boxes, negative=members, guess=guesses[i])
        for i, members in enumerate(classes)
    ]


def _neighbourhoods(
    boxes: Boxes, class_of: Members, *, candidates: Sequence[int], count: int, weights: Weights
) -> Neighbourhoods | None:
    corners = np.asarray(candidates, dtype=np.intp)
    walk = corners[polygon_walk(boxes.centres.take(corners), weights)]
    return Neighbourhoods.of(boxes, class_of, walk=walk, count=count, weights=weights)


def _guesses(rays: Vectors, weights: Weights) -> list[Weights]:
    """Weights for each representative that are negative on it and positive on the others, by the stored numbers."""
    if rays.dimension == 3 and len(rays) > 3:
        return _between_neighbours(rays, weights)
    separating = _separated(rays, range(len(rays)), weights)
    return [
        weights if apart is None else tilted(apart, weights, ray=rays.row(row)) for row, apart in separating.items()
    ]


def _separated(rays: Vectors, asked: Sequence[int], weights: Weights) -> dict[int, Weights | None]:
    """Weights negative on one of the rays and not (or hardly) so on any other, for each of those asked about."""
    apart = _set_apart(rays, asked, weights) if len(rays) * rays.dimension > _FEW else {}
    return {row: apart[row] if row in apart else _separating(rays, row) for row in asked}


def _set_apart(rays: Vectors, asked: Sequence[int], weights: Weights) -> dict[int, Weights]:
    """The same guessed, where floats see any: a ray is set apart by its own direction, or by the float simplex."""
    table = balanced(rays)
    seen = None if table is None else framed(*table, count=len(rays), weights=weights)
    if table is None or seen is None:
        return {}
    witness = own_directions(seen.points, np.asarray(asked, dtype=np.intp))
    open_rows = np.asarray([row for row in asked if row not in witness], dtype=np.intp)
    if open_rows.size:
        found = leave_out(seen.points, asked=open_rows, progress=silent)
        witness.update(zip(found.rays.tolist(), found.witness, strict=True))
    if not witness:
        return {}
    guesses = np.ldexp(seen.on_table(np.array(list(witness.values()))), -table[1])
    guesses /= np.abs(guesses).max(axis=1, keepdims=True)
    whole = np.rint(np.ldexp(guesses, 60)).astype(object)
    return {row: tuple(map(int, w)) for row, w in zip(witness, whole, strict=True)}


def _separating(rays: Vectors, row: int) -> Weights | None:
    try:
        return separating_weights(rays, row, rays=range(len(rays)))
    except ValueError:
        return None  # the others span it: no good guess, the exact search decides


def _between_neighbours(rays: Vectors, weights: Weights) -> list[Weights]:
    """In three dimensions: the plane through the two neighbours on the polygon, tilted half way to the ray."""
    walk = polygon_walk(rays, weights)
    unit, realizing = rays.shapes, Vectors.of([weights], 3).shapes[0]
    guess = np.tile(realizing, (len(rays), 1))
    normal = np.cross(unit[np.roll(walk, 1)], unit[np.roll(walk, -1)])
    normal /= np.abs(normal).max(axis=1, keepdims=True)
    depth = np.einsum("ij,ij->i", normal, unit[walk])
    normal, depth = normal * -np.sign(depth)[:, None], np.abs(depth)
    guess[walk] = normal + (depth / (2 * (unit[walk] @ realizing)))[:, None] * realizing
    return [tuple(int(v) for v in row) for row in np.rint(np.ldexp(guess, 60)).astype(object)]


def canonical_margins(
    boxes: Boxes,
    rows: Sequence[int],
    *,
    ray_of: Members,
    candidates: Sequence[int],
    wanted: Sequence[int],
    weights: Weights,
) -> dict[int, Weights]:
    """Certain weights against some rays (by number), the same on every machine and of few digits.

    `rows` represent all rays, `ray_of` says which ray's class each vector is in; the rest is as for `margins`.  Cost: a
    few products of these rays with all vectors; in three dimensions, with what is near them.
    """
    rays = boxes.centres.take(rows)
    members = _members(ray_of, wanted)
    judge = _judge(boxes, ray_of, members, candidates=candidates, count=len(rows), weights=weights)
    found = _first_certain(
        judge,
        wanted,
        _tilts(rays, weights, separating=_between_or_apart(rays, wanted, weights)),
        rounds=5,
        factors=ROOM,
    )
    for ray in wanted:
        if ray not in found:
            exact = certain_weights(boxes, negative=members[ray], guess=weights)
            if exact is None:
                raise ArithmeticError(f"ray {ray} was found certain, and now it is not")
            found[ray] = exact
    return _shortened(judge, {ray: found[ray] for ray in wanted})


def _members(ray_of: Members, wanted: Sequence[int]) -> dict[int, Members]:
    """The class of each of these rays."""
    order = np.argsort(ray_of, kind="stable")
    numbers = np.asarray(wanted, dtype=np.intp)
    ends = (np.searchsorted(ray_of[order], numbers, side=side) for side in ("left", "right"))
    return {ray: order[low:high] for ray, low, high in zip(wanted, *ends, strict=True)}


def _between_or_apart(rays: Vectors, wanted: Sequence[int], weights: Weights) -> dict[int, Weights | None]:
    """Canonical weights that separate each of some rays from the others; on a polygon, from its neighbours."""
    if rays.dimension != 3 or len(rays) <= 3:
        return _separated(rays, wanted, weights)
    walk = polygon_walk(rays, weights)
    place = {ray: i for i, ray in enumerate(walk)}
    return {ray: _between(rays, walk, place[ray]) if ray in place else _separating(rays, ray) for ray in wanted}


def _judge(
    boxes: Boxes,
    ray_of: Members,
    members: dict[int, Members],
    *,
    candidates: Sequence[int],
    count: int,
    weights: Weights,
    progress: Progress = silent,
) -> Judge:
    """On a large polygon look near each ray first, and everywhere only where that shows nothing."""
    near = None
    alone = all(bool((ray_of[own] == ray).all()) for ray, own in members.items())  # no two classes share a member
    if boxes.dimension == 3 and alone and len(members) * len(boxes) > _MANY:
        near = _neighbourhoods(boxes, ray_of, candidates=candidates, count=count, weights=weights)

    def _judged(guesses: Sequence[Weights], rays: Sequence[int], factor: int) -> npt.NDArray[np.bool_]:
        verdict = np.zeros(len(rays), dtype=np.int8)
        if near is not None:
            verdict = near.verdicts(Vectors.of(guesses, 3), classes=np.asarray(rays, dtype=np.intp), factor=factor)
        shown = verdict > 0
        rest, wide = np.flatnonzero(verdict == 0), boxes.wider(factor)
        step = max(1, _BLOCK // max(1, len(boxes)))
        for start in range(0, rest.size, step):
            some = rest[start : start + step].tolist()
            negative = [members[rays[i]] for i in some]
            shown[some] = wide.are_certain([guesses[i] for i in some], negative=negative)
            progress("making sure of the rays", start, rest.size)
        return shown

    return _judged


def _tilts(rays: Vectors, weights: Weights, *, separating: dict[int, Weights | None]) -> Tilt:
    """Between touching the others and touching the ray: closer to the ray leaves more room on faces through it."""

    def _tilted(ray: int, number: int) -> Weights | None:
        apart, bits = separating[ray], (1, 4, 8, 16, 24)[number]
        return None if apart is None else tilted(apart, weights, ray=rays.row(ray), left=Fraction(1, 2**bits))

    return _tilted


def _first_certain(
    judge: Judge, asked: Sequence[int], tilt: Tilt, *, rounds: int, factors: Sequence[int] = (1,)
) -> dict[int, Weights]:
    """For each ray the first of its tilts that is certain, at the first of these factors of the noise where one is."""
    found: dict[int, Weights] = {}
    for factor in factors:
        for number in range(rounds):
            guesses = {ray: tilt(ray, number) for ray in asked if ray not in found}
            some = {ray: guess for ray, guess in guesses.items() if guess is not None}
            shown = judge(list(some.values()), list(some), factor)
            found.update((ray, some[ray]) for ray, yes in zip(some, shown.tolist(), strict=True) if yes)
    return found


def _shortened(judge: Judge, found: dict[int, Weights]) -> dict[int, Weights]:
    """The same with fewer digits, where a few times the noise leaves them certain."""
    size = {ray: max((abs(v) for v in weights), default=0) for ray, weights in found.items()}
    short: dict[int, Weights] = {}
    bits = 32
    while asked := [ray for ray in found if ray not in short and 1 << bits < size[ray]]:
        guesses = [tuple(((v << (bits + 1)) // size[ray] + 1) >> 1 for v in found[ray]) for ray in asked]
        shown = judge(guesses, asked, 4)
        short.update((ray, guess) for ray, guess, yes in zip(asked, guesses, shown, strict=True) if yes)
        bits *= 2
    return {ray: primitive_vector(short.get(ray, weights)) for ray, weights in found.items()}


def _between(rays: Vectors, walk: Sequence[int], place: int) -> Weights:
    """The plane through the neighbours on the polygon, negative on the ray."""
    before, ray, after = (rays.row(walk[(place + i) % len(walk)]) for i in (-1, 0, 1))
    normal = [before[i - 2] * after[i - 1] - before[i - 1] * after[i - 2] for i in range(3)]
    side = -1 if sum(a * b for a, b in zip(normal, ray, strict=True)) > 0 else 1
    return primitive_vector([side * n for n in normal])
