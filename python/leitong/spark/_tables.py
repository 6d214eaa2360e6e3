"""Joins and sums over arrays: within the rows of one part, these replace the moving of rows in a cluster."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._rows import SIGN, begins_of
from ._tasks import Unite

Longs = NDArray[np.int64]

#: A pair that was compared, by contents: `a` is the greater one.
PAIR = np.dtype([("a", "<i8"), ("b", "<i8"), ("jaccard", "<f4"), ("containment", "<f4"), ("score", "<f4"), ("measure", "i1"), ("standing", "i1")])
#: Two texts that are worth a comparison.
CANDIDATE = np.dtype([("a", "<i8"), ("b", "<i8"), ("score", "<f4"), ("template_only", "?"), ("frame", "u1")], align=True)


def range_of_text(t: Longs, ranges: int) -> Longs:
    """Contents are hashes, so their ranges have equal sizes."""
    high = (t.view(np.uint64) ^ SIGN) >> np.uint64(32)
    return (high * np.uint64(ranges) >> np.uint64(32)).astype(np.int64)


def is_in(values: Longs, of: Longs) -> NDArray[np.bool_]:
    return np.isin(values, of)


def find(of: NDArray[Any], wanted: NDArray[Any]) -> tuple[Longs, NDArray[np.bool_]]:
    """The position of each wanted value in a sorted array without repetitions, and whether it is there."""
    if not len(of):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
    at = np.minimum(np.searchsorted(of, wanted), len(of) - 1)
    return at, of[at] == wanted


def components(pairs: NDArray[np.void]) -> tuple[Longs, Longs]:
    """(t, component) of the texts in pairs, by t: the least text that each one is connected with."""
    united = Unite._united(np.ascontiguousarray(pairs["a"]), np.ascontiguousarray(pairs["b"])) if len(pairs) else None
    if united is None:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    t, root = (united.column(name).to_numpy() for name in ("a", "b"))
    roots = np.unique(root)
    t, root = np.concatenate([t, roots]), np.concatenate([root, roots])
    order = np.argsort(t)
    return t[order], root[order]


def best_pairs(pairs: NDArray[np.void]) -> NDArray[np.void]:
    """Each pair once: with the more ordinary measure, then with the higher score."""
    order = np.lexsort((pairs["containment"], pairs["jaccard"], -pairs["standing"], -pairs["score"], pairs["measure"], pairs["b"], pairs["a"]))
    pairs = pairs[order]
    return pairs[begins_of(pairs["a"], pairs["b"])]


def best_candidates(found: NDArray[np.void]) -> NDArray[np.void]:
    """The best evidence among the candidates of one pair."""
    found = found[np.lexsort((found["b"], found["a"]))]
    begins = begins_of(found["a"], found["b"])
    best = found[begins]
    if len(begins):
        best["score"] = np.maximum.reduceat(found["score"], begins)
        best["template_only"] = np.logical_and.reduceat(found["template_only"], begins)
        best["frame"] = np.maximum.reduceat(found["frame"], begins)
    return best
