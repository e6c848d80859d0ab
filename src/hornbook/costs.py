"""What demonstrating a state costs: exact numbers of at least zero, whose sums can be written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from hornbook.arithmetic import Number, exact_number
from hornbook.errors import BadProblem
from hornbook.names import Names, check_list

__all__ = ["checked_costs"]


def checked_costs(costs: Sequence[object] | npt.NDArray[Any] | None, names: Names) -> list[Number] | None:
    """One cost for each state, or None where none were given; every refusal names the state."""
    if costs is None:
        return None
    check_list("cost", costs)
    if len(costs) != len(names):
        raise BadProblem(f"cost: there are {len(costs)} costs for {len(names)} states")
    result: list[Number] = []
    for row, value in enumerate(costs):
        try:
            number = exact_number(value, stored=True)
        except ValueError as error:
            raise BadProblem(f"cost of state {names[row]}: {error}") from None
        if number < 0:
            raise BadProblem(f"cost of state {names[row]}: {number} is negative; costs are at least 0")
        result.append(number)
    _check_total(result)
    return result


def _check_total(costs: Sequence[Number]) -> None:
    """Refuse costs whose sums are too long to write: of any set, the denominator divides the common one."""
    common = 1
    try:
        for denominator in {cost.denominator for cost in costs}:
            common = int(exact_number(math.lcm(common, denominator)))
        exact_number(int(sum(costs) * common))
    except ValueError:
        raise BadProblem("cost: the costs add up to a number of more than 4300 digits; give rounder costs") from None
