"""Two statements of the paper put to the test: the tower's proposition, and the greedy teacher's ratio.

Prints:
    2,3,5 teaches: False
    4,5,6 teaches: True
    greedy takes 11, the minimum 6: ratio 11/6, above log(4 - 1) = 1.0986
"""

from fractions import Fraction
from math import log

import hornbook

tower = hornbook.environment("polygon_tower:6")
for states in (("2", "3", "5"), ("4", "5", "6")):  # not divisible by others; not dividing others
    print(f"{','.join(states)} teaches: {hornbook.counterexample(tower, states).teaches}")

columns = [[3 * row + column for row in range(6)] for column in range(3)]  # 18 rays, six states with three each
tempting = [columns[0][:3], columns[0][3:], columns[1][:2], columns[1][2:4], columns[1][4:], *([k] for k in columns[2])]
enough = [[3 * row + column for column in range(3)] for row in range(6)]
trap = hornbook.environment("set_cover:" + ";".join("/".join(map(str, rays)) for rays in [*tempting, *enough]))
greedy, least = hornbook.teach(trap, teacher="greedy").size, hornbook.teach(trap).size
print(f"greedy takes {greedy}, the minimum {least}: ratio {Fraction(greedy, least)}, above log(4 - 1) = {log(3):.4f}")
