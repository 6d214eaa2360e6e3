"""leitong.stages, a run as programs over named files: what stays, why the rest leaves and all pairs are those of one machine."""
from __future__ import annotations

import csv
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import leitong
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL, evaluation_set
from leitong.stages import run
from leitong.stages._run import STAGES

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "stages.sh"
FULL = bool(os.environ.get("LEITONG_SPARK_FULL"))
LARGE = pytest.mark.skipif(not FULL, reason="LEITONG_SPARK_FULL is not set: this corpus takes minutes")
Rows = list[dict[str, Any]]


def skewed(rows: int, family: int) -> Rows:
    """The corpus of the tests of Spark: hot keys, large families, empty texts, copies."""
    sys.path.insert(0, str(ROOT / "tests" / "spark"))
    from skewed import skewed_texts  # type: ignore[import-not-found]

    made: Rows = skewed_texts(rows, family)
    return made


def as_files(rows: Rows, folder: Path, files: int) -> list[str]:
    """JSONL, in order, the last file the smallest."""
    folder.mkdir(parents=True)
    each = len(rows) // files + 1
    paths = []
    for number in range(files):
        path = folder / f"{number}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows[number * each : (number + 1) * each]))
        paths.append(str(path))
    return paths


def planned(folder: Path, inputs: list[str], parts: int, keep: str = "longest", **settings: Any) -> Path:
    leitong.stages.plan(inputs, work=folder / "work", output=folder / "out", parts=parts, keep=keep, **settings)
    return folder / "work"


def parts_of(stage: str, parts: int) -> range:
    return range(parts if STAGES[stage][1] else 1)


def run_all(work: Path, parts: int) -> None:
    for stage in STAGES:
        for part in reversed(parts_of(stage, parts)):  # in any order
            assert run(stage, work, part)


def removed_of(out: Path) -> dict[str, tuple[str, str, float]]:
    lines = [json.loads(line) for path in out.glob("removed/*") for line in path.read_text().splitlines()]
    return {line["id"]: (line["kept"], line["measure"], pytest.approx(line["score"], abs=1e-6)) for line in lines}


def pairs_of(out: Path) -> dict[tuple[str, str], tuple[float, float]]:
    rows = [row for path in out.glob("pairs/*") for row in csv.DictReader(path.open(), delimiter="\t")]
    found = {(row["id_a"], row["id_b"]): (float(row["jaccard"]), float(row["containment"])) for row in rows}
    assert len(found) == len(rows)
    return found


def kept_of(out: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(out.glob("kept/*")))


def expect_as_one_machine(rows: Rows, out: Path, **options: Any) -> None:
    """`rows` as records with ids."""
    one = leitong.dedup([row["text"] for row in rows], measure_recall=False, **options)
    ids = [str(row["id"]) for row in rows]
    assert removed_of(out) == {ids[r.position]: (ids[r.kept], r.measure, pytest.approx(r.score, abs=1e-6)) for r in one.removals}
    assert pairs_of(out) == {
        (ids[p["a"]], ids[p["b"]]): (pytest.approx(p["jaccard"], abs=1e-6), pytest.approx(p["containment"], abs=1e-6))
        for p in one.pairs
    }
    gone = set(one.removed_positions.tolist())
    assert kept_of(out) == "".join(json.dumps(row) + "\n" for n, row in enumerate(rows) if n not in gone).encode()


@pytest.mark.parametrize("templates", ["automatic", "counted"])
@pytest.mark.parametrize(
    "name", ["article-extractions-en", "lctt-revisions-zh", "poem-editions-zh", "pawsx-scrambled-zh", "broadcast-items-zh"]
)
def test_real_texts_are_decided_as_by_the_command(name: str, templates: str, command: str, tmp_path: Path) -> None:
    rows = evaluation_set(name)
    if templates == "counted" and not FULL:
        rows = rows[:400]
    inputs = as_files(rows, tmp_path / "in", 4)
    run_all(planned(tmp_path, inputs, 3, template_text=templates), 3)
    flags = [] if templates == "automatic" else ["--template-text", "counted"]
    subprocess.run([command, "dedup", *inputs, "-o", "kept", "--kind", "jsonl", "--removed", "removed.jsonl", "-q", *flags], cwd=tmp_path, check=True)
    lines = [json.loads(line) for line in (tmp_path / "removed.jsonl").read_text().splitlines()]
    assert removed_of(tmp_path / "out") == {
        line["id"]: (line["kept"], line["measure"], pytest.approx(line["score"], abs=1e-6)) for line in lines
    }
    assert kept_of(tmp_path / "out") == (tmp_path / "kept").read_bytes()
    expect_as_one_machine(rows, tmp_path / "out", template_text=templates)


@pytest.mark.parametrize("templates", ["automatic", "counted"])
@pytest.mark.parametrize("rows, family, parts", [(1_500, 200, 1), (1_500, 200, 5), pytest.param(12_000, 3_000, 4, marks=LARGE)])
def test_hot_keys_families_empty_texts_and_copies(rows: int, family: int, parts: int, templates: str, tmp_path: Path) -> None:
    texts = skewed(rows, family)
    run_all(planned(tmp_path, as_files(texts, tmp_path / "in", 3), parts, template_text=templates), parts)  # parts without a file, too
    expect_as_one_machine(texts, tmp_path / "out", template_text=templates)


@pytest.mark.parametrize(
    "settings, options",
    [
        ({"strict_match": True, "keep": "first"}, {"strict_match": True, "keep": "first"}),
        ({"measure": "jaccard", "threshold": 0.7}, {"measure": "jaccard", "threshold": 0.7}),
        ({"numbers": "masked", "marks": "keep"}, {"numbers": "masked", "marks": "keep"}),
    ],
)
def test_options_are_those_of_one_machine(settings: Any, options: Any, tmp_path: Path) -> None:
    rows = evaluation_set("pawsx-scrambled-zh")[:1500]
    run_all(planned(tmp_path, as_files(rows, tmp_path / "in", 2), 2, **settings), 2)
    expect_as_one_machine(rows, tmp_path / "out", **options)


def digests(work: Path) -> dict[str, str]:
    files = [path for path in work.rglob("*") if path.is_file() and path.parent.name != "done"]
    return {str(path.relative_to(work)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_parts_that_are_killed_or_run_twice_change_nothing(tmp_path: Path) -> None:
    rows = skewed(1_500, 200)
    inputs = as_files(rows, tmp_path / "in", 3)
    run_all(planned(tmp_path / "a", inputs, 3), 3)
    expected = digests(tmp_path / "a")

    work = planned(tmp_path / "b", inputs, 3)
    killed = 0
    for stage in STAGES:
        for part in parts_of(stage, 3):
            # Killed when its first file begins to appear, or, where it is too quick for that, run to its end and once more.
            process = subprocess.Popen([sys.executable, "-m", "leitong.stages", stage, "--work", work, "--part", str(part)])
            while process.poll() is None and not list((tmp_path / "b").rglob(".*.*")):
                time.sleep(0.0005)
            process.send_signal(signal.SIGKILL)
            killed += process.wait() != 0
            run(stage, work, part)
            assert not run(stage, work, part)
            assert run(stage, work, part, again=True)
    assert killed > len(STAGES)
    for path in (tmp_path / "b").rglob(".*.*"):
        path.unlink()  # what the killed ones left: nobody reads it
    found = digests(tmp_path / "b")
    assert found.pop("work/plan.json") != expected.pop("work/plan.json")  # it names the folder of the outputs
    assert found == expected


def test_the_loop_of_the_example_and_its_array_jobs(tmp_path: Path) -> None:
    rows = skewed(300, 40)
    inputs = as_files(rows, tmp_path / "in", 3)
    bin = tmp_path / "bin"
    bin.mkdir()
    # A stand-in for Slurm: it runs the parts of a job at once, and gives its number.
    (bin / "sbatch").write_text("""#!/usr/bin/env bash
set -e
for given; do
  case $given in
    --array=*) last=${given##*-} ;;
    --dependency=afterok:*) [ -e "$JOBS_DONE/${given##*:}" ] ;;
  esac
done
for SLURM_ARRAY_TASK_ID in $(seq 0 "$last"); do export SLURM_ARRAY_TASK_ID; bash -c "${!#}" >&2; done
number=$(($(ls "$JOBS_DONE" | wc -l) + 100))
touch "$JOBS_DONE/$number"
echo "$number"
""")
    (bin / "sbatch").chmod(0o755)
    (tmp_path / "jobs").mkdir()
    environment = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}", "PYTHON": sys.executable, "JOBS_DONE": str(tmp_path / "jobs")}
    for name, flags in (("here", []), ("slurm", ["--slurm"])):
        out = tmp_path / name / "out"
        subprocess.run([EXAMPLE, *flags, tmp_path / name / "work", out, "2", tmp_path / "in"], check=True, env=environment, capture_output=True)
        expect_as_one_machine(rows, out)
        before = digests(tmp_path / name)
        subprocess.run([EXAMPLE, *flags, tmp_path / name / "work", out, "2", tmp_path / "in"], check=True, env=environment, capture_output=True)
        assert digests(tmp_path / name) == before
    assert len(list((tmp_path / "jobs").iterdir())) == 2 * len(STAGES)
    assert inputs


def test_parquet_and_compressed_lines_come_out_as_they_came_in(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    table = pa.table({"text": [FERRY, DOUGH], "id": [1, 2], "more": [[1], None]})
    pq.write_table(table, folder / "a.parquet", compression="zstd", row_group_size=1)
    lines = b'{"text": "%s", "kept": true}\n\n{"id": 5, "text": "another text, of which there is one"}' % FERRY_TRADITIONAL.encode()
    for name, packing in (("b.jsonl.gz", "gzip"), ("c.jsonl.zst", "zstd")):
        with pa.output_stream(str(folder / name), compression=packing) as file:
            file.write(lines)
    run_all(planned(tmp_path, [str(folder)], 2, keep="first"), 2)
    kept = tmp_path / "out" / "kept"
    assert pq.read_table(kept / "a.parquet").equals(table)
    assert pq.ParquetFile(kept / "a.parquet").metadata.row_group(0).column(0).compression == "ZSTD"
    assert pa.input_stream(str(kept / "b.jsonl.gz")).read() == lines.splitlines(keepends=True)[2] + b"\n"
    assert pa.input_stream(str(kept / "c.jsonl.zst")).read() == b""
    assert {id: of[:2] for id, of in removed_of(tmp_path / "out").items()} == {
        "b.jsonl.gz:1": ("1", "jaccard"), "c.jsonl.zst:1": ("1", "jaccard"), "5": ("5", "identical"),
    }


@pytest.fixture
def refused(tmp_path: Path) -> Callable[..., str]:
    """What a stage says that can't be done."""

    def call(*words: object) -> str:
        run = subprocess.run([sys.executable, "-m", "leitong.stages", *map(str, words)], capture_output=True, text=True, cwd=tmp_path)
        assert run.returncode == 1, run.stderr
        return run.stderr

    return call


def test_what_cannot_be_done_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    inputs = as_files(skewed(60, 10), tmp_path / "in", 2)
    work = planned(tmp_path, inputs, 2)
    assert "part 0 of sketch has not been done, which comes before join" in refused("join", "--work", work)
    assert "its parts are 0 to 1" in refused("sketch", "--work", work, "--part", 2)
    assert "holds another run" in refused("plan", "--work", work, "--output", "out", "--parts", 3, *inputs)
    assert "plan the run first" in refused("sketch", "--work", tmp_path / "none")
    for name in ("within", "across", "keep-each"):
        said = refused("plan", "--work", "w", "--output", "out", "--parts", 2, f"--{name}", "lang", *inputs)
        assert f"leitong dedup --{name}" in said, "groups are refused by name"
    assert "inputs are files" in refused("plan", "--work", "w", "--output", "out", "--parts", 2, __file__)
    Path(inputs[0]).write_text('{"text": 5}\n')
    assert "has changed since the run was planned" in refused("sketch", "--work", work, "--part", 0)
    (tmp_path / "bad.jsonl").write_text('{"text": "good"}\n{"text": 5}\n')
    refused_at = planned(tmp_path / "bad", [str(tmp_path / "bad.jsonl")], 1)
    assert 'bad.jsonl:2: field "text" is a number, not a string; leave such records out' in refused("sketch", "--work", refused_at)
    assert not list(refused_at.glob("keys/*"))
    plan = json.loads((work / "plan.json").read_text())
    (work / "plan.json").write_text(json.dumps({**plan, "leitong": "0.0.1"}))
    assert "All stages of a run need one version" in refused("sketch", "--work", work)
