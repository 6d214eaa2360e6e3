"""Near-duplicates in pipelines of datatrove: a filter step with an index, two stages for a whole corpus, and a run in many tasks.

``DropSeen`` drops what its index has seen, document by document. ``FindDuplicates`` and ``DropDuplicates`` decide on a corpus as a
whole, as ``leitong.dedup`` does: the first step reads all documents in one task and records which ones leave; the second step drops
these, in any number of tasks. ``FindRepeats`` and ``CutRepeats`` cut out of documents the lines, sentences or passages that repeat,
as ``leitong.trim`` does.

    find = [JsonlReader("crawl/"), FindDuplicates("found/", work_folder="/scratch")]
    drop = [JsonlReader("crawl/"), DropDuplicates("found/", exclusion_writer=JsonlWriter("removed/")), JsonlWriter("kept/")]
    LocalPipelineExecutor(find, tasks=1).run()
    LocalPipelineExecutor(drop, tasks=16).run()

``RunStage`` decides on a corpus of files in many tasks, which ``leitong.stages`` plans: an executor for each stage.

    leitong.stages.plan(["crawl/"], work="work", output="out", parts=64)
    last = None
    for stage, parts in leitong.stages.listed("work"):
        last = SlurmPipelineExecutor([RunStage("work", stage)], tasks=parts, depends=last, job_name=stage, ..)
    last.run()
"""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from datatrove.data import Document  # type: ignore[import-untyped]
from datatrove.io import DataFolderLike, get_datafolder  # type: ignore[import-untyped]
from datatrove.pipeline.base import PipelineStep  # type: ignore[import-untyped]
from datatrove.pipeline.filters.base_filter import BaseFilter  # type: ignore[import-untyped]

from . import _leitong
from ._dedup import dedup
from ._errors import InvalidArgumentError, NotFoundError
from ._index import Index
from ._session import ProgressOption, session
from ._settings import given
from .stages import listed, run

__all__ = ["CutRepeats", "DropDuplicates", "DropSeen", "FindDuplicates", "FindRepeats", "RunStage"]

_FILE = "duplicates.jsonl"
_CUTS = "cuts.jsonl"


def _whole(data: Any, world_size: int, step: PipelineStep) -> Iterator[Document]:
    """The documents of a corpus, if one task reads all of them and their ids differ."""
    if world_size != 1:
        raise InvalidArgumentError(f"{world_size} tasks would decide on {world_size} parts of the corpus; use tasks=1")
    ids: set[str] = set()
    for doc in data:
        if doc.id in ids:
            raise InvalidArgumentError(f'two documents have the id "{doc.id}"; give each its own')
        ids.add(doc.id)
        step.stat_update("documents")
        yield doc


def _read(folder: Any, name: str, step: str) -> Iterator[dict[str, Any]]:
    """Reads what an earlier stage wrote."""
    if not folder.isfile(name):
        raise NotFoundError(f"{folder.path} has no {name}; run {step} first")
    with folder.open(name, "rt") as file:
        yield from map(json.loads, file)


class DropSeen(BaseFilter):  # type: ignore[misc]
    """Drops documents that are the same as an earlier one, or nearly so, and adds all to the index in ``folder``.

    The reason is the verdict, "exact" or "near"; the metadata ``similar_to``, ``measure`` and ``score`` say more. A pipeline that
    runs again gives each document the verdict of its first arrival. Only one task at a time can run, since one process at a time
    can open an index.
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

    It runs in one task. Documents need different ids, as readers give them. ``options`` are those of ``leitong.dedup``. Texts that
    exceed ``memory`` go to ``work_folder``.
    """

    name = "雷同 find"
    type = "🫂 - DEDUP"

    def __init__(self, folder: DataFolderLike, **options: Any) -> None:
        super().__init__()
        self.folder, self.options = get_datafolder(folder), options

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> None:
        names: list[str] = []

        def rows() -> Iterator[dict[str, str]]:
            for doc in _whole(data, world_size, self):
                names.append(doc.id)
                yield {"id": doc.id, "text": doc.text}

        with self.track_time():
            result = dedup(rows(), **self.options)
            sizes = {int(rows[0]): len(rows) for rows in result.clusters if rows[0] >= 0}
            with self.folder.open(_FILE, "wt") as file:
                for removal in result.removals:
                    self.stat_update("duplicates")
                    print(json.dumps({"id": removal.id, "similar_to": removal.kept_id, "measure": removal.measure,
                                      "score": removal.score}), file=file)
                for row, size in sizes.items():
                    print(json.dumps({"id": names[row], "cluster_size": size}), file=file)


class DropDuplicates(BaseFilter):  # type: ignore[misc]
    """Drops the documents that ``FindDuplicates`` found; the reason is the measure, such as "jaccard".

    The metadata of a dropped document have ``similar_to``, ``measure`` and ``score``. A document for which others left gets
    ``cluster_size``, so that a corpus can be sampled by how often a text occurs.
    """

    name = "雷同 drop"

    def __init__(self, folder: DataFolderLike, exclusion_writer: Any = None) -> None:
        super().__init__(exclusion_writer)
        self.folder = get_datafolder(folder)
        self._found: dict[str, dict[str, Any]] = {}

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        self._found = {found.pop("id"): found for found in _read(self.folder, _FILE, "FindDuplicates")}
        yield from super().run(data, rank, world_size)

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        found = self._found.get(doc.id, {})
        doc.metadata |= found
        return (False, found["measure"]) if "measure" in found else True


class FindRepeats(PipelineStep):  # type: ignore[misc]
    """Finds the repeated parts of a corpus, and writes to ``folder`` what is cut from which document.

    It runs in one task. Documents need different ids, as readers give them. The settings are those of ``leitong.trim``: part,
    kept_part, least_documents, least_units, border and least_left. Texts go through a file in ``work_folder``, so that they may
    need more than ``memory``.
    """

    name = "雷同 find repeats"
    type = "🫂 - DEDUP"

    def __init__(
        self,
        folder: DataFolderLike,
        *,
        threads: int = 0,
        memory: int = 0,
        work_folder: str | os.PathLike[str] | None = None,
        progress: ProgressOption = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.folder, self.settings, self.work_folder = get_datafolder(folder), settings, work_folder
        self.options: dict[str, Any] = {"threads": threads, "memory": memory, "progress": progress}

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> None:
        with self.track_time(), tempfile.TemporaryDirectory(dir=self.work_folder) as place:
            texts, spans, short = (Path(place) / name for name in ("texts.jsonl", "spans.jsonl", "short.jsonl"))
            with texts.open("w", encoding="utf-8") as file:
                for doc in _whole(data, world_size, self):
                    print(json.dumps({"id": doc.id, "text": doc.text}), file=file)
            here = session(work_folder=self.work_folder, **self.options)
            _leitong.trim_file(here, str(texts), str(spans), str(short), given(**self.settings))
            with short.open(encoding="utf-8") as file:
                removed = {row["id"] for row in map(json.loads, file)}
            with spans.open(encoding="utf-8") as cuts, self.folder.open(_CUTS, "wt") as out:
                for id, rows in groupby(map(json.loads, cuts), lambda row: row["id"]):
                    places = [(row["begin_character"], row["end_character"]) for row in rows]
                    self.stat_update("cuts", value=len(places))
                    print(json.dumps({"id": id, "removed": True} if id in removed else {"id": id, "cuts": places}), file=out)


class CutRepeats(BaseFilter):  # type: ignore[misc]
    """Cuts the parts that ``FindRepeats`` found out of the documents, in any number of tasks, and drops documents of which too
    little is left."""

    name = "雷同 cut repeats"

    def __init__(self, folder: DataFolderLike, exclusion_writer: Any = None) -> None:
        super().__init__(exclusion_writer)
        self.folder = get_datafolder(folder)
        self._found: dict[str, dict[str, Any]] = {}

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        self._found = {found.pop("id"): found for found in _read(self.folder, _CUTS, "FindRepeats")}
        yield from super().run(data, rank, world_size)

    def filter(self, doc: Document) -> bool | tuple[bool, str]:
        found = self._found.get(doc.id, {})
        if found.get("removed"):
            return False, "too_short"
        left, at = [], 0
        for begin, end in found.get("cuts", ()):
            left.append(doc.text[at:begin])
            at = end
        doc.text = "".join(left) + doc.text[at:]
        return True


class RunStage(PipelineStep):  # type: ignore[misc]
    """One stage of the run that ``leitong.stages.plan`` planned in the folder ``work``, which all machines see.

    A task does the parts that its rank and the number of tasks give it; parts that are done already are not repeated.
    """

    name = "雷同 stage"
    type = "🫂 - DEDUP"

    def __init__(self, work: str | os.PathLike[str], stage: str) -> None:
        super().__init__()
        self.work, self.stage = os.fspath(work), stage

    def run(self, data: Any = None, rank: int = 0, world_size: int = 1) -> None:
        for part in range(rank, dict(listed(self.work))[self.stage], world_size):
            with self.track_time():
                if run(self.stage, self.work, part):
                    self.stat_update("parts")
