"""Number rules, all of them: this folder is their only home.

Everything is an integer in the end.  A difference with rational entries is scaled to the primitive integer vector of
its ray, so two differences are on one ray exactly when their directions are equal.  Floats appear only as *filters*.

- `numbers`: exact numbers from texts and arrays, primitive directions.
- `floats`: stored floats as exact differences with a radius of noise; angles.
- `vectors`: many vectors at once, with exact signs, products and minima.
- `turns`: which way three points turn, for many triples at once.
- `solving`: multipliers of a basis, solved exactly.
- `sections`: vectors as float points of a rounded cross-section, to guess on.
"""

from hornbook.arithmetic.floats import (
    FLOAT_TOLERANCES,
    StoredRows,
    Tolerances,
    column_exponents,
    from_keys,
    measured_integers,
    measured_rows,
    on_features,
    parallel_pairs,
    sine_squared,
)
from hornbook.arithmetic.numbers import (
    Integers,
    NotExact,
    Number,
    are_whole,
    exact_array,
    exact_number,
    float_array,
    narrowed,
    number_text,
    parse_number,
    primitive,
    primitive_vector,
)
from hornbook.arithmetic.sections import (
    ENOUGH,
    NEARLY,
    ROUNDING,
    UNIT,
    Section,
    balanced,
    framed,
    section,
    share_bounds,
    surely_combined,
)
from hornbook.arithmetic.solving import combined_by
from hornbook.arithmetic.turns import Turns
from hornbook.arithmetic.vectors import SeenAngles, Vectors, quotients, runs_in_order, seen_from_middle

__all__ = [
    "ENOUGH",
    "ROUNDING",
    "FLOAT_TOLERANCES",
    "NEARLY",
    "UNIT",
    "Integers",
    "NotExact",
    "Number",
    "Section",
    "SeenAngles",
    "StoredRows",
    "Tolerances",
    "Turns",
    "Vectors",
    "balanced",
    "column_exponents",
    "combined_by",
    "are_whole",
    "exact_array",
    "exact_number",
    "float_array",
    "framed",
    "from_keys",
    "measured_integers",
    "measured_rows",
    "narrowed",
    "number_text",
    "on_features",
    "parallel_pairs",
    "parse_number",
    "primitive",
    "primitive_vector",
    "quotients",
    "runs_in_order",
    "section",
    "seen_from_middle",
    "share_bounds",
    "sine_squared",
    "surely_combined",
]
