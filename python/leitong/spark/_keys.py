"""Moves keys in packed form, and adds up their evidence for texts and pairs where they meet, so that Spark's rows are few and large."""
from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import (
    TALLY, WEIGHT, Settings, batch_of, begins_of, binaries, groups_of, local_folder, numbers, pyarrow, slices, to_bytes, values_of,
)
from ._shingles import RUN, runs
from ._tables import Longs, find, range_of_key, range_of_text
from ._tasks import CLASSES, WEIGHTS, Group, Pairs, judged

#: Kinds of rows that come out of Join: what keys add to texts, what they say of pairs, hot keys with their texts.
TALLIES, EVIDENCE, HOT = range(3)
JOINED = "kind byte, part int, packed binary"

_TALLY = np.dtype([("t", "<i8"), ("tally", TALLY, (2,))])
_SUMS = ("e0", "e1", "e2", "stars")
_EVIDENCE = np.dtype([("a", "<i8"), ("b", "<i8"), *((name, "<i8") for name in _SUMS)])
HOT_ENTRY = np.dtype([("key", "<i8"), ("t", "<i8"), ("long", "u1")])
#: A text's place in the sum of evidence: its length and what its keys are worth. In the order of t.
WORTH = np.dtype([("t", "<i8"), ("units", "<u4"), ("weight", WEIGHT)])
_ROW = 1 << 13  # bytes of one row, so that a batch of 10,000 rows has 80 MB
_KEYS = 512  # of one row
_HELD = 12 << 20  # keys of a task's part that are sorted in memory
_SLICE = 1 << 20  # keys, or pairs, that are processed at once


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
        entries, at = _Entries(), None
        for batch in batches:
            for row, number in enumerate(numbers(batch, "range").tolist()):
                if number != at and at is not None:
                    yield from self._joined(entries)
                    entries = _Entries()
                entries.add(*self._entries(batch, row))
                at = number
        yield from self._joined(entries)

    def _entries(self, batch: Any, row: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        texts = np.frombuffer(batch.column("texts")[row].as_buffer(), RUN)
        cut = np.frombuffer(batch.column("keys")[row].as_buffer(), np.uint8).reshape(-1, self.width)
        keys = np.zeros((len(cut), 8), np.uint8)
        keys[:, : self.width] = cut
        tier = np.uint64(batch.column("part")[row].as_py() & 1)
        key = (keys.reshape(-1).view(np.uint64) << np.uint64(1) | tier).view(np.int64)
        return key, np.repeat(texts["t"], texts["count"]), np.repeat(texts["long"] > 0, texts["count"])

    def _joined(self, entries: _Entries) -> Iterator[Any]:
        tallies: list[dict[str, Any]] = []
        evidence: list[dict[str, Any]] = []
        held = 0
        for rows in _large(Group()(entries.sorted())):
            tallies.append(tallies_of(rows))
            for made in Pairs()([rows]):
                evidence.append({n: numbers(made, n) for n in ("a", "b", *_SUMS)})
                held += made.num_rows
            hot = rows.filter(rows.column("hot"))
            if hot.num_rows:
                yield from self._hot(hot, entries)
            if held > 8 * _SLICE:
                yield from self._sums(tallies, evidence, entries)
                tallies, evidence, held = [], [], 0
        yield from self._sums(tallies, evidence, entries)

    def _sums(self, tallies: list[dict[str, Any]], evidence: list[dict[str, Any]], entries: _Entries) -> Iterator[Any]:
        of = summed(tallies, ("t",), TALLY_SUMS)
        made = np.zeros(len(of["t"]), _TALLY)
        made["t"] = entries.contents(of["t"])
        made["tally"] = as_tallies(of)
        yield from _by_range(TALLIES, made, range_of_text(np.ascontiguousarray(made["t"]), self.parts))
        pairs = summed(evidence, ("a", "b"), _SUMS)
        rows = np.zeros(len(pairs["a"]), _EVIDENCE)
        for name in _EVIDENCE.names or ():
            rows[name] = entries.contents(pairs[name]) if name in ("a", "b") else pairs[name]
        yield from _by_range(EVIDENCE, rows, range_of_text(np.ascontiguousarray(rows["a"]), self.parts))

    def _hot(self, rows: Any, entries: _Entries) -> Iterator[Any]:
        sizes = np.diff(rows.column("texts").offsets.to_numpy())
        made = np.zeros(int(sizes.sum()), HOT_ENTRY)
        made["key"] = np.repeat(numbers(rows, "key"), sizes)
        made["t"] = entries.contents(rows.column("texts").flatten().to_numpy())
        made["long"] = rows.column("long").flatten().to_numpy(zero_copy_only=False)
        yield from _by_range(HOT, made, np.zeros(len(made), np.int64))


class _Entries:
    """(key, t, long) of a part. If they are few, they are sorted in memory, and texts have numbers in the order of their contents;
    else sorted runs lie on the task's disk, and memory does not grow."""

    RUN = np.dtype([("key", "<i8"), ("t", "<i8"), ("long", "u1")])

    def __init__(self) -> None:
        self._held: list[tuple[NDArray[Any], ...]] = []
        self._count = 0
        self._file: Any = None
        self._runs: list[tuple[int, int]] = []  # where each begins, and its length
        self._t: Longs | None = None

    def add(self, key: Longs, t: Longs, long: NDArray[np.bool_]) -> None:
        self._held.append((key, t, long))
        self._count += len(key)
        if self._count >= _HELD:
            self._spill()

    def contents(self, t: Longs) -> Longs:
        return t if self._t is None else self._t[t]

    def sorted(self) -> Iterator[Any]:
        """By key and t; keys of one text alone may be missing."""
        if self._runs:
            self._spill()
            yield from self._merged()
            return
        key, t, long = self._taken()
        order = np.argsort(key)
        shared = np.zeros(len(key), bool)
        same = key[order][1:] == key[order][:-1]
        shared[1:] |= same
        shared[:-1] |= same
        order = order[shared]
        key, t, long = key[order], t[order], long[order]
        self._t, t = np.unique(t, return_inverse=True)
        number = np.cumsum(np.append(0, key[1:] != key[:-1])) if len(key) else t  # of the key, which has the order of keys
        order = np.argsort(number << 32 | t)
        rows = batch_of(key=key[order], t=t[order].astype(np.int64), long=long[order])
        for begin in range(0, rows.num_rows, _SLICE):
            yield rows.slice(begin, _SLICE)

    def _taken(self) -> tuple[NDArray[Any], ...]:
        held = self._held or [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool))]
        self._held, self._count = [], 0
        return tuple(np.concatenate(column) for column in zip(*held, strict=True))

    def _spill(self) -> None:
        key, t, long = self._taken()
        order = np.lexsort((t, key))
        run = np.zeros(len(key), self.RUN)
        run["key"], run["t"], run["long"] = key[order], t[order], long[order]
        self._file = self._file or tempfile.TemporaryFile(dir=local_folder())
        self._runs.append((self._file.tell(), len(run)))
        self._file.write(run.tobytes())

    def _merged(self) -> Iterator[Any]:
        """Slices of all runs between one (key, t) and the next, which some entries of each run choose."""
        self._file.flush()
        runs = [np.memmap(self._file, self.RUN, "r", offset, (count,)) for offset, count in self._runs if count]
        each = max(1, _SLICE // (2 * len(runs)))
        marks = np.unique(np.concatenate([run[["key", "t"]][each::each] for run in runs]))
        marks = marks[2 * len(runs) - 1 :: 2 * len(runs)]
        at = [0] * len(runs)
        for mark in [*marks, None]:
            parts = []
            for number, run in enumerate(runs):
                end = len(run) if mark is None else _place(run, int(mark["key"]), int(mark["t"]))
                parts.append(run[at[number] : end])
                at[number] = end
            rows = np.concatenate(parts)
            key, t = np.ascontiguousarray(rows["key"]), np.ascontiguousarray(rows["t"])
            order = np.lexsort((t, key))
            yield batch_of(key=key[order], t=t[order], long=rows["long"][order] > 0)


def _place(run: NDArray[np.void], key: int, t: int) -> int:
    """The position where (key, t) is or would be in a sorted run."""
    low, high = (int(np.searchsorted(run["key"], key, side=side)) for side in ("left", "right"))
    return low + int(np.searchsorted(run["t"][low:high], t))


def _by_range(kind: int, rows: NDArray[Any], ranges: Longs) -> Iterator[Any]:
    most = _ROW // rows.dtype.itemsize
    order = np.argsort(ranges)
    ranges = ranges[order]
    width = rows.dtype.itemsize // 8  # structs are moved as longs, which is several times as quick
    rows = rows.view(np.int64).reshape(len(rows), width)[order] if width * 8 == rows.dtype.itemsize else rows[order]
    begins = begins_of(ranges, np.arange(len(ranges)) // most)
    packed = binaries(rows.reshape(-1), np.append(begins, len(ranges)) * (width if rows.ndim == 2 else 1))
    yield from slices(batch_of(kind=np.full(len(begins), kind, np.int8), part=ranges[begins].astype(np.int32), packed=packed), 1 << 12)


def _large(batches: Iterable[Any]) -> Iterator[Any]:
    """The same rows in fewer batches: a hot key has a batch of its own."""
    pa = pyarrow()
    held: list[Any] = []
    count = 0
    for batch in chain(batches, [None]):
        if batch is not None:
            held.append(batch)
            count += len(batch.column("texts").values)
        if held and (batch is None or count >= _SLICE):
            yield pa.Table.from_batches(held).combine_chunks().to_batches()[0]
            held, count = [], 0


TALLY_SUMS = tuple(f"{kind}{tier}{lane}" for tier in (0, 1) for kind, lane in (("k", ""), ("w", 0), ("w", 1), ("w", 2)))


def tallies_of(rows: Any) -> dict[str, Any]:
    """What each entry adds to its text: keys, and weights by class, two in each long."""
    sizes = np.diff(rows.column("texts").offsets.to_numpy())
    hot = np.repeat(numbers(rows, "hot"), sizes)
    of_long = np.repeat(numbers(rows, "key") & 1, sizes) > 0
    df = np.where(hot, 0, np.repeat(sizes, sizes))
    found: dict[str, Any] = {"t": rows.column("texts").flatten().to_numpy()}
    for tier in (0, 1):
        of_tier = of_long == bool(tier)
        found[f"k{tier}"] = np.where(of_tier, np.where(hot, 1 << 32, 1), 0)
        for lane in range(3):
            low, high = ((CLASSES[df] == 2 * lane + half) & of_tier & ~hot for half in (0, 1))
            found[f"w{tier}{lane}"] = np.where(low, WEIGHTS[df], np.where(high, WEIGHTS[df] << 32, 0))
    return summed([found], ("t",), TALLY_SUMS)


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
            tallies = values_of(table.column("packed"), _TALLY)
            t = np.ascontiguousarray(tallies["t"])
            longs = np.ascontiguousarray(tallies["tally"]).view(np.int64).reshape(len(t), len(TALLY_SUMS))
            of = summed([{"t": t} | {name: longs[:, i] for i, name in enumerate(TALLY_SUMS)}], ("t",), TALLY_SUMS)
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
            rows = values_of(table.column("packed"), _EVIDENCE)
            of = {name: np.ascontiguousarray(rows[name]) for name in _EVIDENCE.names or ()}
            if known is None:
                sums = summed([of], ("a", "b"), _SUMS)
                for begin in range(0, len(sums["a"]), 1 << 16):
                    yield batch_of(**{n: c[begin : begin + (1 << 16)] for n, c in sums.items()})
                continue
            for end in ("a", "b"):
                of[end] = find(known["t"], of[end])[0].astype(np.int64)
            sums = summed([of], ("a", "b"), _SUMS)
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
            rows = values_of(batch.column("packed"), HOT_ENTRY)
            yield batch_of(key=np.ascontiguousarray(rows["key"]), t=np.ascontiguousarray(rows["t"]), long=rows["long"] > 0)
