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
    KEY, KEYS_OF_PAIR, TALLY, TALLY_OF_TEXT, WEIGHT, Settings, batch_of, begins_of, binaries, groups_of, here, numbers, pyarrow, slices,
    to_bytes, values_of,
)
from ._shingles import RUN, runs
from ._tables import Longs, find, range_of_key, range_of_text
from ._tasks import judged

#: Kinds of rows that come out of Join: what keys add to texts, what they say of pairs, hot keys with their texts.
TALLIES, EVIDENCE, HOT = range(3)
JOINED = "kind byte, part int, packed binary"

#: A text's place in the sum of evidence: its length and what its keys are worth. In the order of t.
WORTH = np.dtype([("t", "<i8"), ("units", "<u4"), ("weight", WEIGHT)])
_ROW = 1 << 13  # bytes of one row, so that a batch of 10,000 rows has 80 MB
_KEYS = 512  # of one row
_HELD = 12 << 20  # keys of a range that are sorted in memory; more are sorted on the task's disk
_SLICE = 1 << 20  # pairs that are processed at once


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
            keys = values_of(batch.column("keys"), np.int64)
            if not len(keys):
                continue
            row = np.repeat(np.arange(batch.num_rows), numbers(batch, "n"))
            part = range_of_key(keys, self.parts) << 1 | keys & 1
            order = np.argsort(part.astype(np.uint16) if self.parts < 1 << 15 else part, kind="stable")  # in linear time
            part, row, keys = part[order], row[order], keys[order]
            begins, of_text, first = runs(part, row, _KEYS)
            texts = np.zeros(len(of_text), RUN)
            texts["t"], texts["count"] = numbers(batch, "t")[row[of_text]], np.diff(np.append(of_text, len(row)))
            texts["long"] = (numbers(batch, "units") >= _leitong.LONG_TEXT)[row[of_text]]
            cut = (keys.view(np.uint64) >> np.uint64(1)).view(np.uint8).reshape(-1, 8)[:, : self.width]
            yield from slices(batch_of(
                part=part[begins].astype(np.int32), texts=binaries(texts, first),
                keys=binaries(np.ascontiguousarray(cut).reshape(-1), np.append(begins, len(keys)) * self.width),
            ), 1 << 12)


@dataclass(frozen=True)
class Join:
    """Rows of Split, those of a range side by side -> rows of TALLIES and EVIDENCE, by ranges of texts, and of HOT, by ranges of keys."""

    parts: int
    width: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        rows = ((number, batch, row) for batch in batches for row, number in enumerate(numbers(batch, "range").tolist()))
        for _, of_range in groupby(rows, itemgetter(0)):
            for tallies, pairs, hot in joined(self._entries(batch, row) for _, batch, row in of_range):
                yield from _packed(TALLIES, tallies, range_of_text(np.ascontiguousarray(tallies["t"]), self.parts))
                yield from _packed(EVIDENCE, pairs, range_of_text(np.ascontiguousarray(pairs["a"]), self.parts))
                yield from _packed(HOT, hot, np.zeros(len(hot), np.int64))

    def _entries(self, batch: Any, row: int) -> tuple[Longs, Longs, NDArray[np.bool_]]:
        texts = np.frombuffer(batch.column("texts")[row].as_buffer(), RUN)
        cut = np.frombuffer(batch.column("keys")[row].as_buffer(), np.uint8).reshape(-1, self.width)
        keys = np.zeros((len(cut), 8), np.uint8)
        keys[:, : self.width] = cut
        tier = np.uint64(batch.column("part")[row].as_py() & 1)
        key = (keys.reshape(-1).view(np.uint64) << np.uint64(1) | tier).view(np.int64)
        return key, np.repeat(texts["t"], texts["count"]), np.repeat(texts["long"] > 0, texts["count"])


def joined(entries: Iterable[tuple[Longs, Longs, NDArray[np.bool_]]]) -> Iterator[tuple[NDArray[np.void], ...]]:
    """All (key, t, long) of a range of keys -> TALLY_OF_TEXT, KEYS_OF_PAIR and KEY of hot keys: some at a time, and in the end none."""
    join = _leitong.RangeJoin(here(), _HELD)
    for key, t, long in entries:
        join.add(key, t, long)
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


TALLY_SUMS = tuple(f"{kind}{tier}{lane}" for tier in (0, 1) for kind, lane in (("k", ""), ("w", 0), ("w", 1), ("w", 2)))
PAIR_SUMS = ("e0", "e1", "e2", "stars")


def columns_of_longs(structs: NDArray[Any], *names: str) -> dict[str, Any]:
    """Structs that consist of longs, as columns."""
    longs = structs.view(np.int64).reshape(len(structs), len(names))
    return {name: np.ascontiguousarray(longs[:, i]) for i, name in enumerate(names)}


def as_tallies(of: dict[str, Any]) -> NDArray[Any]:
    """Two of TALLY for each text: a long has two numbers of them."""
    return np.ascontiguousarray(np.stack([of[name] for name in TALLY_SUMS], axis=1)).view(TALLY)


def summed(parts: list[dict[str, Any]], by: tuple[str, ...], sums: tuple[str, ...]) -> dict[str, Any]:
    """Longs, added up for each value of `by`, in the order of these."""
    of = {n: np.concatenate([np.empty(0, np.int64), *(part[n] for part in parts)]) for n in (*by, *sums)}
    first = of[by[0]]
    if len(by) == 2 and len(first) and 0 <= min(of[n].min() for n in by) and max(of[n].max() for n in by) < 1 << 31:
        order = np.argsort(first << 31 | of[by[1]])  # numbers of texts, two of which are one number
    elif len(by) == 1:
        order = np.argsort(first)
    else:
        order = np.lexsort([of[n] for n in reversed(by)])
    begins = begins_of(*(of[n][order] for n in by))
    return {n: of[n][order][begins] for n in by} | {
        n: np.add.reduceat(of[n][order], begins) if len(begins) else np.empty(0, np.int64) for n in sums
    }


@dataclass(frozen=True)
class WeighRange:
    """Rows of TALLIES beside texts (t, units, short, n), those of a range side by side -> rows of WORTH."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for table in groups_of(batches, "part", 1):
            tallies = values_of(table.column("packed"), TALLY_OF_TEXT)
            of = summed([columns_of_longs(tallies, "t", *TALLY_SUMS)], ("t",), TALLY_SUMS)
            texts = table.filter(table.column("packed").is_null())
            known = texts.column("t").to_numpy()
            order = np.argsort(known)
            at, _ = find(known[order], of["t"])
            units, short, n = (texts.column(name).to_numpy()[order][at] for name in ("units", "short", "n"))
            all_keys = np.stack([short, n - short], axis=1).astype("<u4")
            made = np.zeros(len(at), WORTH)
            made["t"], made["units"] = of["t"], units
            made["weight"] = np.asarray(self.settings.steps().weigh(to_bytes(all_keys), to_bytes(as_tallies(of)))).view(WEIGHT)
            yield batch_of(
                t=of["t"], units=units.astype(np.int32), common=made["weight"]["common"] > 0,
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
        known = None if self.worth is None else np.frombuffer(self.worth.value, WORTH)
        for table in groups_of(batches, "part", 1):
            of = columns_of_longs(values_of(table.column("packed"), KEYS_OF_PAIR), "a", "b", *PAIR_SUMS)
            if known is None:
                sums = summed([of], ("a", "b"), PAIR_SUMS)
                for begin in range(0, len(sums["a"]), 1 << 16):
                    yield batch_of(**{n: c[begin : begin + (1 << 16)] for n, c in sums.items()})
                continue
            for end in ("a", "b"):
                of[end] = find(known["t"], of[end])[0].astype(np.int64)
            sums = summed([of], ("a", "b"), PAIR_SUMS)
            for begin in range(0, len(sums["a"]), _SLICE):
                part = {n: c[begin : begin + _SLICE] for n, c in sums.items()}
                ends = [known[part[end]] for end in ("a", "b")]
                made = judged(self.settings, [(end["units"], end["weight"]) for end in ends], part)
                worth = made["worth"] > 0
                a, b = (np.ascontiguousarray(end["t"])[worth] for end in ends)
                yield batch_of(a=np.maximum(a, b), b=np.minimum(a, b), score=made["score"][worth],
                               template_only=made["template_only"][worth] > 0, frame=made["frame"][worth].astype(np.int16))


class UnpackHot:
    """Rows of HOT -> (key, t, long)."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            rows = values_of(batch.column("packed"), KEY)
            yield batch_of(**{name: np.ascontiguousarray(rows[name]) for name in KEY.names or ()})
