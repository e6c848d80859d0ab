"""Kinds of states: a sequence like any other, and the same whenever they are merged."""

from __future__ import annotations

import pytest

from hornbook import coverage as coverage_module
from hornbook import environment, teach


def test_kinds_are_a_sequence() -> None:
    """Slices, ends and equality as of a list."""
    kinds = teach(environment("six_rays")).evidence.coverage.kinds  # type: ignore[attr-defined]
    assert kinds[1:3] == [kinds[1], kinds[2]]
    assert kinds[-1] == list(kinds)[-1]
    assert list(kinds) == kinds[:]
    with pytest.raises(IndexError):
        kinds[len(kinds)]


def test_kinds_that_are_merged_early_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Merged after every batch or once at the end."""
    problem = environment("diamond:6")
    once = teach(problem).evidence.coverage.kinds  # type: ignore[attr-defined]
    monkeypatch.setattr(coverage_module, "_PENDING", 0)
    assert teach(environment("diamond:6")).evidence.coverage.kinds == once  # type: ignore[attr-defined]
