"""The work of one task on all pairs of a corpus, if it can hold them: links families, finds components, and determines which texts
are in question. Otherwise joins do the same (_families.py, _templates.py), with a job for each round."""
from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from .._session import session
from ._linking import linked
from ._question import asked_texts, between_families, families_of, works
from ._rows import ASIDE, SAME_WORK, WEIGHT, Settings, batch_of, local_folder, numbers, pyarrow, slices, texts_of
from ._tables import PAIR, Longs, best_pairs, components, find, is_in

#: Kinds of rows that go in: pairs, (key, text) of hot keys, texts of these.
PAIRS, HOT, COMMON = range(3)
#: Kinds of rows that come out: pairs, texts, and for Question the texts once more, packed.
TEXTS, PACKED = 1, 2

#: A text of pairs: its family (itself, if it has none), its component, and flags. In the order of t.
KIN = np.dtype([("t", "<i8"), ("family", "<i8"), ("block", "<i8"), ("flags", "u1")])
#: It is asked about; it wants common shingles; a pair that is not of one family ends in it.
ASKED, WANTS_COMMON, BETWEEN = _leitong.ASKED, _leitong.WANTS_COMMON, 4
_PACKED = 1 << 15  # of KIN in a row
_OF_COMMON = ("a", "r0", "r1", "l0", "l1", "frame")


def pairs_of(batches: Iterable[Any]) -> NDArray[np.void]:
    held = [np.empty(0, PAIR)]
    for batch in batches:
        some = np.zeros(batch.num_rows, PAIR)
        for name in PAIR.names or ():
            some[name] = numbers(batch, name)
        held.append(some)
    return np.concatenate(held)


def _places(values: Longs) -> NDArray[np.void]:
    """Rows of PAIR with these as `a`, for what travels beside pairs."""
    made = np.zeros(len(values), PAIR)
    made["a"] = values
    return made


def _of_kind(batch: Any, kind: int) -> Any:
    return batch.filter(pyarrow().array(numbers(batch, "kind") == kind))


class Spool:
    """Texts on the task's disk, read without a copy."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(dir=local_folder())
        self._writer: Any = None

    def add(self, body: Any) -> None:
        pa = pyarrow()
        self._writer = self._writer or pa.ipc.new_stream(self._file, pa.schema([pa.field("body", body.type)]))
        self._writer.write_batch(pa.record_batch([body], names=["body"]))

    def texts(self) -> Any:
        pa = pyarrow()
        if self._writer is None:
            return pa.chunked_array([pa.array([], pa.string())])
        self._writer.close()
        self._file.flush()
        mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return pa.ipc.open_stream(pa.py_buffer(mapped)).read_all().column("body")


@dataclass(frozen=True)
class Link:
    """Rows of PAIRS, HOT and COMMON -> pairs with the links of large families, and the texts of components that will be completed."""

    settings: Settings
    threads: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        spool = Spool()
        pairs, key, holder = [np.empty(0, PAIR)], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        of: dict[str, list[NDArray[Any]]] = {name: [np.empty(0, np.int64)] for name in _OF_COMMON}
        for batch in batches:
            pairs.append(pairs_of([_of_kind(batch, PAIRS)]))
            hot, texts = _of_kind(batch, HOT), _of_kind(batch, COMMON)
            key.append(numbers(hot, "a"))
            holder.append(numbers(hot, "b"))
            if texts.num_rows:
                spool.add(texts.column("body"))
            for name, values in of.items():
                values.append(numbers(texts, name))
        columns = {name: np.concatenate(values) for name, values in of.items()}
        common = columns["a"]
        found, members = linked(
            self.settings, session(threads=self.threads), np.concatenate(pairs), common, _weights(columns), texts_of(spool.texts()),
            np.concatenate(key), np.concatenate(holder),
        )
        order = np.argsort(members["t"])
        t, block = members["t"][order], members["component"][order]
        at, there = find(t, found["a"])
        no = np.zeros(len(found), bool)
        yield from slices(_linked(PAIRS, found, block=block[at] if len(t) else found["a"], wanted=there, family=np.zeros(len(found), np.int64),
                                  has_family=no, common=no))
        yield from slices(_linked(TEXTS, _places(t), block=block, wanted=np.ones(len(t), bool), family=members["family"][order],
                                  has_family=members["has_family"][order], common=is_in(t, common)))


def _weights(of: dict[str, NDArray[Any]]) -> NDArray[np.void]:
    """Of common texts."""
    made = np.zeros(len(of["frame"]), WEIGHT)
    for tier in (0, 1):
        made["rarity"][:, tier], made["last_class"][:, tier] = of[f"r{tier}"], of[f"l{tier}"]
    made["common"], made["frame"] = 1, of["frame"]
    return made


LINKED = (
    "kind byte, a long, b long, jaccard float, containment float, score float, measure byte, standing byte, block long, wanted boolean, "
    "family long, has_family boolean, common boolean"
)


def _linked(kind: int, pairs: NDArray[np.void], **columns: NDArray[Any]) -> Any:
    return batch_of(
        kind=np.full(len(pairs), kind, np.int8), **{n: np.ascontiguousarray(pairs[n]) for n in PAIR.names or ()}, **columns
    )


QUESTION = (
    "kind byte, a long, b long, jaccard float, containment float, score float, measure byte, standing byte, block long, "
    "in_question boolean, between boolean, packed binary"
)


@dataclass(frozen=True)
class Question:
    """All pairs -> each once, with its component; the texts of pairs; and these once more, packed, where shingles are asked about."""

    templates: bool

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        pairs = best_pairs(pairs_of(batches))
        t, component = components(pairs)
        of, family = works(pairs) if self.templates else (t[:0], t[:0])
        between = between_families(pairs, of, family) & (pairs["standing"] != ASIDE) & self.templates
        asked, wants = t[:0], np.empty(0, bool)
        if self.templates:
            asked, wants = asked_texts(pairs, t, component, between_families(pairs, of, family))
        at, _ = find(t, pairs["a"])
        no = np.zeros(len(pairs), bool)
        yield from slices(_rows(PAIRS, pairs, component[at] if len(t) else t, no, between))
        in_question = is_in(t, asked)
        ends = is_in(t, np.concatenate([pairs["a"][between], pairs["b"][between]]))
        yield from slices(_rows(TEXTS, _places(t), component, in_question, ends))
        if len(asked):
            kin = kin_of(t, component, of, family)
            kin["flags"] = in_question * ASKED + is_in(t, asked[wants]) * WANTS_COMMON + ends * BETWEEN
            yield from packed_kin(kin)


def kin_of(t: Longs, component: Longs, of: Longs, family: Longs) -> NDArray[np.void]:
    kin = np.zeros(len(t), KIN)
    kin["t"], kin["block"], kin["family"] = t, component, families_of(t, of, family)
    return kin


def packed_kin(kin: NDArray[np.void]) -> Iterator[Any]:
    """Rows of QUESTION."""
    pa = pyarrow()
    begins = range(0, len(kin), _PACKED)
    no = np.zeros(len(begins), bool)
    rows = pa.array([kin[begin : begin + _PACKED].tobytes() for begin in begins], pa.binary())
    yield _rows(PACKED, _places(np.arange(len(begins))), np.zeros(len(begins), np.int64), no, no, rows)


def _rows(kind: int, pairs: NDArray[np.void], block: Longs, in_question: NDArray[Any], between: NDArray[Any], packed: Any = None) -> Any:
    pa = pyarrow()
    return batch_of(
        kind=np.full(len(pairs), kind, np.int8), **{n: np.ascontiguousarray(pairs[n]) for n in PAIR.names or ()}, block=block,
        in_question=in_question, between=between, packed=pa.nulls(len(pairs), pa.binary()) if packed is None else packed,
    )


@dataclass(frozen=True)
class Kin:
    """Pairs (of works, or between families) and the bare texts (kind 1) -> the families, where similar texts that are template and
    little else are one, as rows (number, packed)."""

    kin: Any  # a broadcast: bytes of KIN

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        pairs, bare = [np.empty(0, PAIR)], [np.empty(0, np.int64)]
        for batch in batches:
            pairs.append(pairs_of([_of_kind(batch, PAIRS)]))
            bare.append(numbers(_of_kind(batch, TEXTS), "a"))
        all_pairs, texts = np.concatenate(pairs), np.concatenate(bare)
        joined = is_in(all_pairs["a"], texts) & is_in(all_pairs["b"], texts) & (all_pairs["standing"] != ASIDE)
        of, family = components(all_pairs[joined | (all_pairs["standing"] == SAME_WORK)])
        before = np.frombuffer(self.kin.value, KIN)
        kin = kin_of(before["t"], before["block"], of, family)
        kin["flags"] = before["flags"]
        for batch in packed_kin(kin):
            yield batch.select(["a", "packed"])

