"""`hornbook rays PROBLEM`: the extreme rays that every lesson must show."""

from __future__ import annotations

import click

from hornbook.cli._answer import Answer, level, whole
from hornbook.cli._options import Named, Registered, problem_argument, talk_options
from hornbook.cli._talk import Talk

__all__ = ["command"]


@click.command("rays")
@problem_argument
@click.option(
    "--finder",
    type=Registered("hornbook.rays", "RAY_FINDERS", also=("auto",)),
    default="auto",
    show_default=True,
    help="Which algorithm finds them; the answer is the same.",
)
@talk_options
def command(*, talk: Talk, problem: Named, finder: str) -> Answer:
    """List the extreme rays that every lesson must show.

    They are primitive integer vectors, sorted by value.  A set of states
    teaches exactly when it shows a difference on each of them.

    \b
    $ hornbook rays diamond:6
    2 rays of 43 directions (exact)
      -5 1
      1 0
    """
    from hornbook.differences import collect_differences
    from hornbook.frames import extreme_rays, shown_rays

    subject = problem.load()
    with talk.working() as progress:
        differences = collect_differences(subject, progress=progress)
        frame = extreme_rays(subject, differences, ray_finder=finder, progress=progress)
        found = shown_rays(frame)
    among = f"{len(differences.directions):,} directions ({level(subject)})"
    data = [[v if isinstance(v, float) else whole(v) for v in ray] for ray in found]
    lines = [f"{len(found):,} rays of {among}", *(f"  {' '.join(map(str, ray))}" for ray in data)]
    return Answer({"ok": True, "rays": data}, lines=lines)
