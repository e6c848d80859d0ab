"""Your own states, actions and features: exact numbers go in, an exact answer comes out.

A driver sees the distance to the car ahead and the speed.  Features may be integers, fractions, or texts such as "1/3".

Prints:

    proved minimum: 4 of 54
      distance 2, speed 0: slower
      distance 4, speed 1: faster
      distance 7, speed 3: faster
      distance 8, speed 4: slower
"""

import hornbook

SITUATIONS = [(distance, speed) for distance in range(1, 10) for speed in range(6)]

problem = hornbook.TeachingProblem(
    features=[[[distance, speed, 1], [0, 0, 0]] for distance, speed in SITUATIONS],
    target=[0 if 2 * distance > 3 * speed + 4 else 1 for distance, speed in SITUATIONS],
    state_names=[f"distance {distance}, speed {speed}" for distance, speed in SITUATIONS],
    action_names=["faster", "slower"],
    feature_names=["distance", "speed", "always"],
)
lesson = hornbook.teach(problem)
print("proved minimum:" if lesson.is_minimum else "best so far:", lesson.size, "of", problem.num_states)
for demonstration in lesson.demonstrations:
    print(f"  {demonstration.id}: {demonstration.action}")
