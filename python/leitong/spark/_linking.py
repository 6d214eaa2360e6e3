"""Large families, whose hot keys led to leaders only, linked by one task: the rounds of _families.py, which does the same by joins
where they are more than a task holds."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import COMPARED, SIGN, Settings, to_bytes
from ._tables import PAIR, Longs, best_pairs, find, is_in
from ._tasks import pair_rows

_OF_PAIR = ("jaccard", "containment", "score", "measure", "standing")


def linked(
    settings: Settings, session: Any, pairs: NDArray[np.void], common: Longs, weights: NDArray[np.void], texts: _leitong.Texts, key: Longs, holder: Longs
) -> tuple[NDArray[np.void], dict[str, Any]]:
    """All compared pairs -> the same with the links of large families, and the texts that are to be completed, by components. `common`:
    the texts that are made of what many hold, with `weights` and `texts`; hot keys beside their holders."""
    t = np.unique(np.concatenate([pairs["a"], pairs["b"], common]))
    known = np.zeros(len(pairs), COMPARED)
    known["a"], known["b"] = find(t, pairs["b"])[0], find(t, pairs["a"])[0]
    for name in _OF_PAIR:
        known[name] = pairs[name]
    hot = is_in(holder, common)
    found, component, family = settings.steps().link(
        session, t.view(np.uint64) ^ SIGN, to_bytes(known), find(t, common)[0].astype(np.uint32), texts,
        to_bytes(weights), key[hot].view(np.uint64), find(t, holder[hot])[0].astype(np.uint32),
    )
    rows = pair_rows(t, found.view(COMPARED))
    made = np.zeros(len(rows["a"]), PAIR)
    for name in PAIR.names or ():
        made[name] = rows[name]
    chosen = component != _leitong.NO_FAMILY
    has_family = family[chosen] != _leitong.NO_FAMILY
    return best_pairs(made), {
        "component": t[component[chosen]], "t": t[chosen], "family": np.where(has_family, t[family[chosen] * has_family], 0),
        "has_family": has_family,
    }
