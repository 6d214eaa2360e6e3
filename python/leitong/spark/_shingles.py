"""The tasks on shingles: which texts hold the wanted ones, and which of these are templates."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import SIGN, Settings, batch_of, begins_of, binaries, flat, groups_of, here, numbers, pyarrow, slices, texts_of, values_of


@dataclass(frozen=True)
class ShingleFilter:
    """Texts -> 64 KiB pieces of a bitmap of their shingles, by the first bits."""

    settings: Settings
    bits: int
    PIECE = 1 << 16  # bytes

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        bitmap = np.zeros((1 << self.bits) // 8, np.uint8)
        steps = self.settings.steps()
        for batch in batches:
            shingles, _ = steps.shingle_sets(here(), texts_of(batch.column("body")))
            at = shingles >> np.uint32(32 - self.bits)
            np.bitwise_or.at(bitmap, at >> 3, np.uint8(1) << (at & 7).astype(np.uint8))
        piece = min(self.PIECE, len(bitmap))
        for number, begin in enumerate(range(0, len(bitmap), piece)):
            some = bitmap[begin : begin + piece]
            if some.any():
                yield batch_of(piece=np.array([number], np.int32), bitmap=pyarrow().array([some.tobytes()]))


#: A text beside so many of its shingles, or keys, which follow each other.
RUN = np.dtype([("t", "<i8"), ("count", "<u2"), ("long", "u1")])


def runs(part: NDArray[Any], row: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """For values in the order of their parts and rows: where the runs begin that travel together, `most` of a part; where in them another
    row begins; and which of these are the first."""
    place = np.arange(len(part)) // most
    begins, of_row = begins_of(part, place), begins_of(part, place, row)
    return begins, of_row, np.append(np.searchsorted(of_row, begins), len(of_row))


@dataclass(frozen=True)
class Shingles:
    """Texts -> rows (part, texts, shingles) of those shingles that the filter lets through, by parts of equal ranges of them: `texts`
    are packed structs of RUN. So few rows travel, and not one for each shingle."""

    settings: Settings
    filter: Any  # a broadcast bitmap
    bits: int
    parts: int
    HELD = 1 << 22  # shingles that are sorted at once
    ROW = 1024  # of one row, so that a batch of 10,000 rows has some 100 MB

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        bitmap = np.frombuffer(self.filter.value, np.uint8)
        steps = self.settings.steps()
        held: list[tuple[NDArray[Any], ...]] = []
        count = 0
        for batch in batches:
            texts = texts_of(batch.column("body"))
            content = steps.sketch(here(), texts, 40)[0]
            shingles, offsets = steps.shingle_sets(here(), texts)
            at = shingles >> np.uint32(32 - self.bits)
            chosen = bitmap[at >> 3] >> (at & 7).astype(np.uint8) & 1 > 0
            t = np.repeat((content ^ SIGN).view(np.int64), np.diff(offsets))[chosen]
            held.append((t, shingles[chosen]))
            count += len(t)
            if count >= self.HELD:
                yield from self.rows(*map(np.concatenate, zip(*held, strict=True)))
                held, count = [], 0
        if count:
            yield from self.rows(*map(np.concatenate, zip(*held, strict=True)))

    def rows(self, t: NDArray[np.int64], shingles: NDArray[np.uint32]) -> Iterator[Any]:
        """For shingles beside the text of each, texts adjacent."""
        part = (shingles.astype(np.uint64) * np.uint64(self.parts) >> np.uint64(32)).astype(np.uint16)
        order = np.argsort(part, kind="stable")  # of short numbers: in linear time
        part, t, shingles = part[order], t[order], shingles[order]
        begins, of_text, first = runs(part, t, self.ROW)
        texts = np.zeros(len(of_text), RUN)
        texts["t"], texts["count"] = t[of_text], np.diff(np.append(of_text, len(t)))
        yield from slices(batch_of(part=part[begins].astype(np.int32), texts=binaries(texts, first),
                                   shingles=binaries(shingles, np.append(begins, len(part)))), 1 << 12)


@dataclass(frozen=True)
class Holders:
    """Rows of Shingles, those of a part side by side -> (s, t) of shingles that `least` texts and more hold, each once."""

    least: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for table in groups_of(batches, "part", 1):
            s, t = _leitong.shingle_holders(*shingles_of([table]), self.least)
            yield from slices(batch_of(s=s.view(np.int32), t=t))


def shingles_of(tables: list[Any]) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]:
    """Texts of rows of Shingles, how many of the shingles each of them has, and the shingles."""
    texts = np.concatenate([values_of(table.column("texts"), RUN) for table in tables])
    shingles = np.concatenate([values_of(table.column("shingles"), np.uint32) for table in tables])
    return np.ascontiguousarray(texts["t"]), texts["count"].astype(np.uint32), shingles


class Templates:
    """Shingles with the families and texts that hold them -> are they templates?"""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            families, texts = (numbers(batch, n).astype(np.uint64) for n in ("families", "texts"))
            flags = _leitong.are_templates(families, texts)
            yield batch_of(s=batch.column("s"), families=batch.column("families"), is_template=flags > 0)


@dataclass(frozen=True)
class Bare:
    """Texts with their templates -> those that are little but template, in a corpus of so many texts."""

    settings: Settings
    corpus: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        steps = self.settings.steps()
        for batch in batches:
            templates, offsets = flat(batch.column("templates"))
            flags = steps.bare_texts(here(), texts_of(batch.column("body")), templates.view(np.uint32), offsets, self.corpus)
            yield batch_of(t=numbers(batch, "t")[flags > 0])
