"""The examples of the docstrings and documents run, and types are right."""
from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

import leitong

ROOT = Path(__file__).resolve().parents[2]
MODULES = ["leitong", *(f"leitong.{found.name}" for found in pkgutil.iter_modules(leitong.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_docstrings(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0


def test_docstrings_have_examples() -> None:
    for name in ("dedup", "compare", "sign", "segment", "keywords", "normalise", "digest", "evaluate", "methods"):
        assert ">>>" in (getattr(leitong, name).__doc__ or ""), name


def test_the_page_for_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, encoding="utf-8")
    assert found.attempted > 10
    assert found.failed == 0


@pytest.mark.parametrize("name", ["README.md", "python/README.md"])
def test_python_in_the_readme(name: str) -> None:
    blocks = (ROOT / name).read_text(encoding="utf-8").split("```python\n")[1:]
    assert blocks
    for block in blocks:
        exec(block.split("```")[0], {})


def test_the_licences_of_bundled_libraries_are_installed() -> None:
    wheel = distribution("leitong")
    if "manylinux" not in (wheel.read_text("WHEEL") or ""):
        pytest.skip("A WHEEL FOR THIS MACHINE ALONE: it holds no libraries (scripts/static-libraries makes those of others)")
    licences = {Path(str(file)).name for file in wheel.files or () if ".dist-info/licenses/libraries/" in str(file)}
    assert licences >= {"icu", "rocksdb", "onetbb", "simdjson", "libssl-dev", "libstdc++-12-dev"}


EXAMPLE = (
        "import leitong\n"
        "result: leitong.Result = leitong.dedup(['a text'], progress=print)\n"
        "one: list[str] = leitong.segment('a text')\n"
        "many: list[list[str]] = leitong.segment(['a text'])\n"
        "same: str = leitong.normalise('a text')\n"
        "f1: float = leitong.evaluate([1], result).pairs.f1\n"
        "raised: leitong.Result = result.rethreshold(0.5)\n"
        "with leitong.Index() as index:\n"
        "    answer: leitong.Answer = index.check_and_add('a text', 'id')\n"
        "    answers: list[leitong.Answer] = index.check(['a text'])\n"
)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.py"
    path.write_text(EXAMPLE)
    return path


def test_types_are_strict_for_mypy(example: Path, tmp_path: Path) -> None:
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    run = subprocess.run([*mypy, "-p", "leitong"], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout
    run = subprocess.run([*mypy, example.name], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout


def test_types_are_strict_for_pyright(example: Path, tmp_path: Path) -> None:
    """pyright's Python package fetches its program once, from npm."""
    example.write_text("# pyright: strict\n" + EXAMPLE)
    pyright = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    if subprocess.run([*pyright, "--version"], capture_output=True).returncode != 0:
        pytest.skip("npm has no pyright for us: the types have NOT been checked by it")
    package = str(Path(leitong.__file__).parent)
    run = subprocess.run([*pyright, example.name, package], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout
