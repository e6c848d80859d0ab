"""Number rules: every sign, minimum and direction is exact, whatever the size of the numbers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.arithmetic import (
    NotExact,
    Turns,
    Vectors,
    exact_array,
    exact_number,
    narrowed,
    number_text,
    parse_number,
    primitive,
    primitive_vector,
    quotients,
    runs_in_order,
)
from hornbook.arithmetic.sections import not_surely_combined

SIZES = st.sampled_from([3, 2**26, 2**40, 2**53, 2**60, 2**64, 2**200, 2**451, 2**2000])
INTEGERS = SIZES.flatmap(lambda size: st.integers(-size, size))


@st.composite
def tables(draw: st.DrawFn, positive: bool = False) -> tuple[Vectors, list[int]]:
    d = draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(INTEGERS, min_size=d, max_size=d), min_size=1, max_size=8))
    if positive:
        rows = [[*row[:-1], abs(row[-1]) + 1] for row in rows]
    return Vectors.of(rows, d), draw(st.lists(INTEGERS, min_size=d, max_size=d))


def products(vectors: Vectors, weights: list[int]) -> list[int]:
    return [sum(a * b for a, b in zip(row, weights, strict=True)) for row in vectors.rows()]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("+7", 7),
        (" -12\t", -12),
        ("-0", 0),
        ("1.", 1),
        (".5", Fraction(1, 2)),
        ("-2.50", Fraction(-5, 2)),
        ("1e3", 1000),
        ("12.5E-1", Fraction(5, 4)),
        ("6/4", Fraction(3, 2)),
        ("-6/3", -2),
    ],
)
def test_number_texts_are_read_exactly(text: str, value: int | Fraction) -> None:
    assert parse_number(text) == value
    assert type(parse_number(text)) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            ".",
            "-",
            "e5",
            "1_000",
            "\u0661\u0662",
            "1,5",
            "0x10",
            "1e400000",
            "1e-99999999",
            "1/0",
            "1/-2",
            "1/2/3",
        ),
        *("nan", "inf", "1 2", "9" * 5000, "1.2/3", "\xa01"),
    ],
)
def test_what_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"number|limit|zero|exponent"):
        parse_number(text)


@given(st.fractions())
def test_number_text_reads_back(value: Fraction) -> None:
    assert parse_number(number_text(value)) == value


def test_exact_numbers_of_every_kind() -> None:
    assert exact_number(np.uint64(2**64 - 1)) == 2**64 - 1
    assert exact_number(Decimal("0.1")) == Fraction(1, 10)
    assert exact_number("1/3") == Fraction(1, 3)
    assert exact_number(Fraction(4, 2)) == 2
    assert exact_number(np.float32(0.5), stored=True) == Fraction(1, 2)
    assert exact_number(-0.0) == 0


@pytest.mark.parametrize("value", [True, np.bool_(False), None, [1], float("nan"), np.inf, Decimal("NaN"), 1j])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        exact_number(value, stored=True)


@pytest.mark.parametrize("value", [0.5, 2.0**53, -1e300])
def test_floats_are_exact_only_below_two_to_the_53(value: float) -> None:
    with pytest.raises(NotExact):
        exact_number(value)
    assert exact_number(value, stored=True) == Fraction(value)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.int64, np.uint64, ">i4", np.float16, np.float32, float]
)
def test_small_arrays_of_any_type_become_int64(dtype: object) -> None:
    values = np.array([[0, 1], [100, 127]]).astype(dtype)
    assert exact_array(values).dtype == np.int64
    assert exact_array(values).tolist() == [[0, 1], [100, 127]]


def test_large_integers_never_wrap() -> None:
    """int8, 2^53, 2^63 and uint64: differences of extreme values are the true ones."""
    for values in ([-(2**63), 2**63 - 1], [0, 2**64 - 1], [2**61, 5], [-(2**61), 5]):
        array = np.array(values) if min(values) < 0 else np.array(values, dtype=np.uint64)
        exact = exact_array(array)
        assert exact.dtype == object
        assert exact[1] - exact[0] == values[1] - values[0]
    eight = exact_array(np.array([-128, 127], dtype=np.int8))
    assert eight[0] - eight[1] == -255


def test_a_bad_entry_is_located() -> None:
    with pytest.raises(ValueError, match="not finite") as caught:
        exact_array(np.array([[1.5, 2.0], [0.25, np.inf]]), stored=True)
    assert caught.value.index == (1, 1)  # type: ignore[attr-defined]


def test_stored_floats_are_the_dyadic_numbers_they_are() -> None:
    assert exact_array(np.array([0.1, 5e-324]), stored=True).tolist() == [Fraction(0.1), Fraction(1, 2**1074)]
    assert exact_array(np.array(["1/3", 2], dtype=object)).tolist() == [Fraction(1, 3), 2]
    assert exact_array(np.array([True, False], dtype=object)[:0]).tolist() == []


def test_narrowing_keeps_fractions_and_big_integers() -> None:
    assert narrowed(np.array([Fraction(1, 2)], dtype=object)).dtype == object
    assert narrowed(np.array([2**61], dtype=object)).dtype == object
    assert narrowed(np.array([2**61 - 1], dtype=object)).dtype == np.int64
    assert narrowed(np.array([], dtype=np.uint8)).dtype == np.int64


@given(st.lists(st.fractions(), min_size=1, max_size=5), st.fractions(min_value=Fraction(1, 99)))
def test_a_direction_does_not_depend_on_the_length(vector: list[Fraction], factor: Fraction) -> None:
    direction = primitive_vector(vector)
    assert primitive_vector([factor * v for v in vector]) == direction
    assert math.gcd(*direction) in (0, 1)
    table = primitive(narrowed(np.array([vector, vector], dtype=object)))
    assert [tuple(row) for row in table.tolist()] == [direction, direction]


def test_directions_of_machine_integers() -> None:
    rows = np.array([[4, -6], [0, 0], [0, 5]])
    assert primitive(rows).tolist() == [[2, -3], [0, 0], [0, 1]]
    assert primitive(rows[:0]).shape == (0, 2)
    assert primitive(np.array([[-6], [4], [0]])).tolist() == [[-1], [1], [0]]


@given(tables())
def test_products_and_signs_are_exact(table: tuple[Vectors, list[int]]) -> None:
    vectors, weights = table
    true = products(vectors, weights)
    assert vectors.products(weights).tolist() == true
    both = vectors.signs([weights, [-w for w in weights]])
    assert both[:, 0].tolist() == [(v > 0) - (v < 0) for v in true]
    assert (both[:, 1] == -both[:, 0]).all()


@given(tables())
def test_a_sign_next_to_zero_is_exact(table: tuple[Vectors, list[int]]) -> None:
    """A weight vector orthogonal to a row up to one unit: floats cannot tell, integers do."""
    vectors, _ = table
    row = vectors.row(0)
    wide = Vectors.of([[*row, 1], [*row, 0], [*row, -1]], len(row) + 1)
    weights = [0] * len(row)
    if len(row) > 1:
        weights[0], weights[1] = row[1], -row[0]
    assert wide.signs([[*weights, 1]])[:, 0].tolist() == [1, 0, -1]


@given(tables(positive=True))
def test_the_least_ratio_is_exact_and_complete(table: tuple[Vectors, list[int]]) -> None:
    vectors, weights = table
    scale = [0] * (vectors.dimension - 1) + [1]
    ratios = [Fraction(a, b) for a, b in zip(products(vectors, weights), products(vectors, scale), strict=True)]
    least = [i for i, ratio in enumerate(ratios) if ratio == min(ratios)]
    assert vectors.least(weights, scale).tolist() == least
    assert vectors.extreme(weights, scale) in least


def test_the_least_ratio_when_floats_cannot_even_tell_the_scale_from_zero() -> None:
    big = 2**60
    vectors = Vectors.of([[big, 1 - big, 0], [big, 1 - big, 1], [1, 0, 0]], 3)
    assert vectors.products([big, big, 0]).tolist() == [big, big, big]
    assert vectors.least([0, 0, -1], [1, 1, 0]).tolist() == [1]


def test_an_extreme_row_is_a_vertex_even_when_a_face_ties() -> None:
    """On a lattice whole faces tie; the answer is a corner of the face and never a point inside it."""
    grid = Vectors.of([[x, y, 1] for x in range(5) for y in range(5)], 3)
    corners = {(0, 0, 1), (4, 0, 1), (0, 4, 1), (4, 4, 1)}
    for weights in ([1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 0], [0, 0, 1]):
        assert grid.row(grid.extreme(weights, [0, 0, 1])) in corners


@given(st.lists(INTEGERS, min_size=1, max_size=6))
def test_quotients_keep_the_order(values: list[int]) -> None:
    found = quotients(values, [1] * len(values))
    ordered = [quotient for _, quotient in sorted(zip(values, found, strict=True))]
    assert ordered == sorted(ordered)


@given(st.lists(st.tuples(INTEGERS, INTEGERS.map(lambda v: abs(v) + 1)), min_size=1, max_size=20))
def test_rows_of_different_runs_are_in_exact_order(pairs: list[tuple[int, int]]) -> None:
    order, runs = runs_in_order(Vectors.of(pairs, 2), (1, 0), below=(0, 1))
    ratio = [Fraction(*pairs[i]) for i in order.tolist()]
    joined = {(i, i + 1) for start, stop in runs for i in range(start, stop - 1)}
    for i in range(len(ratio) - 1):
        assert (i, i + 1) in joined or ratio[i] < ratio[i + 1]


def test_runs_of_nothing_and_of_what_no_float_holds() -> None:
    assert runs_in_order(Vectors.of([], 2), (1, 0), below=(0, 1))[1] == []
    assert runs_in_order(Vectors.of([[2**2000, 1], [1, 1]], 2), (1, 0), below=(0, 1))[1] == [(0, 2)]


def test_columns_of_different_sizes_are_told_apart_by_a_closer_look() -> None:
    """A third number near 2^60 says nothing about the error of the quotient of the first two."""
    rows = [[i, 1, 2**60 - i] for i in range(200)]
    order, runs = runs_in_order(Vectors.of(rows, 3), (1, 0, 0), below=(0, 1, 0))
    assert (order.tolist(), runs) == (list(range(200)), [])
    assert Vectors.of(rows, 3).least([-1, 0, 0], [0, 1, 0]).tolist() == [199]


@given(
    st.sampled_from([4, 2**26, 2**45, 2**60, 2**90, 2**299, 2**301]).flatmap(
        lambda size: st.lists(
            st.tuples(*[st.integers(-size, size)] * 6, *[st.integers(-3, 3)] * 5), min_size=1, max_size=20
        )
    )
)
def test_the_sign_of_a_determinant_is_exact(drawn: list[tuple[int, ...]]) -> None:
    """The third row is nearly, or wholly, a combination of the others, so that nearly all digits cancel."""
    first, second = [t[:3] for t in drawn], [t[3:6] for t in drawn]
    third = [[t[6] * x + t[7] * y + z for x, y, z in zip(t[:3], t[3:6], t[8:], strict=True)] for t in drawn]
    count = len(drawn)
    rows = np.arange(count)
    signs = Turns(Vectors.of([*first, *second, *third], 3)).signs(rows, rows + count, rows + 2 * count)
    for (a, b, c), sign in zip(zip(first, second, third, strict=True), signs.tolist(), strict=True):
        value = sum(a[i] * (b[i - 2] * c[i - 1] - b[i - 1] * c[i - 2]) for i in range(3))
        assert sign == (value > 0) - (value < 0)


def test_floats_prove_sums_of_a_whole_basis_and_leave_the_others() -> None:
    """On a face a multiplier is zero; a basis that is none, or a table that floats do not hold, proves nothing."""
    rays = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)]
    sums: dict[tuple[int, ...], tuple[int, ...]] = {
        (1, 2, 3): (0, 1, 2),
        (1, 1, 0): (0, 1, 2),
        (2, 3, 0): (0, 1),
        (-1, 2, 3): (0, 1, 2),
    }
    assert [x for x, _ in not_surely_combined(rays, sums)] == [(1, 1, 0), (2, 3, 0), (-1, 2, 3)]
    assert not_surely_combined(rays, {(1, 2, 3): (0, 1, 3)}) == [((1, 2, 3), (0, 1, 3))]
    assert not_surely_combined([(2**2000, 1), (1, 0)], {(2**2000, 2): (0, 1)}) == [((2**2000, 2), (0, 1))]
    assert not_surely_combined([], {}) == []


def test_vectors_are_taken_by_rows_and_columns() -> None:
    vectors = Vectors.of([[1, 2, 3], [4, 5, 6]], 3)
    assert vectors.take([1]).rows() == [(4, 5, 6)]
    assert vectors.columns([0, 2]).rows() == [(1, 3), (4, 6)]
    assert len(Vectors.of([], 3)) == 0
    assert Vectors.of([], 3).largest == 0
    assert Vectors.of([[], []], 0).products([]).tolist() == [0, 0]
