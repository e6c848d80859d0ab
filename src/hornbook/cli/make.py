"""`hornbook make ENVIRONMENT -o FILE`: a built-in environment as a problem file."""

from __future__ import annotations

import click

from hornbook.cli._answer import Answer
from hornbook.cli._options import Destination, destination_options, environment_argument, talk_options
from hornbook.cli._talk import Talk

__all__ = ["command"]


@click.command("make")
@environment_argument
@destination_options("-o", "--output", required=True, help="Where to write it, as .npz, .json or .csv.")
@talk_options
def command(*, talk: Talk, environment: str, destination: Destination) -> Answer:
    """Write a built-in environment to a problem file.

    \b
    $ hornbook make two_rays -o two_rays.json
    written to two_rays.json: 3 states, 3 actions
    """
    from hornbook.environments import environment as environment_called
    from hornbook.formats import save

    subject = environment_called(environment)
    destination.rehearse()
    with talk.working():
        save(subject, str(destination.path), force=destination.force)
    size = f"{subject.num_states:,} states, {subject.num_actions:,} actions"
    return Answer({"ok": True, "written": destination.path}, lines=[f"written to {destination.path}: {size}"])
