"""How many examples specify a threshold function: all functions of the 3 x 3 grid, and two of five bits.

Prints:
    3 examples: 40 functions
    4 examples: 18 functions
    constant: 32 of 32 corners
    and: 6 of 32 corners
"""

from collections import Counter
from itertools import product

import hornbook
from hornbook.environments.thresholds import labellings

texts = [f"thresholds:3,index={i}" for i in range(len(labellings(3)))]
sizes = Counter(hornbook.teach(hornbook.environment(text)).size for text in texts)
for size, count in sorted(sizes.items()):
    print(f"{size} examples: {count} functions")

corners = list(product((0, 1), repeat=5))
for name, labels in (("constant", [0] * 32), ("and", [int(all(corner)) for corner in corners])):
    features = [[[0] * 6, [*corner, 1]] for corner in corners]
    lesson = hornbook.teach(hornbook.TeachingProblem(features=features, target=labels))
    print(f"{name}: {lesson.size} of {len(corners)} corners")
