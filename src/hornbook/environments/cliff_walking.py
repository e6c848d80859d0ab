"""`cliff_walking[:features=handmade|tabular]`: Gymnasium's CliffWalking, played best."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from hornbook.drawing import Drawing, Shape, box, regular
from hornbook.environments._declaration import Environment, Parameter, World, one_of
from hornbook.environments._gymnasium import Task, task, world_of_choices

__all__ = ["CLIFF_WALKING"]

_ACTIONS = ("north", "east", "south", "west")
_WAYS = {"west": (-1, 0), "south": (0, 1), "east": (1, 0), "north": (0, -1)}
_WIDTH, _HEIGHT = 12, 4
_FALL = -100


def steps_to_goal(state: int) -> int:
    """From the fields above the cliff straight to the goal in the south-east corner; the start goes round one step up.

    >>> steps_to_goal(36), steps_to_goal(24), steps_to_goal(35)
    (13, 12, 1)
    """
    row, column = divmod(state, _WIDTH)
    up = 1 if row == _HEIGHT - 1 and column < _WIDTH - 1 else 0
    return (_WIDTH - 1 - column) + (_HEIGHT - 1 - row + 2 * up)


def _prospects(state: int, action: int, *, cliff: Task) -> tuple[int, int]:
    """How many steps nearer to the goal, and whether one falls."""
    ((_, after, reward, _),) = cliff.table[state][action]
    return steps_to_goal(state) - steps_to_goal(after), int(reward == _FALL)


def _shore(state: str, action: str | None) -> Drawing:
    """The fields with the cliff dark and the goal a diamond; the walker's action is a stroke."""
    row, column = map(int, state.split("-"))
    shapes = []
    for i in range(_WIDTH * _HEIGHT):
        y, x = divmod(i, _WIDTH)
        shapes.append(box((x, y), role="wall" if y == _HEIGHT - 1 and 0 < x < _WIDTH - 1 else "faint"))
    shapes.append(Shape("polygon", regular(4, (_WIDTH - 0.5, _HEIGHT - 0.5), radius=0.3), "goal"))
    here = (column + 0.5, row + 0.5)
    shapes.append(Shape("circle", (here,), "thing", 0.25))
    title = f"The walker in row {row}, column {column} above a cliff"
    if action is None:
        return Drawing(title, _WIDTH, _HEIGHT, tuple(shapes))
    x, y = _WAYS[action]
    shapes.append(Shape("line", (here, (here[0] + x * 0.48, here[1] + y * 0.48)), "chosen"))
    return Drawing(f"{title} goes {action}", _WIDTH, _HEIGHT, tuple(shapes))


def cliff_walking(features: str) -> World:
    """States are the 37 fields that are neither cliff nor goal, named row-column from the north-west.

    The target is the optimal action at discount 99/100, a shortest way along the cliff; other actions exactly as good
    are left out.  Falling costs 100 and leads back to the start.
    Answer, tabular features: each state's differences are rays that no other state shows, so all 37 have to be shown.
    Answer, handmade features (steps nearer to the goal, whether one falls): the best action always brings one step, the
    others none or fewer, so differences are (1 - steps, -fall).  The rays are (1, 0), from an action that leads
    nowhere, and (1, -1), from falling at the start, which costs no step.  The start shows both: teaching dimension 1.
    """
    cliff = task("CliffWalking-v1")
    names = [f"{s // _WIDTH}-{s % _WIDTH:02}" for s in cliff.decisions]
    told = partial(_prospects, cliff=cliff) if features == "handmade" else None
    made = world_of_choices(cliff, names, actions=_ACTIONS, features=told)
    return replace(made, feature_names=["steps nearer", "falls"] if told else None, draw=_shore)


CLIFF_WALKING = Environment(
    name="cliff_walking",
    make=cliff_walking,
    parameters=(Parameter("features", one_of("handmade", "tabular"), "handmade"),),
)
