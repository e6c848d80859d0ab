"""The greedy teacher at its worst, against the ratio that the paper promises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import hornbook
from paper.writing import Claim, Folder, Section

__all__ = ["Worst", "run", "trap", "worst"]

ACTIONS = (2, 3, 4, 5)


@dataclass(frozen=True)
class Worst:
    """Greedy against the minimum with so many actions."""

    actions: int
    greedy: int
    minimum: int
    ratio: Fraction
    bound: Fraction
    promised: float


def trap(actions: int) -> str:
    """A set-cover environment with at most actions - 1 rays a state on which greedy pays H(actions - 1) times too much.

    lcm(1..q) disjoint states of q rays would do.  Before them in the list, for g = q, ..., 1, are states that take one
    ray out of each of g of those; ties fall to them, and when they are through nothing is left to show.
    """
    q = actions - 1
    count = math.lcm(*range(1, q + 1))
    tempting = [
        [q * (start + step) + q - g for step in range(g)] for g in range(q, 0, -1) for start in range(0, count, g)
    ]
    enough = [list(range(q * unit, q * unit + q)) for unit in range(count)]
    return "set_cover:" + ";".join("/".join(map(str, members)) for members in [*tempting, *enough])


def worst(actions: int) -> Worst:
    """Both teachers on the trap."""
    problem = hornbook.environment(trap(actions))
    greedy, minimum = hornbook.teach(problem, teacher="greedy"), hornbook.teach(problem)
    bound = sum((Fraction(1, i) for i in range(1, actions)), Fraction(0))
    return Worst(actions, greedy.size, minimum.size, Fraction(greedy.size, minimum.size), bound, math.log(actions - 1))


def run(folder: Folder) -> Section:
    """The table of worst cases."""
    rows = [worst(actions) for actions in ACTIONS]
    proof = (
        "**The greedy ratio log(|A| - 1) is false for every |A|.** At |A| = 2 it is 0, and nothing is taught by zero "
        f"demonstrations; for |A| = 3, 4, 5 instances reach {', '.join(str(r.ratio) for r in rows[1:])}, above "
        f"{', '.join(f'{r.promised:.2f}' for r in rows[1:])}. The bound is Chvatal's: charge each ray 1/g when it is "
        "among g newly shown ones; the rays of one state are charged at most 1 + 1/2 + ... + 1/q, so greedy takes at most "
        "H(q) times the minimum, q the most rays that a state shows. The instances attain it."
    )
    head = ("actions", "greedy", "minimum", "ratio", "H(|A|-1)", "log(|A|-1)")
    table = [(r.actions, r.greedy, r.minimum, r.ratio, r.bound, r.promised) for r in rows]
    told = f"{', '.join(str(r.ratio) for r in rows[1:])} for |A| = 3, 4, 5; the bound is H(max |V_s|)"
    return Section(
        "The greedy teacher's worst cases",
        [Claim("greedy is within log(|A| - 1) of the optimum", told, proof)],
        [folder.table("greedy", head, table, caption="Instances on which greedy pays most")],
    )
