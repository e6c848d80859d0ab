"""`hornbook test PROBLEM --states a,b,c`: does demonstrating these states teach?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hornbook.cli._answer import Answer, level, whole
from hornbook.cli._options import Named, listed, problem_argument, talk_options
from hornbook.cli._talk import Talk

if TYPE_CHECKING:
    from hornbook.problem import TeachingProblem
    from hornbook.verdicts import Counterexample, Verdict

__all__ = ["command"]

_SHOWN = 10  # undecided states; --json lists them all


@click.command("test")
@problem_argument
@click.option("--states", metavar="IDS", help="Ids between commas, or a JSON array; '' for no state.")
@click.option("--state", "more", metavar="ID", multiple=True, help="One id, commas and all; may be repeated.")
@talk_options
def command(*, talk: Talk, problem: Named, states: str | None, more: tuple[str, ...]) -> Answer:
    """Say whether demonstrating these states teaches the policy.

    If not, show a learner that agrees with every demonstration and errs.
    Exits with 0 if they teach and with 1 if they do not.

    \b
    $ hornbook test two_rays --states t
    DOES NOT TEACH: 1 of 3 states (exact)
      a learner with weights 2 -1 agrees, and prefers action c to a in state s
      undecided in 2 states: s, u
    """
    from hornbook.verdicts import counterexample

    ids = _ids(states, more)
    subject = problem.load()
    with talk.working() as progress:
        verdict = counterexample(subject, ids, progress=progress)
    data = {
        "ok": True,
        "teaches": verdict.teaches,
        "counterexample": None if verdict.counterexample is None else _data(verdict.counterexample),
        "undecided": list(verdict.undecided),
    }
    return Answer(data, lines=_lines(subject, len(set(ids)), verdict), code=0 if verdict.teaches else 1)


def _ids(states: str | None, more: tuple[str, ...]) -> list[str]:
    """All ids that were given, in whichever way."""
    if states is None and not more:
        raise click.UsageError("name the states with --states or --state; --states '' is the empty set")
    return [*listed("--states", states or ""), *more]


def _data(error: Counterexample) -> dict[str, object]:
    return {"w": [whole(v) for v in error.weights], "state": error.state, "wrong_action": error.wrong_action}


def _lines(subject: TeachingProblem, count: int, verdict: Verdict) -> list[str]:
    scope = f"{count:,} of {subject.num_states:,} states ({level(subject)})"
    error = verdict.counterexample
    if error is None:
        return [f"TEACHES: {scope}"]
    weights = " ".join(str(whole(v)) for v in error.weights)
    some = ", ".join(verdict.undecided[:_SHOWN]) + (", ..." if len(verdict.undecided) > _SHOWN else "")
    return [
        f"DOES NOT TEACH: {scope}",
        f"  a learner with weights {weights} agrees, and prefers action {error.wrong_action} "
        f"to {error.action} in state {error.state}",
        f"  undecided in {len(verdict.undecided):,} states: {some}",
    ]
