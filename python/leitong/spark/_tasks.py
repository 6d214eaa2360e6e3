"""What the tasks do: each class is a function on batches for mapInArrow, with its settings, that executors import by
name."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import (
    ASIDE, COMPARED, EVIDENCE, HOLDER, SHINGLE, SIGN, TALLY, TO_COMPARE, WEIGHT, Settings, batch_of, groups_of, here, lists, numbers,
    pyarrow, slices, texts_of, to_bytes,
)

HOT = _leitong.HOT_KEY
WEIGHTS = np.array(_leitong.key_weights(), np.int64)
CLASSES = np.array(_leitong.key_classes(), np.int64)


@dataclass(frozen=True)
class Sketch:
    """Texts -> what the search goes by. Columns other than body are passed on."""

    settings: Settings
    key_bits: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        steps = self.settings.steps()
        for batch in batches:
            texts = texts_of(batch.column("body"))
            content, check, units, short, sets, keys, offsets = steps.sketch(here(), texts, self.key_bits)
            passed = {n: batch.column(n) for n in batch.schema.names if n != "body"}
            yield batch_of(
                **passed, t=(content ^ SIGN).view(np.int64), check=check.view(np.int64), units=units.view(np.int32),
                short=short.view(np.int32), n=np.diff(offsets).astype(np.int32), sets=sets.view(np.int64),
                keys=lists(keys.view(np.int64), offsets),
            )


class Group:
    """Entries (key, text), sorted -> a row for each key that texts share, and several for a hot one, each with its two
    leaders. Memory does not grow with a key's texts."""

    CHUNK = 4096

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        key, t, long = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool)
        leaders: tuple[NDArray[np.int64], NDArray[np.bool_]] | None = None  # of the first key, whose texts are passed on
        for batch in chain(batches, [None]):
            if batch is not None:
                key = np.concatenate([key, numbers(batch, "key")])
                t = np.concatenate([t, numbers(batch, "t")])
                long = np.concatenate([long, numbers(batch, "long")])
            if not len(key):
                continue
            fresh = np.ones(len(key), bool)
            fresh[1:] = (key[1:] != key[:-1]) | (t[1:] != t[:-1])  # not the copy of a text
            key, t, long = key[fresh], t[fresh], long[fresh]
            begins = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
            ends = np.append(begins[1:], len(key))
            rest = len(key)
            if batch is not None:  # the last key may go on
                rest, begins, ends = int(begins[-1]), begins[:-1], ends[:-1]
            yield from self._rows(key, t, long, begins, ends, leaders)
            if rest:
                leaders = None
            key, t, long = key[rest:], t[rest:], long[rest:]
            if len(key) > self.CHUNK:
                leaders = leaders or (t[:2], long[:2])
                yield self._hot(key[0], t[:-1], long[:-1], leaders)
                key, t, long = key[-1:], t[-1:], long[-1:]

    def _rows(self, key: Any, t: Any, long: Any, begins: Any, ends: Any, open_leaders: Any) -> Iterator[Any]:
        sizes = ends - begins
        hot = sizes > HOT
        if open_leaders and len(begins):
            hot[0] = True
        for at in np.flatnonzero(hot):
            of = slice(begins[at], ends[at])
            leaders = open_leaders if open_leaders and at == 0 else (t[of][:2], long[of][:2])
            for begin in range(of.start, of.stop, self.CHUNK):
                part = slice(begin, min(begin + self.CHUNK, of.stop))
                yield self._hot(key[part.start], t[part], long[part], leaders)
        shared = ~hot & (sizes > 1)
        if not shared.any():
            return
        within = np.zeros(len(key) + 1, np.int64)
        np.add.at(within, begins[shared], 1)
        np.add.at(within, ends[shared], -1)
        chosen = np.cumsum(within[:-1]) > 0
        offsets = np.concatenate([[0], np.cumsum(sizes[shared])])
        n = int(shared.sum())
        none = np.zeros(n + 1, np.int64)
        yield batch_of(key=key[begins[shared]], hot=np.zeros(n, bool), texts=lists(t[chosen], offsets),
                       long=lists(long[chosen], offsets), leaders=lists(np.empty(0, np.int64), none),
                       leaders_long=lists(np.empty(0, bool), none))

    @staticmethod
    def _hot(key: Any, t: Any, long: Any, leaders: Any) -> Any:
        ends, two = np.array([0, len(t)]), np.array([0, len(leaders[0])])
        return batch_of(key=np.array([key]), hot=np.array([True]), texts=lists(t, ends), long=lists(long, ends),
                        leaders=lists(leaders[0], two), leaders_long=lists(leaders[1], two))


def _flat(column: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The values of an array of lists, and where each list begins."""
    offsets = column.offsets.to_numpy().astype(np.int64)
    values = column.values.to_numpy(zero_copy_only=False)[offsets[0] : offsets[-1]]
    return values, offsets - offsets[0]


class Pairs:
    """Rows of Group -> what each key says of pairs: led, leader, weights by class (two in a long), stars."""

    MOST = 1 << 18  # pairs of one batch

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            hot = numbers(batch, "hot")
            tier = (numbers(batch, "key") & 1).astype(bool)
            for chosen in (np.flatnonzero(~hot), np.flatnonzero(hot)):
                if not len(chosen):
                    continue
                part = batch.take(pyarrow().array(chosen))
                yield from (self._stars if hot[chosen[0]] else self._shared)(part, tier[chosen])

    def _shared(self, batch: Any, tier: NDArray[np.bool_]) -> Iterator[Any]:
        texts, begins = _flat(batch.column("texts"))
        long, _ = _flat(batch.column("long"))
        sizes = np.diff(begins)
        for df in np.unique(sizes):
            of = np.flatnonzero(sizes == df)
            first, second = np.triu_indices(int(df), 1)
            step = max(1, self.MOST // len(first))
            for begin in range(0, len(of), step):
                some = of[begin : begin + step]
                at = begins[some][:, None]
                leader, led = at + first, at + second  # ascending, so that the first leads
                meet = ~tier[some][:, None] | long[leader] | long[led]
                lane, shift = divmod(int(CLASSES[df]), 2)
                weight = int(WEIGHTS[df]) << (32 * shift)
                count = int(meet.sum())
                yield batch_of(
                    a=texts[led[meet]], b=texts[leader[meet]],
                    **{f"e{i}": np.full(count, weight if i == lane else 0, np.int64) for i in range(3)},
                    stars=np.zeros(count, np.int64),
                )

    @staticmethod
    def _stars(batch: Any, tier: NDArray[np.bool_]) -> Iterator[Any]:
        texts, begins = _flat(batch.column("texts"))
        long, _ = _flat(batch.column("long"))
        leaders, from_ = _flat(batch.column("leaders"))
        leaders_long, _ = _flat(batch.column("leaders_long"))
        for i in range(batch.num_rows):
            t, is_long = texts[begins[i] : begins[i + 1]], long[begins[i] : begins[i + 1]]
            for leader, leader_long in zip(leaders[from_[i] : from_[i + 1]], leaders_long[from_[i] : from_[i + 1]], strict=True):
                led = t[(t > leader) & (~tier[i] | is_long | leader_long)]
                zero = np.zeros(len(led), np.int64)
                yield batch_of(a=led, b=np.full(len(led), leader), e0=zero, e1=zero, e2=zero, stars=zero + 1)


def _halves(lanes: list[NDArray[np.int64]]) -> NDArray[np.uint32]:
    """Sums that share longs, two in each."""
    return np.stack([lane.view(np.uint64) for lane in lanes], axis=1).view("<u4")


@dataclass(frozen=True)
class Weigh:
    """Tallies of a text's keys -> what they are worth."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        steps = self.settings.steps()
        for batch in batches:
            short, n = numbers(batch, "short"), numbers(batch, "n")
            tally = np.zeros((batch.num_rows, 2), TALLY)
            for tier in (0, 1):
                sums = _halves([numbers(batch, f"k{tier}"), *(numbers(batch, f"w{tier}{i}") for i in range(3))])
                tally["shared"][:, tier], tally["hot"][:, tier] = sums[:, 0], sums[:, 1]
                tally["weight"][:, tier] = sums[:, 2:]
            all_keys = np.stack([short, n - short], axis=1).astype("<u4")
            made = np.asarray(steps.weigh(to_bytes(all_keys), to_bytes(tally))).view(WEIGHT)
            yield batch_of(
                t=batch.column("t"), units=batch.column("units"),
                r0=made["rarity"][:, 0].astype(np.int64), r1=made["rarity"][:, 1].astype(np.int64),
                l0=made["last_class"][:, 0].astype(np.int8), l1=made["last_class"][:, 1].astype(np.int8),
                common=made["common"].astype(bool), framed=made["framed"].astype(bool),
            )


@dataclass(frozen=True)
class Judge:
    """Evidence of pairs -> those that are worth a comparison."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        steps = self.settings.steps()
        for batch in batches:
            rows = np.zeros(batch.num_rows, EVIDENCE)
            for side, end in ((0, "a"), (1, "b")):
                rows["units"][:, side] = numbers(batch, f"units_{end}")
                weight = rows["weights"][:, side]
                for tier in (0, 1):
                    weight["rarity"][:, tier] = numbers(batch, f"r{tier}_{end}")
                    weight["last_class"][:, tier] = numbers(batch, f"l{tier}_{end}")
                weight["common"] = numbers(batch, f"common_{end}")
                weight["framed"] = numbers(batch, f"framed_{end}")
                rows["weights"][:, side] = weight
            rows["shared"] = _halves([numbers(batch, f"e{i}") for i in range(3)])
            rows["stars"] = numbers(batch, "stars")
            judged = np.asarray(steps.judge(to_bytes(rows))).view(TO_COMPARE)
            worth = judged["worth"] > 0
            a, b = numbers(batch, "a")[worth], numbers(batch, "b")[worth]
            yield batch_of(a=np.maximum(a, b), b=np.minimum(a, b), score=judged["score"][worth],
                           template_only=judged["template_only"][worth] > 0, framed=judged["framed"][worth] > 0)


def _positions(t: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Where each wanted text is; `t` may have any order."""
    order = np.argsort(t, kind="stable")
    at = order[np.minimum(np.searchsorted(t[order], wanted), len(t) - 1)] if len(t) else np.zeros(0, np.int64)
    if len(t) == 0 and len(wanted) or (t[at] != wanted).any():
        raise RuntimeError("a text of a pair did not come with it: the data changed while they were worked on")
    return at.astype(np.uint32)


def _pair_rows(t: NDArray[np.int64], pairs: NDArray[Any]) -> dict[str, NDArray[Any]]:
    a, b = t[pairs["a"]], t[pairs["b"]]
    return {
        "a": np.maximum(a, b), "b": np.minimum(a, b), "jaccard": pairs["jaccard"], "containment": pairs["containment"],
        "score": pairs["score"], "measure": pairs["measure"].astype(np.int8), "standing": pairs["standing"].astype(np.int8),
    }


def _split(table: Any) -> tuple[Any, Any]:
    """The rows of texts, and those of pairs."""
    kind = table.column("kind").to_numpy()
    pa = pyarrow()
    return table.filter(pa.array(kind == 0)), table.filter(pa.array(kind == 1))


def _known_pairs(table: Any, t: NDArray[np.int64]) -> NDArray[Any]:
    pairs = np.zeros(table.num_rows, COMPARED)
    a = _positions(t, table.column("a").to_numpy())
    b = _positions(t, table.column("b").to_numpy())
    pairs["a"], pairs["b"] = np.minimum(a, b), np.maximum(a, b)
    for name in ("jaccard", "containment", "score", "measure", "standing"):
        pairs[name] = table.column(name).to_numpy()
    return pairs


@dataclass(frozen=True)
class Compare:
    """Blocks of texts (kind 0) and pairs of them (kind 1) -> the pairs that the rule accepts or puts aside."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        steps = self.settings.steps()
        for table in groups_of(batches, "block", 1):
            texts, candidates = _split(table)
            t = texts.column("a").to_numpy()
            pairs = np.zeros(candidates.num_rows, TO_COMPARE)
            a, b = (_positions(t, candidates.column(n).to_numpy()) for n in ("a", "b"))
            pairs["a"], pairs["b"] = np.minimum(a, b), np.maximum(a, b)
            for name in ("score", "template_only", "framed"):
                pairs[name] = candidates.column(name).to_numpy()
            found = np.asarray(steps.compare(here(), texts_of(texts.column("body")), to_bytes(pairs))).view(COMPARED)
            yield from slices(batch_of(**_pair_rows(t, found)))


class Unite:
    """Edges -> for each end the least one that they lead to, as far as the edges of one task tell."""

    MOST = 1 << 22  # edges that are held at once

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        held: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        for batch in chain(batches, [None]):
            if batch is not None:
                held.append((numbers(batch, "a"), numbers(batch, "b")))
            if held and (batch is None or sum(len(a) for a, _ in held) >= self.MOST):
                yield from slices(self._united(*(np.concatenate(side) for side in zip(*held, strict=True))))
                held = []

    @staticmethod
    def _united(a: NDArray[np.int64], b: NDArray[np.int64]) -> Any:
        ends, index = np.unique(np.concatenate([a, b]), return_inverse=True)
        x, y = index[: len(a)], index[len(a) :]
        root = np.arange(len(ends))
        while True:  # each takes the least of what its neighbours take, and that one's in turn
            least = root.copy()
            np.minimum.at(least, x, root[y])
            np.minimum.at(least, y, root[x])
            np.minimum.at(least, root, least.copy())
            least = least[least]
            if (least == root).all():
                break
            root = least
        other = root != np.arange(len(ends))
        return batch_of(a=ends[other], b=ends[root[other]])


@dataclass(frozen=True)
class Complete:
    """Components with families: texts (kind 0) and pairs (kind 1) -> all pairs."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        steps = self.settings.steps()
        for table in groups_of(batches, "block", 20_000):
            texts, known = _split(table)
            t = texts.column("a").to_numpy()
            of_family = texts.column("family").to_numpy()
            has_family = texts.column("has_family").to_numpy()
            family = np.full(len(t), _leitong.NO_FAMILY, np.uint32)
            family[has_family] = np.unique(of_family[has_family], return_inverse=True)[1]
            found = np.asarray(
                steps.complete(here(), texts_of(texts.column("body")), texts.column("common").to_numpy().astype(np.uint8),
                               family, to_bytes(_known_pairs(known, t)))
            ).view(COMPARED)
            yield from slices(batch_of(**_pair_rows(t, found)))


@dataclass(frozen=True)
class Settle:
    """Components: texts in the order of their ranks (kind 0) and pairs (kind 1) -> who leaves for whom (kind 0), all pairs
    (kind 1), and which rounds found any (kind 2)."""

    settings: Settings
    corpus: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        steps = self.settings.steps()
        for table in groups_of(batches, "block", 20_000):
            texts, known = _split(table)
            t = texts.column("a").to_numpy()
            common = texts.column("common").to_numpy()
            blocks, members = np.unique(texts.column("block").to_numpy()[common], return_counts=True)
            every_round = bool(len(blocks)) and int(members.max()) > _leitong.LARGE_FAMILY
            pairs = _known_pairs(known, t)
            grew, kept, measures, scores, found = steps.settle(
                here(), texts_of(texts.column("body")), common.astype(np.uint8), np.arange(len(t), dtype=np.uint32),
                texts.column("in_question").to_numpy().astype(np.uint8), to_bytes(self._shingles(texts.column("marks"))),
                to_bytes(pairs), self.corpus, every_round,
            )
            rounds = np.arange(len(grew), dtype=np.int8)
            yield _settled(2, a=np.zeros(len(grew), np.int64), b=grew.astype(np.int64), round=rounds)
            for number, at in enumerate(range(0, len(kept), max(len(t), 1))):
                for_whom = kept[at : at + len(t)]
                left = np.flatnonzero(for_whom != np.arange(len(t)))
                yield from slices(_settled(
                    0, a=t[left], b=t[for_whom[left]], score=scores[at + left], measure=measures[at + left].astype(np.int8),
                    round=np.full(len(left), number if every_round else -1, np.int8),
                ))
            accepted = np.asarray(found).view(COMPARED)
            rows = _pair_rows(t, accepted)
            del rows["standing"]
            yield from slices(_settled(1, **rows, round=accepted["round"].astype(np.int8)))

    @staticmethod
    def _shingles(column: Any) -> NDArray[Any]:
        """Of the marks of texts, (shingle, families, is_template) each; null where there are none."""
        column = column.combine_chunks()
        counts = np.diff(column.offsets.to_numpy()) if len(column) else np.empty(0, np.int64)
        values = column.flatten()
        counts = np.where(column.is_null().to_numpy(zero_copy_only=False), 0, counts)
        shingles = np.zeros(len(values), SHINGLE)
        shingles["text"] = np.repeat(np.arange(len(counts)), counts)
        if len(values):
            shingles["shingle"] = values.field("s").to_numpy().view(np.uint32)
            shingles["families"] = values.field("families").to_numpy()
            shingles["is_template"] = values.field("is_template").to_numpy(zero_copy_only=False)
        return shingles


def _settled(kind: int, **columns: NDArray[Any]) -> Any:
    n = len(columns["a"])
    empty = {"jaccard": np.float32, "containment": np.float32, "score": np.float32, "measure": np.int8}
    return batch_of(
        kind=np.full(n, kind, np.int8), a=columns["a"], b=columns["b"],
        **{name: columns.get(name, np.zeros(n, kind_of)) for name, kind_of in empty.items()}, round=columns["round"],
    )


@dataclass(frozen=True)
class ShingleFilter:
    """Texts -> 64 KiB pieces of a bitmap of their shingles, by the first bits."""

    bits: int
    PIECE = 1 << 16  # bytes

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        bitmap = np.zeros((1 << self.bits) // 8, np.uint8)
        for batch in batches:
            shingles, _ = _leitong.shingle_sets(here(), texts_of(batch.column("body")))
            at = shingles >> np.uint32(32 - self.bits)
            np.bitwise_or.at(bitmap, at >> 3, np.uint8(1) << (at & 7).astype(np.uint8))
        piece = min(self.PIECE, len(bitmap))
        for number, begin in enumerate(range(0, len(bitmap), piece)):
            some = bitmap[begin : begin + piece]
            if some.any():
                yield batch_of(piece=np.array([number], np.int32), bitmap=pyarrow().array([some.tobytes()]))


@dataclass(frozen=True)
class Shingles:
    """Texts -> rows (part, holders) of those shingles that the filter lets through, by parts of equal ranges of them: `holders`
    are packed structs of HOLDER. So few rows travel, and not one for each shingle."""

    settings: Settings
    filter: Any  # a broadcast bitmap
    bits: int
    parts: int
    HELD = 1 << 22  # holders that are sorted at once
    ROW = 512  # holders of one row, so that a batch of 10,000 rows has 60 MB

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        bitmap = np.frombuffer(self.filter.value, np.uint8)
        steps = self.settings.steps()
        held: list[NDArray[Any]] = []
        count = 0
        for batch in batches:
            texts = texts_of(batch.column("body"))
            content = steps.sketch(here(), texts, 40)[0]
            shingles, offsets = _leitong.shingle_sets(here(), texts)
            at = shingles >> np.uint32(32 - self.bits)
            chosen = bitmap[at >> 3] >> (at & 7).astype(np.uint8) & 1 > 0
            holders = np.empty(int(chosen.sum()), HOLDER)
            holders["s"] = shingles[chosen]
            holders["t"] = np.repeat((content ^ SIGN).view(np.int64), np.diff(offsets))[chosen]
            held.append(holders)
            count += len(holders)
            if count >= self.HELD:
                yield from self._rows(np.concatenate(held))
                held, count = [], 0
        if count:
            yield from self._rows(np.concatenate(held))

    def _rows(self, holders: NDArray[Any]) -> Iterator[Any]:
        part = (holders["s"].astype(np.uint64) * np.uint64(self.parts) >> np.uint64(32)).astype(np.uint32)
        order = _order(part)
        holders, part = holders[order], part[order]
        first = np.flatnonzero(np.concatenate([[True], part[1:] != part[:-1]]))
        lengths = np.diff(np.append(first, len(part)))
        # Each part is cut into rows.
        rows = -(-lengths // self.ROW)
        within = np.arange(rows.sum()) - np.repeat(np.cumsum(rows) - rows, rows)
        begins = np.repeat(first, rows) + within * self.ROW
        pa = pyarrow()
        for some in range(0, len(begins), 1 << 12):
            of = begins[some : some + (1 << 12)]
            end = int(begins[some + (1 << 12)]) if some + (1 << 12) < len(begins) else len(part)
            offsets = (np.append(of, end) - of[0]) * HOLDER.itemsize
            packed = pa.Array.from_buffers(pa.binary(), len(of), [
                None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(np.ascontiguousarray(holders[of[0] : end])),
            ])
            yield batch_of(part=part[of].astype(np.int32), holders=packed)


@dataclass(frozen=True)
class Holders:
    """Rows of Shingles, those of a part side by side -> (s, t) of shingles that `least` texts and more hold, each once."""

    least: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for table in groups_of(batches, "part", 1):
            holders = np.frombuffer(b"".join(chunk for packed in table.column("holders").chunks for chunk in _packed(packed)), HOLDER)
            holders = _often(holders[_order(holders["s"])], self.least)  # few are left, which can be sorted in full
            holders = holders[np.lexsort((holders["t"], holders["s"]))]
            once = np.ones(len(holders), bool)  # not the copy of a text
            once[1:] = (holders["s"][1:] != holders["s"][:-1]) | (holders["t"][1:] != holders["t"][:-1])
            holders = _often(holders[once], self.least)
            yield from slices(batch_of(s=np.ascontiguousarray(holders["s"]).view(np.int32), t=np.ascontiguousarray(holders["t"])))


def _packed(column: Any) -> Iterator[Any]:
    """The bytes of an array of binaries, one after the other."""
    if len(column):
        offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
        yield memoryview(column.buffers()[2])[int(offsets[0]) : int(offsets[-1])]


def _order(values: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Positions in the order of values, as argsort() has them, but faster."""
    both = values.astype(np.uint64) << np.uint64(32) | np.arange(len(values), dtype=np.uint64)
    both.sort()
    return (both & np.uint64(0xFFFFFFFF)).view(np.int64)


def _often(holders: NDArray[Any], least: int) -> NDArray[Any]:
    """Of holders in the order of their shingles those of shingles that are there so often."""
    s = holders["s"]
    begins = np.flatnonzero(np.concatenate([[True], s[1:] != s[:-1]])) if len(s) else np.empty(0, np.int64)
    lengths = np.diff(np.append(begins, len(s)))
    return holders[np.repeat(lengths >= least, lengths)]


class Templates:
    """Shingles with the families and texts that hold them -> is it a template?"""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            families, texts = (numbers(batch, n).astype(np.uint64) for n in ("families", "texts"))
            flags = _leitong.are_templates(families, texts)
            yield batch_of(s=batch.column("s"), families=batch.column("families"), is_template=flags > 0)


class Bare:
    """Texts with their templates -> those that are template and little else."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            templates, offsets = _flat(batch.column("templates"))
            flags = _leitong.bare_texts(here(), texts_of(batch.column("body")), templates.view(np.uint32), offsets)
            yield batch_of(t=numbers(batch, "t")[flags > 0])
