"""More than the smallest lesson: trajectories instead of single states, one already seen, and a cautious teacher.

A robot in a 4 x 4 maze walks to a goal.  Demonstrations are whole walks from a starting pose: the states along the way
are shown together.  Run it with `python examples/20_trajectories.py`.

Prints:

    single states:    3
    walks:            1 of 160 with 6 states
    one seen already: 0 more
    if one gets lost: 6 states
    minimum
    nothing shown:    a learner would be wrong in 336 states
"""

from __future__ import annotations

import hornbook


def walks(problem: hornbook.TeachingProblem, length: int) -> dict[str, list[str]]:
    """Groups of `length` states that follow each other in id order, each named by its first."""
    names = [problem.state_id(row) for row in range(problem.num_states)]
    return {f"walk {start}": names[start : start + length] for start in range(0, len(names), length)}


def main() -> None:
    """Ask for five lessons, each of another kind."""
    problem = hornbook.environment("maze:4,repeat=no")
    print("single states:   ", hornbook.teach(problem).size)

    groups = walks(problem, 6)
    lesson = hornbook.teach(problem, groups=groups)
    print("walks:           ", len(lesson.groups or ()), "of", len(groups), "with", lesson.size, "states")

    first = (lesson.groups or ())[0]
    print("one seen already:", len(hornbook.teach(problem, groups=groups, given=[first]).groups or ()), "more")

    twice = hornbook.teach(problem, folds=2)
    print("if one gets lost:", twice.size, "states")
    print(hornbook.check(twice.certificate(), problem).claim)

    try:
        hornbook.teach(problem, may_not=[name for walk in groups.values() for name in walk])
    except hornbook.ImpossibleRequest as refusal:
        print("nothing shown:    a learner would be wrong in", len(refusal.states), "states")


if __name__ == "__main__":
    main()
