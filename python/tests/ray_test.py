"""leitong.ray, in a Ray of this machine."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import leitong
import leitong.ray
import leitong.stages
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL

ray = pytest.importorskip("ray", reason="ray is missing: leitong.ray has NOT been tested")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    # Workers have a niceness of 15 otherwise, and would wait for minutes on a machine that does other work.
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", object_store_memory=100 << 20)
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    yield
    ray.shutdown()


def rows() -> list[dict[str, str]]:
    return [{"id": id, "text": text} for id, text in zip("abcd", (FERRY, DOUGH, FERRY_TRADITIONAL, DOUGH), strict=True)]


def test_an_actor_drops_what_it_has_seen(cluster: None, tmp_path: Path) -> None:
    data = ray.data.from_arrow(pa.Table.from_pylist(rows()))
    new = leitong.ray.drop_seen(data, tmp_path / "seen", batch_size=2, threads=1)
    assert [row["id"] for row in new.take_all()] == ["a", "b"]


def test_actors_sign(cluster: None) -> None:
    texts = [*(row["text"] for row in rows()), ""]
    data = ray.data.from_arrow(pa.table({"text": texts}))
    signed = data.map_batches(
        leitong.ray.Sign, batch_format="pyarrow", batch_size=2, compute=ray.data.ActorPoolStrategy(size=1),
        fn_constructor_kwargs={"params": {"features": "chars", "weights": "constant", "top": 0}})
    found = [row["fingerprint"] for row in signed.take_all()]
    made = leitong.sign(texts[:4], params={"features": "chars", "weights": "constant", "top": 0})
    assert found == [*np.asarray(made).tolist(), None]


def test_what_the_index_refuses_is_told(caplog: pytest.LogCaptureFixture) -> None:
    actor = leitong.ray.DropSeen()
    assert actor(pa.table({"id": ["a", "a"], "text": [FERRY, DOUGH]}))["text"].to_pylist() == [FERRY]
    assert "1 of 2 rows are left out, since the index refused them" in caplog.text


def in_two_files(folder: Path) -> Path:
    folder.mkdir()
    for number in range(2):
        (folder / f"{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()[2 * number :][:2]))
    return folder


def test_a_run_in_tasks_decides_as_dedup_does(cluster: None, tmp_path: Path) -> None:
    leitong.stages.plan([in_two_files(tmp_path / "in")], work=tmp_path / "work", output=tmp_path / "out", parts=2)
    leitong.ray.run_stages(tmp_path / "work")
    kept = [json.loads(line) for path in sorted((tmp_path / "out" / "kept").iterdir()) for line in path.read_text().splitlines()]
    assert kept == rows()[:2]


# The first worker of the stage dies as one that has no memory left; Ray gives its part to another one.
def test_a_part_whose_worker_is_lost_is_done_again(cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leitong.stages.plan([in_two_files(tmp_path / "in")], work=tmp_path / "work", output=tmp_path / "out", parts=2)
    died = str(tmp_path / "died")

    def dies_once(stage: str, work: str, part: int) -> bool:
        if stage == "join" and part == 1 and not os.path.exists(died):
            open(died, "w").close()
            os._exit(1)
        return leitong.stages.run(stage, work, part)

    monkeypatch.setattr(leitong.ray, "run", dies_once)
    leitong.ray.run_stages(tmp_path / "work")
    assert os.path.exists(died)
    assert [path.read_text().count("\n") for path in sorted((tmp_path / "out" / "kept").iterdir())] == [2, 0]


def test_an_error_of_a_part_is_raised(cluster: None, tmp_path: Path) -> None:
    files = in_two_files(tmp_path / "in")
    leitong.stages.plan([files], work=tmp_path / "work", output=tmp_path / "out", parts=2)
    (files / "1.jsonl").write_text("{}")
    with pytest.raises(leitong.InvalidArgumentError, match="has changed since the run was planned"):
        leitong.ray.run_stages(tmp_path / "work")
