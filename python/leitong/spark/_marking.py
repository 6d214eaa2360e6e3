"""Shingles counted by tasks that know the families: rows of Shingles become marks of the texts in question without another shuffle."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._question import counted
from ._rows import MARK, batch_of, begins_of, binaries, groups_of, numbers, pyarrow, values_of
from ._shingles import holders_of
from ._single import ASKED, BETWEEN, KIN, WANTS_COMMON
from ._tables import Longs, find

#: Kinds of rows: shingles with the texts that may share a family, and marks.
HELD, MARKS = range(2)
COUNTED = "kind byte, bin int, packed binary, members binary, dense boolean"

#: A shingle that so many texts of KIN hold, and so many others, each of which is a family of its own.
_HEAD = np.dtype([("s", "<u4"), ("outside", "<u4"), ("count", "<u4")])
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
        for table in groups_of(batches, "part", 1):
            s, number, t = holders_of(table, _leitong.COMMON_FAMILIES)
            begins = begins_of(s)
            if not len(begins):
                continue
            place, is_kin = find(kin["t"], t)
            at, there = place[number], is_kin[number]
            flags = np.where(is_kin, kin["flags"][place], 0).astype(np.uint8)[number] if len(kin) else np.zeros(len(s), np.uint8)
            texts = np.diff(np.append(begins, len(s)))
            any_flag = np.bitwise_or.reduceat(flags, begins)
            # Shingles that are left out have no marks, whichever families are joined.
            kept = (any_flag & ASKED > 0) & ((any_flag & WANTS_COMMON > 0) | (texts >= _leitong.TEMPLATE_FAMILIES))
            inside = np.add.reduceat(there.astype(np.int64), begins)
            heads = np.zeros(int(kept.sum()), _HEAD)
            heads["s"], heads["count"], heads["outside"] = s[begins[kept]], inside[kept], (texts - inside)[kept]
            members = at[there & np.repeat(kept, texts)].astype(np.uint32)
            rows, known = _marks(kin, heads, members)
            yield from _packed_marks(rows, self.bins)
            chosen = np.repeat(known, heads["count"])
            yield from _held(heads[known], members[chosen], len(kin))


@dataclass(frozen=True)
class Recount:
    """Rows of HELD -> rows of MARKS, with other families."""

    kin: Any
    bins: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        kin = np.frombuffer(self.kin.value, KIN)
        for batch in batches:
            heads = values_of(batch.column("packed"), _HEAD)
            members: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
            for packed, dense in zip(batch.column("members"), numbers(batch, "dense"), strict=True):
                of = np.frombuffer(packed.as_buffer(), np.uint8)
                members.append(np.flatnonzero(np.unpackbits(of)).astype(np.uint32) if dense else of.view(np.uint32))
            yield from _packed_marks(_marks(kin, heads, np.concatenate(members))[0], self.bins)


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


def _marks(
    kin: NDArray[np.void], heads: NDArray[np.void], members: NDArray[np.uint32]
) -> tuple[NDArray[np.void], NDArray[np.bool_]]:
    """The marks of texts in question; and which shingles have any."""
    number = np.repeat(np.arange(len(heads)), heads["count"])
    flags = kin["flags"][members]
    wants = flags & WANTS_COMMON > 0
    families, is_template, known = counted(number, kin["family"][members], wants, heads["outside"].astype(np.int64))
    rows = np.flatnonzero((flags & ASKED > 0) & known[number] & (is_template[number] | wants)) if len(heads) else np.empty(0, np.int64)
    made = np.zeros(len(rows), _PLACED)
    of = number[rows]
    made["t"], made["block"] = kin["t"][members[rows]], kin["block"][members[rows]]
    made["s"], made["families"], made["is_template"] = heads["s"][of], families[of], is_template[of]
    return made, known


_PLACED = np.dtype([*((name, MARK[name]) for name in MARK.names or ()), ("block", "<i8")])


def _packed_marks(marks: NDArray[np.void], bins: int) -> Iterator[Any]:
    made = np.zeros(len(marks), MARK)
    for name in MARK.names or ():
        made[name] = marks[name]
    yield from _by_bins(made, np.mod(marks["block"], bins))


def _by_bins(marks: NDArray[np.void], bins: Longs) -> Iterator[Any]:
    order = np.argsort(bins, kind="stable")
    marks, bins = marks[order], bins[order]
    begins = begins_of(bins, np.arange(len(bins)) // _MARKS_OF_A_ROW)
    packed = binaries(marks, np.append(begins, len(bins)))
    yield _row(MARKS, bins[begins], packed, pyarrow().nulls(len(packed), pyarrow().binary()), np.zeros(len(packed), bool))


def _held(heads: NDArray[np.void], members: NDArray[np.uint32], texts: int) -> Iterator[Any]:
    """Whole shingles: some in a row, or one that many texts hold."""
    ends = np.cumsum(heads["count"], dtype=np.int64)
    large = heads["count"] > max(texts // _DENSE, _ROW)
    # A row begins when the previous one is full, and before and after a large one.
    begins = begins_of((ends - heads["count"]) // _ROW, np.cumsum(large | np.roll(large, 1)))
    packed, lists, dense = [], [], []
    for first, last in pairwise([*begins.tolist(), len(heads)]):
        some = members[ends[first] - heads["count"][first] : ends[last - 1]]
        is_dense = bool(large[first]) and last - first == 1
        packed.append(heads[first:last].tobytes())
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
