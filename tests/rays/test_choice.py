"""Which engine, compiled or not: the rays are the same, and nobody waits for a compiler in vain."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hornbook.arithmetic import Vectors, combined_by
from hornbook.compiling import is_ready
from hornbook.environments.random_cone import random_cone
from hornbook.rays import Rays, _choice, _proofs, combinations, find_rays
from hornbook.rays._incremental import grow_frame, grown_within
from hornbook.rays._proofs import insides


def planted(*, d: int, m: int, h: int) -> Vectors:
    source = random_cone(d=d, m=m, h=h, seed=0).source
    return Vectors(np.unique(source.read(0, m).features[:, 0], axis=0))


@pytest.mark.parametrize("ready", [True, False])
@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_whether_loops_are_compiled_changes_no_ray(
    ready: bool, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = planted(d=5, m=400, h=20)
    monkeypatch.setattr(_choice, "are_ready", lambda: ready)
    monkeypatch.setattr(_choice, "_COMPILING", seconds)
    found = find_rays(vectors, finder="suited")
    assert found == find_rays(vectors, finder="incremental") or found.rows == tuple(  # type: ignore[union-attr]
        grow_frame(vectors, (0, 0, 0, 1, 1))
    )


def test_the_exact_simplex_stops_when_its_time_is_up() -> None:
    vectors = planted(d=4, m=100, h=10)
    weights = (0, 0, 1, 1)
    assert grown_within(-1.0, vectors, weights=weights) is None
    assert grown_within(60.0, vectors, weights=weights) == grow_frame(vectors, weights)


def test_machine_code_is_ready_when_it_is_loaded_or_on_disk(tmp_path: Path) -> None:
    """A plain function never is; a dispatcher is when it has signatures, or its index lies in its folder."""

    def loop() -> None:
        """Nothing."""

    fresh = SimpleNamespace(
        signatures=[], stats=SimpleNamespace(cache_path=str(tmp_path)), __module__="some.module", __qualname__="loop"
    )
    assert not is_ready(loop)
    assert not is_ready(fresh)  # type: ignore[arg-type]
    (tmp_path / "module.loop-12.py311.nbi").touch()
    assert is_ready(fresh)  # type: ignore[arg-type]
    assert is_ready(SimpleNamespace(signatures=["float64()"]))  # type: ignore[arg-type]


def test_combinations_of_a_basis_are_told_exactly() -> None:
    """(1, 1) is the sum of the unit vectors, (3, 0) is on one of them, (2, -1) is beside their cone."""
    unit = Vectors.of([[1, 0], [0, 1]], 2)
    asked = Vectors.of([[1, 1], [3, 0], [2, -1]], 2)
    assert combined_by(unit, asked).tolist() == [True, True, False]
    assert combined_by(Vectors.of([[0, -1], [1, 0]], 2), asked).tolist() == [False, True, True]
    assert combined_by(Vectors.of([[1, 1], [2, 2]], 2), asked).tolist() == [False, False, False]


@pytest.mark.parametrize("several", [0, 1_000])
def test_vectors_on_faces_are_proved_inside_in_whole_numbers(several: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of two of three generators have a multiplier of zero, which no float filter can tell."""
    monkeypatch.setattr(_proofs, "_SEVERAL", several)
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 2, 3], [5, 0, 0], [1, -1, 1]]
    vectors = Vectors.of(rows, 3)
    asked = np.arange(3, 7)
    bases = np.tile(np.arange(3, dtype=np.int32), (4, 1))
    proved = insides(vectors, vectors.floats, rows=asked, bases=bases)
    assert proved.tolist() == [True, True, True, False]


def test_evidence_in_bulk_is_right_and_covers_faces() -> None:
    """Of hundreds of vectors each is a positive sum of its rays; those on faces need fewer rays than dimensions."""
    vectors = planted(d=5, m=400, h=20)
    found = find_rays(vectors)
    assert isinstance(found, Rays)
    doubled = np.concatenate([found.vectors.exact[:5] + found.vectors.exact[1:6], vectors.exact])
    asked = Vectors(np.hstack([doubled, doubled[:, :1] - doubled[:, 1:2]]))
    rays = Vectors(np.hstack([found.vectors.exact, found.vectors.exact[:, :1] - found.vectors.exact[:, 1:2]]))
    members = combinations(rays, asked)
    assert len(members[0]) < 5
    assert {len(chosen) for chosen in members} >= {1, 5}
    for vector, chosen in zip(asked.exact.tolist(), members, strict=True):
        weights, *_ = np.linalg.lstsq(rays.exact[list(chosen)].T.astype(float), np.array(vector, dtype=float))
        assert weights.min() > 0
        assert np.allclose(weights @ rays.exact[list(chosen)], vector)


def test_evidence_of_rays_that_contradict_each_other_and_of_none() -> None:
    assert combinations(Vectors.of([[1, 0], [-1, 0], [0, 1]], 2), Vectors.of([[5, 1]], 2)) == [(0, 2)]
    assert combinations(Vectors.of([], 2), Vectors.of([], 2)) == []
    with pytest.raises(ValueError, match="not a combination"):
        combinations(Vectors.of([], 2), Vectors.of([[1, 0]], 2))
