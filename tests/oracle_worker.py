"""A worker process around one exact library: JSON lines in, JSON lines out.  It imports nothing of hornbook.

    python oracle_worker.py ppl|normaliz

It says `{"ready": true}` (or false, with the reason), then answers each line `{"rows": [["1", "-2"], ...]}`
with `{"rays": [[...], ...]}`, or `{"rays": null}` when no w is positive on all rows: a row is zero, or the
cone contains a line.  Integers travel as decimal strings.  PPL also answers `"facet"`: does a row that is no
ray lie on a facet? A library may abort the whole process on bad luck; that is why it lives here and not in
the test process.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from math import gcd
from typing import Any

Vector = tuple[int, ...]
Answer = dict[str, Any]


def _primitive(row: Vector) -> Vector:
    divisor = gcd(*row)
    return tuple(entry // divisor for entry in row)


def _ppl() -> Callable[[list[Vector]], Answer]:
    import ppl

    def solve(rows: list[Vector]) -> Answer:
        system = ppl.Generator_System()
        system.insert(ppl.point(ppl.Linear_Expression([0] * len(rows[0]), 0)))
        for row in rows:
            system.insert(ppl.ray(ppl.Linear_Expression(list(row), 0)))
        cone = ppl.C_Polyhedron(system)
        rays = []
        for generator in cone.minimized_generators():
            if generator.is_line():
                return {"rays": None}
            if generator.is_ray():
                rays.append(_primitive(tuple(int(c) for c in generator.coefficients())))
        walls = [
            tuple(int(c) for c in wall.coefficients())
            for wall in cone.minimized_constraints()
            if not wall.is_equality()
        ]
        return {"rays": rays, "facet": _some_on_a_facet(rows, rays, walls=walls)}

    return solve


def _some_on_a_facet(rows: list[Vector], rays: list[Vector], *, walls: list[Vector]) -> bool:
    others = {_primitive(row) for row in rows}.difference(rays)
    return any(not sum(a * x for a, x in zip(wall, row, strict=True)) for row in others for wall in walls)


def _normaliz() -> Callable[[list[Vector]], Answer]:
    import PyNormaliz_cpp as normaliz

    normaliz.NmzSetNumberOfNormalizThreads(1)

    def solve(rows: list[Vector]) -> Answer:
        cone = normaliz.NmzCone(cone=[list(row) for row in rows])
        # BigInt: 64-bit arithmetic is twice as fast but would have to be trusted to notice overflow.
        normaliz.NmzCompute(cone, ["ExtremeRays", "IsPointed", "BigInt"])
        if not normaliz.NmzResult(cone, "IsPointed"):
            return {"rays": None}
        rays = normaliz.NmzResult(cone, "ExtremeRays")
        return {"rays": [_primitive(tuple(int(c) for c in ray)) for ray in rays]}

    return solve


LIBRARIES = {"ppl": _ppl, "normaliz": _normaliz}


def _answer(solve: Callable[[list[Vector]], Answer], request: dict[str, Any]) -> Answer:
    if request.get("abort"):
        os.abort()
    time.sleep(request.get("sleep", 0))
    rows = [tuple(map(int, row)) for row in request["rows"]]
    if not all(any(row) for row in rows):
        return {"rays": None}
    if not rows:
        return {"rays": [], "facet": False}
    try:
        reply = solve(rows)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if reply["rays"] is not None:
        reply["rays"] = [list(map(str, ray)) for ray in sorted(reply["rays"])]
    return reply


def main(library: str) -> None:
    try:
        solve = LIBRARIES[library]()
    except ImportError as error:
        print(json.dumps({"ready": False, "reason": str(error)}), flush=True)
        return
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(solve, json.loads(line))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
