"""Problems with known answers, made on demand: `environment("diamond:6")`.

- `diamond:n[,edges=0/3/4/5/6]`: pick the right diamond; the paper's running example, 5^n - 1 states, two rays.
- `polygon_tower:n`: regular polygons of 2 to n corners in floats; many rays, some very flat, and ceil(n/2) states.
- `two_rays`: the paper's first example, three states in the plane; teaching dimension 1.
- `six_rays`: the paper's picture in three dimensions; thirty differences, of which two states teach all.
- `set_cover:0/1;1/2;0/2`: any set-cover instance; for hard covers on demand.
- `thresholds:n[,index=i]`: a linear threshold function of a grid; teaching dimension 3 or 4.
- `boolean_thresholds:n[,index=i]`: a threshold function of n bits; teaching dimension n+1 to 2^n.
- `maze:n[,features=local|global][,repeat=yes|no]`: drive to a goal; teaching dimension n+1, 3 or 24n-16.
- `frozen_lake`, `cliff_walking`, `taxi`: Gymnasium's tasks (extra `rl`) played best, tabular or handmade features.
- `falling_blocks:width=4,height=2`: where to drop a block of four; states with different numbers of actions.
- `random_policy:s=50,a=4,d=3,seed=0`: random features and weights; the average case.
- `random_cone:d=8,m=10000,h=200,seed=0`: planted rays among many vectors; for the rays step at any size.

Each file's docstring has the definition, the answer and its argument.  To add one: a file, and a line in `_ALL`.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from hornbook.environments._declaration import Environment, Parameter, World
from hornbook.environments.boolean_thresholds import BOOLEAN_THRESHOLDS
from hornbook.environments.cliff_walking import CLIFF_WALKING
from hornbook.environments.diamond import DIAMOND
from hornbook.environments.falling_blocks import FALLING_BLOCKS
from hornbook.environments.frozen_lake import FROZEN_LAKE
from hornbook.environments.maze import MAZE
from hornbook.environments.polygon_tower import POLYGON_TOWER
from hornbook.environments.random_cone import RANDOM_CONE
from hornbook.environments.random_policy import RANDOM_POLICY
from hornbook.environments.set_cover import SET_COVER
from hornbook.environments.six_rays import SIX_RAYS
from hornbook.environments.taxi import TAXI
from hornbook.environments.thresholds import THRESHOLDS
from hornbook.environments.two_rays import TWO_RAYS
from hornbook.errors import BadProblem
from hornbook.problem import TeachingProblem

__all__ = ["ENVIRONMENTS", "Environment", "Parameter", "World", "environment"]

_ALL = (
    *(DIAMOND, POLYGON_TOWER, TWO_RAYS, SIX_RAYS, SET_COVER, THRESHOLDS, BOOLEAN_THRESHOLDS, MAZE),
    *(FALLING_BLOCKS, FROZEN_LAKE, CLIFF_WALKING, TAXI, RANDOM_POLICY, RANDOM_CONE),
)

ENVIRONMENTS: Mapping[str, Environment] = MappingProxyType({each.name: each for each in _ALL})
"""Every environment by name; call one with its arguments: `ENVIRONMENTS["diamond"](n=6)`."""


def environment(text: str) -> TeachingProblem:
    """The problem that a text such as `diamond:6` or `diamond:6,edges=0/3/4` names.

    >>> environment("diamond:6").num_states
    15624
    >>> environment("set_cover:0/1;1/2;0/2").num_states
    3
    """
    name, colon, arguments = text.partition(":")
    if name not in ENVIRONMENTS:
        raise BadProblem(_unknown(name))
    if not colon:
        return ENVIRONMENTS[name].from_texts({})
    return ENVIRONMENTS[name].parse(arguments)


def _unknown(name: str) -> str:
    shown = name if len(name) <= 40 else name[:40] + "..."
    close = difflib.get_close_matches(name[:40], ENVIRONMENTS, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(sorted(ENVIRONMENTS))}"
    return f"there is no file and no environment called {shown!r}; {hint}"
