"""From texts to compared pairs: sketch, join, weigh, verify. Each is done in parts, by the functions that Spark's tasks run."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ..spark._keys import PAIR_SUMS, TALLY_SUMS, columns_of_longs, joined, summed
from ..spark._rows import KEY, begins_of, packed_bytes, pyarrow
from ..spark._tables import CANDIDATE, PAIR, Longs, best_candidates, find, range_of_key, range_of_text
from ..spark._tasks import Compare, Judge, Sketch, Weigh
from ._files import as_batch, batch_at, column, columns_of, opened, whole, write_batches, write_by_range
from ._input import records
from ._plan import KEY_BITS, Plan

#: A record's place: the number of its input, and of the record in it. So places have the order of the inputs.
PLACE_BITS = 40
_BLOCK, _LETTERS = 20_000, 1 << 25  # pairs that are compared with their texts in memory, and characters of these


def sketch(plan: Plan, part: int) -> None:
    """A part's records -> their sketches and keys by ranges; their texts and ids by place."""
    sketches: list[Any] = []
    for number in plan.files_of(part):
        rows = 0
        batches: list[Any] = []
        ids: list[Any] = []
        for texts, given in records(plan, number):
            batches.append(as_batch({"body": texts}))
            ids.append(as_batch({"id": given}))
            places = (number << PLACE_BITS) + np.arange(rows, rows + len(texts))
            sketches += Sketch(plan.settings, KEY_BITS)([as_batch({"place": places, "body": texts})])
            rows += len(texts)
        pa = pyarrow()
        write_batches(plan.at("texts", number), batches or [as_batch({"body": pa.array([], pa.string())})])
        write_batches(plan.at("ids", number), ids or [as_batch({"id": pa.array([], pa.string())})])
    none = list(Sketch(plan.settings, KEY_BITS)([as_batch({"place": np.empty(0, np.int64), "body": pyarrow().array([], pyarrow().string())})]))
    sketches = sketches or none
    names = ("place", "t", "check", "form", "signs", "units", "short", "n", "sets")
    of: dict[str, Any] = dict(zip(names, columns_of(sketches, *names), strict=True))
    keys = np.frombuffer(b"".join(some for rows in sketches for some in packed_bytes(rows.column("keys"))), np.int64)
    t = np.repeat(of["t"], of["n"])
    long = np.repeat(of["units"] >= _leitong.LONG_TEXT, of["n"])
    write_by_range(plan.at("keys", part), {"key": keys, "t": t, "long": long}, range_of_key(keys, plan.parts), plan.parts)
    write_by_range(plan.at("sketches", part), of, range_of_text(of["t"], plan.parts), plan.parts)


def join(plan: Plan, part: int) -> None:
    """The keys of a range -> their evidence for pairs, their weights for each text, and the hot ones."""
    parts = (batch_at(path, part) for path in plan.all_of("keys"))
    made = joined((column(rows, "key"), column(rows, "t"), column(rows, "long")) for rows in parts)
    tallies, pairs, hot = map(np.concatenate, zip(*made, strict=True))
    sums = columns_of_longs(tallies, "t", *TALLY_SUMS)
    write_by_range(plan.at("tallies", part), sums, range_of_text(sums["t"], plan.parts), plan.parts)
    sums = columns_of_longs(pairs, "a", "b", *PAIR_SUMS)
    write_by_range(plan.at("evidence", part), sums, range_of_text(sums["a"], plan.parts), plan.parts)
    write_batches(plan.at("hot", part), [as_batch({name: np.ascontiguousarray(hot[name]) for name in KEY.names or ()})])


def weigh(plan: Plan, part: int) -> None:
    """The texts of a range -> for each different one its first record, its best one and their number; the weights of its keys."""
    rows, signed = _contents(plan, part)
    write_batches(plan.at("contents", part), [as_batch(rows)])
    write_batches(plan.at("signed", part), [as_batch(signed)])
    repetitive = rows["sets"] != 0
    write_batches(plan.at("sets", part), [as_batch({"t": rows["t"][repetitive], "sets": rows["sets"][repetitive]})])
    parts = [batch_at(path, part) for path in plan.all_of("tallies")]
    tallies = summed([{n: column(one, n) for n in ("t", *TALLY_SUMS)} for one in parts], ("t",), TALLY_SUMS)
    at, _ = find(rows["t"], tallies["t"])
    given = as_batch(tallies | {n: rows[n][at] for n in ("units", "short", "n")})
    write_batches(plan.at("weights", part), Weigh(plan.settings)([given]))


def _contents(plan: Plan, part: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """For each content its first record, and the first record of each other variant of its signs.

    One hash is no proof: records of one content that differ in length or in the other hash are no copies of the first."""
    names = ("place", "t", "check", "form", "signs", "units", "short", "n", "sets")
    of = dict(zip(names, columns_of([batch_at(path, part) for path in plan.all_of("sketches")], *names), strict=True))
    order = np.lexsort((of["place"], of["t"]))
    of = {n: values[order] for n, values in of.items()}
    begins = begins_of(of["t"])
    first = np.repeat(begins, np.diff(np.append(begins, len(of["t"]))))
    same = np.ones(len(first), bool)
    for name in ("units", "check", "short", "n", "sets"):
        same &= of[name] == of[name][first]
    # Equal texts have one length, so the earliest of them is the best one by either keep policy.
    others = np.flatnonzero(same & (of["signs"] != of["signs"][first]))
    others = others[np.lexsort((of["place"][others], of["signs"][others], of["t"][others]))]
    is_first = np.ones(len(others), bool)
    is_first[1:] = (of["t"][others][1:] != of["t"][others][:-1]) | (of["signs"][others][1:] != of["signs"][others][:-1])
    signed = {n: of[n][others[is_first]] for n in ("t", "signs", "place", "form")}
    return {n: values[begins] for n, values in of.items()} | {
        "copies": np.add.reduceat(same.astype(np.int64), begins) if len(begins) else np.empty(0, np.int64)
    }, signed


def verify(plan: Plan, part: int) -> None:
    """Pairs whose greater content is in a range -> those that the rule accepts or sets aside."""
    parts = [batch_at(path, part) for path in plan.all_of("evidence")]
    pairs = summed([{n: column(one, n) for n in ("a", "b", *PAIR_SUMS)} for one in parts], ("a", "b"), PAIR_SUMS)
    candidates = np.concatenate([Corpus(plan).judged(pairs), _repetitive(plan, part)])
    found = compare(plan, best_candidates(candidates))
    write_pairs(plan, "verified", part, found)


def _repetitive(plan: Plan, part: int) -> NDArray[np.void]:
    """Repetitive texts that repeat the same, each with the least of them."""
    t, sets = columns_of([whole(path) for path in plan.all_of("sets")], "t", "sets")
    order = np.lexsort((t, sets))
    t, sets = t[order], sets[order]
    begins = begins_of(sets)
    least = t[np.repeat(begins, np.diff(np.append(begins, len(t))))]
    chosen = (t != least) & (range_of_text(t, plan.parts) == part)
    made = np.zeros(int(chosen.sum()), CANDIDATE)
    made["a"], made["b"], made["score"] = t[chosen], least[chosen], 1
    return made


class Corpus:
    """All texts by their contents, in mapped files, so that only the wanted ones are read."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._contents: dict[int, Any] = {}
        self._weights: dict[int, Any] = {}
        self._texts: dict[int, tuple[list[Any], Longs]] = {}

    def records(self) -> int:
        """The number of records, copies included."""
        return sum(opened(path).get_batch(n).num_rows for path in self.plan.all_of("sketches") for n in range(self.plan.parts))

    def contents(self, t: Longs, *names: str) -> list[NDArray[Any]]:
        """Columns of existing texts."""
        return self._looked_up("contents", self._contents, t, names)

    def weights(self, t: Longs, *names: str) -> list[NDArray[Any]]:
        return self._looked_up("weights", self._weights, t, names)

    def _looked_up(self, stage: str, cache: dict[int, Any], t: Longs, names: tuple[str, ...]) -> list[NDArray[Any]]:
        of = range_of_text(t, self.plan.parts)
        found: list[NDArray[Any]] | None = None
        for part in np.unique(of).tolist() or [0]:
            if part not in cache:
                rows = whole(self.plan.at(stage, part))
                cache[part] = {n: column(rows, n) for n in rows.schema.names}
            chosen = np.flatnonzero(of == part)
            at, there = find(cache[part]["t"], t[chosen])
            if not there.all():
                raise RuntimeError(f"{stage}: a text is missing; an input has changed while it was worked on")
            found = found or [np.empty(len(t), cache[part][n].dtype) for n in names]
            for values, name in zip(found, names, strict=True):
                values[chosen] = cache[part][name][at]
        assert found is not None
        return found

    def bodies(self, t: Longs) -> Any:
        """Their texts."""
        pa = pyarrow()
        (place,) = self.contents(t, "place")
        order = np.argsort(place)
        number, row = place[order] >> PLACE_BITS, place[order] & ((1 << PLACE_BITS) - 1)
        taken: list[Any] = []
        for file in np.unique(number).tolist():
            batches, ends = self._file(file)
            rows = row[number == file]
            of = np.searchsorted(ends, rows, side="right")
            for one in np.unique(of).tolist():
                within = rows[of == one] - (ends[one - 1] if one else 0)
                taken.append(batches[one].take(pa.array(within)))
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return pa.concat_arrays([pa.array([], pa.string()), *taken]).take(pa.array(back))

    def _file(self, number: int) -> tuple[list[Any], Longs]:
        if number not in self._texts:
            file = opened(self.plan.at("texts", number))
            batches = [file.get_batch(n).column("body") for n in range(file.num_record_batches)]
            self._texts[number] = batches, np.cumsum([len(batch) for batch in batches])
        return self._texts[number]

    def judged(self, pairs: dict[str, Any]) -> NDArray[np.void]:
        """Evidence of pairs, each once in this order of its ends -> those that are worth a comparison."""
        names = ("units", "r0", "r1", "l0", "l1", "common", "frame")
        given = dict(pairs)
        for end in ("a", "b"):
            given |= {f"{n}_{end}": values for n, values in zip(names, self.weights(pairs[end], *names), strict=True)}
        made = list(Judge(self.plan.settings)(_slices(as_batch(given), 1 << 18)))
        found = np.zeros(sum(rows.num_rows for rows in made), CANDIDATE)
        if made:
            for name, values in zip(CANDIDATE.names or (), columns_of(made, *(CANDIDATE.names or ())), strict=True):
                found[name] = values
        return found


def compare(plan: Plan, candidates: NDArray[np.void]) -> NDArray[np.void]:
    """The pairs that the rule accepts or sets aside."""
    candidates = candidates[np.lexsort((candidates["a"], candidates["b"]))]
    corpus = Corpus(plan)

    def compared(block: NDArray[np.void]) -> NDArray[np.void]:
        t = np.unique(np.concatenate([block["a"], block["b"]]))
        zero = np.zeros(len(t), np.int64)
        both = {
            "block": np.zeros(len(t) + len(block), np.int64), "kind": np.repeat([0, 1], [len(t), len(block)]),
            "a": np.concatenate([t, block["a"]]), "b": np.concatenate([zero, block["b"]]),
            "body": followed_by_nulls(corpus.bodies(t), len(block)), "score": np.concatenate([zero.astype(np.float32), block["score"]]),
            "template_only": np.concatenate([zero > 0, block["template_only"]]), "frame": np.concatenate([zero, block["frame"]]).astype(np.int16),
        }
        return as_pairs(Compare(plan.settings)([as_batch(both)]))

    letters = sum((corpus.contents(candidates[end], "units")[0].astype(np.int64) for end in ("a", "b")), np.zeros(len(candidates), np.int64))
    begins = begins_of(np.cumsum(letters) // _LETTERS, np.arange(len(candidates)) // _BLOCK)
    return np.concatenate([np.empty(0, PAIR), *map(compared, np.split(candidates, begins[1:]) if len(begins) else [])])


def followed_by_nulls(texts: Any, count: int) -> Any:
    pa = pyarrow()
    return pa.concat_arrays([texts, pa.nulls(count, texts.type)])


def as_pairs(batches: Iterator[Any]) -> NDArray[np.void]:
    made = list(batches)
    found = np.zeros(sum(rows.num_rows for rows in made), PAIR)
    if made:
        for name, values in zip(PAIR.names or (), columns_of(made, *(PAIR.names or ())), strict=True):
            found[name] = values
    return found


def write_pairs(plan: Plan, stage: str, part: int | str, pairs: NDArray[np.void]) -> None:
    write_batches(plan.at(stage, part), [as_batch({name: np.ascontiguousarray(pairs[name]) for name in PAIR.names or ()})])


def read_pairs(paths: list[Any]) -> NDArray[np.void]:
    return as_pairs(iter([whole(path) for path in paths]))


def _slices(batch: Any, rows: int) -> Iterator[Any]:
    for begin in range(0, batch.num_rows, rows):
        yield batch.slice(begin, rows)

