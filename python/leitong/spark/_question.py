"""Which texts are in question, and which shingles are template, on arrays: the second decision's knowledge, as
src/dedup/template/stage.cpp learns it on one machine."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import ASIDE, SAME_WORK, SETTLED, batch_of, begins_of
from ._shingles import Templates
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


def counted(s: NDArray[Any], family: Longs, wants_common: Flags, outside: NDArray[np.int64]) -> tuple[Longs, Flags, Flags]:
    """Of holders of shingles, those of one shingle side by side: how many families hold each shingle, is it a template, and has it
    marks at all. `outside`: of each shingle how many texts hold it that are no rows here, and each a family of its own."""
    begins = begins_of(s)
    number = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(s))))
    order = np.lexsort((family, number))
    fresh = begins_of(number[order], family[order])
    families = np.bincount(number[order][fresh], minlength=len(begins)) + outside
    texts = np.bincount(number, minlength=len(begins)) + outside
    wanted = np.logical_or.reduceat(wants_common, begins) if len(begins) else np.empty(0, bool)
    chosen = (families >= _leitong.COMMON_FAMILIES) & (wanted | (families >= _leitong.TEMPLATE_FAMILIES))
    flags = np.zeros(len(begins), bool)
    some = np.flatnonzero(chosen)
    for made in Templates()([batch_of(s=some, families=families[some], texts=texts[some])] if len(some) else []):
        flags[some] = made.column("is_template").to_numpy(zero_copy_only=False)
    return families, flags, chosen
