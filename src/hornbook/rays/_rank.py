"""Coordinates that can go: columns that are fixed linear combinations of the others on every vector."""

from __future__ import annotations

import numpy as np

from hornbook.arithmetic import Vectors, primitive_vector

__all__ = ["spanning_columns"]

Row = tuple[int, ...]

_SAMPLE = 32  # rows per column that are looked at first


def spanning_columns(vectors: Vectors) -> list[int]:
    """Columns that determine all others linearly, as many as the rank; so cones keep their shape on them.

    Cost: one pass over some of the vectors per column; over all of them for each relation that holds on these.
    """
    relations: list[Row] = [tuple(int(i == j) for j in range(vectors.dimension)) for i in range(vectors.dimension)]
    step = -(-len(vectors) // (_SAMPLE * max(1, vectors.dimension)))
    if step > 1:
        relations = _relations(vectors.take(np.arange(0, len(vectors), step)), relations)
    implied = _leading_columns(_relations(vectors, relations))
    return [column for column in range(vectors.dimension) if column not in implied]


def _relations(vectors: Vectors, relations: list[Row]) -> list[Row]:
    """Vectors orthogonal to every row, of the span of some: whenever a row contradicts one, it is struck out."""
    confirmed: list[Row] = []
    while relations:
        broken = np.flatnonzero(vectors.products(relations[-1]) != 0)
        if broken.size:
            relations = _without(vectors.row(int(broken[0])), relations)
        else:
            confirmed.append(relations.pop())
    return confirmed


def _without(row: Row, relations: list[Row]) -> list[Row]:
    """The relations that also hold on `row`: the last one is used up to mend the others."""
    *others, broken = relations
    pivot = _product(row, broken)
    mended = []
    for relation in others:
        error = _product(row, relation)
        mended.append(primitive_vector([pivot * a - error * b for a, b in zip(relation, broken, strict=True)]))
    return mended


def _leading_columns(relations: list[Row]) -> set[int]:
    """Columns that the relations express through the others (the pivots of an elimination from the right)."""
    left, columns = [list(r) for r in relations], set()
    while left:
        head = left.pop()
        column = max(i for i, v in enumerate(head) if v)
        columns.add(column)
        left = [
            list(primitive_vector([head[column] * a - r[column] * b for a, b in zip(r, head, strict=True)]))
            for r in left
        ]
    return columns


def _product(left: Row, right: Row) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))
