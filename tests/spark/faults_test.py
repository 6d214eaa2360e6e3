"""What happens to clusters: workers that are killed, tasks that run twice, memory that does not suffice, jobs that are started again."""
from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import leitong.spark
from conftest import as_files, removed_by, session
from leitong.spark import _parts, _store
from skewed import skewed_texts

ROWS = skewed_texts(800, 120)


@pytest.fixture
def spark() -> Iterator[Any]:
    """Each test has a session of its own: settings of a second one would be ignored while the first one is there."""
    made = session()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def expected() -> dict[int, int]:
    one = leitong.dedup([row["text"] for row in ROWS], measure_recall=False)
    return {removal.position: removal.kept for removal in one.removals}


def who_left(result: Any) -> dict[int, int]:
    return {id: kept for id, (kept, _, _) in removed_by(result).items()}


def test_one_task_that_is_started_again_goes_on(
    spark: Any, expected: dict[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    df = as_files(spark, ROWS, tmp_path / "in")
    work = tmp_path / "work"

    def fail(self: Any, name: str, make: Any) -> Any:  # half written, as a driver that is killed leaves it
        (work / name).mkdir()
        (work / name / "part-00000.parquet").write_bytes(b"PAR1")
        raise KeyboardInterrupt

    monkeypatch.setattr(_store.Store, "keep", fail)
    with pytest.raises(KeyboardInterrupt):
        leitong.spark.dedup(df, work=str(work))
    monkeypatch.undo()
    expect_continued(df, work, {}, "*/_SUCCESS", {"run"}, expected)


def test_a_distributed_run_that_is_started_again_goes_on(
    spark: Any, expected: dict[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    df = as_files(spark, ROWS, tmp_path / "in")
    work = tmp_path / "work"
    listed = _parts.stages.listed

    def fail(folder: Path) -> Iterator[tuple[str, int]]:
        for stage, parts in listed(folder):
            if stage == "verify":
                raise KeyboardInterrupt
            yield stage, parts

    monkeypatch.setattr(_parts.stages, "listed", fail)
    with pytest.raises(KeyboardInterrupt):
        leitong.spark.dedup(df, work=str(work), one_task=0)
    monkeypatch.undo()
    expect_continued(df, work, {"one_task": 0}, "parts/done/*", {"done"}, expected)


def expect_continued(df: Any, work: Path, road: Any, marks: str, folders: set[str], expected: dict[int, int]) -> None:
    """What is done stays as it is, twice."""
    for _ in range(2):
        finished = {path: path.stat().st_mtime_ns for path in work.glob(marks)}
        assert {path.parent.name for path in finished} >= folders
        assert who_left(leitong.spark.dedup(df, work=str(work), **road)) == expected
        assert {path: path.stat().st_mtime_ns for path in finished} == finished
    assert len(finished) == len(list(work.glob(marks)))


def test_partitions_that_spill_and_joins_by_sorting(expected: dict[int, int], tmp_path: Path) -> None:
    spark = session(
        spark_shuffle_spill_numElementsForceSpillThreshold="200", spark_sql_autoBroadcastJoinThreshold="-1",
        spark_sql_windowExec_buffer_in_memory_threshold="10",
    )
    for name, value in (
        ("spark.sql.autoBroadcastJoinThreshold", "-1"), ("spark.sql.windowExec.buffer.spill.threshold", "50"),
        ("spark.sql.sortMergeJoinExec.buffer.spill.threshold", "50"), ("spark.sql.adaptive.enabled", "false"),
        ("spark.sql.execution.arrow.maxRecordsPerBatch", "97"),
    ):
        spark.conf.set(name, value)
    try:
        df = as_files(spark, ROWS, tmp_path / "in")
        assert who_left(leitong.spark.dedup(df, work=str(tmp_path / "work"), one_task=0)) == expected
        assert who_left(leitong.spark.dedup(df, work=str(tmp_path / "whole"))) == expected
    finally:
        spark.stop()


@pytest.mark.parametrize("road", [{"one_task": 0}, {}], ids=["spread", "one task"])
def test_a_python_worker_that_is_killed(road: Any, expected: dict[int, int], tmp_path: Path) -> None:
    """At the first batch that any task sees."""
    mark = str(tmp_path / "died")

    def die_once(batches: Iterable[Any]) -> Iterator[Any]:  # is sent to the workers by value, since they do not have this module
        for batch in batches:
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                yield batch
            else:
                os.kill(os.getpid(), signal.SIGKILL)

    spark = session("local[2,4]")
    try:
        df = as_files(spark, ROWS, tmp_path / "in").mapInArrow(die_once, "id long, text string")
        assert who_left(leitong.spark.dedup(df, work=str(tmp_path / "work"), **road)) == expected
        assert Path(mark).exists()
    finally:
        spark.stop()


#: Executors that are processes of their own find leitong where the driver does.
WORKERS = {"spark_executorEnv_PYTHONPATH": os.environ.get("PYTHONPATH", "")}


def executors(parent: int) -> list[int]:
    """The processes below this one that run tasks."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"CoarseGrainedExecutorBackend" in path.read_bytes() and b"java" in path.read_bytes()[:200]:
                found.append(int(path.parent.name))
        except OSError:
            continue
    return [pid for pid in found if parent in ancestors(pid)]


def ancestors(pid: int) -> list[int]:
    line = []
    while pid > 1:
        try:
            pid = int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            break
        line.append(pid)
    return line


def test_an_executor_that_is_killed(expected: dict[int, int], tmp_path: Path) -> None:
    """Two executors, processes of their own. One is killed when keys have been joined, and its tasks are given to another one."""
    spark = session("local-cluster[2,1,1024]", **WORKERS)
    killed: list[int] = []
    work = tmp_path / "work"

    def kill() -> None:
        for _ in range(6000):
            if (work / "parts" / "done" / "join-0").exists():
                killed.append(executors(os.getpid())[0])
                os.kill(killed[0], signal.SIGKILL)
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        df = as_files(spark, ROWS, tmp_path / "in")
        assert who_left(leitong.spark.dedup(df, work=str(work), one_task=0)) == expected
    finally:
        killer.join()
        spark.stop()
    assert killed


@contextmanager
def two_hosts() -> Iterator[str]:
    """The master of a cluster of two workers. They have addresses of their own, since a task runs twice only on two hosts."""
    import pyspark

    program = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        master = f"127.0.0.1:{free.getsockname()[1]}"
    host, port = master.split(":")
    commands = [["org.apache.spark.deploy.master.Master", "--host", host, "--port", port, "--webui-port", "0"]]
    commands += [["org.apache.spark.deploy.worker.Worker", "--host", worker, "--cores", "1", "--memory", "1g", "--webui-port", "0",
                  f"spark://{master}"] for worker in ("127.0.0.2", "127.0.0.3")]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        for command in commands:
            process = subprocess.Popen([program, *command], env={**os.environ, "SPARK_WORKER_DIR": folder},
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            running.callback(process.wait)
            running.callback(process.terminate)
        yield f"spark://{master}"


def test_a_task_that_runs_twice(expected: dict[int, int], tmp_path: Path) -> None:
    """The first one waits for its copy, which a scheduler starts of a task that takes longer than the others."""
    mark, copied = str(tmp_path / "stage"), str(tmp_path / "copied")

    def linger(batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        if task.partitionId() == 0:
            try:
                with open(mark, "x") as file:
                    file.write(str(task.stageId()))
            except FileExistsError:
                if Path(mark).read_text() == str(task.stageId()):
                    Path(copied).touch()
            else:
                for _ in range(600):
                    if Path(copied).exists():
                        break
                    time.sleep(0.1)
        yield from batches

    with two_hosts() as master:
        spark = session(
            master, **WORKERS, spark_speculation="true", spark_speculation_multiplier="1.0", spark_speculation_quantile="0.1",
            spark_speculation_interval="10ms", spark_driver_host="127.0.0.1", spark_executor_memory="1g",
        )
        try:
            df = as_files(spark, ROWS, tmp_path / "in").repartition(4).mapInArrow(linger, "id long, text string")
            assert who_left(leitong.spark.dedup(df, work=str(tmp_path / "work"), one_task=0)) == expected
        finally:
            spark.stop()
    assert Path(copied).exists(), "no task ran twice"
