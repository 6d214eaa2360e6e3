"""leitong.ray, in a Ray of this machine."""
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import leitong
import leitong.ray
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
