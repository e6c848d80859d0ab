"""Who is measured, one file each.

A peer has `version()`, `OPTIONS` (what it was told, for the record), `prepare(path)` (load the arrays of a case; not
timed), `solve(prepared)` (timed; returns a plain answer, or a pair of a dictionary with more to tell and the answer)
and perhaps `warm_up()`.  Peers of the rays take `vectors` (distinct primitive directions, sorted) and `weights`
(positive on all of them) and answer with the increasing list of rows on extreme rays.
"""
