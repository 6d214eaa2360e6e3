"""The example runs as a job to which the wheel is attached, on executors without leitong."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pyspark
import pytest

import leitong
from conftest import ROOT, SETTINGS
from skewed import skewed_texts


def test_the_example_brings_its_package(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if "LEITONG_WHEEL" not in os.environ:
        pytest.skip("LEITONG_WHEEL names no wheel; scripts/test-spark does")
    rows = skewed_texts(400, 20)
    (tmp_path / "in").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in" / "0.parquet")
    shutil.copy(os.environ["LEITONG_WHEEL"], tmp_path / "leitong.zip")
    # Executors of an environment with the same packages except leitong.
    executors = tmp_path / "executors"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", executors], check=True)
    site = Path(sysconfig.get_path("purelib"))
    there = executors / site.relative_to(sys.prefix)
    for package in site.iterdir():
        if not package.name.startswith("leitong"):
            (there / package.name).symlink_to(package)
    without = subprocess.run([executors / "bin" / "python", "-c", "import pyarrow, leitong"], capture_output=True, text=True,
                             cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""})
    assert "No module named 'leitong'" in without.stderr
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    settings = {**SETTINGS, "spark.executorEnv.PYTHONPATH": "leitong-wheel", "spark.pyspark.python": str(executors / "bin" / "python"),
                "spark.pyspark.driver.python": sys.executable}
    flags = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYSPARK_")}
    run = subprocess.run(
        [submit, "--master", "local-cluster[1,2,1024]", "--archives", f"{tmp_path / 'leitong.zip'}#leitong-wheel", *flags,
         ROOT / "examples" / "spark_dedup.py", str(tmp_path / "in"), str(tmp_path / "kept"), str(tmp_path / "work")],
        capture_output=True, text=True, cwd=tmp_path, env=environment,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    one = leitong.dedup([row["text"] for row in rows], measure_recall=False)
    assert sorted(pq.read_table(tmp_path / "kept").column("id").to_pylist()) == one.kept_positions.tolist()
    assert len(pq.read_table(tmp_path / "kept-removed")) == len(one.removed_positions)
