"""`python -m benchmarks`: measure families and write their tables."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks import FAMILIES, family
from benchmarks.running import PEERS_PYTHON, measured
from benchmarks.telling import RESULTS, table, write


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=f"of {', '.join(FAMILIES)} (default all)")
    parser.add_argument("--full", action="store_true", help="the large cases, too")
    parser.add_argument("--only", default="", help="only cases whose name contains this; nothing is written")
    parser.add_argument("--peers", help="only these peers, separated by commas; nothing is written")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder to write to")
    options = parser.parse_args()
    if not PEERS_PYTHON.exists():
        print(f"no peers in {PEERS_PYTHON}: `make peers` installs them; theirs are errors now", file=sys.stderr)
    for name in options.families or FAMILIES:
        told, rows = family(name), []
        for case in told.cases:
            if (case.full and not options.full) or options.only not in case.name:
                continue
            wanted = set(options.peers.split(",")) if options.peers else set(case.peers)
            kept = tuple(peer for peer in case.peers if peer in wanted)
            print(f"{name}: {case.name}", flush=True)
            rows.append((case, measured(replace(case, peers=kept))))
            print("\n".join(figure.line() for figure in rows[-1][1]), flush=True)
        print(table(told, rows))
        if not options.only and not options.peers:
            write(told, rows, folder=options.results)
    return 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        tempfile.tempdir = scratch
        sys.exit(main())
