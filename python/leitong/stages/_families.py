"""Large families, whose hot keys led to leaders only: linked by one process and completed in parts."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._session import session
from ..spark._linking import linked
from ..spark._rows import begins_of
from ..spark._tables import PAIR, Longs, find, is_in, range_of_text
from ..spark._tasks import completed, known_pairs
from ._files import batch_at, column, columns_of, whole, write_by_range
from ._plan import Plan
from ._search import Corpus, as_pairs, read_pairs, worth, write_pairs

_ROWS = 20_000  # texts and pairs that are passed on at once, or those of one component


def families(plan: Plan, part: int) -> None:
    """All compared pairs -> the same with the links of large families, and the texts that are to be completed, by components."""
    common = _common(plan)
    t = np.ascontiguousarray(common["t"])
    key, holder = columns_of([whole(path) for path in plan.all_of("hot")], "key", "t")
    verified = read_pairs(plan.all_of("verified"))
    pairs, members = linked(plan.settings, session(), verified, t, common["weight"], Corpus(plan).texts(t), key, holder)
    write_pairs(plan, "linked", 0, pairs)
    write_by_range(plan.at("members", 0), members, range_of_text(members["component"], plan.parts), plan.parts)


def complete(plan: Plan, part: int) -> None:
    """For the components of a range: the members of families are compared with each other, and so are the common texts of works."""
    members = batch_at(plan.at("members", 0), part)
    texts = {("block" if n == "component" else n): column(members, n) for n in members.schema.names}
    texts["common"] = is_in(texts["t"], common_texts(plan))
    corpus = Corpus(plan)
    found = [
        as_pairs(completed(plan.settings, of["t"], corpus.texts(of["t"]), of, known_pairs(of["t"], known)))
        for of, known in blocks(texts, read_pairs([plan.at("linked", 0)]))
    ]
    write_pairs(plan, "completed", part, np.concatenate([np.empty(0, PAIR), *found]))


def common_texts(plan: Plan) -> Longs:
    """The texts that consist of what many texts hold."""
    return np.ascontiguousarray(_common(plan)["t"])


def _common(plan: Plan) -> NDArray[np.void]:
    return np.concatenate([some[some["weight"]["common"] > 0] for some in worth(plan)])


def blocks(texts: dict[str, NDArray[Any]], pairs: NDArray[np.void]) -> Iterator[tuple[dict[str, NDArray[Any]], NDArray[np.void]]]:
    """Whole components, some at a time: the columns of their texts, as they are ordered, and their pairs. `texts`: block, t, and
    others."""
    order = np.argsort(texts["t"])
    at, there = find(texts["t"][order], pairs["a"])
    pairs = pairs[there]
    of_pair = texts["block"][order][at[there]]
    by_block = np.argsort(of_pair, kind="stable")
    pairs, of_pair = pairs[by_block], of_pair[by_block]
    by_block = np.argsort(texts["block"], kind="stable")
    of_text = texts["block"][by_block]
    begins = begins_of(of_text)
    sizes = np.diff(np.append(begins, len(of_text)))
    low, high = (np.searchsorted(of_pair, of_text[begins], side=side) for side in ("left", "right"))
    for some in np.split(np.arange(len(begins)), begins_of(np.cumsum(sizes + high - low) // _ROWS)[1:]):
        if len(some):
            rows = by_block[begins[some[0]] : begins[some[-1]] + sizes[some[-1]]]
            yield {n: c[rows] for n, c in texts.items()}, pairs[low[some[0]] : high[some[-1]]]
