"""Floating-point features: the answer says which question was answered, and how much room a learner must leave.

A tower of polygons has flatter and flatter rays, in rounded coordinates.  The verdict names the noise that the numbers
were trusted to; tau is how many times the noise a learner's margin must be for the promise to hold without assumptions.

Prints:

    Lesson: PROVED MINIMUM: 3 of 5 states (float64, noise 3.6e-15, 18 merged)
      state 4: 7
      state 5: 7
      state 6: 7
    12 rays; 18 differences taken for parallel to another
    tau is about 2.0
"""

import hornbook

lesson = hornbook.teach(hornbook.environment("polygon_tower:6"))
print(lesson)
print(len(lesson.rays), "rays;", lesson.arithmetic["merged"], "differences taken for parallel to another")
print("tau is about", round(float(lesson.arithmetic["tau"]), 1))
