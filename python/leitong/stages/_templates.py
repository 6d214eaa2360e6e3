"""Which shingles are template, counted over all texts: the second decision's knowledge, as leitong.spark._templates learns it."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ..spark._question import asked_texts, between_families, families_of, works
from ..spark._rows import ASIDE, HELD_SHINGLE, MARK, SAME_WORK, SHINGLE, here, numbers_of, pyarrow, texts_of, to_bytes
from ..spark._single import ASKED, WANTS_COMMON
from ..spark._tables import best_pairs, components, is_in, range_of_text
from ._files import (
    appears_whole, as_batch, batch_at, column, columns_of, opened, structs, values_of_packets, whole, write_batches, write_by_range, write_packets,
)
from ._plan import Plan
from ._search import Corpus, read_pairs, write_pairs

_LEAST_BITS, _MOST_BITS = 20, 29  # of the filter: 128 KiB to 64 MiB
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
    steps = plan.settings.steps()
    for begin in range(0, len(asked), _TEXTS):
        steps.add_to_filter(here(), corpus.texts(asked[begin : begin + _TEXTS]), bitmap)
    with appears_whole(plan.at("filter", 0, ".bits")) as file:
        file.write(bitmap.tobytes())


def shingles(plan: Plan, part: int) -> None:
    """A part's texts -> the texts that hold the wanted shingles, by ranges of shingles."""
    pa = pyarrow()
    bodies = list(_texts(plan, part)) if whole(plan.at("asked", 0)).num_rows else []
    bitmap = np.fromfile(plan.at("filter", 0, ".bits"), np.uint8)
    content, packets = plan.settings.steps().wanted_shingles(
        here(), texts_of(pa.chunked_array(bodies, pa.large_string())), bitmap, plan.parts, 1 << 62)
    write_packets(plan.at("shingles", part), {"t": numbers_of(content)}, packets, plan.parts)


def _texts(plan: Plan, part: int) -> Iterator[Any]:
    for number in plan.files_of(part):
        file = opened(plan.at("texts", number))
        for n in range(file.num_record_batches):
            yield file.get_batch(n).column("body")


def count(plan: Plan, part: int) -> None:
    """The shingles of a range -> those of several families, with their texts, and the marks of the texts in question."""
    kin = _Kin(plan, "kin-1")
    parts = [batch_at(path, part) for path in plan.all_of("shingles")]
    t, counts, s = map(np.concatenate, zip(*((column(rows, "t"), *values_of_packets(rows, np.uint32)) for rows in parts), strict=True))
    held, members, marks = _leitong.count_range(t, counts, s, *kin.known)
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
    """Writes the marks, of structs of SHINGLE, by ranges of components, each of which a task settles."""
    of = marks.view(SHINGLE)
    made = np.zeros(len(of), MARK)
    made["t"], made["s"], made["families"], made["is_template"] = kin.t[of["text"]], of["shingle"], of["families"], of["is_template"]
    write_by_range(plan.at(stage, part), {"mark": made}, range_of_text(kin.component[of["text"]], plan.parts), plan.parts)


def bare(plan: Plan, part: int) -> None:
    """Marks -> the families, after similar texts that are little but template are joined; unchanged if there are none."""
    marks = np.concatenate([structs(batch_at(path, n), "mark", MARK) for path in plan.all_of("marks-1") for n in range(plan.parts)])
    marks = marks[marks["is_template"] > 0]
    t, s = np.ascontiguousarray(marks["t"]), marks["s"]
    has = np.unique(t)
    pairs = read_pairs([plan.at("pairs", 0)])
    same = pairs[pairs["standing"] == SAME_WORK]
    between = (pairs["standing"] != ASIDE) & between_families(pairs, *works(pairs))
    between &= is_in(pairs["a"], has) & is_in(pairs["b"], has)
    pairs = pairs[between]
    wanted = np.unique(np.concatenate([pairs["a"], pairs["b"]]))
    corpus, steps = Corpus(plan), plan.settings.steps()
    order = np.lexsort((s, t))
    t, s = t[order], s[order]
    found = [np.empty(0, np.int64)]
    for begin in range(0, len(wanted), _TEXTS):
        some = wanted[begin : begin + _TEXTS]
        low, high = (np.searchsorted(t, some, side=side) for side in ("left", "right"))
        values = np.concatenate([s[i:j] for i, j in zip(low, high, strict=True)])
        offsets = np.concatenate([[0], np.cumsum(high - low)])
        found.append(some[steps.bare_texts(here(), corpus.texts(some), values, offsets, corpus.records()) > 0])
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
