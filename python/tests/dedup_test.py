"""What `leitong.dedup` decides, for each kind of data."""
from __future__ import annotations

import datasets
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import leitong


def rows_of(texts: list[str]) -> list[dict[str, object]]:
    return [{"id": f"row {i}", "text": text, "stars": stars} for i, (text, stars) in enumerate(zip(texts, (1, 2, 3)))]


TABLES = {
    "pandas": pd.DataFrame,
    "pandas of Arrow": lambda rows: pd.DataFrame(rows).astype({"text": pd.ArrowDtype(pa.large_string())}),
    "pandas of objects": lambda rows: pd.DataFrame(rows).astype({"text": object}),
    "polars": pl.DataFrame,
    "pyarrow": pa.Table.from_pylist,
    "pyarrow of string views": lambda rows: pa.table(
        {**pa.Table.from_pylist(rows).to_pydict(), "text": pa.array([r["text"] for r in rows], pa.string_view())}
    ),
    "pyarrow of large strings": lambda rows: pa.table(
        {**pa.Table.from_pylist(rows).to_pydict(), "text": pa.array([r["text"] for r in rows], pa.large_string())}
    ),
    "datasets": datasets.Dataset.from_list,
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_comes_back_as_a_table_of_the_same_kind(kind: str, texts: list[str]) -> None:
    table = TABLES[kind](rows_of(texts))
    result = leitong.dedup(table)
    assert type(result.kept) is type(table)
    assert list(result.kept["text"]) == texts[:2] or result.kept["text"].to_pylist() == texts[:2]
    assert len(result.removed) == 1
    assert [(r.id, r.kept_id, r.measure) for r in result.removals] == [("row 2", "row 0", "jaccard")]


COLUMNS = {
    "list": list,
    "numpy array": np.array,
    "numpy array of objects": lambda texts: np.array(texts, dtype=object),
    "pandas series": pd.Series,
    "polars series": pl.Series,
    "pyarrow array": pa.array,
    "pyarrow chunked array": lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_of_texts_comes_back_as_such_a_column(kind: str, texts: list[str]) -> None:
    column = COLUMNS[kind](texts)
    kept = leitong.dedup(column).kept
    assert type(kept) is type(column)
    assert [str(text) for text in kept] == texts[:2]


def test_dicts_come_back_as_the_same_dicts(texts: list[str]) -> None:
    rows = rows_of(texts)
    result = leitong.dedup(rows)
    assert result.kept[0] is rows[0]
    assert result.removed == [rows[2]]


def test_a_dict_of_columns_comes_back_as_one(texts: list[str]) -> None:
    result = leitong.dedup({"id": "abc", "text": texts})
    assert result.kept == {"id": ["a", "b"], "text": texts[:2]}
    with pytest.raises(leitong.NotFoundError, match='column "text" is missing .found: body'):
        leitong.dedup({"body": texts})


def test_a_pandas_index_need_not_count_from_zero(texts: list[str]) -> None:
    table = pd.DataFrame(rows_of(texts), index=[7, 7, 9])
    assert list(leitong.dedup(table).kept.index) == [7, 7]


STREAMS = {
    "record batch reader": lambda rows: pa.Table.from_pylist(rows).to_reader(max_chunksize=1),
    "duckdb relation": lambda rows: duckdb.from_arrow(pa.Table.from_pylist(rows)),
    "iterator of dicts": iter,
}


@pytest.mark.parametrize("kind", STREAMS)
def test_what_comes_once_is_decided_alike_and_can_be_read_again(kind: str, texts: list[str]) -> None:
    result = leitong.dedup(STREAMS[kind](rows_of(texts)))
    assert result.kept_for.tolist() == [0, 1, 0]
    assert [(r.id, r.kept_id) for r in result.removals] == [("row 2", "row 0")]
    kept = result.kept
    del result  # what is read lives as long as it is needed
    rows = list(kept) if kind == "iterator of dicts" else kept.read_all().to_pylist()
    assert rows == [{"id": "row 0", "text": texts[0]}, {"id": "row 1", "text": texts[1]}]


def test_an_iterator_of_str_gives_an_iterator_of_str(texts: list[str]) -> None:
    result = leitong.dedup(text for text in texts)
    assert list(result.kept) == texts[:2]
    assert list(result.removed) == texts[2:]


def test_a_polars_lazy_frame_is_collected(texts: list[str]) -> None:
    assert leitong.dedup(pl.DataFrame(rows_of(texts)).lazy()).kept["text"].to_list() == texts[:2]


def test_slices_of_arrow_tables_begin_where_they_begin(texts: list[str]) -> None:
    table = pa.table({"text": [*texts, *texts]}).slice(1, 3)
    assert leitong.dedup(table).kept["text"].to_pylist() == [texts[1], texts[0]]
    whole = pa.record_batch({"text": [*texts, *texts]}).slice(2, 2)
    assert leitong.dedup(pa.RecordBatchReader.from_batches(whole.schema, [whole])).kept_for.tolist() == [1, 1]


def test_another_column_may_hold_the_texts(texts: list[str]) -> None:
    table = pl.DataFrame({"body": texts, "key": ["x", "y", "z"]})
    result = leitong.dedup(table, text="body", id="key")
    assert result.removals[0].id == "z"
    with pytest.raises(leitong.NotFoundError, match='column "title" is missing .found: body, key'):
        leitong.dedup(table, text="title")
    with pytest.raises(leitong.NotFoundError, match='column "name" is missing'):
        leitong.dedup(table, text="body", id="name")


@pytest.mark.parametrize(
    ("keep", "kept"),
    [("first", 0), ("min:stars", 0), ("max:stars", 2), ([5, 0, 1], 2), (np.array([0.5, 0, 1.5]), 0)],
)
def test_the_caller_says_who_stays(keep: object, kept: int, texts: list[str]) -> None:
    assert leitong.dedup(rows_of(texts), keep=keep).kept_for.tolist() == [kept, 1, kept]


def test_keep_must_be_known(texts: list[str]) -> None:
    with pytest.raises(leitong.InvalidArgumentError, match="choose longest, first, min:COLUMN or max:COLUMN"):
        leitong.dedup(texts, keep="nicest")
    with pytest.raises(leitong.InvalidArgumentError, match="2 ranks for 3 texts"):
        leitong.dedup(texts, keep=[1, 2])
    with pytest.raises(leitong.NotFoundError, match='column "age"'):
        leitong.dedup(rows_of(texts), keep="max:age")


def test_references_are_compared_with_and_never_leave(texts: list[str]) -> None:
    result = leitong.dedup([texts[1], texts[2]], references=[{"id": "known", "text": texts[0]}])
    assert result.kept == [texts[1]]
    assert result.kept_for.tolist() == [0, -1]
    assert [(r.position, r.kept, r.kept_id) for r in result.removals] == [(1, -1, "known")]
    assert result.pairs[["a", "b"]].tolist() == [(-1, 1)]
    assert result.explain(1).comparison.first == texts[2]
    assert result.explain(1).comparison.second == texts[0]
    assert [cluster.tolist() for cluster in result.clusters] == [[-1, 1]]


def test_settings_reach_the_library(texts: list[str]) -> None:
    assert len(leitong.dedup(texts, measure="jaccard", threshold=0.95).kept) == 3
    assert len(leitong.dedup(texts, method="minhash", params={"bands": 40, "rows": 2}).kept) == 2
    with pytest.raises(leitong.InvalidArgumentError, match="preset is 'lax'; choose one of strict, default, reuse"):
        leitong.dedup(texts, preset="lax")  # type: ignore[arg-type]
    with pytest.raises(leitong.InvalidArgumentError, match="the preset strict is a rule of its own"):
        leitong.dedup(texts, preset="strict", strict_match=True)
    with pytest.raises(leitong.InvalidArgumentError, match="measure needs a threshold"):
        leitong.dedup(texts, measure="jaccard")
    with pytest.raises(leitong.InvalidArgumentError, match="unknown measure"):
        leitong.dedup(texts, measure="taste", threshold=0.5)


def test_nothing_is_a_corpus_too() -> None:
    result = leitong.dedup([])
    assert result.kept == [] and result.clusters == [] and len(result.pairs) == 0 and result.recall.value is None


def test_rows_without_a_text_are_named(texts: list[str]) -> None:
    with pytest.raises(leitong.InvalidArgumentError, match="row 1 has no text"):
        leitong.dedup(pa.table({"text": [texts[0], None]}))
    with pytest.raises(leitong.InvalidArgumentError, match="text 1 is not a str but NoneType"):
        leitong.dedup([texts[0], {"text": None}])
    with pytest.raises(leitong.NotFoundError, match='row 1: field "text" is missing .found: body'):
        leitong.dedup([texts[0], {"body": texts[1]}])
    with pytest.raises(leitong.CorruptError, match="text 0 holds a lone surrogate"):
        leitong.dedup(["\ud800"])
    with pytest.raises(leitong.InvalidArgumentError, match="cast it to string"):
        leitong.dedup(pa.table({"text": [1, 2]}))
    with pytest.raises(leitong.InvalidArgumentError, match="one text has no duplicates"):
        leitong.dedup("one text")
    with pytest.raises(leitong.InvalidArgumentError, match="a int holds no texts"):
        leitong.dedup(5)


def test_a_reader_that_fails_is_heard(texts: list[str]) -> None:
    def batches():  # type: ignore[no-untyped-def]
        yield pa.record_batch({"text": texts})
        raise OSError("the disk went away")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    with pytest.raises((OSError, leitong.InputOutputError), match="the disk went away"):
        leitong.dedup(reader)
