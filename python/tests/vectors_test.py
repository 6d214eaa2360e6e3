"""Vectors of the user's as a second reason why two texts are similar."""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import leitong

TEXTS = [
    "The ferry leaves the northern bank at six in the morning, and at seven on days of fog.",
    "The dough rises twice and is baked for forty minutes.",
    "First boat across: 6 am, or an hour later if nobody can see the other side.",
]
VECTORS = np.array([[1, 0, 0], [0, 1, 0], [0.99, 0.1, 0]])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_a_text_leaves_by_the_cosine(kind: type) -> None:
    result = leitong.dedup(TEXTS, vectors=VECTORS.astype(kind), cosine=0.9)
    assert [(r.position, r.kept, r.measure) for r in result.removals] == [(2, 0, "cosine")]
    assert result.removals[0].score == pytest.approx(0.994937, abs=1e-3)
    assert result.vectors == (3, 0, 0, "", 1, 0, leitong.VectorRecall())
    assert leitong.dedup(TEXTS).kept == TEXTS
    assert result.rethreshold(0.999).kept == TEXTS


def test_numbers_of_any_kind_and_order_are_vectors() -> None:
    for vectors in (VECTORS.tolist(), np.asfortranarray(VECTORS), (100 * VECTORS).astype(int), VECTORS[:, ::-1]):
        assert leitong.dedup(TEXTS, vectors=vectors, cosine=0.9).kept == TEXTS[:2]


def test_a_mapped_file_is_read_where_it_is(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", VECTORS.astype(np.float32))
    mapped = np.load(tmp_path / "vectors.npy", mmap_mode="r")
    assert leitong.dedup(iter(TEXTS), vectors=mapped, cosine=0.9).kept_positions.tolist() == [0, 1]


@pytest.mark.parametrize("table", [pl.DataFrame, pa.table, dict])
def test_a_column_of_lists(table: type) -> None:
    data = table({"text": TEXTS, "embedding": [[1.0, 0.0], [0.0, 1.0], [0.99, 0.1]]})
    assert leitong.dedup(data, vectors="embedding", cosine=0.9).kept_positions.tolist() == [0, 1]


def test_an_approximate_search_finds_nearly_all_and_tells_how_many() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(10_000, 32))
    rows[5_000:] = rows[:5_000] + 0.2 * rows[5_000:]
    texts = [f"{number:x}" for number in chance.integers(1 << 62, size=len(rows))]
    try:
        found = leitong.dedup(texts, vectors=rows, cosine=0.9, vector_search="approximate")
    except leitong.UnsupportedError as error:
        pytest.skip(str(error))
    exact = leitong.dedup(texts, vectors=rows, cosine=0.9)
    pairs, all_pairs = ({(a, b) for a, b, *_ in each.pairs.tolist()} for each in (found, exact))
    assert pairs <= all_pairs
    assert len(pairs) > 0.99 * len(all_pairs) > 4_900
    recall = found.vectors.recall
    assert recall.sampled == 1_024
    assert recall.value is not None
    assert recall.value > 0.98
    assert recall.low < recall.value <= recall.high
    assert exact.vectors.recall == leitong.VectorRecall()
    assert exact.vectors.recall.value is None
    again = leitong.dedup(texts, vectors=rows, cosine=0.9, vector_search="approximate", threads=1)
    assert again.pairs.tolist() == found.pairs.tolist()


def test_rows_without_a_direction_are_counted_and_kept() -> None:
    rows = [{"text": text, "v": vector} for text, vector in zip(TEXTS, ([1, 0], None, [1.0]), strict=True)]
    result = leitong.dedup(rows, vectors="v", cosine=0.9)
    assert result.kept == rows
    assert (result.vectors.compared, result.vectors.unusable, result.vectors.first_unusable) == (1, 2, 1)
    assert "NaN" in result.vectors.why


def test_references_have_the_first_rows() -> None:
    result = leitong.dedup(TEXTS[1:], references=TEXTS[:1], vectors=VECTORS, cosine=0.9)
    assert result.kept == TEXTS[1:2]


def test_what_can_not_be_meant_is_refused() -> None:
    with pytest.raises(leitong.InvalidArgumentError, match="no cosine from which on two texts are similar"):
        leitong.dedup(TEXTS, vectors=VECTORS)
    with pytest.raises(leitong.InvalidArgumentError, match="an approximate search is one of vectors, and needs a cosine"):
        leitong.dedup(TEXTS, vector_search="approximate")
    with pytest.raises(leitong.InvalidArgumentError, match="is none of exact, approximate"):
        leitong.dedup(TEXTS, vectors=VECTORS, cosine=0.9, vector_search="near")  # type: ignore[arg-type]
    with pytest.raises(leitong.InvalidArgumentError, match="2 vectors for 3 texts"):
        leitong.dedup(TEXTS, vectors=VECTORS[:2], cosine=0.9)
    with pytest.raises(leitong.InvalidArgumentError, match="rows and dimensions"):
        leitong.dedup(TEXTS, vectors=VECTORS[0], cosine=0.9)
    with pytest.raises(leitong.InvalidArgumentError, match="1.5 is not between 0 and 1 .cosine."):
        leitong.dedup(TEXTS, vectors=VECTORS, cosine=1.5)
    with pytest.raises(leitong.NotFoundError, match='column "v" is missing'):
        leitong.dedup({"text": TEXTS}, vectors="v", cosine=0.9)
    with pytest.raises(leitong.InvalidArgumentError, match="come once"):
        leitong.dedup(iter(TEXTS), vectors="v", cosine=0.9)
    with pytest.raises(leitong.InvalidArgumentError, match="row 1 of the vectors has 1 numbers, and row 0 has 2"):
        leitong.dedup(TEXTS, vectors=[[1, 2], [1], [2, 1]], cosine=0.9)
    for column, words in ((["a", "b", "c"], "row 0 of the column of vectors is a str, not a list of numbers"),
                          ([[1.0], 2.0, None], "row 1 of the column of vectors is a float, not a list of numbers"),
                          ([["a"], ["b"], ["c"]], "which are no numbers")):
        with pytest.raises(leitong.InvalidArgumentError, match=words):
            leitong.dedup({"text": TEXTS, "v": column}, vectors="v", cosine=0.9)
    rows = [{"text": TEXTS[0], "v": [1.0]}, {"text": TEXTS[1]}]
    with pytest.raises(leitong.NotFoundError, match='row 1: field "v" is missing .found: text., which holds the vectors'):
        leitong.dedup(rows, vectors="v", cosine=0.9)


def data_of(report: Path) -> dict[str, Any]:
    """What the page was made of."""
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', report.read_text(), re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_report_names_the_measure_and_the_vectors(tmp_path: Path) -> None:
    cosine = 8  # as rows have their measures
    leitong.dedup(TEXTS, vectors=VECTORS, cosine=0.9).report(tmp_path / "report.html")
    data = data_of(tmp_path / "report.html")
    assert data["rule"]["cosine"] == 0.9
    assert Path(dict(data["settings"])["vectors"]).name == "vectors.npy"
    assert [row[1] for row in data["found"]["rows"] if row[0] == 0] == [cosine]
    leitong.dedup(TEXTS).report(tmp_path / "plain.html")
    plain = data_of(tmp_path / "plain.html")
    assert plain["rule"]["cosine"] == 0
    assert "vectors" not in dict(plain["settings"])


def test_the_report_names_the_synonyms(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("渡轮\t渡船\n", encoding="utf-8")
    leitong.dedup(TEXTS, method="simhash", synonyms=tmp_path / "list").report(tmp_path / "report.html")
    assert dict(data_of(tmp_path / "report.html")["settings"])["params"] == f"synonyms={tmp_path}/list"


def test_synonyms_have_one_signature(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("渡轮\t渡船\n", encoding="utf-8")
    texts = ["渡船", "渡轮"]
    plain, same = (np.asarray(leitong.sign(texts, synonyms=to)) for to in (None, tmp_path / "list"))
    assert plain[0] != plain[1]
    assert same[0] == same[1]
    result = leitong.dedup(texts, method="simhash", verify=False, synonyms=tmp_path / "list")
    assert result.kept == texts[:1]
