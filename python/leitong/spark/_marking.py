"""Shingles counted by tasks that know the families: rows of Shingles become marks of the texts in question without another shuffle."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import HELD_SHINGLE, MARK, SHINGLE, batch_of, begins_of, binaries, groups_of, numbers, pyarrow, to_bytes, values_of
from ._shingles import shingles_of
from ._single import BETWEEN, KIN
from ._tables import Longs, find

#: Kinds of rows: shingles with the texts that may share a family, and marks.
HELD, MARKS = range(2)
COUNTED = "kind byte, bin int, packed binary, members binary, dense boolean"

_ROW = 2048  # texts of one row, so that a batch of 10,000 rows has 80 MB
_MARKS_OF_A_ROW = 400
_DENSE = 32  # a shingle of a 32nd of all texts is a bitmap of them


@dataclass(frozen=True)
class Count:
    """Rows of Shingles, those of a part adjacent -> rows of HELD and MARKS."""

    kin: Any  # a broadcast: bytes of KIN
    bins: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        kin = np.frombuffer(self.kin.value, KIN)
        known = _known(kin)
        for table in groups_of(batches, "part", 1):
            held, members, marks = _leitong.count_range(*shingles_of([table]), *known)
            yield from _packed_marks(kin, marks, self.bins)
            yield from _held(held.view(HELD_SHINGLE), members, len(kin))


@dataclass(frozen=True)
class Recount:
    """Rows of HELD -> rows of MARKS, with other families."""

    kin: Any
    bins: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        kin = np.frombuffer(self.kin.value, KIN)
        known = _known(kin)
        for batch in batches:
            held = values_of(batch.column("packed"), HELD_SHINGLE)
            members: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
            for packed, dense in zip(batch.column("members"), numbers(batch, "dense"), strict=True):
                of = np.frombuffer(packed.as_buffer(), np.uint8)
                members.append(np.flatnonzero(np.unpackbits(of)).astype(np.uint32) if dense else of.view(np.uint32))
            yield from _packed_marks(kin, _leitong.mark_range(to_bytes(held), np.concatenate(members), *known), self.bins)


@dataclass(frozen=True)
class TemplatesOfTexts:
    """Rows of MARKS -> (t, s) of the templates of texts in which a pair between families ends."""

    kin: Any

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        kin = np.frombuffer(self.kin.value, KIN)
        for batch in batches:
            marks = values_of(batch.column("packed"), MARK)
            marks = marks[marks["is_template"] > 0]
            at, _ = find(kin["t"], np.ascontiguousarray(marks["t"]))
            marks = marks[kin["flags"][at] & BETWEEN > 0]
            yield batch_of(t=np.ascontiguousarray(marks["t"]), s=np.ascontiguousarray(marks["s"]).view(np.int32))


@dataclass(frozen=True)
class PackMarks:
    """(bin, t, s, families, is_template) -> rows of MARKS."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            marks = np.zeros(batch.num_rows, MARK)
            for name, of in (("t", np.int64), ("s", np.int32), ("families", np.int32), ("is_template", np.bool_)):
                values = numbers(batch, name).astype(of)
                marks[name] = values.view(np.uint32) if name == "s" else values
            yield from _by_bins(marks, numbers(batch, "bin").astype(np.int64))


def _known(kin: NDArray[np.void]) -> tuple[NDArray[Any], ...]:
    return tuple(np.ascontiguousarray(kin[name]) for name in ("t", "family", "flags"))


def _packed_marks(kin: NDArray[np.void], marks: NDArray[np.uint8], bins: int) -> Iterator[Any]:
    """`marks`: structs of SHINGLE."""
    of = marks.view(SHINGLE)
    made = np.zeros(len(of), MARK)
    made["t"], made["s"], made["families"], made["is_template"] = kin["t"][of["text"]], of["shingle"], of["families"], of["is_template"]
    yield from _by_bins(made, np.mod(kin["block"][of["text"]], bins))


def _by_bins(marks: NDArray[np.void], bins: Longs) -> Iterator[Any]:
    order = np.argsort(bins, kind="stable")
    marks, bins = marks[order], bins[order]
    begins = begins_of(bins, np.arange(len(bins)) // _MARKS_OF_A_ROW)
    packed = binaries(marks, np.append(begins, len(bins)))
    yield _row(MARKS, bins[begins], packed, pyarrow().nulls(len(packed), pyarrow().binary()), np.zeros(len(packed), bool))


def _held(held: NDArray[np.void], members: NDArray[np.uint32], texts: int) -> Iterator[Any]:
    """Whole shingles: some in a row, or one that many texts hold."""
    ends = np.cumsum(held["count"], dtype=np.int64)
    large = held["count"] > max(texts // _DENSE, _ROW)
    # A row begins when the previous one is full, and before and after a large one.
    begins = begins_of((ends - held["count"]) // _ROW, np.cumsum(large | np.roll(large, 1)))
    packed, lists, dense = [], [], []
    for first, last in pairwise([*begins.tolist(), len(held)]):
        some = members[ends[first] - held["count"][first] : ends[last - 1]]
        is_dense = bool(large[first]) and last - first == 1
        packed.append(held[first:last].tobytes())
        if is_dense:
            bits = np.zeros(texts, bool)
            bits[some] = True
            lists.append(np.packbits(bits).tobytes())
        else:
            lists.append(np.ascontiguousarray(some).tobytes())
        dense.append(is_dense)
    pa = pyarrow()
    yield _row(HELD, np.zeros(len(packed), np.int64), pa.array(packed, pa.binary()), pa.array(lists, pa.binary()), np.array(dense, bool))


def _row(kind: int, bins: Longs, packed: Any, members: Any, dense: NDArray[np.bool_]) -> Any:
    return batch_of(kind=np.full(len(bins), kind, np.int8), bin=bins.astype(np.int32), packed=packed, members=members, dense=dense)
