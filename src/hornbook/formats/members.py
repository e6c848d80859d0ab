"""What a problem file consists of, whatever its format, and how a problem is taken apart to write one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import FLOAT_TOLERANCES
from hornbook.errors import BadProblem
from hornbook.problem import TeachingProblem

__all__ = [
    "OPTIONAL",
    "REQUIRED",
    "Contents",
    "check_names",
    "check_present",
    "check_texts",
    "check_tolerances",
    "contents",
]

REQUIRED = ("features", "target")
OPTIONAL = ("available", "cost", "state_names", "action_names", "feature_names", "noise", "merge")


def check_present(members: Mapping[str, object]) -> None:
    """Refuse a file without features or target."""
    for name in REQUIRED:
        if name not in members:
            raise BadProblem(f"{name} is missing; a problem needs {' and '.join(REQUIRED)}")


def check_names(kind: str, names: Sequence[object]) -> list[str]:
    """Names that are texts, and that can be written in UTF-8."""
    for place, name in enumerate(names):
        if not isinstance(name, str):
            raise BadProblem(f"{kind}: entry {place} is {str(name)[:40]}; names are texts")
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            raise BadProblem(f"{kind}: entry {place} has half of a surrogate pair, which is no text")
    return [str(name) for name in names]


@dataclass(frozen=True)
class Contents:
    """A whole problem in memory.  `cost` and the names are None where the problem has none of its own."""

    features: npt.NDArray[Any]  # zeros where unavailable
    available: npt.NDArray[np.bool_]
    target: npt.NDArray[np.intp]
    cost: list[Any] | None
    state_names: list[str] | None
    action_names: list[str] | list[list[str]] | None
    feature_names: list[str] | None
    noise: str | None  # as texts, and only where they are not the usual ones for these floats
    merge: str | None


def contents(problem: TeachingProblem) -> Contents:
    """Everything in the problem, materialised.  Cost: memory for all features."""
    batches = list(problem.batches())
    shape = (0, problem.num_actions, problem.num_features)
    features = np.concatenate([np.zeros(shape, dtype=np.int64), *(batch.features for batch in batches)])
    available = np.concatenate([np.zeros(shape[:2], dtype=np.bool_), *(batch.available for batch in batches)])
    target = np.concatenate([np.zeros(0, dtype=np.intp), *(batch.target for batch in batches)])
    rows = range(problem.num_states)
    names = [problem.state_id(row) for row in rows]
    unusual = problem.is_float and problem.tolerances != FLOAT_TOLERANCES.get(problem.arithmetic)
    return Contents(
        features=np.where(available[:, :, None], features, 0),
        available=available,
        target=target,
        cost=[problem.cost_of(row) for row in rows] if problem.has_costs else None,
        state_names=None if names == [str(row) for row in rows] else check_names("state_names", names),
        action_names=_checked_actions(problem.action_names),
        feature_names=None if problem.feature_names is None else check_names("feature_names", problem.feature_names),
        noise=str(problem.tolerances.noise) if unusual else None,
        merge=str(problem.tolerances.merge) if unusual else None,
    )


def _checked_actions(names: list[str] | list[list[str]] | None) -> list[str] | list[list[str]] | None:
    if names is None or all(isinstance(name, str) for name in names):
        return None if names is None else check_names("action_names", names)
    return [check_names("action_names", own) for own in names]


def check_tolerances(problem: TeachingProblem, format: str, *, floats: Sequence[str] = ("float64",)) -> None:
    """Refuse floats that the format cannot tell from others, or whose noise is not the usual one."""
    usual = FLOAT_TOLERANCES.get(problem.arithmetic) if problem.arithmetic in floats else None
    if problem.is_float and problem.tolerances != usual:
        raise BadProblem(
            f"{format} has no place for {problem.arithmetic} numbers with a noise of their own; write an .npz file"
        )


def check_texts(problem: TeachingProblem, format: str, *, nul: bool = False) -> None:
    """Refuse names that are no text in UTF-8, and those with a NUL where the format has none."""
    actions = problem.action_names or []
    own = any(isinstance(names, list) for names in actions)
    kinds: dict[str, list[str]] = {
        "state_names": [problem.state_id(row) for row in range(problem.num_states)],
        "action_names": [name for names in actions for name in names] if own else [str(name) for name in actions],
        "feature_names": list(problem.feature_names or []),
    }
    for kind, names in kinds.items():
        for name in check_names(kind, names):
            if "\0" in name and not nul:
                raise BadProblem(f"{kind}: {name[-40:]!r} has a NUL, which {format} cannot store; write .json")
