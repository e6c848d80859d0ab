"""Every environment against what its docstring says, and the grammar that names it."""

from __future__ import annotations

import itertools
from math import gcd

import numpy as np
import pytest

from hornbook.environments import ENVIRONMENTS, environment
from hornbook.environments.maze import _PlaceNames, _Places
from hornbook.environments.polygon_tower import circle_points
from hornbook.environments.thresholds import labellings
from hornbook.errors import BadProblem, LimitExceeded
from hornbook.problem import TeachingProblem, id_order
from tests.environments import EXAMPLES


def directions(problem: TeachingProblem) -> list[set[tuple[int, ...]]]:
    """Which directions each state shows, straight from the definition."""
    shown: list[set[tuple[int, ...]]] = []
    for batch in problem.batches():
        for features, available, target in zip(batch.features, batch.available, batch.target, strict=True):
            differences = [features[target] - f for a, f in enumerate(features) if available[a] and a != target]
            shown.append({tuple(int(v) // gcd(*map(int, x)) for v in x) for x in differences})
    return shown


def smallest_cover(sets: list[set[tuple[int, ...]]], rays: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All smallest choices of sets that show every ray, by trying them."""
    for size in range(len(sets) + 1):
        found = [
            c for c in itertools.combinations(range(len(sets)), size) if rays <= set().union(*(sets[i] for i in c))
        ]
        if found:
            return found
    raise ValueError("not even all of them show every ray")


@pytest.mark.parametrize("text", EXAMPLES)
def test_batches_of_any_size_are_the_same_states(text: str) -> None:
    """Reading in chunks of 1, 7 or all gives the same rows, and names find their rows again."""
    problem = environment(text)
    whole = next(problem.batches(problem.num_states))
    for size in (1, 7):
        parts = list(problem.batches(size))
        assert np.array_equal(np.concatenate([b.features for b in parts]), whole.features)
        assert np.array_equal(np.concatenate([b.target for b in parts]), whole.target)
        assert np.array_equal(np.concatenate([b.available for b in parts]), whole.available)
    names = [problem.state_id(row) for row in range(problem.num_states)]
    assert [problem.row_of(name) for name in names] == list(range(len(names)))
    assert len(problem.source.counts) == problem.num_states


@pytest.mark.parametrize("text", EXAMPLES)
def test_rows_say_they_are_in_id_order_only_when_they_are(text: str) -> None:
    """`ordered` is a promise that spares a sort of millions of names, so it has to be true."""
    problem = environment(text)
    names = [problem.state_id(row) for row in range(problem.num_states)]
    assert problem.names.ordered == (id_order(names) == list(range(len(names))))


@pytest.mark.parametrize("text", EXAMPLES)
def test_identity_names_every_argument_and_reads_back(text: str) -> None:
    """The identity alone is enough to make the same problem again."""
    problem = environment(text)
    assert problem.identity is not None
    kind, text_again, name, *arguments, version = problem.identity.split("\t")
    assert text_again == problem.name
    assert (kind, version) == ("hornbook-environment", "1")
    again = environment(f"{name}:{','.join(arguments)}" if arguments else name)
    assert again.identity == problem.identity
    assert list(again.rows()) == list(problem.rows())


def test_defaults_and_keys_do_not_change_what_is_meant() -> None:
    """`diamond:3` is `diamond:n=3` with the default edges, and so is the call."""
    texts = ["diamond:3", "diamond:n=3", "diamond:edges=0/3/4/5/6,n=3"]
    assert len({environment(text).digest for text in texts}) == 1
    assert ENVIRONMENTS["diamond"](n=3, edges=(0, 3, 4, 5, 6)).digest == environment("diamond:3").digest
    sets = ENVIRONMENTS["set_cover"](sets=[[0, 1], [1, 2]])
    assert sets.digest == environment("set_cover:0/1;1/2").digest
    assert environment("diamond:3").digest != environment("diamond:3,edges=0/3/4/5").digest


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("diamnd:6", "did you mean diamond"),
        ("zzz", "there are boolean_thresholds, cliff_walking, diamond"),
        ("x" * 1000, "xxx..."),
        ("diamond", "needs n; write diamond:n[,edges=0/3/4/5/6]"),
        ("diamond:", "n is ''"),
        ("diamond:six", "a whole number, for example 6"),
        ("diamond:\u0666", "a whole number"),
        ("diamond:-1", "a whole number"),
        ("diamond:1_0", "a whole number"),
        ("diamond:" + "9" * 1000, "999..."),
        ("diamond:6,7", "'7' has no key"),
        ("diamond:6,n=7", "n is given twice"),
        ("diamond:6,size=7", "no parameter 'size'"),
        ("diamond:0", "at least 1"),
        ("diamond:2,edges=3/3", "twice"),
        ("diamond:2,edges=3/x", "separated by '/'"),
        ("two_rays:3", "has no key; write two_rays"),
        ("set_cover:0/1;;2", "separated by ';'"),
        ("set_cover:0/0", "set 0 has an element twice"),
        ("set_cover:0;2000000000", "set 1 has element 2000000000"),
        ("thresholds:1", "at least 2"),
        ("thresholds:2,index=14", "has 14 functions"),
        ("random_cone:d=2", "d is 2"),
        ("random_cone:h=1", "h is 1"),
        ("random_cone:h=20,m=19", "at most m"),
        ("random_cone:8,h", "'h' has no key"),
    ],
)
def test_bad_names_say_what_to_write(text: str, says: str) -> None:
    """One short line that names the environment, the parameter and the cure."""
    with pytest.raises(BadProblem) as caught:
        environment(text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["diamond:30", "diamond:60,edges=3", "thresholds:13", "random_cone:d=1001"])
def test_sizes_above_the_limits_are_refused_at_once(text: str) -> None:
    """A size limit is exit status 5, not a hang."""
    with pytest.raises(LimitExceeded):
        environment(text)


def test_usage_shows_what_is_optional() -> None:
    """The catalogue's usage lines are made from the parameters."""
    assert ENVIRONMENTS["random_cone"].usage == "random_cone:d=8,m=10000,h=200,seed=0"
    assert ENVIRONMENTS["thresholds"].usage == "thresholds:n[,index=0]"


def test_diamond_counts_of_the_paper() -> None:
    """n=6: 15,624 states, 78,120 differences, 65 distinct, 43 directions; 5^n - 1 states in general."""
    batch = next(environment("diamond:6").batches(20_000))
    states = np.arange(len(batch))
    differences = (batch.features[states, batch.target][:, None] - batch.features).reshape(-1, 2)
    distinct = {tuple(x) for x in differences.tolist() if any(x)}
    assert (len(batch), int(np.any(differences != 0, axis=1).sum())) == (15_624, 78_120)
    assert (len(distinct), len({(x // gcd(x, y), y // gcd(x, y)) for x, y in distinct})) == (65, 43)
    assert environment("diamond:2").num_states == 24


@pytest.mark.parametrize(
    ("n", "edges", "gap"), [(2, "0/3/4/5/6", 1), (3, "0/3/4/5/6", 1), (3, "0/3/5", 2), (4, "1/4", 3)]
)
def test_diamond_rays_are_the_two_of_extreme_slope(n: int, edges: str, gap: int) -> None:
    """(1, 0) and (-(n-1), smallest gap) are shown, no state shows both, and every difference is between them."""
    shown = directions(environment(f"diamond:{n},edges={edges}"))
    common = gcd(n - 1, gap)
    right, left = (1, 0), (-(n - 1) // common, gap // common)
    assert all(y >= 0 and x * left[1] - y * left[0] >= 0 for x, y in set().union(*shown))
    assert len(smallest_cover(shown, {right, left})[0]) == 2


def test_diamond_rule() -> None:
    """Most edges, the rightmost on ties; names are the edge counts slot by slot."""
    problem = environment("diamond:6")
    row = problem.row_of("0-0-3-4-6-6")
    batch = problem.source.read(row, row + 1)
    assert problem.action_id(row, int(batch.target[0])) == "6"
    assert batch.features[0].tolist() == [[1, 0], [2, 0], [3, 3], [4, 4], [5, 6], [6, 6]]
    for wrong in ("0-0-0-0-0-0", "3-3", "3-3-3-3-3-3-3", "3-3-3-3-3-7", "", "x"):
        with pytest.raises(BadProblem, match="there is no state"):
            problem.row_of(wrong)
    with pytest.raises(IndexError):
        problem.names[problem.num_states]


def test_one_slot_has_nothing_to_teach() -> None:
    """With one action everywhere there is no difference at all."""
    assert directions(environment("diamond:1")) == [set()] * 4


def test_tower_features() -> None:
    """State s: -s (cos, sin, 0) of 2 pi a/s for a = 1..n, and (0, 0, s) for the target n + 1."""
    problem = environment("polygon_tower:9")
    batch = next(problem.batches())
    assert [problem.state_id(row) for row in (0, 7)] == ["2", "9"]
    assert problem.action_id(0, int(batch.target[0])) == "10"
    for s, features in enumerate(batch.features, start=2):
        turns = 2 * np.pi * np.arange(1, 10) / s
        assert np.abs(features[:-1, 0] + s * np.cos(turns)).max() < 1e-13
        assert np.abs(features[:-1, 1] + s * np.sin(turns)).max() < 1e-13
        assert features[-1].tolist() == [0, 0, s]


def test_points_of_the_circle() -> None:
    """Good to a unit in the last place; equal angles have equal bits, mirrored ones up to sign and order."""
    corners, steps = (v.ravel() for v in np.meshgrid(np.arange(1, 300), np.arange(300)))
    corners, steps = corners[steps < corners], steps[steps < corners]
    x, y = circle_points(steps, corners)
    turns = 2 * np.longdouble("3.14159265358979323846264338327950288") * steps / corners
    assert np.abs(x - np.cos(turns)).max() < 2.0**-52
    assert np.abs(y - np.sin(turns)).max() < 2.0**-52
    for k in (2, 7):
        assert np.array_equal(circle_points(k * steps, k * corners), (x, y))
    mirrored = circle_points((corners - steps) % corners, corners)
    assert np.array_equal(mirrored, (x, -y))
    quarter = corners % 4 == 0
    turned = circle_points((steps + corners // 4)[quarter] % corners[quarter], corners[quarter])
    assert np.array_equal(turned, (-y[quarter], x[quarter]))


def test_tower_limits() -> None:
    """At least two corners, and no more than fit in a batch."""
    with pytest.raises(BadProblem, match="n must be at least 2"):
        environment("polygon_tower:1")
    with pytest.raises(LimitExceeded, match="above the limit"):
        environment("polygon_tower:10001")


def test_two_rays_as_in_the_paper() -> None:
    """{s} alone teaches; {t} does not; {t, u} does."""
    shown = directions(environment("two_rays"))
    rays = {(1, 0), (0, 1)}
    assert smallest_cover(shown, rays) == [(0,)]
    assert not rays <= shown[1]
    assert rays <= shown[1] | shown[2]


def test_six_rays_as_in_the_paper() -> None:
    """Thirty differences, six extreme rays, and {s1, s3} is the only optimum; {s2,s3,s5} and {s2,s4,s5} teach."""
    problem = environment("six_rays")
    shown = directions(problem)
    rays = {(1, 0, 2), (1, 1, 2), (0, 1, 2), (-1, 0, 2), (-1, -1, 2), (0, -1, 2)}
    edges = [np.cross(a, b) for a, b in itertools.permutations(sorted(rays), 2)]
    facets = [n for n in edges if all(n @ ray >= 0 for ray in rays)]
    assert len(facets) == 6
    assert all(n @ x >= 0 for n in facets for x in set().union(*shown))
    assert sum(int(available.sum()) - 1 for available in next(problem.batches()).available) == 30
    assert smallest_cover(shown, rays) == [(0, 2)]
    assert rays <= shown[1] | shown[2] | shown[4]
    assert rays <= shown[1] | shown[3] | shown[4]
    assert [problem.state_id(row) for row in (0, 2)] == ["s1", "s3"]
    for x in set().union(*shown) - rays:
        tight = [n for n in facets if n @ x == 0]
        assert len(tight) < 2, "a vector on two facets would be a seventh ray"


def test_set_cover_states_show_their_elements() -> None:
    """Element k is the ray (1, k, k^2): (j - k)^2 proves that each is extreme."""
    shown = directions(environment("set_cover:0/1;1/2;0/2;7"))
    assert shown == [{(1, k, k * k) for k in members} for members in ([0, 1], [1, 2], [0, 2], [7])]
    assert len(smallest_cover(shown, set().union(*shown))[0]) == 3


@pytest.mark.parametrize("n", [2, 3, 4])
def test_threshold_functions_are_exactly_the_separable_labellings(n: int) -> None:
    """All integer weights up to a size give no other labelling, and enough of them give every one."""
    size = 2 * n
    points = np.array([(x, y, 1) for x in range(n) for y in range(n)])
    slopes = np.array(list(itertools.product(range(-size, size + 1), repeat=2)))
    offsets = np.arange(-2 * n * size, 2 * n * size + 1)
    values = (slopes @ points[:, :2].T)[:, None, :] * 2 + (2 * offsets + 1)[None, :, None]  # odd, so never zero
    assert {tuple(row) for row in (values.reshape(-1, n * n) > 0).astype(int).tolist()} == set(labellings(n))


@pytest.mark.parametrize(("n", "count"), [(2, 14), (3, 58), (4, 174), (5, 402)])
def test_threshold_counts(n: int, count: int) -> None:
    """14, 58 and 174 functions for n = 2, 3, 4, sorted, each with its complement."""
    found = labellings(n)
    assert len(found) == count
    assert found == sorted(set(found))
    assert {tuple(1 - label for label in each) for each in found} == set(found)


def test_threshold_features() -> None:
    """The difference at (x, y) is (x, y, 1) where the label is 1, and its negative where it is 0."""
    problem = environment("thresholds:3,index=20")
    labels = labellings(3)[20]
    batch = next(problem.batches())
    found = batch.features[np.arange(9), batch.target] - batch.features[np.arange(9), 1 - batch.target]
    points = [(x, y, 1) for x in range(3) for y in range(3)]
    assert found.tolist() == [[(2 * label - 1) * v for v in p] for p, label in zip(points, labels, strict=True)]


@pytest.mark.parametrize(("d", "m", "h", "seed"), [(3, 60, 9, 0), (8, 400, 50, 1), (5, 30, 30, 2), (4, 5, 2, 7)])
def test_random_cone_rays_are_planted(d: int, m: int, h: int, seed: int) -> None:
    """|x - y|^2 is zero on one planted ray and positive on all other vectors; the others are no paraboloid points."""
    found = next(environment(f"random_cone:d={d},m={m},h={h},seed={seed}").batches(m)).features[:, 0]
    x, square, one = found[:, : d - 2], found[:, d - 2], found[:, d - 1]
    planted = (one == 1) & (square == (x * x).sum(axis=1))
    assert int(planted.sum()) == h
    assert len({tuple(ray) for ray in found[planted].tolist()}) == h
    for y in x[planted]:
        values = square - 2 * x @ y + one * int(y @ y)
        assert int((values == 0).sum()) == 1
        assert int(values.min()) == 0


def test_random_cone_is_the_same_for_ever() -> None:
    """The numbers do not depend on numpy's generators; certificates name this environment by its arguments."""
    first = environment("random_cone:d=4,m=1000,h=20,seed=5").source.read(500, 503).features[:, 0]
    assert first.tolist() == RANDOM_CONE_ROWS
    other = environment("random_cone:d=4,m=1000,h=20,seed=6").source.read(500, 503).features[:, 0]
    assert other.tolist() != RANDOM_CONE_ROWS


RANDOM_CONE_ROWS = [[2, -25, 165, 14], [-5, -103, 766, 27], [-10, 34, 120, 26]]


def test_a_maze_has_no_names_past_its_end() -> None:
    """Like any sequence."""
    names = _PlaceNames(_Places(2))
    assert names[len(names) - 1] == "1-1-west-to-1-0"
    with pytest.raises(IndexError):
        names[len(names)]
