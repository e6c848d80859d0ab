"""The example in the plane: three states, two rays, and what happens without one of them."""

from __future__ import annotations

import hornbook
from hornbook.figures import cone_in_plane
from paper.writing import Claim, Folder, Section, panels

__all__ = ["SETS", "run", "verdicts"]

SETS = (("s", "t", "u"), ("t",), ("t", "u"), ("s",))
"""D, D-flat, D' and D'' of the paper."""


def verdicts() -> list[tuple[str, bool, int]]:
    """For each set of the paper: its states, whether it teaches, in how many states a learner may still err."""
    problem = hornbook.environment("two_rays")
    found = [(states, hornbook.counterexample(problem, states)) for states in SETS]
    return [(",".join(states), verdict.teaches, len(verdict.undecided)) for states, verdict in found]


def run(folder: Folder) -> Section:
    """Four panels as in the paper, and the verdicts."""
    lesson = hornbook.teach(hornbook.environment("two_rays"))
    rows = verdicts()
    drawn = panels(len(SETS), columns=4, width=2.9, height=4.6)
    for ax, states, (name, teaches, _) in zip(drawn, SETS, rows, strict=True):
        cone_in_plane(lesson, states=states, ax=ax)
        ax.set_title(f"{{{name}}} {'teaches' if teaches else 'fails'}", fontsize=10, y=1.11)
        ax.set_xlim(-0.3, 2.25)
        ax.set_ylim(-2.25, 2.25)
        if ax is not drawn[0]:
            ax.set_ylabel("")
            ax.get_legend().remove()
    told = "two rays, (1, 0) and (0, 1); {s,t,u}, {t,u} and {s} teach, {t} does not; the dimension is 1"
    inclusion = (
        "**The inclusion that ends the proof of Lemma 1 is reversed.** U is a part of V, so weights that agree with all of V "
        "agree with U: D(V) is a subset of D(U), as the proposition before it says. Without a ray it is a proper one: {t} "
        "leaves (1, -1/2), which {s,t,u} excludes. The lemma stands."
    )
    return Section(
        "The example in the plane",
        [
            Claim("Example in R^2: two extreme rays; D, D' and D'' succeed, D-flat fails", told),
            Claim("Lemma 1 ends with D(U) a proper subset of D(V)", "D(U) is a proper superset of D(V)", inclusion),
        ],
        [
            folder.figure(
                "plane", drawn[0], caption="The cone of differences and the version space after four lessons"
            ),
            folder.table("plane", ("states shown", "teaches", "undecided states"), rows, caption="Verdicts"),
        ],
    )
