"""The weights that make each class of float differences certain, for all classes at once.

Guesses come first: for every class, weights that separate its representative from the other representatives.  One
product of many guesses with all vectors says, with a proved error bound, which of them are certain.  What that leaves
open is decided exactly, one class at a time.  Guesses may differ between machines; which classes are certain may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, balanced, framed, primitive_vector
from hornbook.progress import Progress, silent
from hornbook.rays._certain import Boxes, certain_weights
from hornbook.rays._hull import polygon_walk
from hornbook.rays._misconceptions import separating_weights, tilted
from hornbook.rays._nearby import Neighbourhoods
from hornbook.rays._simplex import leave_out

__all__ = ["canonical_margins", "margins"]

Members = npt.NDArray[np.intp]
Weights = tuple[int, ...]
Judge = Callable[[Sequence[Weights], Sequence[int], int], npt.NDArray[np.bool_]]
"""Which of some weights are certain against their rays alone, with so many times the noise: always an exact answer."""
_MANY = 1 << 21  # classes times vectors: from here on a polygon is looked at place by place
_BLOCK = 1 << 22  # products of guesses and vectors that are held at once
_FEW = 64  # rays: up to here each is set apart exactly, which gives weights of fewer digits


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
    guesses = _guesses(boxes.centres.take(rows), weights)
    if boxes.dimension == 3 and len(rows) * len(boxes) > _MANY:
        return _settled_nearby(boxes, classes, candidates=candidates, guesses=guesses, weights=weights)
    found: list[Weights | None] = []
    step = max(1, _BLOCK // max(1, len(boxes)))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        found += _settled(boxes, classes[part], guesses[part])
        progress("making sure of the rays", len(found), len(rows))
    return found


def _settled_nearby(
    boxes: Boxes,
    classes: Sequence[Members],
    *,
    candidates: Sequence[int],
    guesses: Sequence[Weights],
    weights: Weights,
) -> list[Weights | None]:
    """On a large polygon: look near each class first, and everywhere only for those that this leaves open."""
    class_of = np.full(len(boxes), -1, dtype=np.intp)
    class_of[np.concatenate(classes)] = np.repeat(np.arange(len(classes)), [len(c) for c in classes])
    near = _neighbourhoods(boxes, class_of, candidates=candidates, count=len(classes), weights=weights)
    verdicts = near.verdicts(Vectors.of(guesses, 3), classes=np.arange(len(classes))) if near else [0] * len(classes)
    return [
        guess if verdict > 0 else certain_weights(boxes, negative=members, guess=guess)
        for guess, members, verdict in zip(guesses, classes, verdicts, strict=True)
    ]


def _neighbourhoods(
    boxes: Boxes, class_of: Members, *, candidates: Sequence[int], count: int, weights: Weights
) -> Neighbourhoods | None:
    corners = np.asarray(candidates, dtype=np.intp)
    walk = corners[polygon_walk(boxes.centres.take(corners), weights)]
    return Neighbourhoods.of(boxes, class_of, walk=walk, count=count, weights=weights)


def _settled(boxes: Boxes, classes: Sequence[Members], guesses: Sequence[Weights]) -> Iterator[Weights | None]:
    right = boxes.measured.signs([boxes.margin_weights(guess) for guess in guesses]) > 0
    for i, (members, guess) in enumerate(zip(classes, guesses, strict=True)):
        mirrored = boxes.measured.take(members).signs([boxes.margin_weights(guess, side=-1)])[:, 0] > 0
        right[members, i] = mirrored
        if right[:, i].all():
            yield guess
        else:
            yield certain_weights(boxes, negative=members, guess=guess)


def _guesses(rays: Vectors, weights: Weights) -> list[Weights]:
    """Weights for each representative that are negative on it and positive on the others, by the stored numbers."""
    if rays.dimension == 3 and len(rays) > 3:
        return _between_neighbours(rays, weights)
    apart = _set_apart(rays, range(len(rays)), weights) if len(rays) > _FEW else {}
    return [apart[row] if row in apart else _alone(rays, row, weights) for row in range(len(rays))]


def _set_apart(rays: Vectors, asked: Sequence[int], weights: Weights) -> dict[int, Weights]:
    """Weights negative on one of the rays and hardly so on any other, for each of those asked about where floats see
    any: guesses of the float simplex, lifted by half of the ray's depth."""
    table = balanced(rays)
    seen = None if table is None else framed(*table, count=len(rays), weights=weights)
    if table is None or seen is None:
        return {}
    found = leave_out(seen.points, asked=np.asarray(asked, dtype=np.intp), progress=silent)
    lifted = found.witness.copy()
    lifted[:, 0] -= np.einsum("ij,ij->i", seen.points[found.rays], found.witness) / 2
    guesses = np.ldexp(seen.on_table(lifted), -table[1])
    guesses /= np.abs(guesses).max(axis=1, keepdims=True)
    whole = np.rint(np.ldexp(guesses, 60)).astype(object)
    return {row: tuple(map(int, w)) for row, w in zip(found.rays.tolist(), whole, strict=True)}


def _alone(rays: Vectors, row: int, weights: Weights) -> Weights:
    separating = _separating(rays, row)
    return weights if separating is None else tilted(separating, weights, ray=rays.row(row))


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
    walk = polygon_walk(rays, weights) if rays.dimension == 3 and len(rays) > 3 else []
    place = {ray: i for i, ray in enumerate(walk)}
    members = _members(ray_of, wanted)
    judge = _judge(boxes, ray_of, members, candidates=candidates, count=len(rows), weights=weights)
    apart = _set_apart(rays, wanted, weights) if not walk and len(rays) > _FEW else {}
    tilts: dict[int, list[Weights]] = {}
    for ray in wanted:
        if ray in apart:
            tilts[ray] = [apart[ray]]
            continue
        separating = _between(rays, walk, place[ray]) if ray in place else _separating(rays, ray)
        tilts[ray] = [] if separating is None else list(_tilts(separating, weights, ray=rays.row(ray)))
    found = _roomiest(judge, tilts)
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


def _judge(
    boxes: Boxes,
    ray_of: Members,
    members: dict[int, Members],
    *,
    candidates: Sequence[int],
    count: int,
    weights: Weights,
) -> Judge:
    """On a large polygon look near each ray first, and everywhere only where that shows nothing."""
    near = None
    if boxes.dimension == 3 and len(members) * len(boxes) > _MANY:
        near = _neighbourhoods(boxes, ray_of, candidates=candidates, count=count, weights=weights)

    def _judged(guesses: Sequence[Weights], rays: Sequence[int], factor: int) -> npt.NDArray[np.bool_]:
        verdict = np.zeros(len(rays), dtype=np.int8)
        if near is not None:
            verdict = near.verdicts(Vectors.of(guesses, 3), classes=np.asarray(rays, dtype=np.intp), factor=factor)
        shown = verdict > 0
        rest = np.flatnonzero(verdict == 0).tolist()
        if rest:
            negative = [members[rays[i]] for i in rest]
            shown[rest] = boxes.wider(factor).are_certain([guesses[i] for i in rest], negative=negative)
        return shown

    return _judged


def _tilts(separating: Weights, weights: Weights, *, ray: Sequence[int]) -> Iterator[Weights]:
    """Between touching the others and touching the ray: closer to the ray leaves more room on faces through it."""
    for bits in (1, 4, 8, 16, 24):
        yield tilted(separating, weights, ray=ray, left=Fraction(1, 2**bits))


def _roomiest(judge: Judge, tilts: dict[int, list[Weights]]) -> dict[int, Weights]:
    """For each ray the first that is certain even with much more noise, or with a little more, or as it is."""
    found: dict[int, Weights] = {}
    for factor in (2**20, 2**10, 1):
        for number in range(max(map(len, tilts.values()), default=0)):
            asked = [ray for ray in tilts if ray not in found and number < len(tilts[ray])]
            guesses = [tilts[ray][number] for ray in asked]
            shown = judge(guesses, asked, factor)
            found.update((ray, guess) for ray, guess, yes in zip(asked, guesses, shown, strict=True) if yes)
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
