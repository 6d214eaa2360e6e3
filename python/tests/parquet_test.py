"""leitong.parquet: files in, files out."""
from __future__ import annotations

import functools
import random
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import leitong
import leitong.parquet
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL


def table(count: int = 300, seed: int = 3) -> pa.Table:
    """Every third row is an edited copy. The columns have types of several kinds, and the schema says something."""
    draw = random.Random(seed)
    texts: list[str] = []
    for number in range(count):
        if number % 3 == 2:
            texts.append(texts[draw.randrange(number)][:-3] + "改了字")
        else:
            texts.append("".join(chr(draw.randrange(0x4E00, 0x4E00 + 4000)) for _ in range(80)))
    made = pa.table({
        "url": [f"u{seed}-{number}" for number in range(count)],
        "page": pa.array([{"text": text, "size": len(text)} for text in texts]),
        "day": pa.array(range(count), pa.date32()),
        "tags": pa.array([["a", None], [], None] * (count // 3), pa.list_(pa.dictionary(pa.int8(), pa.string()))),
    })
    return made.replace_schema_metadata({"made by": "a test"})


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    folder = tmp_path / "crawl"
    folder.mkdir()
    pq.write_table(table(300, 3), folder / "0.parquet", compression={"url": "ZSTD", "page.text": "GZIP"}, row_group_size=70)
    pq.write_table(pa.concat_tables([table(150, 4), table(150, 3)]), folder / "1.parquet", compression="NONE")
    return folder


def whole(crawl: Path) -> pa.Table:
    return pa.concat_tables([pq.read_table(crawl / name) for name in ("0.parquet", "1.parquet")])


def expected(crawl: Path) -> leitong.Result:
    rows = whole(crawl)
    return leitong.dedup(pa.table({"id": rows["url"], "text": [page["text"] for page in rows["page"].to_pylist()]}))


def test_a_folder_gets_a_file_for_each(crawl: Path, tmp_path: Path) -> None:
    result = leitong.parquet.dedup_files(crawl, tmp_path / "kept", text="page.text", id="url")
    kept = expected(crawl).kept_positions
    assert result.kept_positions.tolist() == kept.tolist() and len(kept) == 300
    together = whole(tmp_path / "kept")
    assert together.equals(whole(crawl).take(kept))
    for name in ("0.parquet", "1.parquet"):
        before, after = pq.ParquetFile(crawl / name), pq.ParquetFile(tmp_path / "kept" / name)
        assert after.schema_arrow.equals(before.schema_arrow, check_metadata=True)
        groups = [after.metadata.row_group(number) for number in range(after.num_row_groups)]
        if name == "0.parquet":
            assert {group.num_rows for group in groups[:-1]} == {70}
        assert [groups[0].column(c).compression for c in range(groups[0].num_columns)] == [
            before.metadata.row_group(0).column(c).compression for c in range(groups[0].num_columns)]
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["0.parquet", "1.parquet"]


def test_one_file_takes_all_rows_and_others_say_why(crawl: Path, tmp_path: Path) -> None:
    leitong.parquet.dedup_files(
        f"{crawl}/*.parquet", tmp_path / "kept.parquet", text="page.text", id="url", removed=tmp_path / "removed.parquet",
        pairs=tmp_path / "pairs.parquet", clusters=tmp_path / "clusters.parquet", memory=200 << 20)
    found = expected(crawl)
    assert pq.read_table(tmp_path / "kept.parquet").equals(whole(crawl).take(found.kept_positions))
    removed = pq.read_table(tmp_path / "removed.parquet").to_pylist()
    assert [(row["id"], row["kept"], row["measure"], row["score"]) for row in removed] == [
        (r.id, r.kept_id, r.measure, r.score) for r in found.removals]
    assert pq.read_table(tmp_path / "pairs.parquet")["jaccard"].to_pylist() == found.pairs["jaccard"].tolist()
    clusters = pq.read_table(tmp_path / "clusters.parquet")
    assert len(clusters) == sum(map(len, found.clusters))
    assert clusters["cluster"].to_pylist()[-1] == len(found.clusters)


def test_texts_that_memory_does_not_hold_are_decided_alike(crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leitong.parquet._quarter_of_memory", lambda: 20_000)
    monkeypatch.setattr("leitong.parquet._ROWS", 50)
    seen: list[str] = []
    real = leitong.parquet.dedup
    monkeypatch.setattr("leitong.parquet.dedup", lambda data, **options: seen.append(type(data).__name__) or real(data, **options))
    leitong.parquet.dedup_files(crawl, tmp_path / "kept", text="page.text", id="url")
    assert seen == ["RecordBatchReader"]
    assert whole(tmp_path / "kept").equals(whole(crawl).take(expected(crawl).kept_positions))


def test_rows_without_ids_have_numbers(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": [FERRY, DOUGH, FERRY_TRADITIONAL]}), tmp_path / "in.parquet")
    leitong.parquet.dedup_files(tmp_path / "in.parquet", tmp_path / "kept.parquet", removed=tmp_path / "removed.parquet")
    assert pq.read_table(tmp_path / "kept.parquet")["text"].to_pylist() == [FERRY, DOUGH]
    assert pq.read_table(tmp_path / "removed.parquet").select(["id", "kept"]).to_pylist() == [{"id": 2, "kept": 0}]


def test_any_file_system_will_do() -> None:
    memory = fsspec.filesystem("memory")
    memory.makedirs("/crawl", exist_ok=True)
    with memory.open("/crawl/a.parquet", "wb") as file:
        pq.write_table(pa.table({"text": [FERRY, DOUGH, FERRY]}), file)
    leitong.parquet.dedup_files("memory://crawl", "memory://kept")
    with memory.open("/kept/a.parquet", "rb") as file:
        assert pq.read_table(file)["text"].to_pylist() == [FERRY, DOUGH]


def test_an_empty_file_stays_one(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "in.parquet")
    leitong.parquet.dedup_files(tmp_path / "in.parquet", tmp_path / "kept.parquet")
    assert pq.read_table(tmp_path / "kept.parquet").num_rows == 0


def test_what_cannot_be_meant_leaves_nothing(crawl: Path, tmp_path: Path) -> None:
    with pytest.raises(leitong.NotFoundError, match="there is no Parquet file"):
        leitong.parquet.dedup_files(tmp_path / "nowhere", tmp_path / "kept")
    with pytest.raises(leitong.NotFoundError, match='column "body" is missing .found: url, page'):
        leitong.parquet.dedup_files(crawl, tmp_path / "kept", text="body")
    with pytest.raises(leitong.InvalidArgumentError, match="is an input"):
        leitong.parquet.dedup_files(crawl, crawl, text="page.text", overwrite=True)
    (tmp_path / "kept.parquet").write_bytes(b"")
    with pytest.raises(leitong.InvalidArgumentError, match="exists; overwrite=True"):
        leitong.parquet.dedup_files(crawl, tmp_path / "kept.parquet", text="page.text")
    pq.write_table(pa.table({"page": pa.array([{"text": "a"}, {"text": None}])}), crawl / "2.parquet")
    with pytest.raises(leitong.InvalidArgumentError, match="has other columns"):
        leitong.parquet.dedup_files(crawl, tmp_path / "kept.parquet", text="page.text", overwrite=True)
    with pytest.raises(leitong.InvalidArgumentError, match=r"crawl/2.parquet: row 1 has no text .null.; leave such rows out"):
        leitong.parquet.dedup_files(crawl, tmp_path / "kept", text="page.text")
    assert not (tmp_path / "kept").exists()
    with pytest.raises(leitong.InvalidArgumentError, match="foo://x: Protocol not known: foo"):
        leitong.parquet.dedup_files("foo://x", tmp_path / "kept")


def test_a_run_that_fails_late_leaves_nothing(crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(result: leitong.Result, kind: pa.DataType) -> pa.Table:
        raise MemoryError

    monkeypatch.setattr("leitong.parquet._removed", fail)
    with pytest.raises(MemoryError):
        leitong.parquet.dedup_files(crawl, tmp_path / "kept", text="page.text", removed=tmp_path / "removed.parquet")
    assert list((tmp_path / "kept").iterdir()) == [] and not (tmp_path / "removed.parquet").exists()


def test_references_have_their_own_ids(tmp_path: Path) -> None:
    pq.write_table(pa.table({"url": pa.array(["a", "b"]).dictionary_encode(), "body": [FERRY, DOUGH]}), tmp_path / "in.parquet")
    others = {name: tmp_path / f"{name}.parquet" for name in ("removed", "pairs", "clusters")}
    for known, id in (([{"url": "known", "body": FERRY_TRADITIONAL}], "known"), ([{"url": 5, "body": FERRY_TRADITIONAL}], "5")):
        leitong.parquet.dedup_files(tmp_path / "in.parquet", tmp_path / "kept.parquet", text="body", id="url", references=known,
                                    overwrite=True, **others)
        removed, pairs, clusters = (pq.read_table(path) for path in others.values())
        assert removed.select(["id", "kept"]).to_pylist() == [{"id": "a", "kept": id}]
        assert pairs.select(["id_a", "id_b"]).to_pylist() == [{"id_a": id, "id_b": "a"}]
        assert clusters.to_pylist() == [{"id": id, "cluster": 1}, {"id": "a", "cluster": 1}]
        assert {str(table.schema.field(0).type) for table in (removed, pairs, clusters)} == {"string"}
    leitong.parquet.dedup_files(tmp_path / "in.parquet", tmp_path / "kept.parquet", text="body", references=[{"body": FERRY_TRADITIONAL}],
                                overwrite=True, **others)
    assert pq.read_table(others["removed"]).select(["id", "kept"]).to_pylist() == [{"id": 0, "kept": -1}]


def test_ids_keep_their_type_where_nothing_leaves(tmp_path: Path) -> None:
    for ids, kind in ((["a", "b"], "string"), (pa.array([1, 2], pa.int32()), "int32"), (pa.array(["a", "b"]).dictionary_encode(), "string")):
        pq.write_table(pa.table({"id": ids, "text": [FERRY, DOUGH]}), tmp_path / "in.parquet")
        leitong.parquet.dedup_files(tmp_path / "in.parquet", tmp_path / "kept.parquet", id="id", removed=tmp_path / "removed.parquet",
                                    pairs=tmp_path / "pairs.parquet", clusters=tmp_path / "clusters.parquet", overwrite=True)
        for name, columns in (("removed", ["id", "kept"]), ("pairs", ["id_a", "id_b"]), ("clusters", ["id"])):
            schema = pq.read_schema(tmp_path / f"{name}.parquet")
            assert [str(schema.field(column).type) for column in columns] == [kind] * len(columns)


@pytest.mark.parametrize("fits", [True, False])
def test_columns_may_rank_and_hold_vectors(fits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether memory holds the texts or not; in structs, too."""
    monkeypatch.setattr("leitong.parquet._quarter_of_memory", lambda: 1 << 30 if fits else 10)
    for number, (text, year, vector) in enumerate([(FERRY, 2020, [1.0, 0.0]), (FERRY_TRADITIONAL, 2024, [0.0, 1.0]), (DOUGH, 2022, [0.0, 0.99])]):
        pq.write_table(pa.table({"id": pa.array([str(number)]).dictionary_encode(), "text": [text], "of": [{"year": year}], "v": [vector]}),
                       tmp_path / f"{number}.parquet")
    run = functools.partial(leitong.parquet.dedup_files, f"{tmp_path}/?.parquet", tmp_path / "kept.parquet", id="id", overwrite=True)
    assert [(r.id, r.kept_id) for r in run(keep="max:of.year").removals] == [("0", "1")]
    assert [(r.id, r.kept_id) for r in run(keep="min:of.year").removals] == [("1", "0")]
    assert [(r.id, r.measure) for r in run(keep="first", vectors="v", cosine=0.9, measure="jaccard", threshold=0.9).removals] == [("2", "cosine")]
    known = [{"id": "known", "text": "A text of its own.", "v": [1.0, 0.1]}]
    assert [(r.id, r.kept_id) for r in run(references=known, vectors="v", cosine=0.9, measure="jaccard", threshold=0.9, keep="first").removals] == [
        ("0", "known"), ("2", "1")]
    with pytest.raises(leitong.NotFoundError, match='column "of.month" is missing'):
        run(keep="max:of.month")


def test_what_is_no_file_of_parquet_or_no_struct_is_named(tmp_path: Path) -> None:
    (tmp_path / "in.parquet").write_bytes(b"not at all")
    with pytest.raises(leitong.CorruptError, match="in.parquet is no Parquet file"):
        leitong.parquet.dedup_files(tmp_path / "in.parquet", tmp_path / "kept.parquet")
    pq.write_table(pa.table({"text": [FERRY]}), tmp_path / "in.parquet")
    with pytest.raises(leitong.NotFoundError, match='column "text.c" is missing .found: text'):
        leitong.parquet.dedup_files(tmp_path / "in.parquet", tmp_path / "kept.parquet", text="text.c")
