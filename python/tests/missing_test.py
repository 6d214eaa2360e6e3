"""What the package does without is named, with what its user can do."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import leitong


def run(folder: Path, *arguments: str, without: str = "none", module: str = "leitong") -> subprocess.CompletedProcess[str]:
    """`python -m` where a package is not installed."""
    program = (f"import runpy, sys; sys.modules['{without}'] = None; sys.argv[1:] = {arguments!r}; "
               f"runpy.run_module('{module}', run_name='__main__', alter_sys=True)")
    environment = {name: value for name, value in os.environ.items() if name != "LEITONG_DATA"}
    return subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, input="渡船")


def test_tables_of_the_command(tmp_path: Path) -> None:
    for arguments in (["dedup", "in.parquet", "-o", "out.parquet"], ["dedup", "in.jsonl", "-o", "out.jsonl", "--removed", "r.parquet"]):
        (tmp_path / "in.parquet").write_bytes(b"PAR1")
        (tmp_path / "in.jsonl").write_text('{"text": "one"}\n')
        done = run(tmp_path, *arguments)
        assert done.returncode == 2
        assert "use leitong.parquet.dedup_files(inputs, output) in Python (pip install pyarrow fsspec)" in done.stderr
        assert "./dev" not in done.stderr


def test_dictionaries(tmp_path: Path) -> None:
    done = run(tmp_path, "segment", without="jieba")
    assert done.returncode == 1
    assert "pip install 'leitong[zh]' brings jieba's dictionaries" in done.stderr
    assert "./dev" not in done.stderr
    program = "import sys; sys.modules['jieba'] = None; import leitong; leitong.segment('渡船')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'leitong[zh]' brings jieba's dictionaries" in done.stderr


def test_hbase(tmp_path: Path) -> None:
    words = "install the Debian package leitong-hbase of this version and set LEITONG_DATA=/usr/share/leitong in the environment"
    with pytest.raises(leitong.UnsupportedError, match=words):
        leitong.Index("hbase://127.0.0.1:1/seen")
    assert words in run(tmp_path, "index", "stats", "--index", "hbase://127.0.0.1:1/seen").stderr
