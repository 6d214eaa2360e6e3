"""An index as the reference of a run, and one of what a run keeps: as the command has them."""
from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import leitong
from conftest import evaluation_set


def by_command(command: str, folder: Path, rows: list[dict[str, str]], *flags: str) -> dict[str, str]:
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    subprocess.run([command, "dedup", "in.jsonl", "-o", "kept.jsonl", "--removed", "removed.jsonl", "-q", "--force", *flags],
                   cwd=folder, check=True)
    lines = map(json.loads, (folder / "removed.jsonl").read_text().splitlines())
    return {line["id"]: (line["kept"], line["measure"], pytest.approx(line["score"], abs=1e-6)) for line in lines}


def by_package(result: leitong.Result) -> dict[str, Any]:
    return {r.id: (r.kept_id, r.measure, r.score) for r in result.removals}


def held(folder: Path) -> list[leitong.Stored]:
    with leitong.Index(folder, create=False) as index:
        return [change.stored for change in index.changes(limit=10_000, texts=True).changes]


@pytest.mark.parametrize("name", ["lctt-revisions-zh", "article-extractions-en"])
def test_is_as_the_command_says(name: str, command: str, tmp_path: Path) -> None:
    rows = evaluation_set(name)[:3000]
    old, new = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    expected = by_command(command, tmp_path, old, "--write-index", "of_command")
    result = leitong.dedup(old, write_index=tmp_path / "of_package")
    assert by_package(result) == expected
    assert result.indexed == len(result.kept)
    assert held(tmp_path / "of_package") == held(tmp_path / "of_command")
    assert all(stored.verdict == "new" for stored in held(tmp_path / "of_package"))

    expected = by_command(command, tmp_path, new, "--reference-index", "of_command", "--write-index", "second")
    table = pa.Table.from_pylist(new)
    for data in (new, table.to_reader(max_chunksize=500)):
        assert by_package(leitong.dedup(data, reference_index=tmp_path / "of_package")) == expected
    both = leitong.dedup(table, reference_index=[tmp_path / "of_command"], write_index=str(tmp_path / "third"))
    assert by_package(both) == expected
    assert held(tmp_path / "third") == held(tmp_path / "second")
    old_ids = {row["id"] for row in old}
    assert any(r.kept_id in old_ids and r.kept < 0 for r in both.removals), "some are of the index"


def test_positions_are_ids_where_there_are_none(tmp_path: Path) -> None:
    texts = ["渡船清晨六点开第一班，雾大的日子改到七点。", "The dough rises twice.", "渡船清晨六点开第一班，雾大的日子改到七点。"]
    leitong.dedup(texts, write_index=tmp_path / "i")
    assert [stored.id for stored in held(tmp_path / "i")] == ["0", "1"]
    result = leitong.dedup(texts[:1], references=texts[1:2], reference_index=tmp_path / "i")
    assert [(r.kept, r.kept_id) for r in result.removals] == [(-2, "0")]


def test_what_is_left_out_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = [{"id": "a", "text": "The dough rises twice."}, {"id": "a", "text": "The ferry leaves at six."}, {"id": "", "text": "A third one."}]
    result = leitong.dedup(rows, write_index=tmp_path / "i")
    assert (result.indexed, len(result.kept)) == (1, 3)
    assert "2 of 3 kept texts are not in the index" in caplog.text


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(leitong.NotFoundError, match="there is no index here"):
        leitong.dedup(["a"], reference_index=tmp_path / "i")
    leitong.dedup(["a"], write_index=tmp_path / "i")
    with pytest.raises(leitong.InvalidArgumentError, match="is there already"):
        leitong.dedup(["a"], write_index=tmp_path / "i")
    with pytest.raises(leitong.InvalidArgumentError, match="by the default rule"):
        leitong.dedup(["a"], reference_index=tmp_path / "i", method="simhash")
    with pytest.raises(leitong.InvalidArgumentError, match="no vectors"):
        leitong.dedup(["a"], reference_index=tmp_path / "i", vectors=[[1.0, 0.0]], cosine=0.9)
    with leitong.Index(tmp_path / "i"):
        with pytest.raises(leitong.Error, match="open elsewhere"):
            leitong.dedup(["a"], reference_index=tmp_path / "i")
    folders = sorted(path.name for path in tmp_path.iterdir())
    assert folders == ["i"], "a run that failed leaves nothing"
