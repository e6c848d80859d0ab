"""`frozen_lake[:size=4|8][,features=handmade|tabular]`: Gymnasium's FrozenLake, slippery, played best."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from hornbook.drawing import Drawing, Shape, box, regular
from hornbook.environments._declaration import Environment, Parameter, World, one_of
from hornbook.environments._gymnasium import Task, task, world_of_choices

__all__ = ["FROZEN_LAKE"]

_ACTIONS = ("west", "south", "east", "north")
_NAMES = {"4": "FrozenLake-v1", "8": "FrozenLake8x8-v1"}
_WAYS = {"west": (-1, 0), "south": (0, 1), "east": (1, 0), "north": (0, -1)}


def _prospects(state: int, action: int, *, lake: Task) -> tuple[int, int, int]:
    """Over the three places where one may slide, in thirds: holes, holes next to it, rows towards the goal's shore."""
    size = len(lake.map)
    holes = [divmod(i, size) for i in range(size * size) if lake.map[i // size][i % size] == "H"]
    risk = near = south = 0
    for chance, place, _, _ in lake.table[state][action]:
        times, (row, column) = int(3 * chance), divmod(place, size)
        if (row, column) in holes:
            risk += times
        else:
            near += times * sum(abs(row - r) + abs(column - c) == 1 for r, c in holes)
            south += times * row
    return risk, near, south


def _lake(state: str, action: str | None, *, rows: tuple[str, ...]) -> Drawing:
    """The lake with holes dark, the goal a diamond, the walker a disc; the action is a stroke where it means to go."""
    size, (row, column) = len(rows), tuple(map(int, state.split("-")))
    shapes = []
    for i, letter in enumerate("".join(rows)):
        y, x = divmod(i, size)
        shapes.append(box((x, y), role="wall" if letter == "H" else "faint"))
        if letter == "G":
            shapes.append(Shape("polygon", regular(4, (x + 0.5, y + 0.5), radius=0.3), "goal"))
    here = (column + 0.5, row + 0.5)
    shapes.append(Shape("circle", (here,), "thing", 0.25))
    title = f"A frozen lake of {size} x {size} fields, the walker in row {row}, column {column}"
    if action is None:
        return Drawing(title, size, size, tuple(shapes))
    x, y = _WAYS[action]
    shapes.append(Shape("line", (here, (here[0] + x * 0.48, here[1] + y * 0.48)), "chosen"))
    return Drawing(f"{title}, means to go {action}", size, size, tuple(shapes))


def frozen_lake(size: str, features: str) -> World:
    """States are the fields of the lake that are not holes or the goal, named row-column from the north-west.

    The walker slides where it means to go or to either side of that, each with chance 1/3.  The target is the optimal
    action at discount 99/100; other actions exactly as good are left out.
    Answer, tabular features (one for each state and action): blocks of features are independent, each state's
    differences are rays that no other state shows, so all states have to be shown: 11 for size 4, 53 for size 8.
    Answer, handmade features (holes risked, holes next to where one may slide, progress south): for size 4 the optimal
    policy is linear in them, with three rays, no two in one state: teaching dimension 3.  For size 8 it is not linear,
    and `teach` refuses it with the demonstrations that contradict each other.
    """
    lake = task(_NAMES[size])
    names = [f"{s // int(size)}-{s % int(size)}" for s in lake.decisions]
    told = partial(_prospects, lake=lake) if features == "handmade" else None
    made = world_of_choices(lake, names, actions=_ACTIONS, features=told)
    columns = ["holes risked", "holes beside", "south"] if told else None
    return replace(made, feature_names=columns, draw=partial(_lake, rows=lake.map))


FROZEN_LAKE = Environment(
    name="frozen_lake",
    make=frozen_lake,
    parameters=(
        Parameter("size", one_of("4", "8"), "4"),
        Parameter("features", one_of("handmade", "tabular"), "handmade"),
    ),
)
