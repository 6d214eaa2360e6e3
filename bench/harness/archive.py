"""Runs that last: bench/runs/<date>-<machine>/PART.json with every figure, PART.md with the table.

The tree has the latest run of each part, and those that the documents cite; older ones are in the history.

A row that is there already with the same stamp (what was measured: program, settings, input) is not measured again, so a
bench that was stopped goes on where it was.
"""
import datetime
import hashlib
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from pathlib import Path

from . import measure, paths


def machine():
    """CPU, cores, memory, kernel and compiler of this machine."""
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                if line.startswith("model name")), platform.machine())
    memory = int(re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text()).group(1)) * 1024
    compiler = "unknown"
    cache = paths.RELEASE / "CMakeCache.txt"
    if cache.exists():
        found = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)", cache.read_text())
        if found:
            compiler = subprocess.run([found.group(1), "--version"], capture_output=True, text=True,
                                      check=False).stdout.partition("\n")[0]
    flags = next((line for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("flags")), "").split()
    return {"cpu": cpu, "cores": os.cpu_count(), "memory_gib": round(memory / 2**30, 1), "kernel": platform.release(),
            "compiler": compiler, "simd": "avx512" if "avx512_vbmi2" in flags else "avx2" if "avx2" in flags else "sse2"}


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def commit():
    """The commit at hand, with a + if the tree differs from it."""
    def git(*arguments):
        return subprocess.run(["git", "-C", paths.ROOT, *arguments], capture_output=True, text=True, check=False).stdout
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "src", "include", "apps", "bench/peers")
    return git("rev-parse", "--short=12", "HEAD").strip() + ("+" if changed.strip() else "")


def command_line(bench):
    """The command that was typed."""
    return shlex.join(["./dev", "bench", bench, *sys.argv[1:]])


def digest(*things):
    """A short hash of values and of the content of files (given as Path)."""
    state = hashlib.sha256()
    for thing in things:
        state.update(thing.read_bytes() if isinstance(thing, Path) and thing.is_file() else repr(thing).encode())
    return state.hexdigest()[:16]


def file_digest(path):
    state = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            state.update(block)
    return state.hexdigest()


class Archive:
    """The rows of one part."""

    def __init__(self, folder, part, command_line):
        self.part = part
        self.path = Path(folder) / f"{part}.json"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        before = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.content = {"part": part, "command": command_line, "machine": machine(), "rows": before.get("rows", {})}

    @property
    def rows(self):
        return self.content["rows"]

    def row(self, key, stamp, work):
        """The row `key`: the archived one if its stamp is the same, else what work() returns. A failure becomes a row
        with "failed", loudly, and is tried again next time."""
        known = self.rows.get(key)
        if known and known.get("stamp") == stamp and "failed" not in known:
            print(f"  {self.part}: {key}: archived", flush=True)
            return known
        print(f"  {self.part}: {key} ..", flush=True)
        begin = datetime.datetime.now(datetime.timezone.utc)
        try:
            row = work()
        except measure.Failed as failure:
            print(f"  {self.part}: {key}: FAILED: {failure}", flush=True)
            row = {"failed": str(failure).replace(str(paths.ROOT), ".")}
        row |= {"stamp": stamp, "commit": commit(), "date": begin.isoformat(timespec="seconds")}
        self.rows[key] = row
        self.save()
        return row

    def save(self):
        head = {key: value for key, value in self.content.items() if key != "rows"}
        rows = (f"{json.dumps(key)}: {json.dumps(row, ensure_ascii=False)}" for key, row in self.rows.items())
        text = json.dumps(head, ensure_ascii=False)[:-1] + ', "rows": {\n' + ",\n".join(rows) + "\n}}\n"
        temporary = self.path.with_suffix(".json.new")
        temporary.write_text(text.replace(str(paths.ROOT) + "/", ""))
        temporary.replace(self.path)

    def write_table(self, title, sections):
        """PART.md: `sections` are (heading or None, columns, rows, note). A section that was not measured is left out."""
        here = self.content["machine"]
        commits = sorted({row["commit"] for row in self.rows.values()})
        dates = sorted({row["date"][:10] for row in self.rows.values()})
        lines = [f"# {title}", "", f"`{self.content['command']}` · commit {', '.join(commits)} · {', '.join(dates)}  ",
                 f"{here['cpu']}, {here['cores']} cores, {here['simd']}, {here['memory_gib']} GiB, Linux {here['kernel']}, "
                 f"{here['compiler']}", ""]
        for heading, columns, rows, note in sections:
            if not rows:
                continue
            if heading:
                lines += [f"## {heading}", ""]
            lines += ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
            lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
            lines += ["", note, ""] if note else [""]
        failures = [f"- **{key} failed**: {row['failed']}" for key, row in self.rows.items() if "failed" in row]
        if failures:
            lines += ["## Failures", "", *failures, ""]
        text = "\n".join(lines).rstrip() + "\n"
        self.path.with_suffix(".md").write_text(text)
        print("\n" + text)


def default_folder(today=None):
    today = today or datetime.date.today().isoformat()
    here = machine()
    return paths.BENCH / "runs" / f"{today}-{slug(here['cpu'])}-{here['cores']}c"
