"""Texts that others own as UTF-8 are read where they are."""
from __future__ import annotations

import subprocess
import sys

import polars as pl
import pyarrow as pa
import pytest

import leitong
from leitong import _leitong
from leitong._data import source_of

LONG = ["雾大的日子改到七点" * 10, "渡船清晨六点开第一班" * 10]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_arrow_strings_are_not_copied(kind: pa.DataType) -> None:
    column = pa.array(["not this one", *LONG], kind).slice(1)
    texts = _leitong.Texts.from_arrow(pa.chunked_array([column]), "")
    bytes_at = column.buffers()[2].address + len("not this one")
    assert [texts.address(0), texts.address(1)] == [bytes_at, bytes_at + len(LONG[0].encode())]
    assert [texts[0], texts[1]] == LONG


def test_string_views_are_not_copied() -> None:
    column = pa.array(["short", *LONG], pa.string_view())
    views, data = column.buffers()[1:3]
    texts = _leitong.Texts.from_arrow(pa.chunked_array([column]), "")
    assert texts.address(0) == views.address + 4
    assert texts.address(1) == data.address
    assert [texts[i] for i in range(3)] == ["short", *LONG]


def test_a_polars_frame_is_not_copied() -> None:
    frame = pl.DataFrame({"text": LONG})
    buffers = pa.chunked_array(frame["text"]).chunk(0).buffers()  # polars hands over its own
    texts = source_of(frame, "text", "id").texts()
    assert buffers[2].address <= texts.address(0) < buffers[2].address + buffers[2].size


def test_buffers_stay_alive_while_they_are_read() -> None:
    texts = _leitong.Texts.from_arrow(pa.chunked_array([pa.array(LONG)]), "")  # nobody else holds the array
    assert [texts[0], texts[1]] == LONG
    before = pa.total_allocated_bytes()
    del texts
    assert pa.total_allocated_bytes() < before


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_a_table_in_memory_is_not_taken_twice(kind: str) -> None:
    """A copy would show in what the process ever held."""
    code = """
import resource, sys, pyarrow as pa, leitong
from leitong._data import source_of
line = "".join(chr(0x4E00 + (i * 7919) % 20000) for i in range(1_000_000))
table = pa.table({"text": pa.array([line, line[::-1]] * 12, getattr(pa, sys.argv[1])())})
source_of(table.slice(0, 1), "text", "id").texts()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
texts = source_of(table, "text", "id").texts()
assert len(texts) == 24
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    run = subprocess.run([sys.executable, "-c", code, kind], check=True, capture_output=True, text=True)
    assert int(run.stdout) < 4_000  # KiB; the texts have 72 MB


def test_a_str_does_not_grow() -> None:
    """CPython would keep a second form of the text in the caller's object."""
    text = LONG[0] * 100
    size = sys.getsizeof(text)
    leitong.dedup([text, LONG[1]])
    assert sys.getsizeof(text) == size
