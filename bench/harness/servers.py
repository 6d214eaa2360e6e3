"""Servers for a bench, each in a folder of its own that is gone afterwards."""
import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from . import paths


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def redis():
    """The port of a Redis server that keeps nothing on disk."""
    with tempfile.TemporaryDirectory(dir=paths.WORK) as folder:
        port = free_port()
        server = subprocess.Popen(["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--dir", folder, "--save", ""],
                                  stdout=subprocess.DEVNULL)
        try:
            yield port
        finally:
            server.kill()
            server.wait()


def redis_figure(port, section, name):
    """A figure that a Redis server tells."""
    said = subprocess.run(["redis-cli", "-p", str(port), "INFO", section], capture_output=True, text=True, check=True).stdout
    return float(next(line for line in said.split() if line.startswith(name + ":"))[len(name) + 1:])


def postgres_programs():
    """Where PostgreSQL's server programs lie, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@contextlib.contextmanager
def postgres():
    """The port of a PostgreSQL server. It refuses to run as root: then it runs as the user postgres."""
    programs, root = postgres_programs(), os.geteuid() == 0
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if root else []
    with tempfile.TemporaryDirectory() as folder:  # where that user may go
        if root:
            shutil.chown(folder, "postgres", "postgres")
        data, port = Path(folder) / "data", free_port()
        subprocess.run([*as_user, programs / "initdb", "--username=postgres", "--auth=trust", "--locale=C.UTF-8", "--encoding=UTF8",
                        "-D", data], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        server = subprocess.Popen([*as_user, programs / "postgres", "-D", data, "-p", str(port), "-k", folder, "-c",
                                   "listen_addresses=127.0.0.1", "-c", "shared_buffers=1GB"], cwd=folder, stderr=subprocess.DEVNULL)
        try:
            while subprocess.run([programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)], check=False).returncode:
                time.sleep(.1)
            yield port
        finally:
            server.terminate()
            server.wait()
