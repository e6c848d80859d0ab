"""Planning in finite decision processes: exact where floats have not arrived yet."""

from __future__ import annotations

from fractions import Fraction

from hornbook.environments._decisions import Table, best_actions


def stay_or_take(prize: int) -> Table:
    """Take a prize at once, or go where every step pays 1 forever."""
    take, go, earn = [(Fraction(1), 0, Fraction(prize), True)], [(Fraction(1), 1, Fraction(0), False)], Fraction(1)
    return [[take, go], [[(Fraction(1), 1, earn, False)]]]


def test_patience_beyond_what_floats_reach() -> None:
    """At a discount of 9999/10000 the far state is worth 10000, and going there 9999; two thousand float sweeps see
    less than a fifth of that.  One coin decides, and equal is a tie."""
    for prize, best in ((9998, [1]), (9999, [0, 1]), (10000, [0])):
        assert best_actions(stay_or_take(prize), discount=Fraction(9999, 10000)) == [best, [0]]
