"""Coordinates that can go: columns that are fixed linear combinations of the others on every vector."""

from __future__ import annotations

import numpy as np

from hornbook.arithmetic import Vectors, primitive_vector

__all__ = ["spanning_columns"]

Row = tuple[int, ...]


def spanning_columns(vectors: Vectors) -> list[int]:
    """Columns that determine all others linearly, as many as the rank; so cones keep their shape on them.

    Keeps the relations (vectors orthogonal to every row seen) and strikes one out whenever a row contradicts it.
    Cost: one pass over the vectors per column.
    """
    relations: list[Row] = [tuple(int(i == j) for j in range(vectors.dimension)) for i in range(vectors.dimension)]
    confirmed: list[Row] = []
    while relations:
        products = vectors.products(relations[-1])
        broken = np.flatnonzero(products != 0)
        if broken.size:
            relations = _without(vectors.row(int(broken[0])), relations)
        else:
            confirmed.append(relations.pop())
    implied = _leading_columns(confirmed)
    return [column for column in range(vectors.dimension) if column not in implied]


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
