"""What more can be asked of a lesson: against trying all, by name, in files, and where it is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hornbook
from hornbook import TeachingProblem
from hornbook.arithmetic import Vectors
from hornbook.certificate.build import certificate_text
from hornbook.certificate.check import check_rows
from hornbook.environments import environment
from hornbook.explanations import explain, how_implied, without
from hornbook.figures import coverage_matrix
from hornbook.lesson import Lesson
from hornbook.rays import Believed, Conflict, Faces, believed_sums, find_faces
from hornbook.report.page import page
from hornbook.teaching import teach
from tests import asked

UP = [((1, 0), "weak"), ((0, 1), "weak")]


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_requests_against_trying_all(first: int) -> None:
    """The cheapest allowed choice, certificates that both checkers accept, or a true reason why there is none."""
    outcomes = {asked.judge(asked.question(seed)) for seed in range(first, first + 50)}
    assert outcomes >= {"lesson", "impossible", "not realizable"}


@pytest.mark.sweep
def test_many_requests_against_trying_all() -> None:
    """0 wrong on 100,000."""
    assert asked.main(["--count", "100000", "--first", "1000000"]) == 0


def test_a_wrong_answer_stops_the_search(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The question is printed with its seed."""
    assert asked.main(["--count", "3"]) == 0
    monkeypatch.setattr(asked.Question, "least_cost", lambda self: Fraction(77))
    assert asked.main(["--count", "40"]) == 1
    assert "WRONG: seed " in capsys.readouterr().out


def test_nothing_asked_is_the_plain_question() -> None:
    """Empty lists, one fold and no prior change nothing, not even a byte of the certificate."""
    plain = teach(environment("six_rays"))
    same = teach(environment("six_rays"), must=[], may_not=(), given=[], folds=1, prior=[])
    assert same.request is None
    assert certificate_text(same.certificate()) == certificate_text(plain.certificate())
    assert "request" not in plain.certificate()
    assert "request" not in plain.to_dict()


def test_each_wish_by_itself() -> None:
    """On three states in the plane, where s alone teaches and t and u together do."""
    problem = environment("two_rays")
    assert teach(problem, must=["u"]).states == ("s", "u")
    assert teach(problem, may_not=["s"]).states == ("t", "u")
    assert teach(problem, given=["s"]).states == ()
    assert teach(problem, folds=2).states == ("s", "t", "u")
    assert teach(problem, folds=2, given=["s"]).size == 0  # what is given cannot be lost
    assert teach(problem, given=[1], may_not=["s"]).states == ("u",)
    lesson = teach(problem, groups={"A": ["s"], "B": {"states": ["u", "t"], "cost": "1/2"}})
    assert (lesson.groups, lesson.states, lesson.size, lesson.cost) == (("B",), ("t", "u"), 2, Fraction(1, 2))
    assert repr(lesson).startswith("Lesson: PROVED MINIMUM: 1 of 2 groups with 2 states at cost 1/2 (exact), asked: in")


def test_what_is_given_in_a_group_is_no_demonstration_of_another() -> None:
    """State s is shown already, so only t and u are left of the group with all three."""
    lesson = teach(environment("two_rays"), groups={"all": ["s", "t", "u"], "one": ["t"]}, given=["one"], must=["all"])
    assert (lesson.groups, lesson.states, lesson.size) == (("all",), ("s", "u"), 2)
    hornbook.check(lesson.certificate(), environment("two_rays"))


def test_without_differences_only_what_must_be_is_shown() -> None:
    """There is nothing to learn, and still a state must be shown."""
    problem = TeachingProblem(features=[[[1, 2]], [[3, 4]]], target=[0, 0])
    lesson = teach(problem, must=["1"])
    assert (lesson.states, lesson.cost, lesson.is_minimum) == (("1",), 1, True)
    for fast in (False, True):
        assert hornbook.check(lesson.certificate(), problem, fast=fast).size == 1


def test_a_strict_belief_is_a_free_difference() -> None:
    """What it shows needs no demonstration; a weak one leaves the tie open."""
    problem = environment("two_rays")
    assert teach(problem, prior=[((2, 0), "strict"), ((0, "1/3"), "strict")]).states == ()
    assert teach(problem, prior=[((1, 0), "strict")]).rays == ((0, 1),)
    lesson = teach(problem, prior=UP)
    assert lesson.states == ("s",)
    assert lesson.misconception(0).weights == (1, 0)  # a tie where (0, 1) is


def test_inside_weak_beliefs_one_direction_does_as_well_as_another() -> None:
    """With weights known not to be negative, (1, 2) says that some weight is positive, and so does (1, 1)."""
    problem = TeachingProblem(features=[[[0, 0], [-1, -1]], [[0, 0], [-1, -2]]], target=[0, 0])
    assert teach(problem).size == 2
    lesson = teach(problem, prior=UP)
    assert lesson.size == 1
    assert lesson.certificate()["same"] == [[[1, 2], 0, [1]]]
    assert teach(problem, prior=UP, folds=2).size == 2
    line = teach(problem, prior=[((1, -1), "weak"), ((-1, 1), "weak")])  # both weights are equal
    assert line.size == 1
    assert line.misconceptions[0].weights == (-1, -1)


def test_beliefs_about_every_weight() -> None:
    """Where all weights are known to be zero, nothing can be taught; where there is nothing to learn, all is well."""
    lines = [*UP, ((-1, 0), "weak"), ((0, -1), "weak")]
    with pytest.raises(hornbook.NotRealizable, match="the policy contradicts what the learner believes"):
        teach(environment("two_rays"), prior=lines)
    empty = TeachingProblem(features=[[[1, 2]]], target=[0])
    assert teach(empty, prior=lines).size == 0
    with pytest.raises(hornbook.NotRealizable, match="beliefs contradict each other") as caught:
        teach(empty, prior=[((1, 1), "strict"), ((-1, -1), "weak")])
    assert [term.strict for term in caught.value.prior] == [False, True]


def test_a_contradiction_has_a_certificate(tmp_path: Path) -> None:
    """The differences and beliefs that sum to zero, each with its own multiplier."""
    from hornbook.certificate.build import build_refusal

    problem = environment("two_rays")
    with pytest.raises(hornbook.NotRealizable) as caught:
        teach(problem, prior=[((0, -3), "weak"), ((-1, 0), "strict")])
    certificate = build_refusal(problem, caught.value, differences=6)
    for fast in (False, True):
        assert hornbook.check(certificate, problem, fast=fast).claim == "not realizable"


def test_an_impossible_request_names_what_would_remain_wrong() -> None:
    """The misconception on (0, 1), which only s and u could refute; and where it errs."""
    with pytest.raises(hornbook.ImpossibleRequest, match="no lesson does what is asked") as caught:
        teach(environment("two_rays"), may_not=["s", "u"])
    assert caught.value.states == ("s", "u")
    assert caught.value.misconception.weights == (4, -1)
    assert caught.value.exit_code == 2
    with pytest.raises(hornbook.ImpossibleRequest, match="2 of the states that may be shown refute it, and 3 must"):
        teach(environment("two_rays"), folds=3)
    with pytest.raises(hornbook.ImpossibleRequest, match="0 of the groups that may be shown"):
        teach(environment("two_rays"), groups={})


def test_greedy_does_what_is_asked_too() -> None:
    """Its interval is proved as well."""
    problem = environment("six_rays")
    lesson = teach(problem, teacher="greedy", folds=2, must=["s2"])
    assert hornbook.check(lesson.certificate(), problem).size == lesson.size
    with pytest.raises(hornbook.BadProblem, match="there is no teacher"):
        teach(problem, teacher="nobody", folds=2)


def floats() -> TeachingProblem:
    """Four unit vectors in the plane, two of them on rays; a and d show both rays, b and c one each."""
    angles = np.array([0.1, 0.5, 0.9, 1.3])
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    features = [[[0.0, 0.0], *(-rows[list(pair)]).tolist()] for pair in [(0, 3), (0, 1), (2, 3), (0, 3)]]
    return TeachingProblem(features=features, target=[0] * 4, state_names=list("abcd"))


@pytest.mark.parametrize(
    ("wish", "states"),
    [
        ({"may_not": ["a"]}, ("d",)),
        ({"folds": 2}, ("a", "d")),
        ({"given": ["b"]}, ("a",)),
        ({"given": ["b", "c"]}, ()),
        ({"must": ["b"]}, ("a", "b")),
        ({"groups": {"x": ["b", "c"], "y": ["b"]}}, ("b", "c")),
    ],
)
def test_floats_can_be_asked_the_same(wish: dict[str, Any], states: tuple[str, ...]) -> None:
    """Statuses, folds and groups are about classes of differences."""
    lesson = teach(floats(), **wish)
    assert lesson.states == states
    for fast in (False, True):
        assert hornbook.check(lesson.certificate(), floats(), fast=fast).size == len(states)


def test_beliefs_need_exact_numbers() -> None:
    """Whether a float difference is implied by a belief would depend on its noise."""
    with pytest.raises(hornbook.BadProblem, match="needs exact data"):
        teach(floats(), prior=UP)
    assert teach(floats().taken_exactly(), prior=UP).is_minimum


def test_the_order_of_the_input_does_not_matter() -> None:
    """Rows, groups, ids and beliefs in any order: the same bytes."""
    problem = environment("six_rays")
    names = [problem.state_id(row) for row in range(problem.num_states)]
    wishes: dict[str, Any] = {
        "must": names[:2],
        "given": names[2:4],
        "prior": [((3, 1, 1), "weak"), ((1, 5, 1), "strict")],
    }
    texts = set()
    for turn in (list, reversed):
        turned = {key: list(turn(value)) for key, value in wishes.items()}  # type: ignore[operator]
        texts.add(certificate_text(teach(problem, **turned).certificate()))
    assert len(texts) == 1
    groups = {name: names[i : i + 3] for i, name in enumerate("BCA")}
    both = (groups, {name: groups[name][::-1] for name in sorted(groups)})
    assert len({certificate_text(teach(problem, groups=each).certificate()) for each in both}) == 1


def test_a_lesson_is_saved_with_what_was_asked(tmp_path: Path) -> None:
    """And read again with it."""
    path = tmp_path / "lesson.json"
    for wish in ({"given": ["t"]}, {"groups": {"A": ["s"]}}):
        lesson = teach(environment("two_rays"), **wish)  # type: ignore[arg-type]
        lesson.save(path)
        loaded = Lesson.load(path)
        assert (loaded.request, loaded.groups, repr(loaded)) == (lesson.request, lesson.groups, repr(lesson))


def test_explanations_count_what_is_given() -> None:
    """What a given state shows, no demonstration is the only one to show; and it may imply others."""
    lesson = teach(environment("two_rays"), given=["t"])
    assert [each.only_shows for each in explain(lesson)] == [(0,)]
    assert {term.state for implied in how_implied(lesson, "u") for term in implied.terms} <= {"s", "t"}
    assert without(teach(environment("two_rays"), folds=2), "s") is None
    assert lesson.misconceptions[0].refuted_by == ("s",)
    assert lesson.misconception(1).refuted_by == ("s", "t")


def test_what_cannot_be_told_is_refused() -> None:
    """Explanations know no beliefs, and the page only smallest lessons."""
    with pytest.raises(hornbook.BadProblem, match="explanations do not tell of that"):
        explain(teach(environment("two_rays"), prior=UP))
    with pytest.raises(hornbook.BadProblem, match="not told by kinds"):
        coverage_matrix(teach(environment("two_rays"), folds=2))
    with pytest.raises(hornbook.BadProblem, match="more was asked of this one"):
        page(teach(environment("two_rays"), folds=2))


def test_the_plain_checker_accepts_no_request() -> None:
    """It does not know what they mean."""
    problem = environment("two_rays")
    certificate = teach(problem, given=["t"]).certificate()
    with pytest.raises(Exception, match="keys are not"):
        check_rows(certificate, problem.rows(), identity=problem.identity)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"must": "s"}, "must: 's' is one text; give a list"),
    ({"must": ["z"]}, "must: there is no state 'z'"),
    ({"given": [7]}, "given: there is no state at row 7"),
    ({"must": ["s"], "given": ["s"]}, "'s' is in must and in given"),
    ({"folds": 0}, "folds: '0' is not a whole number of at least 1"),
    ({"folds": True}, "folds: 'True'"),
    ({"folds": 1.5}, "folds: '1.5'"),
    ({"groups": ["s"]}, "groups: give a mapping"),
    ({"groups": {1: ["s"]}}, "groups: '1' is no name"),
    ({"groups": {"A": "s"}}, "group 'A': 's' is no list"),
    ({"groups": {"A": 3}}, "group 'A': '3' is no list"),
    ({"groups": {"A": []}}, "group 'A': there is no state in it"),
    ({"groups": {"A": ["z"]}}, "group 'A': there is no state 'z'"),
    ({"groups": {"A": {"cost": 1}}}, "group 'A': give states and"),
    ({"groups": {"A": {"states": ["s"], "price": 1}}}, "not price"),
    ({"groups": {"A": {"states": ["s"], "cost": -1}}}, "the cost -1 is negative"),
    ({"groups": {"A": {"states": ["s"], "cost": "x"}}}, "group 'A': cost: "),
    ({"groups": {"A": ["s"]}, "must": ["s"]}, "must: there is no group 's'"),
    ({"prior": [(1, 0)]}, "prior 0: give a pair"),
    ({"prior": ["ab"]}, "prior 0: give a pair"),
    ({"prior": [((1, 0), "firm")]}, "prior 0: give a pair"),
    ({"prior": [("10", "weak")]}, "prior 0: '10' is no vector"),
    ({"prior": [((1, 0, 0), "weak")]}, "prior 0: the vector has 3 numbers for 2 features"),
    ({"prior": [((1, "x"), "weak")]}, "prior 0: "),
    ({"prior": [((0, 0), "weak")]}, "prior 0: the zero vector says nothing"),
]


@pytest.mark.parametrize(("wish", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_wishes_are_named(wish: dict[str, Any], words: str) -> None:
    """Which wish, and what is wrong with it."""
    with pytest.raises(hornbook.BadProblem) as caught:
        teach(environment("two_rays"), **wish)
    assert words in str(caught.value)


FILES: list[tuple[Any, str]] = [
    ([], "the text is not a JSON object"),
    ({"format": "hornbook-request"}, 'it must say "format"'),
    ({"version": 1}, 'it must say "format"'),
    ({"more": 1}, "'more' is not part of a request"),
    ({"must": "s"}, "must is not a list of ids"),
    ({"given": [1]}, "given is not a list of ids"),
    ({"prior": {}}, "prior is not a list"),
    ({"prior": [[1, 0]]}, "prior 0 is not of the form"),
    ({"prior": [{"vector": 1, "kind": "weak"}]}, "its vector is not a list"),
]


@pytest.mark.parametrize(("content", "words"), FILES, ids=[words for _, words in FILES])
def test_bad_files_are_named(content: Any, words: str, tmp_path: Path) -> None:
    """The file, and what is wrong in it."""
    from hornbook.formats import load_request

    path = tmp_path / "wish.json"
    about = {} if "it must say" in words else {"format": "hornbook-request", "version": 1}
    path.write_text(json.dumps({**about, **content} if isinstance(content, dict) else content))
    with pytest.raises(hornbook.BadProblem) as caught:
        load_request(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)


def test_decimals_in_a_file_are_meant_as_written(tmp_path: Path) -> None:
    """0.1 is a tenth, as a cost and in a vector."""
    from hornbook.formats import load_request

    path = tmp_path / "wish.json"
    told = '{"groups": {"A": {"states": ["s"], "cost": 0.1}}, "prior": [{"vector": [0.1, 1], "kind": "weak"}]}'
    path.write_text(told.replace("{", '{"format": "hornbook-request", "version": 1, ', 1))
    lesson = teach(environment("two_rays"), **load_request(str(path)))
    assert lesson.cost == Fraction(1, 10)
    assert lesson.certificate()["request"]["prior"] == [[[1, 10], "weak"]]
    path.write_text('{"format": "hornbook-request", "version": 1, "groups": null, "given": ["s"]}')
    assert teach(environment("two_rays"), **load_request(str(path))).size == 0


def test_numbers_of_a_request_are_written_as_in_certificates() -> None:
    """Texts from 2^53 up."""
    lesson = teach(environment("two_rays"), prior=[((2**60, 1), "weak")], groups={"A": {"states": [0], "cost": 2**53}})
    request = lesson.certificate()["request"]
    assert request["prior"] == [[[str(2**60), 1], "weak"]]
    assert request["groups"][0]["cost"] == str(2**53)
    hornbook.check(lesson.certificate(), environment("two_rays"))


def test_sums_with_beliefs_need_a_strict_one() -> None:
    """(1, 1) is the sum of two weak beliefs, and they do not say that its product is positive."""
    weak = Vectors.of([(0, 1), (1, 0)], 2)
    with pytest.raises(ValueError, match="is no sum of the generators with a strict one"):
        believed_sums(weak, Vectors.of([(1, 1)], 2), strict=[False, False])


def test_many_special_states_and_large_problems() -> None:
    """Large readings, in machine code, know the statuses too: half of the boards may not be shown."""
    problem = environment("diamond:5")
    names = [problem.state_id(row) for row in range(0, problem.num_states, 2)]
    lesson = teach(problem, may_not=names, folds=2, given=[problem.state_id(1)])
    assert set(lesson.states).isdisjoint(names)
    assert hornbook.check(lesson.certificate(), problem, fast=True).size == lesson.size


def test_a_conflict_that_cannot_be_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the ray finder contradict what was found to agree, that is an error and not a refusal."""
    monkeypatch.setattr("hornbook.rays.find_rays", lambda *_, **__: Conflict((0,), (1,)))
    believed = Believed(Vectors.of([(1, 0)], 2), np.array([True]))
    with pytest.raises(ArithmeticError, match="that were found to agree"):
        find_faces(Vectors.of([(0, 1)], 2), believed)


def test_faces_have_a_length() -> None:
    """Two rays, one of them believed strictly: one face is left."""
    believed = Believed(Vectors.of([(1, 0)], 2), np.array([True]))
    faces = find_faces(Vectors.of([(0, 1), (1, 0)], 2), believed)
    assert isinstance(faces, Faces)
    assert len(faces) == 1
