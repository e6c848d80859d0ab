"""Exclusive or is not linear: the refusal names the demonstrations that contradict each other, and what to drop.

Prints:

    1 x (state both over act)
    1 x (state neither over act)
    1 x (state x over wait)
    1 x (state y over wait)
    ... sums to zero, so no weights prefer all of them
    without neither it can be taught: ('both', 'x', 'y')
"""

import hornbook

problem = hornbook.TeachingProblem(
    features=[[[x, y, 1], [0, 0, 0]] for x in (0, 1) for y in (0, 1)],
    target=[1, 0, 0, 1],  # act when exactly one of x and y is 1
    state_names=["neither", "y", "x", "both"],
    action_names=["act", "wait"],
)
try:
    hornbook.teach(problem)
except hornbook.NotRealizable as refusal:
    for term in refusal.conflict:
        print(f"{term.multiplier} x (state {term.state} over {term.action})")
    print("... sums to zero, so no weights prefer all of them")

dropped = hornbook.drop_conflicts(problem)
print("without", ", ".join(dropped.states), "it can be taught:", hornbook.teach(dropped.problem).states)
