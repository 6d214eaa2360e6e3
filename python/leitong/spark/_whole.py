"""Decides corpora that one task can hold: the task runs the engine of one machine on all texts, without a shuffle."""
from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong, _result
from .._errors import InvalidArgumentError
from .._session import session
from ._rows import Settings, batch_of, local_folder, pyarrow, slices, texts_of
from ._store import Store, functions

#: Kinds of rows: removals (a leaves for b), pairs, an id (a) that several rows have, and texts (and vectors) of more bytes than
#: expected.
LEFT, PAIR, REPEATED, TOO_LARGE = range(4)


@dataclass(frozen=True)
class Decide:
    """Turns all rows (id, body, optionally rank and vector), in any order, into rows of the kinds above. The texts are on the
    task's disk."""

    settings: Settings
    most: int  # bytes of text, and of vectors
    threads: int
    cosine: float = 0  # of the column `vector`; 0: there is none

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        pa = pyarrow()
        with tempfile.TemporaryFile(dir=local_folder()) as spool:
            others, size = [], 0
            writer = None
            for batch in batches:
                body = batch.column(batch.schema.get_field_index("body"))
                texts_of(body)  # refuses nulls
                size += body.nbytes + (batch.column("vector").nbytes if self.cosine else 0)
                if size > self.most:
                    break
                writer = writer or pa.ipc.new_stream(spool, pa.schema([pa.field("body", body.type)]))
                writer.write_batch(pa.record_batch([body], names=["body"]))
                others.append(batch.select([name for name in batch.schema.names if name != "body"]))
            if writer is not None:
                writer.close()
                spool.flush()
            if size > self.most:
                yield _row(TOO_LARGE, others[0].column("id").type if others else pa.int64())
            elif others:
                mapped = mmap.mmap(spool.fileno(), 0, access=mmap.ACCESS_READ)
                texts = pa.ipc.open_stream(pa.py_buffer(mapped)).read_all().column("body")
                yield from self._decided(texts, pa.Table.from_batches(others))

    def _decided(self, body: Any, others: Any) -> Iterator[Any]:
        compute = import_module("pyarrow.compute")
        # By ids, because among otherwise equal rows the first one leads.
        order = compute.sort_indices(others.column("id"))
        ids = others.column("id").take(order).combine_chunks()
        same = compute.equal(ids[1:], ids[:-1])
        if compute.any(same).as_py():
            at = compute.index(same, True).as_py()
            yield _row(REPEATED, ids.type, ids[at].as_py(), compute.sum(compute.equal(ids, ids[at])).as_py())
            return
        ranks = _ranks(others.column("rank").take(order)) if "rank" in others.column_names else None
        texts = texts_of(body).ordered(order.to_numpy())
        vectors = _vectors(others.column("vector"), order.to_numpy()) if self.cosine else None
        here = session(threads=self.threads, work_folder=local_folder())
        settings = self.settings.opened(self.cosine, ranks is not None)
        if vectors is not None:
            settings.set_vectors(vectors)
        decisions = _decisions(here, texts, ranks, settings)
        left, measures, scores, _, names, *_ = decisions.removals()
        yield from slices(_rows(LEFT, ids, left, decisions.kept[left], scores, _named(measures, names)))
        found, measures, scores, names = decisions.pairs()
        pairs = np.asarray(found).view(_result.PAIR)
        yield from slices(_rows(PAIR, ids, pairs["a"], pairs["b"], scores, _named(measures, names), pairs["jaccard"],
                                pairs["containment"]))


def _decisions(here: _leitong.Session, texts: _leitong.Texts, ranks: NDArray[np.uint64] | None,
               settings: _leitong.DedupSettings) -> _leitong.Decisions:
    if ranks is None:
        return _leitong.deduplicate(here, texts, settings)
    ranked = _leitong.Deduplicator(here, settings)
    ranked.add(texts, ranks)
    return ranked.finish()


def _named(measures: NDArray[np.uint8], names: list[str]) -> Any:
    """A column of names."""
    pa = pyarrow()
    return pa.DictionaryArray.from_arrays(pa.array(measures, pa.int32()), pa.array(names, pa.string())).cast(pa.string())


def _vectors(column: Any, order: NDArray[Any]) -> NDArray[Any]:
    """Lists as rows in this order; NaN if a list is missing or has another length than the first."""
    chunks = [chunk for chunk in column.chunks if len(chunk)]
    lengths = np.concatenate([chunk.value_lengths().fill_null(0).to_numpy() for chunk in chunks])
    ordered = lengths[order]
    if not ordered.any():
        raise InvalidArgumentError("no row of the column holds a vector, a list of numbers")
    dimensions = int(ordered[np.argmax(ordered > 0)])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    kind = np.float32 if str(column.type.value_type) == "float" else np.float64
    rows = np.full((len(order), dimensions), np.nan, kind)
    first = 0
    for chunk in chunks:
        usable = lengths[first : first + len(chunk)] == dimensions
        values = chunk.filter(pyarrow().array(usable)).flatten().to_numpy(zero_copy_only=False)
        rows[place[first : first + len(chunk)][usable]] = values.reshape(-1, dimensions)
        first += len(chunk)
    return rows


def _ranks(column: Any) -> NDArray[np.uint64]:
    """Ranks in the order of the numbers; missing numbers come first, as in Spark."""
    valid = column.is_valid().to_numpy()
    ranks = np.zeros(len(column), np.uint64)
    ranks[valid] = np.unique(column.drop_null().to_numpy(), return_inverse=True)[1] + 1
    return ranks


def _rows(kind: int, ids: Any, a: NDArray[Any], b: NDArray[Any], score: NDArray[Any], measure: Any,
          jaccard: NDArray[Any] | None = None, containment: NDArray[Any] | None = None) -> Any:
    pa = pyarrow()
    none = np.zeros(len(a))
    return batch_of(
        kind=np.full(len(a), kind, np.int8), a=ids.take(pa.array(a)), b=ids.take(pa.array(b)),
        jaccard=_float(none if jaccard is None else jaccard), containment=_float(none if containment is None else containment),
        score=_float(score), measure=measure, number=np.zeros(len(a), np.int64),
    )


def _float(values: NDArray[Any]) -> NDArray[np.float32]:
    return values.astype(np.float32)


def _row(kind: int, type_of_id: Any, a: Any = None, number: int = 0) -> Any:
    pa = pyarrow()
    zero = np.zeros(1, np.float32)
    return batch_of(kind=np.array([kind], np.int8), a=pa.array([a], type_of_id), b=pa.array([None], type_of_id), jaccard=zero,
                    containment=zero, score=zero, measure=pa.array([None], pa.string()), number=np.array([number]))


def decide(store: Store, settings: Settings, rows: Any, most: int, cosine: float = 0) -> Any:
    """Rows of the kinds above for the whole corpus; None if the corpus is too large for one task, or its size is unknown."""
    if estimate(rows) > most:
        return None
    of = rows.schema["id"].dataType.simpleString()
    decided = store.keep("whole", lambda: rows.coalesce(1).mapInArrow(
        Decide(settings, most, threads_of(store.spark), cosine),
        f"kind byte, a {of}, b {of}, jaccard float, containment float, score float, measure string, number long",
    ))
    return None if _first(decided, TOO_LARGE) else decided


def estimate(rows: Any) -> int:
    """The bytes that Spark's optimizer assumes: for files their size; above 2^62 if it knows nothing."""
    return int(rows._jdf.queryExecution().optimizedPlan().stats().sizeInBytes())


def repeated(decided: Any) -> Any:
    """An id that several rows have, and their number; None if there is none."""
    row = _first(decided, REPEATED)
    return (row["a"], row["number"]) if row else None


def _first(decided: Any, kind: int) -> Any:
    return decided.where(functions().col("kind") == kind).first()


def threads_of(spark: Any) -> int:
    """As many threads as the task's executor has cores, because no other task of this run uses them."""
    context = spark.sparkContext
    if context.master.startswith("local[") or context.master == "local":
        return int(context.defaultParallelism)
    conf = context.getConf()
    return int(conf.get("spark.executor.cores", conf.get("spark.task.cpus", "1")))
