"""Near-duplicates in DataFrames of Spark 3.5 and 4: the same texts stay as on one machine.

    import leitong.spark
    result = leitong.spark.dedup(spark.read.parquet("crawl/"), text="text", id="url", work="file:/shared/leitong")
    result.kept.write.parquet("kept/")

Executors need this package, pyarrow and pandas; docs/spark.md says how to bring them there, and what to expect.
"""
from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from .. import _leitong
from .._errors import InvalidArgumentError, NotFoundError, UnsupportedError
from .._groups import refuse_groups
from . import _parts, _whole
from ._fingerprints import hamming_join, sign
from ._rows import Settings, column_types
from ._store import Store, functions

__all__ = ["Result", "dedup", "hamming_join", "sign"]

_ORDERED = ("string", "tinyint", "smallint", "int", "bigint")


class Result:
    """The decisions, as DataFrames that read the stages in ``work``."""

    def __init__(self, rows: Any, id: str, store: Store, removed: Any, pairs: Any) -> None:
        self._rows, self._id, self._store = rows, id, store
        #: The rows that leave, by ``id``: the id of the row ``kept`` in their place, the measure that decided and its value.
        self.removed = removed.select(functions().col("id").alias(id), "kept", "measure", "score")
        #: All verified pairs by ids, ``a`` before ``b``, with Jaccard coefficient, containment, measure and score. Rows that are
        #: equal after folding are paired only with the first of them.
        self.pairs = pairs

    @property
    def kept(self) -> Any:
        """The rows that stay, with all their columns."""
        return self._rows.join(self.removed.select(self._id), self._id, "left_anti")

    def clean(self) -> None:
        """Deletes the stages. The DataFrames of this result can't be read afterwards."""
        self._store.remove()


def dedup(
    df: Any,
    text: str = "text",
    id: str = "id",
    *,
    work: str,
    keep: str = "longest",
    remove: Literal["lossless", "careful", "wide", "similar"] = "careful",
    loss: float | None = None,
    loss_run: float | None = None,
    numbers: Literal["same", "text", "masked"] = "same",
    marks: Literal["fold", "keep"] = "fold",
    measure: str | None = None,
    threshold: float | None = None,
    strict_match: bool = False,
    template_text: Literal["automatic", "ignored", "counted"] = "automatic",
    vectors: str | None = None,
    cosine: float | None = None,
    one_task: int = 2 << 30,
    within: None = None,
    across: None = None,
    keep_each: None = None,
) -> Result:
    """Finds the near-duplicates among the rows of a DataFrame and decides which ones stay.

    ``text`` and ``id`` name columns. Ids are strings or integers, and each row needs an id of its own. Among otherwise equal rows
    the one with the least id comes first, so that nothing depends on how rows are distributed. ``work`` is a folder that the driver
    and all executors see; every stage is written there, and a job that is started again with the same data and settings continues
    where the last one ended. A distributed run needs a path on a shared file system. The data must be the same each time they are
    read.

    ``keep`` is "longest", "first", "min:COLUMN" or "max:COLUMN", with a column of numbers. The other options are those of
    ``leitong.dedup``; the method is the default one.

    A corpus of at most ``one_task`` bytes of text (by Spark's estimate, and then by count) is decided by one task, on its disk and
    with all cores of its executor, which is much faster than a distributed run. With 0 every run is distributed. The decisions are
    the same.

    ``vectors`` names a column of arrays of floats or doubles, embeddings that you bring: two rows whose vectors have a cosine of at
    least ``cosine`` are also similar, as in ``leitong.dedup``. One task compares all vectors with all others, so texts and vectors
    together must not be larger than ``one_task``.

    Groups (``within``, ``across``, ``keep_each``) are refused.
    """
    refuse_groups({"within": within, "across": across, "keep_each": keep_each})
    if (vectors is None) != (cosine is None):
        raise InvalidArgumentError("vectors need a cosine, such as 0.9, and a cosine needs vectors", "cosine")
    f = functions()
    types = column_types(df, text, id)
    if types[text] != "string":
        raise InvalidArgumentError(f'column "{text}" is of the type {types[text]}; texts are strings')
    if types[id] not in _ORDERED:
        raise InvalidArgumentError(f'column "{id}" is of the type {types[id]}; ids are strings or integers')
    settings = Settings(threshold, measure, strict_match, template_text, remove, loss, loss_run, numbers, marks)
    _leitong.check_spread(settings.opened())  # both kinds of runs accept the same settings
    if vectors is not None:
        return _by_vectors(df, text, id, work, keep, types, settings, vectors, cosine or 0, one_task)
    rows = df.select(f.col(id).alias("id"), f.col(text).alias("body"), *_rank(keep, types))
    store = Store(df.sparkSession, work, _identity(settings, [keep], [text, id, types[id]]))
    whole = _whole.decide(store, settings, rows, one_task) if one_task > 0 else None
    if whole is not None:
        _refuse_repeated(_whole.repeated(whole))
        return Result(df, id, store, *_of_whole(whole))
    inputs = _parts.write_inputs(store, rows)
    repeated = rows.groupBy("id").count().where("count > 1").limit(1).collect()
    _refuse_repeated(tuple(repeated[0]) if repeated else None)
    return Result(df, id, store, *_parts.decide(store, settings, rows, inputs, "longest" if keep == "longest" else "first"))


def _identity(settings: Settings, more: list[Any], columns: list[str]) -> dict[str, Any]:
    """What the stages depend on beside the data."""
    return {"leitong": _leitong.version(), "stages": 6, "settings": [asdict(settings), *more], "columns": columns}


def _by_vectors(
    df: Any, text: str, id: str, work: str, keep: str, types: dict[str, str], settings: Settings, vectors: str, cosine: float,
    one_task: int,
) -> Result:
    f = functions()
    if types.get(vectors) not in ("array<float>", "array<double>"):
        found = f"is of the type {types[vectors]}" if vectors in types else "is missing"
        raise InvalidArgumentError(
            f'column "{vectors}" {found}; vectors are arrays of floats or doubles (pyspark.ml.functions.vector_to_array makes them)'
        )
    rows = df.select(f.col(id).alias("id"), f.col(text).alias("body"), f.col(vectors).alias("vector"), *_rank(keep, types))
    store = Store(df.sparkSession, work, _identity(settings, [keep, cosine], [text, id, types[id], vectors]))
    whole = _whole.decide(store, settings, rows, one_task, cosine) if one_task > 0 else None
    if whole is None:
        raise UnsupportedError(
            f"vectors are compared all with all by one task, and texts and vectors have more than one_task={one_task} bytes "
            f"(by Spark's estimate {_whole.estimate(rows)}). Give a larger one_task to an executor that has the disk for the texts "
            "and the memory for the vectors, or write the rows to files first if Spark doesn't know their size; else leave vectors out"
        )
    _refuse_repeated(_whole.repeated(whole))
    return Result(df, id, store, *_of_whole(whole))


def _refuse_repeated(found: tuple[Any, int] | None) -> None:
    if found is not None:
        raise InvalidArgumentError(f"the id {found[0]!r} is that of {found[1]} rows; each row needs one of its own")


def _of_whole(decided: Any) -> tuple[Any, Any]:
    """The rows (id, kept, measure, score), and the pairs of ids."""
    f = functions()
    removed = decided.where(f.col("kind") == _whole.LEFT).select(f.col("a").alias("id"), f.col("b").alias("kept"), "measure", "score")
    pairs = decided.where(f.col("kind") == _whole.PAIR).select("a", "b", "jaccard", "containment", "measure", "score")
    return removed, pairs


def _rank(keep: str, types: dict[str, str]) -> list[Any]:
    f = functions()
    if keep == "longest":
        return []
    if keep == "first":
        return [f.lit(0).alias("rank")]
    if keep == "covering":
        raise UnsupportedError(
            "keep is 'covering', which asks for both losses of every pair before any text leaves; on Spark only those are read "
            "that decide who leaves. Choose longest, first, min:COLUMN or max:COLUMN"
        )
    order, colon, column = keep.partition(":")
    if not colon or order not in ("min", "max"):
        raise InvalidArgumentError(f"keep is {keep!r}; choose longest, first, min:COLUMN or max:COLUMN")
    if column not in types:
        raise NotFoundError(f'column "{column}" is missing, by which rows are ranked')
    if not types[column].startswith(("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")):
        raise InvalidArgumentError(f'column "{column}" is of the type {types[column]}; rows are ranked by numbers')
    return [(f.col(column) if order == "min" else -f.col(column)).alias("rank")]
