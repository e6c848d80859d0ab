"""`two_rays`: the paper's first example, in the plane."""

from __future__ import annotations

from hornbook.environments._declaration import Environment, World
from hornbook.environments._table import world_of_differences

__all__ = ["TWO_RAYS"]

_DIFFERENCES = (
    ((1, 0), (0, 1)),  # s
    ((1, 0), (1, 1)),  # t
    ((0, 1), (1, 2)),  # u
)


def two_rays() -> World:
    """Three states s, t, u with two differences each; action a is the target.

    Answer: the rays are (1, 0) and (0, 1), since (1, 1) and (1, 2) are sums of them.  {s} shows both and teaches, so
    the teaching dimension is 1; {t} leaves (0, 1) unseen and fails; {t, u} shows both and teaches.
    """
    return world_of_differences(_DIFFERENCES, state_names=("s", "t", "u"), action_names=("a", "b", "c"))


TWO_RAYS = Environment(name="two_rays", make=two_rays)
