"""Classification data in a table: each row a state, its label the target, every other column a feature."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hornbook.errors import BadProblem
from hornbook.formats.long_form import Layout
from hornbook.problem import TeachingProblem

__all__ = ["label_layout", "labelled_problem"]

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def label_layout(header: Sequence[str], label: str) -> Layout:
    """The label, the ids in a column `state` if there is one, and the features."""
    if label not in header:
        known = ", ".join(header)[:200]
        raise BadProblem(f"there is no column {label[:60]!r} to be the label; the columns are {known}")
    special = {"label": header.index(label)}
    if "state" in header and label != "state":
        special["state"] = header.index("state")
    features = [place for place in range(len(header)) if place not in special.values()]
    if not features:
        raise BadProblem("there is no feature: every column beside the label (and state) is one")
    return Layout(special, features, [header[place] for place in features])


def labelled_problem(
    inputs: npt.NDArray[Any], labels: Sequence[str], *, ids: Sequence[str] | None, exact: bool
) -> TeachingProblem:
    """The problem; labels that are all whole numbers are classes in the order of their values, others by code point."""
    whole = all(map(_INTEGER.fullmatch, labels))
    classes = np.array([int(text) for text in labels]) if whole else np.array(labels, dtype=object)
    return TeachingProblem.from_classification(inputs, classes, state_names=ids, exact=exact)
