"""The script that is shipped is what `web/` is bundled into, and its types are sound."""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of `web/` with its tools installed as the lock file says."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed: the page's bundle is not rebuilt")
    place = tmp_path_factory.mktemp("workshop") / "web"
    shutil.copytree(WEB, place, ignore=shutil.ignore_patterns("node_modules"))
    done = subprocess.run(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=place,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"the npm registry did not give esbuild: {done.stderr.strip().splitlines()[-1][:200]}")
    return place


def run(workshop: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=workshop, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_bundle_is_the_one_that_is_shipped(workshop: Path) -> None:
    """Byte by byte, so that nobody edits what is generated, and a change of `web/` is not forgotten."""
    run(workshop, "node", "build.mjs", "made")
    for name in ("page.js", "page.css"):
        shipped = files("hornbook.report").joinpath("assets", name).read_bytes()
        assert (workshop / "made" / name).read_bytes() == shipped, f"{name}: run `npm run build` in web/"


def test_the_modules_have_sound_types(workshop: Path) -> None:
    """The strict check of TypeScript finds nothing."""
    run(workshop, "node", "node_modules/typescript/bin/tsc")
