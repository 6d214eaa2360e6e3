"""Which shingles are template, counted over all texts: the second decision's knowledge, as leitong.spark._templates learns it."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ..spark._question import asked_texts, between_families, families_of, works
from ..spark._rows import ASIDE, HELD_SHINGLE, SAME_WORK, SHINGLE, pyarrow, to_bytes
from ..spark._shingles import Bare, ShingleFilter, Shingles, shingles_of
from ..spark._single import ASKED, WANTS_COMMON
from ..spark._tables import best_pairs, components, is_in, range_of_text
from ._files import appears_whole, as_batch, batch_at, column, columns_of, opened, whole, write_batches, write_by_range
from ._plan import Plan
from ._search import Corpus, read_pairs, write_pairs

_LEAST_BITS, _MOST_BITS = 20, 29  # of the filter: 128 KiB to 64 MiB
_PACKED = ("texts", "shingles")
_TEXTS = 4096  # that are processed at once


def question(plan: Plan, part: int) -> None:
    """All pairs -> their components and families, and the texts of components with a pair in question, with a filter of their shingles."""
    pairs = best_pairs(np.concatenate([read_pairs([plan.at("linked", 0)]), read_pairs(plan.all_of("completed"))]))
    write_pairs(plan, "pairs", 0, pairs)
    t, component = components(pairs)
    write_by_range(plan.at("components", 0), {"t": t, "component": component}, range_of_text(component, plan.parts), plan.parts)
    asked, of, family = t[:0], t[:0], t[:0]
    flags = np.zeros(len(t), np.uint8)
    if plan.settings.steps().looks_for_templates:
        of, family = works(pairs)
        asked, wants = asked_texts(pairs, t, component, between_families(pairs, of, family))
        flags = (is_in(t, asked) * ASKED + is_in(t, asked[wants]) * WANTS_COMMON).astype(np.uint8)
    write_batches(plan.at("asked", 0), [as_batch({"t": asked})])
    write_batches(plan.at("kin-1", 0), [as_batch({"t": t, "component": component, "family": families_of(t, of, family), "flags": flags})])
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
    if asked.num_rows:
        bitmap = plan.at("filter", 0, ".bits").read_bytes()
        bits = (8 * len(bitmap)).bit_length() - 1
        made = list(Shingles(plan.settings, _Shared(bitmap), bits, plan.parts)(_texts(plan, part)))
    number = np.concatenate([np.empty(0, np.int32), *(column(rows, "part") for rows in made)])
    packed = {name: pa.concat_arrays([pa.array([], pa.large_binary()), *(rows.column(name).cast(pa.large_binary()) for rows in made)])
              for name in _PACKED}
    write_by_range(plan.at("shingles", part), packed, number.astype(np.int64), plan.parts)


def _texts(plan: Plan, part: int) -> Iterator[Any]:
    for number in plan.files_of(part):
        file = opened(plan.at("texts", number))
        for n in range(file.num_record_batches):
            yield file.get_batch(n)


def count(plan: Plan, part: int) -> None:
    """The shingles of a range -> those of several families, with their texts, and the marks of the texts in question."""
    kin = _Kin(plan, "kin-1")
    given = shingles_of([batch_at(path, part) for path in plan.all_of("shingles")])
    held, members, marks = _leitong.count_range(*given, *kin.known)
    heads = held.view(HELD_SHINGLE)
    ends = np.append(0, np.cumsum(heads["count"], dtype=np.int64))
    write_batches(plan.at("held", part), [as_batch({
        "s": np.ascontiguousarray(heads["s"]), "outside": np.ascontiguousarray(heads["outside"]),
        "members": pyarrow().LargeListArray.from_arrays(ends, members),
    })])
    _write_marks(plan, "marks-1", part, kin, marks)


class _Kin:
    """The texts of pairs, with their components and families."""

    def __init__(self, plan: Plan, stage: str) -> None:
        self.t, self.component, family, flags = columns_of([batch_at(plan.at(stage, 0), 0)], "t", "component", "family", "flags")
        self.known = self.t, family, flags


def _write_marks(plan: Plan, stage: str, part: int, kin: _Kin, marks: NDArray[np.uint8]) -> None:
    """Writes the marks, structs of SHINGLE, by ranges of components, each of which a task settles."""
    of = marks.view(SHINGLE)
    columns = {
        "t": kin.t[of["text"]], "s": np.ascontiguousarray(of["shingle"]).view(np.int32), "families": of["families"].astype(np.int32),
        "is_template": of["is_template"] > 0,
    }
    write_by_range(plan.at(stage, part), columns, range_of_text(kin.component[of["text"]], plan.parts), plan.parts)


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
    kin = batch_at(plan.at("kin-1", 0), 0)
    columns = {name: column(kin, name) for name in kin.schema.names}
    columns["family"] = families_of(columns["t"], *components(np.concatenate([same, joined])))
    write_batches(plan.at("kin-2", 0), [as_batch(columns)])


def mark(plan: Plan, part: int) -> None:
    """The marks again, with the families of the previous stage."""
    kin, held = _Kin(plan, "kin-2"), batch_at(plan.at("held", part), 0)
    heads = np.zeros(held.num_rows, HELD_SHINGLE)
    heads["s"], heads["outside"], heads["count"] = column(held, "s"), column(held, "outside"), np.diff(held.column("members").offsets)
    marks = _leitong.mark_range(to_bytes(heads), held.column("members").values.to_numpy(), *kin.known)
    _write_marks(plan, "marks-2", part, kin, marks)
