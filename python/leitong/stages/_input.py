"""Reads the records of the inputs, and writes those that stay unchanged."""
from __future__ import annotations

import io
import os
from collections.abc import Iterator
from importlib import import_module
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from .._errors import InvalidArgumentError
from ..spark._rows import pyarrow
from ._files import appears_whole
from ._plan import Plan

_BYTES = 8 << 20  # of lines that are read at once
_PACKED = {".gz": "gzip", ".zst": "zstd"}


def records(plan: Plan, number: int) -> Iterator[tuple[Any, Any]]:
    """Texts and ids of an input, in batches of Arrow strings; no id: file:record, as the command names it."""
    plan.check_input(number)
    path = plan.inputs[number].path
    yield from (_rows if path.endswith(".parquet") else _lines)(plan, path)


def _lines(plan: Plan, path: str) -> Iterator[tuple[Any, Any]]:
    name, first = os.path.basename(path), 1
    with _opened(path) as file:
        while block := file.read(_BYTES):
            texts, text_at, ids, id_at, lines = _leitong.read_json_lines(block + file.readline(), plan.text, plan.id, name, first)
            first += lines
            if len(text_at) > 1:
                yield _strings(texts, text_at), _strings(ids, id_at)


def _strings(values: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Any:
    pa = pyarrow()
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(values))


def _opened(path: str) -> io.BufferedReader:
    return io.BufferedReader(pyarrow().input_stream(path), 1 << 20)


def _lines_of(path: str) -> Iterator[bytes]:
    """The non-blank lines."""
    with _opened(path) as file:
        yield from (line for line in file if not line.isspace())


def _rows(plan: Plan, path: str) -> Iterator[tuple[Any, Any]]:
    pa = pyarrow()
    parquet = import_module("pyarrow.parquet")
    name = os.path.basename(path)
    with parquet.ParquetFile(path) as file:
        fields = file.schema_arrow.names
        if plan.text not in fields:
            raise InvalidArgumentError(f'{path} has no column "{plan.text}" (found: {", ".join(fields)})')
        wanted = [plan.text] + ([plan.id] if plan.id in fields else [])
        place = 0
        for batch in file.iter_batches(4096, columns=wanted):
            texts = batch.column(plan.text).cast(pa.large_string())
            if texts.null_count:
                raise InvalidArgumentError(f'{path}: a row has no text in "{plan.text}" (null); leave such rows out')
            places = [f"{name}:{row}" for row in range(place + 1, place + 1 + len(texts))]
            given = batch.column(plan.id).to_pylist() if plan.id in fields else [None] * len(texts)
            yield texts, pa.array([p if i is None else str(i) for p, i in zip(places, given, strict=True)], pa.large_string())
            place += len(texts)


def write_kept(plan: Plan, number: int, stays: NDArray[np.bool_]) -> None:
    """The records of an input that stay, in a file of its name."""
    plan.check_input(number)
    path = plan.inputs[number].path
    with appears_whole(plan.output / "kept" / os.path.basename(path)) as file:
        if path.endswith(".parquet"):
            source = import_module("leitong.parquet")._File(path, None)
            with source.writer(file) as writer:
                source.copy(stays, writer)
        else:
            _write_lines(path, stays, file)


def _write_lines(path: str, stays: NDArray[np.bool_], file: IO[bytes]) -> None:
    packing = _PACKED.get(os.path.splitext(path)[1])
    sink: Any = pyarrow().CompressedOutputStream(file, packing) if packing else file
    for line, stay in zip(_lines_of(path), stays.tolist(), strict=True):
        if stay:
            sink.write(line if line.endswith(b"\n") else line + b"\n")
    if packing:
        sink.close()
