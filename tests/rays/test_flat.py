"""Points that floats cannot tell from a flat: no guess is made, and exact arithmetic decides."""

from __future__ import annotations

import numpy as np

from hornbook.progress import silent
from hornbook.rays._simplex import leave_out
from hornbook.rays._view import independent
from tests.families import instance_number
from tests.referee import ask_hornbook

FLAT = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.5, 0.0], [1.0, 0.25, 2.0**-60]])


def test_a_flat_has_fewer_independent_points_than_coordinates() -> None:
    """What rounding leaves is not taken for a dimension."""
    assert len(independent(FLAT)) == 2
    assert len(independent(np.vstack([FLAT, [1.0, 0.0, 1.0]]))) == 3


def test_on_a_flat_every_question_is_stuck() -> None:
    """No basis to start from, so nothing is guessed."""
    guesses = leave_out(FLAT, asked=np.array([1, 2]), progress=silent)
    assert guesses.stuck.tolist() == [1, 2]
    assert not len(guesses.inside)
    assert not len(guesses.rays)


def test_nearly_flat_cones_have_their_rays() -> None:
    """uint64 at its limits: what the cuts leave open may look flat; the answer is that of the reference."""
    nearly_flat = [instance_number(number, seed=2) for number in range(600)]
    for instance in nearly_flat:
        if instance.name in ("N19 index 13 seed 2 widened", "N14 index 5 seed 2 plain"):
            assert ask_hornbook(instance, finder="cuts") == ask_hornbook(instance, finder="elimination")
