"""Step 8 of 8: a lesson as people read it, in a terminal, in a notebook and on one page.

- `words`: sentences for terminals and pages: scores, sums, mistakes, conflicts.
- `sketch`: the picture of a state in a terminal's characters.
"""

from __future__ import annotations
