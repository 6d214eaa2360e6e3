"""The supported kinds of data: how their texts are read, and how some of their rows are taken."""
from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from . import _leitong
from ._errors import InvalidArgumentError, NotFoundError

Positions = NDArray[np.uint32]
BATCH = 10_000  # so many items are read from an iterator at once


class Source(Protocol):
    """Data in memory."""

    def texts(self) -> _leitong.Texts: ...
    def column(self, name: str) -> Sequence[Any] | None: ...
    def lacks(self, name: str) -> str: ...
    def take(self, positions: Positions) -> Any: ...


class Stream(Protocol):
    """Data that can be read only once, possibly more than fit in memory."""

    def batches(self) -> Iterator[tuple[_leitong.Texts, list[Any] | None]]: ...
    def back(self, texts: Iterator[str], ids: Sequence[Any] | None) -> Any: ...


def source_of(data: Any, text: str, id: str | None) -> Source | Stream:
    """The kind of ``data``; InvalidArgumentError if it is unknown.

    ``id`` is None if the caller named none: then the column "id" is used if there is one that can hold ids.
    """
    for name in (text, id):
        if not isinstance(name, str | None):
            raise InvalidArgumentError(f"columns are named by a str, not by {name!r}; give the texts of this column alone")
    if isinstance(data, str | bytes):
        raise InvalidArgumentError("one text has no duplicates; give a list of texts")
    library = type(data).__module__.partition(".")[0]
    if library == "pandas":
        return _Pandas(data, text)
    if library == "polars" and hasattr(data, "collect"):
        return _Polars(data.collect(), text)
    if library == "polars":
        return _Polars(data, text)
    if library == "datasets" and hasattr(data, "select"):  # not an IterableDataset, which can be read only once
        return _Datasets(data, text)
    if library == "pyarrow" and hasattr(data, "__len__"):
        return _PyArrow(data, text)
    if isinstance(data, np.ndarray):
        return _Numpy(data.tolist(), text, data)
    if hasattr(data, "__arrow_c_stream__"):
        return _ArrowStream(data, text, id)
    if isinstance(data, Mapping):
        return _Columns(data, text)
    if isinstance(data, Sequence):
        return _List(data, text)
    if isinstance(data, Iterable):
        return _Iterator(data, text, id)
    raise InvalidArgumentError(
        f"a {type(data).__name__} holds no texts; give a list of str or dict, an iterator of them, or a table that "
        "has __arrow_c_stream__ (pandas, polars, pyarrow, duckdb, datasets)"
    )


def is_in_memory(source: Source | Stream) -> TypeGuard[Source]:
    """Can the texts of the data be read again?"""
    return hasattr(source, "texts")


def texts_of(data: Any, text: str = "text") -> _leitong.Texts:
    """The texts of data in memory."""
    source = source_of(data, text, None)
    if is_in_memory(source):
        return source.texts()
    raise InvalidArgumentError("texts that come once are not possible here; give a list or a table")


def _steps(name: str) -> list[str]:
    """ "messages[].content" as ["messages", "[]", "content"]."""
    return [step for part in name.split(".") for step in part.replace("[]", "\0[]").split("\0") if step]


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _texts_in(value: Any, steps: Sequence[str], name: str) -> Iterator[str]:
    """The texts at a place within a value, without those that are missing."""
    if _is_missing(value):
        return
    if not steps:
        if not isinstance(value, str):
            raise InvalidArgumentError(f'"{name}" leads to a {type(value).__name__}, not to texts')
        yield value
    elif steps[0] == "[]":
        for each in value:
            yield from _texts_in(each, steps[1:], name)
    elif isinstance(value, dict):
        yield from _texts_in(value.get(steps[0]), steps[1:], name)
    else:
        raise InvalidArgumentError(f'"{name}" leads to a {type(value).__name__}, which has no field "{steps[0]}"')


def _joined(value: Any, steps: Sequence[str], name: str) -> str | None:
    """The texts of a list as one text, as the command joins them; None if there is none."""
    texts = list(_texts_in(value, steps, name))
    return "\n".join(texts) if texts else None


def _listed(column: Any) -> Iterable[Any]:
    """The values of a column, with lists and dicts for its lists and structs."""
    for name in ("to_pylist", "to_list"):
        if hasattr(column, name):
            return cast(Iterable[Any], getattr(column, name)())
    return cast(Iterable[Any], column)


def _fields(rows: Iterable[Any], text: str, first: int = 0) -> Iterator[Any]:
    """The texts of rows that are str or dict, of which the first one has this number."""
    steps = _steps(text)
    for number, row in enumerate(rows, first):
        if isinstance(row, str | float | None):  # None and NaN are refused as missing texts
            yield row
        elif isinstance(row, dict):
            if text not in row and "[]" in steps and steps[0] in row:
                yield _joined(row, steps, text)
                continue
            if text not in row:
                raise NotFoundError(f'row {number}: field "{text}" is missing (found: {", ".join(map(str, row))})')
            yield row[text]
        else:
            raise InvalidArgumentError(f"row {number} is a {type(row).__name__}; rows are str or dict")


def _lacks(rows: Iterable[Any], name: str, first: int = 0) -> str:
    """The error for the first row, from this number on, that has no such field."""
    for number, row in enumerate(rows, first):
        if not isinstance(row, dict):
            return f'row {number} is a {type(row).__name__}, which has no field "{name}"'
        if name not in row:
            return f'row {number}: field "{name}" is missing (found: {", ".join(map(str, row))})'
    return f'field "{name}" is missing'


class _List:
    def __init__(self, rows: Sequence[Any], text: str) -> None:
        self.rows, self.text = rows, text

    def texts(self) -> _leitong.Texts:
        return _leitong.Texts.from_strings(_fields(self.rows, self.text))

    def column(self, name: str) -> Sequence[Any] | None:
        """Returns a column. If there are no rows, every column exists and is empty."""
        if not all(isinstance(row, dict) and name in row for row in self.rows):
            return None
        return [row[name] for row in self.rows]

    def lacks(self, name: str) -> str:
        """The error for a missing column. Data of this kind never lack one."""
        return _lacks(self.rows, name)

    def take(self, positions: Positions) -> list[Any]:
        return [self.rows[i] for i in positions]


class _Columns:
    """A dict of columns, whose rows are known by their positions."""

    def __init__(self, columns: Mapping[str, Any], text: str) -> None:
        self.columns = {name: _by_position(name, values) for name, values in columns.items()}
        self.text = text
        rows = len(self.columns[text]) if text in self.columns else 0
        for name, values in self.columns.items():
            if text in self.columns and len(values) != rows:
                raise InvalidArgumentError(
                    f'column "{name}" has {len(values)} rows, and column "{text}" {rows}; give each as many'
                )

    def texts(self) -> _leitong.Texts:
        if self.text not in self.columns:
            raise NotFoundError(self.lacks(self.text))
        return _leitong.Texts.from_strings(self.columns[self.text])

    def column(self, name: str) -> Sequence[Any] | None:
        return self.columns.get(name)

    def lacks(self, name: str) -> str:
        return f'column "{name}" is missing (found: {", ".join(map(str, self.columns))})'

    def take(self, positions: Positions) -> dict[str, list[Any]]:
        return {name: [values[i] for i in positions] for name, values in self.columns.items()}


def _by_position(name: str, values: Any) -> Sequence[Any]:
    """A column whose values[i] is that of row i: a Series of pandas would use i as a label of its index."""
    if hasattr(values, "iloc"):
        values = values.array
    elif hasattr(values, "to_pylist"):
        values = values.to_pylist()
    if not hasattr(values, "__getitem__") or not hasattr(values, "__len__"):
        raise InvalidArgumentError(f'column "{name}" is a {type(values).__name__}; columns are sequences, such as lists')
    return values  # type: ignore[no-any-return]


class _Numpy(_List):
    """An array of str: `rows` are its values."""

    def __init__(self, rows: list[Any], text: str, array: NDArray[Any]) -> None:
        super().__init__(rows, text)
        self.array = array

    def take(self, positions: Positions) -> Any:
        return self.array[positions]


class _Table:
    """What all kinds of tables share. `data` is a table, or a single column of texts."""

    def __init__(self, data: Any, text: str) -> None:
        self.data, self.text = data, text

    def names(self) -> list[str] | None:
        """The names of the columns; None for a single column."""
        raise NotImplementedError

    def one(self, name: str) -> Any:
        """A column of the table."""
        return self.data[name]

    def values(self, column: Any) -> Sequence[Any]:
        raise NotImplementedError

    def arrow(self, column: Any) -> _leitong.Texts:
        return _leitong.Texts.from_arrow(column, self.text)

    def texts(self) -> _leitong.Texts:
        names = self.names()
        if names is None:
            return self.arrow(self.data)
        steps = _steps(self.text)
        if self.text not in names and "[]" in steps and steps[0] in names:
            values = _listed(self._only(steps[0], names))
            return _leitong.Texts.from_strings(_joined(value, steps[1:], self.text) for value in values)
        if self.text not in names:
            raise NotFoundError(self.lacks(self.text))
        return self.arrow(self._only(self.text, names))

    def column(self, name: str) -> Sequence[Any] | None:
        names = self.names()
        return self.values(self._only(name, names)) if names is not None and name in names else None

    def lacks(self, name: str) -> str:
        names = self.names()
        return f'column "{name}" is missing (found: {"a single column" if names is None else ", ".join(map(str, names))})'

    def _only(self, name: str, names: Sequence[Any]) -> Any:
        if names.count(name) > 1:
            raise InvalidArgumentError(f'{names.count(name)} columns have the name "{name}"; give each a name of its own')
        return self.one(name)


class _Pandas(_Table):
    """A DataFrame, or a single column: a Series, an Index, or the array of one."""

    def names(self) -> list[str] | None:
        return list(self.data.columns) if hasattr(self.data, "columns") else None

    def arrow(self, column: Any) -> _leitong.Texts:
        if getattr(column, "nlevels", 1) > 1:
            raise InvalidArgumentError("a MultiIndex holds no texts; give one of its levels: get_level_values(0)")
        values = getattr(column, "array", column)
        if hasattr(values, "__arrow_array__"):  # the values are Arrow strings, or strings that are converted at little cost
            try:
                array = values.__arrow_array__()
            except ImportError:
                pass
            else:
                return _leitong.Texts.from_arrow(_chunked(array), self.text)
        return _leitong.Texts.from_strings(values.tolist())

    def values(self, column: Any) -> Sequence[Any]:
        return column.to_numpy()  # type: ignore[no-any-return]

    def take(self, positions: Positions) -> Any:
        return self.data.iloc[positions] if hasattr(self.data, "iloc") else self.data.take(positions)


class _Polars(_Table):
    def names(self) -> list[str] | None:
        return list(self.data.columns) if hasattr(self.data, "columns") else None

    def values(self, column: Any) -> Sequence[Any]:
        return column.to_list()  # type: ignore[no-any-return]

    def take(self, positions: Positions) -> Any:
        return self.data[positions]


class _PyArrow(_Table):
    def names(self) -> list[str] | None:
        return list(self.data.schema.names) if hasattr(self.data, "schema") else None

    def arrow(self, column: Any) -> _leitong.Texts:
        return _leitong.Texts.from_arrow(_chunked(column), self.text)

    def values(self, column: Any) -> Sequence[Any]:
        return column.to_pylist()  # type: ignore[no-any-return]

    def take(self, positions: Positions) -> Any:
        pyarrow: Any = import_module("pyarrow")

        try:
            return self.data.take(positions)
        except pyarrow.ArrowNotImplementedError:  # pyarrow cannot take rows of string views, but it can join slices
            runs = np.split(positions, np.flatnonzero(np.diff(positions.astype(np.int64)) != 1) + 1)
            return self._together(pyarrow, [self.data.slice(int(run[0]), len(run)) for run in runs if len(run)])

    def _together(self, pyarrow: Any, parts: list[Any]) -> Any:
        if not parts:
            return self.data.slice(0, 0)
        if isinstance(self.data, pyarrow.Table):
            return pyarrow.concat_tables(parts)
        if isinstance(self.data, pyarrow.RecordBatch):
            return pyarrow.concat_batches(parts)
        if isinstance(self.data, pyarrow.ChunkedArray):
            return pyarrow.chunked_array([chunk for part in parts for chunk in part.chunks])
        return pyarrow.concat_arrays(parts)


class _Datasets(_Table):
    def names(self) -> list[str] | None:
        return list(self.data.column_names)

    def one(self, name: str) -> Any:
        return self.data.select_columns([name]).with_format("arrow")[:][name]

    def arrow(self, column: Any) -> _leitong.Texts:
        return _leitong.Texts.from_arrow(_chunked(column), self.text)

    def values(self, column: Any) -> Sequence[Any]:
        return column.to_pylist()  # type: ignore[no-any-return]

    def take(self, positions: Positions) -> Any:
        return self.data.select(positions)


def values_of(chunks: Iterable[Any]) -> NDArray[Any]:
    """Arrow arrays as one of numpy: a list in a row is a view of its numbers, and a null is None, or NaN among numbers."""
    found = [chunk.to_numpy(zero_copy_only=False) for chunk in chunks]
    return np.concatenate(found) if found else np.empty(0)


def _chunked(array: Any) -> Any:
    """An Arrow array as something with __arrow_c_stream__."""
    if hasattr(array, "__arrow_c_stream__"):
        return array
    pyarrow: Any = import_module("pyarrow")

    return pyarrow.chunked_array([array])


class _ArrowStream:
    def __init__(self, data: Any, text: str, id: str | None) -> None:
        self.data, self.text, self.id, self.id_is_asked_for = data, text, id or "id", id is not None

    def batches(self) -> Iterator[tuple[_leitong.Texts, list[Any] | None]]:
        stream = _leitong.TextStream(self.data, self.text, self.id, self.id_is_asked_for)
        while (batch := stream.read()) is not None:
            yield batch, stream.ids()

    def back(self, texts: Iterator[str], ids: Sequence[Any] | None) -> Any:
        """A pyarrow.RecordBatchReader of the texts, and of the ids if there are any."""
        pyarrow: Any = import_module("pyarrow")

        columns = {} if ids is None else {self.id: _ids_as_arrow(pyarrow, ids)}
        kinds = {name: column.type for name, column in columns.items()}
        schema = pyarrow.schema({**kinds, self.text: pyarrow.large_string()})

        def batches() -> Iterator[Any]:
            for start in itertools.count(0, BATCH):
                some = list(itertools.islice(texts, BATCH))
                if not some:
                    return
                parts = [column.slice(start, len(some)) for column in columns.values()]
                yield pyarrow.record_batch([*parts, pyarrow.array(some, pyarrow.large_string())], schema=schema)

        return pyarrow.RecordBatchReader.from_batches(schema, batches())


def _ids_as_arrow(pyarrow: Any, ids: Sequence[Any]) -> Any:
    try:
        return pyarrow.array(ids)
    except OverflowError:  # integers count as signed by default
        return pyarrow.array(ids, pyarrow.uint64())


class _Iterator:
    def __init__(self, data: Iterable[Any], text: str, id: str | None) -> None:
        self.data, self.text, self.id, self.id_is_asked_for = data, text, id or "id", id is not None

    def batches(self) -> Iterator[tuple[_leitong.Texts, list[Any] | None]]:
        rows = iter(self.data)
        first = 0
        while some := list(itertools.islice(rows, BATCH)):
            ids = [row[self.id] for row in some] if all(isinstance(r, dict) and self.id in r for r in some) else None
            if ids is None and self.id_is_asked_for:
                raise NotFoundError(_lacks(some, self.id, first))
            yield _leitong.Texts.from_strings(_fields(some, self.text, first), first), ids
            first += len(some)

    def back(self, texts: Iterator[str], ids: Sequence[Any] | None) -> Any:
        """An iterator of str, or of dict if there are ids."""
        if ids is None:
            return texts
        return ({self.id: name, self.text: text} for name, text in zip(ids, texts, strict=True))
