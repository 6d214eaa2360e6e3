"""The tasks: each class is a function on batches for mapInArrow, with its settings, that executors import by
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
    COMPARED, EVIDENCE, MARK, SHINGLE, TO_COMPARE, WEIGHT, Settings, batch_of, binaries, groups_of, here, numbers, numbers_of,
    pyarrow, slices, texts_of, to_bytes, values_of,
)


@dataclass(frozen=True)
class Sketch:
    """Texts -> the data for the search, with keys packed as longs. Other columns than body are passed on."""

    settings: Settings
    key_bits: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        steps = self.settings.steps()
        for batch in batches:
            texts = texts_of(batch.column("body"))
            content, check, units, short, sets, keys, offsets = steps.sketch(here(), texts, self.key_bits)
            form, signs = steps.variants(here(), texts)
            for rows in _of_few_keys(offsets):
                at = offsets[rows.start : rows.stop + 1]
                yield batch_of(
                    **{n: batch.column(n)[rows.start : rows.stop] for n in batch.schema.names if n != "body"},
                    t=numbers_of(content[rows]), check=check[rows].view(np.int64), form=form[rows].view(np.int64),
                    signs=signs[rows].view(np.int64), units=units[rows].view(np.int32),
                    short=short[rows].view(np.int32), n=np.diff(at).astype(np.int32), sets=sets[rows].view(np.int64),
                    keys=binaries(keys[at[0] : at[-1]].view(np.int64), at - at[0]),
                )


def _of_few_keys(offsets: NDArray[Any], most: int = 1 << 26) -> Iterator[slice]:
    """Parts of the rows whose keys fit in an array of Arrow."""
    begin, count = 0, len(offsets) - 1
    while begin < count or begin == 0:
        end = min(max(int(np.searchsorted(offsets, offsets[begin] + most, side="right")) - 1, begin + 1), count)
        yield slice(begin, end)
        begin = max(end, 1)


def _halves(lanes: list[NDArray[np.int64]]) -> NDArray[np.uint32]:
    """Sums that share longs, two in each."""
    return np.stack([lane.view(np.uint64) for lane in lanes], axis=1).view("<u4")


def judged(settings: Settings, ends: list[tuple[NDArray[Any], NDArray[Any]]], evidence: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """Pairs with their evidence, and the length and the weights of both texts -> the pairs that are worth a comparison."""
    rows = np.zeros(len(evidence["stars"]), EVIDENCE)
    for side, (units, weight) in enumerate(ends):
        rows["units"][:, side], rows["weights"][:, side] = units, weight
    rows["shared"] = _halves([evidence[name] for name in ("e0", "e1", "e2")])
    rows["stars"] = evidence["stars"]
    return np.asarray(settings.steps().judge(to_bytes(rows))).view(TO_COMPARE)


@dataclass(frozen=True)
class Judge:
    """Evidence of pairs -> those that are worth a comparison."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            ends = []
            for end in ("a", "b"):
                weight = np.zeros(batch.num_rows, WEIGHT)
                for tier in (0, 1):
                    weight["rarity"][:, tier] = numbers(batch, f"r{tier}_{end}")
                    weight["last_class"][:, tier] = numbers(batch, f"l{tier}_{end}")
                weight["common"] = numbers(batch, f"common_{end}")
                weight["frame"] = numbers(batch, f"frame_{end}")
                ends.append((numbers(batch, f"units_{end}"), weight))
            made = judged(self.settings, ends, {n: numbers(batch, n) for n in ("e0", "e1", "e2", "stars")})
            worth = made["worth"] > 0
            a, b = numbers(batch, "a")[worth], numbers(batch, "b")[worth]
            yield batch_of(a=np.maximum(a, b), b=np.minimum(a, b), score=made["score"][worth],
                           template_only=made["template_only"][worth] > 0, frame=made["frame"][worth].astype(np.int16))


def _positions(t: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The position of each wanted text; `t` may have any order."""
    order = np.argsort(t, kind="stable")
    at = order[np.minimum(np.searchsorted(t[order], wanted), len(t) - 1)] if len(t) else np.zeros(0, np.int64)
    if len(t) == 0 and len(wanted) or (t[at] != wanted).any():
        raise RuntimeError("a text of a pair did not come with it: the data changed while they were worked on")
    return at.astype(np.uint32)


def pair_rows(t: NDArray[np.int64], pairs: NDArray[Any]) -> dict[str, NDArray[Any]]:
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


_OF_KNOWN = ("a", "b", "jaccard", "containment", "score", "measure", "standing")


def known_pairs(t: NDArray[np.int64], of: Any) -> NDArray[Any]:
    """Pairs by the positions of their texts. `of`: their columns."""
    pairs = np.zeros(len(of["a"]), COMPARED)
    a, b = (_positions(t, of[n]) for n in ("a", "b"))
    pairs["a"], pairs["b"] = np.minimum(a, b), np.maximum(a, b)
    for name in _OF_KNOWN[2:]:
        pairs[name] = of[name]
    return pairs


def compared(settings: Settings, session: Any, t: NDArray[np.int64], texts: _leitong.Texts, candidates: Any) -> NDArray[Any]:
    """`candidates`: columns a, b, score, template_only, frame; `texts`: those of `t`. Positions in these come back."""
    pairs = np.zeros(len(candidates["a"]), TO_COMPARE)
    a, b = (_positions(t, candidates[n]) for n in ("a", "b"))
    pairs["a"], pairs["b"] = np.minimum(a, b), np.maximum(a, b)
    for name in ("score", "template_only", "frame"):
        pairs[name] = candidates[name]
    return np.asarray(settings.steps().compare(session, texts, to_bytes(pairs))).view(COMPARED)


@dataclass(frozen=True)
class Compare:
    """Blocks of texts (kind 0) and pairs of them (kind 1) -> the pairs that the rule accepts or sets aside."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for table in groups_of(batches, "block", 1):
            texts, pairs = _split(table)
            t = texts.column("a").to_numpy()
            candidates = {n: pairs.column(n).to_numpy() for n in ("a", "b", "score", "template_only", "frame")}
            yield from slices(batch_of(**pair_rows(t, compared(self.settings, here(), t, texts_of(texts.column("body")), candidates))))


class Unite:
    """Edges -> for each end the least end that it is connected with by the edges of one task."""

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
        while True:  # each takes the least value of its neighbours, and then the value of that one
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


def completed(
    settings: Settings, t: NDArray[np.int64], texts: _leitong.Texts, of: Any, pairs: NDArray[Any]
) -> dict[str, NDArray[Any]]:
    """`of`: columns common, family, has_family of the texts; `pairs`: structs of COMPARED. All pairs come back."""
    family = np.full(len(t), _leitong.NO_FAMILY, np.uint32)
    has_family = of["has_family"]
    family[has_family] = np.unique(of["family"][has_family], return_inverse=True)[1]
    found = np.asarray(settings.steps().complete(here(), texts, of["common"].astype(np.uint8), family, to_bytes(pairs)))
    return pair_rows(t, found.view(COMPARED))


@dataclass(frozen=True)
class Complete:
    """Components with families: texts (kind 0) and pairs (kind 1) -> all pairs."""

    settings: Settings

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for table in groups_of(batches, "block", 20_000):
            texts, known = _split(table)
            t = texts.column("a").to_numpy()
            of = {n: texts.column(n).to_numpy() for n in ("common", "family", "has_family")}
            pairs = known_pairs(t, {n: known.column(n).to_numpy() for n in _OF_KNOWN})
            yield from slices(batch_of(**completed(self.settings, t, texts_of(texts.column("body")), of, pairs)))


def settled(
    settings: Settings, corpus: int, t: NDArray[np.int64], texts: _leitong.Texts, of: Any, marks: NDArray[Any], pairs: NDArray[Any]
) -> Iterator[Any]:
    """Rows of Settle. `of`: columns block, common, in_question of the texts, in the order of their ranks; `marks`: structs of SHINGLE;
    `pairs`: of COMPARED."""
    common = of["common"]
    blocks, members = np.unique(of["block"][common], return_counts=True)
    every_round = bool(len(blocks)) and int(members.max()) > _leitong.LARGE_FAMILY
    grew, kept, measures, scores, found = settings.steps().settle(
        here(), texts, common.astype(np.uint8), np.arange(len(t), dtype=np.uint32), of["in_question"].astype(np.uint8), to_bytes(marks),
        to_bytes(pairs), corpus, every_round,
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
    rows = pair_rows(t, accepted)
    del rows["standing"]
    yield from slices(_settled(1, **rows, round=accepted["round"].astype(np.int8)))


@dataclass(frozen=True)
class Settle:
    """Components: texts in the order of their ranks (kind 0), pairs (kind 1) and marks (kind 2) -> who leaves for whom (kind 0), all
    pairs (kind 1), and the rounds that found any (kind 2). Whole components have one value of the column `by`."""

    settings: Settings
    corpus: int
    by: str = "block"

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for table in groups_of(batches, self.by, 20_000):
            texts, known = _split(table)
            t = texts.column("a").to_numpy()
            of = {n: texts.column(n).to_numpy() for n in ("block", "common", "in_question")}
            pairs = known_pairs(t, {n: known.column(n).to_numpy() for n in _OF_KNOWN})
            marks = _packed_marks(table, t) if "packed" in table.column_names else _listed_marks(texts.column("marks"))
            yield from settled(self.settings, self.corpus, t, texts_of(texts.column("body")), of, marks, pairs)


def _listed_marks(column: Any) -> NDArray[Any]:
    """For each text the list of its marks (shingle, families, is_template); null if there are none."""
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


def _packed_marks(table: Any, t: NDArray[np.int64]) -> NDArray[Any]:
    """The same of rows (kind 2) of structs of MARK, by texts and shingles."""
    marks = values_of(table.column("packed"), MARK)
    shingles = np.zeros(len(marks), SHINGLE)
    shingles["text"] = _positions(t, marks["t"])
    for name, of in (("shingle", "s"), ("families", "families"), ("is_template", "is_template")):
        shingles[name] = marks[of]
    return shingles[np.lexsort((shingles["shingle"].view(np.int32), shingles["text"]))]


def _settled(kind: int, **columns: NDArray[Any]) -> Any:
    n = len(columns["a"])
    empty = {"jaccard": np.float32, "containment": np.float32, "score": np.float32, "measure": np.int8}
    return batch_of(
        kind=np.full(n, kind, np.int8), a=columns["a"], b=columns["b"],
        **{name: columns.get(name, np.zeros(n, kind_of)) for name, kind_of in empty.items()}, round=columns["round"],
    )
