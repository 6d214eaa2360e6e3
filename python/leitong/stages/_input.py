"""Reads the records of the inputs, and writes those that stay unchanged."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib import import_module
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InvalidArgumentError
from ..spark._rows import pyarrow
from ._files import appears_whole
from ._plan import Plan

_BYTES = 8 << 20  # of texts in one batch
_PACKED = {".gz": "gzip", ".zst": "zstd"}


def records(plan: Plan, number: int) -> Iterator[tuple[Any, Any]]:
    """Texts and ids of an input, in batches of Arrow strings; no id: file:record, as the command names it."""
    plan.check_input(number)
    path = plan.inputs[number].path
    yield from (_rows if path.endswith(".parquet") else _lines)(plan, path)


def _lines(plan: Plan, path: str) -> Iterator[tuple[Any, Any]]:
    pa = pyarrow()
    name = os.path.basename(path)
    texts: list[str] = []
    ids: list[str] = []
    size = 0
    for place, line in _lines_of(path):
        try:
            record = json.loads(line)
            text = record[plan.text]
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidArgumentError(f'{name}:{place}: no record with a field "{plan.text}" ({error!r}); leave it out') from None
        if not isinstance(text, str):
            raise InvalidArgumentError(f'{name}:{place}: the field "{plan.text}" is no text; leave such records out')
        texts.append(text)
        id = record.get(plan.id)
        ids.append(f"{name}:{place}" if id is None else str(id))
        size += len(line)
        if size >= _BYTES:
            yield pa.array(texts, pa.string()), pa.array(ids, pa.string())
            texts, ids, size = [], [], 0
    if texts:
        yield pa.array(texts, pa.string()), pa.array(ids, pa.string())


def _lines_of(path: str) -> Iterator[tuple[int, bytes]]:
    """The non-blank lines with their numbers, from 1."""
    import io

    with io.BufferedReader(pyarrow().input_stream(path), 1 << 20) as file:
        for place, line in enumerate(file, 1):
            if not line.isspace():
                yield place, line


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
            texts = batch.column(plan.text).cast(pa.string())
            if texts.null_count:
                raise InvalidArgumentError(f'{path}: a row has no text in "{plan.text}" (null); leave such rows out')
            places = [f"{name}:{row}" for row in range(place + 1, place + 1 + len(texts))]
            given = batch.column(plan.id).to_pylist() if plan.id in fields else [None] * len(texts)
            yield texts, pa.array([p if i is None else str(i) for p, i in zip(places, given, strict=True)], pa.string())
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
    for (_, line), stay in zip(_lines_of(path), stays.tolist(), strict=True):
        if stay:
            sink.write(line if line.endswith(b"\n") else line + b"\n")
    if packing:
        sink.close()
