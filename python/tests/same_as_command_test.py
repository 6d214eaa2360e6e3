"""The package decides what the command decides."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import leitong
from conftest import evaluation_set


def removed_by_command(command: str, rows: list[dict[str, str]], folder: Path, *flags: str) -> dict[str, tuple[str, str, float]]:
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    subprocess.run([command, "dedup", "in.jsonl", "-o", "kept.jsonl", "--removed", "removed.jsonl", "-q", *flags],
                   cwd=folder, check=True)
    lines = map(json.loads, (folder / "removed.jsonl").read_text().splitlines())
    return {line["id"]: (line["kept"], line["measure"], line["score"]) for line in lines}


def removed_by_package(result: leitong.Result) -> dict[str, tuple[str, str, float]]:
    return {r.id: (r.kept_id, r.measure, pytest.approx(r.score, abs=1e-6)) for r in result.removals}


@pytest.mark.parametrize(
    "name",
    ["lctt-revisions-zh", "poem-editions-zh", "pawsx-scrambled-zh", "broadcast-items-zh", "article-extractions-en"],
)
def test_real_texts_are_decided_alike(name: str, command: str, tmp_path: Path) -> None:
    rows = evaluation_set(name)
    expected = removed_by_command(command, rows, tmp_path)
    table = pa.Table.from_pylist(rows)
    assert removed_by_package(leitong.dedup(table)) == expected
    assert removed_by_package(leitong.dedup(table.to_reader(max_chunksize=500))) == expected
    if name == "article-extractions-en":
        for preset in ("strict", "reuse"):
            by_command = removed_by_command(command, rows, tmp_path, "--preset", preset, "--force")
            assert removed_by_package(leitong.dedup(rows, preset=preset)) == by_command != expected
    if name == "pawsx-scrambled-zh":
        strict = leitong.dedup(rows, strict_match=True, keep="first")
        assert removed_by_package(strict) == removed_by_command(command, rows, tmp_path, "--strict-match", "--keep", "first",
                                                                "--force")


def test_the_command_is_in_the_package(command: str) -> None:
    mine = subprocess.run([sys.executable, "-m", "leitong", "--version"], check=True, capture_output=True).stdout
    assert mine == subprocess.run([command, "--version"], check=True, capture_output=True).stdout
    script = Path(sys.executable).parent / "leitong"
    assert subprocess.run([script, "no-such-command"], capture_output=True).returncode == 2


def test_the_command_in_the_package_finds_the_dictionaries() -> None:
    pytest.importorskip("jieba")
    environment = {name: value for name, value in os.environ.items() if name != "LEITONG_DATA"}
    cut = subprocess.run([sys.executable, "-m", "leitong", "segment"], input="雾大的日子".encode(), check=True,
                         capture_output=True, env=environment).stdout.decode()
    assert cut.split() == leitong.segment("雾大的日子")
