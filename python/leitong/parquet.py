"""Deduplicates Parquet files, on any file system that fsspec knows.

    leitong.parquet.dedup_files("s3://crawl/2026/*.parquet", "s3://crawl/kept/", text="text", id="url",
                                removed="s3://crawl/removed.parquet", memory=8 << 30, work_folder="/scratch")

It makes two passes: the first one reads the column of texts (and that of ids) batch by batch, and the second one copies the rows
that stay. Neither holds more than the budget, one row group, and the decisions. If the texts fit in half of the budget (or, without
a budget, in an eighth of the machine's memory), they are compared in memory.
"""
from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any

import fsspec  # type: ignore[import-untyped]
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from numpy.typing import NDArray

from ._data import source_of, values_of
from ._dedup import dedup
from ._errors import CorruptError, InvalidArgumentError, NotFoundError, UnsupportedError
from ._keep import column_of, ranks_of
from ._numbers import bytes_of
from ._result import Result
from ._vectors import vectors_of

__all__ = ["dedup_files"]

_compute: Any = pyarrow.compute  # its functions are made at run time
_ROWS = 10_000  # of a batch
_UNFINISHED = ".unfinished"


def dedup_files(
    inputs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    text: str = "text",
    id: str | None = None,
    removed: str | os.PathLike[str] | None = None,
    pairs: str | os.PathLike[str] | None = None,
    clusters: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    storage_options: dict[str, Any] | None = None,
    **options: Any,
) -> Result:
    """Copies the rows that stay, with all columns, the schema and its metadata, the compression and the size of row groups.

    ``inputs`` are files, folders (of which the .parquet files are read) and patterns, local or with the scheme of a file system. If
    ``output`` ends in .parquet it gets all rows; otherwise it is a folder, with one file of the same name for each input. ``text``
    and ``id`` name columns, with dots for fields in structs. ``removed`` gets the id, kept, measure and score of each row that
    leaves, ``pairs`` the ids and scores of all similar pairs, and ``clusters`` the id and cluster of each row in a cluster. Without
    ids these files have the numbers of rows, and -1 - its position for a reference. ``options`` are those of ``leitong.dedup``;
    ``references`` have the same names of columns, and a column that ``keep`` or ``vectors`` names is held in memory.

    Outputs appear when all of them are complete. The ``Result`` counts rows through all inputs; its ``kept`` and ``removed`` have
    only texts and ids.
    """
    files = [_File(path, storage_options) for path in _listed(inputs, storage_options)]
    single = os.fspath(output).endswith(".parquet")
    _check_schemas(files, [text] + ([id] if id else []), single)
    targets = [os.fspath(output)] if single else [_join(output, file.name) for file in files]
    extra = {name: os.fspath(path) for name, path in (("removed", removed), ("pairs", pairs), ("clusters", clusters)) if path}
    with _Outputs([*targets, *extra.values()], {file.path for file in files}, overwrite, storage_options) as outputs:
        kind = _plain_kind(files[0].kind_of(id)) if id else pa.int64()
        schema = pa.schema([pa.field(text, pa.large_string())] + ([pa.field(id, kind)] if id else []))
        data = _table_or_reader(schema, _batches(files, text, id, schema), bytes_of(options.get("memory", 0)) or _quarter_of_memory())
        result = dedup(data, text=text, id=id, **_with_columns(files, text, id, options))
        stays = result.kept_for == np.arange(len(result.kept_for))
        first, writer = 0, None
        for number, file in enumerate(files):
            if writer is None:
                writer = file.writer(outputs.open(targets[number]))
            file.copy(stays[first : first + file.rows], writer)
            first += file.rows
            if not single or number + 1 == len(files):
                writer.close()
                writer = None
        tables = {"removed": _removed, "pairs": _pairs, "clusters": _clusters}
        for name, path in extra.items():
            pq.write_table(tables[name](result, kind), outputs.open(path), compression="zstd")
    return result


class _File:
    """An input file."""

    def __init__(self, path: str, storage_options: dict[str, Any] | None) -> None:
        self.path = path
        self._open = fsspec.open(path, "rb", **(storage_options or {}))
        with self._open as raw, _opened(raw, path) as file:
            self.schema: pa.Schema = file.schema_arrow.with_metadata(
                {key: value for key, value in (file.metadata.metadata or {}).items() if key != b"ARROW:schema"}
            )
            self.rows: int = file.metadata.num_rows
            groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
        self.group_rows: int = max((group.num_rows for group in groups), default=1 << 20) or 1
        columns = [groups[0].column(number) for number in range(groups[0].num_columns)] if groups else []
        self.compression: dict[str, str] = {
            column.path_in_schema: column.compression.replace("UNCOMPRESSED", "NONE") for column in columns
        }

    @property
    def name(self) -> str:
        return self.path.rstrip("/").rpartition("/")[2]

    def kind_of(self, column: str) -> pa.DataType:
        """NotFoundError if there is no column of this name."""
        kind = pa.struct(self.schema)
        for field in column.split("."):
            if not pa.types.is_struct(kind) or kind.get_field_index(field) < 0:
                found = ", ".join(self.schema.names)
                raise NotFoundError(f'{self.path}: column "{column}" is missing (found: {found})')
            kind = kind.field(field).type
        return kind

    def batches(self, columns: Sequence[str]) -> Iterator[list[pa.Array]]:
        """Reads some columns, by their names with dots."""
        with self._open as raw, pq.ParquetFile(raw) as file:
            for batch in file.iter_batches(_ROWS, columns=list(columns)):
                found = []
                for column in columns:
                    first, *fields = column.split(".")
                    values = batch.column(first)
                    found.append(_compute.struct_field(values, fields) if fields else values)
                yield found

    def writer(self, sink: Any) -> pq.ParquetWriter:
        compression: Any = self.compression or "snappy"
        return pq.ParquetWriter(sink, self.schema, compression=compression)

    def copy(self, stays: NDArray[np.bool_], writer: pq.ParquetWriter) -> None:
        """Copies the rows that stay, in groups as large as those of the file."""
        held: list[pa.Table] = []
        count = first = 0
        with self._open as raw, pq.ParquetFile(raw) as file:
            for number in range(file.metadata.num_row_groups):
                table = file.read_row_group(number)
                chosen = table.filter(pa.array(stays[first : first + table.num_rows]))
                first += table.num_rows
                held.append(chosen.cast(self.schema))
                count += chosen.num_rows
                while count >= self.group_rows:
                    together = pa.concat_tables(held)
                    writer.write_table(together.slice(0, self.group_rows), row_group_size=self.group_rows)
                    held, count = [together.slice(self.group_rows)], count - self.group_rows
        if count:
            writer.write_table(pa.concat_tables(held), row_group_size=self.group_rows)


class _Outputs:
    """Output files that get their names together at the end, or leave nothing."""

    def __init__(
        self, paths: Sequence[str], inputs: set[str], overwrite: bool, storage_options: dict[str, Any] | None
    ) -> None:
        self._options = storage_options or {}
        self._opened: dict[str, Any] = {}
        for path in paths:
            system, place = _at(path, self._options)
            if _plain(path, storage_options) in inputs:
                raise InvalidArgumentError(f"{path} is an input; choose another name for the output")
            if paths.count(path) > 1:
                raise InvalidArgumentError(f"two outputs have the name {path}")
            if not overwrite and system.exists(place):
                raise InvalidArgumentError(f"{path} exists; overwrite=True replaces it")

    def open(self, path: str) -> Any:
        system, place = _at(path, self._options)
        system.makedirs(system._parent(place), exist_ok=True)
        self._opened[path] = system.open(place + _UNFINISHED, "wb")
        return self._opened[path]

    def __enter__(self) -> _Outputs:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        for path, file in self._opened.items():
            with contextlib.suppress(Exception) if error else contextlib.nullcontext():
                file.close()
            system, place = _at(path, self._options)
            if error:
                with contextlib.suppress(OSError):
                    system.rm(place + _UNFINISHED)
        if not error:
            for path in self._opened:
                system, place = _at(path, self._options)
                if system.exists(place):
                    system.rm(place)
                system.mv(place + _UNFINISHED, place)


def _at(path: str, storage_options: dict[str, Any] | None) -> tuple[Any, str]:
    """The file system of a path, and the path within it."""
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(path, **(storage_options or {}))
    except ImportError as why:  # its message names the package
        raise UnsupportedError(f"{path}: {why}") from None
    except ValueError as why:
        raise InvalidArgumentError(f"{path}: {why}") from None
    return found


def _opened(raw: Any, path: str) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(raw)
    except pa.ArrowInvalid as why:
        raise CorruptError(f"{path} is no Parquet file: {why}") from None


def _plain(path: str, storage_options: dict[str, Any] | None) -> str:
    system, place = _at(path, storage_options)
    plain: str = system.unstrip_protocol(place)
    return plain


def _listed(inputs: Any, storage_options: dict[str, Any] | None) -> list[str]:
    paths: list[str] = []
    for one in [inputs] if isinstance(inputs, str | os.PathLike) else inputs:
        system, place = _at(os.fspath(one), storage_options)
        if system.isdir(place):
            found = [path for path in system.find(place) if path.endswith(".parquet")]
        else:
            found = system.glob(place) if "*" in place or "?" in place else [place] if system.exists(place) else []
        if not found:
            raise NotFoundError(f"{os.fspath(one)}: there is no Parquet file")
        paths += sorted(system.unstrip_protocol(path) for path in found)
    return paths


def _check_schemas(files: Sequence[_File], columns: Sequence[str], single: bool) -> None:
    for file in files:
        for column in columns:
            file.kind_of(column)
        if single and file.schema.remove_metadata() != files[0].schema.remove_metadata():
            raise InvalidArgumentError(
                f"{file.path} has other columns than {files[0].path}; let the output be a folder, with a file for each"
            )
    if not single and len({file.name for file in files}) < len(files):
        raise InvalidArgumentError("two inputs have one name, so that a folder can't hold both; name one output file")


def _batches(files: Sequence[_File], text: str, id: str | None, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for file in files:
        first = 0
        for columns in file.batches([text, id] if id else [text]):
            if columns[0].null_count:
                row = first + columns[0].is_null().index(True).as_py()
                raise InvalidArgumentError(f"{file.path}: row {row} has no text (null); leave such rows out")
            first += len(columns[0])
            yield pa.record_batch([column.cast(field.type) for column, field in zip(columns, schema, strict=True)], schema)


def _quarter_of_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4


def _table_or_reader(schema: pa.Schema, batches: Iterator[pa.RecordBatch], most: int) -> Any:
    """A table, which is used without a copy, if it fits in half of ``most`` bytes; else data that are read once."""
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        held.append(batch)
        size += batch.nbytes
        if size > most // 2:
            return pa.RecordBatchReader.from_batches(schema, itertools.chain(held, batches))
    return pa.Table.from_batches(held, schema)


def _join(folder: str | os.PathLike[str], name: str) -> str:
    return f"{os.fspath(folder).rstrip('/')}/{name}"


def _with_columns(files: Sequence[_File], text: str, id: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """The options of ``dedup``, in which arrays replace names of columns."""
    made = dict(options)
    keep, vectors, references = (options.get(name) for name in ("keep", "vectors", "references"))
    if keep is not None and (column := column_of(keep)):
        made["keep"] = ranks_of(keep, _column(files, column))
    if isinstance(vectors, str):
        known = None if references is None else source_of(references, text, id)
        made["vectors"] = vectors_of(vectors, _column(files, vectors), known)
    return made


def _column(files: Sequence[_File], column: str) -> Any:
    """A column of all files as data that ``dedup`` takes."""
    for file in files:
        file.kind_of(column)
    chunks = (found for file in files for (found,) in file.batches([column]))
    return source_of({column: values_of(chunks)}, column, None)


def _plain_kind(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _names(result: Result, rows: Any, kind: pa.DataType) -> pa.Array:
    """The ids of rows and of references (below 0); their numbers if there are no ids."""
    if result.ids is None:
        return pa.array(np.asarray(rows, np.int64))
    ids = [result.id_of(row) for row in rows]
    try:
        return pa.array(ids, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # references may have ids of another type
        return pa.array([None if id is None else str(id) for id in ids], pa.string())


def _removed(result: Result, kind: pa.DataType) -> pa.Table:
    removals = result.removals
    return pa.table(
        {
            "id": _names(result, [removal.position for removal in removals], kind),
            "kept": _names(result, [removal.kept for removal in removals], kind),
            "measure": pa.array([removal.measure for removal in removals], pa.string()),
            "score": pa.array([removal.score for removal in removals], pa.float64()),
        }
    )


def _pairs(result: Result, kind: pa.DataType) -> pa.Table:
    pairs = result.pairs
    return pa.table(
        {
            "id_a": _names(result, pairs["a"].tolist(), kind),
            "id_b": _names(result, pairs["b"].tolist(), kind),
            "jaccard": np.ascontiguousarray(pairs["jaccard"]),
            "containment": np.ascontiguousarray(pairs["containment"]),
        }
    )


def _clusters(result: Result, kind: pa.DataType) -> pa.Table:
    clusters = result.clusters
    rows = [int(row) for cluster in clusters for row in cluster]
    numbers = [number for number, cluster in enumerate(clusters, 1) for _ in cluster]
    return pa.table({"id": _names(result, rows, kind), "cluster": pa.array(numbers, pa.int64())})
