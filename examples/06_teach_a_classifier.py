"""Classification data (X, y): the fewest examples that pin down how every linear classifier labels all the others.

Each row is a state, each class an action; a consistent multiclass linear classifier scores the right class highest.

Prints:

    8 of 64 examples teach the other 56:
      1 wide, 2 high: square
      1 wide, 3 high: tall
      2 wide, 1 high: square
      3 wide, 1 high: wide
      6 wide, 8 high: tall
      7 wide, 8 high: square
      8 wide, 6 high: wide
      8 wide, 7 high: square
    proved minimum
"""

import hornbook

SIZES = [(width, height) for width in range(1, 9) for height in range(1, 9)]
SHAPES = ["tall" if h > w + 1 else "wide" if w > h + 1 else "square" for w, h in SIZES]

problem = hornbook.TeachingProblem.from_classification(SIZES, SHAPES)
lesson = hornbook.teach(problem)
print(f"{lesson.size} of {problem.num_states} examples teach the other {problem.num_states - lesson.size}:")
for demonstration in lesson.demonstrations:
    print("  {} wide, {} high:".format(*SIZES[demonstration.row]), demonstration.action)
print("proved minimum" if lesson.is_minimum else "best so far")
