"""The words of the page: what was found, why fewer will not do, and under which assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hornbook.arithmetic import number_text
from hornbook.cover import Branch, Leaf
from hornbook.lesson import Lesson
from hornbook.teaching import Trace

__all__ = ["assumptions", "counts", "lead", "lesson_words", "story"]


def lead(lesson: Lesson) -> str:
    """What the verdict means, in one sentence."""
    states = f"{lesson.counts.states:,}"
    if lesson.size == 0:
        return f"Every linear learner acts as the target in all {states} states without being shown anything."
    shown = _many(lesson.size, "demonstration")
    teaches = f"After {shown} every linear learner that agrees with them acts as the target in all {states} states"
    teaches += _provided(lesson.arithmetic)
    if lesson.is_minimum:
        fewer = "cheaper" if lesson.cost != lesson.size else "smaller"
        return f"{teaches}, and no {fewer} set of states does that."
    return f"{teaches}; any set that does costs at least {number_text(lesson.lower_bound)}."


def _provided(arithmetic: str | Mapping[str, Any]) -> str:
    """What teaching rests on where floats were merged or assumed inside; that fewer will not do rests on nothing."""
    if isinstance(arithmetic, str) or not (arithmetic["merged"] or arithmetic["assumed_inside"]):
        return ""
    return " (provided that what was merged or assumed within the noise is so: see the assumptions below)"


def counts(lesson: Lesson) -> list[tuple[str, str]]:
    """The numbers under the verdict, each with what it counts."""
    return [
        (f"{lesson.size:,}", "demonstrations"),
        (f"{lesson.counts.states:,}", "states"),
        (f"{lesson.counts.differences:,}", "differences"),
        (f"{lesson.counts.directions:,}", "directions"),
        (f"{len(lesson.rays):,}", "extreme rays"),
    ]


def lesson_words(lesson: Lesson) -> str:
    """Above the demonstrations."""
    one = "This is" if lesson.size == 1 else "These are"
    return f"{one} all that the learner is shown. Everything else follows."


def story(lesson: Lesson, trace: Trace) -> list[str]:
    """Why no cheaper set teaches, as far as that is proved."""
    proof, number = trace.cover.proof, len(lesson.misconceptions)
    bound = number_text(lesson.lower_bound)
    if number == 0:
        return ["There is nothing to refute, so nothing needs to be shown."]
    wrong = _many(number, "misconception")
    first = (
        f"The proof names {wrong}: a learner that agrees with every demonstration except those that refute "
        "it, and is wrong where it is refuted. Whoever teaches must refute each of them."
    )
    return [first, *_argument(proof, number, bound), *_ending(lesson)]


def _argument(proof: object, number: int, bound: str) -> list[str]:
    if not isinstance(proof, Leaf):
        ends = _ends(proof)
        return [
            f"Then it distinguishes {_many(ends, 'case')}, by whether certain states are shown or not, and in each of "
            f"them counting misconceptions shows that the cost is at least {bound}."
        ]
    if proof.sets:
        return [
            "Some of them come in groups of which no state refutes more than a few at a time, so that a group of five, "
            f"refuted two at a time, needs three states. Counted so, the cost is at least {bound}."
        ]
    if all(weight == 1 for _, weight in proof.weights) and Fraction(bound) == number:
        pairs = "No state refutes two of them" if number > 1 else "Only showing a state refutes it"
        return [f"{pairs}, so {_many(number, 'demonstration')} {'are' if number > 1 else 'is'} needed."]
    return [
        "They are counted with weights, chosen so that no state refutes more weight than it costs to show. The weights "
        f"add up to a cost of at least {bound}."
    ]


def _ending(lesson: Lesson) -> list[str]:
    if lesson.is_minimum:
        return [f"The lesson costs {number_text(lesson.cost)}. So it cannot be improved."]
    return [
        "Between this and the cost of the lesson the truth is not settled: the search was stopped, or not asked for."
    ]


def _ends(proof: object) -> int:
    """How many leaves a proof tree has, without recursion."""
    stack, found = [proof], 0
    while stack:
        node = stack.pop()
        if isinstance(node, Branch):
            stack += (node.taken, node.refused)
        else:
            found += 1
    return found


def assumptions(lesson: Lesson) -> list[tuple[str, str]]:
    """What is claimed of whom, and how numbers were taken."""
    return [
        (
            "Who is taught",
            "Any learner that scores actions by a linear function of the features, takes the action with the highest "
            "score, and agrees with every demonstration. A tie counts as a mistake. Learners that weigh demonstrations "
            "against each other, as a regularised one may, need not agree with them.",
        ),
        *_arithmetic(lesson.arithmetic),
        (
            "How to check it",
            "hornbook teach writes a certificate, and hornbook check reads it with a program of its own that uses only "
            "Python's standard library. The pictures on this page are rounded; the words and counts are not.",
        ),
    ]


def _arithmetic(arithmetic: str | Mapping[str, Any]) -> list[tuple[str, str]]:
    if arithmetic == "exact":
        return [("Numbers", "The features are exact numbers and were never rounded: the verdict is a theorem.")]
    if isinstance(arithmetic, str):
        return [
            (
                "Numbers",
                "The features are stored floats, taken as exactly the binary fractions they are. The verdict is a "
                "theorem about these fractions, not about numbers they were rounded from.",
            )
        ]
    merged, assumed = arithmetic["merged"], arithmetic["assumed_inside"]
    return [
        (
            f"Numbers: {arithmetic['kind']}, noise {arithmetic['noise']:.2g}",
            "Each stored number may be off by this much relative to its size. Fewer demonstrations fail for every "
            "problem within that noise.",
        ),
        (
            f"{merged:,} merged, {assumed:,} assumed inside",
            f"Differences at an angle below {arithmetic['merge']:.2g} count as parallel, and those within the noise of "
            "a sum of rays as that sum. If that is what they are, the lesson teaches; the verdict rests on it.",
        ),
        *_margins(arithmetic),
    ]


def _margins(arithmetic: Mapping[str, Any]) -> list[tuple[str, str]]:
    told = []
    if arithmetic["smallest_margin"] is not None:
        told.append(
            (
                f"Smallest margin: {arithmetic['smallest_margin']:,.3g}",
                "So many times the noise would fit between the weights of the proof and the nearest difference.",
            )
        )
    if arithmetic["tau"] is not None:
        told.append(
            (
                f"Without the assumption: tau {arithmetic['tau']:,.3g}",
                "A learner whose relative margin on what it was shown exceeds tau times the noise is right everywhere, "
                "whatever the merged differences hide.",
            )
        )
    return told


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
