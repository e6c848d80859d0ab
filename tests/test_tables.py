"""Hashing in place of sorting, and several threads in place of one: another way to the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import hornbook
from hornbook import compiling, differences, hashing, tables, threads
from hornbook.coverage import Marks, first_shown, see_who_shows, states_showing
from hornbook.differences import collect_differences
from hornbook.errors import NotRealizable
from hornbook.problem import TeachingProblem
from hornbook.tables import DirectionTable, RowTable, grouped_sets
from hornbook.teaching import teach
from hornbook.threads import Crew, in_turn
from tests.instances import Instance
from tests.referee import teaching_problem
from tests.strategies import problems


@contextmanager
def plain_loops(*, hashed: bool = True) -> Iterator[None]:
    """Sorting, or the kernels as plain Python, where it is a warning when a product wraps."""
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        patch.setattr(differences, "core_count", lambda: 1)
        patch.setattr(differences, "worth_compiling", lambda count: hashed)
        patch.setattr(tables, "compiled", lambda kernel: kernel)
        yield


def readings(problem: TeachingProblem) -> Any:
    """Everything that is read from a problem."""
    try:
        found = collect_differences(problem)
    except NotRealizable as refusal:
        return refusal.conflict
    marks = Marks(found.keys, np.arange(len(found.keys)) // 2, (len(found.keys) + 1) // 2)
    rows = [list(states_showing(problem, found.keys[i : i + 1])) for i in range(len(found.keys))]
    seen = see_who_shows(problem, marks), first_shown(problem, found.keys), rows
    return found.directions.rows(), found.count, found.keys.tolist(), found.occurrences.tolist(), seen


@given(problems())
@settings(max_examples=60, deadline=None)
def test_hashing_reads_what_sorting_reads(instance: Instance) -> None:
    """Directions, counts, sets of rays, first and all states that show one; exact numbers of any width."""
    read = []
    for hashed in (False, True):
        with plain_loops(hashed=hashed):
            read.append(readings(teaching_problem(instance)))
    assert read[0] == read[1]


def test_float_differences_are_hashed_by_their_bits() -> None:
    """A negative zero is a zero, and the same difference at another size is another row."""
    features = np.array([[[0.5, 1], [0.25, 1]], [[0.75, -0.0], [0.5, 0]], [[0.5, 1], [0.25, 1]]])
    problem = TeachingProblem(features=features, target=[0, 0, 0])
    read = []
    for hashed in (False, True):
        with plain_loops(hashed=hashed):
            read.append(readings(problem))
    assert read[0] == read[1]
    assert read[0][3] == [2, 1]


@plain_loops()
def test_a_table_grows_and_finds_again() -> None:
    """A thousand rows in a table that began with room for two, and colliding slots."""
    rows = np.stack([np.arange(1000) % 37, np.arange(1000) % 29, np.zeros(1000, dtype=np.int64)], axis=1)
    table = RowTable(3, capacity=2)
    which = np.concatenate([table.add(rows[:7]), table.add(rows[7:600]), table.add(rows[600:])])
    assert table.rows[which].tolist() == rows.tolist()
    assert len(table) == len({tuple(row) for row in rows.tolist()}) == 1000
    assert table.counts.sum() == 1000
    assert RowTable.of(rows).find(rows[::-1]).tolist() == list(range(999, -1, -1))
    assert RowTable.of(rows[:5]).find(rows[:9]).tolist() == [0, 1, 2, 3, 4, -1, -1, -1, -1]


@plain_loops()
def test_directions_are_primitive_whatever_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one remembered difference every second one pushes another out; a table too small grows in the middle."""
    monkeypatch.setattr(tables, "_SEEN", 1)
    vectors = [[6, 4], [3, 2], [-9, -6], [0, 5], [2**60, 2**59], [6, 4], [6, 4], [0, 0]]
    features = np.array([[[0, 0], [-a, -b]] for a, b in vectors])
    given_all = {"available": np.ones((8, 2), dtype=np.bool_), "adding": True}
    table = DirectionTable(2, capacity=2)
    which = table.places(features, np.zeros(8, dtype=np.intp), **given_all)  # type: ignore[arg-type]
    assert table.rows.tolist() == [[3, 2], [-3, -2], [0, 1], [2, 1], [0, 0]]
    assert which.tolist() == [[-1, place] for place in (0, 0, 1, 2, 3, 0, 0, 4)]
    assert table.counts.tolist() == [4, 1, 1, 1, 1]


@plain_loops()
def test_sets_are_equal_whatever_their_order() -> None:
    """Places on one ray count once, places on none not at all, and a part of a set is another set."""
    which = np.array([[0, 1, 2], [2, -1, 1], [1, 2, 0], [-1, 3, -1], [-1, -1, -1], [3, 0, 3], [0, 1, 1]])
    sets, kind_of = grouped_sets(which, np.array([5, 7, 5, -1]))
    assert sets == [(5, 7), (5,)]
    assert kind_of.tolist() == [0, 0, 0, -1, -1, 1, 0]


def test_compiled_kernels_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code, any number of threads and any chunks: the same lesson, byte for byte, and the same certificate."""
    environments = [hornbook.environment("diamond:5"), hornbook.environment("polygon_tower:24")]
    generator = np.random.default_rng(5)
    features = generator.integers(-4, 5, (300, 5, 3))
    features[:, 0] += [20, 0, 0]
    names = [f"s{i * 7 % 300}" for i in range(300)]
    shuffled = TeachingProblem(
        features=features, target=[0] * 300, available=features[:, :, 0] > -3, state_names=names, cost=[1, 2, 3] * 100
    )
    for problem in (*environments, shuffled):
        lessons = [teach(problem)]
        with monkeypatch.context() as patch:
            patch.setattr(differences, "worth_compiling", lambda count: True)
            for cores, size in ((1, None), (2, 7), (3, 64)):
                patch.setattr(differences, "core_count", lambda cores=cores: cores)
                patch.setattr(problem, "batches", partial(TeachingProblem.batches, problem, size))
                lessons.append(teach(problem))
                assert set(lessons[-1].states_showing(0)) == set(lessons[0].states_showing(0))
        first, *others = [{**lesson.to_dict(), "seconds": {}} for lesson in lessons]
        assert others == [first] * 3
        assert [lesson.certificate() for lesson in lessons[1:]] == [lessons[0].certificate()] * 3


def test_small_problems_need_no_compiler() -> None:
    """And large ones do, if there is one."""
    assert not tables.worth_compiling(1000)
    assert tables.worth_compiling(1 << 30) == compiling.is_compiling()


@pytest.mark.parametrize("number", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(number: int) -> None:
    """However long each takes; and only a few items are alive at a time."""
    made: list[int] = []

    def items() -> Iterator[int]:
        for i in range(40):
            made.append(i)
            yield i

    finished = []
    for result in in_turn(lambda i: i * i, items(), threads=number):
        finished.append(result)
        assert len(made) - len(finished) <= 2 * number + 1
    assert finished == [i * i for i in range(40)]


@pytest.mark.parametrize("number", [1, 3])
def test_what_goes_wrong_in_a_thread_is_told_here(number: int) -> None:
    """The first in the order of the items, and nothing is left running."""

    def fail(i: int) -> int:
        if i >= 5:
            raise ValueError(f"item {i}")
        return i

    before = threading.active_count()
    with pytest.raises(ValueError, match="item 5"):
        list(in_turn(fail, range(100), threads=number))
    assert threading.active_count() == before


def test_a_crew_lends_each_member_to_one_at_a_time() -> None:
    crew = Crew(list)
    busy: set[int] = set()

    def work(member: list[int], item: int) -> None:
        assert id(member) not in busy
        busy.add(id(member))
        member.append(item)
        busy.discard(id(member))

    list(in_turn(crew.each(work), range(200), threads=3))
    assert sorted(item for member in crew.members for item in member) == list(range(200))
    assert 1 <= len(crew.members) <= 3


def test_cores_are_those_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= threads.core_count() <= (os.cpu_count() or 1)
    monkeypatch.setattr(threads, "os", SimpleNamespace(cpu_count=lambda: None))
    assert threads.core_count() == 1


def doubled(x: Any) -> Any:
    return x * 2


def doubled_and_one(x: Any) -> Any:
    return doubled(x) + 1


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What was found out about the compiler is found out again."""
    for memory in (compiling.is_compiling, compiling.compiled):
        memory.cache_clear()
    yield
    for memory in (compiling.is_compiling, compiling.compiled):
        memory.cache_clear()


@pytest.mark.usefixtures("forgotten")
def test_without_a_compiler_kernels_are_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """No numba, or none wanted."""
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not compiling.is_compiling()
    assert compiling.compiled(doubled) is doubled
    compiling.is_compiling.cache_clear()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert not compiling.is_compiling()
    assert not tables.worth_compiling(1 << 30)


@pytest.mark.usefixtures("forgotten")
def test_a_folder_that_cannot_be_written_is_no_reason_not_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is compiled anew in each process then."""
    import numba

    original = numba.njit

    def unwritable(*kernels: Any, cache: bool = False, **options: Any) -> Any:
        def refuse(kernel: Any) -> Any:
            raise RuntimeError("no locator available")

        return refuse if cache else original(*kernels, **options)

    monkeypatch.setattr(numba, "njit", unwritable)
    assert compiling.compiled(doubled_and_one)(4) == 9


def test_kernels_are_kept_where_the_documentation_says(tmp_path: Path) -> None:
    """In XDG_CACHE_HOME, unless NUMBA_CACHE_DIR names another folder."""
    code = (
        "import numpy as np\n"
        "from hornbook.tables import RowTable\n"
        "assert RowTable.of(np.arange(6).reshape(3, 2)).find(np.array([[4, 5]])).tolist() == [2]\n"
    )
    for variable, folder in (("XDG_CACHE_HOME", tmp_path / "x" / "hornbook"), ("NUMBA_CACHE_DIR", tmp_path / "y")):
        scope = {key: value for key, value in os.environ.items() if key not in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
        place = str(tmp_path / "x" if variable == "XDG_CACHE_HOME" else folder)
        subprocess.run([sys.executable, "-c", code], check=True, env={**scope, variable: place}, timeout=120)
        assert list(folder.rglob("*find_rows*"))


def test_hashes_only_say_where_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hash that is always zero everything collides, and nothing changes."""
    monkeypatch.setattr(hashing, "_mixed", lambda row, length: 0)
    diamonds = hornbook.environment("diamond:3")
    with plain_loops():
        assert teach(diamonds).states == ("0-3-3", "4-0-3")
        found = readings(diamonds)
    assert found == readings(diamonds)
