"""From texts to compared pairs: sketch, join, weigh, verify. Each is done in parts, by the functions that Spark's tasks run."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ..spark._keys import Entries, joined
from ..spark._rows import (
    KEY, KEYS_OF_PAIR, TALLY_OF_TEXT, WORTH, begins_of, here, numbers_of, pyarrow, text_keys, texts_of, to_bytes,
)
from ..spark._tables import CANDIDATE, PAIR, Longs, best_candidates, find, range_of_text
from ..spark._tasks import compared, pair_rows
from ._files import (
    as_batch, batch_at, column, columns_of, opened, structs, values_of_packets, whole, write_batches, write_by_range, write_packets,
)
from ._input import records
from ._plan import KEY_BITS, Plan

#: A record's place: the number of its input, and of the record in it. So places have the order of the inputs.
PLACE_BITS = 40
_ALL = 1 << 62  # of the keys of a range
_TEXTS = 4096  # that are processed at once
_BLOCK, _LETTERS = 20_000, 1 << 25  # pairs that are compared with their texts in memory, and characters of these


def sketch(plan: Plan, part: int) -> None:
    """A part's records -> their sketches and keys by ranges; their texts and ids by place."""
    pa = pyarrow()
    steps = plan.settings.steps()
    made: list[tuple[NDArray[Any], ...]] = []

    def add(place: Longs, texts: Any) -> None:
        content, check, units, short, sets, keys, offsets = steps.sketch(here(), texts_of(texts), KEY_BITS)
        made.append((place, content, check, units, short, sets, np.diff(offsets), keys))

    add(np.empty(0, np.int64), pa.array([], pa.large_string()))
    for number in plan.files_of(part):
        rows = 0
        batches: list[Any] = []
        ids: list[Any] = []
        for texts, given in records(plan, number):
            batches.append(as_batch({"body": texts}))
            ids.append(as_batch({"id": given}))
            add((number << PLACE_BITS) + np.arange(rows, rows + len(texts)), texts)
            rows += len(texts)
        write_batches(plan.at("texts", number), batches or [as_batch({"body": pa.array([], pa.large_string())})])
        write_batches(plan.at("ids", number), ids or [as_batch({"id": pa.array([], pa.large_string())})])
    place, content, check, units, short, sets, n, keys = map(np.concatenate, zip(*made, strict=True))
    t = numbers_of(content)
    packets = _leitong.pack_keys(keys, np.append(0, np.cumsum(n, dtype=np.int64)), KEY_BITS, plan.parts, _ALL)
    write_packets(plan.at("keys", part), {"t": t, "long": units >= _leitong.LONG_TEXT}, packets, 2 * plan.parts, KEY_BITS // 8)
    of = {"place": place, "t": t, "check": check, "units": units, "short": short, "n": n.astype(np.int32), "sets": sets}
    write_by_range(plan.at("sketches", part), of, range_of_text(t, plan.parts), plan.parts)


def join(plan: Plan, part: int) -> None:
    """The keys of a range -> their evidence for pairs, their weights for each text, and the hot ones."""
    made = joined((_keys(path, part, tier) for path in plan.all_of("keys") for tier in (0, 1)), KEY_BITS)
    tallies, pairs, hot = map(np.concatenate, zip(*made, strict=True))
    # Most of their sums are 0.
    for stage, rows, t in (("tallies", tallies, tallies["t"]), ("evidence", pairs, pairs["a"])):
        ranges = range_of_text(np.ascontiguousarray(t), plan.parts)
        write_by_range(plan.at(stage, part), {"of": rows}, ranges, plan.parts, compress=True)
    write_batches(plan.at("hot", part), [as_batch({name: np.ascontiguousarray(hot[name]) for name in KEY.names or ()})])


def _keys(path: Path, part: int, tier: int) -> Entries:
    rows = batch_at(path, 2 * part + tier)
    return column(rows, "t"), column(rows, "long"), *values_of_packets(rows, np.uint8), tier


def weigh(plan: Plan, part: int) -> None:
    """The texts of a range -> for each different one its first record, its best one and their number; the weights of its keys."""
    rows, copies = _contents(plan, part)
    write_batches(plan.at("contents", part), [as_batch(rows)])
    of_input = np.array([one.part for one in plan.inputs], np.int64)
    write_by_range(plan.at("copies", part), copies, of_input[copies["place"] >> PLACE_BITS], plan.parts)
    repetitive = rows["sets"] != 0
    write_batches(plan.at("sets", part), [as_batch({"t": rows["t"][repetitive], "sets": rows["sets"][repetitive]})])
    tallies = _of_range(plan, "tallies", part, TALLY_OF_TEXT)
    known = text_keys(*(rows[n] for n in ("t", "units", "short", "n")))
    worth = plan.settings.steps().weigh_range(to_bytes(tallies), to_bytes(known)).view(WORTH)
    write_batches(plan.at("worth", part), [as_batch({"worth": worth})])


def _of_range(plan: Plan, stage: str, part: int, of: Any) -> NDArray[Any]:
    """Structs of a range, of all parts."""
    return np.concatenate([structs(batch_at(path, part), "of", of) for path in plan.all_of(stage)])


def worth(plan: Plan) -> list[NDArray[np.void]]:
    """Structs of WORTH of all texts that share a key, in their order, in mapped files."""
    return [structs(batch_at(path, 0), "worth", WORTH) for path in plan.all_of("worth")]


def _contents(plan: Plan, part: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """For each content its first record; and the records that are copies of it.

    One hash is no proof: records of one content that differ in length or in the other hash are no copies of the first."""
    names = ("place", "t", "check", "units", "short", "n", "sets")
    of = dict(zip(names, columns_of([batch_at(path, part) for path in plan.all_of("sketches")], *names), strict=True))
    order = np.lexsort((of["place"], of["t"]))
    of = {n: values[order] for n, values in of.items()}
    begins = begins_of(of["t"])
    first = _firsts(begins, len(of["t"]))
    same = np.ones(len(first), bool)
    for name in ("units", "check", "short", "n", "sets"):
        same &= of[name] == of[name][first]
    count = np.add.reduceat(same.astype(np.int64), begins) if len(begins) else np.empty(0, np.int64)
    rows = {n: values[begins] for n, values in of.items()} | {"copies": count}
    several = same & (np.repeat(count, np.diff(np.append(begins, len(first)))) > 1)
    return rows, _copies(plan, of["t"][several], of["place"][several])


def _copies(plan: Plan, t: Longs, place: Longs) -> dict[str, Any]:
    """Records of equal contents, in their order -> for each but the first of a content this `first` one, the record for which it may
    leave (`kept`: the first with the same signs; equal texts have one length, so it is the best one by either keep policy), and whether
    it is the same text as these."""
    corpus, steps = Corpus(plan), plan.settings.steps()
    made = [steps.variants(here(), corpus.texts_at(place[begin : begin + _TEXTS])) for begin in range(0, len(t), _TEXTS)]
    form, signs = (np.concatenate([np.empty(0, np.uint64), *values]) for values in (zip(*made, strict=True) if made else ((), ())))
    first = _firsts(begins_of(t), len(t))
    order = np.lexsort((place, signs, t))
    kept = np.empty(len(t), np.int64)
    kept[order] = order[_firsts(begins_of(t[order], signs[order]), len(t))]
    other = first != np.arange(len(t))
    return {
        "place": place[other], "t": t[other], "first": place[first][other], "is_first": (form == form[first])[other],
        "kept": place[kept][other], "is_kept": (form == form[kept])[other],
    }


def _firsts(begins: Longs, count: int) -> Longs:
    """The first row of the group of each."""
    return np.repeat(begins, np.diff(np.append(begins, count)))


def verify(plan: Plan, part: int) -> None:
    """Pairs whose greater content is in a range -> those that the rule accepts or sets aside."""
    pairs = _of_range(plan, "evidence", part, KEYS_OF_PAIR)
    likely = plan.settings.steps().judge_range(to_bytes(pairs), [to_bytes(some) for some in worth(plan)]).view(CANDIDATE)
    candidates = np.concatenate([likely, _repetitive(plan, part)])
    found = compare(plan, best_candidates(candidates))
    write_pairs(plan, "verified", part, found)


def _repetitive(plan: Plan, part: int) -> NDArray[np.void]:
    """Repetitive texts that repeat the same, each with the least of them."""
    t, sets = columns_of([whole(path) for path in plan.all_of("sets")], "t", "sets")
    order = np.lexsort((t, sets))
    t, sets = t[order], sets[order]
    begins = begins_of(sets)
    least = t[_firsts(begins, len(t))]
    chosen = (t != least) & (range_of_text(t, plan.parts) == part)
    made = np.zeros(int(chosen.sum()), CANDIDATE)
    made["a"], made["b"], made["score"] = t[chosen], least[chosen], 1
    return made


class Corpus:
    """All texts by their contents, in mapped files, so that only the wanted ones are read."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._contents: dict[int, Any] = {}
        self._texts: dict[int, tuple[list[Any], Longs]] = {}

    def records(self) -> int:
        """The number of records, copies included."""
        return sum(opened(path).get_batch(n).num_rows for path in self.plan.all_of("sketches") for n in range(self.plan.parts))

    def contents(self, t: Longs, *names: str) -> list[NDArray[Any]]:
        """Columns of existing texts."""
        of = range_of_text(t, self.plan.parts)
        found: list[NDArray[Any]] | None = None
        for part in np.unique(of).tolist() or [0]:
            if part not in self._contents:
                rows = whole(self.plan.at("contents", part))
                self._contents[part] = {n: column(rows, n) for n in rows.schema.names}
            known = self._contents[part]
            chosen = np.flatnonzero(of == part)
            at, there = find(known["t"], t[chosen])
            if not there.all():
                raise RuntimeError("a text is missing; an input has changed while it was worked on")
            found = found or [np.empty(len(t), known[n].dtype) for n in names]
            for values, name in zip(found, names, strict=True):
                values[chosen] = known[name][at]
        assert found is not None
        return found

    def texts(self, t: Longs) -> _leitong.Texts:
        return self.texts_at(*self.contents(t, "place"))

    def texts_at(self, place: Longs) -> _leitong.Texts:
        """The texts of records, without a copy."""
        order = np.argsort(place)
        number, row = place[order] >> PLACE_BITS, place[order] & ((1 << PLACE_BITS) - 1)
        batches: list[Any] = []
        rows: list[Longs] = []
        for file in np.unique(number).tolist():
            of_file, ends = self._file(file)
            some = row[number == file]
            at = np.searchsorted(ends, some, side="right")
            for one in np.unique(at).tolist():
                batches.append(of_file[one])
                rows.append(some[at == one] - (ends[one - 1] if one else 0))
        back = np.empty(len(order), np.uint64)
        back[order] = np.arange(len(order))
        return _leitong.Texts.from_rows(batches, rows).ordered(back)

    def _file(self, number: int) -> tuple[list[Any], Longs]:
        if number not in self._texts:
            file = opened(self.plan.at("texts", number))
            batches = [pyarrow().chunked_array([file.get_batch(n).column("body")]) for n in range(file.num_record_batches)]
            self._texts[number] = batches, np.cumsum([len(batch) for batch in batches])
        return self._texts[number]


def compare(plan: Plan, candidates: NDArray[np.void]) -> NDArray[np.void]:
    """The pairs that the rule accepts or sets aside."""
    candidates = candidates[np.lexsort((candidates["a"], candidates["b"]))]
    corpus = Corpus(plan)

    def of_block(block: NDArray[np.void]) -> NDArray[np.void]:
        t = np.unique(np.concatenate([block["a"], block["b"]]))
        return as_pairs(pair_rows(t, compared(plan.settings, here(), t, corpus.texts(t), block)))

    letters = sum((corpus.contents(candidates[end], "units")[0].astype(np.int64) for end in ("a", "b")), np.zeros(len(candidates), np.int64))
    begins = begins_of(np.cumsum(letters) // _LETTERS, np.arange(len(candidates)) // _BLOCK)
    return np.concatenate([np.empty(0, PAIR), *map(of_block, np.split(candidates, begins[1:]) if len(begins) else [])])


def as_pairs(of: dict[str, NDArray[Any]]) -> NDArray[np.void]:
    """Structs of PAIR of their columns."""
    found = np.zeros(len(of["a"]), PAIR)
    for name in PAIR.names or ():
        found[name] = of[name]
    return found


def write_pairs(plan: Plan, stage: str, part: int | str, pairs: NDArray[np.void]) -> None:
    write_batches(plan.at(stage, part), [as_batch({name: np.ascontiguousarray(pairs[name]) for name in PAIR.names or ()})])


def read_pairs(paths: list[Any]) -> NDArray[np.void]:
    names = PAIR.names or ()
    return as_pairs(dict(zip(names, columns_of([whole(path) for path in paths], *names), strict=True)))
