"""Compares the array operations of the tasks with plain loops. Needs no session of Spark."""
from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from leitong.spark import _keys, _marking
from leitong.spark._keys import EVIDENCE, HOT, TALLIES, Join, Split
from leitong.spark._marking import HELD, MARKS, Count, Recount
from leitong.spark._rows import KEY, KEYS_OF_PAIR, MARK, TALLY_OF_TEXT, batch_of, binaries
from leitong.spark._shingles import Holders, packed_runs
from leitong.spark._single import ASKED, KIN, WANTS_COMMON


class Shared:
    """A broadcast."""

    def __init__(self, value: np.ndarray) -> None:
        self.value = value.tobytes()


def shingle_rows(t: np.ndarray, s: np.ndarray, parts: int) -> Any:
    """Rows as Shingles makes them, one for the shingles of each text in each part."""
    part = (s.astype(np.uint64) * np.uint64(parts) >> np.uint64(32)).astype(np.int32)
    groups = sorted({(p, one) for p, one in zip(part.tolist(), t.tolist(), strict=True)})
    of = [s[(part == p) & (t == one)] for p, one in groups]
    counts = np.array([len(some) for some in of], np.uint32)
    return batch_of(part=np.array([p for p, _ in groups], np.int32), shingles=binaries(np.concatenate(of), np.append(0, np.cumsum(counts))),
                    texts=binaries(packed_runs(np.array([one for _, one in groups]), counts), np.arange(len(groups) + 1)))


def table_of(batches: list[Any], by: str) -> Any:
    return pa.Table.from_batches(batches).sort_by(by)


@pytest.mark.every_spark
@pytest.mark.parametrize("count, shingles, texts", [(0, 1, 1), (1, 1, 1), (5_000, 1, 3_000), (20_000, 900, 40), (20_000, 1 << 32, 9_000)])
@pytest.mark.parametrize("parts", [1, 7])
def test_shingles_travel_packed_and_those_of_few_texts_are_left_out(count: int, shingles: int, texts: int, parts: int) -> None:
    random = np.random.default_rng(count)
    held: dict[int, set[int]] = defaultdict(set)
    batches = []
    for _ in range(2):  # two tasks hold some of the same
        s = (random.integers(0, shingles, count) * ((1 << 32) // shingles)).astype(np.uint32)
        t = np.sort(random.integers(-texts, texts, count)) * 1_000_000_007
        for one, of in zip(s.tolist(), t.tolist(), strict=True):
            held[one].add(of)
        batches += [shingle_rows(t, s, parts)] if count else []
    expected = [(s, t) for s, of in sorted(held.items()) if len(of) >= 3 for t in sorted(of)]
    found = []
    for batch in Holders(3)(table_of(batches, "part").to_batches(max_chunksize=3) if batches else []):
        found += zip(batch.column("s").to_numpy().view(np.uint32).tolist(), batch.column("t").to_pylist(), strict=True)
    assert found == expected
    assert count < 3 or shingles == 1 << 32 or expected


@pytest.mark.parametrize("held", [1 << 24, 500, 37], ids=["in memory", "a few runs", "many runs"])
@pytest.mark.parametrize("bits", [40, 63])
def test_keys_travel_packed_and_are_added_up(held: int, bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of keys that two texts and more hold: a key of 70 texts is hot, and its texts are compared only with the first two of them."""
    monkeypatch.setattr(_keys, "_HELD", held)
    random = np.random.default_rng(3)
    width, parts = (bits + 7) // 8, 3
    t = np.unique(random.integers(-(1 << 62), 1 << 62, 120))
    pool = np.unique(random.integers(0, 1 << bits, 60, dtype=np.uint64) << np.uint64(1) | random.integers(0, 2, 60, dtype=np.uint64)).view(np.int64)
    units = random.integers(100, 400, len(t)).astype(np.int32)
    of = [np.sort(random.choice(pool, random.integers(0, 12), replace=False)) for _ in t]
    of = [np.unique(np.append(keys, pool[:2])) if n % 10 < 7 else keys for n, keys in enumerate(of)]
    holders: dict[int, list[int]] = defaultdict(list)
    for n, keys in enumerate(of):
        for key in keys.tolist():
            holders[key].append(n)
    rows = [*range(len(t)), *range(10)]  # the first ten again, as copies
    lengths = [len(of[n]) for n in rows]
    batch = batch_of(t=t[rows], units=units[rows], n=np.array(lengths, np.int32),
                     keys=binaries(np.concatenate([of[n] for n in rows]), np.append(0, np.cumsum(lengths))))
    sent = pa.Table.from_batches(Split(parts, width)([batch.slice(0, 50), batch.slice(50)]))
    sent = sent.append_column("range", pa.array(sent.column("part").to_numpy() >> 1)).sort_by("range")
    found = list(Join(parts, width)(sent.to_batches(max_chunksize=2)))
    tallies: Counter[tuple[int, int, str]] = Counter()
    stars: Counter[tuple[int, int]] = Counter()
    weights: Counter[tuple[int, int, int]] = Counter()
    hot: set[tuple[int, int, bool]] = set()
    for rows_of in found:
        for kind, packed in zip(rows_of.column("kind").to_pylist(), rows_of.column("packed").to_pylist(), strict=True):
            if kind == TALLIES:
                for one, (short, long) in np.frombuffer(packed, TALLY_OF_TEXT).tolist():
                    for tier, tally in ((0, short), (1, long)):
                        tallies[one, tier, "shared"] += tally[0]
                        tallies[one, tier, "hot"] += tally[1]
                        tallies[one, tier, "weight"] += int(np.sum(tally[2]))
            elif kind == EVIDENCE:
                for a, b, *sums, star in np.frombuffer(packed, KEYS_OF_PAIR).tolist():
                    stars[a, b] += star
                    for lane, value in enumerate(sums):
                        weights[a, b, 2 * lane] += value & 0xFFFFFFFF
                        weights[a, b, 2 * lane + 1] += value >> 32
            else:
                assert kind == HOT
                hot |= {(key, one, long > 0) for key, one, long in np.frombuffer(packed, KEY).tolist()}
    expected_tallies: Counter[tuple[int, int, str]] = Counter()
    expected_stars: Counter[tuple[int, int]] = Counter()
    expected_weights: Counter[tuple[int, int, int]] = Counter()
    expected_hot = set()
    for key, some in holders.items():
        tier, df = key & 1, len(some)
        if df < 2:
            continue
        weight, group = round(256 / df**0.5), df.bit_length() - 2
        is_hot = df > _keys._leitong.HOT_KEY
        for n in some:
            expected_tallies[int(t[n]), tier, "hot" if is_hot else "shared"] += 1
            expected_tallies[int(t[n]), tier, "weight"] += 0 if is_hot else weight
            if is_hot:
                expected_hot.add((key, int(t[n]), bool(units[n] >= _keys._leitong.LONG_TEXT)))
        for first in some[:2] if is_hot else some:
            for second in some[some.index(first) + 1 :]:
                if tier == 0 or max(units[first], units[second]) >= _keys._leitong.LONG_TEXT:
                    pair = int(t[second]), int(t[first])
                    expected_stars[pair] += is_hot
                    if not is_hot:
                        expected_weights[*pair, group] += weight
    assert expected_hot and any(len(some) > 1 for some in holders.values())
    assert hot == expected_hot
    assert +tallies == +expected_tallies
    assert +stars == +expected_stars
    assert +weights == +expected_weights


@pytest.mark.parametrize("row", [2048, 5])
@pytest.mark.parametrize("dense", [32, 1])
def test_marks_are_counted_where_families_are_known_and_again_by_other_ones(row: int, dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_marking, "_ROW", row)
    monkeypatch.setattr(_marking, "_DENSE", dense)
    random = np.random.default_rng(9)
    t = np.unique(random.integers(-(1 << 62), 1 << 62, 400))
    kin = np.zeros(150, KIN)
    kin["t"] = np.sort(random.choice(t, 150, replace=False))
    kin["family"] = kin["t"][random.integers(0, 40, 150)]
    kin["block"] = kin["t"][random.integers(0, 20, 150)]
    kin["flags"] = random.choice([0, ASKED, ASKED | WANTS_COMMON], 150, p=[0.5, 0.4, 0.1])
    holders = [(s, one) for s in range(0, 1 << 20, 4099) for one in random.choice(t, random.integers(1, 60), replace=False).tolist()]
    by_text = sorted(holders, key=lambda each: each[1])
    made = shingle_rows(np.array([one for _, one in by_text]), np.array([s for s, _ in by_text], np.uint32), 2)
    counted = list(Count(Shared(kin), 3)(table_of([made], "part").to_batches()))
    other = kin.copy()
    other["family"] = kin["t"][random.integers(0, 5, 150)][np.searchsorted(np.unique(kin["family"]), kin["family"])]
    held = [rows.filter(pa.array(np.array(rows.column("kind").to_pylist()) == HELD)) for rows in counted]
    assert any(rows.num_rows for rows in held)
    for known, batches in ((kin, counted), (other, list(Recount(Shared(other), 3)(held)))):
        found = {}
        for rows in batches:
            for kind, number, packed in zip(*(rows.column(n).to_pylist() for n in ("kind", "bin", "packed")), strict=True):
                if kind == MARKS:
                    for one, s, families, is_template in np.frombuffer(packed, MARK).tolist():
                        found[one, s] = families, is_template, number
        of = {int(one["t"]): one for one in known}
        expected = {}
        for s in {s for s, _ in holders}:
            texts = [one for each, one in holders if each == s]
            families = len({int(of[one]["family"]) if one in of else one for one in texts})
            wanted = any(one in of and of[one]["flags"] & WANTS_COMMON for one in texts)
            least = _marking._leitong.COMMON_FAMILIES if wanted else _marking._leitong.TEMPLATE_FAMILIES
            if families < least or len(texts) < 3:
                continue
            is_template = int(_marking._leitong.are_templates(np.array([families], np.uint64), np.array([len(texts)], np.uint64))[0])
            for one in texts:
                if one in of and of[one]["flags"] & ASKED and (is_template or of[one]["flags"] & WANTS_COMMON):
                    expected[one, s] = families, is_template, int(of[one]["block"]) % 3
        assert found == expected
        assert any(is_template for _, is_template, _ in expected.values()) and len(expected) > 100
