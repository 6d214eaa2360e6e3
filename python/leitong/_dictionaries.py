"""Jieba's dictionaries: found in the package jieba if it is installed, and written once in the form that leitong reads.

Modules of the standard library that only this needs are imported at their use, because most runs use no dictionary.
"""
from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

_IMPOSSIBLE = -3.14e100


def data_folder() -> str:
    """The folder of the dictionaries for a session.

    It is empty if the library should find them itself, because LEITONG_DATA names a folder or jieba is not installed.
    """
    if os.environ.get("LEITONG_DATA"):
        return ""
    found = importlib.util.find_spec("jieba")
    if found is None or not found.submodule_search_locations:
        return ""
    jieba = Path(next(iter(found.submodule_search_locations)))
    if not (jieba / "dict.txt").is_file():
        return ""
    from importlib.metadata import version

    return str(_converted(jieba, version("jieba")))


def _converted(jieba: Path, version: str) -> Path:
    import shutil
    import tempfile

    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "leitong"
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError:
        cache = Path(tempfile.gettempdir()) / f"leitong-{os.getuid()}"
        cache.mkdir(mode=0o700, exist_ok=True)
    folder = cache / f"jieba-{version}"
    if (folder / "dict").is_dir():
        return folder
    fresh = Path(tempfile.mkdtemp(dir=cache, prefix="unfinished-"))
    try:
        write_dictionaries(jieba, fresh / "dict")
        try:
            fresh.rename(folder)
        except OSError:
            if not (folder / "dict").is_dir():  # otherwise another process was faster
                raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def write_dictionaries(jieba: Path, to: Path) -> None:
    """Writes the files of the package jieba as the four files of cppjieba, which the library reads."""
    import shutil

    to.mkdir()
    shutil.copyfile(jieba / "dict.txt", to / "jieba.dict.utf8")
    shutil.copyfile(jieba / "analyse" / "idf.txt", to / "idf.utf8")
    stop_words = sorted(_stop_words(jieba / "analyse" / "tfidf.py"))
    (to / "stop_words.utf8").write_text("".join(f"{word}\n" for word in stop_words), encoding="utf-8")
    start, move, emit = (_table(jieba / "finalseg" / f"prob_{name}.py") for name in ("start", "trans", "emit"))
    # The order of the states in cppjieba's file.
    order = "BEMS"
    lines = [" ".join(repr(start[state]) for state in order)]
    lines += [" ".join(repr(move[a].get(b, _IMPOSSIBLE)) for b in order) for a in order]
    lines += [",".join(f"{character}:{value!r}" for character, value in emit[state].items()) for state in order]
    (to / "hmm_model.utf8").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _table(path: Path) -> dict[str, Any]:
    """The value of ``P`` in a Python file of jieba, which is not executed."""
    import ast

    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "P":
            table: dict[str, Any] = ast.literal_eval(node.value)
            return table
    raise ValueError(f"{path}: this is not the jieba that leitong knows")


def _stop_words(path: Path) -> set[str]:
    import ast

    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "STOP_WORDS":
            if isinstance(node.value, ast.Call):
                return set(ast.literal_eval(node.value.args[0]))
    raise ValueError(f"{path}: this is not the jieba that leitong knows")
