"""What a learner must be shown that believes something already: faces in place of rays.

Besides the directions of a problem there are *beliefs*: vectors with which the learner's weights have a positive
product (strict ones) or no negative one (weak ones).  Let K be the cone of all of these, and F(x) the smallest face of
K that has x.  The learner gets x right exactly when F(x) holds some direction that it was shown or believes strictly,
and everything else is right too (docs/requests.md has the proof).  So the smallest among the faces F(x), x a direction,
are what a lesson must show, except where a strict belief lies in one; all directions in such a face do equally well.
Without weak beliefs they are the extreme rays.

Weak beliefs may hold whole lines: weights that are known to be orthogonal to these.  K is looked at across them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Vectors, narrowed, primitive, primitive_vector
from hornbook.progress import Progress, silent
from hornbook.rays._cone import Cone, Inside
from hornbook.rays._evidence import combinations, outside
from hornbook.rays._misconceptions import misconception
from hornbook.rays._realize import Conflict, realize_with

__all__ = ["Believed", "Faces", "believed_sums", "find_faces", "retold"]


@dataclass(frozen=True, eq=False)
class Believed:
    """Beliefs as vectors; `strict[i]` tells whether belief i is strict."""

    vectors: Vectors
    strict: npt.NDArray[np.bool_]

    @property
    def firm(self) -> Vectors:
        """The strict ones."""
        return self.vectors.take(np.flatnonzero(self.strict))

    @property
    def weak(self) -> Vectors:
        """The weak ones."""
        return self.vectors.take(np.flatnonzero(~self.strict))


class Faces:
    """The faces that a lesson must show: `members[i]` are the rows of the directions in face i, by their first.

    `weights` has a positive product with every direction and every strict belief, and no negative one with a weak one.
    """

    def __init__(self, view: _View, members: Sequence[tuple[int, ...]]) -> None:
        self._view = view
        self.members = tuple(members)
        self.weights = view.lifted(view.rays_weights)

    def __len__(self) -> int:
        return len(self.members)

    def misconception(self, face: int) -> tuple[int, ...]:
        """Weights in accord with all beliefs, right on every direction outside the face, and right on none inside.

        Where a weak belief lies in the face too, they cannot be wrong there but only tie.
        """
        return self._view.misconception(self.members[face][0])


def find_faces(
    directions: Vectors, believed: Believed, *, finder: str = "auto", progress: Progress = silent
) -> Faces | Conflict:
    """The faces to show, by the value of their first direction; or why directions and beliefs contradict each other.

    The rows of a conflict count directions first, then strict beliefs, then weak ones.  Cost: as `find_rays`; with weak
    beliefs one exact question more for each direction that lies in the cone of weak beliefs.
    """
    everything = Vectors(narrowed(np.concatenate([directions.exact, believed.firm.exact])))
    conflict = realize_with(everything, believed.weak)
    if isinstance(conflict, Conflict):
        return conflict
    view = _View(directions, believed, finder=finder, progress=progress)
    return Faces(view, sorted(view.faces()))


class _View:
    """Directions and beliefs across the lines that weak beliefs hold; each distinct vector there has a number."""

    def __init__(self, directions: Vectors, believed: Believed, *, finder: str, progress: Progress) -> None:
        from hornbook.rays import find_rays  # this file is one of those that it is made of

        self.basis, self.dimension = _across(believed.weak), directions.dimension
        shown, firm, weak = (self._projected(v) for v in (directions, believed.firm, believed.weak))
        known = sorted({*shown, *firm, *(v for v in weak if any(v))})
        number = {vector: i for i, vector in enumerate(known)}
        self.vectors = Vectors.of(known, len(self.basis))
        self.number_of = [number[v] for v in shown]
        self.firm = {number[v] for v in firm}
        self.weak = {number[v] for v in weak if any(v)}
        rays = find_rays(self.vectors, finder=finder, progress=progress)
        if isinstance(rays, Conflict):
            raise ArithmeticError("beliefs that were found to agree with all directions contradict them")
        self.rays, self.on_ray, self.rays_weights = rays.rows, frozenset(rays.rows), rays.weights

    def _projected(self, vectors: Vectors) -> list[tuple[int, ...]]:
        columns = [vectors.products(row).astype(object) for row in self.basis]
        table = np.array(columns, dtype=object).reshape(len(self.basis), len(vectors)).T
        return Vectors(primitive(narrowed(table))).rows()

    def lifted(self, weights: Sequence[int]) -> tuple[int, ...]:
        """Weights across the lines as weights on features."""
        table = [[w * v for v in row] for w, row in zip(weights, self.basis, strict=True)]
        return primitive_vector([sum(row[i] for row in table) for i in range(self.dimension)])

    @property
    def certain(self) -> list[int]:
        """What is a direction or believed strictly."""
        return sorted({*self.number_of, *self.firm})

    def faces(self) -> list[tuple[int, ...]]:
        """The rows of the directions in each face to show."""
        found = {frozenset({ray}) for ray in self.rays if ray not in self.firm}
        found |= self._smallest_inside()
        rows: dict[int, list[int]] = {}
        for row, which in enumerate(self.number_of):
            rows.setdefault(which, []).append(row)
        lists = (sorted(row for which in face for row in rows.get(which, ())) for face in found)
        return [tuple(members) for members in lists if members]

    def _smallest_inside(self) -> set[frozenset[int]]:
        """The smallest faces that are no rays: all of their rays are weak beliefs and no directions."""
        certain = frozenset(self.certain)
        soft = [ray for ray in self.rays if ray not in certain]
        rest = sorted(certain - self.on_ray) if soft else []
        beyond = outside(self.vectors.take(soft), self.vectors.take(rest))
        faces: set[frozenset[int]] = set()
        for i, which in enumerate(rest):
            if i not in beyond and not any(which in face for face in faces):
                face = self._smallest(which)
                if not face & (self.on_ray | self.firm):
                    faces.add(face)
        return faces

    def _smallest(self, which: int) -> frozenset[int]:
        """A smallest face inside F(which), as the certain vectors in it."""
        face, _ = self.face(which)
        for other in sorted(face - {which}):
            inner, _ = self.face(other)
            if which not in inner:
                return self._smallest(other)
        return face

    def face(self, which: int) -> tuple[frozenset[int], tuple[int, ...]]:
        """The certain vectors in F(which); and weights that vanish there and are positive on all other certain ones.

        A vector is in F(x) when some multiple of x less the vector is in K; weights that tell otherwise vanish on x.
        """
        generators = self.vectors.take(self.rays)
        turned = Vectors(np.concatenate([generators.exact, -self.vectors.take([which]).exact]))
        certain = self.certain
        apart = outside(turned, Vectors(-self.vectors.take(certain).exact))
        weights = [sum(column) for column in zip(*dict.fromkeys(apart.values()), strict=True)]
        inside = frozenset(c for i, c in enumerate(certain) if i not in apart)
        return inside, tuple(weights) if weights else (0,) * len(self.basis)

    def misconception(self, row: int) -> tuple[int, ...]:
        which = self.number_of[row]
        if which in self.on_ray and which not in self.weak:
            return self.lifted(misconception(self.vectors, which, rays=self.rays, weights=self.rays_weights))
        return self.lifted(self.face(which)[1])


def _across(weak: Vectors) -> list[tuple[int, ...]]:
    """A basis of all weights that are orthogonal to the lines in the cone of weak beliefs."""
    cone = Cone(weak)
    flat = [row for row in weak.rows() if isinstance(cone.locate([-v for v in row]), Inside)]
    table: list[list[Fraction]] = []  # reduced rows, each with its first entry 1
    for vector in flat:
        row = _reduced([Fraction(v) for v in vector], table)
        if any(row):
            first = next(v for v in row if v)
            row = [v / first for v in row]
            table = [*(_reduced(other, [row]) for other in table), row]
    pivots = [next(i for i, v in enumerate(row) if v) for row in table]
    basis = []
    for free in sorted(set(range(weak.dimension)) - set(pivots)):
        place = dict(zip(pivots, table, strict=True))
        basis.append(
            primitive_vector([-place[i][free] if i in place else Fraction(i == free) for i in range(weak.dimension)])
        )
    return basis


def _reduced(row: list[Fraction], table: Sequence[list[Fraction]]) -> list[Fraction]:
    """The row with zeros where the rows of the table have their first entry."""
    for other in table:
        pivot = next(i for i, v in enumerate(other) if v)
        row = [a - row[pivot] * b for a, b in zip(row, other, strict=True)]
    return row


def believed_sums(generators: Vectors, vectors: Vectors, *, strict: Sequence[bool]) -> list[tuple[int, ...]]:
    """For each vector independent generators that add up to it with positive multipliers, a strict one among them.

    A vector that is no such sum is a `ValueError`.
    """
    return [
        support if any(strict[i] for i in support) else _with_strict(generators, strict, vectors.row(i))
        for i, support in enumerate(combinations(generators, vectors))
    ]


def _with_strict(generators: Vectors, strict: Sequence[bool], vector: Sequence[int]) -> tuple[int, ...]:
    """If -s = sum m_i g_i - l x over independent ones, then x = (s + sum m_i g_i) / l, over independent ones again."""
    for i in np.flatnonzero(strict).tolist():
        support = retold(generators, generators.row(i), vector=vector)
        if support is not None:
            return tuple(sorted([i, *support]))
    raise ValueError(f"{tuple(vector)} is no sum of the generators with a strict one")


def retold(generators: Vectors, shown: Sequence[int], *, vector: Sequence[int]) -> tuple[int, ...] | None:
    """Generators that together with what is shown, independent of them, add up to a vector; None if there are none."""
    turned = np.array([[-v for v in vector]], dtype=object)
    cone = Cone(Vectors(narrowed(np.concatenate([generators.exact.astype(object), turned]))))
    answer = cone.locate([-v for v in shown])
    if isinstance(answer, Inside) and answer.support[-1] == len(generators):
        return answer.support[:-1]
    return None
