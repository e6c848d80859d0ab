"""Step 8 of 8: a lesson as people read it, in a terminal, in a notebook and on one page.

- `words`: sentences for terminals and pages: scores, sums, mistakes, conflicts.
- `sketch`: the picture of a state in a terminal's characters.
- `page`: the page, one file that loads nothing, and the same inside a notebook (extra `report`: jinja2).
- `story`, `take`: its words, and what a reader takes along; `facts`: its data for the script; `cone`, `pictures`:
  where things are drawn.
- `assets`: the template, and the script and style that `web/` is bundled into.
"""

from __future__ import annotations
