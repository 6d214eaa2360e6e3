"""Near-duplicates in Ray: actors for ``map_batches`` of Ray Data, and the run of a corpus as tasks.

    import ray, leitong.ray
    new = leitong.ray.drop_seen(ray.data.read_parquet("crawl/"), "/data/seen", text="text", id="url")
    signed = ray.data.read_parquet("crawl/").map_batches(
        leitong.ray.Sign, batch_format="pyarrow", compute=ray.data.ActorPoolStrategy(size=4))

    leitong.stages.plan(["/shared/crawl/"], work="/shared/work", output="/shared/out", parts=64)
    leitong.ray.run_stages("/shared/work")
"""
from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import numpy as np

from ._answers import are_new
from ._dedup import Params, params_list
from ._index import Index
from ._sign import Signer
from .stages import listed, run

__all__ = ["DropSeen", "Sign", "drop_seen", "run_stages"]


class DropSeen:
    """An actor that keeps the rows whose text its index has not seen, and adds all rows to the index. A row that the index refuses,
    such as another text under a known id, is left out with a warning in the log.

    Only one actor can use a folder, since one process at a time can open an index; it works with ``threads`` threads. Ray passes
    batches in any order unless its execution options preserve their order. Of similar rows the one that arrives first stays.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        text: str = "text",
        id: str = "id",
        durability: Any = "everysec",
        threads: int = 0,
    ) -> None:
        self.text, self.id = text, id
        self._index = Index(folder, durability=durability, threads=threads)

    def __call__(self, batch: Any) -> Any:
        """``batch`` is a pyarrow.Table, which is read without a copy."""
        answers = self._index.check_and_add(batch, text=self.text, id=self.id)
        return batch.filter(np.array(are_new(answers), bool))


class Sign:
    """An actor that adds a column ``fingerprint`` of uint64 words: None where a text has no signature."""

    def __init__(
        self, method: str = "simhash", params: Params = None, *, text: str = "text", column: str = "fingerprint"
    ) -> None:
        self._signer = Signer(method, tuple(params_list(params)), threads=1)
        self.text, self.column = text, column

    def __call__(self, batch: Any) -> Any:
        pyarrow: Any = import_module("pyarrow")
        made = self._signer.sign(batch, self.text)
        sizes = np.diff(made.offsets)
        if made.fingerprint_bits == 64:
            values = np.zeros(len(made), np.uint64)
            values[sizes > 0] = made.words
            column = pyarrow.array(values, mask=sizes == 0)
        else:
            column = pyarrow.LargeListArray.from_arrays(made.offsets, made.words)
        return batch.append_column(self.column, column)


def drop_seen(
    dataset: Any,
    folder: str | os.PathLike[str] | None = None,
    *,
    text: str = "text",
    id: str = "id",
    batch_size: int = 1024,
    **options: Any,
) -> Any:
    """The rows of a ``ray.data.Dataset`` that the index in ``folder`` has not seen; all of them are added when it runs."""
    data: Any = import_module("ray.data")
    return dataset.map_batches(
        DropSeen,
        fn_constructor_kwargs={"folder": folder, "text": text, "id": id, **options},
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=data.ActorPoolStrategy(size=1),
    )


def run_stages(work: str | os.PathLike[str], *, retries: int = 3, **options: Any) -> None:
    """Runs what ``leitong.stages.plan`` planned, each part of a stage as a task of one thread. Finished parts are not repeated.

    All machines must see the folders of the plan. A part is repeated at most ``retries`` times if its worker was lost or the file
    system failed. ``options`` are those of Ray's tasks, such as ``memory``. Raises the error of the first part that fails.
    """
    ray: Any = import_module("ray")
    task = ray.remote(run).options(max_retries=retries, retry_exceptions=[OSError], **options)
    for stage, parts in listed(work):
        ray.get([task.remote(stage, os.fspath(work), part) for part in range(parts)])
