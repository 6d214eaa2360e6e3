"""Texts that are compared by groups, and values of which one stays."""
from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import leitong
import pytest

FERRY = "渡船清晨六点开第一班，雾大的日子改到七点。乘客请在北岸的石阶旁排队等候。"
ROWS = [{"id": name, "text": FERRY, "lang": name[0]} for name in ("a1", "a2", "b1", "b2")]


def kept(**options: Any) -> list[str]:
    return [row["id"] for row in leitong.dedup(ROWS, **options).kept]


@pytest.mark.parametrize("values", ["lang", ["a", "a", "b", "b"], [1, 1, 2, 2]])
def test_only_texts_with_the_same_value_are_compared(values: Any) -> None:
    result = leitong.dedup(ROWS, within=values)
    assert result.kept_for.tolist() == [0, 0, 2, 2]


def test_texts_with_the_same_value_are_never_compared() -> None:
    assert leitong.dedup(ROWS, across="lang").kept_for.tolist() == [0, 1, 0, 0]


def test_of_each_value_one_stays() -> None:
    assert kept(keep_each="lang") == ["a1", "b1"]
    assert kept() == ["a1"]


def test_missing_values_are_one_more_value_or_one_for_each_row(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert leitong.dedup(ROWS, within=["a", None, float("nan"), " "]).kept_for.tolist() == [0, 1, 1, 1]
    assert "within: 3 of 4 rows have no value; that counts as one more value" in caplog.text
    assert leitong.dedup(ROWS, across=["a", None, None, "a"]).kept_for.tolist() == [0, 0, 0, 3]


def test_references_have_values_too() -> None:
    references = [{"text": FERRY, "lang": "b"}]
    assert leitong.dedup(ROWS, references=references, within="lang").kept_for.tolist() == [0, 0, -1, -1]
    assert leitong.dedup(ROWS, references=references, within=["b", "a", "a", "b", "b"]).kept_for.tolist() == [0, 0, -1, -1]


def test_batches_are_compared_by_groups() -> None:
    stream = (row["text"] for row in ROWS)
    assert leitong.dedup(stream, within=["a", "a", "b", "b"]).kept_for.tolist() == [0, 0, 2, 2]
    with pytest.raises(leitong.InvalidArgumentError, match="give within an array"):
        leitong.dedup((row for row in ROWS), within="lang")


def test_impossible_values_are_refused(tmp_path: Path) -> None:
    with pytest.raises(leitong.InvalidArgumentError, match="3 values for 4 texts"):
        leitong.dedup(ROWS, across=["a", "a", "b"])
    with pytest.raises(leitong.NotFoundError, match='column "tongue"|"tongue"'):
        leitong.dedup({"text": [FERRY]}, within="tongue")
    with pytest.raises(leitong.InvalidArgumentError, match="no row has a value"):
        leitong.dedup(ROWS, keep_each=[None] * 4)
    with pytest.raises(leitong.InvalidArgumentError, match="index"):
        leitong.dedup(ROWS, within="lang", reference_index=tmp_path)


def test_the_report_is_of_the_same_run(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    leitong.dedup(ROWS, within="lang").report(page)
    assert json.dumps("within") in page.read_text() or "within" in page.read_text()
