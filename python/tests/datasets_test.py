"""leitong.datasets."""
from __future__ import annotations

import pytest
from datasets import Dataset, DatasetDict

import leitong
import leitong.datasets
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL


@pytest.fixture
def rows() -> Dataset:
    return Dataset.from_dict({"id": ["a", "b", "c"], "text": [FERRY, DOUGH, FERRY_TRADITIONAL]})


def test_a_dataset_is_marked(rows: Dataset) -> None:
    marked = leitong.datasets.mark(rows)
    assert marked["kept_for"][:] == [0, 1, 0]
    assert marked["measure"][:] == [None, None, "jaccard"]
    assert marked["score"][2] == pytest.approx(leitong.compare(FERRY, FERRY_TRADITIONAL).jaccard)
    assert marked.filter(lambda row, i: row["kept_for"] == i, with_indices=True)["id"][:] == ["a", "b"]


def test_a_dataset_that_was_marked_is_refused(rows: Dataset) -> None:
    with pytest.raises(leitong.InvalidArgumentError, match='has a column "kept_for" already; remove_columns'):
        leitong.datasets.mark(leitong.datasets.mark(rows))


def test_splits_are_clean_of_each_other(rows: Dataset) -> None:
    splits = DatasetDict({"train": rows, "validation": Dataset.from_dict({"id": ["d"], "text": [FERRY]}),
                          "test": Dataset.from_dict({"id": ["e", "f"], "text": [DOUGH + "!", DOUGH]})})
    cleaned = leitong.datasets.dedup_splits(splits)
    assert {name: split["id"][:] for name, split in cleaned.items()} == {"train": ["a", "b"], "validation": [], "test": []}
    cleaned = leitong.datasets.dedup_splits(splits, protect=["test"])
    assert {name: split["id"][:] for name, split in cleaned.items()} == {
        "train": ["a"], "validation": [], "test": ["e", "f"]}
    with pytest.raises(leitong.InvalidArgumentError, match="no split 'tests' to protect .found: train, validation, test"):
        leitong.datasets.dedup_splits(splits, protect=["tests"])


def test_what_an_index_has_seen_is_dropped(rows: Dataset) -> None:
    with leitong.Index() as index:
        new = leitong.datasets.drop_seen(rows, index)
        assert new["id"][:] == ["a", "b"] and type(new) is Dataset
        assert leitong.datasets.drop_seen(rows.rename_column("id", "key"), index, id="key")["key"][:] == ["a", "b"]
        more = Dataset.from_dict({"id": ["d"], "text": [FERRY]})
        assert leitong.datasets.drop_seen(more, index)["id"][:] == []


def test_a_stream_is_filtered_as_it_is_read(rows: Dataset) -> None:
    with leitong.Index() as index:
        stream = leitong.datasets.drop_seen(rows.to_iterable_dataset(), index, batch_size=2)
        assert len(index) == 0
        assert [row["id"] for row in stream] == ["a", "b"]
        assert len(index) == 3


def test_splits_have_ids_and_vectors() -> None:
    """Those of earlier splits are references, with the same columns."""
    def split(names: str, vectors: list[list[float]]) -> Dataset:
        return Dataset.from_dict({"url": list(names), "text": [f"Text {name} of its own." for name in names], "v": vectors})

    splits = DatasetDict({"train": split("ab", [[1, 0], [0, 1]]), "test": split("cd", [[0.99, 0.1], [-1, 0]])})
    assert leitong.datasets.dedup_splits(splits, id="url")["test"]["url"][:] == ["c", "d"]
    cleaned = leitong.datasets.dedup_splits(splits, id="url", vectors="v", cosine=0.9)
    assert {name: rows["url"][:] for name, rows in cleaned.items()} == {"train": ["a", "b"], "test": ["d"]}
    cleaned = leitong.datasets.dedup_splits(splits, protect=["test"], vectors="v", cosine=0.9)
    assert {name: rows["url"][:] for name, rows in cleaned.items()} == {"train": ["b"], "test": ["c", "d"]}
    with pytest.raises(leitong.InvalidArgumentError, match="let vectors name the column"):
        leitong.datasets.dedup_splits(splits, vectors=[[1, 0], [0, 1]], cosine=0.9)


def test_what_the_index_refuses_is_told(caplog: pytest.LogCaptureFixture) -> None:
    two = Dataset.from_dict({"id": ["a", "a", "b"], "text": [FERRY, DOUGH, "A third one."]})
    with leitong.Index() as index:
        assert leitong.datasets.drop_seen(two, index)["text"][:] == [FERRY, "A third one."]
    assert '1 of 3 rows are left out, since the index refused them; the first: ' in caplog.text
