"""The lesson and its cone as figures for a paper: PNG, PDF or SVG by the name.

Prints:
    cone.pdf
    lesson.png
    tower.svg
"""

import sys
from pathlib import Path

import hornbook
from hornbook import figures

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
diamond = hornbook.teach(hornbook.environment("diamond:6"))
tower = hornbook.teach(hornbook.environment("polygon_tower:6"))
figures.save(figures.cone_in_plane(diamond), folder / "cone.pdf")
figures.save(figures.lesson_boards(diamond), folder / "lesson.png")
figures.save(figures.top_view(tower), folder / "tower.svg")
for path in sorted(folder.iterdir()):
    print(path.name)
