"""What `leitong.dedup` decides, for each kind of data."""
from __future__ import annotations

import json
import random
import subprocess
from datetime import date, datetime, timezone
from pathlib import Path

import datasets
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import leitong
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL


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
    "pandas index": pd.Index,
    "pandas array": pd.array,
    "pandas array of objects": lambda texts: pd.Series(texts, dtype=object).array,
    "pandas categories": lambda texts: pd.Series(texts, dtype="category").array,
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


def test_columns_of_a_dict_are_read_by_position(texts: list[str]) -> None:
    """A Series would look for the label of its index."""
    columns = {"id": pd.Series(list("abc"), index=[2, 0, 1]), "text": pd.Series(texts, index=[2, 1, 0]), "n": pa.array([1, 2, 3])}
    result = leitong.dedup(columns, keep="max:n")
    assert result.kept == {"id": ["b", "c"], "text": texts[1:], "n": [2, 3]}
    assert [(r.id, r.kept_id) for r in result.removals] == [("a", "c")]


def test_columns_of_a_dict_have_one_length(texts: list[str]) -> None:
    with pytest.raises(leitong.InvalidArgumentError, match='column "year" has 2 rows, and column "text" 3'):
        leitong.dedup({"text": texts, "year": [2020, 2021]})
    with pytest.raises(leitong.InvalidArgumentError, match='column "id" is a generator; columns are sequences'):
        leitong.dedup({"text": texts, "id": (id for id in "abc")})


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


def test_a_stream_of_datasets_comes_once(texts: list[str]) -> None:
    result = leitong.dedup(datasets.Dataset.from_list(rows_of(texts)).to_iterable_dataset())
    assert [row["id"] for row in result.kept] == ["row 0", "row 1"]


@pytest.mark.parametrize("ids", [
    pa.array(["x", "y", None]).dictionary_encode(), pa.array([2**63 + 1, 5, 2], pa.uint64()), pa.array([3, 5, None], pa.int8()).dictionary_encode(),
    pa.array([None, "b", "c"]), pa.array([None, None, None], pa.string()), pa.array(["x", "y", "z"], pa.string_view())])
def test_ids_of_a_stream_are_those_of_the_table(ids: pa.Array, texts: list[str]) -> None:
    """Values of a dictionary, not their numbers; and a null is one."""
    table = pa.table({"id": ids, "text": texts})
    for part in (table, table.slice(1), pa.concat_tables([table, table])):
        result = leitong.dedup(part.to_reader(max_chunksize=2))
        assert result.ids == part["id"].to_pylist() == leitong.dedup(part).ids
        kept = result.kept.read_all()
        assert kept["id"].to_pylist() == [result.ids[row] for row in result.kept_positions]


@pytest.mark.parametrize("ids", [[1.5, 2.5, 3.5], [b"a", b"b", b"c"], [True, False, True]])
def test_a_column_that_is_named_id_need_not_hold_ids(ids: list[object], texts: list[str]) -> None:
    table = pa.table({"id": ids, "text": texts})
    result = leitong.dedup(table.to_reader())
    assert result.ids is None and result.kept.read_all().column_names == ["text"]
    with pytest.raises(leitong.InvalidArgumentError, match='column "id" of ids has the Arrow type ".*"; cast it'):
        leitong.dedup(table.to_reader(), id="id")


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


NUMBERS = [  # values, which one is the greatest, how many are none
    (["9", "5", "10"], 2, 0), ([2, 3, "1.5"], 0, 0), ([1.5, 0, float("nan")], 0, 1), ([None, 0, -5], 2, 1), (["n/a", "", " 1e-3 "], 2, 2),
    ([True, 0, "-inf"], 2, 1), (["1_000", "+7", "0x9"], 0, 3), (["nan", "1e999", "7"], 2, 2), ([None, None, None], 0, 3),
]


@pytest.mark.parametrize(("values", "kept", "none"), NUMBERS)
def test_what_is_no_number_ranks_last(values: list[object], kept: int, none: int, texts: list[str], caplog: pytest.LogCaptureFixture) -> None:
    rows = [{"text": text, "stars": value} for text, value in zip(texts, values)]
    assert leitong.dedup(rows, keep="max:stars").kept_for.tolist() == [kept, 1, kept]
    said = f'keep="max:stars": {none} of 3 rows have no number there; they rank last'
    assert [record.message for record in caplog.records] == ([said] if none else [])


def test_the_command_ranks_alike(command: str, texts: list[str], tmp_path: Path) -> None:
    for values, _, _ in NUMBERS:
        rows = [{"id": str(i), "text": text, "stars": value} for i, (text, value) in enumerate(zip(texts, values))]
        (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        subprocess.run([command, "dedup", "in.jsonl", "-o", "kept.jsonl", "--keep", "max:stars", "-q", "--force"], cwd=tmp_path, check=True)
        kept = [json.loads(line)["id"] for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
        assert [row["id"] for row in leitong.dedup(rows, keep="max:stars").kept] == kept, values


@pytest.mark.parametrize("moments", [
    [datetime(2020, 1, 1), datetime(2019, 1, 1), datetime(2021, 1, 1)], pd.to_datetime(["2020-01-01", None, "2021-01-01"]),
    [date(2020, 1, 1), None, datetime(2020, 1, 2, tzinfo=timezone.utc)]])
def test_moments_rank_too(moments: object, texts: list[str]) -> None:
    assert leitong.dedup({"text": texts, "day": moments}, keep="max:day").kept_for.tolist() == [2, 1, 2]
    assert leitong.dedup({"text": texts, "day": moments}, keep="min:day").kept_for.tolist() == [0, 1, 0]


def test_covering_keeps_the_text_that_most_others_may_leave_for() -> None:
    noise = random.Random(1)
    shared, one, two, three = ("".join(chr(noise.randrange(0x4E00, 0x9F00)) for _ in range(n)) for n in (200, 30, 30, 70))
    texts = [shared + three, shared + one + two, shared + one, shared + two]
    assert leitong.dedup(texts).kept_for.tolist() == [0, 1, 1, 1]  # nobody may leave for the longest
    assert leitong.dedup([*texts, shared]).kept_for.tolist() == [0, 1, 1, 1, 0]
    assert leitong.dedup([*texts, shared], keep="covering").kept_for.tolist() == [0, 1, 1, 1, 1]
    with pytest.raises(leitong.InvalidArgumentError, match="covering"):
        leitong.dedup(texts, keep="covering", remove="similar")


def test_the_shortest_stays(texts: list[str]) -> None:
    longer = texts[0] + texts[0][:3]
    assert leitong.dedup([longer, texts[1], texts[0]], keep="shortest", remove="similar").kept_for.tolist() == [2, 1, 2]


def test_keep_must_be_known(texts: list[str]) -> None:
    with pytest.raises(leitong.InvalidArgumentError, match="choose longest, shortest, first, covering, min:COLUMN or max:COLUMN"):
        leitong.dedup(texts, keep="nicest")
    with pytest.raises(leitong.InvalidArgumentError, match="2 ranks for 3 texts"):
        leitong.dedup(texts, keep=[1, 2])
    with pytest.raises(leitong.NotFoundError, match='row 0: field "age" is missing .*, by which rows are ranked'):
        leitong.dedup(rows_of(texts), keep="max:age")
    for tags in ([["a"], ["b", "c"], []], [["a"], ["b"], ["c"]]):
        with pytest.raises(leitong.InvalidArgumentError, match="one number for each row"):
            leitong.dedup({"text": texts, "tags": tags}, keep="max:tags")


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
    with pytest.raises(leitong.InvalidArgumentError, match='"lax" is none of default, strict, reuse .preset.') as caught:
        leitong.dedup(texts, preset="lax")  # type: ignore[arg-type]
    assert caught.value.setting == "preset"
    with pytest.raises(leitong.InvalidArgumentError, match="a preset is a rule of its own.*strict_match"):
        leitong.dedup(texts, preset="strict", strict_match=True)
    with pytest.raises(leitong.InvalidArgumentError, match="measure needs a threshold"):
        leitong.dedup(texts, measure="jaccard")
    with pytest.raises(leitong.InvalidArgumentError, match='"much" is no number .threshold.'):
        leitong.dedup(texts, measure="jaccard", threshold="much")  # type: ignore[arg-type]
    with pytest.raises(leitong.InvalidArgumentError, match="threshold is .*; give a str, a number or a bool"):
        leitong.dedup(texts, threshold=object())  # type: ignore[arg-type]
    with pytest.raises(leitong.InvalidArgumentError, match='"much" is no number .cosine.'):
        leitong.dedup(texts, vectors=[[1.0]] * 3, cosine="much")  # type: ignore[arg-type]
    with pytest.raises(leitong.InvalidArgumentError, match='"taste" is none of jaccard, containment, edit .measure.'):
        leitong.dedup(texts, measure="taste", threshold=0.5)


def test_nothing_is_a_corpus_too() -> None:
    result = leitong.dedup([])
    assert result.kept == [] and result.clusters == [] and len(result.pairs) == 0 and result.recall.value is None


@pytest.mark.parametrize("options", [{"id": "url"}, {"keep": "max:year"}, {"id": "url", "keep": "min:year", "references": []}])
def test_no_rows_lack_no_column(options: dict[str, object], texts: list[str]) -> None:
    assert leitong.dedup([], **options).kept == leitong.dedup([], **options).removals == []


def test_there_may_be_no_references(texts: list[str]) -> None:
    rows = rows_of(texts)
    assert leitong.dedup(rows, id="id", references=[]).kept == rows[:2]


@pytest.mark.parametrize("bad", [{"text": None}, {"body": "x"}, 5, {"text": "\ud800"}])
def test_rows_of_an_iterator_are_numbered_through(bad: object) -> None:
    rows = [*({"text": f"text {number}"} for number in range(10_003)), bad]
    with pytest.raises(leitong.Error, match="(row|text) 10003[ :]"):
        leitong.dedup(iter(rows))


def test_rows_without_a_text_are_named(texts: list[str]) -> None:
    with pytest.raises(leitong.InvalidArgumentError, match="row 1 has no text"):
        leitong.dedup(pa.table({"text": [texts[0], None]}))
    for data in ([texts[0], {"text": None}], [texts[0], float("nan")], iter([texts[0], None]), {"text": [texts[0], None]},
                 pd.Series([texts[0], None]), pa.array([texts[0], None]).dictionary_encode(),
                 pa.table({"text": pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array([texts[0], None]))})):
        with pytest.raises(leitong.InvalidArgumentError, match=r"row 1 has no text \(null\); leave such rows out"):
            leitong.dedup(data)
    with pytest.raises(leitong.InvalidArgumentError, match="text 1 is not a str but int"):
        leitong.dedup([texts[0], {"text": 7}])
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


def test_a_row_without_an_id_is_named(texts: list[str]) -> None:
    rows = [{"id": "a", "text": texts[0]}, {"text": texts[1]}]
    for data in (rows, iter(rows)):
        with pytest.raises(leitong.NotFoundError, match='row 1: field "id" is missing .found: text.'):
            leitong.dedup(data, id="id")
    assert leitong.dedup(rows).ids is None, "nobody asked for ids"
    with pytest.raises(leitong.NotFoundError, match='column "id" is missing .found: text.'):
        leitong.dedup({"text": texts}, id="id")


@pytest.mark.parametrize("kind", ["pyarrow", "array", "stream", "large", "polars categorical", "polars enum", "polars column", "pandas", "duckdb"])
def test_texts_may_be_values_of_a_dictionary(kind: str) -> None:
    """Which many equal texts are stored as."""
    texts = [FERRY, DOUGH, FERRY, FERRY_TRADITIONAL]
    encoded = pa.array(texts).dictionary_encode()
    large = pa.DictionaryArray.from_arrays(encoded.indices.cast(pa.uint8()), encoded.dictionary.cast(pa.large_string()))
    names = sorted(set(texts))
    base = duckdb.connect()
    base.execute(f"create type name as enum ({', '.join(repr(name) for name in names)})")
    base.execute("create table t (text name)")
    base.executemany("insert into t values (?)", [[text] for text in texts])
    data = {
        "pyarrow": pa.table({"text": encoded}), "array": encoded, "large": pa.table({"text": large}).slice(0),
        "stream": pa.RecordBatchReader.from_batches(pa.schema({"text": encoded.type}), iter([pa.record_batch({"text": encoded})])),
        "polars categorical": pl.DataFrame({"text": pl.Series(texts, dtype=pl.Categorical)}),
        "polars enum": pl.DataFrame({"text": pl.Series(texts, dtype=pl.Enum(names))}),
        "polars column": pl.Series(texts, dtype=pl.Categorical), "pandas": pd.DataFrame({"text": pd.Categorical(texts)}),
        "duckdb": base.sql("select * from t"),
    }[kind]
    assert leitong.dedup(data).kept_positions.tolist() == [0, 1]


def test_a_slice_of_values_of_a_dictionary_begins_where_it_begins() -> None:
    encoded = pa.array([DOUGH, FERRY, FERRY_TRADITIONAL]).dictionary_encode()
    assert leitong.dedup(pa.table({"text": encoded}).slice(1)).kept["text"].to_pylist() == [FERRY]
    values = pa.array(["x", FERRY, DOUGH]).slice(1)
    sliced = pa.DictionaryArray.from_arrays(pa.array([1, 0, 0]), values)
    assert leitong.dedup(pa.table({"text": sliced})).kept["text"].to_pylist() == [DOUGH, FERRY]


def test_columns_of_one_name_or_of_several_levels_are_refused(texts: list[str]) -> None:
    rows = [[text, text] for text in texts]
    with pytest.raises(leitong.InvalidArgumentError, match='2 columns have the name "text"'):
        leitong.dedup(pd.DataFrame(rows, columns=["text", "text"]))
    with pytest.raises(leitong.InvalidArgumentError, match='2 columns have the name "id"'):
        leitong.dedup(pa.table([texts, texts, texts], names=["text", "id", "id"]))
    levels = pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples([("text", "raw"), ("text", "clean")]))
    with pytest.raises(leitong.NotFoundError, match="column \"text\" is missing .found: .'text', 'raw'."):
        leitong.dedup(levels)
    with pytest.raises(leitong.InvalidArgumentError, match="columns are named by a str"):
        leitong.dedup(levels, text=("text", "raw"))  # type: ignore[arg-type]
    assert leitong.dedup(levels["text", "raw"]).kept_positions.tolist() == [0, 1]
    with pytest.raises(leitong.InvalidArgumentError, match="give one of its levels"):
        leitong.dedup(pd.MultiIndex.from_tuples([(text, 1) for text in texts]))


def test_a_reader_that_fails_is_heard(texts: list[str]) -> None:
    def batches():  # type: ignore[no-untyped-def]
        yield pa.record_batch({"text": texts})
        raise OSError("the disk went away")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    with pytest.raises((OSError, leitong.InputOutputError), match="the disk went away"):
        leitong.dedup(reader)


def test_marks_and_numbers_count_as_they_are_asked_to() -> None:
    logs = ["08:30:05 pump 7 took 12.5 ms", "08:31:09 pump 12 took -3 ms", "08:30:05 fan 7 was stopped by hand"]
    masked = leitong.dedup(logs, numbers="masked")
    assert [(r.position, r.kept, r.measure) for r in masked.removals] == [(1, 0, "copy")]
    assert masked.removals[0].reason == "similar: a copy, which differs in numbers, signs or marks only"
    assert leitong.dedup(logs).kept == logs
    spellings = ["Été à la mer", "ete a la mer"]
    assert leitong.dedup(spellings).kept == spellings[:1]
    assert leitong.dedup(spellings, marks="keep").kept == spellings
    assert leitong.compare(logs[0], logs[1], numbers="masked").similar_by == "copy"
    assert leitong.compare(*spellings).similar_by == "copy"
    assert leitong.compare(*spellings, marks="keep").similar_by != "copy"
    with pytest.raises(leitong.InvalidArgumentError, match="none of fold, keep"):
        leitong.dedup(spellings, marks="drop")  # type: ignore[arg-type]


def test_signatures_and_indexes_fold_as_they_are_asked_to(tmp_path: Path) -> None:
    logs = ["08:30:05 pump 7 took 12.5 ms", "08:31:09 pump 12 took -3 ms"]
    made = leitong.Signer("minhash", numbers="masked").sign(logs)
    assert made[0].tolist() == made[1].tolist()
    assert "numbers=masked" in made.id
    plain = leitong.Signer("minhash").sign(logs)
    assert plain[0].tolist() != plain[1].tolist()
    with leitong.Index(tmp_path / "index", numbers="masked") as index:
        index.add(logs[0], "first")
        assert index.check(logs[1]).verdict == "near"
    with leitong.Index(tmp_path / "index") as index:
        match = index.check(logs[1]).match
        assert match is not None and match.measure == "copy"
    with pytest.raises(leitong.InvalidArgumentError, match="numbers=masked"):
        leitong.Index(tmp_path / "index", marks="keep")
    leitong.dedup(logs, numbers="masked", write_index=tmp_path / "kept")
    with leitong.Index(tmp_path / "kept") as index:
        assert index.check(logs[1]).verdict == "near"


def test_texts_in_lists_of_a_table_are_one_text() -> None:
    """Columns of lists and structs, as the command reads them from files."""
    rows = [
        {"id": n, "parts": parts, "messages": None if parts is None else [{"role": "user", "content": part} for part in parts]}
        for n, parts in enumerate([[FERRY[:30], None, FERRY[30:]], [FERRY_TRADITIONAL], [DOUGH]])
    ]
    table = pa.Table.from_pylist(rows)
    for data in (rows, table, pa.Table.from_batches(table.to_batches(max_chunksize=1)), table.to_pandas(), pl.from_arrow(table)):
        for name in ("parts[]", "messages[].content"):
            result = leitong.dedup(data, text=name)
            assert list(result.removed_positions) == [1], (type(data), name)
            assert leitong.trim(data, text=name).texts[2] == DOUGH
    assert leitong.trim(table, text="parts[]").texts[0] == FERRY[:30] + "\n" + FERRY[30:]
    with pytest.raises(leitong.NotFoundError, match=r'"nothing\[\]" is missing'):
        leitong.dedup(table, text="nothing[]")
    with pytest.raises(leitong.InvalidArgumentError, match="row 1"):
        leitong.dedup([{"parts": ["a text"]}, {"parts": [None]}], text="parts[]")
    with pytest.raises(leitong.InvalidArgumentError, match='leads to a int, not to texts'):
        leitong.dedup([{"parts": [7]}], text="parts[]")
