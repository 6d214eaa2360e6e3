"""Fingerprints on Spark are those of the command, and no pair of them is missed."""
from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import leitong
import leitong.spark
from conftest import as_files, evaluation_set
from leitong import hamming
from leitong.spark._fingerprints import _masks


def planted(count: int) -> np.ndarray[Any, Any]:
    """Random fingerprints, near ones of some of them, and equal ones."""
    r = np.random.default_rng(5)
    values = r.integers(0, 1 << 64, count, np.uint64)
    near = values[: count // 4].copy()
    for bits in range(4):  # up to four bits are flipped: some pairs are near, others are slightly too far
        turned = r.integers(0, 64, len(near), np.uint64)
        near[bits::4] ^= np.uint64(1) << turned[bits::4]
        near[bits::3] ^= np.uint64(1) << (turned[bits::3] + np.uint64(7)) % np.uint64(64)
    return np.concatenate([values, near, values[:50]])


@pytest.mark.every_spark
@pytest.mark.parametrize("distance, tables", [(3, 4), (3, 10), (0, 1), (5, 6)])
def test_the_join_is_exact(spark: Any, distance: int, tables: int) -> None:
    values = planted(20_000)
    df = spark.createDataFrame(list(enumerate(values.view(np.int64).tolist())), "id long, fingerprint long")
    df = df.union(spark.createDataFrame([(-1, None)], "id long, fingerprint long"))
    found = leitong.spark.hamming_join(df, distance=distance, tables=tables).collect()
    expected = {(int(p["a"]), int(p["b"]), int(p["distance"])) for p in hamming.join(values, distance=distance)}
    assert len(expected) > 50
    assert len(found) == len(expected)
    assert {(row["a"], row["b"], row["distance"]) for row in found} == expected


@pytest.mark.parametrize("distance, tables", [(3, 4), (3, 10), (2, 6), (1, 2)])
def test_two_near_fingerprints_agree_in_a_table(distance: int, tables: int) -> None:
    """Any flipped bits are in at most so many blocks."""
    masks = _masks(distance, tables)
    assert len(masks) == tables
    for places in itertools.combinations(range(0, 64, 5), distance):
        turned = sum(1 << place for place in places)
        assert any(not mask & turned for mask in masks)


def test_signatures_are_those_of_one_machine(spark: Any, tmp_path: Path) -> None:
    rows = [*evaluation_set("pawsx-scrambled-zh")[:300], {"id": 300, "text": ""}]
    params = {"features": "chars", "weights": "constant", "top": 0}
    signed = leitong.spark.sign(as_files(spark, rows, tmp_path / "in"), params=params).collect()
    one = leitong.sign([row["text"] for row in rows], params=params)
    assert {row["id"]: row["fingerprint"] for row in signed} == {
        i: int(one[i].view(np.int64)[0]) if len(one[i]) else None for i in range(len(rows))
    }


def test_tables_that_would_miss_pairs_are_refused(spark: Any) -> None:
    df = spark.createDataFrame([(1, 2)], "id long, fingerprint long")
    with pytest.raises(leitong.InvalidArgumentError, match="has 4 tables of one block or 10 of two"):
        leitong.spark.hamming_join(df, tables=3)
