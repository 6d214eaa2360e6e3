"""What the tasks do with arrays, against the same by plain loops. No session of Spark."""
from __future__ import annotations

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest

from leitong.spark._rows import HOLDER, Settings
from leitong.spark._tasks import Holders, Shingles


@pytest.mark.every_spark
@pytest.mark.parametrize("count, shingles, texts", [(0, 1, 1), (1, 1, 1), (5_000, 1, 3_000), (20_000, 900, 40), (20_000, 1 << 32, 9_000)])
@pytest.mark.parametrize("parts", [1, 7])
def test_shingles_travel_packed_and_those_of_few_texts_are_left_out(count: int, shingles: int, texts: int, parts: int) -> None:
    random = np.random.default_rng(count)
    held: dict[int, set[int]] = defaultdict(set)
    batches = []
    for _ in range(2):  # two tasks hold some of the same
        holders = np.zeros(count, HOLDER)
        holders["s"] = random.integers(0, shingles, count) * ((1 << 32) // shingles)
        holders["t"] = random.integers(-texts, texts, count) * 1_000_000_007
        for s, t in holders.tolist():
            held[s].add(t)
        batches += list(Shingles(Settings(), None, 20, parts)._rows(holders)) if count else []
    for batch in batches:
        assert max(map(len, batch.column("holders").to_pylist())) <= Shingles.ROW * HOLDER.itemsize
    expected = [(s, t) for s, of in sorted(held.items()) if len(of) >= 3 for t in sorted(of)]
    found = []
    rows = pa.Table.from_batches(batches).sort_by("part") if batches else pa.table({"part": [], "holders": []})
    for batch in Holders(3)(rows.to_batches(max_chunksize=3)):
        found += zip(batch.column("s").to_numpy().view(np.uint32).tolist(), batch.column("t").to_pylist(), strict=True)
    assert found == expected
    assert count < 3 or shingles == 1 << 32 or expected
