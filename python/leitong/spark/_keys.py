"""Moves keys in packed form, and adds up their evidence for texts and pairs where they meet, so that Spark's rows are few and large."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import (
    KEY, KEYS_OF_PAIR, TALLY_OF_TEXT, WORTH, Settings, batch_of, begins_of, binaries, groups_of, here, numbers, pyarrow, slices, text_keys,
    to_bytes, values_of,
)
from ._shingles import RUN, packed_runs
from ._tables import CANDIDATE, Longs, range_of_text

#: Kinds of rows that come out of Join: what keys add to texts, what they say of pairs, hot keys with their texts.
TALLIES, EVIDENCE, HOT = range(3)
JOINED = "kind byte, part int, packed binary"

_ROW = 1 << 13  # bytes of one row, so that a batch of 10,000 rows has 80 MB
_KEYS = 512  # of one row
_HELD = 12 << 20  # keys of a range that are sorted in memory; more are sorted on the task's disk


def parts_for(keys: int) -> int:
    """The number of ranges of keys, of a few millions each. It depends on nothing else, so a continued run has as many on any cluster."""
    return max(min(-(-keys // (1 << 21)), 8), -(-keys // (1 << 23)), 1)


@dataclass(frozen=True)
class Split:
    """Rows t, units, n, keys -> rows (part, texts, keys), by ranges of keys. The two tiers are separate, so that a key of 40 bits takes 5
    bytes."""

    parts: int
    width: int  # bytes of a key

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            offsets = np.append(0, np.cumsum(numbers(batch, "n"), dtype=np.int64))
            keys, of, counts, part, first_text, first = _leitong.pack_keys(
                values_of(batch.column("keys"), np.uint64), offsets, 8 * self.width, self.parts, _KEYS)
            texts = packed_runs(numbers(batch, "t")[of], counts, (numbers(batch, "units") >= _leitong.LONG_TEXT)[of])
            yield from slices(batch_of(part=part.astype(np.int32), texts=binaries(texts, first_text), keys=binaries(keys, first)), 1 << 12)


@dataclass(frozen=True)
class Join:
    """Rows of Split, those of a range side by side -> rows of TALLIES and EVIDENCE, by ranges of texts, and of HOT, by ranges of keys."""

    parts: int
    width: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        rows = ((number, batch, row) for batch in batches for row, number in enumerate(numbers(batch, "range").tolist()))
        for _, of_range in groupby(rows, itemgetter(0)):
            for tallies, pairs, hot in joined((self._entries(batch, row) for _, batch, row in of_range), 8 * self.width):
                yield from _packed(TALLIES, tallies, range_of_text(np.ascontiguousarray(tallies["t"]), self.parts))
                yield from _packed(EVIDENCE, pairs, range_of_text(np.ascontiguousarray(pairs["a"]), self.parts))
                yield from _packed(HOT, hot, np.zeros(len(hot), np.int64))

    def _entries(self, batch: Any, row: int) -> Entries:
        texts = np.frombuffer(batch.column("texts")[row].as_buffer(), RUN)
        keys = np.frombuffer(batch.column("keys")[row].as_buffer(), np.uint8)
        return np.ascontiguousarray(texts["t"]), texts["long"] > 0, texts["count"].astype(np.uint32), keys, batch.column("part")[row].as_py() & 1


#: Texts, which of them are long, how many of the keys belong to each, the packed keys, their tier.
Entries = tuple[Longs, NDArray[np.bool_], NDArray[np.uint32], NDArray[np.uint8], int]


def joined(entries: Iterable[Entries], key_bits: int) -> Iterator[tuple[NDArray[np.void], ...]]:
    """All keys of a range -> TALLY_OF_TEXT, KEYS_OF_PAIR and KEY of hot keys: some at a time, and in the end none."""
    join = _leitong.RangeJoin(here(), _HELD)
    for t, long, counts, keys, tier in entries:
        join.add(t, long, counts, keys, key_bits, tier)
    while True:
        tallies, pairs, hot = join.next()
        yield tallies.view(TALLY_OF_TEXT), pairs.view(KEYS_OF_PAIR), hot.view(KEY)
        if not len(tallies):
            return


def _packed(kind: int, rows: NDArray[Any], ranges: Longs) -> Iterator[Any]:
    """Rows in the order of their ranges."""
    begins = begins_of(ranges, np.arange(len(ranges)) // (_ROW // rows.dtype.itemsize))
    packed = binaries(rows, np.append(begins, len(rows)))
    yield from slices(batch_of(kind=np.full(len(begins), kind, np.int8), part=ranges[begins].astype(np.int32), packed=packed), 1 << 12)


@dataclass(frozen=True)
class WeighRange:
    """Rows of TALLIES beside texts (t, units, short, n), those of a range side by side -> rows of WORTH."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for table in groups_of(batches, "part", 1):
            texts = table.filter(table.column("packed").is_null())
            known = text_keys(*(texts.column(name).to_numpy() for name in ("t", "units", "short", "n")))
            tallies = values_of(table.column("packed"), np.uint8)
            made = self.settings.steps().weigh_range(tallies, to_bytes(known[np.argsort(known["t"])])).view(WORTH)
            yield batch_of(
                t=np.ascontiguousarray(made["t"]), units=made["units"].astype(np.int32), common=made["weight"]["common"] > 0,
                **{f"r{i}": made["weight"]["rarity"][:, i].astype(np.int64) for i in (0, 1)},
                **{f"l{i}": made["weight"]["last_class"][:, i].astype(np.int8) for i in (0, 1)}, frame=made["weight"]["frame"].astype(np.int16),
            )


@dataclass(frozen=True)
class PackWorth:
    """Rows of WeighRange -> rows of WORTH, packed."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        pa = pyarrow()
        for batch in batches:
            made = np.zeros(batch.num_rows, WORTH)
            weight = made["weight"]
            made["t"], made["units"] = numbers(batch, "t"), numbers(batch, "units")
            for i in (0, 1):
                weight["rarity"][:, i], weight["last_class"][:, i] = numbers(batch, f"r{i}"), numbers(batch, f"l{i}")
            weight["common"], weight["frame"] = numbers(batch, "common"), numbers(batch, "frame")
            yield batch_of(packed=pa.array([made.tobytes()], pa.binary()))


@dataclass(frozen=True)
class SumPairs:
    """Rows of EVIDENCE, those of a range side by side -> pairs with their sums, and their candidates where tasks know what texts are
    worth."""

    settings: Settings
    worth: Any = None  # a broadcast: bytes of WORTH

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for table in groups_of(batches, "part", 1):
            pairs = values_of(table.column("packed"), np.uint8)
            if self.worth is None:
                sums = _leitong.sum_pairs(pairs).view(KEYS_OF_PAIR)
                yield from slices(batch_of(**{n: np.ascontiguousarray(sums[n]) for n in KEYS_OF_PAIR.names or ()}))
                continue
            worth = np.frombuffer(self.worth.value, np.uint8)
            made = self.settings.steps().judge_range(pairs, [worth]).view(CANDIDATE)
            yield from slices(batch_of(**{n: np.ascontiguousarray(made[n]) for n in ("a", "b", "score", "template_only")},
                                       frame=made["frame"].astype(np.int16)))


class UnpackHot:
    """Rows of HOT -> (key, t, long)."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            rows = values_of(batch.column("packed"), KEY)
            yield batch_of(**{name: np.ascontiguousarray(rows[name]) for name in KEY.names or ()})
