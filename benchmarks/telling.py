"""Figures as JSON for machines and as a Markdown table for people."""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.cases import Case, Family
from benchmarks.running import ROOT, Figure

__all__ = ["RESULTS", "machine", "write"]

RESULTS = ROOT / "benchmarks" / "results"
Row = tuple[Case, list[Figure]]


def machine() -> dict[str, Any]:
    """Where and with what the figures were taken."""
    model = [line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return {
        "processor": model[0] if model else platform.processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "commit": commit.stdout.strip(),
        "threads": os.environ.get("OMP_NUM_THREADS", "as many as cores"),
    }


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def write(family: Family, rows: list[Row], *, folder: Path = RESULTS) -> None:
    """`<family>.json` and `<family>.md`, replaced as a whole."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "family": family.name,
        "about": family.about,
        "machine": machine(),
        "cases": [
            {"case": case.name, "sizes": dict(case.sizes), "figures": [figure.record() for figure in figures]}
            for case, figures in rows
        ],
    }
    (folder / f"{family.name}.json").write_text(json.dumps(record, indent=1) + "\n")
    (folder / f"{family.name}.md").write_text(table(family, rows))


def table(family: Family, rows: list[Row]) -> str:
    """One row for each case: our seconds, and for each peer how many times as long it took."""
    peers = list(dict.fromkeys(f.peer for _, figures in rows for f in figures[1:]))
    sizes = list(dict.fromkeys(key for case, _ in rows for key in case.sizes))
    head = ["case", *sizes, "ours (s)", *peers]
    lines = [f"# {family.name}", "", family.about, "", _line(head), _line(["---"] * len(head))]
    for case, (ours, *others) in rows:
        by_name = {figure.peer: figure for figure in others}
        cells = [_cell(by_name.get(peer), ours) for peer in peers]
        lines.append(_line([case.name, *(str(case.sizes.get(s, "")) for s in sizes), _ours(ours), *cells]))
    lines += _gaps(rows)
    used = {f.peer: (f.version, f.options) for _, figures in rows for f in figures if f.version}
    lines += ["", *(f"- `{peer}`: {version}, {options}" for peer, (version, options) in used.items()), ""]
    return "\n".join(lines)


def _ours(figure: Figure) -> str:
    told = "".join(f", {value} {key}" for key, value in figure.told.items() if key not in ("lower", "upper"))
    return (
        f"{figure.median:.3g}{told}{_interval(figure)}"
        if figure.status == "right" and figure.median is not None
        else figure.status
    )


def _cell(figure: Figure | None, ours: Figure) -> str:
    if figure is None:
        return ""
    if figure.median is None or ours.median is None:
        return figure.status
    ratio = f"{figure.median / ours.median:.3g}x{_interval(figure)}"
    if figure.status == "right":
        return ratio
    return f"> {ratio}" if figure.status.startswith("limit") else f"{ratio} ({figure.status})"


def _interval(figure: Figure) -> str:
    """The interval that a figure tells, if it tells one."""
    lower, upper = figure.told.get("lower"), figure.told.get("upper")
    if upper is None:
        return ""
    return f" [{upper}]" if lower == upper else f" [{lower}, {upper}]"


def _gaps(rows: list[Row]) -> list[str]:
    """How far apart the ends of the intervals are, over the cases in which everybody has one."""
    told = [{f.peer: f.told for f in figures if "upper" in f.told and f.status == "right"} for _, figures in rows]
    peers = {peer for each in told for peer in each}
    shared = [each for each in told if each.keys() == peers]
    if not shared or not peers:
        return []
    means = {
        p: math.prod(each[p]["upper"] / max(1, each[p]["lower"]) for each in shared) ** (1 / len(shared)) for p in peers
    }
    text = ", ".join(f"`{peer}` {means[peer]:.4f}" for peer in sorted(peers, key=lambda peer: means[peer]))
    return [
        "",
        f"Upper over lower end, geometric mean over the {len(shared)} cases in which all have an interval: {text}.",
    ]


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
