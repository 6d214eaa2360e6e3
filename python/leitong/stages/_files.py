"""The named files of a run: they appear complete, hold columns, and are read in parts."""
from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .._errors import NotFoundError
from ..spark._rows import pyarrow, to_bytes

Columns = dict[str, Any]


@contextmanager
def appears_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name when it is complete and durable. Two machines that write it at once write the same, and
    the later one wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{socket.gethostname()}.{os.getpid()}")
    try:
        with open(unfinished, "wb") as file:
            yield file
        with open(unfinished, "rb") as file:  # the writer may have closed it
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    with appears_whole(path) as file:
        file.write(json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n")


def as_batch(columns: Columns) -> Any:
    """Arrays, those of structs as binaries of one size, and columns of Arrow."""
    pa = pyarrow()

    def made(values: Any) -> Any:
        if not isinstance(values, np.ndarray):
            return values
        if values.dtype.names is None:
            return pa.array(values)
        return pa.Array.from_buffers(pa.binary(values.itemsize), len(values), [None, pa.py_buffer(to_bytes(values))])

    return pa.RecordBatch.from_arrays([made(values) for values in columns.values()], names=list(columns))


def write_batches(path: Path, batches: Sequence[Any] | Iterator[Any], compress: bool = False) -> None:
    """Arrow IPC of record batches of one kind, at least one, which readers map into memory if they are not compressed."""
    pa = pyarrow()
    options = pa.ipc.IpcWriteOptions(compression="lz4" if compress else None)
    with appears_whole(path) as file:
        writer = None
        for batch in batches:
            writer = writer or pa.ipc.new_file(file, batch.schema, options=options)
            writer.write_batch(batch)
        if writer is None:
            raise ValueError(f"{path} gets no batch")
        writer.close()


def write_by_range(path: Path, columns: Columns, ranges: NDArray[np.int64], count: int, compress: bool = False) -> None:
    """A file of `count` batches: the rows of each range, in their order."""
    pa = pyarrow()
    rows = as_batch(columns)
    if (ranges[1:] < ranges[:-1]).any():
        rows = rows.take(pa.array(np.argsort(ranges, kind="stable")))
    ends = np.cumsum(np.bincount(ranges, minlength=count))
    write_batches(path, (rows.slice(end - size, size) for end, size in zip(ends, np.diff(ends, prepend=0), strict=True)), compress)


def write_packets(path: Path, columns: Columns, packets: tuple[NDArray[Any], ...], count: int, width: int | None = None) -> None:
    """A file of `count` batches: for each range of the library's packets some `columns` of their texts, beside the values of each, which
    are bytes of this width or numbers."""
    pa = pyarrow()
    values, of, counts, ranges, first_text, first = packets
    low, high = (np.searchsorted(ranges, np.arange(count), side=side) for side in ("left", "right"))

    def batch(begin: int, end: int) -> Any:
        texts = of[first_text[begin] : first_text[end]]
        some = values[first[begin] : first[end]]
        ends = np.append(0, np.cumsum(counts[first_text[begin] : first_text[end]], dtype=np.int64))
        flat = pa.array(some) if width is None else pa.Array.from_buffers(pa.binary(width), len(some) // width, [None, pa.py_buffer(some)])
        return as_batch({n: c[texts] for n, c in columns.items()} | {"values": pa.ListArray.from_arrays(pa.array(ends, pa.int32()), flat)})

    write_batches(path, (batch(begin, end) for begin, end in zip(low.tolist(), high.tolist(), strict=True)))


def values_of_packets(rows: Any, of: Any) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """Of a batch that write_packets() wrote, how many values each row has, and the values of all rows, as numbers of this type."""
    lists = rows.column("values")
    size = len(lists.values) * lists.values.type.bit_width // 8
    values = np.frombuffer(lists.values.buffers()[1], np.uint8)[:size].view(of) if size else np.empty(0, of)
    return np.diff(lists.offsets.to_numpy()).astype(np.uint32), values


def opened(path: Path) -> Any:
    """A file of batches, mapped."""
    pa = pyarrow()
    if not path.exists():
        raise NotFoundError(f"{path} is missing: the stage that writes it has not been run, or not all of its parts")
    return pa.ipc.open_file(pa.memory_map(os.fspath(path)))


def batch_at(path: Path, number: int) -> Any:
    return opened(path).get_batch(number)


def whole(path: Path) -> Any:
    """All rows of a file, as one batch."""
    return opened(path).read_all().combine_chunks()


def column(rows: Any, name: str) -> NDArray[Any]:
    """A column of a batch or a table, without nulls."""
    values: NDArray[Any] = rows.column(name).to_numpy() if hasattr(rows, "to_batches") else rows.column(name).to_numpy(zero_copy_only=False)
    return values


def structs(rows: Any, name: str, of: Any) -> NDArray[Any]:
    """A column of structs of this type, of a batch that was read from a file."""
    values = rows.column(name)
    return np.frombuffer(values.buffers()[1], of, len(values), values.offset * of.itemsize) if len(values) else np.empty(0, of)


def columns_of(parts: Sequence[Any], *names: str) -> tuple[NDArray[Any], ...]:
    """These columns of several batches, one after the other."""
    return tuple(np.concatenate([column(part, name) for part in parts]) for name in names)
