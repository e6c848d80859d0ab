"""The reduction from set cover: as the paper writes it, where that goes wrong, and as it works."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np

import hornbook
from hornbook.figures import hardness_reduction
from paper.writing import Claim, Folder, Section

__all__ = ["angles_by_the_paper", "by_the_paper", "checked", "minimum_cover_by_trying", "our_dimension", "run"]

Sets = tuple[tuple[int, ...], ...]

DRAWN: Sets = ((0, 1, 2), (2, 3, 4), (4, 5, 0), (1, 3, 5), (0, 3), (1, 4), (2, 5))
FEW_SETS: Sets = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
"""Three sets, six elements: angles 2 pi k / 3 fall on each other."""
ONE_DROPPED: Sets = ((0, 1), (2, 3), (1, 2), (0, 3))
"""Each set loses its element before the last to the paper's index rule."""


def minimum_cover_by_trying(sets: Sets) -> int:
    """The fewest sets that hold all elements, by trying all families of sets in order of size."""
    elements = set().union(*sets)
    for size in range(len(sets) + 1):
        if any(set().union(*chosen) >= elements for chosen in combinations(sets, size)):
            return size
    raise ValueError("the sets hold all their elements")


def our_dimension(sets: Sets) -> int:
    """The teaching dimension of the reduction with rays (1, k, k^2)."""
    return hornbook.teach(hornbook.environment("set_cover:" + ";".join("/".join(map(str, s)) for s in sets))).size


def angles_by_the_paper(sets: Sets) -> int:
    """How many different rays the paper's psi_k = (cos 2 pi k/n, sin 2 pi k/n, 10) are, n the number of sets."""
    elements = sorted(set().union(*sets))
    return len({k % len(sets) for k in elements})


def by_the_paper(sets: Sets) -> list[set[int]]:
    """Which elements each state shows by the paper's index rule: b < |V|-1 takes element b, all others the last."""
    return [{*members[: max(len(members) - 2, 0)], members[-1]} for members in sets]


def checked(count: int, *, seed: int) -> int:
    """How many of so many random instances have a teaching dimension that differs from the minimum cover."""
    dice = random.Random(seed)
    wrong = 0
    for _ in range(count):
        sets: Sets = tuple(tuple(sorted(dice.sample(range(7), dice.randint(1, 4)))) for _ in range(dice.randint(2, 7)))
        wrong += our_dimension(sets) != minimum_cover_by_trying(sets)
    return wrong


def distance_from_others(count: int) -> float:
    """How far, in radians, neighbouring rays of the paper's cone are apart when angles are divided by so many."""
    angle = 2 * np.pi / count
    a, b = np.array([1.0, 0.0, 10.0]), np.array([np.cos(angle), np.sin(angle), 10.0])
    return float(np.arccos(a @ b / (np.linalg.norm(a) * np.linalg.norm(b))))


def run(folder: Folder) -> Section:
    """The drawing, three instances, and a random check."""
    lesson = hornbook.teach(hornbook.environment("set_cover:" + ";".join("/".join(map(str, s)) for s in DRAWN)))
    wrong = checked(200, seed=0)
    rows = [
        (
            name,
            len(sets),
            len(set().union(*sets)),
            angles_by_the_paper(sets),
            len(set().union(*by_the_paper(sets))),
            minimum_cover_by_trying(sets),
            our_dimension(sets),
        )
        for name, sets in (("drawn", DRAWN), ("few sets", FEW_SETS), ("one dropped", ONE_DROPPED))
    ]
    angle = (
        "**Angles must be divided by the number of elements, not of sets.** With psi_k at the angle 2 pi k / n, elements k "
        f"and k + n are one ray: three sets with six elements give {angles_by_the_paper(FEW_SETS)} rays. Divided by |U| they "
        "are distinct, but not rational. We take (1, k, k^2): the weights (k^2, -2k, 1) score it (j - k)^2, zero at k and "
        "positive elsewhere, so each is extreme, in whole numbers."
    )
    rule = (
        '**The index rule loses an element.** "b < |V_s| - 1 shows element b, from |V_s| - 1 on the last" never shows '
        'element number |V_s| - 1 of a set with two elements or more: {0,1} shows 1 only. With "b < |V_s|" it is right.'
    )
    head = (
        "instance",
        "sets",
        "elements",
        "rays by the paper's angles",
        "elements left by its index rule",
        "minimum cover",
        "our dimension",
    )
    return Section(
        "The hardness reduction",
        [
            Claim(
                "A minimum lesson of the reduction is a minimum cover",
                f"with integer rays: {wrong} of 200 random instances differ",
            ),
            Claim(
                "psi_k = (cos 2 pi k/n, sin 2 pi k/n, 10), n sets",
                "rays coincide when there are more elements than sets",
                angle,
            ),
            Claim("psi_(sAb) = psi_(V_sb) for b < |V_s| - 1", "one element of each set is lost", rule),
            Claim(
                "Finding a minimum lesson is NP-hard (any |A| left open)",
                "for three actions it is polynomial",
                "**With three actions a state shows at most two rays.** Then the cover is a minimum edge cover, found by "
                "matching in polynomial time; hardness for a fixed number of actions begins at four.",
            ),
        ],
        [
            folder.figure(
                "hardness",
                hardness_reduction(DRAWN, cover=[int(s) for s in lesson.states]),
                caption="Seven sets, six elements: the sets are states, the elements rays, and a lesson is a cover",
            ),
            folder.table("hardness", head, rows, caption="The paper's construction and ours"),
        ],
    )
