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
from ._linking import Entries, Linking
from ._question import asked_texts, between_families, families_of, works
from ._rows import ASIDE, SAME_WORK, Settings, batch_of, local_folder, numbers, pyarrow, slices
from ._tables import CANDIDATE, PAIR, Longs, best_candidates, best_pairs, components, find, is_in
from ._tasks import Judge, compared, pair_rows

#: Kinds of rows that go in: pairs, (key, text) of hot keys, texts of these.
PAIRS, HOT, COMMON = range(3)
#: Kinds of rows that come out: pairs, texts, and for Question the texts once more, packed.
TEXTS, PACKED = 1, 2

#: A text of pairs: its family (itself, if it has none), its component, and flags. In the order of t.
KIN = np.dtype([("t", "<i8"), ("family", "<i8"), ("block", "<i8"), ("flags", "u1")])
#: It is asked about; it wants common shingles; a pair that is not of one family ends in it.
ASKED, WANTS_COMMON, BETWEEN = _leitong.ASKED, _leitong.WANTS_COMMON, 4
_PACKED = 1 << 15  # of KIN in a row
_BLOCK = 1 << 16  # pairs that are compared with their texts in memory
_OF_COMMON = ("a", "units", "r0", "r1", "l0", "l1", "frame")


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
        pairs, entries = [np.empty(0, PAIR)], [Entries.of(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool))]
        common: dict[str, list[NDArray[Any]]] = {name: [] for name in _OF_COMMON}
        for batch in batches:
            pairs.append(pairs_of([_of_kind(batch, PAIRS)]))
            hot, texts = _of_kind(batch, HOT), _of_kind(batch, COMMON)
            entries.append(Entries.of(numbers(hot, "a"), numbers(hot, "b"), numbers(hot, "frame") > 0))
            if texts.num_rows:
                spool.add(texts.column("body"))
            for name, values in common.items():
                values.append(numbers(texts, name))
        texts_of_hot = _Common(self.settings, self.threads, {n: np.concatenate(c) for n, c in common.items()}, spool.texts())
        all_entries = Entries.joined(entries)
        linking = Linking(self.settings.steps().looks_for_templates, texts_of_hot.t,
                          all_entries.where(is_in(all_entries.t, texts_of_hot.t)), texts_of_hot.compare)
        found, members = linking.link(np.concatenate(pairs))
        order = np.argsort(members["t"])
        t, block = members["t"][order], members["component"][order]
        at, there = find(t, found["a"])
        no = np.zeros(len(found), bool)
        yield from slices(_linked(PAIRS, found, block=block[at] if len(t) else found["a"], wanted=there, family=np.zeros(len(found), np.int64),
                                  has_family=no, common=no))
        yield from slices(_linked(TEXTS, _places(t), block=block, wanted=np.ones(len(t), bool), family=members["family"][order],
                                  has_family=members["has_family"][order], common=is_in(t, texts_of_hot.t)))


LINKED = (
    "kind byte, a long, b long, jaccard float, containment float, score float, measure byte, standing byte, block long, wanted boolean, "
    "family long, has_family boolean, common boolean"
)


def _linked(kind: int, pairs: NDArray[np.void], **columns: NDArray[Any]) -> Any:
    return batch_of(
        kind=np.full(len(pairs), kind, np.int8), **{n: np.ascontiguousarray(pairs[n]) for n in PAIR.names or ()}, **columns
    )


class _Common:
    """Texts of hot keys, with the weights of their keys."""

    def __init__(self, settings: Settings, threads: int, of: dict[str, NDArray[Any]], body: Any) -> None:
        order = np.argsort(of["a"])
        self.t, self.of = of["a"][order], {n: values[order] for n, values in of.items() if n != "a"}
        self.place, self.body = order, body
        self.settings, self.here = settings, session(threads=threads)

    def compare(self, stars: dict[str, Any]) -> NDArray[np.void]:
        given = dict(stars)
        for end in ("a", "b"):
            at, _ = find(self.t, stars[end])
            given |= {f"{n}_{end}": values[at] for n, values in self.of.items()} | {f"common_{end}": np.ones(len(at), bool)}
        candidates = [np.empty(0, CANDIDATE)]
        for batch in Judge(self.settings)(slices(batch_of(**given), 1 << 18)):
            some = np.zeros(batch.num_rows, CANDIDATE)
            for name in CANDIDATE.names or ():
                some[name] = numbers(batch, name)
            candidates.append(some)
        best = best_candidates(np.concatenate(candidates))
        best = best[np.lexsort((best["a"], best["b"]))]
        found = [np.empty(0, PAIR)]
        for begin in range(0, len(best), _BLOCK):
            some = best[begin : begin + _BLOCK]
            t = np.unique(np.concatenate([some["a"], some["b"]]))
            at, _ = find(self.t, t)
            body = self.body.take(pyarrow().array(self.place[at]))
            rows = pair_rows(t, compared(self.settings, self.here, t, body, {n: some[n] for n in CANDIDATE.names or ()}))
            made = np.zeros(len(rows["a"]), PAIR)
            for name, values in rows.items():
                made[name] = values
            found.append(made)
        return np.concatenate(found)


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

