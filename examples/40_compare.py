"""Who needs how many demonstrations, and what happens when one of them is left out.

Prints:
    minimum: 2 demonstrations, 0 states undecided
    random: 21.8 demonstrations, 0 states undecided
    all: 624 demonstrations, 0 states undecided
    without 0-0-3-3 the worst case errs in 549 states
    without 4-0-0-3 the worst case errs in 558 states
"""

import hornbook
from hornbook.comparison import compare

found = compare(hornbook.environment("diamond:4"), teachers=["minimum", "random", "all"], learners=["worst_case"])
for result in found.results:
    print(f"{result.teacher}: {round(float(result.size), 1):g} demonstrations, {result.undecided} states undecided")
for control in found.controls:
    print(f"without {control.without} the worst case errs in {control.errors['worst_case']} states")
