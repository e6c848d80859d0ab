"""One peer in one process: JSON lines in, JSON lines out.  `python -m benchmarks.worker PEER DATA.npz`.

It loads and warms up the peer, says so, and then solves once for every line it reads.  Times are of the solving alone:
starting Python, loading data and compiling are not in them (compiling is told apart).
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from importlib import import_module
from typing import Any


def main(peer_name: str, path: str) -> None:
    """Answer until there is nothing more to read."""
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints must not get between the lines
    peer = import_module(f"benchmarks.peers.{peer_name}")
    started = time.perf_counter()
    getattr(peer, "warm_up", lambda: None)()
    warmed = time.perf_counter() - started
    prepared = peer.prepare(path)
    _say(channel, {"ready": True, "version": peer.version(), "options": peer.OPTIONS, "warm_up": round(warmed, 3)})
    for _line in sys.stdin:
        before, began = time.process_time(), time.perf_counter()
        answer = peer.solve(prepared)
        seconds, cpu = time.perf_counter() - began, time.process_time() - before
        extra, answer = answer if isinstance(answer, tuple) else ({}, answer)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        _say(channel, {"seconds": seconds, "cpu": cpu, "peak_mb": peak, "answer": answer, "told": extra})


def _say(channel: Any, message: dict[str, Any]) -> None:
    channel.write(json.dumps(message) + "\n")
    channel.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
