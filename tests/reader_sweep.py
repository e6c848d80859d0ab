"""Look for files that a reader or the checker chokes on: `python -m tests.reader_sweep --rounds 1`.

Good files of every format are cut short, bent and spliced.  Each is either read, or refused in one line that names it;
nothing else may be raised, and nothing may take long.  The first finding is kept in a file, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

import hornbook
from hornbook.formats import FORMATS, save

ROUND = 20_000
PATIENCE = 1.0  # seconds of processor time for one small file
GRAINS = (
    *(b"", b"\0", b"\xff", b",", b'"', b"\n", b"=", b"{", b"-1", b"1/0", b"NaN", b"1e400", b"\xef\xbb\xbf"),
    *(b"9" * 5000, b"[" * 2000),
)


def seeds(folder: Path) -> dict[str, bytes]:
    """A good file of each format, and a certificate."""
    problem = hornbook.TeachingProblem(
        features=[[["1/3", 0], [0, 0]], [[0, 1], [0, 0]], [[1, 1], [0, 0]]],
        target=[0, 0, 0],
        state_names=["a", "b", "c"],
        action_names=["go", "stay"],
        cost=[1, 2, "1/2"],
    )
    plain = hornbook.TeachingProblem(features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]]], target=[0, 0])
    found = {}
    for ending in FORMATS:
        path = folder / f"seed{ending}"
        save(plain if ending in (".parquet", ".arrow") else problem, path)
        found[ending] = path.read_bytes()
    found[".cert"] = json.dumps(hornbook.teach(plain).certificate()).encode()
    return found


def bent(data: bytes, draw: random.Random) -> bytes:
    """One to four changes."""
    for _ in range(draw.randint(1, 4)):
        place, kind = draw.randrange(len(data) + 1), draw.randrange(5)
        if kind == 0:
            data = data[:place]
        elif kind == 1 and place < len(data):
            data = data[:place] + bytes([data[place] ^ 1 << draw.randrange(8)]) + data[place + 1 :]
        elif kind == 2:
            data = data[:place] + draw.choice(GRAINS) + data[place:]
        elif kind == 3:
            other = draw.randrange(len(data) + 1)
            data = data[:place] + data[other : other + draw.randint(0, 64)] + data[place:]
        else:
            data = data[:place] + data[place + draw.randint(1, 8) :]
    return data


def complaint(path: Path, claimed: hornbook.TeachingProblem) -> tuple[str, str]:
    """What became of a file, and what is wrong with that, if anything."""
    began = time.process_time()
    try:
        if path.suffix == ".cert":
            hornbook.check(json.loads(path.read_bytes()), claimed)
            ended = "accepted"
        else:
            problem = hornbook.load(path)
            for _ in problem.rows():
                pass
            ended = "read"
    except hornbook.Rejected:
        ended = "refused"
    except hornbook.HornbookError as error:
        ended = "refused"
        if "\n" in str(error) or not str(error).startswith(str(path)):
            return ended, f"the message does not name the file in one line: {str(error)[:300]!r}"
    except (ValueError, RecursionError) as error:
        ended = "refused"
        if path.suffix != ".cert":
            return ended, f"{type(error).__name__}: {error}"
    except Exception as error:
        return "raised", f"{type(error).__name__}: {error}"
    spent = time.process_time() - began
    return ended, f"{spent:.1f} s" if spent > PATIENCE else ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.reader_sweep", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="how many rounds (default 1)")
    parser.add_argument("--round-size", type=int, default=ROUND, help="files in a round (default 20,000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first file")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    outcomes: Counter[str] = Counter()
    claimed = hornbook.TeachingProblem(features=[[[1, 0], [0, 0]], [[0, 1], [0, 0]]], target=[0, 0])
    with tempfile.TemporaryDirectory() as folder:
        good = seeds(Path(folder))
        for number in range(options.rounds * options.round_size):
            draw = random.Random(f"{options.seed} {number}")
            ending = draw.choice(sorted(good))
            path = Path(folder, f"bent{ending}")
            path.write_bytes(bent(good[ending], draw))
            ended, wrong = complaint(path, claimed)
            outcomes[f"{ending[1:]} {ended}"] += 1
            if wrong:
                kept = Path("build", f"found-{options.seed}-{number}{ending}")
                kept.parent.mkdir(exist_ok=True)
                kept.write_bytes(path.read_bytes())
                print(f"WRONG: {kept}: {wrong}")
                return 1
    print("\n".join(f"{count:8,} {what}" for what, count in sorted(outcomes.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
