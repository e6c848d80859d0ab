"""Certificates as they are made: refusals proved too, huge numbers written or refused, trees no deeper than readers."""

from __future__ import annotations

import json
from typing import Any

import pytest

import hornbook
from hornbook.certificate.build import build_certificate, build_refusal, certificate_text
from hornbook.cover import Branch, Cover, CoverProblem, Leaf, Unreachable, minimum_cover
from hornbook.differences import collect_differences
from hornbook.errors import LimitExceeded, NotRealizable, Rejected
from hornbook.problem import TeachingProblem
from hornbook.teaching import teach

OPPOSITES = TeachingProblem(features=[[[2, 0], [0, 0]], [[-3, 0], [0, 0]], [[0, 1], [0, 0]]], target=[0, 0, 0])


@pytest.mark.parametrize("fast", [False, True])
def test_a_refusal_is_proved_too(fast: bool) -> None:
    with pytest.raises(
        NotRealizable, match=r"3 x \(state 0 over action 1\) \+ 2 x \(state 1 over action 1\)"
    ) as caught:
        teach(OPPOSITES)
    refusal = build_refusal(OPPOSITES, caught.value, differences=collect_differences(OPPOSITES).count)
    assert hornbook.check(refusal, OPPOSITES, fast=fast).claim == "not realizable"
    refusal["conflict"][0]["multiplier"] = 2
    with pytest.raises(Rejected, match="sum"):
        hornbook.check(refusal, OPPOSITES, fast=fast)


def test_a_certificate_is_canonical_text() -> None:
    text = certificate_text(teach(hornbook.environment("two_rays")).certificate())
    assert text.endswith("}\n")
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")) + "\n"


def test_integers_beyond_two_to_the_53_are_written_as_text() -> None:
    wide = TeachingProblem(features=[[[10**40, 1], [0, 0]], [[1, 10**40], [0, 0]]], target=[0, 0])
    certificate = teach(wide).certificate()
    assert certificate["rays"] == [[1, str(10**40)], [str(10**40), 1]]
    assert hornbook.check(json.loads(certificate_text(certificate)), wide)


def test_a_number_too_long_to_be_read_is_refused() -> None:
    long = TeachingProblem(features=[[[f"1e{e}", f"1e-{e}"], [0, 0]] for e in (4000, 3999)], target=[0, 0])
    with pytest.raises(LimitExceeded, match="give features with fewer digits"):
        teach(long).certificate()


def test_a_tree_too_deep_to_be_read_is_refused() -> None:
    trace: Any = teach(hornbook.environment("two_rays")).evidence
    deep: Any = Leaf(((0, 1),))
    for _ in range(402):
        deep = Branch(0, deep, Leaf())
    object.__setattr__(trace, "cover", Cover((0,), trace.cover.cost, trace.cover.lower_bound, deep))
    with pytest.raises(LimitExceeded, match="branches more than 400 times"):
        build_certificate(trace)


def test_a_branch_that_leaves_a_ray_to_nobody() -> None:
    """Either the only state that shows a ray is taken, or nobody is left to show it: a proof without weights."""
    alone = TeachingProblem(features=[[[1, 0], [0, 0]]], target=[0])
    trace: Any = teach(alone).evidence
    tree = Branch(0, Leaf(), Unreachable(0))
    object.__setattr__(trace, "cover", Cover((0,), trace.cover.cost, trace.cover.lower_bound, tree))
    for fast in (False, True):
        assert hornbook.check(build_certificate(trace), alone, fast=fast).lower_bound == "1"


def test_a_branching_proof_is_accepted() -> None:
    """A cover whose LP bound is too low without branching: its tree passes both checkers."""
    sets = [(0, 1, 3), (0, 2, 4), (0, 5, 6), (1, 2, 5), (1, 4, 6), (2, 3, 6), (3, 4, 5)]
    assert not isinstance(minimum_cover(CoverProblem(7, tuple(sets), (1,) * 7)).proof, type(None))
    fano = hornbook.environment("set_cover:" + ";".join("/".join(map(str, s)) for s in sets))
    lesson = teach(fano)
    assert lesson.size == 3
    for fast in (False, True):
        assert hornbook.check(lesson.certificate(), fano, fast=fast).claim == "minimum"
