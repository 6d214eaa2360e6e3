"""examples/nats_filter.py, with the real NATS server and `leitong serve`."""
from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import DOUGH, FERRY, FERRY_TRADITIONAL, Server

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/nats_filter.py"
nats_server = shutil.which("nats-server")
pytestmark = pytest.mark.skipif(
    nats_server is None, reason="nats-server is missing (scripts/install-packages --servers), so the NATS example has NOT been run"
)


@pytest.fixture
def nats_address(tmp_path: Path) -> Iterator[str]:
    assert nats_server is not None
    process = subprocess.Popen(
        [nats_server, "--addr", "127.0.0.1", "--port", "-1", "--jetstream", "--store_dir", str(tmp_path / "nats")],
        stderr=subprocess.PIPE, text=True,
    )
    assert process.stderr is not None
    port = ""
    for line in process.stderr:
        if found := re.search(r"client connections on 127\.0\.0\.1:(\d+)", line):
            port = found[1]
        if "Server is ready" in line:
            break
    yield f"nats://127.0.0.1:{port}"
    process.terminate()
    process.wait(30)
    process.stderr.close()


def run_filter(nats_address: str, server: Server) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(EXAMPLE), "texts.in", "texts.new", "--nats", nats_address, "--leitong", f"http://127.0.0.1:{server.port}"],
        stderr=subprocess.PIPE, text=True,
    )


def test_new_texts_are_passed_on_once(nats_address: str, server: Server) -> None:
    import nats

    async def work() -> tuple[list[str], str]:
        connection = await nats.connect(nats_address)
        stream = connection.jetstream()
        await stream.add_stream(name="in", subjects=["texts.in"])
        await stream.add_stream(name="new", subjects=["texts.new"])
        subscription = await stream.pull_subscribe("texts.new", durable="test")
        for id, text in (("a", FERRY), ("b", FERRY_TRADITIONAL), ("c", DOUGH), ("a", FERRY)):
            await stream.publish("texts.in", json.dumps({"id": id, "text": text}).encode())
        await stream.publish("texts.in", b"no JSON")
        filtering = run_filter(nats_address, server)
        found = []
        for _ in range(2):
            for message in await subscription.fetch(1, timeout=30):
                found.append(json.loads(message.data)["id"])
                await message.ack()
        while (await stream.consumer_info("in", "leitong")).ack_floor.stream_seq < 5:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        with pytest.raises(nats.errors.TimeoutError):
            await subscription.fetch(1, timeout=0.5)
        filtering.terminate()
        told = filtering.communicate(timeout=30)[1]
        assert filtering.returncode == 0
        await connection.close()
        return found, told

    found, told = asyncio.run(work())
    assert found == ["a", "c"]
    assert re.fullmatch(r"message 5 of in: Expecting value.*\n", told)
