"""The data between tasks: rows of Spark as arrays, and the structs of the library."""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from .._errors import InvalidArgumentError, NotFoundError
from .._packages import package
from .._session import session
from .._settings import given
from .._texts import Dictionaries

WEIGHT = np.dtype([("rarity", "<u4", (2,)), ("last_class", "u1", (2,)), ("common", "u1"), ("frame", "u1")])
TALLY = np.dtype([("shared", "<u4"), ("hot", "<u4"), ("weight", "<u4", (6,))])
EVIDENCE = np.dtype([("units", "<u4", (2,)), ("weights", WEIGHT, (2,)), ("shared", "<u4", (6,)), ("stars", "<u4")])
TO_COMPARE = np.dtype(
    [("a", "<u4"), ("b", "<u4"), ("score", "<f4"), ("worth", "u1"), ("template_only", "u1"), ("frame", "u1"), ("unused", "u1")]
)
COMPARED = np.dtype(
    [("a", "<u4"), ("b", "<u4"), ("jaccard", "<f4"), ("containment", "<f4"), ("score", "<f4"), ("measure", "u1"),
     ("standing", "u1"), ("round", "<u2")]
)
SHINGLE = np.dtype([("text", "<u4"), ("shingle", "<u4"), ("families", "<u4"), ("is_template", "<u4")])

#: A key of a text; what keys say of a text, and of a pair: its text with the greater content, and their leader.
KEY = np.dtype([("key", "<i8"), ("t", "<i8"), ("long", "?")], align=True)
#: A text with its length and its keys of each tier, and with what they are worth; those of all texts are in the order of t.
TEXT_KEYS = np.dtype([("t", "<i8"), ("units", "<u4"), ("keys", "<u4", (2,)), ("unused", "<u4")])
WORTH = np.dtype([("t", "<i8"), ("units", "<u4"), ("weight", WEIGHT)])
TALLY_OF_TEXT = np.dtype([("t", "<i8"), ("tally", TALLY, (2,))])
KEYS_OF_PAIR = np.dtype([(name, "<i8") for name in ("a", "b", "e0", "e1", "e2", "stars")])
#: A shingle that so many texts of pairs hold, and so many others, each of which is a family of its own.
HELD_SHINGLE = np.dtype([("s", "<u4"), ("outside", "<u4"), ("count", "<u4")])
#: A shingle of a text in question, with what was counted of it.
MARK = np.dtype([("t", "<i8"), ("s", "<u4"), ("families", "<u4"), ("is_template", "<u4")])

SIMILAR, SAME_WORK, ASIDE, SETTLED = 0, 1, 2, 3  # the state of a compared pair
MEASURES = _leitong.measure_names()

#: Turns a hash into a long whose order is that of the hash.
SIGN = np.uint64(1 << 63)


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

    def steps(self) -> _leitong.Steps:
        return _steps(self)


@lru_cache(maxsize=4)
def _steps(settings: Settings) -> _leitong.Steps:
    return _leitong.Steps.open(
        _leitong.DedupSettings(given(**asdict(settings), measure_recall=False), Dictionaries().open(), False)
    )


def here() -> _leitong.Session:
    """One thread for each task: Spark has as many tasks as it has cores."""
    return session(threads=1, work_folder=local_folder())


def local_folder() -> str | None:
    """The folder for a task's own large files; None if Spark does not tell."""
    return os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None


def pyarrow() -> Any:
    return package("pyarrow", "leitong.spark", "pyarrow")


def numbers(batch: Any, name: str) -> NDArray[Any]:
    """A column without nulls."""
    values: NDArray[Any] = batch.column(batch.schema.get_field_index(name)).to_numpy(zero_copy_only=False)
    return values


def numbers_of(content: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The numbers of texts by their contents, in the same order."""
    return (content ^ SIGN).view(np.int64)


def to_bytes(structs: NDArray[Any]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(structs).view(np.uint8).reshape(-1)


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


def text_keys(t: NDArray[Any], units: NDArray[Any], short: NDArray[Any], n: NDArray[Any]) -> NDArray[np.void]:
    """Structs of TEXT_KEYS. `n`: keys, of which `short` are of tier 0."""
    made = np.zeros(len(t), TEXT_KEYS)
    made["t"], made["units"], made["keys"][:, 0], made["keys"][:, 1] = t, units, short, n - short
    return made


def binaries(values: NDArray[Any], offsets: NDArray[Any]) -> Any:
    """An Arrow array of the packed values between offsets."""
    pa = pyarrow()
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(
        pa.binary(), len(offsets) - 1, [None, pa.py_buffer((offsets * values.itemsize).astype(np.int32)), pa.py_buffer(values)]
    )


def batch_of(**columns: Any) -> Any:
    pa = pyarrow()
    return pa.RecordBatch.from_arrays([pa.array(c) if isinstance(c, np.ndarray) else c for c in columns.values()],
                                      names=list(columns))


def slices(batch: Any, rows: int = 1 << 16) -> Iterator[Any]:
    """A batch in parts that fit in the receiver's buffers."""
    for begin in range(0, batch.num_rows, rows):
        yield batch.slice(begin, rows)


def groups_of(batches: Iterable[Any], by: str, at_least: int) -> Iterator[Any]:
    """Tables of whole groups: rows that are equal in `by` are adjacent and stay together. Each but the last has
    `at_least` rows."""
    pa = pyarrow()
    held: list[Any] = []
    count = 0
    for batch in batches:
        if batch.num_rows == 0:
            continue
        key = numbers(batch, by)
        if held and count >= at_least:
            # The end of the held group.
            last = numbers(held[-1], by)[-1]
            end = int(np.argmax(key != last)) if (key != last).any() else -1
            if end >= 0:
                if end:
                    held.append(batch.slice(0, end))
                yield pa.Table.from_batches(held)
                batch, held, count = batch.slice(end), [], 0
        held.append(batch)
        count += batch.num_rows
    if held:
        yield pa.Table.from_batches(held)


def flat(column: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The values of an array of lists, and the offset of each list."""
    offsets = column.offsets.to_numpy().astype(np.int64)
    values = column.values.to_numpy(zero_copy_only=False)[offsets[0] : offsets[-1]]
    return values, offsets - offsets[0]


def packed_bytes(column: Any) -> Iterator[Any]:
    """The bytes of an array of binaries, one after the other; a null has none."""
    if len(column):
        of = np.int64 if pyarrow().types.is_large_binary(column.type) else np.int32
        offsets = np.frombuffer(column.buffers()[1], of)[column.offset : column.offset + len(column) + 1]
        if offsets[-1] > offsets[0]:
            yield memoryview(column.buffers()[2])[int(offsets[0]) : int(offsets[-1])]


def values_of(column: Any, of: Any) -> NDArray[Any]:
    """The content of binaries, one after the other, as values of this type. `column`: an array, or the chunks of one."""
    return np.frombuffer(b"".join(some for rows in getattr(column, "chunks", [column]) for some in packed_bytes(rows)), of)


def begins_of(*keys: NDArray[np.generic]) -> NDArray[np.int64]:
    """The begin of each group, for rows that are sorted by these columns."""
    if not len(keys[0]):
        return np.empty(0, np.int64)
    fresh = np.zeros(len(keys[0]), bool)
    fresh[0] = True
    for key in keys:
        fresh[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(fresh)
