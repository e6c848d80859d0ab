"""`hornbook completion SHELL`: the script that makes a shell complete hornbook's commands."""

from __future__ import annotations

import click

from hornbook.cli._answer import Answer

__all__ = ["command"]


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="bash|zsh|fish")
def command(*, shell: str) -> Answer:
    """Print the script that makes a shell complete commands.

    Options, environments and files are completed too.

    \b
    bash:  eval "$(hornbook completion bash)"     in ~/.bashrc
    zsh:   eval "$(hornbook completion zsh)"      in ~/.zshrc
    fish:  hornbook completion fish | source      in ~/.config/fish/config.fish

    \b
    $ hornbook completion fish
    function _hornbook_completion;
    ...
    """
    from click.shell_completion import BashComplete, FishComplete, ZshComplete

    from hornbook.cli._entry import COMPLETE, PROGRAM, hornbook_group

    kind = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}[shell]
    return Answer(lines=kind(hornbook_group, {}, PROGRAM, COMPLETE).source().splitlines())
