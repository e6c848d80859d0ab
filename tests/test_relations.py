"""Relations that must hold between the answers to related problems (exact form): same size, same rays, same bytes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from hornbook.certificate.build import certificate_text
from hornbook.errors import NotRealizable
from hornbook.lesson import Lesson
from hornbook.problem import TeachingProblem
from hornbook.teaching import teach
from hornbook.verdicts import counterexample
from hornbook.version_space import VersionSpace

Table = npt.NDArray[np.object_]
Targets = npt.NDArray[np.intp]
SEEDS = range(12)


def random_problem(rng: Random) -> tuple[Table, Targets]:
    """A realizable problem of a few states, with faces and duplicates among its differences."""
    states, actions, d = rng.randint(2, 7), rng.randint(2, 5), rng.randint(1, 4)
    weights = [rng.randint(-3, 3) for _ in range(d)]
    weights[0] = weights[0] or 1
    rows = []
    while len(rows) < states:
        block = [[rng.randint(-2, 2) for _ in range(d)] for _ in range(actions)]
        scores = [sum(w * v for w, v in zip(weights, row, strict=True)) for row in block]
        if scores.count(max(scores)) == 1:
            rows.append((block, scores.index(max(scores))))
    return np.array([b for b, _ in rows], dtype=object), np.array([t for _, t in rows], dtype=np.intp)


def taught(features: Table, target: Targets, **more: object) -> Lesson:
    return teach(TeachingProblem(features=features, target=target, **more))  # type: ignore[arg-type]


def permuted_states(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    order = rng.sample(range(len(target)), len(target))
    return features[order], target[order]


def permuted_actions(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    order = rng.sample(range(features.shape[1]), features.shape[1])
    return features[:, order], np.array([order.index(t) for t in target], dtype=np.intp)


def permuted_features(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    return features[:, :, rng.sample(range(features.shape[2]), features.shape[2])], target


def embedded(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    d = features.shape[2]
    matrix = np.array([[rng.randint(-2, 2) for _ in range(3)] for _ in range(d)], dtype=object)
    return np.concatenate([features, features @ matrix], axis=2), target


def duplicated_state(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    row = rng.randrange(len(target))
    return np.concatenate([features, features[[row]]]), np.append(target, target[row])


def duplicated_action(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    """A copy of one non-target action for every state."""
    wrong = [(t + 1) % features.shape[1] for t in target]
    copies = features[np.arange(len(target)), wrong][:, None]
    return np.concatenate([features, copies], axis=1), target


def scaled_states(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    factors = np.array([Fraction(rng.randint(1, 99), rng.randint(1, 99)) for _ in target], dtype=object)
    return features * factors[:, None, None], target


def shifted_states(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    shape = (len(target), 1, features.shape[2])
    shifts = np.array([rng.randint(-(10**30), 10**30) for _ in range(shape[0] * shape[2])], dtype=object)
    return features + shifts.reshape(shape), target


def mapped(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    """An invertible linear map: a product of shears, a permutation and a sign."""
    d = features.shape[2]
    result = features[:, :, rng.sample(range(d), d)] * np.array([rng.choice([-1, 1]) for _ in range(d)], dtype=object)
    for i in range(1, d):
        result = result.copy()
        result[:, :, i] = result[:, :, i] + Fraction(rng.randint(-9, 9), 7) * result[:, :, i - 1]
    return result, target


def with_interior_state(rng: Random, features: Table, target: Targets) -> tuple[Table, Targets]:
    """A state whose differences are sums of all differences: never on a ray when there are two or more."""
    total = sum(
        (features[s, t] - features[s, a] for s, t in enumerate(target) for a in range(features.shape[1]) if a != t),
        start=np.zeros(features.shape[2], dtype=object),
    )
    block = np.array([[*(i * total)] for i in range(features.shape[1], 0, -1)], dtype=object)
    return np.concatenate([features, block[None]]), np.append(target, 0)


CHANGES: list[Callable[[Random, Table, Targets], tuple[Table, Targets]]] = [
    permuted_states,
    permuted_actions,
    permuted_features,
    embedded,
    duplicated_state,
    duplicated_action,
    scaled_states,
    shifted_states,
    mapped,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_the_size_does_not_change(change: Callable[[Random, Table, Targets], tuple[Table, Targets]]) -> None:
    for seed in SEEDS:
        rng = Random(seed)
        features, target = random_problem(rng)
        before, after = taught(features, target), taught(*change(rng, features, target))
        assert (after.size, len(after.rays)) == (before.size, len(before.rays)), seed


def test_a_state_of_interior_differences_changes_nothing() -> None:
    for seed in SEEDS:
        rng = Random(seed)
        features, target = random_problem(rng)
        before = taught(features, target)
        if len(before.rays) > 1:
            assert taught(*with_interior_state(rng, features, target)).states == before.states, seed


def test_dependent_columns_can_be_dropped() -> None:
    for seed in SEEDS:
        rng = Random(seed)
        features, target = random_problem(rng)
        wide, _ = embedded(rng, features, target)
        assert taught(wide, target).states == taught(features, target).states


def test_a_dominated_state_can_come_and_go() -> None:
    """A copy of a state with one action less shows less and changes no size."""
    for seed in SEEDS:
        features, target = random_problem(Random(seed))
        available = np.ones((len(target) + 1, features.shape[1]), dtype=bool)
        available[-1, (target[0] + 1) % features.shape[1]] = False
        wide = np.concatenate([features, features[[0]]])
        lesson = taught(wide, np.append(target, target[0]), available=available)
        assert lesson.size == taught(features, target).size


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.float16, np.float64, object, "text"])
def test_the_type_of_the_numbers_changes_no_byte(dtype: object) -> None:
    for seed in SEEDS:
        features, target = random_problem(Random(seed))
        other = features.astype(str) if dtype == "text" else features.astype(dtype)  # type: ignore[arg-type]
        assert certificate_text(taught(other, target).certificate()) == certificate_text(
            taught(features, target).certificate()
        )


def test_renaming_renames_the_lesson() -> None:
    for seed in SEEDS:
        features, target = random_problem(Random(seed))
        names = [f"n{row}" for row in range(len(target))]
        assert taught(features, target, state_names=names).states == tuple(
            f"n{s}" for s in taught(features, target).states
        )


def test_a_thousand_learners_are_right_everywhere() -> None:
    """Random weights of the lesson's version space act as the target in every state."""
    for seed in range(4):
        features, target = random_problem(Random(seed))
        problem = TeachingProblem(features=features, target=target)
        samples = VersionSpace(problem, teach(problem).states).sample(1000, seed=seed)
        scores = np.einsum("sad,nd->nsa", features.astype(float), samples)
        assert (scores.argmax(axis=2) == target).all()


def test_another_target_is_another_problem() -> None:
    """Changing the target at one state is refused or taught anew, and the old certificate is rejected."""
    import hornbook

    for seed in SEEDS:
        features, target = random_problem(Random(seed))
        old = taught(features, target).certificate()
        changed = target.copy()
        changed[0] = (target[0] + 1) % features.shape[1]
        problem = TeachingProblem(features=features, target=changed)
        with pytest.raises(hornbook.Rejected):
            hornbook.check(old, problem)
        try:
            lesson = teach(problem)
        except NotRealizable:
            continue
        assert counterexample(problem, lesson.states)
