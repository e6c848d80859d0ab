"""Small exact teaching problems, and hand-solved ones with their answers and the arguments.

An `Instance` is plain data: it can be printed as JSON, read back, rearranged (see `families.variants`),
turned into the arguments of `TeachingProblem`, and turned into exact differences without hornbook.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tests.oracles import NOTREAL, Rays, Vector, primitive

BAD = "BAD"
Number = int | Fraction | float
Features = tuple[tuple[tuple[Number, ...], ...], ...]


@dataclass(frozen=True)
class Instance:
    """A teaching problem; `expected` is its sorted primitive rays, NOTREAL, BAD, or None (not known)."""

    features: Features  # [state][action][feature]; states may have different numbers of actions
    target: tuple[int, ...]
    argument: str
    width: int  # the number of features
    expected: Rays | str | None = None
    size: int | None = None
    conflict_terms: int | None = None  # every irreducible conflict has this many members
    bad_at: tuple[int, int, int] | None = None  # BAD: the state, action, feature the message must name
    available: tuple[tuple[bool, ...], ...] | None = None
    cost: tuple[Fraction, ...] | None = None
    dtype: str | None = None  # None: nested lists of Python numbers; else one padded array
    exact: bool = False
    chunk: int | None = None  # None: given at once; else through a source that hands out this many states at a time
    family: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.expected, tuple):
            object.__setattr__(self, "expected", tuple(sorted(map(primitive, self.expected))))


def is_available(instance: Instance, *, state: int, action: int) -> bool:
    return instance.available is None or instance.available[state][action]


def differences(instance: Instance) -> list[list[tuple[int, tuple[Fraction, ...] | Vector]]]:
    """Per state its exact differences as (action, target minus action); floats count as stored."""
    answer = []
    for s, actions in enumerate(instance.features):
        rows = [
            tuple(map(_exactly, row)) if is_available(instance, state=s, action=a) else ()
            for a, row in enumerate(actions)
        ]
        goal = instance.target[s]
        answer.append(
            [
                (a, tuple(p - q for p, q in zip(rows[goal], row, strict=True)))
                for a, row in enumerate(rows)
                if a != goal and is_available(instance, state=s, action=a)
            ]
        )
    return answer


def _exactly(number: Number) -> int | Fraction:
    return Fraction(number) if isinstance(number, float) else number


def directions(instance: Instance) -> list[set[Vector]]:
    """Per state the primitive directions of its differences (a zero difference stays zero)."""
    return [{primitive(x) for _, x in state} for state in differences(instance)]


def arrays(instance: Instance) -> dict[str, Any]:
    """Padded arrays as `TeachingProblem` takes them; padding holds sevens."""
    most = max((len(actions) for actions in instance.features), default=2)
    shape = (len(instance.features), most, instance.width)
    features = np.full(shape, 7, dtype=instance.dtype or object)
    available = np.zeros(shape[:2], dtype=bool)
    for s, actions in enumerate(instance.features):
        for a, row in enumerate(actions):
            features[s, a] = np.array(row, dtype=features.dtype)
            available[s, a] = is_available(instance, state=s, action=a)
    given: dict[str, Any] = {"features": features, "target": np.array(instance.target, dtype=np.intp)}
    if not available.all():
        given["available"] = available
    if instance.cost is not None:
        given["cost"] = list(instance.cost)
    return given


def ragged(instance: Instance) -> dict[str, Any]:
    """Nested lists as `TeachingProblem.from_ragged` takes them: every action is available."""
    features = [[list(row) for row in actions] for actions in instance.features]
    given: dict[str, Any] = {"features": features, "target": list(instance.target)}
    if instance.cost is not None:
        given["cost"] = list(instance.cost)
    return given


def to_json(instance: Instance) -> str:
    """One line that `from_json` reads back: floats in hexadecimal, Fractions with a slash."""
    record = asdict(instance)
    record["features"] = [[[_text(x) for x in row] for row in actions] for actions in instance.features]
    record["cost"] = None if instance.cost is None else [str(c) for c in instance.cost]
    if isinstance(instance.expected, tuple):
        record["expected"] = [list(map(str, ray)) for ray in instance.expected]
    return json.dumps(record)


def from_json(text: str) -> Instance:
    record = json.loads(text)
    record["features"] = tuple(tuple(tuple(map(_number, r)) for r in actions) for actions in record["features"])
    if isinstance(record["expected"], list):
        record["expected"] = tuple(tuple(map(int, ray)) for ray in record["expected"])
    if record["cost"] is not None:
        record["cost"] = tuple(map(Fraction, record["cost"]))
    if record["available"] is not None:
        record["available"] = tuple(map(tuple, record["available"]))
    for key in ("target", "bad_at"):
        record[key] = None if record[key] is None else tuple(record[key])
    return Instance(**record)


def _text(x: Number) -> str:
    if isinstance(x, Fraction):
        return f"{x.numerator}/{x.denominator}"  # also 3/1: it must come back as a Fraction
    return x.hex() if isinstance(x, float) else str(x)


def _number(text: str) -> Number:
    if "0x" in text or "inf" in text or "nan" in text:
        return float.fromhex(text)
    return Fraction(text) if "/" in text else int(text)


def by_differences(states: Sequence[Sequence[Sequence[Number]]], **known: Any) -> Instance:
    """The problem whose state s has these differences: its target comes first and has features zero."""
    width = len(states[0][0])
    features = tuple(((0,) * width, *(tuple(-entry for entry in x) for x in differences)) for differences in states)
    return Instance(features=features, target=(0,) * len(states), width=width, **known)


def cover_problem(sets: Sequence[Sequence[int]], **known: Any) -> Instance:
    """A set-cover instance as a teaching problem: element k is the ray (1, k, k^2).

    The functional (k^2, -2k, 1) takes (j - k)^2 on (1, j, j^2): zero only on k itself, so every one is
    extreme.
    """
    elements = sorted({k for members in sets for k in members})
    rays = tuple((1, k, k * k) for k in elements)
    return by_differences([[(1, k, k * k) for k in members] for members in sets], expected=rays, **known)


def six_rays() -> Instance:
    """Thirty differences in space around a hexagon; states 0 and 2 are the only optimum."""
    corners = [(x, y, 1) for x, y in ((2, 0), (1, 2), (-1, 2), (-2, 0), (-1, -2), (1, -2))]
    shown = [(0, 1, 2), (0, 1), (3, 4, 5), (3, 4), (2, 5), (1, 4)]
    states = []
    for s, members in enumerate(shown):
        others = [corner for k, corner in enumerate(corners) if k != s]
        sums = [tuple(map(sum, zip(corners[s], corner, strict=True))) for corner in others]
        states.append([*(corners[k] for k in members), *sums[: 5 - len(members)]])
    return by_differences(
        states,
        expected=tuple(corners),
        size=2,
        name="six rays",
        argument="no state shows more than three corners; states 0 and 2 show three each, the others two",
    )


def greedy_worst(most: int) -> Instance:
    """Where greedy, ties against it, takes H(most) times too many: 3/2, 11/6, 25/12 for 2, 3, 4."""
    total = {2: 2, 3: 6, 4: 12}[most]
    best = [list(range(i * most, (i + 1) * most)) for i in range(total)]
    trap: list[list[int]] = []
    for size in range(most, 0, -1):  # the states that cut across the blocks: `total / size` of them, each with `size`
        column = [block[size - 1] for block in best]
        trap += [column[i : i + size] for i in range(0, total, size)]
    return cover_problem(
        [*trap, *best],
        size=total,
        name=f"greedy worst {most}",
        argument=f"{total * most} rays, at most {most} per state; the {total} blocks are just enough",
    )


def odd_cycle(length: int) -> Instance:
    """Elements i and i + 1 in state i: the LP bound, half the length, is no whole number."""
    return cover_problem(
        [sorted((i, (i + 1) % length)) for i in range(length)],
        size=(length + 1) // 2,
        name=f"odd cycle {length}",
        argument=f"{length} rays, two per state; every other edge and one more",
    )


def steiner_nine() -> Instance:
    """STS9: points of the affine plane over Z/3 are the states, its twelve lines the rays."""
    lines = {
        frozenset(((x + t * u) % 3) * 3 + (y + t * v) % 3 for t in range(3))
        for x in range(3)
        for y in range(3)
        for u, v in ((0, 1), (1, 0), (1, 1), (1, 2))
    }
    numbered = sorted(map(sorted, lines))
    return cover_problem(
        [[k for k, line in enumerate(numbered) if point in line] for point in range(9)],
        size=5,
        name="STS9",
        argument="points that meet every line are complements of caps; the largest cap of AG(2,3) has 4",
    )


def singletons(count: int) -> Instance:
    """One ray per state; with `count` above 10,001 a solver's gap of 1e-4 would lose a state."""
    return cover_problem(
        [[k] for k in range(count)], size=count, name=f"{count} singletons", argument="one state per ray"
    )


def cube_corners(d: int) -> Instance:
    """The cone over a cube of dimension d - 1: every corner is a ray, face centres are not."""
    corners = [(*corner, 1) for corner in product((-1, 1), repeat=d - 1)]
    centres = [(*(sign * int(b == c) for c in range(d - 1)), 1) for b in range(d - 1) for sign in (1, -1)]
    return by_differences(
        [[x] for x in corners + (centres if d > 2 else [])],
        expected=tuple(corners),
        size=len(corners),
        name=f"cube corners {d}",
        argument="corner c alone maximises <c, x> over the cube; a centre is the mean of opposite corners",
    )


def moment_curve(d: int, count: int) -> Instance:
    """Points (1, k, ..., k^(d-1)), d >= 3: a square of a linear factor singles out every one of them."""
    points = tuple(tuple(k**power for power in range(d)) for k in range(count))
    return by_differences(
        [[x] for x in points],
        expected=points,
        size=count,
        name=f"moment curve {d}, {count}",
        argument="the polynomial (t - k)^2 is zero at k and positive at the others",
    )


def lattice_grid(side: int) -> Instance:
    """All (x, y, 1) of a square grid: the four corners are rays, the rest lie on facets or inside."""
    points = [(x, y, 1) for x in range(side + 1) for y in range(side + 1)]
    corners = tuple((x, y, 1) for x in (0, side) for y in (0, side))
    return by_differences(
        [[x] for x in points],
        expected=corners,
        size=4,
        name=f"lattice grid {side}",
        argument="a square has four corners; each state shows one point",
    )


def hand_solved() -> list[Instance]:
    """Every hand-solved instance, small ones first."""
    return [
        *_tiny_cones(),
        *_tiny_conflicts(),
        six_rays(),
        *(greedy_worst(most) for most in (2, 3, 4)),
        *(odd_cycle(length) for length in (3, 5, 7, 9)),
        steiner_nine(),
        singletons(12),
        *(cube_corners(d) for d in (2, 3, 4, 5)),
        *(moment_curve(d, count) for d, count in ((3, 9), (4, 8), (5, 7))),
        *(lattice_grid(side) for side in (1, 2, 5)),
    ]


def _tiny_cones() -> list[Instance]:
    square = ((1, 1, 1), (1, -1, 1), (-1, 1, 1), (-1, -1, 1))
    return [
        by_differences(
            [[(1, 0), (0, 1)], [(1, 0), (1, 1)], [(0, 1), (1, 2)]],
            expected=((1, 0), (0, 1)),
            size=1,
            name="two rays",
            argument="(1,0) and (0,1) generate the quadrant and state 0 shows both",
        ),
        by_differences(
            [[(2, 1), (1, 2)], [(4, 2)], [(1, 1)]],
            expected=((2, 1), (1, 2)),
            size=1,
            name="one ray at two lengths",
            argument="(4,2) is twice (2,1); (1,1) is a third of (2,1) + (1,2)",
        ),
        by_differences(
            [[x] for x in (*square, (0, 1, 1), (1, 0, 1))],
            expected=square,
            size=4,
            name="square with edge midpoints",
            argument="(0,1,1) and (1,0,1) are midpoints of two corners each, on a facet and no ray",
        ),
        by_differences(
            [[(1, 0, 0), (1, 1, 1)], [(0, 1, 0), (1, 2, 3)], [(0, 0, 1), (1, 1, 0)]],
            expected=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
            size=3,
            name="simplicial cone",
            argument="three unit vectors, one in each state; the others have nonnegative entries",
        ),
    ]


def _tiny_conflicts() -> list[Instance]:
    return [
        by_differences(
            [[(1, 0), (0, 1)], [(1, 1)], [(1, -3)], [(-1, 3)]],
            expected=NOTREAL,
            conflict_terms=2,
            name="opposite vectors",
            argument="(3,1) is zero on (1,-3) and (-1,3), which sum to zero, and positive on the rest",
        ),
        by_differences(
            [[(1, 0)], [(-1, 1)], [(-1, -1)]],
            expected=NOTREAL,
            conflict_terms=3,
            name="three around the origin",
            argument="2 (1,0) + (-1,1) + (-1,-1) = 0, and any two of them are realizable",
        ),
        by_differences(
            [[(1, 0)], [(0, 0), (1, 5)]],
            expected=NOTREAL,
            conflict_terms=1,
            name="a tie",
            argument="the zero difference is a conflict by itself; the others lie in an open half-plane",
        ),
    ]
