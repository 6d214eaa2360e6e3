"""A real server on a free port, and a client of it, with only the standard library."""

import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

LEITONG = None  # set by main() of a test


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def lines(self):
        return [json.loads(line) for line in self.body.decode().splitlines()]

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Server:
    """`with Server(folder) as server:`. Its log is in `log` when it has ended."""

    def __init__(self, data, config="", listen="127.0.0.1:0", token=None, arguments=(), environment=None, before=()):
        self.data, self.token = Path(data), token
        self.arguments = [*before, LEITONG, "serve", "--data", str(self.data), "--listen", listen, *arguments]
        if config:
            self.config = self.data.parent / (self.data.name + ".toml")
            self.config.write_text(config)
            self.arguments += ["--config", str(self.config)]
        self.environment = {**os.environ, **(environment or {})}

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.log, self.lines = "", []
        self.process = subprocess.Popen(self.arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        env=self.environment, text=True)
        address = None
        while address is None:
            line = self.process.stderr.readline()
            if not line:
                raise RuntimeError(f"the server did not start: {self.log}")
            self.log += line
            address = re.search(r"the page is at http://(?:127\.0\.0\.1|\[::1?\]|0\.0\.0\.0):(\d+)/", line)
        self.port = int(address[1])
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        deadline = time.monotonic() + 60
        while self.get("/readyz").status != 200:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the server is not ready: {self.log}")
            time.sleep(0.01)

    def _read_log(self):
        for line in self.process.stderr:
            self.log += line

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(60)
        self._reader.join(10)
        self.process.stderr.close()
        return status

    def kill(self):
        return self.stop(signal.SIGKILL)

    def connect(self, timeout=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def ask(self, method, path, body=None, fields=None, connection=None):
        """One request. `body`: bytes, or anything else as JSON."""
        fields = dict(fields or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            fields.setdefault("Content-Type", "application/json")
        if self.token:
            fields.setdefault("Authorization", f"Bearer {self.token}")
        own = connection is None
        if own:
            connection = self.connect()
        try:
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            if own:
                connection.close()

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body, **more):
        return self.ask("POST", path, body, **more)

    def raw(self, sent, timeout=60, shut=True):
        """The answer to these bytes, until the other side closes or nothing comes for `timeout` seconds."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            got = b""
            try:
                connection.sendall(sent)
                if shut:
                    connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65536):
                    got += part
            except (TimeoutError, ConnectionError):
                pass
            return got

    def resident(self):
        """Bytes in memory."""
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1]) * 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def status_of(raw):
    """The status of the first response in the received bytes."""
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", raw)
    return int(found[1]) if found else None


def statuses(raw):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", raw)]


class Texts:
    """Chinese texts that differ from each other, the same for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self, characters=200):
        return "".join(chr(self.random.randrange(0x4E00, 0x9F00)) for _ in range(characters))

    def edited(self, text, edits=3):
        letters = list(text)
        for _ in range(edits):
            letters[self.random.randrange(len(letters))] = chr(self.random.randrange(0x4E00, 0x9F00))
        return "".join(letters)


def wait_until(condition, seconds=60):
    """Returns when the condition holds. Fails when it does not within this time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"this does not hold after {seconds} s"
        time.sleep(0.02)


def folder(test):
    """A folder that is removed at the end of the test."""
    made = tempfile.TemporaryDirectory(prefix="leitong-server-")
    test.addCleanup(made.cleanup)
    return Path(made.name)


def main(module_name="__main__"):
    """`server_test.py LEITONG [unittest arguments]`."""
    import sys
    import unittest
    global LEITONG
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} LEITONG [TESTS..]")
    LEITONG = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(module_name, verbosity=2, warnings="ignore")
