"""Near-duplicates in pipelines of datatrove: a filter step with an index, and two stages for a whole corpus.

``DropSeen`` drops what its index has seen, document by document. ``FindDuplicates`` and ``DropDuplicates`` decide on a
corpus as a whole, as ``leitong.dedup`` does: the first one reads all documents in one task and writes down which ones leave;
the second one drops these, in any number of tasks.

    find = [JsonlReader("crawl/"), FindDuplicates("found/", work_folder="/scratch")]
    drop = [JsonlReader("crawl/"), DropDuplicates("found/", exclusion_writer=JsonlWriter("removed/")), JsonlWriter("kept/")]
    LocalPipelineExecutor(find, tasks=1).run()
    LocalPipelineExecutor(drop, tasks=16).run()
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from datatrove.data import Document  # type: ignore[import-untyped]
from datatrove.io import DataFolderLike, get_datafolder  # type: ignore[import-untyped]
from datatrove.pipeline.base import PipelineStep  # type: ignore[import-untyped]
from datatrove.pipeline.filters.base_filter import BaseFilter  # type: ignore[import-untyped]

from ._dedup import dedup
from ._errors import InvalidArgumentError, NotFoundError
from ._index import Index

__all__ = ["DropDuplicates", "DropSeen", "FindDuplicates"]

_FILE = "duplicates.jsonl"


class DropSeen(BaseFilter):  # type: ignore[misc]
    """Drops documents that are the same as an earlier one, or nearly so, and adds all to the index in ``folder``.

    The reason is the verdict, "exact" or "near"; the metadata ``similar_to``, ``measure`` and ``score`` say more. A
    pipeline that runs again gives each document the verdict of its first arrival. One task at a time, since one process has
    an index open.
    """

    name = "雷同 seen before"

    def __init__(
        self,
        folder: str | os.PathLike[str],
        exclusion_writer: Any = None,
        batch_size: int = 256,
        durability: Any = "everysec",
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.folder, self.durability = os.fspath(folder), durability
        self._index: Index | None = None

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        with Index(self.folder, durability=self.durability) as self._index:
            yield from super().run(data, rank, world_size)
        self._index = None

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Document]) -> list[bool | tuple[bool, str]]:
        assert self._index is not None, "run() opens the index"
        results: list[bool | tuple[bool, str]] = []
        answers = self._index.check_and_add([doc.text for doc in batch], [doc.id for doc in batch])
        for doc, answer in zip(batch, answers, strict=True):
            if answer.match is not None:
                match = answer.match
                doc.metadata |= {"similar_to": match.id, "measure": match.measure, "score": match.score}
            if answer.verdict == "refused":
                doc.metadata["refused"] = answer.reason
            results.append(answer.is_new or (False, answer.verdict))
        return results


class FindDuplicates(PipelineStep):  # type: ignore[misc]
    """Decides on all documents of a corpus, and writes to ``folder`` which of them leave.

    In one task. Documents need different ids, as readers give them. ``options`` are those of ``leitong.dedup``: texts that
    exceed ``memory`` go to ``work_folder``.
    """

    name = "雷同 find"
    type = "🫂 - DEDUP"

    def __init__(self, folder: DataFolderLike, **options: Any) -> None:
        super().__init__()
        self.folder, self.options = get_datafolder(folder), options

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> None:
        if world_size != 1:
            raise InvalidArgumentError(f"{world_size} tasks would decide on {world_size} parts of the corpus; use tasks=1")
        ids: dict[str, None] = {}

        def rows() -> Iterator[dict[str, str]]:
            for doc in data:
                if doc.id in ids:
                    raise InvalidArgumentError(f'two documents have the id "{doc.id}"; give each its own')
                ids[doc.id] = None
                self.stat_update("documents")
                yield {"id": doc.id, "text": doc.text}

        with self.track_time():
            result = dedup(rows(), **self.options)
            sizes = {int(rows[0]): len(rows) for rows in result.clusters if rows[0] >= 0}
            with self.folder.open(_FILE, "wt") as file:
                for removal in result.removals:
                    self.stat_update("duplicates")
                    print(json.dumps({"id": removal.id, "similar_to": removal.kept_id, "measure": removal.measure,
                                      "score": removal.score}), file=file)
                names = list(ids)
                for row, size in sizes.items():
                    print(json.dumps({"id": names[row], "cluster_size": size}), file=file)


class DropDuplicates(BaseFilter):  # type: ignore[misc]
    """Drops the documents that ``FindDuplicates`` found; the reason is the measure, such as "jaccard".

    Metadata of a dropped document say ``similar_to``, ``measure`` and ``score``. A document that others left for gets
    ``cluster_size``, so that a corpus may be sampled by how often a text occurs.
    """

    name = "雷同 drop"

    def __init__(self, folder: DataFolderLike, exclusion_writer: Any = None) -> None:
        super().__init__(exclusion_writer)
        self.folder = get_datafolder(folder)
        self._found: dict[str, dict[str, Any]] = {}

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        if not self.folder.isfile(_FILE):
            raise NotFoundError(f"{self.folder.path} has no {_FILE}; run FindDuplicates first")
        with self.folder.open(_FILE, "rt") as file:
            self._found = {found.pop("id"): found for found in map(json.loads, file)}
        yield from super().run(data, rank, world_size)

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        found = self._found.get(doc.id, {})
        doc.metadata |= found
        return (False, found["measure"]) if "measure" in found else True
