"""Which shingles are template, counted over all texts: the second decision's knowledge, as leitong.spark._templates learns it."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ..spark._question import asked_texts, between_families, counted, families_of, works
from ..spark._rows import ASIDE, SAME_WORK, begins_of, pyarrow
from ..spark._shingles import Bare, Holders, ShingleFilter, Shingles
from ..spark._tables import Longs, best_pairs, components, find, is_in, range_of_text
from ._files import appears_whole, as_batch, batch_at, column, columns_of, opened, whole, write_batches, write_by_range
from ._plan import Plan
from ._search import Corpus, read_pairs, write_pairs

_LEAST_BITS, _MOST_BITS = 20, 29  # of the filter: 128 KiB to 64 MiB
_PARTS = 8  # of the shingles, for each range: so many are counted at once
_PACKED = ("texts", "shingles")
_TEXTS = 4096  # that are processed at once


def question(plan: Plan, part: int) -> None:
    """All pairs -> their components, and the texts of components with a pair in question, with a filter of their shingles."""
    pairs = best_pairs(np.concatenate([read_pairs([plan.at("linked", 0)]), read_pairs(plan.all_of("completed"))]))
    write_pairs(plan, "pairs", 0, pairs)
    t, component = components(pairs)
    write_by_range(plan.at("components", 0), {"t": t, "component": component}, range_of_text(component, plan.parts), plan.parts)
    asked, rare = np.empty(0, np.int64), np.empty(0, bool)
    if plan.settings.steps().looks_for_templates:
        asked, rare = asked_texts(pairs, t, component, between_families(pairs, *works(pairs)))
    write_batches(plan.at("asked", 0), [as_batch({"t": asked, "wants_common": rare})])
    corpus = Corpus(plan)
    units = int(corpus.contents(asked, "units")[0].sum()) if len(asked) else 0
    bits = min(max(int(16 * (units or 1)).bit_length(), _LEAST_BITS), _MOST_BITS)
    bitmap = np.zeros((1 << bits) // 8, np.uint8)
    bodies = (as_batch({"body": corpus.bodies(asked[begin : begin + _TEXTS])}) for begin in range(0, len(asked), _TEXTS))
    for rows in ShingleFilter(plan.settings, bits)(bodies):
        for piece, some in zip(rows.column("piece").to_pylist(), rows.column("bitmap").to_pylist(), strict=True):
            begin = piece * min(ShingleFilter.PIECE, len(bitmap))
            bitmap[begin : begin + len(some)] |= np.frombuffer(some, np.uint8)
    with appears_whole(plan.at("filter", 0, ".bits")) as file:
        file.write(bitmap.tobytes())


@dataclass(frozen=True)
class _Shared:
    """Replaces a broadcast of Spark."""

    value: bytes


def shingles(plan: Plan, part: int) -> None:
    """A part's texts -> the texts that hold the wanted shingles, by ranges of shingles."""
    pa = pyarrow()
    asked = whole(plan.at("asked", 0))
    made: list[Any] = []
    parts = _PARTS * plan.parts
    if asked.num_rows:
        bitmap = plan.at("filter", 0, ".bits").read_bytes()
        bits = (8 * len(bitmap)).bit_length() - 1
        made = list(Shingles(plan.settings, _Shared(bitmap), bits, parts)(_texts(plan, part)))
    number = np.concatenate([np.empty(0, np.int32), *(column(rows, "part") for rows in made)])
    packed = {name: pa.concat_arrays([pa.array([], pa.large_binary()), *(rows.column(name).cast(pa.large_binary()) for rows in made)])
              for name in _PACKED}
    write_by_range(plan.at("shingles", part), {"part": number, **packed}, (number // _PARTS).astype(np.int64), plan.parts)


def _texts(plan: Plan, part: int) -> Iterator[Any]:
    for number in plan.files_of(part):
        file = opened(plan.at("texts", number))
        for n in range(file.num_record_batches):
            yield file.get_batch(n)


def count(plan: Plan, part: int) -> None:
    """The shingles of a range -> those of several families, with their texts, and the marks of the texts in question."""
    pa = pyarrow()
    parts = [batch_at(path, part) for path in plan.all_of("shingles")]
    s, t = [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    for number in range(_PARTS * part, _PARTS * (part + 1)):
        rows = [one.filter(pa.array(column(one, "part") == number)) for one in parts]
        rows = [as_batch({"part": one.column("part"), **{name: one.column(name).cast(pa.binary()) for name in _PACKED}}) for one in rows]
        for found in Holders(_leitong.COMMON_FAMILIES)(rows):
            s.append(column(found, "s"))
            t.append(column(found, "t"))
    of_s, of_t = np.concatenate(s), np.concatenate(t)
    write_batches(plan.at("held", part), [as_batch({"s": of_s, "t": of_t})])
    pairs = read_pairs([plan.at("pairs", 0)])
    _write_marks(plan, "marks-1", part, _marks(plan, of_s, of_t, *works(pairs)))


def _marks(plan: Plan, s: NDArray[np.int32], t: Longs, of: Longs, family: Longs) -> dict[str, Any]:
    """(t, s, families, is_template) of the texts in question, where `family` is that of texts `of`."""
    asked, wants = columns_of([whole(plan.at("asked", 0))], "t", "wants_common")
    at, is_asked = find(asked, t)
    wants_common = is_asked & (wants[at] if len(asked) else is_asked)
    by_shingle = np.argsort(s, kind="stable")
    s, t, is_asked, wants_common = s[by_shingle], t[by_shingle], is_asked[by_shingle], wants_common[by_shingle]
    begins = begins_of(s)
    families, flags, known = counted(s.view(np.uint32), families_of(t, of, family), wants_common, np.zeros(len(begins), np.int64))
    number = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(s))))
    rows = np.flatnonzero(is_asked & known[number] & (flags[number] | wants_common))
    return {"t": t[rows], "s": s[rows], "families": families[number[rows]].astype(np.int32), "is_template": flags[number[rows]]}


def _write_marks(plan: Plan, stage: str, part: int, marks: dict[str, Any]) -> None:
    """Writes the marks by ranges of components, each of which a task settles."""
    components_of = opened(plan.at("components", 0))
    t, component = columns_of([components_of.get_batch(n) for n in range(plan.parts)], "t", "component")
    order = np.argsort(t)
    at, _ = find(t[order], marks["t"])
    of = component[order][at] if len(t) else np.empty(0, np.int64)
    write_by_range(plan.at(stage, part), marks, range_of_text(of, plan.parts), plan.parts)


def bare(plan: Plan, part: int) -> None:
    """Marks -> the families, after similar texts that are little but template are joined; unchanged if there are none."""
    marks = [whole(path) for path in plan.all_of("marks-1")]
    t, s, flags = columns_of(marks, "t", "s", "is_template")
    t, s = t[flags], s[flags].view(np.uint32)
    has = np.unique(t)
    pairs = read_pairs([plan.at("pairs", 0)])
    same = pairs[pairs["standing"] == SAME_WORK]
    between = (pairs["standing"] != ASIDE) & between_families(pairs, *works(pairs))
    between &= is_in(pairs["a"], has) & is_in(pairs["b"], has)
    pairs = pairs[between]
    wanted = np.unique(np.concatenate([pairs["a"], pairs["b"]]))
    corpus = Corpus(plan)
    order = np.lexsort((s, t))
    t, s = t[order], s[order]
    found = [np.empty(0, np.int64)]
    for begin in range(0, len(wanted), _TEXTS):
        some = wanted[begin : begin + _TEXTS]
        low, high = (np.searchsorted(t, some, side=side) for side in ("left", "right"))
        values = np.concatenate([s[i:j] for i, j in zip(low, high, strict=True)]).view(np.int32)
        offsets = np.concatenate([[0], np.cumsum(high - low)])
        pa = pyarrow()
        templates = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values))
        found += [column(rows, "t") for rows in Bare(plan.settings, corpus.records())([as_batch({"t": some, "templates": templates, "body": corpus.bodies(some)})])]
    little_else = np.concatenate(found)
    joined = pairs[is_in(pairs["a"], little_else) & is_in(pairs["b"], little_else)]
    of, family = components(np.concatenate([same, joined]))
    write_batches(plan.at("kin", 0), [as_batch({"t": of, "family": family})])


def mark(plan: Plan, part: int) -> None:
    """The marks again, with the families of the previous stage."""
    held, kin = whole(plan.at("held", part)), whole(plan.at("kin", 0))
    marks = _marks(plan, column(held, "s"), column(held, "t"), column(kin, "t"), column(kin, "family"))
    _write_marks(plan, "marks-2", part, marks)


