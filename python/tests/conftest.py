from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

FERRY = "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。"
FERRY_TRADITIONAL = "渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊等候。"
DOUGH = "The dough rises twice, once in the bowl and once in the tin, and is baked for forty minutes."


class Server:
    """`leitong serve` on a free port, or on the one that it had before."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.command = [sys.executable, "-m", "leitong", "serve", "--data", str(folder), *flags]
        self.port = 0

    def start(self) -> str:
        self.process = subprocess.Popen([*self.command, "--listen", f"127.0.0.1:{self.port}"], stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                self._wait_until_ready()
                return found[0]
        raise AssertionError("the server did not begin")

    def _wait_until_ready(self) -> None:
        """A server listens before it has opened its indexes, and answers 503 until then."""
        until = time.monotonic() + 60
        while True:
            asked = http.client.HTTPConnection("127.0.0.1", self.port)
            asked.request("GET", "/readyz")
            status = asked.getresponse().status
            asked.close()
            if status == 200:
                return
            assert status == 503 and time.monotonic() < until
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(60) == 0
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    one = Server(tmp_path / "data")
    one.start()
    yield one
    one.stop()


@pytest.fixture
def texts() -> list[str]:
    """The third is the first in another script, but for three characters."""
    return [FERRY, DOUGH, FERRY_TRADITIONAL]


@pytest.fixture
def command() -> str:
    """The command of the build that the package's library was taken from."""
    path = os.environ.get("LEITONG_COMMAND")
    if not path:
        pytest.skip("LEITONG_COMMAND names no command to compare with; ./dev python does")
    return path


DATA = Path(os.environ.get("LEITONG_EVALUATION_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data"))


def evaluation_set(name: str) -> list[dict[str, str]]:
    """A developers' set of real texts, which is no part of the checkout."""
    path = DATA / f"{name}.docs.jsonl.zst"
    if not path.is_file() or shutil.which("zstd") is None:
        pytest.skip(f"{path} or the command zstd is missing: the decisions on real texts have NOT been compared with the command's")
    unpacked = subprocess.run(["zstd", "-dc", "--long=27", path], check=True, capture_output=True).stdout
    return [json.loads(line) for line in unpacked.splitlines()]  # bytes: str has other line ends, too
