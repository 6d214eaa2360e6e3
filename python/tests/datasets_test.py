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
