"""Large families, whose hot keys led to leaders only, linked on arrays by one task: the rounds of _families.py, which does the
same by joins where they are more than a task holds."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _leitong
from ._rows import ASIDE, SAME_WORK, begins_of
from ._search import signed
from ._tables import Longs, best_pairs, components, find, is_in

_ROUNDS, _FRAME_ROUNDS, _WORTHWHILE = _leitong.ROUNDS, _leitong.FRAME_ROUNDS, _leitong.WORTHWHILE
_STRAY_ROUNDS, _PART_ROUNDS = _leitong.STRAY_ROUNDS, _leitong.PART_ROUNDS
_ALL = (1 << 64) - 1
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Entries:
    """Hot keys with the texts that hold them. `order` comes before the salted content where leaders are chosen; `group` is what else
    decides who follows whom, as far as `has_group`."""

    key: Longs
    t: Longs
    long: Flags
    order: Longs
    group: Longs
    has_group: Flags

    @staticmethod
    def of(key: Longs, t: Longs, long: Flags) -> Entries:
        none = np.zeros(len(t), np.int64)
        return Entries(key, t, long, none, none, none > 0)

    @staticmethod
    def joined(parts: list[Entries]) -> Entries:
        return Entries(*(np.concatenate([getattr(part, name) for part in parts]) for name in Entries.__dataclass_fields__))

    def where(self, chosen: Flags) -> Entries:
        return Entries(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class Linking:
    """`common`: the texts that are made of what many hold, ascending; `hot`: the entries of these; `compare`: evidence of pairs -> those
    that the rule accepts or puts aside."""

    templates: bool
    common: Longs
    hot: Entries
    compare: Callable[[dict[str, Any]], NDArray[np.void]]

    def link(self, pairs: NDArray[np.void]) -> tuple[NDArray[np.void], dict[str, Any]]:
        """All compared pairs -> the same with the links of large families, and the texts that are to be completed, by components."""
        none = np.empty(0, np.int64)
        nobody = {"component": none, "t": none, "family": none, "has_family": none > 0}
        if not len(self.common):
            return best_pairs(pairs), nobody
        pairs = self._lead_the_unmatched(pairs)
        if self.templates:
            pairs = self._join_parts(pairs)
        t, family = self._families(pairs)
        if len(t):
            pairs = self._link_strays(pairs, t, family)
        elif not self.templates:
            return best_pairs(pairs), nobody
        pairs = best_pairs(pairs)
        return pairs, self._to_complete(pairs, t, family)

    def _same(self, pairs: NDArray[np.void]) -> NDArray[np.void]:
        """The pairs that count as a match: if templates are looked for, pairs that may share only a template do not."""
        return pairs[pairs["standing"] == SAME_WORK] if self.templates else pairs

    def _compared(self, entries: Entries, salt: int, leads: Flags | None = None, follows: Any = None) -> NDArray[np.void]:
        return self.compare(self._stars(entries, salt, np.ones(len(entries.t), bool) if leads is None else leads, follows))

    def _stars(self, entries: Entries, salt: int, leads: Flags, follows: Any) -> dict[str, Any]:
        """Each text of a hot key with the first two of those that lead it: evidence. `follows(led, leader)`, of positions: is the
        pair wanted?"""
        salted = entries.t ^ np.int64(signed(salt))
        chosen = np.flatnonzero(leads)
        chosen = chosen[np.lexsort((salted[chosen], entries.order[chosen], entries.key[chosen]))]
        begins = begins_of(entries.key[chosen])
        sizes = np.diff(np.append(begins, len(chosen)))
        led_by_key = np.argsort(entries.key, kind="stable")
        keys = entries.key[led_by_key]
        led: list[Longs] = []
        leaders: list[Longs] = []
        for place in (0, 1):  # the first leader of each key, and the second
            leader = chosen[begins[sizes > place] + place]
            low, high = (np.searchsorted(keys, entries.key[leader], side=side) for side in ("left", "right"))
            count = high - low
            within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
            led.append(led_by_key[np.repeat(low, count) + within])
            leaders.append(np.repeat(leader, count))
        a, b = np.concatenate(led), np.concatenate(leaders)
        wanted = (entries.key[a] % 2 == 0) | entries.long[a] | entries.long[b]
        wanted &= salted[a] > salted[b] if follows is None else follows(a, b)
        a, b = entries.t[a[wanted]], entries.t[b[wanted]]
        order = np.lexsort((b, a))
        a, b = a[order], b[order]
        begins = begins_of(a, b)
        none = np.zeros(len(begins), np.int64)
        return {"a": a[begins], "b": b[begins], "stars": np.diff(np.append(begins, len(a))), "e0": none, "e1": none, "e2": none}

    def _lead_the_unmatched(self, pairs: NDArray[np.void]) -> NDArray[np.void]:
        def unmatched() -> Longs:
            same = self._same(pairs)
            return self.common[~is_in(self.common, np.concatenate([same["a"], same["b"]]))]

        left = unmatched()
        for number in range(1, _FRAME_ROUNDS if self.templates else _ROUNDS):
            if len(left) <= 1:
                break
            salt = _leitong.leader_salt(number ^ _ALL) if self.templates else 0
            pairs = np.concatenate([pairs, self._compared(self.hot.where(is_in(self.hot.t, left)), salt)])
            before, left = len(left), unmatched()
            if len(left) == before or (number >= _ROUNDS and _WORTHWHILE * (before - len(left)) < before):
                break
        return pairs

    def _join_parts(self, pairs: NDArray[np.void]) -> NDArray[np.void]:
        """The copies of each work that are most similar to the others represent it and are compared with each other."""
        t, work = components(self._same(pairs))
        for _ in range(_PART_ROUNDS):
            accepted = best_pairs(pairs[pairs["standing"] != ASIDE])
            (at_a, has_a), (at_b, has_b) = find(t, accepted["a"]), find(t, accepted["b"])
            within = np.zeros(len(accepted), bool)
            if len(t):
                within = has_a & has_b & (work[at_a] == work[at_b])
            # Half away from zero, of a product of floats.
            likeness = np.floor((accepted["jaccard"][within] * np.float32(65535)).astype(np.float64) + 0.5).astype(np.int64)
            ends = np.concatenate([at_a[within], at_b[within]])
            sums, count = np.zeros(len(t), np.int64), np.bincount(ends, minlength=len(t))
            np.add.at(sums, ends, np.concatenate([likeness, likeness]))
            stands = np.flatnonzero((count > 0) & is_in(t, self.common))
            unlike = -np.maximum(np.floor(sums[stands] / count[stands]).astype(np.int64), 1)
            best = np.lexsort((t[stands], unlike, work[stands]))
            best = best[begins_of(work[stands][best])]
            parts, unlike = t[stands][best], unlike[best]
            if len(parts) < 2:
                break
            order = np.argsort(parts)
            parts, unlike = parts[order], unlike[order]
            at, there = find(parts, self.hot.t)
            entries = replace(self.hot, order=unlike[at]).where(there)

            def follows(a: Longs, b: Longs, of: Entries = entries) -> Flags:
                other: Flags = (of.order[a] > of.order[b]) | ((of.order[a] == of.order[b]) & (of.t[a] > of.t[b]))
                return other

            pairs = np.concatenate([pairs, self._compared(entries, 0, follows=follows)])
            t, work = components(self._same(pairs))
            at, there = find(t, parts)
            after = len(np.unique(work[at[there]]))
            if _WORTHWHILE * (len(parts) - after) < len(parts):
                break
        return pairs

    def _families(self, pairs: NDArray[np.void]) -> tuple[Longs, Longs]:
        """(t, family) of the texts in families of many texts, by t."""
        t, family = components(self._same(pairs[pairs["standing"] != ASIDE]))
        _, of, size = np.unique(family, return_inverse=True, return_counts=True)
        large = size[of] > _leitong.HOT_KEY
        return t[large], family[large]

    def _link_strays(self, pairs: NDArray[np.void], t: Longs, family: Longs) -> NDArray[np.void]:
        """If most texts of a hot key belong to one family, the key leads the others to members of it."""
        at, there = find(t, self.hot.t)
        of = replace(self.hot, group=np.where(there, family[at], 0), has_group=there)
        # For each key the family of most of its texts.
        keys, of_key, holders = np.unique(of.key, return_inverse=True, return_counts=True)
        order = np.flatnonzero(of.has_group)
        order = order[np.lexsort((of.group[order], of_key[order]))]
        begins = begins_of(of_key[order], of.group[order])
        members = np.diff(np.append(begins, len(order)))
        first = order[begins]
        most = first[2 * members > holders[of_key[first]]]
        has_most, most_of = np.zeros(len(keys), bool), np.zeros(len(keys), np.int64)
        has_most[of_key[most]], most_of[of_key[most]] = True, of.group[most]
        chosen = has_most[of_key]
        entries, leading = of.where(chosen), most_of[of_key[chosen]]
        leads = entries.has_group & (entries.group == leading)

        def follows(a: Longs, b: Longs) -> Flags:
            other: Flags = ~entries.has_group[a] | (entries.group[a] != entries.group[b])
            return other

        size = len(best_pairs(pairs[pairs["standing"] != ASIDE]))
        for number in range(1, _STRAY_ROUNDS + 1):
            pairs = np.concatenate([pairs, self._compared(entries, _leitong.leader_salt(number), leads, follows)])
            before, size = size, len(best_pairs(pairs[pairs["standing"] != ASIDE]))
            if size == before:
                break
        return pairs

    def _to_complete(self, pairs: NDArray[np.void], of_family: Longs, family: Longs) -> dict[str, Any]:
        """The texts of components that have a family, or several common texts of one work."""
        t, component = components(pairs)
        wanted = component[is_in(t, of_family)]
        if self.templates:
            of_work, work = components(self._same(pairs))
            common = is_in(of_work, self.common)
            of_work, work = of_work[common], work[common]
            order = np.lexsort((of_work, work))
            begins = begins_of(work[order])
            many = begins[np.diff(np.append(begins, len(order))) > 1]
            wanted = np.concatenate([wanted, component[is_in(t, of_work[order][many])]])
        chosen = is_in(component, wanted)
        at, there = find(of_family, t[chosen])
        return {"component": component[chosen], "t": t[chosen], "family": np.where(there, family[at], 0) if len(family) else at, "has_family": there}
