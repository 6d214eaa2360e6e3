"""Decides which texts stay: settles the components, and applies the decisions to every record of the inputs."""
from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..spark._rows import MARK, MEASURES, SHINGLE, pyarrow
from ..spark._tables import Longs, find, is_in, range_of_text
from ..spark._tasks import known_pairs, settled
from ._families import blocks, common_texts
from ._files import appears_whole, as_batch, batch_at, column, columns_of, structs, whole, write_batches, write_by_range
from ._input import write_kept
from ._plan import Plan
from ._search import PLACE_BITS, Corpus, read_pairs

_OF_COPIES = np.array([MEASURES.index("copy"), MEASURES.index("identical")], np.int8)  # by: are they the same text?
_LINES = 1 << 16  # of an output, made at once
_OF_PAIR = ("jaccard", "containment", "score", "measure")


def settle(plan: Plan, part: int) -> None:
    """Components of a range -> which text leaves for which, all pairs, and the rounds that found any."""
    of = batch_at(plan.at("components", 0), part)
    t, component = column(of, "t"), column(of, "component")
    corpus = Corpus(plan)
    place, units = corpus.contents(t, "place", "units")
    order = np.lexsort((place, -units.astype(np.int64) if plan.keep == "longest" else np.zeros(len(t)), component))
    t, component = t[order], component[order]
    asked = column(whole(plan.at("asked", 0)), "t")
    texts = {"block": component, "t": t, "common": is_in(t, common_texts(plan)), "in_question": is_in(t, asked)}
    marks = _marks(plan, part)
    names = ("kind", "a", "b", *_OF_PAIR, "round")
    made = [
        rows for of, known in blocks(texts, read_pairs([plan.at("pairs", 0)]))
        for rows in settled(plan.settings, corpus.records(), of["t"], corpus.texts(of["t"]), of, _shingles(marks, of["t"]), known_pairs(of["t"], known))
    ]
    kinds = (np.int8, np.int64, np.int64, np.float32, np.float32, np.float32, np.int8, np.int8)
    values = columns_of(made, *names) if made else tuple(np.empty(0, kind) for kind in kinds)
    rows: dict[str, NDArray[Any]] = dict(zip(names, values, strict=True))
    kind = rows.pop("kind")
    left, found, rounds = ({n: c[kind == k] for n, c in rows.items()} for k in (0, 1, 2))
    write_by_range(plan.at("left", part), left, range_of_text(left["a"], plan.parts), plan.parts)
    write_batches(plan.at("found", part), [as_batch(found)])
    write_batches(plan.at("rounds", part), [as_batch({"round": rounds["round"], "grew": rounds["b"]})])


def _marks(plan: Plan, part: int) -> NDArray[np.void]:
    """All marks of a range, by texts and shingles."""
    parts = [batch_at(path, part) for path in plan.all_of("marks-2")]
    marks = np.concatenate([structs(rows, "mark", MARK) for rows in parts])
    return marks[np.lexsort((marks["s"].view(np.int32), marks["t"]))]


def _shingles(marks: NDArray[np.void], t: Longs) -> NDArray[np.void]:
    """The marks of some texts, as structs of SHINGLE."""
    low, high = (np.searchsorted(marks["t"], t, side=side) for side in ("left", "right"))
    count = high - low
    rows = marks[np.repeat(low - np.cumsum(count) + count, count) + np.arange(count.sum())]
    made = np.zeros(len(rows), SHINGLE)
    made["text"], made["shingle"] = np.repeat(np.arange(len(t)), count), rows["s"]
    made["families"], made["is_template"] = rows["families"], rows["is_template"]
    return made


def _last_round(plan: Plan) -> int:
    """The last round, which is the same for all components."""
    rounds, grew = columns_of([whole(path) for path in plan.all_of("rounds")], "round", "grew")
    last = 0
    while grew[rounds == last + 1].any():
        last += 1
    return last


def keep(plan: Plan, part: int) -> None:
    """Writes a part's records that stay, why the others leave, and the pairs of a range."""
    last = _last_round(plan)
    corpus = Corpus(plan)
    ids = _Ids(plan)
    place, kept, measure, score = (np.concatenate(values) for values in zip(*(
        _decided(plan, corpus, part, number, last) for number in range(plan.parts)
    ), strict=True))
    order = np.argsort(place)
    place, kept, measure, score = place[order], kept[order], measure[order], score[order]
    with appears_whole(plan.output / "removed" / f"{part}.jsonl") as file:
        for id, of, m, value in zip(ids(place), ids(kept), measure.tolist(), score.tolist(), strict=True):
            line = {"id": id, "kept": of, "measure": MEASURES[m], "score": round(value, 7)}
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    rows = {name: column(whole(plan.at("ids", name)), "id").shape[0] for name in plan.files_of(part)}
    for number in plan.files_of(part):
        gone = place[place >> PLACE_BITS == number] & ((1 << PLACE_BITS) - 1)
        stays = np.ones(rows[number], bool)
        stays[gone] = False
        write_kept(plan, number, stays)
    _write_pairs(plan, corpus, ids, part, last)


def _decided(plan: Plan, corpus: Corpus, part: int, number: int, last: int) -> tuple[NDArray[Any], ...]:
    """(place, kept, measure, score) of a part's records that leave, of contents in a range."""
    left = [batch_at(path, number) for path in plan.all_of("left")]
    a, b, of_round, measures, scores = columns_of(left, "a", "b", "round", "measure", "score")
    valid = (of_round == -1) | (of_round == last)
    order = np.argsort(a[valid])
    a, b, measures, scores = (values[valid][order] for values in (a, b, measures, scores))
    place, t, units, check = columns_of([batch_at(plan.at("sketches", part), number)], "place", "t", "units", "check")
    at, gone = find(a, t)
    first_units, first_check = corpus.contents(t[gone], "units", "check")
    gone[gone] = (units[gone] == first_units) & (check[gone] == first_check)
    at = at[gone]
    (kept,) = corpus.contents(b[at], "place")
    # If the copies of a text stay, one of each variant of its signs stays.
    of, t, first, is_kept = columns_of([batch_at(plan.at("copies", number), part)], "place", "t", "kept", "is_kept")
    leaves = (of != first) & ~find(a, t)[1]
    more = of[leaves], first[leaves], _OF_COPIES[is_kept[leaves].astype(np.int8)], np.ones(int(leaves.sum()), np.float32)
    return tuple(map(np.concatenate, zip((place[gone], kept, measures[at], scores[at]), more, strict=True)))


class _Ids:
    """Ids of records by their places."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._of: dict[int, Any] = {}

    def __call__(self, place: Longs) -> list[str]:
        pa = pyarrow()
        number, row = place >> PLACE_BITS, place & ((1 << PLACE_BITS) - 1)
        found = np.empty(len(place), object)
        for file in np.unique(number).tolist():
            if file not in self._of:
                self._of[file] = whole(self.plan.at("ids", file)).column("id")
            found[number == file] = self._of[file].take(pa.array(row[number == file])).to_pylist()
        ids: list[str] = found.tolist()
        return ids


def _write_pairs(plan: Plan, corpus: Corpus, ids: _Ids, part: int, last: int) -> None:
    """Pairs of a range, by ids, the earlier record first; of records that are equal each with the first of them."""
    found = whole(plan.at("found", part))
    chosen = column(found, "round") <= last
    places = [corpus.contents(column(found, end)[chosen], "place")[0] if chosen.any() else np.empty(0, np.int64) for end in ("a", "b")]
    values = [column(found, name)[chosen] for name in _OF_PAIR]
    place, first, is_first = columns_of([whole(plan.at("copies", part))], "place", "first", "is_first")
    one = np.ones(len(place), np.float32)
    a = np.concatenate([np.minimum(*places), first])
    b = np.concatenate([np.maximum(*places), place])
    more: list[NDArray[Any]] = [one, one, one, _OF_COPIES[is_first.astype(np.int8)]]
    values = [np.concatenate([of_found, of_copies]) for of_found, of_copies in zip(values, more, strict=True)]
    order = np.lexsort((b, a))
    with appears_whole(plan.output / "pairs" / f"{part}.tsv") as file:
        file.write(b"id_a\tid_b\tmeasure\tscore\tjaccard\tcontainment\n")
        for begin in range(0, len(order), _LINES):
            some = order[begin : begin + _LINES]
            jaccard, containment, score, measure = (column_of[some].tolist() for column_of in values)
            for id_a, id_b, j, c, m, of in zip(ids(a[some]), ids(b[some]), jaccard, containment, score, measure, strict=True):
                file.write(f"{id_a}\t{id_b}\t{MEASURES[of]}\t{m:.7g}\t{j:.7g}\t{c:.7g}\n".encode())
