"""leitong.stages, a run in parts over named files: what stays, why the rest leaves and all pairs are those of one machine."""
from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import leitong
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL, evaluation_set
from leitong.stages import listed, run

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


def run_all(work: Path) -> None:
    for stage, parts in listed(work):
        for part in reversed(range(parts)):  # in any order
            assert run(stage, work, part)
            assert not run(stage, work, part)


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
    """`rows` as records with ids. Records without text are put aside, as the command does."""
    blank = [row for row in rows if not row["text"]]
    rows = [row for row in rows if row["text"]]
    aside = [json.loads(line)["id"] for path in out.glob("quarantine/*") for line in path.read_text().splitlines()]
    assert sorted(aside) == sorted(str(row["id"]) for row in blank)
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
    run_all(planned(tmp_path, inputs, 3, template_text=templates))
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
    run_all(planned(tmp_path, as_files(texts, tmp_path / "in", 3), parts, template_text=templates))  # parts without a file, too
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
    run_all(planned(tmp_path, as_files(rows, tmp_path / "in", 2), 2, **settings))
    expect_as_one_machine(rows, tmp_path / "out", **options)


def digests(work: Path) -> dict[str, str]:
    files = [path for path in work.rglob("*") if path.is_file() and path.parent.name != "done"]
    return {str(path.relative_to(work)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_loop_of_the_example_and_its_array_jobs(command: str, tmp_path: Path) -> None:
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
    environment = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}", "LEITONG": command, "JOBS_DONE": str(tmp_path / "jobs")}
    for name, flags in (("here", []), ("slurm", ["--slurm"])):
        out = tmp_path / name / "out"
        subprocess.run([EXAMPLE, *flags, tmp_path / name / "work", out, "2", tmp_path / "in"], check=True, env=environment, capture_output=True)
        expect_as_one_machine(rows, out)
        before = digests(tmp_path / name)
        subprocess.run([EXAMPLE, *flags, tmp_path / name / "work", out, "2", tmp_path / "in"], check=True, env=environment, capture_output=True)
        assert digests(tmp_path / name) == before
    assert len(list((tmp_path / "jobs").iterdir())) == 2 * len(listed(tmp_path / "here" / "work"))
    assert inputs


def test_compressed_lines_come_out_as_they_came_in(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ({"text": FERRY, "id": 1}, {"text": DOUGH, "id": 2})))
    lines = b'{"text": "%s", "kept": true}\n\n{"id": 5, "text": "another text, of which there is one"}' % FERRY_TRADITIONAL.encode()
    for name, packing in (("b.jsonl.gz", "gzip"), ("c.jsonl.zst", "zstd")):
        with pa.output_stream(str(folder / name), compression=packing) as file:
            file.write(lines)
    run_all(planned(tmp_path, [str(folder)], 2, keep="first"))
    kept = tmp_path / "out" / "kept"
    assert (kept / "a.jsonl").read_bytes() == (folder / "a.jsonl").read_bytes()
    assert pa.input_stream(str(kept / "b.jsonl.gz")).read() == lines.splitlines(keepends=True)[2]
    assert pa.input_stream(str(kept / "c.jsonl.zst")).read() == b""
    assert {id: of[:2] for id, of in removed_of(tmp_path / "out").items()} == {
        f"{folder}/b.jsonl.gz:1": ("1", "jaccard"), f"{folder}/c.jsonl.zst:1": ("1", "jaccard"), "5": ("5", "identical"),
    }


def test_what_cannot_be_done_is_refused(tmp_path: Path) -> None:
    inputs = as_files([{"id": 1, "text": FERRY}, {"id": 2, "text": DOUGH}], tmp_path / "in", 2)
    work = planned(tmp_path, inputs, 2)
    with pytest.raises(leitong.NotFoundError, match="part 0 of sketch has not been done, which comes before join"):
        run("join", work)
    with pytest.raises(leitong.InvalidArgumentError, match="its parts are 0 to 1"):
        run("sketch", work, 2)
    with pytest.raises(leitong.InvalidArgumentError, match="holds another run"):
        planned(tmp_path, inputs, 3)
    with pytest.raises(leitong.NotFoundError, match="plan the run first"):
        run("sketch", tmp_path / "none")
    for name in ("within", "across", "keep_each"):
        with pytest.raises(leitong.UnsupportedError, match=rf"leitong\.dedup\({name}=\.\.\)"):
            planned(tmp_path / "groups", inputs, 2, **{name: "lang"})
    Path(inputs[0]).write_text('{"text": 5}\n')
    with pytest.raises(leitong.InvalidArgumentError, match="has changed since the run was planned"):
        for part in range(2):
            run("sketch", work, part)


def test_a_bad_record_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "good", "id": 1}\n{"text": 5}\n')
    run_all(planned(tmp_path, [str(tmp_path / "bad.jsonl")], 1))
    assert kept_of(tmp_path / "out") == b'{"text": "good", "id": 1}\n'
    (aside,) = map(json.loads, (tmp_path / "out" / "quarantine" / "0.jsonl").read_text().splitlines())
    assert aside["place"].startswith(f"{tmp_path}/bad.jsonl:2") and 'field "text" is a number, not a string' in aside["reason"]
