"""Names are data of others: what a terminal may act on is written out wherever people read them."""

from __future__ import annotations

__all__ = ["harmless"]


def harmless(text: str) -> str:
    r"""The text with everything a terminal may act on written out: escapes, line ends, marks of direction.

    >>> print(harmless("red \x1b[31m, \u202eback, two\nlines"))
    red \x1b[31m, \u202eback, two\nlines
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
