#!/usr/bin/env python3
"""usage: tidy.py BUILD_FOLDER [CHECK ..]

clang-tidy 16 over all sources that BUILD_FOLDER compiles, with the checks of .clang-tidy, or these. Each finding is shown once,
however many sources include it. A source that passed is not looked at again until something that it includes, its flags or the
checks change: its digest is kept in BUILD_FOLDER/tidy. Exit status 1: there are findings.
"""
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FINDING = re.compile(r": (error|warning): ")


def digest(entry: dict[str, str], checks: list[str]) -> str:
    """Of all that decides the outcome for a source."""
    command = shlex.split(entry["command"])
    command[command.index("-o") + 1] = "-"
    text = subprocess.run([*command, "-E", "-C"], cwd=entry["directory"], stdout=subprocess.PIPE, check=True).stdout
    settings = (ROOT / ".clang-tidy").read_bytes() + entry["command"].encode() + " ".join(checks).encode()
    return hashlib.sha256(settings + text).hexdigest()


def findings(build: Path, entry: dict[str, str], checks: list[str]) -> list[str]:
    """Each finding with the lines that explain it; none if the source passes."""
    source = entry["file"]
    stamp = build / "tidy" / hashlib.sha256(source.encode()).hexdigest()[:16]
    now = digest(entry, checks)
    if stamp.exists() and stamp.read_text(encoding="ascii") == now:
        return []
    of_checks = ["--checks=-*," + ",".join(checks)] if checks else []
    result = subprocess.run(["clang-tidy-16", "-p", build, "--quiet", *of_checks, source], capture_output=True, text=True)
    if result.returncode == 0:
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(now, encoding="ascii")
        return []
    found: list[str] = []
    for line in result.stdout.splitlines(keepends=True):
        if FINDING.search(line) or not found:
            found.append("")
        found[-1] += line
    return found or [f"{source}: {result.stderr}"]


def main() -> int:
    build, checks = Path(sys.argv[1]).resolve(), sys.argv[2:]
    sources = [entry for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")) if entry["file"].endswith((".cpp", ".cxx"))]
    shown: set[str] = set()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for found in pool.map(lambda entry: findings(build, entry, checks), sources):
            for one in found:
                first = one.partition("\n")[0]
                if first not in shown:
                    shown.add(first)
                    print(one.replace(f"{ROOT}/", ""), end="", flush=True)
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
