"""Exact numbers: reading them from texts and arrays, and the primitive integer vector of a ray."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "Integers",
    "NotExact",
    "Number",
    "are_whole",
    "exact_array",
    "exact_number",
    "float_array",
    "narrowed",
    "number_text",
    "parse_number",
    "primitive",
    "primitive_vector",
]

Number = int | Fraction
Integers = npt.NDArray[Any]
"""An array of integers: int64 with entries below 2^61, or Python ints in an object array."""

_SMALL = 2**61  # a difference of two such numbers, and its negative, are int64
_DOUBLE = 2**53  # sums of integers that stay below this are exact in float64, in any order of summation
_MAX_DIGITS = 4000  # longest number text: int(text) is quadratic, and no honest feature needs more
_MAX_EXPONENT = 4000
_MAX_BITS = 14_284  # of numerator and denominator: 4,300 digits, which is what Python writes and a certificate holds
_NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?|([+-]?[0-9]+)/([0-9]+)")


class NotExact(ValueError):
    """A float that is not an integer, where exact numbers were asked for."""


def parse_number(text: str) -> Number:
    """Read an integer, a decimal or `p/q` exactly; anything else is a `ValueError` with the reason.

    >>> parse_number("-6/4"), parse_number("0.1"), parse_number("2e3")
    (Fraction(-3, 2), Fraction(1, 10), 2000)
    """
    stripped = text.strip(" \t")
    if len(stripped) > _MAX_DIGITS:
        raise ValueError(f"a number of {len(stripped)} characters is above the limit of {_MAX_DIGITS}")
    match = _NUMBER.fullmatch(stripped)
    if match is None or not (match[5] or match[2] or match[3]):
        raise ValueError(f"{stripped[:40]!r} is not a number (write 3, -1/3, 0.25 or 2e-5)")
    if match[5]:
        return _quotient(int(match[5]), int(match[6]))
    return _decimal(match[1], match[2], match[3] or "", match[4] or "0")


def _quotient(numerator: int, denominator: int) -> Number:
    if denominator == 0:
        raise ValueError("division by zero")
    return _plain(Fraction(numerator, denominator))


def _decimal(sign: str, whole: str, part: str, exponent: str) -> Number:
    if len(exponent) > 6 or abs(int(exponent)) > _MAX_EXPONENT:
        raise ValueError(f"the exponent {exponent[:12]} is outside +-{_MAX_EXPONENT}")
    shift = int(exponent) - len(part)
    digits = int(sign + (whole + part or "0"))
    return digits * 10**shift if shift >= 0 else _plain(Fraction(digits, 10**-shift))


def _plain(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else value


def number_text(value: Number) -> str:
    """The number in lowest terms, `p` or `p/q`."""
    return str(value)


def exact_number(value: object, *, stored: bool = False) -> Number:
    """One exact number: ints, Fractions, Decimals and texts; floats if integral, or any float with `stored`.

    >>> exact_number("1/3"), exact_number(2.0), exact_number(0.5, stored=True)
    (Fraction(1, 3), 2, Fraction(1, 2))
    """
    number = _converted(value, stored=stored)
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    if bits > _MAX_BITS:
        raise ValueError(f"a number of about {bits * 3 // 10} digits is above the limit of 4300")
    return number


def _converted(value: object, *, stored: bool) -> Number:
    if isinstance(value, (bool, np.bool_)):
        raise ValueError("a truth value is not a number")
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, Fraction):
        return _plain(value)
    if isinstance(value, str):
        return parse_number(value)
    if isinstance(value, Decimal):
        return parse_number(str(value))
    if isinstance(value, (float, np.floating)):
        return _from_float(value, stored=stored)
    raise ValueError(f"{type(value).__name__} is not a number")


def _from_float(value: float | np.floating[Any], *, stored: bool) -> Number:
    if not math.isfinite(value):
        raise ValueError(f"{value} is not finite")
    exact = Fraction(*value.as_integer_ratio())
    if not stored and (exact.denominator != 1 or abs(exact) >= _DOUBLE):
        raise NotExact(f"{value} is a float, not an exact number")
    return _plain(exact)


def exact_array(values: npt.NDArray[Any], *, stored: bool = False) -> Integers:
    """The array in exact numbers: int64 where that is safe, else Python ints and Fractions.

    Raises `ValueError` with an `index` attribute that says where the first bad entry stands.
    """
    if values.dtype.kind in "iu":
        return narrowed(values)
    if values.dtype.kind == "f" and values.dtype.itemsize <= 8:
        wide = values.astype(np.float64)  # every narrower float is a float64
        if are_whole(wide):
            return wide.astype(np.int64)
        if not stored:
            _refuse_first(values, wide)
    result = np.empty(values.shape, dtype=object)
    for index in np.ndindex(values.shape):
        try:
            result[index] = exact_number(values[index], stored=stored)
        except ValueError as error:
            error.index = index  # type: ignore[attr-defined]
            raise
    return narrowed(result)


def are_whole(floats: npt.NDArray[np.float64]) -> bool:
    """Whether all are integers that float64 cannot have rounded."""
    return bool(np.all(np.abs(floats) < _DOUBLE)) and bool(np.all(floats == np.floor(floats)))


def _refuse_first(values: npt.NDArray[Any], wide: npt.NDArray[np.float64]) -> None:
    """Raise what is wrong with the first entry that is not an exact number; not finite comes before not integral."""
    bad = ~np.isfinite(wide)
    if not bad.any():
        bad = (np.abs(wide) >= _DOUBLE) | (wide != np.floor(wide))
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    try:
        exact_number(values[index])
    except ValueError as error:
        error.index = index  # type: ignore[attr-defined]
        raise


def float_array(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The array as float64, every entry finite; whole numbers and fractions among floats are rounded to the nearest."""
    if values.dtype.kind == "f":
        return values.astype(np.float64)
    result = np.empty(values.shape, dtype=np.float64)
    for index in np.ndindex(values.shape):
        try:
            result[index] = float(exact_number(values[index], stored=True))
        except (ValueError, OverflowError) as caught:
            error = ValueError(str(caught) if isinstance(caught, ValueError) else "it is too large for float64")
            error.index = index  # type: ignore[attr-defined]
            raise error from None
    return result


def narrowed(values: Integers) -> Integers:
    """The same numbers as int64 if all are integers below 2^61, else as Python objects (never a wrap)."""
    if values.dtype == np.int64 or values.dtype.kind in "iu":
        # compared without abs(): abs of the most negative integer wraps
        if values.size == 0 or (int(values.max()) < _SMALL and int(values.min()) > -_SMALL):
            return values.astype(np.int64)
        return values.astype(object)
    if all(isinstance(v, int) and -_SMALL < v < _SMALL for v in values.flat):
        return values.astype(np.int64)
    return values


def primitive_vector(vector: Iterable[Number]) -> tuple[int, ...]:
    """The shortest integer vector on the ray of a nonzero rational vector.

    >>> primitive_vector([Fraction(1, 2), Fraction(-1, 3)])
    (3, -2)
    """
    entries = list(vector)
    scale = math.lcm(*(v.denominator for v in entries))
    integers = [int(v * scale) for v in entries]
    divisor = math.gcd(*integers) or 1
    return tuple(v // divisor for v in integers)


def primitive(vectors: Integers) -> Integers:
    """Each row's primitive integer vector; zero rows stay zero."""
    if vectors.dtype == np.int64:
        if vectors.size == 0:
            return vectors
        divisor = np.abs(np.gcd.reduce(vectors, axis=1))  # of a single column, the column itself
        return np.asarray(vectors // np.maximum(divisor, 1)[:, None])
    rows = np.empty(vectors.shape, dtype=object)
    for i, row in enumerate(vectors):
        rows[i] = primitive_vector(row)
    return narrowed(rows)
