"""Tables in long form that are easy to read wrongly: what they say, for every reader of them.

A row is (state, action, available, target, cost, features), as the hash and the checker see it, states in id order.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Row = tuple[str, str, bool, bool, Any, tuple[Any, ...]]
HEAD = "state,action,target,"


def plain(state: str, action: str, target: int, *features: Any, cost: Any = 1) -> Row:
    return (state, action, True, bool(target), cost, features)


@dataclass(frozen=True)
class Table:
    """A file and its rows; `exact` are the rows when decimals are meant as written."""

    text: str | bytes
    rows: list[Row]
    arithmetic: str = "exact"
    exact: list[Row] | None = None

    @property
    def data(self) -> bytes:
        return self.text.encode() if isinstance(self.text, str) else self.text


AB = [plain("s", "a", 1, 1, 0), plain("s", "b", 0, 0, 0)]

GOOD: dict[str, Table] = {
    "plain": Table(HEAD + "f,g\ns,a,1,1,0\ns,b,0,0,0\n", AB),
    "windows": Table(HEAD + "f,g\r\ns,a,1,1,0\r\ns,b,0,0,0\r\n", AB),
    "no line end at the end": Table(HEAD + "f,g\ns,a,1,1,0\ns,b,0,0,0", AB),
    "everything in quotes": Table('"state","action","target","f","g"\n"s","a","1","1","0"\n"s","b","0","0","0"\n', AB),
    "columns in another order": Table(
        "g,target,f,action,state\n0,1,1,a,s\n0,0,0,b,s\n", [plain("s", "a", 1, 0, 1), plain("s", "b", 0, 0, 0)]
    ),
    "named targets": Table(HEAD + "f,g\ns,a,a,1,0\ns,b,a,0,0\n", AB),
    "numbered actions, flagged": Table(HEAD + "f\ns,0,0,1\ns,1,1,2\n", [plain("s", "0", 0, 1), plain("s", "1", 1, 2)]),
    "numbered actions, named": Table(HEAD + "f\ns,0,1,1\ns,1,1,2\n", [plain("s", "0", 0, 1), plain("s", "1", 1, 2)]),
    "numbered actions, named zero": Table(
        HEAD + "f\ns,1,0,1\ns,0,0,2\n", [plain("s", "1", 0, 1), plain("s", "0", 1, 2)]
    ),
    "one action": Table(HEAD + "f\ns,0,1,1\n", [plain("s", "0", 1, 1)]),
    "no state": Table(HEAD + "f\n", []),
    "ragged": Table(
        HEAD + "f\ns,a,1,1\ns,b,0,2\nt,c,1,3\n", [plain("s", "a", 1, 1), plain("s", "b", 0, 2), plain("t", "c", 1, 3)]
    ),
    "the same actions in another order": Table(
        HEAD + "f\ns,a,1,1\ns,b,0,2\nt,b,1,3\nt,a,0,4\n",
        [plain("s", "a", 1, 1), plain("s", "b", 0, 2), plain("t", "b", 1, 3), plain("t", "a", 0, 4)],
    ),
    "ids sorted by value": Table(HEAD + "f\n10,a,1,1\n9,a,1,2\n", [plain("9", "a", 1, 2), plain("10", "a", 1, 1)]),
    "ids sorted by code point": Table(
        HEAD + "f\nb10,a,1,1\nb9,a,1,2\n", [plain("b10", "a", 1, 1), plain("b9", "a", 1, 2)]
    ),
    "ids that look alike": Table(
        HEAD + "f\n1,a,1,1\n01,a,1,2\n 1,a,1,3\n1.0,a,1,4\n",
        [plain(" 1", "a", 1, 3), plain("01", "a", 1, 2), plain("1", "a", 1, 1), plain("1.0", "a", 1, 4)],
    ),
    "empty ids": Table(HEAD + "f\n,,1,1\n", [plain("", "", 1, 1)]),
    "commas, quotes and lines in ids": Table(
        HEAD + 'f\n"a,b","say ""hi""",1,1\n"two\nlines","\r\n",1,2\n',
        [plain("a,b", 'say "hi"', 1, 1), plain("two\nlines", "\r\n", 1, 2)],
    ),
    "a quote in the middle": Table(HEAD + 'f\n5"inch,a,1,1\n', [plain('5"inch', "a", 1, 1)]),
    "ids in any script": Table(HEAD + "f\n雪,\u202ea,1,1\n", [plain("雪", "\u202ea", 1, 1)]),
    "formulas": Table(
        HEAD + "f\n'=cmd(),'@x,1,1\n''=y,-1,1,2\n'plain,'-1,1,3\n=raw,''quoted,1,4\n",
        [
            plain("'=y", "-1", 1, 2),
            plain("'plain", "-1", 1, 3),
            plain("=cmd()", "@x", 1, 1),
            plain("=raw", "''quoted", 1, 4),
        ],
    ),
    "formulas as targets": Table(
        HEAD + "f\ns,'=a,'=a,1\ns,'=b,'=a,2\n", [plain("s", "=a", 1, 1), plain("s", "=b", 0, 2)]
    ),
    "features called like other columns": Table(
        "state,action,target,available,cost,state,cost\ns,a,1,1,2,3,4\n", [plain("s", "a", 1, 3, 4, cost=2)]
    ),
    "actions that are not available": Table(
        "state,action,target,available,f\ns,a,1,1,1\ns,b,0,0,\nt,a,0,0,0.5\nt,b,1,1,2\n",
        [
            plain("s", "a", 1, 1),
            ("s", "b", False, False, 1, ()),
            ("t", "a", False, False, 1, ()),
            plain("t", "b", 1, 2),
        ],
    ),
    "costs": Table(
        "state,action,target,cost,f\ns,a,1,0.1,1\ns,b,0,1/10,2\nt,a,1,0,1\nt,b,0,0,2\n",
        [
            plain("s", "a", 1, 1, cost=Fraction(1, 10)),
            plain("s", "b", 0, 2, cost=Fraction(1, 10)),
            plain("t", "a", 1, 1, cost=0),
            plain("t", "b", 0, 2, cost=0),
        ],
    ),
    "numbers": Table(
        HEAD + f"a,b,c,d,e,f\ns,a,1,007,-6/4,+3, 5\t,{2**80},0/7\n",
        [plain("s", "a", 1, 7, Fraction(-3, 2), 3, 5, 2**80, 0)],
    ),
    "integers beyond int64 beside small ones": Table(
        HEAD + f"a,b\ns,a,1,{2**63 - 1},1\ns,b,0,{-(2**63)},-1\n",
        [plain("s", "a", 1, 2**63 - 1, 1), plain("s", "b", 0, -(2**63), -1)],
    ),
    "decimals that are integers": Table(HEAD + "a,b,c,d\ns,a,1,2.0,1e3,5.,-0.0\n", [plain("s", "a", 1, 2, 1000, 5, 0)]),
    "integral decimals beside fractions": Table(HEAD + "a,b\ns,a,1,1.0,1/3\n", [plain("s", "a", 1, 1, Fraction(1, 3))]),
    "integral decimals beside large integers": Table(
        HEAD + f"a\ns,a,1,1.0\ns,b,0,{2**60 + 1}\n", [plain("s", "a", 1, 1), plain("s", "b", 0, 2**60 + 1)]
    ),
    "a decimal": Table(
        HEAD + "a,b\ns,a,1,0.1,1\ns,b,0,-.5,3\n",
        [plain("s", "a", 1, 0.1, 1.0), plain("s", "b", 0, -0.5, 3.0)],
        "float64",
        [plain("s", "a", 1, Fraction(1, 10), 1), plain("s", "b", 0, Fraction(-1, 2), 3)],
    ),
    "an exponent": Table(
        HEAD + "a\ns,a,1,25E-3\n", [plain("s", "a", 1, 0.025)], "float64", [plain("s", "a", 1, Fraction(1, 40))]
    ),
    "a large decimal": Table(
        HEAD + "a\ns,a,1,1e300\n", [plain("s", "a", 1, 1e300)], "float64", [plain("s", "a", 1, 10**300)]
    ),
    "fractions beside a decimal": Table(
        HEAD + f"a,b,c\ns,a,1,1/3,0.5,{2**60 + 1}\n",
        [plain("s", "a", 1, 1 / 3, 0.5, float(2**60))],
        "float64",
        [plain("s", "a", 1, Fraction(1, 3), Fraction(1, 2), 2**60 + 1)],
    ),
    "the nearest float": Table(
        HEAD + "a\ns,a,1,9007199254740993.0000000000000001\n",
        [plain("s", "a", 1, 9007199254740994.0)],
        "float64",
        [plain("s", "a", 1, Fraction(9007199254740993 * 10**16 + 1, 10**16))],
    ),
}

BAD: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "the first line is empty"),
    "an empty line": ("\n" + HEAD + "f\n", "the first line is empty"),
    "no header": ("s,a,1,1\n", "there is no column 'state'"),
    "a semicolon": ("state;action;target;f\ns;a;1;1\n", "there is no column 'state'"),
    "a space in the header": ("state, action,target,f\n", "there is no column 'action'"),
    "no feature": ("state,action,target\ns,a,1\n", "there is no feature"),
    "features of one name": (HEAD + "f,f\ns,a,1,1,1\n", "'f' names both feature 0 and feature 1"),
    "byte order mark": (b"\xef\xbb\xbf" + HEAD.encode() + b"f\n", "byte order mark"),
    "UTF-16": ((HEAD + "f\n").encode("utf-16"), "byte order mark"),
    "UTF-16 without a mark": ((HEAD + "f\n").encode("utf-16-le"), "row 1 has a NUL"),
    "Latin-1": (HEAD.encode() + b"f\n\xe9,a,1,1\n", "not UTF-8"),
    "a surrogate": (HEAD.encode() + b"f\n\xed\xa0\x80,a,1,1\n", "not UTF-8"),
    "NUL": (HEAD + "f\ns,a,1,1\ns\0,b,0,1\n", "row 3 has a NUL"),
    "a row too short": (HEAD + "f\ns,a,1,1\ns,b,0\n", "row 3 has 3 cells; the header has 4"),
    "a row too long": (HEAD + "f\ns,a,1,1,1\n", "row 2 has 5 cells"),
    "an empty row": (HEAD + "f\ns,a,1,1\n\ns,b,0,1\n", "row 3 has 0 cells"),
    "an open quote": (HEAD + 'f\ns,"a,1,1\n', "unexpected end of data"),
    "something after a quote": (HEAD + 'f\ns,"a"b,1,1\n', "expected after"),
    "a long cell": (HEAD + "f\ns,a,1," + "9" * 200_000 + "\n", "field larger than"),
    "apart": (HEAD + "f\ns,a,1,1\nt,a,1,1\ns,b,0,1\n", "row 4: the rows of state 's' do not stand together"),
    "an action twice": (HEAD + "f\ns,a,1,1\ns,a,0,1\n", "row 3: state 's' has the action 'a' twice"),
    "no target": (HEAD + "f\ns,a,0,1\ns,b,0,1\n", "row 2: state 's' has the targets '0', '0'"),
    "two targets": (HEAD + "f\ns,a,1,1\ns,b,1,1\n", "has the targets '1', '1'"),
    "a target of -1": (HEAD + "f\ns,0,-1,1\ns,1,-1,1\n", "has the targets '-1', '-1'"),
    "a target past the end": (HEAD + "f\ns,0,2,1\ns,1,2,1\n", "has the targets '2', '2'"),
    "a target of 1.5": (HEAD + "f\ns,0,1.5,1\ns,1,1.5,1\n", "has the targets '1.5', '1.5'"),
    "a target that is no number": (HEAD + "f\ns,0,NaN,1\ns,1,0,1\n", "has the targets 'NaN', '0'"),
    "targets that differ": (HEAD + "f\ns,a,a,1\ns,b,b,1\n", "has the targets 'a', 'b'"),
    "a target of another state": (HEAD + "f\ns,a,a,1\nt,b,a,1\n", "row 3: state 't' has the targets 'a'"),
    "targets in two ways": (
        HEAD + "f\ns,a,1,1\ns,b,0,1\nt,a,a,1\nt,b,a,1\n",
        "row 2: state 's' has the targets '1', '0'",
    ),
    "a target that is not available": ("state,action,target,available,f\ns,a,1,0,\ns,b,0,1,1\n", "not available"),
    "neither available nor not": ("state,action,target,available,f\ns,a,1,yes,1\n", "row 2, column 'available': 'yes'"),
    "an idle action at the end": (
        "state,action,target,available,f\ns,a,1,1,1\ns,b,0,0,\nt,a,1,1,1\n",
        "row 3: state 's' ends with an action",
    ),
    "a cost below zero": ("state,action,target,cost,f\ns,a,1,-1,1\n", "is negative"),
    "no cost": ("state,action,target,cost,f\ns,a,1,,1\n", "row 2, column 'cost'"),
    "costs that differ": (
        "state,action,target,cost,f\ns,a,1,1,1\ns,b,0,2,1\n",
        "row 3: state 's' costs 2 here and 1 before",
    ),
    "an empty feature": (HEAD + "f\ns,a,1,\n", "row 2, column 'f': '' is not a number"),
    "NaN": (HEAD + "f,g\ns,a,1,1,2\ns,b,0,1,nan\n", "row 3, column 'g': 'nan' is not a number"),
    "infinity": (HEAD + "f\ns,a,1,inf\n", "'inf' is not a number"),
    "an underscore": (HEAD + "f\ns,a,1,1_000\n", "'1_000' is not a number"),
    "Arabic digits": (HEAD + "f\ns,a,1,\u0663\n", "is not a number"),
    "a decimal comma": (HEAD + 'f\ns,a,1,"1,5"\n', "'1,5' is not a number"),
    "a thousands comma without quotes": (HEAD + "f\ns,a,1,1,000\n", "row 2 has 5 cells"),
    "hexadecimal": (HEAD + "f\ns,a,1,0x10\n", "'0x10' is not a number"),
    "a line end after a number": (HEAD + 'f\ns,a,1,"1\n"\n', "is not a number"),
    "two numbers": (HEAD + "f\ns,a,1,1 2\n", "is not a number"),
    "two signs": (HEAD + "f\ns,a,1,+-1\n", "is not a number"),
    "a sign alone": (HEAD + "f\ns,a,1,-\n", "is not a number"),
    "a point alone": (HEAD + "f\ns,a,1,.\n", "is not a number"),
    "a decimal over a decimal": (HEAD + "f\ns,a,1,1.5/2\n", "is not a number"),
    "too large for a float": (HEAD + "f\ns,a,1,1e400\n", "1e400 is too large for a float"),
    "too small for a float": (HEAD + "f\ns,a,1,1e-400\n", "1e-400 is too small for a float"),
    "division by zero": (HEAD + "f\ns,a,1,1/0\n", "division by zero"),
    "an endless exponent": (HEAD + "f\ns,a,1,1e3000000\n", "exponent 3000000 is outside"),
    "an endless integer": (HEAD + "f\ns,a,1," + "9" * 100_000 + "\n", "a number of 100000 characters"),
}
