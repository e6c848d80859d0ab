"""`set_cover:0/1;1/2;0/2`: any set-cover instance as a teaching problem, exactly."""

from __future__ import annotations

from hornbook.environments._declaration import Environment, Parameter, World, lists
from hornbook.environments._table import world_of_differences
from hornbook.errors import BadProblem

__all__ = ["SET_COVER"]

_LARGEST = 10**9  # its square is still an int64


def set_cover(sets: tuple[tuple[int, ...], ...]) -> World:
    """One state per set; element k of a set becomes the difference (1, k, k^2).

    Answer: the teaching dimension is the size of a minimum cover.  Each (1, k, k^2) is an extreme ray: the weights
    (k^2, -2k, 1) are (j - k)^2 on element j, zero on k alone.  So the rays are the elements, and a state shows those of
    its set.  Without exactness the rays of large elements would be too flat to tell apart.
    """
    for number, members in enumerate(sets):
        for element in members:
            if element > _LARGEST:
                raise BadProblem(f"environment set_cover: set {number} has element {element}, above {_LARGEST}")
        if len(set(members)) < len(members):
            raise BadProblem(f"environment set_cover: set {number} has an element twice")
    return world_of_differences([[(1, k, k * k) for k in members] for members in sets])


SET_COVER = Environment(name="set_cover", make=set_cover, parameters=(Parameter("sets", lists),))
