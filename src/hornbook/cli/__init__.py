"""The command line: the library read aloud.  Data goes to standard output, talk to standard error.

- `teach`: the smallest lesson of a problem, with its certificate.
- `test`: do these states teach?
- `check`: does this certificate prove its claim?
- `rays`: the extreme rays that every lesson must show.
- `explain`: why each demonstration is needed, and why others are not.
- `compare`: teachers and learners side by side.
- `report`: the lesson, its proof and pictures to play with, on one page.
- `curve`: what each further demonstration adds.
- `lessons`: all minimum lessons, and which states they share.
- `make`: write a built-in environment to a file.
- `completion`: a script that completes commands, options and environments in a shell.

To add a command: a file with a click command called `command` that returns an `Answer`, and its name in
`COMMANDS`.
"""

from __future__ import annotations

__all__ = ["COMMANDS"]

COMMANDS = ("teach", "test", "check", "rays", "explain", "compare", "curve", "lessons", "report", "make", "completion")
"""The commands, in reading order; each is the module of the same name, imported when it is used."""
