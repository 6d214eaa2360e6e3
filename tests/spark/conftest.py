from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

ROOT = Path(__file__).resolve().parents[2]
FULL = bool(os.environ.get("LEITONG_SPARK_FULL"))
DATA = Path(os.environ.get("LEITONG_EVALUATION_DATA", ROOT.parent / "shared" / "data"))

#: The Spark on which this half of the tests runs; empty: all tests run.
HALF = os.environ.get("LEITONG_SPARK_HALF")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    def runs_here(item: pytest.Item) -> bool:
        return item.get_closest_marker("every_spark") is not None or zlib.crc32(item.name.encode()) % 2 == (HALF == "4")

    if HALF:
        config.hook.pytest_deselected(items=[item for item in items if not runs_here(item)])
        items[:] = filter(runs_here, items)


#: Sessions that end soon: little memory, the quick compiler, few partitions.
SETTINGS = {
    "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "4",
    "spark.driver.memory": "3g", "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def session(master: str = "local[2]", **settings: str) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("leitong")
    for name, value in {**SETTINGS, **{name.replace("_", "."): value for name, value in settings.items()}}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    made = session()
    yield made
    made.stop()


@pytest.fixture
def command() -> str:
    path = os.environ.get("LEITONG_COMMAND")
    if not path:
        pytest.skip("LEITONG_COMMAND names no command to compare with; scripts/test-spark does")
    return path


def evaluation_set(name: str) -> list[dict[str, Any]]:
    """A developers' set of real texts, which is no part of the checkout; ids rise with the rows."""
    path = DATA / f"{name}.docs.jsonl.zst"
    if not path.is_file() or shutil.which("zstd") is None:
        pytest.skip(f"{path} or the command zstd is missing: Spark's decisions on it have NOT been compared with the command's")
    unpacked = subprocess.run(["zstd", "-dc", "--long=27", path], check=True, capture_output=True).stdout
    return [{"id": number, "text": json.loads(line)["text"]} for number, line in enumerate(unpacked.splitlines())]


def as_files(spark: Any, rows: list[dict[str, Any]], folder: Path, files: int = 3) -> Any:
    """The rows as a DataFrame that reads Parquet files, in another order than theirs."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        pq.write_table(pa.Table.from_pylist(rows[number::files][::-1]), folder / f"{number}.parquet")
    return spark.read.parquet(str(folder))


@pytest.fixture
def decided_by_command(command: str, tmp_path: Path) -> Callable[..., dict[Any, tuple[Any, str, float]]]:
    """The reason why each row leaves: id -> (kept, measure, score). For the command a record without a text is no document; in a table
    such rows are texts that are equal, of which the first stays. Without an audit, which Spark has not, and which can take a pair by
    rare passages away."""

    def decide(rows: list[dict[str, Any]], *flags: str) -> dict[Any, tuple[Any, str, float]]:
        folder = tmp_path / "command"
        folder.mkdir(exist_ok=True)
        (folder / "in.jsonl").write_text("".join(json.dumps({**row, "id": str(row["id"])}) + "\n" for row in rows))
        subprocess.run([command, "dedup", "in.jsonl", "-o", "kept.jsonl", "--removed", "removed.jsonl", "-q", "--force", *flags],
                       cwd=folder, check=True)
        lines = map(json.loads, (folder / "removed.jsonl").read_text().splitlines())
        empty = [row["id"] for row in rows if row["text"] == ""]
        return dict.fromkeys(empty[1:], (empty[0] if empty else None, "identical", 1)) | {int(line["id"]): (int(line["kept"]), line["measure"], pytest.approx(line["score"], abs=1e-6)) for line in lines}

    return decide


def removed_by(result: Any) -> dict[Any, tuple[Any, str, float]]:
    return {row["id"]: (row["kept"], row["measure"], row["score"]) for row in result.removed.collect()}
