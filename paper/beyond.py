"""Beyond the paper: teaching dimensions of all threshold functions of grids and bits, and of small random problems."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from dataclasses import dataclass

import numpy as np

import hornbook
from hornbook.environments.boolean_thresholds import corners, families
from hornbook.environments.thresholds import labellings
from paper.writing import Claim, Folder, Section

__all__ = ["Average", "average", "boolean_dimensions", "grid_dimensions", "members", "run"]

GRIDS = tuple(range(2, 11))
BITS = tuple(range(1, 7))
ACTIONS, FEATURES = (2, 3, 4, 6, 8), (2, 3, 4, 5, 6)
SEEDS = 10
STATES = 50

Labels = tuple[int, ...]


def _dimension(points: np.ndarray, labels: Labels) -> int:
    """The teaching dimension of a labelling of points, label 1 above a threshold."""
    features = np.zeros((len(points), 2, points.shape[1] + 1), dtype=np.int64)
    features[:, 1, :-1], features[:, 1, -1] = points, 1
    lesson = hornbook.teach(hornbook.TeachingProblem(features=features, target=np.array(labels)))
    if not lesson.is_minimum:
        raise ValueError("a lesson without a proof has no place in a table of teaching dimensions")
    return lesson.size


def _likes(n: int) -> list[np.ndarray]:
    """The eight symmetries of the grid, as places of points."""
    grid = np.arange(n * n).reshape(n, n)
    turned = [np.rot90(grid, k) for k in range(4)]
    return [each.ravel() for turn in turned for each in (turn, turn.T)]


def grid_dimensions(n: int) -> Counter[int]:
    """How many threshold functions of the n x n grid have which teaching dimension.

    Symmetries of the grid and exchanging the labels change nothing, so one function of each family is taught.
    """
    found: Counter[Labels] = Counter()
    symmetries = _likes(n)
    for labels in labellings(n):
        array = np.array(labels, dtype=np.int8)
        found[min(tuple(side[like].tolist()) for like in symmetries for side in (array, 1 - array))] += 1
    points = np.array([(x, y) for x in range(n) for y in range(n)])
    total: Counter[int] = Counter()
    for labels, count in found.items():
        total[_dimension(points, labels)] += count
    return total


def members(n: int, labels: Labels) -> int:
    """How many functions permuting bits and exchanging 0 and 1 in some of them make of one threshold function.

    By Chow's theorem a threshold function is determined by its Chow parameters: its sum, and its correlation with each
    bit.  These moves permute the correlations and change their signs, so the different results are counted by them.
    """
    signs = 2 * np.array(labels) - 1
    chow = np.abs((2 * corners(n) - 1).T @ signs).tolist()
    alike = math.prod(math.factorial(count) for count in Counter(chow).values())
    return math.factorial(n) // alike * 2 ** sum(value != 0 for value in chow)


def boolean_dimensions(n: int) -> Counter[int]:
    """How many threshold functions of n bits have which teaching dimension (specification number)."""
    total: Counter[int] = Counter()
    for labels in families(n):
        total[_dimension(corners(n), labels)] += members(n, labels)
    return total


@dataclass(frozen=True)
class Average:
    """Means over seeds of random policies with so many actions and features."""

    actions: int
    features: int
    dimension: float
    spread: float
    rays: float


def average(actions: int, features: int, *, seeds: int = SEEDS) -> Average:
    """Teach random policies of 50 states."""
    texts = [f"random_policy:s={STATES},a={actions},d={features},seed={seed}" for seed in range(seeds)]
    lessons = [hornbook.teach(hornbook.environment(text)) for text in texts]
    dimensions = [lesson.size for lesson in lessons]
    rays = statistics.mean(len(lesson.rays) for lesson in lessons)
    return Average(actions, features, statistics.mean(dimensions), statistics.stdev(dimensions), rays)


def _spectrum(rows: dict[int, Counter[int]]) -> tuple[list[str], list[list[object]]]:
    """One line for each size: functions in all, those of each dimension, and the mean."""
    dimensions = sorted({dimension for row in rows.values() for dimension in row})
    lines: list[list[object]] = []
    for n, row in rows.items():
        mean = sum(dimension * count for dimension, count in row.items()) / row.total()
        lines.append([n, row.total(), *(row[d] for d in dimensions), mean])
    return ["n", "functions", *(f"TD {d}" for d in dimensions), "mean"], lines


def _long(rows: dict[int, Counter[int]]) -> tuple[list[str], list[list[object]]]:
    """One line for each size: the least, mean and most, where there are too many different ones for columns."""
    lines: list[list[object]] = []
    for n, row in rows.items():
        mean = sum(dimension * count for dimension, count in row.items()) / row.total()
        lines.append([n, row.total(), min(row), row[min(row)], mean, max(row), row[max(row)]])
    return ["n", "functions", "least TD", "how many", "mean TD", "most TD", "how many"], lines


def run(folder: Folder) -> Section:
    """Three tables."""
    grids = {n: grid_dimensions(n) for n in GRIDS}
    bits = {n: boolean_dimensions(n) for n in BITS}
    every = [[n, d, count] for n, row in bits.items() for d, count in sorted(row.items())]
    averages = [average(a, d) for d in FEATURES for a in ACTIONS]
    table = [(r.features, r.actions, r.dimension, r.spread, r.rays) for r in averages]
    dimensions = sorted({d for row in grids.values() for d in row})
    told = f"{sum(row.total() for row in grids.values()):,} functions: {' or '.join(map(str, dimensions))}, no other"
    head, lines = _spectrum(grids)
    short, rows = _long(bits)
    folder.table("thresholds-boolean-spectrum", ("n", "TD", "functions"), every, caption="")
    return Section(
        "Beyond the paper",
        [Claim("(beyond the text) linear threshold functions of n x n grids have teaching dimension 3 or 4", told)],
        [
            "All linear threshold functions of n x n grids, by teaching dimension:",
            folder.table("thresholds-grid", head, lines, caption="Grids"),
            "All threshold functions of n bits. The teaching dimension is the specification number; the CSV "
            "`thresholds-boolean-spectrum.csv` has every value that occurs.",
            folder.table("thresholds-boolean", short, rows, caption="Bits"),
            f"Random policies (`random_policy:s={STATES}`, {SEEDS} seeds): the mean teaching dimension, its spread, and rays.",
            folder.table("random", ("d", "A", "mean TD", "sd", "mean rays"), table, caption="Average case"),
        ],
    )
