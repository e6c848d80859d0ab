"""`.npz` archives: everything numpy can honestly write is read exactly, and nothing else is believed."""

from __future__ import annotations

import io
import random
import stat
import warnings
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hornbook.errors import BadProblem, HornbookError, LimitExceeded
from hornbook.formats import files, load, npz
from hornbook.problem import TeachingProblem
from tests.formats.archives import FEATURES, TARGET, archive, declared, npy, shape


@pytest.fixture(params=["in memory", "in the file"], autouse=True)
def where(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything here holds for states that stay in their file too, as those of large problems do."""
    monkeypatch.setattr(npz, "_IN_MEMORY", 1 << 26 if request.param == "in memory" else -1)
    Read.place = tmp_path / "read.npz"
    yield


class Read:
    place: Path


def read(data: bytes, *, exact: bool = False) -> TeachingProblem:
    Read.place.write_bytes(data)
    with open(Read.place, "rb") as stream:
        problem = npz.read(stream, exact=exact)
    for _ in problem.batches():
        pass  # what is wrong in the file is told when it is read
    return problem


def refusal(data: bytes) -> str:
    with pytest.raises(BadProblem) as caught:
        read(data)
    return str(caught.value)


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", ">i2", "<i4", "int64", "uint64", "float16", ">f4", "float64", "<U3"]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_types_byte_orders_and_memory_orders_change_nothing(dtype: str, order: Any) -> None:
    """One problem, many ways to store it: the same digest."""
    features = np.array(FEATURES.astype(dtype), order=order)
    assert read(archive({"features": features})).digest == TeachingProblem(features=FEATURES, target=TARGET).digest


def test_everything_a_problem_may_have() -> None:
    """Availability, costs, and names per state arrive as they were stored."""
    problem = read(
        archive(
            {
                "available": np.array([[True, True], [True, False]]),
                "cost": np.array(["1/3", "2"]),
                "state_names": np.array(["b", "a"]),
                "action_names": np.array([["x", "y"], ["z", ""]]),
                "feature_names": np.array(["f", "g"]),
            },
            compression=zipfile.ZIP_DEFLATED,
        )
    )
    assert [tuple(map(str, row[:5])) for row in problem.rows()] == [
        ("a", "z", "True", "True", "2"),
        ("b", "x", "True", "True", "1/3"),
        ("b", "y", "True", "False", "1/3"),
    ]


def test_names_shared_by_all_states_and_states_without_actions() -> None:
    """One row of action names serves all states; a row of names ends at the last available action."""
    assert read(archive({"action_names": np.array(["go", "stop"])})).action_id(1, 1) == "stop"
    own = {"action_names": np.array([["x", "y"], ["z", ""]]), "available": np.array([[True, True], [False, False]])}
    assert "not available" in refusal(archive(own))


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_floats_keep_their_kind(kind: str) -> None:
    """0.1 is float data of its own precision, and the binary fraction that it is only when told so."""
    data = archive({"features": (FEATURES * 0.1).astype(kind)})
    assert read(data).arithmetic == kind
    assert read(data, exact=True).arithmetic == "stored"
    stream = io.BytesIO()
    npz.write(read(archive({"features": (FEATURES * 0.1).astype(kind), "noise": np.array(0.001)})), stream)
    again = stream.getvalue()
    assert read(again).arithmetic == kind
    assert read(again).tolerances.noise == Fraction(0.001)
    assert read(again).digest == read(data).digest


def test_noise_is_one_number() -> None:
    assert "it is one number" in refusal(archive({"features": FEATURES * 0.1, "noise": np.zeros(2)}))


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"features": None}, "features is missing"),
        ({"target": None}, "target is missing"),
        ({"rewards": TARGET}, "'rewards.npy' is not part of a problem"),
        ({"../features.npy": npy(FEATURES)}, "'../features.npy' is not part"),
        ({"features.txt": b"hello"}, "'features.txt' is not part"),
        ({"features": npy(np.array([[[None]]]), pickles=True)}, "member features holds Python objects"),
        ({"state_names": npy(np.array(["a", "b"], dtype=object), pickles=True)}, "state_names holds Python objects"),
        ({"features": np.zeros((2, 2, 2), dtype=[("x", "i4")])}, "member features has the type"),
        ({"features": FEATURES.astype(complex)}, "complex128, which is not read there"),
        ({"features": FEATURES.astype("M8[s]")}, "datetime64"),
        ({"features": FEATURES.astype("m8[s]")}, "timedelta64"),
        ({"features": FEATURES.astype(bool)}, "bool, which"),
        ({"features": FEATURES.astype("S")}, "which is not read there; store integers"),
        ({"features": FEATURES.astype(np.longdouble)}, "which is not read there"),
        ({"features": declared(shape("(2, 2, 2)", "<U0"))}, "which is not read there"),
        ({"features": FEATURES[0]}, "the shape is (2, 2)"),
        ({"features": FEATURES[:1]}, "target: the shape is (2,)"),
        ({"features": FEATURES[:, :, :0]}, "one feature"),
        ({"features": np.where(FEATURES == 1, np.nan, FEATURES)}, "row 0, action 0, feature 0"),
        ({"target": np.array([0, -1])}, "target: row 1 names action -1"),
        ({"target": np.array([0, 2])}, "target: row 1 names action 2"),
        ({"target": np.array([0, 1.5])}, "member target has the type float64"),
        ({"target": np.array([0, np.nan])}, "member target has the type float64"),
        ({"target": np.array([[0], [0]])}, "target: the shape is (2, 1)"),
        ({"available": np.array([True, True])}, "available: the shape is (2,)"),
        ({"available": np.array([[1, 2], [1, 1]])}, "true or false"),
        (
            {"available": declared(shape("(2, 2)", "|b1"), b"\x01\x01\x01\x02")},
            "member available is not (2, 2) of bool",
        ),
        ({"available": np.array([[0, 1], [1, 1]])}, "target: row 0 names action 0, which is not available"),
        ({"cost": np.array([[1], [2]])}, "member cost has the shape (2, 1)"),
        ({"cost": np.array([1])}, "1 costs for 2 states"),
        ({"cost": np.array([1, -1])}, "cost of state 1: -1 is negative"),
        ({"cost": np.array(["1", "1/0"])}, "cost of state 1: division by zero"),
        ({"state_names": np.array(["a", "a"])}, "'a' names both"),
        ({"state_names": np.array(["a"])}, "1 names for 2"),
        ({"state_names": np.array([["a", "b"]])}, "member state_names has the shape (1, 2)"),
        ({"state_names": np.array([1, 2])}, "member state_names has the type int64"),
        ({"state_names": np.array(["a", "\ud800"])}, "surrogate"),
        ({"state_names": declared(shape("(2,)", "<U1"), b"aaaabbbb")}, "member state_names is not (2,)"),
        ({"feature_names": np.array(["f"])}, "1 names for 2"),
        ({"action_names": np.array([["x", "y"]])}, "member action_names has the shape (1, 2)"),
        ({"features": np.array([[["1_000"]]]), "target": TARGET[:1]}, "is not a number"),
        ({"features": np.array([[["\u0663"]]]), "target": TARGET[:1]}, "is not a number"),
        ({"features": np.array([[["0x10"]]]), "target": TARGET[:1]}, "is not a number"),
        ({"features": np.array([[["1,5"]]]), "target": TARGET[:1]}, "is not a number"),
        ({"features": np.array([[["1/0"]]]), "target": TARGET[:1]}, "division by zero"),
        ({"features": np.array([[["1e3000000"]]]), "target": TARGET[:1]}, "exponent"),
        ({"features": np.array([[["9" * 100_000]]]), "target": TARGET[:1]}, "above the limit"),
    ],
)
def test_wrong_members_are_named(members: dict[str, Any], says: str) -> None:
    """Each refusal is one line that names the member, and where it can the row."""
    message = refusal(archive(members))
    assert says in message
    assert "\n" not in message


def test_no_number_may_be_missing_even_where_no_action_is() -> None:
    """NaN in the padding of an unavailable action is refused: it says that something went wrong upstream."""
    features = FEATURES.astype(float)
    features[1, 1, 0] = np.nan
    available = np.array([[True, True], [True, False]])
    assert "row 1, action 1, feature 0: nan is not finite" in refusal(
        archive({"features": features, "available": available})
    )


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (declared(shape("(1000000, 1000, 1000)")), "declares shape (1000000, 1000, 1000)"),
        (declared(shape("(-1, 2, 2)"), bytes(32)), "declares the shape (-1, 2, 2)"),
        (declared(shape("(1.5, 2, 2)"), bytes(24)), "unreadable header"),
        (declared(shape("(0, 1000000000000, 1000000000000)")), "is not (0, 1000000000000"),
        (declared("(" * 9000), "unreadable header"),
        (declared("__import__('os').system('true')"), "unreadable header"),
        (declared(shape("(2, 2, 2)") + " " * 20_000, bytes(64)), "a header of 20,"),
        (declared(shape("(2, 2, 2)"), bytes(64), version=b"\x03\x00"), "version 1.0 or 2.0"),
        (b"\x93NUMPX" + npy(FEATURES)[6:], "is not a .npy array"),
        (npy(FEATURES)[:9], "cut short"),
        (npy(FEATURES)[:60], "unreadable header"),
        (npy(FEATURES)[:-1], "but holds 63"),
        (npy(FEATURES) + b"x", "but holds 65"),
        (b"", "is not a .npy array"),
    ],
)
def test_headers_are_not_believed(data: bytes, says: str) -> None:
    """What an array declares is compared with what is there before memory is taken."""
    message = refusal(archive({"features": data}))
    assert "member features" in message
    assert says in message


def test_version_two_headers_are_read() -> None:
    """numpy writes them for long headers; the array is the same."""
    data = declared(shape("(2, 2, 2)"), FEATURES.astype("<i8").tobytes(), version=b"\x02\x00")
    assert read(archive({"features": data})).digest == read(archive({})).digest


def test_archives_that_expand_too_much() -> None:
    """A ratio above 1000 is a bomb; a total above the limit is a limit."""
    bomb = archive({"features": np.zeros((1000, 1000, 8))}, compression=zipfile.ZIP_BZIP2)
    assert "expands more than 1000 times" in refusal(bomb)


def test_sizes_above_the_limit_are_a_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Exit status 5, and nothing is read."""
    (tmp_path / "p.npz").write_bytes(archive({}))
    monkeypatch.setattr(npz, "MOST_BYTES", 100)
    with pytest.raises(LimitExceeded, match=r"p\.npz: the members expand"):
        load(tmp_path / "p.npz")
    monkeypatch.setattr(files, "MOST_BYTES", 10)
    with pytest.raises(LimitExceeded, match="above the limit of 10"):
        load(tmp_path / "p.npz")


def test_members_twice_and_symbolic_links() -> None:
    """Which of two would count is anyone's guess, and a link points outside."""
    buffer = io.BytesIO(archive({}))
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "a") as file:
        warnings.simplefilter("ignore")
        file.writestr("target.npy", npy(TARGET))
    assert "member target occurs twice" in refusal(buffer.getvalue())
    buffer = io.BytesIO(archive({"target": None}))
    with zipfile.ZipFile(buffer, "a") as file:
        link = zipfile.ZipInfo("target.npy")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
    assert "member target is a symbolic link" in refusal(buffer.getvalue())


def test_a_wrong_checksum_is_noticed() -> None:
    """One changed byte of data, not of structure."""
    data = bytearray(archive({}))
    place = data.index(npy(TARGET)[-8:], data.index(b"target.npy"))
    data[place + 1] ^= 1
    assert "Bad CRC-32" in refusal(bytes(data))


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_truncation_at_every_byte(compression: int) -> None:
    """Whatever is cut off, the answer is one clear line."""
    data = archive({}, compression=compression)
    for length in range(len(data)):
        assert "cannot be read" in refusal(data[:length])


def test_damaged_archives_never_crash() -> None:
    """A thousand archives with one wrong byte: read as a problem, or refused as one; never another error."""
    data = archive({"state_names": np.array(["a", "b"])}, compression=zipfile.ZIP_DEFLATED)
    dice = random.Random(0)
    for _ in range(1000):
        broken = bytearray(data)
        broken[dice.randrange(len(data))] = dice.randrange(256)
        try:
            read(bytes(broken))
        except HornbookError as error:
            assert str(error)
