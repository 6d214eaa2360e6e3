"""leitong.parquet: files in, files out."""
from __future__ import annotations

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
    with pytest.raises(leitong.InvalidArgumentError, match="row 601 has no text"):
        leitong.parquet.dedup_files(crawl, tmp_path / "kept", text="page.text")
    assert not (tmp_path / "kept").exists()


def test_a_run_that_fails_late_leaves_nothing(crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(result: leitong.Result) -> pa.Table:
        raise MemoryError

    monkeypatch.setattr("leitong.parquet._removed", fail)
    with pytest.raises(MemoryError):
        leitong.parquet.dedup_files(crawl, tmp_path / "kept", text="page.text", removed=tmp_path / "removed.parquet")
    assert list((tmp_path / "kept").iterdir()) == [] and not (tmp_path / "removed.parquet").exists()
