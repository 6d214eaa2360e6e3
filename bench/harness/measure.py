"""A command, run some times on fixed cores: seconds, CPU seconds and peak resident memory of it and its children."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from . import paths


class Failed(Exception):
    """The command did not end with 0; the message holds the end of what it said."""


# One core means one: no library may start helpers.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")}


def run(command, *, cores=(0,), env=None, stdin=None, stdout=None, timeout=3 * 3600):
    """Runs it once; a dict of exit, seconds, cpu_seconds, peak_bytes. Raises Failed."""
    paths.WORK.mkdir(parents=True, exist_ok=True)
    command = [str(part) for part in command]
    with tempfile.TemporaryDirectory(dir=paths.WORK) as folder:
        report = Path(folder) / "report.json"
        said = Path(folder) / "stderr"
        with open(said, "wb") as stderr, open(stdout or os.devnull, "wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")), str(report),
                 ",".join(map(str, cores)), *command],
                stdin=stdin, stdout=out, stderr=stderr, env={**os.environ, **(env or {})}, start_new_session=True)
            try:
                process.wait(timeout)
            except BaseException as stop:  # the clock, or Ctrl-C: the command and its children must not stay behind
                os.killpg(process.pid, 9)
                process.wait()
                if isinstance(stop, subprocess.TimeoutExpired):
                    raise Failed(f"{' '.join(command)}: not ready after {timeout} s") from None
                raise
        tail = said.read_bytes()[-2000:].decode("utf-8", "replace").strip()
        if not report.exists():
            raise Failed(f"{' '.join(command)}: could not be started: {tail}")
        result = json.loads(report.read_text())
        if result["exit"] != 0:
            raise Failed(f"{' '.join(command)}: exit {result['exit']}: {tail}")
        return result


def best_of(repeats, command, **options):
    """The quickest of `repeats` runs, with all their seconds under "all_seconds"; memory is the largest seen.

    Other jobs can only make a run slower, so the minimum is nearest to what the program takes.
    """
    runs = [run(command, **options) for _ in range(repeats)]
    best = min(runs, key=lambda one: one["seconds"])
    return {**best, "peak_bytes": max(one["peak_bytes"] for one in runs),
            "all_seconds": [round(one["seconds"], 4) for one in runs]}
