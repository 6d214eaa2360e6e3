"""Large families, whose hot keys led to leaders only: linked by one process and completed in parts."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._session import session
from ..spark._linking import linked
from ..spark._rows import begins_of, pyarrow
from ..spark._single import Spool
from ..spark._tables import Longs, find, is_in, range_of_text
from ..spark._tasks import Complete
from ._files import as_batch, batch_at, column, columns_of, whole, write_by_range
from ._plan import Plan
from ._search import Corpus, as_pairs, followed_by_nulls, read_pairs, write_pairs

_ROWS = 20_000  # texts and pairs that are passed on at once, or those of one component


def families(plan: Plan, part: int) -> None:
    """All compared pairs -> the same with the links of large families, and the texts that are to be completed, by components."""
    corpus, common = Corpus(plan), common_texts(plan)
    key, holder = columns_of([whole(path) for path in plan.all_of("hot")], "key", "t")
    names = ("r0", "r1", "l0", "l1", "frame")
    weights: dict[str, Any] = dict(zip(names, corpus.weights(common, *names), strict=True))
    spool = Spool()
    for begin in range(0, len(common), _ROWS):
        spool.add(corpus.bodies(common[begin : begin + _ROWS]))
    verified = read_pairs(plan.all_of("verified"))
    pairs, members = linked(plan.settings, session(), verified, common, weights, spool.texts(), key, holder)
    write_pairs(plan, "linked", 0, pairs)
    write_by_range(plan.at("members", 0), members, range_of_text(members["component"], plan.parts), plan.parts)


def complete(plan: Plan, part: int) -> None:
    """For the components of a range: the members of families are compared with each other, and so are the common texts of works."""
    members = batch_at(plan.at("members", 0), part)
    texts = {("block" if n == "component" else n): column(members, n) for n in members.schema.names}
    texts["common"] = is_in(texts["t"], common_texts(plan))
    pairs = read_pairs([plan.at("linked", 0)])
    found = as_pairs(Complete(plan.settings)(blocks(Corpus(plan), texts, pairs)))
    write_pairs(plan, "completed", part, found)


def common_texts(plan: Plan) -> Longs:
    """The texts that consist of what many texts hold."""
    t, common = columns_of([whole(path) for path in plan.all_of("weights")], "t", "common")
    return np.sort(t[common])


def blocks(corpus: Corpus, texts: dict[str, Any], pairs: NDArray[np.void]) -> Iterator[Any]:
    """Whole components with their texts and pairs, some at a time: texts (kind 0) as they are ordered, then pairs (kind 1). `texts`:
    block, t, and what else Complete or Settle ask for."""
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
        if not len(some):
            continue
        rows = by_block[begins[some[0]] : begins[some[-1]] + sizes[some[-1]]]
        known = pairs[low[some[0]] : high[some[-1]]]
        yield _block(corpus, {n: _taken(c, rows) for n, c in texts.items()}, known, of_pair[low[some[0]] : high[some[-1]]])


def _taken(values: Any, rows: Longs) -> Any:
    return values[rows] if isinstance(values, np.ndarray) else values.take(pyarrow().array(rows))


def _block(corpus: Corpus, texts: dict[str, Any], pairs: NDArray[np.void], of_pair: Longs) -> Any:
    pa = pyarrow()
    count = len(texts["t"])
    both = {
        "block": np.concatenate([texts["block"], of_pair]), "kind": np.repeat([0, 1], [count, len(pairs)]),
        "a": np.concatenate([texts["t"], pairs["a"]]), "b": np.concatenate([np.zeros(count, np.int64), pairs["b"]]),
        "body": followed_by_nulls(corpus.bodies(texts["t"]), len(pairs)),
    }
    for name in ("jaccard", "containment", "score", "measure", "standing"):
        both[name] = np.concatenate([np.zeros(count, pairs.dtype[name]), pairs[name]])
    for name in texts.keys() - {"block", "t"}:
        of = texts[name]
        none = np.zeros(len(pairs), of.dtype) if isinstance(of, np.ndarray) else None
        both[name] = followed_by_nulls(of, len(pairs)) if none is None else np.concatenate([of, none])
    order = np.lexsort((np.arange(len(both["block"])), both["kind"], both["block"]))
    return as_batch(both).take(pa.array(order))
