"""`maze:n[,features=local|global][,repeat=yes|no]`: drive to the goal, seen from the seat or from above."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
import numpy.typing as npt

from hornbook.drawing import Drawing, Point, Shape, box, regular
from hornbook.environments._declaration import Environment, Parameter, World, one_of, whole
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.sources import Batch

__all__ = ["MAZE"]

_LARGEST = 50  # 4 (n^4 - n^2) states: 25 million
_HEADINGS = ("east", "north", "south", "west")  # in id order
_STEPS = ((1, 0), (0, 1), (0, -1), (-1, 0))  # y grows northwards
_LEFT, _RIGHT = 0, 1  # actions; move k is action k + 1

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Places:
    """Rows as poses and goals: row = ((x n + y) 4 + heading) (n^2 - 1) + the goal's number among the other cells."""

    n: int

    def __len__(self) -> int:
        return 4 * self.n**2 * (self.n**2 - 1)

    def offsets(self, rows: Whole) -> tuple[Whole, Whole, Whole]:
        """Heading, and the goal's offset from the agent eastwards and northwards."""
        cell, heading, goal = self.split(rows)
        return heading, goal // self.n - cell // self.n, goal % self.n - cell % self.n

    def split(self, rows: Whole) -> tuple[Whole, Whole, Whole]:
        """Agent cell, heading and goal cell; cell (x, y) has number x n + y."""
        pose, other = np.divmod(rows, self.n**2 - 1)
        cell, heading = np.divmod(pose, 4)
        return cell, heading, other + (other >= cell)


@dataclass(frozen=True)
class _Views:
    """What a learner sees of a state is one of `names`; `at` is the view of each row."""

    n: int
    names: tuple[str, ...]
    every: npt.NDArray[np.intp]  # the number of each view, by its code

    @classmethod
    def local(cls, n: int, *, steps: int) -> _Views:
        """Seen from the driver: the goal is ahead (with as many distances as there are moves), left, or right."""
        ahead = [f"ahead-{f}" for f in range(1, n)] if steps > 1 else ["ahead"]
        number = np.minimum(np.arange(n), len(ahead)) + 1  # code 0 is left, 1 right, 1 + f ahead
        return cls(n, ("left", "right", *ahead), np.array([0, 1, *number[1:]], dtype=np.intp))

    @classmethod
    def overhead(cls, n: int) -> _Views:
        """Seen from above: where the goal lies on the compass, the heading, and how far off it is along the heading."""
        views = {}
        for (east, north), (h, (x, y)), far in product(_compass(), enumerate(_STEPS), range(n)):
            along = x * east + y * north
            if (along == 0) == (far == 0):
                views[((3 * east + north + 4) * 4 + h) * n + far] = f"goal-{_point(east, north)}-{_HEADINGS[h]}-{far}"
        every = np.full(9 * 4 * n, -1, dtype=np.intp)
        every[list(views)] = np.arange(len(views))
        return cls(n, tuple(views.values()), every)


def _compass() -> list[tuple[int, int]]:
    return [(east, north) for east in (-1, 0, 1) for north in (-1, 0, 1) if east or north]


def _point(east: int, north: int) -> str:
    return ("south", "", "north")[north + 1] + ("west", "", "east")[east + 1]


@dataclass(frozen=True, eq=False)
class _Maze:
    """Features are one-hot: view x action."""

    places: _Places
    views: _Views
    overhead: bool
    steps: int  # how far a move may go
    arithmetic: str = "exact"

    @property
    def num_states(self) -> int:
        return len(self.places)

    @property
    def num_actions(self) -> int:
        return 2 + self.steps

    @property
    def num_features(self) -> int:
        return len(self.views.names) * self.num_actions

    @property
    def counts(self) -> list[int]:
        return [self.num_actions] * self.num_states

    def read(self, start: int, stop: int) -> Batch:
        heading, east, north = self.places.offsets(np.arange(start, stop, dtype=np.int64))
        x, y = np.array(_STEPS).T
        forward, left = x[heading] * east + y[heading] * north, x[heading] * north - y[heading] * east
        turn = np.where(left > 0, _LEFT, _RIGHT)
        target = np.where(forward > 0, 1 + np.minimum(forward, self.steps), turn).astype(np.intp)
        code = np.where(forward > 0, 1 + forward, turn)
        if self.overhead:
            code = ((3 * np.sign(east) + np.sign(north) + 4) * 4 + heading) * self.places.n + np.abs(forward)
        features = np.zeros((stop - start, self.num_actions, self.num_features), dtype=np.int64)
        view = self.views.every[code][:, None] * self.num_actions
        actions = np.arange(self.num_actions)
        features[np.arange(stop - start)[:, None], actions, view + actions] = 1
        return Batch(start, features, np.ones(features.shape[:2], dtype=np.bool_), target)


@dataclass(frozen=True)
class _PlaceNames:
    """A state is called by its pose and its goal, `0-0-east-to-2-1`; numbers have as many digits as the largest."""

    places: _Places
    ordered: bool = True

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, row: int) -> str:
        if not 0 <= row < len(self):
            raise IndexError(row)
        n = self.places.n
        cell, heading, goal = (int(v[0]) for v in self.places.split(np.array([row])))
        x, y, gx, gy = (str(v).zfill(len(str(n - 1))) for v in (*divmod(cell, n), *divmod(goal, n)))
        return f"{x}-{y}-{_HEADINGS[heading]}-to-{gx}-{gy}"

    def index(self, name: str) -> int:
        """The row of the state with this name; `ValueError` if there is none."""
        x, y, heading, to, gx, gy = name.split("-")
        n = self.places.n
        cell, goal = int(x) * n + int(y), int(gx) * n + int(gy)
        row = (cell * 4 + _HEADINGS.index(heading)) * (n * n - 1) + goal - (goal > cell)
        if not 0 <= row < len(self) or self[row] != name or to != "to":
            raise ValueError(name)
        return row


def _driver(state: str, action: str | None, *, n: int) -> Drawing:
    """The grid with the driver, an arrowhead, and the goal, a star-shaped spot; the action starts at the driver."""
    x, y, heading, _, gx, gy = state.split("-")
    here, goal = (int(x) + 0.5, n - int(y) - 0.5), (int(gx) + 0.5, n - int(gy) - 0.5)
    east, north = _STEPS[_HEADINGS.index(heading)]
    ahead = (east, -north)  # y grows downwards in drawings
    body = [(0.34, 0.0), (-0.26, 0.25), (-0.14, 0.0), (-0.26, -0.25)]
    shapes = [box((a, b), role="faint") for a, b in product(range(n), range(n))]
    shapes.append(Shape("polygon", regular(4, goal, radius=0.3), "goal"))
    shapes.append(Shape("polygon", tuple(_moved(here, ahead, p) for p in body), "thing"))
    title = f"Driver at ({int(x)}, {int(y)}) facing {heading}, goal at ({int(gx)}, {int(gy)})"
    if action is None:
        return Drawing(title, n, n, tuple(shapes))
    shapes.append(Shape("line", tuple(_moved(here, ahead, p) for p in _path(action)), "chosen"))
    inside = [tuple(min(max(v, 0.05), n - 0.05) for v in p) for p in shapes[-1].points]
    shapes[-1] = Shape("line", tuple((a, b) for a, b in inside), "chosen")
    return Drawing(f"{title}; {action.replace('-', ' ')}", n, n, tuple(shapes))


def _path(action: str) -> list[Point]:
    """The action as a stroke, forwards and leftwards of the driver; a move ends in an arrow where it stops."""
    if action.startswith("move"):
        far = float(action.removeprefix("move-"))
        return [(0.34, 0.0), (far, 0.0), (far - 0.14, 0.14), (far, 0.0), (far - 0.14, -0.14), (far, 0.0)]
    side = 1.0 if action == "left" else -1.0
    bend = [(0.34, 0.0), (0.34, 0.34 * side), (0.22, 0.22 * side), (0.34, 0.34 * side), (0.44, 0.22 * side)]
    return [*bend[:2], *bend[2:]]


def _moved(here: Point, ahead: tuple[int, int], place: Point) -> Point:
    (x, y), (along, left) = here, place
    return x + ahead[0] * along + ahead[1] * left, y + ahead[1] * along - ahead[0] * left


def maze(n: int, *, features: str, repeat: str) -> World:
    """States: the driver's cell, its heading and a goal in another cell of an n x n grid, 4 (n^4 - n^2) in all.

    Let f and l be how far the goal lies ahead and to the left of the driver.  The target moves f when f > 0; otherwise
    it turns left when l > 0, else right (so straight behind, too).  Actions: left, right, move 1 to n-1; with repeat=no
    move 1 only, which is then the target whenever f > 0.  Features are one-hot, view x action.  Local views: ahead f
    (repeat=no: just ahead), left, right.  Global views: on which side east-west and north-south the goal lies, the
    heading, and the distance |f|.
    Answer: the views are independent blocks of features; the differences of one view are e(target) - e(b) for all other
    actions b, linearly independent, so every one is an extreme ray, and each state shows all rays of its view and no
    other.  So the teaching dimension is the number of views: n+1 for local ones (3 with repeat=no), and 24n-16 for
    global ones: for each of four headings 2 x 3 x (n-1) with the goal ahead or behind, and 2 with it to one side.
    Cost: states are counted out in batches; global views have about 24 n^2 features.
    """
    if n < 2:
        raise BadProblem("environment maze: n must be at least 2; try maze:4")
    if n > _LARGEST:
        raise LimitExceeded(f"environment maze: n is {n}, above the limit of {_LARGEST}")
    overhead, steps = features == "global", n - 1 if repeat == "yes" else 1
    views = _Views.overhead(n) if overhead else _Views.local(n, steps=steps)
    source = _Maze(_Places(n), views, overhead, steps)
    actions = ["left", "right", *(f"move-{k}" for k in range(1, steps + 1))]
    columns = [f"{view}:{action}" for view in views.names for action in actions]
    return World(source, _PlaceNames(source.places), actions, columns, draw=partial(_driver, n=n))


MAZE = Environment(
    name="maze",
    make=maze,
    parameters=(
        Parameter("n", whole),
        Parameter("features", one_of("local", "global"), "local"),
        Parameter("repeat", one_of("yes", "no"), "yes"),
    ),
)
