"""`hornbook ...` and `python -m hornbook ...`: Ctrl-C is looked after first, all else is imported later."""

from __future__ import annotations

import os
import sys

from hornbook.cli._interrupts import Interrupts


def main() -> None:
    """Answer the command line and leave; nothing runs after the answer, so nothing can interrupt it."""
    interrupts = Interrupts(json="--json" in sys.argv[1:])
    interrupts.install()

    from hornbook.cli._entry import run

    os._exit(run(sys.argv[1:], interrupts=interrupts))


if __name__ == "__main__":
    main()
