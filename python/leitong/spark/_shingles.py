"""The tasks on shingles: which texts hold the wanted ones, and which of these are templates."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import Settings, batch_of, binaries, flat, groups_of, here, numbers, numbers_of, pyarrow, slices, texts_of, values_of


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
            steps.add_to_filter(here(), texts_of(batch.column("body")), bitmap)
        piece = min(self.PIECE, len(bitmap))
        for number, begin in enumerate(range(0, len(bitmap), piece)):
            some = bitmap[begin : begin + piece]
            if some.any():
                yield batch_of(piece=np.array([number], np.int32), bitmap=pyarrow().array([some.tobytes()]))


#: A text beside so many of its shingles, or keys, which follow each other.
RUN = np.dtype([("t", "<i8"), ("count", "<u2"), ("long", "u1")])


def packed_runs(t: NDArray[np.int64], counts: NDArray[np.uint32], long: Any = 0) -> NDArray[np.void]:
    """Structs of RUN."""
    made = np.zeros(len(t), RUN)
    made["t"], made["count"], made["long"] = t, counts, long
    return made


@dataclass(frozen=True)
class Shingles:
    """Texts -> rows (part, texts, shingles) of those shingles that the filter lets through, by parts of equal ranges of them: `texts`
    are packed structs of RUN. So few rows travel, and not one for each shingle."""

    settings: Settings
    filter: Any  # a broadcast bitmap
    parts: int
    HELD = 1 << 26  # bytes of texts that are processed at once
    ROW = 1024  # shingles of one row, so that a batch of 10,000 rows has some 100 MB

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        held: list[Any] = []
        for batch in batches:
            held.append(batch.column("body"))
            if sum(body.nbytes for body in held) >= self.HELD:
                yield from self._rows(held)
                held = []
        if held:
            yield from self._rows(held)

    def _rows(self, bodies: list[Any]) -> Iterator[Any]:
        bitmap = np.frombuffer(self.filter.value, np.uint8)
        texts = texts_of(pyarrow().chunked_array(bodies))
        content, packets = self.settings.steps().wanted_shingles(here(), texts, bitmap, self.parts, self.ROW)
        shingles, of, counts, part, first_text, first = packets
        yield from slices(batch_of(part=part.astype(np.int32), texts=binaries(packed_runs(numbers_of(content)[of], counts), first_text),
                                   shingles=binaries(shingles, first)), 1 << 12)


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
