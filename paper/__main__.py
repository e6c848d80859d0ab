"""`python -m paper [NAME ...]`: run the paper's experiments and write docs/paper/."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from paper import EXPERIMENTS, experiment
from paper.writing import RESULTS, Folder, readme


def main() -> int:
    """Run what the command line asks for; the page README.md is written when all are run."""
    parser = argparse.ArgumentParser(prog="python -m paper", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(EXPERIMENTS)} (default all)")
    parser.add_argument("--folder", type=Path, default=RESULTS, help="folder to write to")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(EXPERIMENTS))
    if unknown:
        parser.error(f"there is no experiment {unknown[0]!r}; choose from {', '.join(EXPERIMENTS)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for name in options.names or EXPERIMENTS:
        began = time.perf_counter()
        section = experiment(name).run(Folder(options.folder))
        sections.append(section)
        print(f"{name}: {time.perf_counter() - began:.1f} s", flush=True)
        for claim in section.claims:
            print(f"  {'DIFFERS' if claim.proof else 'agrees '}  {claim.paper}: {claim.ours}", flush=True)
    page = readme(sections)
    if options.names:
        print(page.partition("## Where we differ")[2].partition("\n## ")[2])
    else:
        (options.folder / "README.md").write_text(page, encoding="utf-8")
        print(f"written: {options.folder / 'README.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
