"""The notebook of the documents runs, and prints what is stored in it."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

DOCS = Path(__file__).resolve().parents[2] / "docs"


def outputs(notebook: Any) -> list[list[Any]]:
    """What a reader sees of each cell."""
    return [
        [output.get("text") or output.data.get("text/html") or output.data.get("image/svg+xml") or output.data["text/plain"]
         for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_the_notebook_shows_what_it_computes() -> None:
    stored = nbformat.read(DOCS / "python-tutorial.ipynb", as_version=4)
    expected = outputs(stored)
    assert sum(map(len, expected)) > 10, "run scripts/python-notebook"
    NotebookClient(stored, timeout=300, kernel_name="python3").execute(cwd=str(DOCS))
    assert outputs(stored) == expected


LINE = 24  # pixels


def height_of(picture: Path) -> int:
    """Of a PNG, which begins with its size."""
    return int.from_bytes(picture.read_bytes()[20:24], "big")


def test_its_pictures_are_in_the_page() -> None:
    pictures = re.findall(r"\]\((images/python-[\w.-]+)\)", (DOCS / "python.md").read_text(encoding="utf-8"))
    assert len(pictures) >= 2
    for picture in pictures:
        assert height_of(DOCS / picture) >= 200


def test_the_picture_of_a_result_shows_all_of_its_rows() -> None:
    """scripts/python-notebook takes it."""
    notebook = nbformat.read(DOCS / "python-tutorial.ipynb", as_version=4)
    cell = next(cell for cell in notebook.cells if cell.source.startswith("result = leitong.dedup(news"))
    shown = next(output.data["text/html"] for output in cell.outputs if "data" in output)
    lines = len(cell.source.splitlines()) + shown.count("<p>") + shown.count("<tr>")
    assert height_of(DOCS / "images" / "python-result.png") >= LINE * lines
