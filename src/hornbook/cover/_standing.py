"""Whether a unit stands in every, in some, or in no lean cheapest cover of its piece."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from hornbook.cover._enumeration import Piece
from hornbook.cover._lists import Costs, Mask, RaySets, starts_of
from hornbook.cover._minimum import minimum_cover
from hornbook.cover.problem import CoverProblem, Limits

__all__ = ["standing"]


def standing(piece: Piece, choice: int, *, several: bool, limits: Limits | None = None) -> str:
    """Say "every", "some" (but not every), or "no"; "unknown" where `limits` end the search for one more cover.

    This is about one of the members of a choice, which has `several` or only one.  Where not all covers are known, two
    questions decide: what the others cost with the choice, and without it.
    """
    found = [choice in cover for cover in piece.covers]
    used = any(found) or (False if piece.complete else _is_used(piece, choice, limits))
    if not used:
        return "no" if used is False else "unknown"
    spared: bool | None = several or not all(found)
    if not spared and not piece.complete:
        spared = _is_spared(piece, choice, limits)
    return "unknown" if spared is None else "some" if spared else "every"


def _is_used(piece: Piece, choice: int, limits: Limits | None) -> bool | None:
    """Whether some lean cheapest cover has it, None if that is not known.

    One that costs nothing may be idle in the cheapest cover found, which says nothing about lean ones.
    """
    missing = np.ones(piece.table.num_rays, dtype=np.bool_)
    missing[piece.table.rays_of(choice)] = False
    price = int(piece.table.costs[choice])
    low, high = _least(piece, missing, choice, limits)
    if price + low > piece.cost:
        return False
    return True if price and price + high == piece.cost else None


def _is_spared(piece: Piece, choice: int, limits: Limits | None) -> bool | None:
    """Whether some cheapest cover does without it, None if that is not known."""
    rays = piece.table.rays_of(choice)
    if (np.diff(piece.table.ray_start)[rays] == 1).any():
        return False
    low, high = _least(piece, np.ones(piece.table.num_rays, dtype=np.bool_), choice, limits)
    return False if low > piece.cost else True if high == piece.cost else None


def _least(piece: Piece, missing: Mask, without: int, limits: Limits | None) -> tuple[int, int]:
    """Between what and what the cheapest cover of these rays costs that does without one choice."""
    table = piece.table
    owners = table.owners()
    keep = missing[table.unit_rays] & (owners != without)
    units, local = np.unique(owners[keep], return_inverse=True)
    rays = np.flatnonzero(missing)
    sets = RaySets(starts_of(np.bincount(local, minlength=len(units))), np.searchsorted(rays, table.unit_rays[keep]))
    rest = CoverProblem(len(rays), sets, Costs(table.costs[units], Fraction(1)))
    cover = minimum_cover(rest, limits=limits)
    return int(cover.lower_bound), int(cover.cost)
