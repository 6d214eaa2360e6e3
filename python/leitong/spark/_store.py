"""The stages of a run as Parquet files in a folder that driver and executors can access: a finished stage is not repeated."""
from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .._errors import InvalidArgumentError

_RUN = "run"
_FEW = 16 << 20  # bytes of rows that pass through the driver


class Store:
    """A folder of artifacts of one run. An artifact appears complete under its name."""

    def __init__(self, spark: Any, folder: str, identity: dict[str, Any]) -> None:
        self.spark, self.folder = spark, folder.rstrip("/")
        text = json.dumps(identity, sort_keys=True, ensure_ascii=False)
        if self._is_complete(_RUN):
            found = self.spark.read.text(self._path(_RUN), wholetext=True).first()[0].strip()
            if found != text:
                raise InvalidArgumentError(
                    f"{self.folder} holds the stages of another run ({found}); give this one ({text}) a folder of its own"
                )
        else:
            self.spark.createDataFrame([(text,)], "value string").coalesce(1).write.mode("overwrite").text(self._path(_RUN))

    def keep(self, name: str, make: Callable[[], Any]) -> Any:
        """The artifact of this name: read if an earlier run made it, else made."""
        if not self._is_complete(name):
            context = self.spark.sparkContext
            context.setJobDescription(f"leitong: {name}")
            make().write.mode("overwrite").parquet(self._path(name))
            context.setJobDescription(None)
        return self.spark.read.parquet(self._path(name))

    def _path(self, name: str) -> str:
        return f"{self.folder}/{name}"

    def _is_complete(self, name: str) -> bool:
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self._path(name) + "/_SUCCESS")
        return bool(path.getFileSystem(self.spark._jsc.hadoopConfiguration()).exists(path))

    def remove(self) -> None:
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self.folder)
        path.getFileSystem(self.spark._jsc.hadoopConfiguration()).delete(path, True)


def functions() -> Any:
    return import_module("pyspark.sql.functions")


def small(rows: Any, count: int, width: int = 32) -> Any:
    """Rows of `width` bytes: if they are few, all tasks get all of them, and the other side of a join is not moved."""
    return functions().broadcast(rows) if count * width <= _FEW else rows
