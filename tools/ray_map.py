"""Which ray engine wins where: measured by `python tools/ray_map.py`, which draws `docs/pictures/ray-engines.svg`.

Processor time of one thread (`OMP_NUM_THREADS=1`), the better of two runs, kernels compiled before.  An engine that
takes longer than a minute on one cell is left out of it.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MEASURED = ROOT / "benchmarks" / "results" / "ray-engines.json"
PICTURE = ROOT / "docs" / "pictures" / "ray-engines.svg"
PLANTED = [
    *((3, 20_000, 50), (3, 20_000, 2_000), (5, 5_000, 50), (5, 5_000, 1_000), (8, 5_000, 50), (8, 5_000, 1_000)),
    *((16, 5_000, 50), (16, 5_000, 1_000), (32, 2_000, 50), (32, 2_000, 500)),
]
GAUSSIAN = [(3, 20_000), (5, 5_000), (8, 5_000), (16, 3_000), (32, 2_000), (64, 1_000)]
COLOURS = {"hull": "#0072b2", "simplex": "#009e73", "cuts": "#d55e00", "incremental": "#999999", "suited": "#000000"}
MARKS = {"hull": "D", "simplex": "o", "cuts": "s", "incremental": "^", "suited": "+"}
PATIENCE = 60


def measured() -> list[dict[str, Any]]:
    """Seconds of each engine on each cell."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.gaussian import gaussian
    from benchmarks.planted import planted

    cells = [(f"d={d} planted m={m:,} h={h:,}", d, planted(d=d, m=m, h=h)) for d, m, h in PLANTED]
    cells += [(f"d={d} gaussian m={m:,}", d, gaussian(d=d, m=m)) for d, m in GAUSSIAN]
    for _, d, data in cells:  # compile first
        seconds_of("suited" if d > 3 else "hull", data)
    rows = []
    for name, d, data in sorted(cells, key=lambda cell: cell[1]):
        engines = ("hull", "incremental") if d == 3 else ("simplex", "cuts", "incremental", "suited")
        times = {engine: seconds_of(engine, data) for engine in engines}
        rows.append({"cell": name, "seconds": {engine: t for engine, t in times.items() if t is not None}})
        print(rows[-1], flush=True)
    return rows


def seconds_of(engine: str, data: Mapping[str, Any]) -> float | None:
    """The better of two runs, or None after a minute."""
    from hornbook.arithmetic import Vectors
    from hornbook.rays import find_rays

    best: float | None = None
    signal.signal(signal.SIGALRM, _too_long)
    try:
        for _ in range(2):
            signal.alarm(PATIENCE)
            began = time.process_time()
            find_rays(Vectors(data["vectors"]), finder=engine)
            seconds = time.process_time() - began
            best = seconds if best is None else min(best, seconds)
    except TimeoutError:
        return best
    finally:
        signal.alarm(0)
    return best


def _too_long(*_: object) -> None:
    raise TimeoutError


def draw(rows: list[dict[str, Any]]) -> None:
    """How many times the best engine's time each takes, cell by cell."""
    from matplotlib import pyplot

    pyplot.rcParams["svg.hashsalt"] = "hornbook"
    figure, axes = pyplot.subplots(figsize=(8, 0.34 * len(rows) + 1.2), layout="constrained")
    for place, row in enumerate(rows):
        best = min(row["seconds"].values())
        for engine, seconds in row["seconds"].items():
            style = {"color": COLOURS[engine], "marker": MARKS[engine], "linestyle": "none", "label": engine}
            axes.plot([seconds / best], [place], markersize=11 if engine == "suited" else 6, **style)
    axes.set_yticks(range(len(rows)), [row["cell"] for row in rows])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("times the best engine's time ('suited' is the choice that is made)")
    axes.grid(axis="x", alpha=0.3)
    shown = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    axes.legend(shown.values(), shown.keys(), loc="lower right")
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    if "--draw" not in sys.argv:
        MEASURED.parent.mkdir(parents=True, exist_ok=True)
        MEASURED.write_text(json.dumps(measured(), indent=1) + "\n")
    draw(json.loads(MEASURED.read_text()))
