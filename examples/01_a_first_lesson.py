"""The paper's running example: of 15,624 boards two teach the whole policy, and nothing less does.

A board has six slots, some with a diamond of 3 to 6 edges.  The policy picks the diamond with most edges, the rightmost
one on ties.

Prints:

    Lesson: PROVED MINIMUM: 2 of 15,624 states (exact)
      state 0-0-0-0-3-3: 6
      state 4-0-0-0-0-3: 1
    Every lesson must refute these wrong policies, and no board refutes two of them:
      score 3 * slot + 14 * edges: refuted by 4-0-0-0-0-3
      score -1 * slot + 16 * edges: refuted by 0-0-0-0-3-3
    A checker that shares no code with the solver: minimum
"""

import hornbook

problem = hornbook.environment("diamond:6")
lesson = hornbook.teach(problem)
print(lesson)

print("Every lesson must refute these wrong policies, and no board refutes two of them:")
for misconception in lesson.misconceptions:
    slot, edges = misconception.weights
    print(f"  score {slot} * slot + {edges} * edges: refuted by {', '.join(misconception.refuted_by)}")

print("A checker that shares no code with the solver:", hornbook.check(lesson.certificate(), problem).claim)
