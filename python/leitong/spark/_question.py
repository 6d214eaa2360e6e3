"""Which texts are in question, and which shingles are template, on arrays: the second decision's knowledge, as
src/dedup/template/stage.cpp learns it on one machine."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import ASIDE, SAME_WORK, SETTLED
from ._tables import Longs, components, find, is_in

Flags = NDArray[np.bool_]


def families_of(t: Longs, of: Longs, family: Longs) -> Longs:
    """A text without a family is a family of its own."""
    at, there = find(of, t)
    return np.where(there, family[at], t) if len(of) else t


def works(pairs: NDArray[np.void]) -> tuple[Longs, Longs]:
    """(t, family) of the texts of works, by t."""
    return components(pairs[pairs["standing"] == SAME_WORK])


def between_families(pairs: NDArray[np.void], of: Longs, family: Longs) -> Flags:
    between: Flags = families_of(pairs["a"], of, family) != families_of(pairs["b"], of, family)
    return between


def asked_texts(pairs: NDArray[np.void], t: Longs, component: Longs, between: Flags) -> tuple[Longs, Flags]:
    """(t, wants_common) of the texts of components in which a pair is in question, by t."""
    aside = pairs["standing"] == ASIDE
    open_pairs = aside | (between & (pairs["standing"] != SETTLED))
    # The least Jaccard value is a float; so is what it is compared with.
    rare = aside & (pairs["jaccard"] >= np.float32(_leitong.RARE_JACCARD))
    touched = np.concatenate([pairs["a"][open_pairs], pairs["b"][open_pairs]])
    wanted = np.concatenate([pairs["a"][rare], pairs["b"][rare]])
    asked = t[is_in(component, component[is_in(t, touched)])]
    return asked, is_in(asked, wanted)
