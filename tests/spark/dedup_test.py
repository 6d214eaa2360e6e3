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
from skewed import skewed_texts

LARGE = pytest.mark.skipif(not FULL, reason="LEITONG_SPARK_FULL is not set: this corpus takes minutes")


def pairs_of(result: Any) -> dict[tuple[int, int], tuple[float, float]]:
    return {(row["a"], row["b"]): (row["jaccard"], row["containment"]) for row in result.pairs.collect()}


def expect_same(spark: Any, rows: list[dict[str, Any]], expected: dict[Any, Any], folder: Path, templates: Any) -> None:
    df = as_files(spark, rows, folder / "in")
    result = leitong.spark.dedup(df, work=str(folder / "work"), templates=templates)
    assert removed_by(result) == expected
    one = leitong.dedup([row["text"] for row in rows], templates=templates, measure_recall=False)
    ids = np.array([row["id"] for row in rows])
    assert pairs_of(result) == {
        (int(ids[p["a"]]), int(ids[p["b"]])): (pytest.approx(p["jaccard"], abs=1e-6), pytest.approx(p["containment"], abs=1e-6))
        for p in one.pairs
    }
    kept = result.kept
    assert kept.columns == df.columns
    assert sorted(row["id"] for row in kept.select("id").collect()) == sorted(row["id"] for row in rows if row["id"] not in expected)


@pytest.mark.every_spark
@pytest.mark.parametrize("templates", ["automatic", "counted"])
@pytest.mark.parametrize(
    "name",
    [
        "article-extractions-en",
        pytest.param("pawsx-scrambled-zh", marks=LARGE),
        pytest.param("broadcast-items-zh", marks=LARGE),
        pytest.param("lctt-revisions-zh", marks=LARGE),
        pytest.param("poem-editions-zh", marks=LARGE),
    ],
)
def test_real_texts_are_decided_as_by_the_command(
    spark: Any, name: str, templates: str, decided_by_command: Callable[..., Any], tmp_path: Path
) -> None:
    rows = evaluation_set(name)
    if templates == "counted" and not FULL:
        rows = rows[:400]
    flags = () if templates == "automatic" else ("--template", "off")
    expect_same(spark, rows, decided_by_command(rows, *flags), tmp_path, templates)


@pytest.mark.parametrize("templates", ["automatic", "counted"])
@pytest.mark.parametrize(
    "rows, family", [(1_500, 200), pytest.param(12_000, 3_000, marks=LARGE), pytest.param(100_000, 50_000, marks=LARGE)]
)
def test_hot_keys_families_empty_texts_and_copies(
    spark: Any, rows: int, family: int, templates: str, decided_by_command: Callable[..., Any], tmp_path: Path
) -> None:
    texts = skewed_texts(rows, family)
    flags = () if templates == "automatic" else ("--template", "off")
    expect_same(spark, texts, decided_by_command(texts, *flags), tmp_path, templates)


def test_options_are_those_of_the_command(
    spark: Any, decided_by_command: Callable[..., Any], tmp_path: Path
) -> None:
    rows = evaluation_set("pawsx-scrambled-zh")[:1500]
    df = as_files(spark, rows, tmp_path / "in")
    strict = leitong.spark.dedup(df, work=str(tmp_path / "strict"), strict_match=True, keep="first")
    assert removed_by(strict) == decided_by_command(rows, "--strict-match", "--keep", "first")
    measured = leitong.spark.dedup(df, work=str(tmp_path / "measured"), measure="jaccard", threshold=0.7)
    assert removed_by(measured) == decided_by_command(rows, "--measure", "jaccard", "--threshold", "0.7")


def test_ids_of_any_kind_and_ranks_decide_who_stays(spark: Any, tmp_path: Path) -> None:
    ferry = "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。"
    rows = [
        {"url": "b", "body": ferry, "price": 3.5}, {"url": "a", "body": ferry.replace("六点", "六點"), "price": 9.0},
        {"url": "c", "body": ferry.replace("七点", "八点"), "price": 1.0}, {"url": "d", "body": "The dough rises twice.", "price": 0.0},
    ]
    df = as_files(spark, rows, tmp_path / "in")
    for keep, kept in (("longest", "a"), ("first", "a"), ("min:price", "c"), ("max:price", "a")):
        result = leitong.spark.dedup(df, text="body", id="url", keep=keep, work=str(tmp_path / keep.replace(":", "-")))
        assert sorted(row["url"] for row in result.kept.collect()) == sorted([kept, "d"]), keep
        assert {row["kept"] for row in result.removed.collect()} == {kept}


def test_what_cannot_be_meant_is_refused(spark: Any, tmp_path: Path) -> None:
    df = spark.createDataFrame([(1, "a text"), (1, "another one"), (2, None)], "id long, text string")
    work = str(tmp_path / "work")
    with pytest.raises(leitong.InvalidArgumentError, match="the id 1 is that of 2 rows"):
        leitong.spark.dedup(df.where("text is not null"), work=work)
    with pytest.raises(Exception, match="a row has no text"):
        leitong.spark.dedup(df, work=str(tmp_path / "null"))
    with pytest.raises(leitong.InvalidArgumentError, match="the stages of another run"):
        leitong.spark.dedup(df, work=work, keep="first")
    with pytest.raises(leitong.NotFoundError, match='column "body" is missing'):
        leitong.spark.dedup(df, text="body", work=work)
    with pytest.raises(leitong.UnsupportedError, match="so low a threshold"):
        leitong.spark.dedup(df, work=work, measure="containment", threshold=0.15)
