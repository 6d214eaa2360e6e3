"""leitong.spark.dedup keeps what the command keeps, for the same reasons."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import leitong
import leitong.spark
from conftest import FULL, as_files, evaluation_set, removed_by
from leitong.spark import _whole
from leitong.spark._store import Store
from skewed import skewed_texts

LARGE = pytest.mark.skipif(not FULL, reason="LEITONG_SPARK_FULL is not set: this corpus takes minutes")


def pairs_of(result: Any) -> dict[tuple[int, int], tuple[float, float]]:
    return {(row["a"], row["b"]): (row["jaccard"], row["containment"]) for row in result.pairs.collect()}


#: The run is distributed, or one task decides, as by default if it can.
ROADS = pytest.mark.parametrize("road", [{"one_task": 0}, {}], ids=["spread", "one task"])


def expect_same(spark: Any, rows: list[dict[str, Any]], expected: dict[Any, Any], folder: Path, templates: Any) -> None:
    df = as_files(spark, rows, folder / "in")
    whole = leitong.spark.dedup(df, work=str(folder / "whole"), template_text=templates)
    spread = leitong.spark.dedup(df, work=str(folder / "spread"), template_text=templates, one_task=0)
    assert (folder / "whole" / "whole").exists() and not (folder / "whole" / "parts").exists()
    assert not (folder / "spread" / "whole").exists() and (folder / "spread" / "parts").exists()
    for result in (whole, spread):
        expect_decided(result, df, rows, expected, templates)
    columns = ["a", "b", "jaccard", "containment", "measure", "score"]
    assert whole.pairs.columns == spread.pairs.columns == columns
    assert sorted(map(tuple, whole.pairs.collect())) == sorted(map(tuple, spread.pairs.collect()))


def expect_decided(result: Any, df: Any, rows: list[dict[str, Any]], expected: dict[Any, Any], templates: Any) -> None:
    assert removed_by(result) == expected
    one = leitong.dedup([row["text"] for row in rows], template_text=templates, measure_recall=False)
    ids = np.array([row["id"] for row in rows])
    assert pairs_of(result) == {
        (int(ids[p["a"]]), int(ids[p["b"]])): (pytest.approx(p["jaccard"], abs=1e-6), pytest.approx(p["containment"], abs=1e-6))
        for p in one.pairs
    }
    kept = result.kept
    assert kept.columns == df.columns
    assert sorted(row["id"] for row in kept.select("id").collect()) == sorted(row["id"] for row in rows if row["id"] not in expected)


@pytest.mark.parametrize("templates", ["automatic", "counted"])
@pytest.mark.parametrize(
    "name", ["article-extractions-en", "pawsx-scrambled-zh", "broadcast-items-zh", "lctt-revisions-zh", "poem-editions-zh"]
)
def test_real_texts_are_decided_as_by_the_command(
    spark: Any, name: str, templates: str, decided_by_command: Callable[..., Any], tmp_path: Path
) -> None:
    rows = evaluation_set(name)
    if templates == "counted" and not FULL:
        rows = rows[:400]
    flags = () if templates == "automatic" else ("--template-text", "counted")
    expect_same(spark, rows, decided_by_command(rows, *flags), tmp_path, templates)


@pytest.mark.parametrize("templates", ["automatic", "counted"])
@pytest.mark.parametrize(
    "rows, family", [(1_500, 200), pytest.param(12_000, 3_000, marks=LARGE), pytest.param(100_000, 50_000, marks=LARGE)]
)
def test_hot_keys_families_empty_texts_and_copies(
    spark: Any, rows: int, family: int, templates: str, decided_by_command: Callable[..., Any], tmp_path: Path
) -> None:
    texts = skewed_texts(rows, family)
    flags = () if templates == "automatic" else ("--template-text", "counted")
    expect_same(spark, texts, decided_by_command(texts, *flags), tmp_path, templates)


@ROADS
def test_options_are_those_of_the_command(
    spark: Any, road: Any, decided_by_command: Callable[..., Any], tmp_path: Path
) -> None:
    rows = evaluation_set("pawsx-scrambled-zh")[:1500]
    df = as_files(spark, rows, tmp_path / "in")
    strict = leitong.spark.dedup(df, work=str(tmp_path / "strict"), strict_match=True, keep="first", **road)
    assert removed_by(strict) == decided_by_command(rows, "--strict-match", "--keep", "first")
    measured = leitong.spark.dedup(df, work=str(tmp_path / "measured"), measure="jaccard", threshold=0.7, **road)
    assert removed_by(measured) == decided_by_command(rows, "--measure", "jaccard", "--threshold", "0.7")


@ROADS
def test_ids_of_any_kind_and_ranks_decide_who_stays(spark: Any, road: Any, tmp_path: Path) -> None:
    ferry = "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。"
    rows = [
        {"url": "b", "body": ferry, "price": 3.5},
        {"url": "a", "body": ferry.replace("六点", "六點"), "price": 9.0},
        {"url": "c", "body": ferry.replace("改到", "改在"), "price": 1.0},
        {"url": "d", "body": "The dough rises twice.", "price": 0.0},
    ]
    df = as_files(spark, rows, tmp_path / "in").selectExpr(
        "*", "cast(case when url != 'd' then price end as decimal(9, 2)) as exact", "case when url != 'a' then price end as gift"
    )
    cases = [("longest", "a"), ("first", "a"), ("max:price", "a"), ("min:exact", "c"), ("min:gift", "a")]  # null comes first
    cases += [("min:price", "c"), ("max:exact", "a"), ("max:gift", "a")]
    for keep, kept in cases:
        result = leitong.spark.dedup(df, text="body", id="url", keep=keep, work=str(tmp_path / keep.replace(":", "-")), **road)
        assert sorted(row["url"] for row in result.kept.collect()) == sorted([kept, "d"]), keep
        assert {row["kept"] for row in result.removed.collect()} == {kept}


def test_what_covers_most_is_not_asked_here(spark: Any, tmp_path: Path) -> None:
    df = spark.createDataFrame([("a", "一"), ("b", "二")], "id string, text string")
    with pytest.raises(leitong.UnsupportedError, match="covering"):
        leitong.spark.dedup(df, keep="covering", work=str(tmp_path / "work"))


@pytest.mark.parametrize("setting", ["within", "across", "keep_each"])
def test_groups_are_refused_by_name(spark: Any, setting: str, tmp_path: Path) -> None:
    df = spark.createDataFrame([("a", "一", "zh"), ("b", "二", "zh")], "id string, text string, lang string")
    with pytest.raises(leitong.UnsupportedError, match=setting) as refused:
        leitong.spark.dedup(df, work=str(tmp_path / "work"), **{setting: "lang"})
    assert refused.value.setting == setting
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize("most", [1, 40, 2_000, 20_000])
def test_texts_of_more_bytes_than_were_expected_are_spread_after_all(spark: Any, most: int, tmp_path: Path) -> None:
    """Files are smaller than their texts, so the task counts: no text fits, some do, most of the batches, all but a few."""
    rows = skewed_texts(60, 10)
    df = as_files(spark, rows, tmp_path / "in")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "7")
    fits, _whole.estimate = _whole.estimate, lambda _: 0
    try:
        result = leitong.spark.dedup(df, work=str(tmp_path / "work"), one_task=most)
    finally:
        _whole.estimate = fits
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert (tmp_path / "work" / "whole").exists() and (tmp_path / "work" / "parts").exists()
    one = leitong.dedup([row["text"] for row in rows], measure_recall=False)
    assert removed_by(result).keys() == set(one.removed_positions.tolist())


def test_an_estimate_that_is_too_large_or_unknown_spares_the_attempt(spark: Any, tmp_path: Path) -> None:
    rows = skewed_texts(60, 10)
    df = as_files(spark, rows, tmp_path / "in")
    size = sum(path.stat().st_size for path in (tmp_path / "in").iterdir())
    for name, of, most in (("files", df, size // 2), ("unknown", spark.createDataFrame(df.collect()), 1 << 40)):
        leitong.spark.dedup(of, work=str(tmp_path / name), one_task=most)
        assert not (tmp_path / name / "whole").exists()


@pytest.mark.every_spark
def test_vectors_are_a_second_reason_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    rows = skewed_texts(400, 40)
    random = np.random.default_rng(5)
    themes = random.normal(size=(60, 24))
    for row in rows:
        row["v"] = (themes[random.integers(60)] + 0.35 * random.normal(size=24)).tolist()
    rows[3]["v"], rows[5]["v"], rows[7]["v"] = None, [1.0, 2.0], [float("nan")] * 24
    one = leitong.dedup([row["text"] for row in rows], vectors=[row["v"] if row["v"] and len(row["v"]) == 24 else [np.nan] * 24 for row in rows],
                        cosine=0.9, measure_recall=False)
    expected = {r.position: (r.kept, r.measure, pytest.approx(r.score, abs=1e-6)) for r in one.removals}
    assert {measure for _, measure, _ in expected.values()} >= {"cosine", "jaccard", "identical"}
    df = as_files(spark, rows, tmp_path / "in")
    result = leitong.spark.dedup(df, work=str(tmp_path / "work"), vectors="v", cosine=0.9)
    assert removed_by(result) == expected
    assert pairs_of(result) == {
        (int(p["a"]), int(p["b"])): (pytest.approx(p["jaccard"], abs=1e-6), pytest.approx(p["containment"], abs=1e-6))
        for p in one.pairs
    }
    singles = df.selectExpr("id", "text", "transform(v, x -> cast(x as float)) as v")
    removed = leitong.spark.dedup(singles, work=str(tmp_path / "singles"), vectors="v", cosine=0.9).removed
    assert {row["id"] for row in removed.collect()} == set(expected)
    with pytest.raises(leitong.UnsupportedError, match="one_task=0 bytes"):
        leitong.spark.dedup(df, work=str(tmp_path / "spread"), vectors="v", cosine=0.9, one_task=0)
    with pytest.raises(leitong.InvalidArgumentError, match='column "text" is of the type string; vectors are arrays'):
        leitong.spark.dedup(df, work=str(tmp_path / "none"), vectors="text", cosine=0.9)
    with pytest.raises(leitong.InvalidArgumentError, match="vectors need a cosine"):
        leitong.spark.dedup(df, work=str(tmp_path / "none"), vectors="v")


def test_a_folder_that_is_no_path_is_refused(spark: Any, tmp_path: Path) -> None:
    store = Store(spark, (tmp_path / "work").as_uri(), {})
    assert store.local_folder() == tmp_path / "work"
    store.folder = "hdfs://127.0.0.1:9/work"
    with pytest.raises(leitong.UnsupportedError, match="Mount the storage everywhere"):
        store.local_folder()


@pytest.mark.parametrize("type_of_id", ["string", "tinyint", "bigint"])
def test_ids_keep_their_type(spark: Any, type_of_id: str, tmp_path: Path) -> None:
    ids: list[Any] = ["", "a\tb", "渡\n船", '"', "\\t", "-1"] if type_of_id == "string" else [-3, -2, -1, 0, 1, 2]
    ids.sort(key=lambda one: one.encode() if isinstance(one, str) else one)
    text = "The ferry leaves at six in the morning, and at seven if there is fog on the river."
    df = spark.createDataFrame([(one, text if number < 4 else "") for number, one in enumerate(ids)], f"id {type_of_id}, text string")
    result = leitong.spark.dedup(df, work=str(tmp_path / "work"), one_task=0)
    assert dict(result.removed.dtypes)["id"] == dict(result.removed.dtypes)["kept"] == dict(result.pairs.dtypes)["a"] == type_of_id
    left = {(ids[0], other) for other in ids[1:4]} | {(ids[4], ids[5])}
    assert {(row["kept"], row["id"]) for row in result.removed.collect()} == left
    assert {(row["a"], row["b"]) for row in result.pairs.collect()} == left
    assert sorted(row["id"] for row in result.kept.collect()) == sorted([ids[0], ids[4]])


@ROADS
def test_no_rows(spark: Any, road: Any, tmp_path: Path) -> None:
    df = as_files(spark, skewed_texts(20, 2), tmp_path / "in").where("id < 0")
    result = leitong.spark.dedup(df, work=str(tmp_path / "work"), **road)
    assert (result.kept.count(), result.removed.count(), result.pairs.count()) == (0, 0, 0)


@ROADS
def test_what_cannot_be_meant_is_refused(spark: Any, road: Any, tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "a text"}, {"id": 1, "text": "another one"}, {"id": 2, "text": None}]
    df = as_files(spark, rows, tmp_path / "in", files=1)
    work = str(tmp_path / "work")
    with pytest.raises(leitong.InvalidArgumentError, match="the id 1 is that of 2 rows"):
        leitong.spark.dedup(df.where("text is not null"), work=work, **road)
    with pytest.raises(Exception, match="a row has no text"):
        leitong.spark.dedup(df, work=str(tmp_path / "null"), **road)
    with pytest.raises(leitong.InvalidArgumentError, match="the stages of another run"):
        leitong.spark.dedup(df, work=work, keep="first")
    with pytest.raises(leitong.NotFoundError, match='column "body" is missing'):
        leitong.spark.dedup(df, text="body", work=work)
    with pytest.raises(leitong.UnsupportedError, match="this rule asks for"):
        leitong.spark.dedup(df, work=work, measure="containment", threshold=0.15)
