"""Decides corpora that no task can hold: the parts of ``leitong.stages`` run as tasks, over files that driver and executors see."""
from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from .. import stages
from ._rows import Settings
from ._store import Store, functions
from ._whole import estimate, threads_of

_PART = 64 << 20  # bytes of text
_MOST_PARTS = 1 << 16


def decide(store: Store, settings: Settings, rows: Any, inputs: list[str], keep: str) -> tuple[Any, Any]:
    """Rows (id, body, optionally rank), and the files of them -> (id, kept, measure, score) and pairs of ids."""
    f = functions()
    work = store.local_folder() / "parts"
    stages.plan(inputs, work=work, output=work / "out", parts=len(inputs), write_kept=False, keep=keep, **asdict(settings))
    context = store.spark.sparkContext
    for stage, parts in stages.listed(work):
        # While a stage of one part runs, no other task does.
        threads = threads_of(store.spark) if parts == 1 else int(context.getConf().get("spark.task.cpus", "1"))
        context.setJobDescription(f"leitong: {stage}")
        context.parallelize(range(parts), parts).foreach(partial(stages.run, stage, str(work), threads=threads))
    context.setJobDescription(None)

    of = rows.schema["id"].dataType.simpleString()
    out = (work / "out").as_uri()
    removed = store.spark.read.schema("id string, kept string, measure string, score float").json(f"{out}/removed")
    removed = removed.select(_read("id", of).alias("id"), _read("kept", of).alias("kept"), "measure", "score")
    pairs = store.spark.read.schema(
        "a string, b string, measure string, score float, jaccard float, containment float"
    ).csv(f"{out}/pairs", sep="\t", header=True, enforceSchema=True)
    # The order of the command is that of the ranks.
    ends = (_read("a", of), _read("b", of))
    pairs = pairs.select(f.least(*ends).alias("a"), f.greatest(*ends).alias("b"), "jaccard", "containment", "measure", "score")
    left, paired = _of_empty(store, rows, of)
    return removed.union(left), pairs.union(paired)


def _order(rows: Any) -> list[str]:
    return ["rank", "id"] if "rank" in rows.columns else ["id"]


def write_inputs(store: Store, rows: Any) -> list[str]:
    """Writes a file of records for each part. The files, and the records in them, are in the order in which rows rank."""
    f = functions()
    order = _order(rows)
    text = f.coalesce("body", f.raise_error(f.lit("a row has no text (null); leave such rows out")).cast("string"))
    folder = store.local_folder() / "input"  # checked before anything is written, since there may be no such path
    records = (
        rows.where("body is null or body != ''")
        .repartitionByRange(_parts(store, rows), *order)
        .sortWithinPartitions(*order)
        .select(_written(rows.schema["id"].dataType.simpleString()).alias("id"), text.alias("text"))
    )
    store.complete("input", lambda path: records.write.mode("overwrite").json(path))
    files = sorted(folder.glob("part-*.json"))
    if not files:  # there are no rows
        files = [folder / "part-0.json"]
        files[0].touch()
    return [str(path) for path in files]


def _parts(store: Store, rows: Any) -> int:
    size = estimate(rows)
    if size > 1 << 62:  # unknown
        return int(store.spark.conf.get("spark.sql.shuffle.partitions"))
    return min(max(size // _PART, int(store.spark.sparkContext.defaultParallelism)), _MOST_PARTS)


def _written(type_of_id: str) -> Any:
    """An id as a text that is not empty and needs no escapes."""
    f = functions()
    return f.concat(f.lit("x"), f.hex("id")) if type_of_id == "string" else f.col("id").cast("string")


def _read(name: str, type_of_id: str) -> Any:
    f = functions()
    return f.unhex(f.col(name).substr(2, 1 << 30)).cast("string") if type_of_id == "string" else f.col(name).cast(type_of_id)


def _of_empty(store: Store, rows: Any, of: str) -> tuple[Any, Any]:
    """The removals and pairs among rows of empty texts, which cannot be records of files. They are equal, and the first of them
    stays."""
    f = functions()
    empty = rows.where("body = ''")
    first = empty.orderBy(*_order(rows)).select("id").first()
    same, one = f.lit("identical").alias("measure"), f.lit(1).cast("float")
    kept = f.lit(first["id"] if first else None).cast(of)
    others = empty.where(f.col("id") != kept)
    left = others.select("id", kept.alias("kept"), same, one.alias("score"))
    paired = others.select(
        f.least("id", kept).alias("a"), f.greatest("id", kept).alias("b"), one.alias("jaccard"), one.alias("containment"), same, one.alias("score"),
    )
    return left, paired
