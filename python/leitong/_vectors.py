"""Vectors (embeddings) of texts, which the user brings."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._data import Source, Stream, is_in_memory
from ._errors import InvalidArgumentError, NotFoundError

KINDS = (np.float16, np.float32, np.float64)


def vectors_of(vectors: Any, source: Source | Stream, references: Source | Stream | None) -> NDArray[Any]:
    """One vector for each text, those of references first. They are given as an array, or as the name of a column that data and
    references have."""
    if isinstance(vectors, str):
        both = [each for each in (references, source) if each is not None]
        return _rows([value for each in both for value in _column(vectors, each)])
    try:
        array = np.asarray(vectors)
    except ValueError:  # numpy's error does not name the row
        raise InvalidArgumentError(_uneven(vectors)) from None
    if array.ndim != 2:
        raise InvalidArgumentError(f"vectors are an array of rows and dimensions; this one has the shape {array.shape}")
    if array.dtype not in KINDS:
        if array.dtype.kind not in "fiub":
            raise InvalidArgumentError(f"vectors are numbers; these are {array.dtype}")
        array = array.astype(np.float64)
    return np.ascontiguousarray(array)


def _column(name: str, source: Source | Stream) -> Sequence[Any]:
    if not is_in_memory(source):
        raise InvalidArgumentError(
            f'data that come once have no column "{name}" to read vectors from; give an array, or a table'
        )
    values = source.column(name)
    if values is None:
        raise NotFoundError(f"{source.lacks(name)}, which holds the vectors")
    return values


def _rows(values: Sequence[Any]) -> NDArray[Any]:
    """The lists of a column as rows of float64; NaN if a list is missing or has another length than the first."""
    for number, value in enumerate(values):
        if value is not None and (isinstance(value, str | bytes) or not hasattr(value, "__len__")):
            raise InvalidArgumentError(f"row {number} of the column of vectors is a {type(value).__name__}, not a list of numbers")
    lengths = [len(value) for value in values if value is not None]
    dimensions = next((length for length in lengths if length), None)
    if dimensions is None:
        raise InvalidArgumentError("no row of the column holds a vector, a list of numbers")
    rows = np.full((len(values), dimensions), np.nan)
    for row, value in zip(rows, values, strict=True):
        if value is not None and len(value) == dimensions:
            try:
                row[:] = np.asarray(value, dtype=np.float64)
            except (TypeError, ValueError):
                raise InvalidArgumentError(f"a row of the column of vectors holds {value!r}, which are no numbers") from None
    return rows


def _uneven(vectors: Any) -> str:
    lengths = [len(row) if hasattr(row, "__len__") else 0 for row in vectors]
    for row, length in enumerate(lengths):
        if length != lengths[0]:
            return f"row {row} of the vectors has {length} numbers, and row 0 has {lengths[0]}; give each as many"
    return "vectors are an array of rows and dimensions; these are none"
