"""Near-duplicates in datasets of Hugging Face.

``leitong.dedup`` takes and returns a ``Dataset``; this module handles splits and streams.
"""
from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from datasets import Dataset, DatasetDict, IterableDataset  # type: ignore[import-untyped]
from numpy.typing import NDArray

from ._answers import are_new
from ._data import source_of, values_of
from ._dedup import dedup
from ._errors import InvalidArgumentError
from ._index import Index
from ._vectors import vectors_of

__all__ = ["dedup_splits", "drop_seen", "mark"]

_MARKS = ("kept_for", "measure", "score")
Data = TypeVar("Data", Dataset, IterableDataset)


def dedup_splits(splits: DatasetDict, text: str = "text", *, protect: Sequence[str] = (), **options: Any) -> DatasetDict:
    """Removes from every split the near-duplicates of its own rows, of the splits before it, and of the splits to ``protect``.

    Protected splits stay unchanged: with ``protect=["test"]`` no row of the training data is a near-duplicate of a row of the test.
    ``options`` are those of ``leitong.dedup``.

    >>> import datasets, leitong.datasets
    >>> ferry = "渡船清晨六点开第一班，雾大的日子停航。乘客请在北岸的石阶旁排队等候。"
    >>> splits = datasets.DatasetDict({"train": datasets.Dataset.from_dict({"text": [ferry + "！", "面团要发两次"]}),
    ...                                "test": datasets.Dataset.from_dict({"text": [ferry]})})
    >>> leitong.datasets.dedup_splits(splits, protect=["test"])["train"]["text"][:]
    ['面团要发两次']
    """
    if missing := [name for name in protect if name not in splits]:
        raise InvalidArgumentError(f"there is no split {missing[0]!r} to protect (found: {', '.join(map(str, splits))})")
    vectors = options.pop("vectors", None)
    if vectors is not None and not isinstance(vectors, str) and len(splits) > 1:
        raise InvalidArgumentError("each split has vectors of its own; let vectors name the column that holds them")
    cleaned = DatasetDict({name: splits[name] for name in protect})
    for name, split in splits.items():
        if name not in cleaned:
            known = list(cleaned.values())
            rows = _rows(known, text, options.get("id")) if known else None
            of_all = _vectors(known, split, vectors) if isinstance(vectors, str) else vectors
            cleaned[name] = dedup(split, text, references=rows, vectors=of_all, **options).kept
    return DatasetDict({name: cleaned[name] for name in splits})


def mark(dataset: Dataset, text: str = "text", **options: Any) -> Dataset:
    """The dataset with the columns ``kept_for`` (the row that stays in its place), ``measure`` and ``score``.

    A row stays if ``kept_for`` is its own number; then the other two are None.
    """
    if taken := [name for name in _MARKS if name in dataset.column_names]:
        raise InvalidArgumentError(f'the dataset has a column "{taken[0]}" already; remove_columns({taken}) takes such ones out')
    columns = dedup(dataset, text, **options).columns()
    for name in _MARKS:
        dataset = dataset.add_column(name, columns[name])
    return dataset


def drop_seen(dataset: Data, index: Index, *, text: str = "text", id: str = "id", batch_size: int = 1000) -> Data:
    """The rows that the index has not seen; all of them are added. A stream is checked and added as it is read.

    A row that the index refuses, such as another text under a known id, is left out with a warning in the log.
    """

    def is_new(batch: Any) -> list[bool]:
        return are_new(index.check_and_add(batch, text=text, id=id))

    if isinstance(dataset, IterableDataset):
        return dataset.filter(is_new, batched=True, batch_size=batch_size)
    formatted = dataset.with_format("arrow")
    # The result depends on what the index has seen, so it must not come from the cache of datasets.
    chosen = formatted.filter(is_new, batched=True, batch_size=batch_size, new_fingerprint=uuid.uuid4().hex)
    return chosen.with_format(**dataset.format)


def _rows(splits: Sequence[Dataset], text: str, id: str | None) -> Iterator[dict[str, Any]]:
    """Texts, and ids if they are wanted."""
    for split in splits:
        batches: Any = split.select_columns([text, id] if id else [text]).with_format("arrow").iter(1000)
        for batch in batches:
            yield from batch.to_pylist()


def _vectors(known: Sequence[Dataset], split: Dataset, column: str) -> NDArray[Any]:
    """The vectors of the known rows, and then those of the split."""
    chunks = (chunk for each in (*known, split) for chunk in each.select_columns([column]).with_format("arrow")[:][column].chunks)
    return vectors_of(column, source_of({column: values_of(chunks)}, column, None), None)
