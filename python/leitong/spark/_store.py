"""The artifacts of a run in a folder that driver and executors can access. A finished artifact is not made again."""
from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from .._errors import InvalidArgumentError, UnsupportedError

_RUN = "run"


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
        """Returns the artifact of this name. It is read if an earlier run made it, otherwise it is made."""
        self.complete(name, lambda path: make().write.mode("overwrite").parquet(path))
        return self.spark.read.parquet(self._path(name))

    def complete(self, name: str, write: Callable[[str], None]) -> None:
        """Writes the artifact of this name unless an earlier run did."""
        if not self._is_complete(name):
            context = self.spark.sparkContext
            context.setJobDescription(f"leitong: {name}")
            write(self._path(name))
            context.setJobDescription(None)

    def local_folder(self) -> Path:
        """The folder as a path of the file system that driver and executors see."""
        path = self.spark._jvm.org.apache.hadoop.fs.Path(self.folder)
        system = path.getFileSystem(self.spark._jsc.hadoopConfiguration())
        if system.getUri().getScheme() != "file":
            raise UnsupportedError(
                f"{self.folder} is on {system.getUri()}: a distributed run needs a folder that the driver and all executors see as a path. "
                "Mount the storage everywhere and give file:/PATH, or give a larger one_task to decide all by one task"
            )
        return Path(system.makeQualified(path).toUri().getPath())

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
