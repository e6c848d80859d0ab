"""What a reader takes from the page: the lesson as JSON and CSV, a citation, and the command that makes it again."""

from __future__ import annotations

import csv
import io
import json
import shlex

import hornbook
from hornbook.explanations import trace_of
from hornbook.formats.csv import guarded
from hornbook.lesson import Lesson, verdict_line
from hornbook.text import harmless

__all__ = ["taken_files"]

_PAPER = """@article{optimally-teaching,
  title = {Optimally Teaching a Linear Behavior Cloning Agent},
  author = {Bharti, Shubham Kumar and Wright, Stephen and Singla, Adish and Zhu, Xiaojin},
}"""


def taken_files(lesson: Lesson, *, title: str, command: str | None) -> list[dict[str, str]]:
    """Name, key and text of each."""
    texts = {
        "json": ("JSON", json.dumps({**lesson.to_dict(), "seconds": {}}, indent=1)),
        "csv": ("CSV", _csv(lesson)),
        "bibtex": ("BibTeX", _bibtex(lesson, title)),
        "command": ("the command", command or _command(lesson)),
    }
    return [{"key": key, "name": name, "text": text} for key, (name, text) in texts.items()]


def _csv(lesson: Lesson) -> str:
    """States and actions, with nothing that a spreadsheet would take for a formula."""
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(["state", "action"])
    table.writerows([guarded(harmless(d.id)), guarded(harmless(d.action))] for d in lesson.demonstrations)
    return stream.getvalue()


def _bibtex(lesson: Lesson, title: str) -> str:
    """This lesson and the paper it builds on."""
    words = "".join(c for c in f"{title}: {verdict_line(lesson)}" if c not in "{}\\%$#&~^")
    note = f"SHA-256 of the problem: {trace_of(lesson).problem.digest}"
    mine = [
        "@misc{hornbook-lesson,",
        f"  title = {{{{{harmless(words)}}}}},",
        f"  howpublished = {{hornbook {hornbook.__version__}}},",
        f"  note = {{{note}}},",
        "}",
    ]
    return "\n".join([*mine, "", _PAPER])


def _command(lesson: Lesson) -> str:
    name = trace_of(lesson).problem.name
    return f"hornbook report {shlex.quote(name) if name else 'PROBLEM'} -o lesson.html"
