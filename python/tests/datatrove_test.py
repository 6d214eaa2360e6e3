"""leitong.datatrove, in pipelines that datatrove itself runs."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

import leitong
import leitong.stages
from leitong.datatrove import CutRepeats, DropDuplicates, DropSeen, FindDuplicates, FindRepeats, RunStage


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """datatrove writes its logs where it is called."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Two files, so that two tasks have work."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    for name, texts in (("0.jsonl", {"a": FERRY, "b": DOUGH}), ("1.jsonl", {"c": FERRY_TRADITIONAL, "d": DOUGH})):
        (folder / name).write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in texts.items()))
    return folder


def run(pipeline: list[Any], tasks: int = 1) -> None:
    LocalPipelineExecutor(pipeline, tasks=tasks, workers=1).run()


def written(folder: Path) -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return {row["id"]: row.get("metadata", {}) for row in rows}


def writer(folder: Path) -> JsonlWriter:
    return JsonlWriter(str(folder), compression=None, expand_metadata=False)


def test_two_stages_decide_as_dedup_does(crawl: Path, tmp_path: Path) -> None:
    run([JsonlReader(str(crawl)), FindDuplicates(str(tmp_path / "found"))])
    run([JsonlReader(str(crawl)), DropDuplicates(str(tmp_path / "found"), writer(tmp_path / "removed")),
         writer(tmp_path / "kept")], tasks=2)
    kept, removed = written(tmp_path / "kept"), written(tmp_path / "removed")
    assert {id: of["cluster_size"] for id, of in kept.items()} == {"a": 2, "b": 2}
    reasons = {id: (of["filter_reason"], of["similar_to"], of["score"]) for id, of in removed.items()}
    jaccard = leitong.compare(FERRY, FERRY_TRADITIONAL).jaccard
    assert reasons == {"c": ("jaccard", "a", pytest.approx(jaccard)), "d": ("identical", "b", 1)}


def test_the_corpus_is_decided_on_as_a_whole(crawl: Path, tmp_path: Path) -> None:
    step = FindDuplicates(str(tmp_path))
    with pytest.raises(leitong.InvalidArgumentError, match="use tasks=1"):
        step.run(iter(()), 0, 2)
    (crawl / "1.jsonl").write_text((crawl / "0.jsonl").read_text())
    with pytest.raises(leitong.InvalidArgumentError, match='two documents have the id "a"'):
        step.run(JsonlReader(str(crawl)).run(), 0, 1)
    with pytest.raises(leitong.NotFoundError, match="run FindDuplicates first"):
        list(DropDuplicates(str(tmp_path / "nowhere")).run(iter(()), 0, 1))


@pytest.mark.parametrize("batch_size", [1, 256])
def test_a_filter_drops_what_it_has_seen(crawl: Path, tmp_path: Path, batch_size: int) -> None:
    for _ in range(2):  # the second time every document has the verdict of its first arrival
        run([JsonlReader(str(crawl)), DropSeen(str(tmp_path / "seen"), writer(tmp_path / "removed"), batch_size),
             writer(tmp_path / "kept")])
        assert list(written(tmp_path / "kept")) == ["a", "b"]
        removed = written(tmp_path / "removed")
        assert {id: (of["filter_reason"], of["similar_to"]) for id, of in removed.items()} == {
            "c": ("near", "a"), "d": ("exact", "b")}


def test_what_repeats_is_cut_as_trim_does(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    texts = [f"menu 目录\n{FERRY}", f"{DOUGH}\nMenu　目錄\n{DOUGH}", "menu 目录"]
    rows = [json.dumps({"id": str(number), "text": text}) for number, text in enumerate(texts)]
    (folder / "0.jsonl").write_text(rows[0] + "\n")
    (folder / "1.jsonl").write_text("\n".join(rows[1:]) + "\n")
    run([JsonlReader(str(folder)), FindRepeats(str(tmp_path / "found"), part="line", work_folder=tmp_path)])
    run([JsonlReader(str(folder)), CutRepeats(str(tmp_path / "found"), writer(tmp_path / "removed")), writer(tmp_path / "kept")],
        tasks=2)
    left = [json.loads(line)["text"] for path in sorted((tmp_path / "kept").glob("*.jsonl")) for line in path.read_text().splitlines()]
    assert left == leitong.trim(texts).texts[:2]
    assert {id: of["filter_reason"] for id, of in written(tmp_path / "removed").items()} == {"2": "too_short"}
    with pytest.raises(leitong.NotFoundError, match="run FindRepeats first"):
        list(CutRepeats(str(tmp_path / "nowhere")).run(iter(()), 0, 1))
    with pytest.raises(leitong.InvalidArgumentError, match="part"):
        FindRepeats(str(tmp_path / "found"), part="page").run(iter(()), 0, 1)


def test_a_run_in_many_tasks_decides_as_dedup_does(crawl: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    leitong.stages.plan([crawl], work=work, output=tmp_path / "out", parts=2)
    last = None
    for stage, parts in leitong.stages.listed(work):
        last = LocalPipelineExecutor([RunStage(work, stage)], tasks=parts, workers=1, depends=last, logging_dir=str(tmp_path / "logs" / stage))
    assert last is not None
    last.run()
    assert set(written(tmp_path / "out" / "kept")) == {"a", "b"}
    lines = [json.loads(line) for path in (tmp_path / "out" / "removed").iterdir() for line in path.read_text().splitlines()]
    assert {(line["id"], line["kept"], line["measure"]) for line in lines} == {("c", "a", "jaccard"), ("d", "b", "identical")}


def test_a_stage_waits_for_the_one_before(crawl: Path, tmp_path: Path) -> None:
    leitong.stages.plan([crawl], work=tmp_path / "work", output=tmp_path / "out", parts=2)
    with pytest.raises(leitong.NotFoundError, match="part 0 of sketch has not been done"):
        RunStage(tmp_path / "work", "join").run()
