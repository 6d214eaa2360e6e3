"""Rows of Spark as arrays, the settings of a run, and the structs of the library."""
from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from .._errors import InvalidArgumentError, NotFoundError
from .._packages import package
from .._settings import given
from .._texts import Dictionaries


@dataclass(frozen=True)
class Settings:
    """How texts are compared. Tasks receive it and open the library once for each process."""

    threshold: float | None = None
    measure: str | None = None
    strict_match: bool = False
    template_text: str = "automatic"
    remove: str = "careful"
    loss: float | None = None
    loss_run: float | None = None
    numbers: str = "same"
    marks: str = "fold"

    def opened(self, cosine: float = 0, ranked: bool = False) -> _leitong.DedupSettings:
        """Opens the library with these settings. Fails for impossible values."""
        chosen = given(**asdict(self), measure_recall=False, cosine=cosine or None)
        return _leitong.DedupSettings(chosen, Dictionaries().open(), ranked)


def local_folder() -> str | None:
    """The folder for a task's own large files; None if Spark does not tell."""
    return os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None


def pyarrow() -> Any:
    return package("pyarrow", "leitong.spark", "pyarrow")


def numbers(batch: Any, name: str) -> NDArray[Any]:
    """A column without nulls."""
    values: NDArray[Any] = batch.column(batch.schema.get_field_index(name)).to_numpy(zero_copy_only=False)
    return values


def column_types(df: Any, *needed: str) -> dict[str, str]:
    """The types of all columns of a DataFrame. Checks that the needed ones exist."""
    types = {field.name: field.dataType.simpleString() for field in df.schema}
    for name in needed:
        if name not in types:
            raise NotFoundError(f'column "{name}" is missing (found: {", ".join(types)})')
    return types


def texts_of(column: Any) -> _leitong.Texts:
    """The texts of an Arrow array of strings, without a copy."""
    pa = pyarrow()
    if column.null_count:
        raise InvalidArgumentError("a row has no text (null); leave such rows out")
    return _leitong.Texts.from_arrow(column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column]), "text")


def batch_of(**columns: Any) -> Any:
    pa = pyarrow()
    return pa.RecordBatch.from_arrays([pa.array(c) if isinstance(c, np.ndarray) else c for c in columns.values()],
                                      names=list(columns))


def slices(batch: Any, rows: int = 1 << 16) -> Iterator[Any]:
    """Divides a batch into parts that fit in the receiver's buffers."""
    for begin in range(0, batch.num_rows, rows):
        yield batch.slice(begin, rows)
