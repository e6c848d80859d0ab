"""Three demonstrations of six: which refute the most, what they decide, and what each further one adds.

Prints:
    PROVED MOST: 3 of 11 states refute 30 of 46 misconceptions (float64, noise 3.6e-15, 86 merged)
    10, 11, 12 decide 8 of 11 states
    0 demonstrations: between 0 and 0 of 46
    1 demonstrations: between 12 and 12 of 46
    2 demonstrations: between 22 and 22 of 46
    3 demonstrations: between 30 and 30 of 46
    4 demonstrations: between 36 and 36 of 46
    5 demonstrations: between 42 and 42 of 46
    6 demonstrations: between 46 and 46 of 46
    checked: most, none within 3 refutes more than 30
"""

import hornbook
from hornbook.partial_lesson import partial_verdict

tower = hornbook.environment("polygon_tower:12")
found = hornbook.teach_within(tower, budget=3)
print(partial_verdict(found))
print(f"{', '.join(found.states)} decide {found.decided} of {tower.num_states} states")
for point in hornbook.curve(tower).points:
    print(f"{point.budget} demonstrations: between {point.value} and {point.upper_bound} of {point.total}")
checked = hornbook.check(found.certificate(), tower)
print(f"checked: {checked.claim}, none within {checked.budget} refutes more than {checked.upper_bound}")
