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


def test_its_pictures_are_in_the_page() -> None:
    pictures = re.findall(r"\]\((images/python-[\w.-]+)\)", (DOCS / "python.md").read_text(encoding="utf-8"))
    assert len(pictures) >= 2
    for picture in pictures:
        assert (DOCS / picture).stat().st_size > 1000
