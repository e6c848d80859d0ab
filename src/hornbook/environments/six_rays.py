"""`six_rays`: the paper's picture in three dimensions, with coordinates of our own."""

from __future__ import annotations

from hornbook.environments._declaration import Environment, World
from hornbook.environments._table import world_of_differences

__all__ = ["SIX_RAYS"]

# The corners of a hexagon at height 2; every other difference is a sum of at least two of them.
_DIFFERENCES = (
    ((1, 0, 2), (2, 2, 4), (0, 1, 2), (0, 0, 1), (2, 1, 4)),  # s1 shows rays 0, 1, 2
    ((3, 0, 6), (1, 1, 2), (-1, 0, 2), (0, 0, 4), (1, 2, 4)),  # s2 shows rays 0, 1, 3
    ((-1, 0, 2), (-1, -1, 2), (0, -2, 4), (-1, -2, 4), (0, 0, 3)),  # s3 shows rays 3, 4, 5
    ((0, -1, 2), (1, -1, 4), (0, 1, 4), (-1, 1, 4), (1, 0, 4)),  # s4 shows ray 5
    ((0, 3, 6), (-2, -2, 4), (-2, -1, 4), (0, 0, 5), (1, 1, 6)),  # s5 shows rays 2, 4
    ((1, 1, 2), (-1, -1, 2), (0, 0, 2), (-1, -1, 6), (1, 1, 4)),  # s6 shows rays 1, 4
)


def six_rays() -> World:
    """Six states s1 to s6 with five differences each: thirty in all; action 0 is the target.

    Answer: six extreme rays, (1,0,2), (1,1,2), (0,1,2), (-1,0,2), (-1,-1,2), (0,-1,2), the corners of a convex hexagon.
    No state shows more than three, so two states must show three each without overlap.  Only s1, s2 and s3 show three;
    s1 and s2 share ray 0, s2 and s3 share ray 3.  So {s1, s3} is the only set of two, and the teaching dimension is 2.
    As in the picture, {s2, s3, s5} teaches too, and as in the text, so does {s2, s4, s5}.
    """
    return world_of_differences(_DIFFERENCES, state_names=[f"s{i}" for i in range(1, 7)])


SIX_RAYS = Environment(name="six_rays", make=six_rays)
