"""Any learner can be judged: it returns weights, and whether they agree and where they err is decided exactly.

Prints:
    two_rays: agrees, 0 errors
    thresholds:3,index=20: does not agree, 3 errors
"""

import hornbook
from hornbook.classroom import Classroom

for text in ("two_rays", "thresholds:3,index=20"):
    problem = hornbook.environment(text)
    room = Classroom.of(problem)
    shows = room.shows([d.row for d in hornbook.teach(problem).demonstrations])
    mean = room.units[shows.directions].mean(axis=0)  # the cheapest learner: the mean of what it saw
    agrees = "agrees" if room.agrees(mean, shows) else "does not agree"
    print(f"{text}: {agrees}, {room.errors(mean)} errors")
