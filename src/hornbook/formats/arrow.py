"""Frames and columnar files: pandas, polars, pyarrow and DuckDB tables, `.parquet` and `.arrow`, all by one way.

Whatever speaks Arrow's PyCapsule interface is a table; its columns are those of docs/formats.md.  Integers and decimals
are exact, texts are exact numbers, floats are the floats that they are.  Needs pyarrow, the extra `arrow`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from hornbook.arithmetic import Number, exact_number, narrowed
from hornbook.errors import BadProblem, HornbookError, LimitExceeded
from hornbook.formats.files import MOST_BYTES
from hornbook.formats.labelled import label_layout, labelled_problem
from hornbook.formats.long_form import OPTIONAL_COLUMNS, REQUIRED_COLUMNS, Layout, LongForm, layout, long_rows
from hornbook.formats.members import check_texts, check_tolerances
from hornbook.problem import TeachingProblem

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ARROW", "PARQUET", "ColumnarFile", "from_table"]

Array = npt.NDArray[Any]
_MOST_RATIO = 1000  # of memory to file: honest columns are far below
_WHOLE = {"halffloat": 2**11, "float": 2**24, "double": 2**53}  # up to here each float holds every integer


def from_table(frame: object, *, label: str | None = None, exact: bool = False) -> TeachingProblem:
    """The problem in a data frame: one row per state and action, or per state with its class in the column `label`.

    `frame` is anything that speaks Arrow's PyCapsule interface: a frame of pandas or polars, a table of pyarrow.
    `exact=True` takes floats as the binary fractions they are.

    >>> import pandas
    >>> frame = pandas.DataFrame({"x": [0, 1, 5], "kind": ["low", "low", "high"]})
    >>> from_table(frame, label="kind").action_id(0, 1)
    'low'
    """
    pyarrow = _pyarrow()
    if not (hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__")):
        raise BadProblem(f"{type(frame).__name__} is no table: it does not speak Arrow's PyCapsule interface")
    return _problem(pyarrow.table(frame), label=label, exact=exact)


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadProblem("tables need pyarrow: pip install 'hornbook[arrow]'") from None
    return pyarrow


def _problem(table: pa.Table, *, label: str | None, exact: bool) -> TeachingProblem:
    table = _without_index(table)
    return _long(table, exact=exact) if label is None else _labelled(table, label, exact=exact)


def _without_index(table: pa.Table) -> pa.Table:
    """Without the index of a pandas frame, unless it is called like a column that we know."""
    kept = (*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS)
    index = [name for name in (table.schema.pandas_metadata or {}).get("index_columns", []) if isinstance(name, str)]
    return table.drop_columns([name for name in index if name in table.column_names and name not in kept])


def _long(table: pa.Table, *, exact: bool) -> TeachingProblem:
    place = layout(table.column_names)
    special = {name: _Column(table, i) for name, i in place.special.items()}
    available = special["available"].flags() if "available" in special else None
    form = LongForm(
        states=special["state"].texts(),
        actions=special["action"].texts(),
        targets=special["target"].texts(),
        features=_features(table, place, available),
        feature_names=place.feature_names,
        available=available,
        costs=special["cost"].exact() if "cost" in special else None,
    )
    return form.problem(exact=exact)


def _labelled(table: pa.Table, label: str, *, exact: bool) -> TeachingProblem:
    place = label_layout(table.column_names, label)
    ids = _Column(table, place.special["state"]).texts() if "state" in place.special else None
    labels = _Column(table, place.special["label"]).texts()
    return labelled_problem(_features(table, place, None), labels, ids=ids, exact=exact)


def _features(table: pa.Table, place: Layout, available: npt.NDArray[np.bool_] | None) -> Array:
    """The features as one array, zero where an action is not available (there may be nothing then)."""
    if available is None or bool(available.all()):
        return _numbers([_Column(table, i) for i in place.features])
    rows = np.flatnonzero(available)
    some = table.take(rows)
    numbers = _numbers([_Column(some, i, rows) for i in place.features])
    whole = np.zeros((len(available), numbers.shape[1]), dtype=numbers.dtype)
    whole[rows] = numbers
    return whole


def _numbers(columns: Sequence[_Column]) -> Array:
    """All columns in one kind of number that loses nothing: integers, one kind of float, or Python numbers."""
    floats = {str(column.type) for column in columns if column.is_float}
    if len(floats) > 1:
        raise BadProblem(f"some features are {' and others '.join(sorted(floats))}; cast them to one kind of float")
    arrays = [column.array() for column in columns]
    if not floats and all(array.dtype == np.int64 for array in arrays):
        return np.stack(arrays, axis=1)
    kind = floats.pop() if floats else "double"
    fits = [array.dtype.kind == "f" or (array.dtype == np.int64 and _fit(array, kind)) for array in arrays]
    if all(fits):
        dtype = next(array.dtype for array in arrays if array.dtype.kind == "f")
        return np.stack([array.astype(dtype) for array in arrays], axis=1)
    if kind != "double":
        other = columns[fits.index(False)]
        raise BadProblem(
            f"column {other.name} holds numbers that {kind} rounds; cast all features to one kind of float"
        )
    return np.stack([array.astype(object) for array in arrays], axis=1)


def _fit(integers: Array, kind: str) -> bool:
    return bool(np.all(np.abs(integers) <= _WHOLE[kind]))


@dataclass(frozen=True)
class _Column:
    """One column of a table; `rows` are the places of its entries in the table that people know."""

    table: pa.Table
    place: int
    rows: Array | None = None

    @property
    def name(self) -> str:
        return repr(self.table.column_names[self.place][:60])

    @property
    def type(self) -> pa.DataType:
        """The type of the entries, also where they are categories."""
        kind = self.table.schema.types[self.place]
        return kind.value_type if _pyarrow().types.is_dictionary(kind) else kind

    @property
    def is_float(self) -> bool:
        return bool(_pyarrow().types.is_floating(self.type))

    def texts(self) -> list[str]:
        """Ids: texts, whole numbers, or truth values as 0 and 1."""
        if not (self._is_whole or self._is_text):
            raise BadProblem(f"column {self.name} has the type {self.type}; ids are texts or whole numbers")
        truth = _pyarrow().types.is_boolean(self.type)
        return self._each(lambda value: str(int(value) if truth else value))

    def flags(self) -> npt.NDArray[np.bool_]:
        """Truth values, or 1 and 0."""
        texts = np.array(self.texts(), dtype=object)
        wrong = np.flatnonzero((texts != "0") & (texts != "1"))
        if wrong.size:
            raise BadProblem(f"{self._at(int(wrong[0]))}: {texts[wrong[0]][:40]!r} is neither 0 nor 1")
        return np.asarray(texts == "1", dtype=np.bool_)

    def exact(self) -> list[Number]:
        """Numbers, floats as the binary fractions they are."""
        whole = self._is_whole
        if not (whole or self.is_float or self._is_text or _pyarrow().types.is_decimal(self.type)):
            raise BadProblem(f"column {self.name} has the type {self.type}, which holds no numbers")
        return self._each(lambda value: exact_number(int(value) if whole else value, stored=True))

    def array(self) -> Array:
        """Numbers as int64, as the floats that they are, or as Python numbers."""
        column, types = self.table.column(self.place), _pyarrow().types
        if types.is_dictionary(column.type) and (self._is_whole or self.is_float):
            column = column.cast(self.type)
        small = types.is_boolean(column.type) or (types.is_integer(column.type) and not types.is_uint64(column.type))
        if small or types.is_floating(column.type):
            self._check_present(column)
            values = np.asarray(column.to_numpy())
            return values.astype(np.int64) if small else values
        numbers = np.empty(len(column), dtype=object)
        numbers[:] = self.exact()
        return narrowed(numbers)

    @property
    def _is_whole(self) -> bool:
        types = _pyarrow().types
        return bool(types.is_integer(self.type) or types.is_boolean(self.type))

    @property
    def _is_text(self) -> bool:
        types = _pyarrow().types
        return bool(types.is_string(self.type) or types.is_large_string(self.type) or types.is_string_view(self.type))

    def _each(self, read: Callable[[Any], Any]) -> list[Any]:
        """Every entry; equal ones are read once."""
        column = self.table.column(self.place)
        self._check_present(column)
        if not _pyarrow().types.is_dictionary(column.type):
            column = column.dictionary_encode()
        whole = column.unify_dictionaries().combine_chunks()
        places = whole.indices.to_numpy()
        known: dict[int, Any] = {}
        values = whole.dictionary.to_pylist()
        for row, i in zip(*np.unique(places, return_index=True)[::-1], strict=True):
            try:
                known[int(i)] = read(values[i])
            except ValueError as error:
                raise BadProblem(f"{self._at(int(row))}: {error}") from None
        return [known[i] for i in places.tolist()]

    def _check_present(self, column: pa.ChunkedArray) -> None:
        missing = np.flatnonzero(column.is_null().to_numpy())
        if missing.size:
            raise BadProblem(f"{self._at(int(missing[0]))}: there is nothing")

    def _at(self, row: int) -> str:
        return f"row {row if self.rows is None else int(self.rows[row])}, column {self.name}"


@dataclass(frozen=True)
class ColumnarFile:
    """A file format of columns: how its table is opened, and how one is written."""

    opened: Callable[[BinaryIO], pa.Table]
    written: Callable[[pa.Table, BinaryIO], None]

    def read(self, stream: BinaryIO, *, exact: bool) -> TeachingProblem:
        """The problem in a table in long form."""
        return _problem(self._table(stream), label=None, exact=exact)

    def read_labelled(self, stream: BinaryIO, *, label: str, exact: bool) -> TeachingProblem:
        """Classification data: each row is a state, the column `label` its target, the others its features."""
        return _problem(self._table(stream), label=label, exact=exact)

    def _table(self, stream: BinaryIO) -> pa.Table:
        """Whatever its decoders raise, on any damage, becomes one line."""
        _pyarrow()
        try:
            table = self.opened(stream)
            table.validate(full=True)
        except (HornbookError, MemoryError):
            raise
        except Exception as error:
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            raise BadProblem(f"the file cannot be read: {reason}") from None
        return table

    def write(self, problem: TeachingProblem, stream: BinaryIO) -> None:
        """One row per state and action; the features of unavailable actions are null.

        The same problem gives the same bytes.  Cost: everything is in memory at once.
        """
        check_tolerances(problem, "a table", floats=("float64", "float32"))
        check_texts(problem, "a table", nul=True)
        self.written(_table_of(problem), stream)


def _opened_parquet(stream: BinaryIO) -> pa.Table:
    parquet = _pyarrow().parquet
    size = stream.seek(0, 2)
    with parquet.ParquetFile(stream) as file:
        texts = [column.path for column in map(file.schema.column, range(len(file.schema))) if _is_bytes(column)]
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        told = sum(group.column(i).total_uncompressed_size for group in groups for i in range(group.num_columns))
        _check_size(max(told, 8 * file.metadata.num_rows * file.metadata.num_columns), size)
    with parquet.ParquetFile(stream, read_dictionary=texts) as file:
        return file.read(use_threads=False)


def _is_bytes(column: Any) -> bool:
    return bool(column.physical_type == "BYTE_ARRAY")


def _check_size(expanded: int, size: int) -> None:
    """Before memory is taken."""
    if expanded > MOST_BYTES:
        raise LimitExceeded(f"the columns expand to {expanded:,} bytes, above the limit of {MOST_BYTES:,}")
    if expanded > _MOST_RATIO * size:
        raise BadProblem(f"the columns expand more than {_MOST_RATIO} times; it looks like a bomb")


def _opened_arrow(stream: BinaryIO) -> pa.Table:
    return _pyarrow().ipc.open_file(stream).read_all()


def _written_parquet(table: pa.Table, stream: BinaryIO) -> None:
    _pyarrow().parquet.write_table(table, stream)


def _written_arrow(table: pa.Table, stream: BinaryIO) -> None:
    with _pyarrow().ipc.new_file(stream, table.schema) as writer:
        writer.write_table(table)


PARQUET = ColumnarFile(_opened_parquet, _written_parquet)
ARROW = ColumnarFile(_opened_arrow, _written_arrow)


def _table_of(problem: TeachingProblem) -> pa.Table:
    """The table in long form; columns without need are left out, as in `.csv`."""
    pyarrow = _pyarrow()
    rows = list(long_rows(problem))
    names = problem.feature_names or [str(i) for i in range(problem.num_features)]
    columns: list[tuple[str, Any]] = [
        ("state", pyarrow.array([row.state for row in rows], pyarrow.string())),
        ("action", pyarrow.array([row.action for row in rows], pyarrow.string())),
        ("target", pyarrow.array([row.target for row in rows], pyarrow.bool_())),
    ]
    if "available" in names or not all(row.available for row in rows):
        columns.append(("available", pyarrow.array([row.available for row in rows], pyarrow.bool_())))
    if "cost" in names or problem.has_costs:
        columns.append(("cost", pyarrow.array([str(row.cost) for row in rows], pyarrow.string())))
    for i, name in enumerate(names):
        columns.append((name, _feature_column([row.features[i] if row.available else None for row in rows], problem)))
    return pyarrow.Table.from_arrays([column for _, column in columns], names=[name for name, _ in columns])


def _feature_column(values: list[Any], problem: TeachingProblem) -> pa.Array:
    """Floats in the precision they came in, small integers as such, other numbers as texts."""
    pyarrow = _pyarrow()
    if problem.is_float:
        return pyarrow.array(values, {"float64": pyarrow.float64(), "float32": pyarrow.float32()}[problem.arithmetic])
    if all(value is None or (isinstance(value, int) and abs(value) < 2**63) for value in values):
        return pyarrow.array(values, pyarrow.int64())
    return pyarrow.array([None if value is None else str(value) for value in values], pyarrow.string())
