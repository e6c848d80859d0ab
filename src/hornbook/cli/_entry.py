"""From the words after `hornbook` to an exit code: every refusal becomes an answer, never a traceback."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import click

import hornbook
from hornbook.cli import COMMANDS
from hornbook.cli._answer import Answer, publish, refused
from hornbook.cli._interrupts import INTERRUPTED, NOTHING_YET, Interrupts
from hornbook.errors import BadProblem, HornbookError, Interrupted, LimitExceeded

__all__ = ["COMPLETE", "PROGRAM", "hornbook_group", "run"]

PROGRAM = "hornbook"
COMPLETE = "_HORNBOOK_COMPLETE"  # what the completion scripts set
_BUG, _UNWRITABLE = 70, 74  # EX_SOFTWARE and EX_IOERR of sysexits.h


class _Commands(click.Group):
    """The commands of `COMMANDS`, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"hornbook.cli.{cmd_name}").command
        return command


@click.group(
    cls=_Commands,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
    PROBLEM is a file (.npz, .json, .csv), - for standard input with --format, or a
    built-in environment such as diamond:6, two_rays or 'set_cover:0/1;1/2;0/2'
    (in quotes: a shell would end the command at the semicolon).

    \b
    Exit codes: 0 an answer, 1 checked and false, 2 bad input, 3 not realizable,
    4 ambiguous, 5 a limit, 6 certificate rejected, 130 interrupted.""",
)
@click.version_option(hornbook.__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
def hornbook_group() -> None:
    """The fewest demonstrations that teach a policy, proved."""


def run(arguments: Sequence[str], *, interrupts: Interrupts) -> int:
    """Answer the command line on standard output and standard error; the exit code."""
    answer = _answer(list(arguments), interrupts)
    interrupts.settle()
    if interrupts.noticed and answer.code not in (0, INTERRUPTED):
        answer = refused(Interrupted(NOTHING_YET))  # what else went wrong may be the interrupt's doing
    code = _printed(answer, interrupts)
    return INTERRUPTED if interrupts.noticed else code


def _answer(arguments: list[str], interrupts: Interrupts) -> Answer:
    try:
        if instruction := os.environ.get(COMPLETE):
            return _completed(instruction)
        with hornbook_group.make_context(PROGRAM, arguments, obj=interrupts) as context:
            answer: Answer = hornbook_group.invoke(context)
            return answer
    except click.exceptions.Exit as told:  # --help and --version have printed what they say
        return Answer(code=told.exit_code)
    except click.ClickException as error:
        return _misused(error)
    except HornbookError as error:
        return refused(error)
    except OSError as error:
        return _failed(error)
    except MemoryError:
        return refused(LimitExceeded("the memory ran out: there is no answer"))
    except BaseException as error:
        if interrupts.noticed or isinstance(error, KeyboardInterrupt):
            return refused(Interrupted(NOTHING_YET))
        return _bug(error)


def _completed(instruction: str) -> Answer:
    from click.shell_completion import shell_complete

    return Answer(code=shell_complete(hornbook_group, {}, PROGRAM, COMPLETE, instruction))


def _misused(error: click.ClickException) -> Answer:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else PROGRAM
    answer = refused(BadProblem(" ".join(error.format_message().split())))  # click sets some messages in lines
    return replace(answer, aside=(*answer.aside, f"see '{path} --help'"))


def _failed(error: OSError) -> Answer:
    """The system does not do what it was asked to: a full disk, say, or nobody reads our help any more."""
    if isinstance(error, BrokenPipeError):
        return Answer()
    message = f"input or output failed: {error}"
    return Answer({"ok": False, "error": "internal", "message": message}, aside=[message], code=_UNWRITABLE)


def _bug(error: BaseException) -> Answer:
    message = f"internal error, please report it: {type(error).__name__}: {error}"
    aside = [message, "HORNBOOK_DEBUG=1 shows where it happened"]
    if os.environ.get("HORNBOOK_DEBUG") == "1":
        import traceback

        aside[1:] = "".join(traceback.format_exception(error)).splitlines()
    return Answer({"ok": False, "error": "internal", "message": message}, aside=aside, code=_BUG)


def _printed(answer: Answer, interrupts: Interrupts) -> int:
    """Print it; a reader who has gone away is no error, a full disk is."""
    try:
        publish(answer, json_wanted=interrupts.json, out=sys.stdout, err=sys.stderr)
    except BrokenPipeError:
        return answer.code
    except OSError as error:
        with suppress(OSError):
            sys.stderr.write(f"the answer cannot be written: {error.strerror}\n")
        return _UNWRITABLE
    return answer.code
