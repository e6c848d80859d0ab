"""Is the set of demonstrations that you already have enough?  If not, here is a learner who goes wrong, and where.

Prints:

    ['t'] teaches: False
      weights (2, -1) agree with it and prefer c in state s
    ['t', 'u'] teaches: True
    after t alone: {'s': ('a', 'c'), 't': ('a',), 'u': ('a', 'b')}
    still undecided: ('s', 'u')
"""

import hornbook

problem = hornbook.environment("two_rays")
for shown in (["t"], ["t", "u"]):
    verdict = hornbook.counterexample(problem, shown)
    print(f"{shown} teaches: {verdict.teaches}")
    if verdict.counterexample is not None:
        wrong = verdict.counterexample
        print(f"  weights {wrong.weights} agree with it and prefer {wrong.wrong_action} in state {wrong.state}")

space = hornbook.VersionSpace(problem, ["t"])
print("after t alone:", {state: space.actions(state) for state in ("s", "t", "u")})
print("still undecided:", space.undecided())
