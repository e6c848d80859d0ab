"""Number rules, all of them: this folder is their only home.

Everything is an integer in the end.  A difference with rational entries is scaled to the primitive integer vector of
its ray, so two differences are on one ray exactly when their directions are equal.  Floats appear only as *filters*.

- `numbers`: exact numbers from texts and arrays, primitive directions.
- `vectors`: many vectors at once, with exact signs, products and minima.
"""

from hornbook.arithmetic.numbers import (
    Integers,
    NotExact,
    Number,
    exact_array,
    exact_number,
    narrowed,
    number_text,
    parse_number,
    primitive,
    primitive_vector,
)
from hornbook.arithmetic.vectors import Vectors, quotients, ratio_runs

__all__ = [
    "Integers",
    "NotExact",
    "Number",
    "Vectors",
    "exact_array",
    "exact_number",
    "narrowed",
    "number_text",
    "parse_number",
    "primitive",
    "primitive_vector",
    "quotients",
    "ratio_runs",
]
