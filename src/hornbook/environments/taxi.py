"""`taxi[:features=handmade|tabular]`: Gymnasium's Taxi, driven best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from hornbook.drawing import Drawing, Shape, box
from hornbook.environments._declaration import Environment, Parameter, World, one_of
from hornbook.environments._gymnasium import Task, task, world_of_choices

__all__ = ["TAXI"]

_ACTIONS = ("south", "north", "east", "west", "pickup", "dropoff")
_WAYS = {"west": (-1, 0), "south": (0, 1), "east": (1, 0), "north": (0, -1)}
_PICKUP, _DROPOFF = 4, 5
_STOPS = {"red": (0, 0), "green": (0, 4), "yellow": (4, 0), "blue": (4, 3)}
_SIZE = 5

Distances = Mapping[tuple[int, int], int]  # (cell, stop) -> steps


def _told(state: int) -> tuple[int, int, int]:
    """The taxi's cell, where the passenger is (4: in the taxi), and where it wants to go."""
    rest, destination = divmod(state, 4)
    return rest // 5, rest % 5, destination


def distances(made: Task) -> Distances:
    """Steps from every cell to every stop around the walls, by the task's own moves."""
    moves = {(cell, _told(made.table[cell * 20][a][0][1])[0]) for cell in range(_SIZE**2) for a in range(_PICKUP)}
    found: dict[tuple[int, int], int] = {}
    for stop, (row, column) in enumerate(_STOPS.values()):
        wave, steps = {row * _SIZE + column}, 0
        while wave:
            found.update({(cell, stop): steps for cell in wave})
            wave = {a for a, b in moves if b in wave and (a, stop) not in found}
            steps += 1
    return found


def _prospects(state: int, action: int, *, made: Task, steps: Distances) -> tuple[int, int, int]:
    """Steps nearer to the next stop, whether the passenger is picked up, whether it gets where it wants to go."""
    cell, passenger, destination = _told(state)
    after = _told(made.table[state][action][0][1])
    stop = destination if passenger == len(_STOPS) else passenger
    if action == _PICKUP:
        return 0, int(after[1] != passenger), 0
    if action == _DROPOFF:
        return 0, 0, int(after[1] == destination != passenger)
    return steps[cell, stop] - steps[after[0], stop], 0, 0


def _name(state: int) -> str:
    cell, passenger, destination = _told(state)
    stops = (*_STOPS, "taxi")
    return f"{cell // _SIZE}-{cell % _SIZE}-{stops[passenger]}-to-{stops[destination]}"


def _town(state: str, action: str | None, *, walls: tuple[tuple[int, int], ...]) -> Drawing:
    """The town with its stops by their letters and its walls; the taxi is full when the passenger is in it."""
    row, column, passenger, _, goal = state.split("-")
    shapes = [box((x, y), role="faint") for x in range(_SIZE) for y in range(_SIZE)]
    shapes += [Shape("line", ((x, y), (x, y + 1)), "line") for x, y in walls]
    y, x = _STOPS[goal]
    shapes.append(box((x + 0.12, y + 0.12), width=0.76, height=0.76, role="goal"))
    here = (int(column) + 0.5, int(row) + 0.5)
    shapes.append(Shape("circle", (here,), "thing" if passenger == "taxi" else "line", 0.3))
    if passenger != "taxi":
        y, x = _STOPS[passenger]
        shapes.append(Shape("circle", ((x + 0.5, y + 0.5),), "thing", 0.14))
    shapes += [Shape("text", ((x + 0.5, y + 0.5),), "label", 0.3, n[0].upper()) for n, (y, x) in _STOPS.items()]
    title = f"The taxi in row {row}, column {column}; passenger {passenger}, wants to go to {goal}"
    if action is None:
        return Drawing(title, _SIZE, _SIZE, tuple(shapes))
    east, south = _WAYS.get(action, (0, 0))
    stroke = Shape("line", (here, (here[0] + east * 0.48, here[1] + south * 0.48)), "chosen")
    shapes.append(stroke if action in _WAYS else Shape("circle", (here,), "chosen", 0.4))
    return Drawing(f"{title}; {action}", _SIZE, _SIZE, tuple(shapes))


def _walls(made: Task) -> tuple[tuple[int, int], ...]:
    """Where a step east leads nowhere inside the town: (column east of the wall, row)."""
    places = [(x, y) for x in range(_SIZE - 1) for y in range(_SIZE)]
    return tuple((x + 1, y) for x, y in places if made.table[(y * _SIZE + x) * 20][2][0][1] == (y * _SIZE + x) * 20)


def taxi(features: str) -> World:
    """States are the 400 that a ride can come to: the taxi's row and column, the passenger's stop, the destination.

    The target is the optimal action at discount 99/100; other actions exactly as good are left out.
    Answer, tabular features: each state's differences are rays that no other state shows, so all 400 have to be shown.
    Answer, handmade features (steps nearer to the next stop, a rightful pickup, a rightful drop-off): the best action
    has features (1, 0, 0), (0, 1, 0) or (0, 0, 1), and some other action none, so these three are the rays; a state
    shows one of them, so the teaching dimension is 3.
    """
    made = task("Taxi-v4")
    names = [_name(s) for s in made.decisions]
    told = partial(_prospects, made=made, steps=distances(made)) if features == "handmade" else None
    world = world_of_choices(made, names, actions=_ACTIONS, features=told)
    columns = ["steps nearer", "pickup", "dropoff"] if told else None
    return replace(world, feature_names=columns, draw=partial(_town, walls=_walls(made)))


TAXI = Environment(
    name="taxi",
    make=taxi,
    parameters=(Parameter("features", one_of("handmade", "tabular"), "handmade"),),
)
