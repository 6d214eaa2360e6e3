#!/usr/bin/env python3
"""usage: tidy_file.py BUILD_FOLDER SOURCE

clang-tidy over one source, as BUILD_FOLDER compiles it. A source that passed is not looked at again until something that
it includes, its flags or .clang-tidy change: its digest is kept in BUILD_FOLDER/tidy.
"""
import hashlib
import json
import shlex
import subprocess
import sys
from pathlib import Path


def digest(build: Path, source: Path) -> str | None:
    """Of all that decides the outcome, or None if the source is not part of the build."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        if Path(entry["file"]) == source:
            command = shlex.split(entry["command"])
            command[command.index("-o") + 1] = "-"
            text = subprocess.run([*command, "-E", "-C"], cwd=entry["directory"], stdout=subprocess.PIPE, check=True).stdout
            settings = (Path(__file__).resolve().parent.parent / ".clang-tidy").read_bytes()
            return hashlib.sha256(settings + entry["command"].encode() + text).hexdigest()
    return None


def main() -> int:
    build, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    stamp = build / "tidy" / f"{source.stem}-{hashlib.sha256(str(source).encode()).hexdigest()[:12]}"
    now = digest(build, source)
    if now is None or (stamp.exists() and stamp.read_text(encoding="ascii") == now):
        return 0
    result = subprocess.run(["clang-tidy-16", "-p", build, "--quiet", source], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    print(result.stdout, end="", flush=True)
    if result.returncode != 0:
        # Without findings it failed itself, and the reason is here.
        print(result.stderr if not result.stdout else "", end="", file=sys.stderr)
        return 1
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(now, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
