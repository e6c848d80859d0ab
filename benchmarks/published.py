"""Published covers: the OR-Library's instances (from `HORNBOOK_DATA`) and Steiner triple systems."""

from __future__ import annotations

from functools import partial

from benchmarks.cases import Case, Family
from benchmarks.covers import PEERS
from benchmarks.instances import agree, folder, published, steiner

__all__ = ["FAMILY"]

WEIGHTED = ("scp41", "scp42", "scp43", "scp51", "scp61", "scp63", "scpa1", "scpb1", "scpe1", "scpe2")
UNICOST = ("scp41", "scp61", "scpa1", "scpclr10", "scpcyc06")
QUICK = {"scp41", "scp63", "scpe1", "scp41 unicost", "scpcyc06 unicost", "STS9"}
_LONG = 120.0  # the limit of the full run


def _case(name: str, make: partial) -> Case:  # type: ignore[type-arg]
    full = name not in QUICK
    seconds = _LONG if full else 5.0
    return Case(
        name=name, sizes={}, make=partial(make, seconds=seconds), peers=PEERS, full=full, seconds=2 * seconds + 60,
        repeats=1, compare=agree,
    )  # fmt: skip


CASES = [_case(f"STS{points}", partial(steiner, points)) for points in (9, 27, 81, 243)]
if folder():
    CASES += [_case(name, partial(published, name, unicost=False)) for name in WEIGHTED]
    CASES += [_case(f"{name} unicost", partial(published, name, unicost=True)) for name in UNICOST]

FAMILY = Family(
    "published",
    "Published covers, one thread, the same time limit for all. A cell is how many times as long as ours, then the "
    "interval that the solver says it proved (its covers are counted by us, its bounds are believed).",
    CASES,
)
